// SPDX-License-Identifier: MIT
// storage_test.c -- the recipes of the product are proved, right at all sizes around their
// tiles, and refused by the judge once anything in their trees is changed.
#include "../sample.h"
#include "follow.h"
#include "rule/storage.h"

static const char product[] =
    "sculpt 1 region product @\"product.c\":1:1 sculpt reassociate {\n"
    "param m: i32 = \"m\" param p: i32 = \"p\" param n: i32 = \"n\"\n"
    "param pitch_b: i32 = \"pitch_b\" param pitch_c: i32 = \"pitch_c\" param pitch_a: i32 = \"pitch_a\"\n"
    "array a[?][pitch_a]: f32 = \"a\" live array b[?][pitch_b]: f32 = \"b\" "
    "array c[?][pitch_c]: f32 = \"c\"\n"
    "do { for j: i32 = 0 .. m for k: i32 = 0 .. p for i: i32 = 0 .. n S0[j, k, i] }\n"
    "stmt S0[j, k, i]: a[j][i] += b[k][i] * c[j][k] fused }";

static const char *const recipes[] = {"recipes/sgemm.sculpt", "recipes/sgemm_aligned.sculpt",
                                      "recipes/sgemm_packed.sculpt"};
enum { RECIPES = sizeof recipes / sizeof *recipes };

static Nest *made(Compile *c, const char *file) {
    char *text = file_read(c->arena, file, NULL);
    if (!text) fail_msg("%s can't be read", file);
    Nest *n = follow(c, start_of(c, product), text, JUDGE_LAST);
    if (!n) fail_msg("%s: %s", file, last_diag(c));
    return n;
}

static const Sym *param(const Nest *n, const char *name) {
    for (int k = 0; k < n->region->nparams; k++)
        if (str_eq(n->region->params[k]->name, name)) return n->region->params[k];
    return NULL;
}

// ---- values -----------------------------------------------------------------------------------
// At how many sizes a nest runs and does what its region does; any other value fails.
static int compared(const Nest *n, const char *what) {
    static const int sizes[][3] = {{1, 1, 1}, {3, 0, 5}, {127, 15, 4}, {128, 16, 128}, {129, 17, 132},
                                   {64, 50, 260}, {5, 33, 127}};
    int count = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int m = sizes[k][0], p = sizes[k][1], w = sizes[k][2], up = (w + 3) / 4 * 4;
        InterpVal v[] = {{param(n, "m"), m, 0}, {param(n, "p"), p, 0}, {param(n, "n"), w, 0},
                         {param(n, "pitch_a"), up, 0}, {param(n, "pitch_b"), up + 4, 0},
                         {param(n, "pitch_c"), p + 1, 0}};
        int same = same_values(n, 6, v, 7);
        if (!same) fail_msg("%s at %d %d %d", what, m, p, w);
        count += same > 0;
    }
    return count;
}

static void values(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (int r = 0; r < RECIPES; r++) {
        if (!test_takes((uint64_t)r, RECIPES, seed)) continue;
        Compile *c = compile_new();
        Nest *n = made(c, recipes[r]);
        assert_true(n->proof == PROOF_PROVED);
        check_text(c, n);
        assert_true(compared(n, recipes[r]) >= 3);
        compile_free(c);
    }
}

// ---- changes ----------------------------------------------------------------------------------
typedef struct Mutant {
    Arena *a;
    int which, met;        // the change to make; those passed so far
    char *what;
} Mutant;

static bool now(Mutant *x) { return x->met++ == x->which; }

