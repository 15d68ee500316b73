// SPDX-License-Identifier: MIT
// trace_test.c -- the model's figures of hand-written kernels against a count of every address.
//
// The kernels of test/kernels run here thread by thread, with every warp of every block, and each
// request's sectors and bank passes are counted from the addresses alone. The model, which looks at
// some warps, must come to the same mean a request wherever it says that no data decide (here it
// looks at all). All kernels under SCULPT_TEST_ALL, else every fifth.
#include "../sample.h"
#include "kernel/kernel.h"
#include "ir/value.h"
#include "model/findings.h"
#include "model/machine.h"
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WARP = 32, MAX_WORDS = 64, MAX_THREADS = 1 << 14, MAX_STEPS = 3000000, EVERY_WARP = 10000000,
      FEW = 5 };

typedef struct Num {
    bool known;
    Value v;
} Num;

// What a private variable holds: of one element, or by its subscripts; `lanes`: of each lane one.
typedef struct Cell {
    const Array *array;
    int64_t size, lanes;
    Num *at;
} Cell;

typedef struct Bound {
    const Sym *sym;
    int64_t at[WARP];
} Bound;

typedef struct Tally {
    const Node *node;
    const Array *array;
    const char *text;
    bool write, unknown;
    double requests, cost;       // sectors, or bank passes
} Tally;

typedef struct Trace {
    Arena *a;
    VEC(Cell) cells;
    VEC(Bound) env;
    VEC(Tally) tallies;
    const KernelNest *k;
    bool in_warp, data;          // data: a condition or a bound is not known
    int64_t steps;
} Trace;

static void exec(Trace *t, const Node *n, uint32_t mask);

// ---- values --------------------------------------------------------------------------------
static Num number(int64_t i) { return (Num){true, {.i = i}}; }

static Bound *bound(Trace *t, const Sym *s) {
    for (int i = t->env.n - 1; i >= 0; i--)
        if (t->env.at[i].sym == s) return &t->env.at[i];
    return NULL;
}

static Cell *cell(Trace *t, const Array *v) {
    for (int i = t->cells.n - 1; i >= 0; i--)
        if (t->cells.at[i].array == v) return &t->cells.at[i];
    return NULL;
}

static Num eval(Trace *t, const Expr *x, int lane);

static int64_t index_of(Trace *t, const Array *v, Expr *const *sub, int lane) {
    int64_t at = 0;
    for (int d = 0; d < v->rank; d++) {
        Num i = eval(t, sub[d], lane);
        int64_t extent = v->extent[d] && v->extent[d]->kind == E_INT ? v->extent[d]->i : d ? -1 : 1;
        if (!i.known || extent < 0) return INT64_MIN;
        at = at * extent + i.v.i;
    }
    return at;
}

static Num *place(Trace *t, const Array *v, Expr *const *sub, int lane) {
    Cell *c = cell(t, v);
    if (!c) return NULL;
    int64_t at = index_of(t, v, sub, lane);
    if (at < 0 || at >= c->size) return NULL;
    return &c->at[c->lanes > 1 ? at * c->lanes + lane : at];
}

static Num eval_op(Trace *t, const Expr *x, int lane) {
    if (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR) {
        Num c = eval(t, x->args[0], lane);
        if (!c.known) return (Num){0};
        bool yes = value_true(x->args[0]->type, c.v);
        if (x->op == OP_SELECT) return eval(t, x->args[yes ? 1 : 2], lane);
        if (yes == (x->op == OP_LOR)) return number(yes);
        Num y = eval(t, x->args[1], lane);
        return y.known ? number(value_true(x->args[1]->type, y.v)) : y;
    }
    Value v[3], out;
    for (int i = 0; i < x->nargs; i++) {
        Num y = eval(t, x->args[i], lane);
        if (!y.known) return y;
        v[i] = y.v;
    }
    return (Num){value_op(x->op, x->args[0]->type, v, &out), out};
}

