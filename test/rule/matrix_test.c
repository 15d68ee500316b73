// SPDX-License-Identifier: MIT
// matrix_test.c -- what a warp's lanes hold for a matrix instruction, and what the instructions make of it:
// the sums of the loops, bit for bit
#include "follow.h"
#include "model/model.h"
#include <math.h>

#define PRODUCT(stmt, arrays)                                                                                \
    "sculpt 1 region f sculpt reassociate { param n: i32 = \"n\" " arrays                                    \
    " do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { "                                                     \
    "for k: i32 = 0 .. n { S0[i, j, k] } } } } stmt S0[i, j, k]: " stmt " }"
#define ARRAYS "array a[?][n]: f64 = \"a\" array b[?][n]: f64 = \"b\" array c[?][n]: f64 = \"c\" live"
#define TILE                                                                                                 \
    "define n multiple=32 least=64\nstrip j by=32 as=xb,x1\nstrip x1 by=16 as=xw,x2 edge=exact\n"            \
    "strip x2 by=8 as=xh,x3 edge=exact\nstrip x3 by=2 as=xl,xv edge=exact\nstrip i by=32 as=yb,y1\n"         \
    "strip y1 by=8 as=yh,yl edge=exact\nstrip k by=16 as=kt,kk\ninterchange yb xb kt xw yl xl kk yh xh xv\n" \
    "map block yb xb\nmap thread xw yl xl\nhoist c at=kt as=acc\nstage a at=kt as=a_s pad=4\n"               \
    "stage b at=kt as=b_s pad=4\n"

enum { LANES = 32, ROWS = 4, COLUMNS = 4, TERMS = 16, PARTS = 256 };

typedef struct Warp {
    const Matrix *kind;
    int nvals;
    InterpVal val[32];
    double rows[LANES][PARTS], columns[LANES][PARTS], sum[LANES][ROWS * COLUMNS];
    int instructions, loads;
} Warp;

static double held(char array, int64_t row, int64_t column) {
    return 1.0 / (array - 'a' + 3 + 7 * (double)row + (array == 'b' ? 2.5 : 11.0) * (double)column);
}

static void set(Warp *w, const char *name, int64_t to) {
    for (int i = 0; i < w->nvals; i++)
        if (str_eq(w->val[i].sym->name, name)) w->val[i].i = to;
}

static void note_counter(Node *n, void *arg) {
    Warp *w = arg;
    if (n->kind == N_FOR && w->nvals < 32) w->val[w->nvals++] = (InterpVal){.sym = n->iter};
}

static int64_t subscript(const Warp *w, const Expr *x) {
    int64_t v = -1;
    assert_true(ir_eval(x, w->nvals, w->val, &v));
    return v;
}

// The lane's place of such an element.
static double *place(Warp *w, int lane, const Array *array, Expr *const *sub) {
    set(w, "yl", lane / 4), set(w, "xl", lane % 4);
    int64_t last = subscript(w, sub[array->rank - 1]);
    if (array->place == PLACE_LOCAL)
        return &(str_eq(array->name, "sculpt_rows")
                     ? w->rows
                     : w->columns)[lane][subscript(w, sub[0]) * PARTS / 2 + last];
    assert_string_equal(array->name, "acc");
    int64_t yh = subscript(w, sub[array->rank - 3]), xh = subscript(w, sub[array->rank - 2]);
    return &w->sum[lane][yh * COLUMNS + 2 * xh + last];
}

static double read(Warp *w, int lane, const Expr *x) {
    set(w, "yl", lane / 4), set(w, "xl", lane % 4);
    if (x->kind == E_OP && x->op == OP_NEG) return -read(w, lane, x->args[0]);
    assert_int_equal(x->kind, E_LOAD);
    return held(*x->array->name, subscript(w, x->args[0]), subscript(w, x->args[1]));
}