static Node *change(Mutant *x, Node *n) {
    if (!n) return NULL;
    Arena *a = x->a;
    Node *m = node_clone(a, n);
    if (n->nkids) m->kids = NEW_N(a, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++) m->kids[i] = change(x, n->kids[i]);
    m->body = change(x, n->body);
    m->then = change(x, n->then);
    m->other = change(x, n->other);
    if (n->kind == N_IF && now(x)) {
        x->what = arena_printf(a, "without if (%s)", ir_print_expr(a, n->cond));
        return m->then;
    }
    if (n->kind == N_FOR && (n->how == HOW_COOP || n->how == HOW_UNROLL) && n->hi->kind == E_INT &&
        n->hi->i > 1 && now(x)) {
        x->what = arena_printf(a, "%s less one", n->iter->name);
        m->hi = expr_int(a, n->hi->type, n->hi->i - 1);
    }
    if (n->kind == N_COPY && now(x)) {
        x->what = arena_printf(a, "moved: %s", ir_print_node(a, n, 0));
        m->sub = NEW_N(a, Expr *, n->dst->rank);
        for (int d = 0; d < n->dst->rank; d++) m->sub[d] = n->sub[d];
        m->sub[n->dst->rank - 1] = expr_add(a, n->sub[n->dst->rank - 1],
                                            expr_int(a, n->sub[n->dst->rank - 1]->type, 1));
    }
    if (n->kind == N_COPY && n->src->kind == E_LOAD && now(x)) {
        const Array *y = n->src->array;
        Expr **sub = NEW_N(a, Expr *, y->rank);
        for (int d = 0; d < y->rank; d++) sub[d] = n->src->args[d];
        sub[y->digits] = expr_add(a, sub[y->digits], expr_int(a, sub[y->digits]->type, 1));
        x->what = arena_printf(a, "from elsewhere: %s", ir_print_node(a, n, 0));
        m->src = expr_load(a, y, sub);
    }
    return m;
}

// Next to nothing of a tree can be left out: each change is refused, or allowed for some sizes
// only, or it changes no value (the last tile never has all its rows). A sample; all of them
// were looked at once, and every 23rd is where everything is asked for.
static void changes(void **state) {
    (void)state;
    int refused = 0, every = test_all() ? 23 : 69;
    for (int r = 0; r < RECIPES; r++) {
        Compile *c = compile_new();
        Nest *n = made(c, recipes[r]);
        Mutant x = {.a = c->arena};
        for (x.which = 5 * r;; x.which += every) {
            x.met = 0;
            x.what = NULL;
            Node *root = change(&x, n->root);
            if (!x.what) break;
            Verdict v = dep_judge(c, n->region, root);
            refused += v.answer == ANSWER_NEVER || v.answer == ANSWER_WHEN;
            Nest other = *n;
            other.root = root;
            if (v.answer == ANSWER_ALWAYS) compared(&other, x.what);
        }
        compile_free(c);
    }
    assert_true(refused >= (test_all() ? 8 : 2));
}

// ---- subscripts that data choose --------------------------------------------------------------
static const char picks[] =
    "sculpt 1 region picks omp { param n: i32 = \"n\" array c[n]: f32 = \"c\" live "
    "do { for i: i32 = 0 .. n mark (parallel) { local j: i32 local v[4]: f32 constant "
    "S0[i] for k: i32 = 0 .. 4 { S1[i, k] } S2[i] S3[i] } } stmt S0[i]: j = i % 4 "
    "stmt S1[i, k]: v[k] = 0.5 * f32(i + k) stmt S2[i]: v[j] = 1.0 stmt S3[i]: c[i] = v[1] }";

// A local and the one that chooses its elements may move in either order.
static void chosen(void **state) {
    (void)state;
    static const char *const orders[] = {"expand v\nexpand j\ngrid i threads=32",
                                         "expand j\nexpand v\ngrid i threads=32"};
    for (int k = 0; k < 2; k++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, picks), orders[k], JUDGE_NONE);
        if (!n) fail_msg("%s: %s", orders[k], last_diag(c));
        if (!ir_verify_nest(c, n)) fail_msg("%s: %s", orders[k], last_diag(c));
        InterpVal v = {param(n, "n"), 37, 0};
        assert_true(same_values(n, 1, &v, 7) > 0);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(changes),
                                       cmocka_unit_test(chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