static Num eval(Trace *t, const Expr *x, int lane) {
    switch (x->kind) {
    case E_INT: return number(x->i);
    case E_FLOAT: return (Num){true, {.f = x->f}};
    case E_SYM: {
        Bound *b = bound(t, x->sym);
        return b ? number(b->at[lane]) : (Num){0};
    }
    case E_LOAD: {
        Num *p = x->array->place == PLACE_USER ||
            x->array->place == PLACE_SHARED ? NULL : place(t, x->array, x->args, lane);
        return p ? *p : (Num){0};
    }
    case E_OP: return eval_op(t, x, lane);
    case E_CAST: {
        Num y = eval(t, x->args[0], lane);
        Value out;
        return y.known ? (Num){value_cast(x->args[0]->type, x->type, y.v, &out), out} : y;
    }
    default: return (Num){0};
    }
}

// ---- requests ----------------------------------------------------------------------------------
static int sectors(int n, const int64_t *at, int width) {
    int64_t seen[2 * WARP];
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int64_t s = at[i] >> 5; s <= (at[i] + width - 1) >> 5; s++) {
            int k = 0;
            while (k < count && seen[k] != s) k++;
            if (k == count) seen[count++] = s;
        }
    return count;
}

// Words of one bank that differ go one after the other.
static int passes(int n, const int64_t *at) {
    int worst = 0;
    for (int b = 0; b < 32; b++) {
        int64_t seen[WARP];
        int count = 0;
        for (int i = 0; i < n; i++) {
            int64_t word = at[i] >> 2;
            int k = 0;
            while (k < count && seen[k] != word) k++;
            if ((word & 31) == b && k == count) seen[count++] = word;
        }
        if (count > worst) worst = count;
    }
    return worst;
}

static const char *text_of(Arena *a, const Array *v, Expr *const *sub) {
    Text x = text_new(a);
    text_put(&x, v->name);
    for (int d = 0; d < v->rank; d++) text_printf(&x, "[%s]", ir_print_expr(a, sub[d]));
    return text_str(&x);
}

static void tally(Trace *t, const Node *n, const Array *v, Expr *const *sub, bool write, uint32_t mask) {
    bool far = v->place == PLACE_USER || v->place == PLACE_SHARED;
    if (!far || !mask) return;
    const char *text = text_of(t->a, v, sub);
    int k = 0;
    while (k < t->tallies.n && !(t->tallies.at[k].node == n && t->tallies.at[k].write == write &&
                                 str_eq(t->tallies.at[k].text, text))) k++;
    if (k == t->tallies.n) vec_push(t->a, &t->tallies,
                                    ((Tally){.node = n, .array = v, .text = text, .write = write}));
    Tally *y = &t->tallies.at[k];
    int64_t at[WARP];
    int count = 0;
    for (int lane = 0; lane < WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        int64_t i = index_of(t, v, sub, lane);
        if (i == INT64_MIN) y->unknown = true;
        else at[count++] = v->offset + v->stride * i;
    }
    y->requests++;
    if (!y->unknown) y->cost += v->place == PLACE_USER ? sectors(count, at, type_size(v->elem))
        : passes(count, at);
}

typedef struct Reads {
    Trace *t;
    const Node *n;
    uint32_t mask;
} Reads;

static uint32_t lanes_where(Trace *t, const Expr *c, uint32_t mask, bool yes) {
    uint32_t out = 0;
    for (int lane = 0; lane < WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        Num v = eval(t, c, lane);
        if (!v.known) t->data = true;
        if (v.known && value_true(c->type, v.v) == yes) out |= 1u << lane;
    }
    return out;
}

static void read_all(Trace *t, const Node *n, const Expr *x, uint32_t mask) {
    if (!x) return;
    for (int i = 0; i < x->nargs; i++) read_all(t, n, x->args[i], mask);
    if (x->kind == E_LOAD) tally(t, n, x->array, x->args, false, mask);
}

// ---- the tree ------------------------------------------------------------------------------------
static int64_t size_of(const Array *v) {
    int64_t n = 1;
    for (int d = 0; d < v->rank; d++) n *= v->extent[d] && v->extent[d]->kind == E_INT ? v->extent[d]->i : 0;
    return n;
}