// As the PTX manual has it: element i of A is row g + 8 * (i % 2), column t + 4 * (i / 2) of 16,
// of B row t + 4 * i, column g; of D row g + 8 * (i / 2), column 2 * t + i % 2.
static void multiply(Warp *w, const Node *n) {
    const Matrix *m = n->matrix;
    int sums = matrix_sums(m), high = m->m / 8, of_a = m->m * m->k / 32;
    double a[16][16], b[16][8], d[16][8];
    for (int l = 0; l < LANES; l++) {
        int g = l / 4, t = l % 4;
        for (int i = 0; i < sums; i++)
            d[g + 8 * (i / 2)][2 * t + i % 2] = *place(w, l, n->part[i]->array, n->part[i]->args);
        for (int i = 0; i < of_a; i++) {
            const Expr *x = n->part[sums + i];
            a[g + 8 * (i % high)][t + 4 * (i / high)] = *place(w, l, x->array, x->args);
        }
        for (int i = 0; i < m->k / 4; i++) {
            const Expr *x = n->part[sums + of_a + i];
            b[t + 4 * i][g] = *place(w, l, x->array, x->args);
        }
    }
    for (int r = 0; r < m->m; r++)
        for (int c = 0; c < 8; c++)
            for (int k = 0; k < m->k; k++) d[r][c] = fma(a[r][k], b[k][c], d[r][c]);
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < sums; i++)
            *place(w, l, n->part[i]->array, n->part[i]->args) = d[l / 4 + 8 * (i / 2)][2 * (l % 4) + i % 2];
    w->instructions++;
}

static void run(Node *n, void *arg) {
    Warp *w = arg;
    bool load = n->kind == N_COPY && n->dst && n->dst->place == PLACE_LOCAL;
    for (int l = 0; load && l < LANES; l++) *place(w, l, n->dst, n->sub) = read(w, l, n->src);
    w->loads += load;
    if (n->kind == N_COPY && n->matrix) multiply(w, n);
}

static Node *kernel_of(Node *root) {
    while (root->kind != N_KERNEL) root = root->kind == N_SEQ ? root->kids[0] : root->body;
    return root;
}

static Nest *tiled(Compile *c, const char *text, const char *by) {
    Nest *n = follow(c, start_of(c, text), arena_printf(c->arena, TILE "matrix kk by=%s\n", by), JUDGE_NONE);
    if (!n) fail_msg("%s", last_diag(c));
    return n;
}

static const char *const names[] = {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"};

static void layouts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int minus = 0; minus < 2; minus++) {
            Compile *c = compile_new();
            Nest *n = tiled(c,
                            minus ? PRODUCT("c[i][j] += -a[i][k] * b[k][j] fused", ARRAYS)
                                  : PRODUCT("c[i][j] += b[k][j] * a[i][k] fused", ARRAYS),
                            names[i]);
            assert_int_equal(dep_judge(c, n->region, n->root).answer, ANSWER_WHEN);
            Warp w = {.kind = matrix_named(names[i])};
            node_walk(n->root, note_counter, &w);
            set(&w, "xw", 1);
            node_walk(matrix_bound(c->arena, true, kernel_of(n->root)), run, &w);
            assert_int_equal(w.instructions, ROWS * 8 * COLUMNS * 4 * TERMS / (w.kind->m * 8 * w.kind->k));
            assert_int_equal(w.loads, TERMS / 4 * (ROWS + COLUMNS / 2)); // each element once
            for (int l = 0; l < LANES; l++)
                for (int r = 0; r < ROWS; r++)
                    for (int x = 0; x < COLUMNS; x++) {
                        double s = 0;
                        int64_t row = 8 * r + l / 4, column = 16 + 8 * (x / 2) + 2 * (l % 4) + x % 2;
                        for (int k = 0; k < TERMS; k++)
                            s = fma((minus ? -1 : 1) * held('a', row, k), held('b', k, column), s);
                        if (s != w.sum[l][r * COLUMNS + x])
                            fail_msg("%s: lane %d, row %d, column %d", names[i], l, r, x);
                    }
            compile_free(c);
        }
}