static void declare(Trace *t, const Node *n) {
    for (int i = 0; i < n->nlocals; i++) {
        const Array *v = n->locals[i];
        if (v->place == PLACE_SHARED || size_of(v) <= 0 || size_of(v) > 1 << 16) continue;
        Cell c = {v, size_of(v), t->in_warp ? WARP : 1, NULL};
        c.at = NEW_N(t->a, Num, c.size * c.lanes);
        vec_push(t->a, &t->cells, c);
    }
}

static void copy(Trace *t, const Node *n, uint32_t mask) {
    read_all(t, n, n->src, mask);
    if (!n->dst) return;
    for (int d = 0; d < n->dst->rank; d++) read_all(t, n, n->sub[d], mask);
    if (n->op != OP_SET && !n->atomic) tally(t, n, n->dst, n->sub, false, mask);
    tally(t, n, n->dst, n->sub, true, mask);
    for (int lane = 0; lane < WARP; lane++) {
        Num *p = mask >> lane & 1 ? place(t, n->dst, n->sub, lane) : NULL;
        if (!p) continue;
        Num v = eval(t, n->src, lane);
        Value both[2] = {p->v, v.v}, out;
        if (n->op == OP_SET) *p = v.known && value_cast(n->src->type, n->dst->elem, v.v, &out)
            ? (Num){true, out} : (Num){0};
        else *p = v.known && p->known && value_op(n->op, n->dst->elem, both, &out) ? (Num){true, out}
            : (Num){0};
    }
}

static void loop(Trace *t, const Node *n, uint32_t mask) {
    int64_t lo[WARP] = {0}, trips[WARP] = {0}, most = 0;
    for (int lane = 0; lane < WARP; lane++) {
        if (!(mask >> lane & 1)) continue;
        Num from = eval(t, n->lo, lane), to = eval(t, n->hi, lane);
        if (!from.known || !to.known) t->data = true;
        int64_t by = n->step > 0 ? n->step : -n->step,
            span = n->step > 0 ? to.v.i - from.v.i : from.v.i - to.v.i;
        lo[lane] = from.v.i;
        trips[lane] = t->data || span <= 0 ? 0 : (span + by - 1) / by;
        if (trips[lane] > most) most = trips[lane];
    }
    read_all(t, n, n->lo, mask);
    read_all(t, n, n->hi, mask);
    Bound b = {.sym = n->iter};
    vec_push(t->a, &t->env, b);
    int at = t->env.n - 1, cells = t->cells.n;
    for (int64_t i = 0; i < most && !t->data; i++) {
        uint32_t on = 0;
        for (int lane = 0; lane < WARP; lane++) {
            t->env.at[at].at[lane] = lo[lane] + n->step * i;
            if ((mask >> lane & 1) && i < trips[lane]) on |= 1u << lane;
        }
        exec(t, n->body, on);
        t->cells.n = cells;
    }
    t->env.n--;
}

// All threads of the block, a warp at a time.
static void threads(Trace *t, const Node *n) {
    const Node *dim[3];
    int nd = 0;
    int64_t total = 1;
    for (; n->kind == N_FOR && n->how == HOW_THREAD && nd < 3; n = n->body) {
        dim[nd++] = n;
        total *= n->hi->i;
    }
    int env = t->env.n, cells = t->cells.n;
    for (int d = 0; d < nd; d++) vec_push(t->a, &t->env, ((Bound){.sym = dim[d]->iter}));
    for (int64_t first = 0; first < total && !t->data; first += WARP) {
        uint32_t mask = 0;
        for (int lane = 0; lane < WARP; lane++) {
            int64_t left = first + lane;
            if (left < total) mask |= 1u << lane;
            for (int d = nd - 1; d >= 0; d--) t->env.at[env + d].at[lane] = left % dim[d]->hi->i,
                left /= dim[d]->hi->i;
        }
        t->in_warp = true;
        exec(t, n, mask);
        t->in_warp = false;
        t->cells.n = cells;
    }
    t->env.n = env;
}

static void exec(Trace *t, const Node *n, uint32_t mask) {
    if (!n || !mask || t->data || (t->steps += 1) > MAX_STEPS) return;
    int cells = t->cells.n;
    switch (n->kind) {
    case N_SEQ:
        declare(t, n);
        for (int i = 0; i < n->nkids; i++) exec(t, n->kids[i], mask);
        t->cells.n = cells;
        return;
    case N_COPY: copy(t, n, mask); return;
    case N_IF: {
        read_all(t, n, n->cond, mask);
        uint32_t yes = lanes_where(t, n->cond, mask, true), no = mask & ~yes;
        exec(t, n->then, yes);
        exec(t, n->other, no);
        return;
    }
    case N_FOR:
        if (n->how == HOW_THREAD) threads(t, n);
        else loop(t, n, mask);
        return;
    default: return;
    }
}

// ---- comparing ---------------------------------------------------------------------------------------
typedef struct Score {
    int launches, compared, left_out, wrong;
} Score;

static const Tally *tally_of(const Trace *t, const AccessCost *c) {
    for (int i = 0; i < t->tallies.n; i++) {
        const Tally *y = &t->tallies.at[i];
        if (y->node == c->node && y->write == c->write && y->array == c->array &&
            str_eq(y->text, c->text)) return y;
    }
    return NULL;
}

static void compare(const char *what, const Trace *t, const KernelCost *k, Score *s) {
    for (int i = 0; i < k->naccesses; i++) {
        const AccessCost *c = k->accesses[i];
        const Tally *y = tally_of(t, c);
        // else compilers join some
        bool own = c->width == type_size(c->array->elem) && c->width <= 4 && !c->assumed;
        if (!own || !y || y->unknown || c->requests <= 0) {
            s->left_out++;
            continue;
        }
        double model = (c->shared ? c->wavefronts : c->sectors) / c->requests,
            counted = y->cost / y->requests;
        s->compared++;
        if (fabs(model - counted) <= 0.005 * counted) continue;
        s->wrong++;
        fprintf(stderr, "%s: %s %s: %g, but %g are counted\n", what, c->write ? "store" : "load", c->text,
                model, counted);
    }
}

static void run_one(const char *file, const char *words_text, const Machine *m, Score *s) {
    Compile *c = compile_new();
    char *words[MAX_WORDS], *text = arena_strdup(c->arena, words_text), *rest;
    int n = 0;
    for (char *w = strtok_r(text, " ", &rest); w &&
         n < MAX_WORDS; w = strtok_r(NULL, " ", &rest)) words[n++] = w;
    KernelWords o;
    const char *why = NULL;
    assert_true(front_kernel_words(c->arena, n, words, &o, &why));
    KernelNest *k = front_read_kernel(c, front_kernel_file(c, file, 0, NULL), &o.launch);
    int64_t total = 1;
    for (int d = 0; k && d < 3; d++) total *= k->launch.grid[d] * k->launch.block[d];
    if (k && total <= MAX_THREADS) {
        Trace t = {.a = c->arena, .k = k};
        const Node *kernel = k->nest->root->kids[0];
        exec(&t, kernel->body, UINT32_MAX); // what the block does counts as done by all lanes
        if (!t.data && t.steps <= MAX_STEPS) {
            s->launches++;
            compare(arena_printf(c->arena, "%s: %s", file, words_text), &t,
                    model_kernel_within(c->arena, k->nest, kernel, 0, NULL, m, EVERY_WARP), s);
        }
    }
    compile_free(c);
}