// A sum of two products: of each instruction's terms first those of the last one, and a factor of both is
// read once.
static void several(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n = tiled(c,
                    PRODUCT("c[i][j] += fma(a[i][k], b[k][j], -(d[i][k] * b[k][j]))",
                            ARRAYS " array d[?][n]: f64 = \"d\""),
                    "m16n8k8");
    Warp w = {.kind = matrix_named("m16n8k8")};
    node_walk(n->root, note_counter, &w);
    node_walk(matrix_bound(c->arena, false, kernel_of(n->root)), run, &w);
    assert_int_equal(w.instructions, 0);
    node_walk(matrix_bound(c->arena, true, kernel_of(n->root)), run, &w);
    assert_int_equal(w.instructions, 2 * ROWS / 2 * COLUMNS / 2 * TERMS / 8);
    assert_int_equal(w.loads, TERMS / 4 * (2 * ROWS + COLUMNS / 2));
    for (int l = 0; l < LANES; l++)
        for (int r = 0; r < ROWS; r++)
            for (int x = 0; x < COLUMNS; x++) {
                double s = 0;
                int64_t row = 8 * r + l / 4, column = 8 * (x / 2) + 2 * (l % 4) + x % 2;
                for (int k = 0; k < 2 * TERMS; k++) {
                    int at = k / 16 * 8 + k % 8;
                    s = fma(k % 16 < 8 ? -held('d', row, at) : held('a', row, at), held('b', at, column), s);
                }
                if (s != w.sum[l][r * COLUMNS + x]) fail_msg("lane %d, row %d, column %d", l, r, x);
            }
    compile_free(c);
}

static void refused(void **state) {
    (void)state;
    static const char *const others[][3] = {
        {PRODUCT("c[i][j] += a[i][k] * b[k][j]", ARRAYS), "kk", "rounded with its sum"},
        {PRODUCT("c[i][j] max= a[i][k] * b[k][j]", ARRAYS), "kk", "no sum of products"},
        {PRODUCT("c[i][j] += a[i][k] * b[k][j] fused",
                 "array a[?][n]: f32 = \"a\" array b[?][n]: f32 = \"b\" array c[?][n]: f32 = \"c\" live"),
         "kk", "another type"},
        {PRODUCT("c[i][j] += a[i][k] * b[k][j] fused", ARRAYS), "yh", "no multiple"},
        {PRODUCT("c[i][j] += a[i][k] * b[k][j] fused", ARRAYS), "kt", "8 and 4"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, others[i][0]), TILE, JUDGE_NONE);
        const char *why = "";
        if (!n) fail_msg("%s", last_diag(c));
        const Step *s = step_parse(c, (Loc){0}, arena_printf(c->arena, "matrix %s", others[i][1]));
        if (rule_try(c, n, s, &why)) fail_msg("%d: it fits", (int)i);
        if (!strstr(why, others[i][2])) fail_msg("%d: %s", (int)i, why);
        compile_free(c);
    }
}

// A machine that has the instructions takes less time for them; to another they are the loops.
static void prices(void **state) {
    (void)state;
    static const struct {
        const char *machine;
        double least, most;
    } rows[] = {{"H200", 0.1, 0.5}, {"V100", 1, 1}};
    for (size_t i = 0; i < 2; i++) {
        Compile *c = compile_new();
        const char *why;
        const Machine *m = machine_find(c->arena, rows[i].machine, &why);
        Nest *with = tiled(c, PRODUCT("c[i][j] += a[i][k] * b[k][j] fused", ARRAYS), "m16n8k8"),
             *without = follow(c, start_of(c, PRODUCT("c[i][j] += a[i][k] * b[k][j] fused", ARRAYS)), TILE,
                               JUDGE_NONE);
        InterpVal v[2] = {{.sym = with->region->params[0], .i = 2048},
                          {.sym = without->region->params[0], .i = 2048}};
        double x = model_price(model_priced(c->arena, with, m), 1, &v[0]).seconds,
               y = model_price(model_priced(c->arena, without, m), 1, &v[1]).seconds;
        if (x < rows[i].least * y || x > rows[i].most * y) fail_msg("%s: %g of %g", rows[i].machine, x, y);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(several),
        cmocka_unit_test(refused),
        cmocka_unit_test(prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