static void figures_are_those_of_every_address(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why = NULL;
    const Machine *m = machine_find(a, "H200", &why);
    Score s = {0};
    glob_t g;
    bool all = test_all();
    int count = 0;
    assert_non_null(m);
    assert_int_equal(glob("test/kernels/*.c[ul]", 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        size_t size;
        char *text = file_read(a, g.gl_pathv[i], &size), *rest;
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            if (str_has_prefix(line, "// RUN ") && (all || count++ % FEW == 0)) run_one(g.gl_pathv[i],
                line + 7, m, &s);
    }
    globfree(&g);
    arena_free(a);
    fprintf(stderr, "%d launches, %d accesses compared, %d left out, %d wrong\n", s.launches, s.compared,
            s.left_out, s.wrong);
    assert_true(s.compared > (all ? 800 : 150));
    assert_int_equal(s.wrong, 0);
}

// ---- what to change ------------------------------------------------------------------------------
static void findings_say_what_to_change(void **state) {
    (void)state;
    static const struct { const char *file, *words, *finding, *cure; } rows[] = {
        {"notes.cu", "--kernel transpose_naive --grid 8,8 --block 32,8 --arg width=256 --arg height=256",
         "store out", "hand a tile on through shared memory"},
        {"suite_irregular.cu", "--kernel fan1 --grid 1 --block 512 --arg size=256 --arg t=3", "load a_cuda",
         "transposed"},
        {"suite_grid.cu", "--kernel lud_diagonal --grid 1 --block 16 --arg matrix_dim=64 --arg offset=0",
         "shadow[tx][j]", "declare shadow[16][17]"},
        {"libraries.cu", "--kernel draws", "load states_d", "a struct of arrays"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Compile *c = compile_new();
        char *words[MAX_WORDS], *text = arena_strdup(c->arena, rows[i].words), *rest;
        int n = 0;
        for (char *w = strtok_r(text, " ", &rest); w &&
             n < MAX_WORDS; w = strtok_r(NULL, " ", &rest)) words[n++] = w;
        KernelWords o;
        const char *why = NULL;
        assert_true(front_kernel_words(c->arena, n, words, &o, &why));
        KernelNest *k = front_read_kernel(c, front_kernel_file(c,
            arena_printf(c->arena, "test/kernels/%s", rows[i].file), 0, NULL), &o.launch);
        const Machine *m = machine_find(c->arena, "H200", &why);
        assert_non_null(k);
        Findings f = model_findings(c->arena, k->nest, model_nest(c->arena, k->nest, 0, NULL, m), m);
        bool found = false;
        for (int j = 0; j < f.n; j++) found |= strstr(f.at[j].text, rows[i].finding) && f.at[j].cure &&
            strstr(f.at[j].cure, rows[i].cure);
        for (int j = 0; j < f.n && !found; j++) fprintf(stderr, "%s: %s\n    %s\n", rows[i].words,
                                                        f.at[j].text, f.at[j].cure ? f.at[j].cure : "");
        assert_true(found);
        compile_free(c);
    }
}

// A vector that is moved field by field is one request of its width; a record that nobody aligned is not.
static void vectors_are_one_request(void **state) {
    (void)state;
    Compile *c = compile_new();
    char *words[] = {"--kernel", "vectors", "--grid", "4", "--block", "64"};
    KernelWords o;
    const char *why = NULL;
    assert_true(front_kernel_words(c->arena, 6, words, &o, &why));
    KernelNest *k = front_read_kernel(c, front_kernel_file(c, "test/kernels/libraries.cu", 0, NULL),
                                      &o.launch);
    assert_non_null(k);
    KernelCost *cost = model_kernel(c->arena, k->nest, k->nest->root->kids[0], 0, NULL,
                                    machine_find(c->arena, "H200", &why));
    static const struct { const char *text; int width; double sectors; } want[] = {
        {"four[", 16, 16}, {"out[", 16, 16}, {"pair_a[", 4, 8}, {"pair_b[", 4, 8}, {"tied[", 8, 8},
        {"one_z[", 4, 16}};
    assert_int_equal(cost->naccesses, 6);
    for (int i = 0; i < 6; i++) {
        const AccessCost *a = NULL;
        for (int j = 0; j < 6; j++)
            if (str_has_prefix(cost->accesses[j]->text, want[i].text)) a = cost->accesses[j];
        if (!a) fail_msg("no access %s]", want[i].text);
        assert_int_equal(a->width, want[i].width);
        assert_true(fabs(a->sectors / a->requests - want[i].sectors) < 0.01);
    }
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_are_one_request),
                                       cmocka_unit_test(findings_say_what_to_change),
                                       cmocka_unit_test(figures_are_those_of_every_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
