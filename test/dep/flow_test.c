// SPDX-License-Identifier: MIT
// flow_test.c -- right trees of fast kernels are accepted; wrong ones refused, or allowed for
// just the sizes for which they are right, as the interpreter confirms
#include "running.h"

static const char *words(const Verdict *v) {
    static const char *const answers[] = {"always", "when", "never", "unknown"};
    return answers[v->answer];
}

// The answer to a text, and what it says.
static void judge(const char *text, Answer expected, const char *when, const char *why, const char *name) {
    Compile *c = compile_new();
    IrFile *f = read_nest(c, text);
    double start = time_now();
    Verdict v = dep_judge(c, f->region, f->nests[0]->root);
    double took = time_now() - start;
    const char *cond = v.when ? ir_print_expr(c->arena, v.when) : "";
    print_message("%-32s %6.1f ms  %s %s%s%s\n", name, took * 1e3, words(&v),
                  replace(c->arena, cond, "i64", ""),
                  v.why && v.answer ? ": " : "", v.why && v.answer ? v.why : "");
    confirm(c, f->region, f->nests[0]->root, &v, name);
    if (v.answer != expected) fail_msg("%s: %s, not %s", name, words(&v), words(&(Verdict){expected}));
    if (when && strcmp(replace(c->arena, cond, "i64", ""), when) != 0) fail_msg("%s: when %s, not %s", name,
        cond, when);
    if (why && (!v.why || !strstr(v.why, why))) fail_msg("%s: not '%s'", name, why);
    compile_free(c);
}

// ---- the product -----------------------------------------------------------------------------------
typedef struct Mutant {
    const char *name, *from, *to;
    Answer answer;
    const char *when, *why;
} Mutant;

#define BUSY "(n) >= 1 && (p) >= 1 && (m) >= 1"
#define STORE_GUARD "if (128 * jb + 8 * (8 * wj + lj) + tj < m && 128 * ib + 8 * (4 * wi + li) + ti < n) "

static const Mutant gemm_mutants[] = {
    {"right", "", "", ANSWER_WHEN, BUSY, NULL},
    {"no guard at the stores", STORE_GUARD, "", ANSWER_WHEN,
     BUSY " && fmod((n), 128) == 0 && fmod((m), 128) == 0", "goes beyond the array"},
    {"half a guard", "tj < m && 128 * ib + 8 * (4 * wi + li) + ti < n", "tj < m", ANSWER_WHEN,
     BUSY " && fmod((n), 128) == 0", "(writes a["},
    {"reads not redirected", "min(128 * ib + xi, n - 1)", "128 * ib + xi", ANSWER_WHEN,
     BUSY " && fmod((n), 128) == 0", "(reads b["},
    {"redirected one too far", "min(128 * ib + xi, n - 1)", "min(128 * ib + xi, n)", ANSWER_WHEN, NULL,
     "(reads b["},
    {"redirected one too early", "min(128 * ib + xi, n - 1)", "min(128 * ib + xi, n - 2)", ANSWER_NEVER, NULL,
     NULL},
    {"footprint one short", "xi: i32 = 0 .. 128 coop", "xi: i32 = 0 .. 127 coop", ANSWER_WHEN,
     "(n) >= 1 && (n) <= 127 && (p) >= 1 && (m) >= 1", "needs what nothing has written"},
    {"strip one short", "xk: i32 = 0 .. 16 coop", "xk: i32 = 0 .. 15 coop", ANSWER_WHEN, NULL,
     "needs what nothing has written"},
    {"stale stage", "sb[fmod(kt, 3)]", "sb[fmod(kt + 2, 3)]", ANSWER_WHEN, NULL,
     "S0 (reads b[k][i]) sees another"},
    {"stage that comes later", "sb[fmod(kt, 3)]", "sb[fmod(kt + 1, 3)]", ANSWER_WHEN, NULL,
     "sees another element or instance of b"},
    {"one copy less in flight", "kt + 3 - 1 < fdiv", "kt + 3 < fdiv", ANSWER_WHEN, NULL, NULL},
    {"prologue one short", "t: i32 = 0 .. 3 - 1", "t: i32 = 0 .. 1", ANSWER_WHEN, NULL, NULL},
    {"no prologue", "t: i32 = 0 .. 3 - 1", "t: i32 = 0 .. 0", ANSWER_WHEN, NULL,
     "needs what nothing has written"},
    {"tail lost", "p - 16 * fdiv(p, 16)", "0", ANSWER_WHEN, BUSY " && fmod((p), 16) == 0",
     "lacks updates by S0"},
    {"tail one short", "p - 16 * fdiv(p, 16)", "p - 16 * fdiv(p, 16) - 1", ANSWER_WHEN, NULL,
     "lacks updates by S0"},
    {"tail of whole strips", "p - 16 * fdiv(p, 16)", "16", ANSWER_NEVER, NULL, "the loops do not have"},
    {"a strip twice", "kt: i32 = 0 .. fdiv(p, 16)", "kt: i32 = 0 .. fdiv(p, 16) + 1", ANSWER_NEVER, NULL,
     NULL},
    {"accumulators from zero",
     "[ti] = a[min(128 * jb + 8 * (8 * wj + lj) + tj, m - 1)][min(128 * ib + 8 * (4 * wi + li) + ti, n - 1)]",
     "[ti] = 0.0f32", ANSWER_NEVER, NULL, "the number 0"},
    {"accumulators of a neighbour", "copy acc[wj][wi][lj][li][tj][ti] = a",
     "copy acc[wj][wi][lj][li][ti][tj] = a", ANSWER_WHEN, NULL, NULL},
    {"rows crossed at the stores", "copy a[128 * jb + 8 * (8 * wj + lj) + tj]",
     "copy a[128 * jb + 8 * (8 * wj + lj) + 7 - tj]", ANSWER_NEVER, NULL, NULL},
    {"operand shifted by one", "(t) + xk]", "(t) + xk + 1]", ANSWER_WHEN, NULL, NULL},
    {"fragment of a neighbour", "fb[ti] = sb[fmod(kt, 3)][kk][8 * (4 * wi + li) + ti]",
     "fb[ti] = sb[fmod(kt, 3)][kk][8 * (8 * wj + lj) + ti]",
     ANSWER_WHEN, NULL, NULL},
    {"copies overlap", "copy sb[t][xk][xi]", "copy sb[t][xk][0 * xi]", ANSWER_WHEN, NULL, NULL},
    {"blocks overlap", "fdiv(n + 128 - 1, 128) block", "fdiv(n + 128 - 1, 128) + 1 block", ANSWER_NEVER, NULL,
     NULL},
};

static void products(void **state) {
    (void)state;
    Arena *a = arena_new();
    char *text = gemm_text(a, &gemm_full);
    for (size_t k = 0; k < sizeof gemm_mutants / sizeof *gemm_mutants; k++) {
        const Mutant *m = &gemm_mutants[k];
        if (!strstr(text, m->from)) fail_msg("%s: nothing to change", m->name);
        judge(*m->from ? replace(a, text, m->from, m->to) : text, m->answer, m->when, m->why, m->name);
    }
    Gemm g = gemm_small;
    for (g.stages = 1; g.stages <= 4; g.stages++) judge(gemm_text(a, &g), ANSWER_WHEN, BUSY, NULL,
                                                        "right, small tiles");
    arena_free(a);
}

// A last strip filled with zeros, all of it computed: ghosts that add nothing.
static void zero_fill(void **state) {
    (void)state;
    Arena *a = arena_new();
    Gemm g = gemm_full;
    g.stages = 1;
    char *text = replace(a, gemm_text(a, &g), "p - 16 * fdiv(p, 16)", "16");
    const char *b = "if (16 * fdiv(p, 16) + xk < p)   "
                    "copy sb[0][xk][xi] = b[16 * fdiv(p, 16) + xk][min(128 * ib + xi, n - 1)]";
    const char *c = "if (16 * fdiv(p, 16) + xk < p)   "
                    "copy sc[0][xk][xj] = c[min(128 * jb + xj, m - 1)][16 * fdiv(p, 16) + xk]";
    assert_non_null(strstr(text, b));
    assert_non_null(strstr(text, c));
    char *one = replace(a, text, b, arena_printf(a, "%s else copy sb[0][xk][xi] = 0.0f32", b));
    char *both = replace(a, one, c, arena_printf(a, "%s else copy sc[0][xk][xj] = 0.0f32", c));
    judge(both, ANSWER_WHEN, BUSY, NULL, "zeros in both operands");
    judge(one, ANSWER_NEVER, NULL, "the loops do not have", "zeros in one alone");
    arena_free(a);
}

// Strips through registers, fragments read ahead.
static void ahead(void **state) {
    (void)state;
    Arena *a = arena_new();
    char *text = gemm_ahead_text(a);
    judge(text, ANSWER_ALWAYS, NULL, NULL, "ahead");
    judge(replace(a, text, "(kt + 1) + xk]", "kt + xk]"), ANSWER_WHEN, "(p) == 2", NULL,
          "ahead: the same strip again");
    judge(replace(a, text, "if (kt + 1 < fdiv(p, 2)) copy rb", "if (kt + 2 < fdiv(p, 2)) copy rb"),
          ANSWER_WHEN, NULL, NULL, "ahead: one strip less");
    judge(replace(a, text, "fb[fmod((kk + 1), 2)]", "fb[fmod(kk, 2)]"), ANSWER_NEVER, NULL, NULL,
          "ahead: fragment overwritten");
    judge(replace(a, text, "if (4 * jb + wj < m) S0", "S0"), ANSWER_WHEN, NULL, "goes beyond the array",
          "ahead: c not redirected");
    judge(replace(a, text,
                  "copy acc[wj][wi][ti] = a[min(4 * jb + wj, m - 1)][min(4 * ib + 2 * wi + ti, n - 1)]",
                  "copy acc[wj][wi][ti] = 0.0f32"), ANSWER_NEVER, NULL, NULL, "ahead: from zero");
    char *zero = replace(a,
                         replace(a, replace(a, text,
                                            "copy acc[wj][wi][ti] = a[min(4 * jb + wj, m - 1)][min(4 * ib + "
                                            "2 * wi + ti, n - 1)]",
                                    "copy acc[wj][wi][ti] = 0.0f32"), "ti] = acc", "ti] += acc"), "gemm auto",
                                    "gemm auto reassociate");
    judge(zero, ANSWER_ALWAYS, NULL, NULL, "ahead: from zero, then added");
    judge(replace(a, zero, " reassociate", ""), ANSWER_NEVER, NULL, "permission",
          "ahead: without permission");
    arena_free(a);
}

// ---- stencils ------------------------------------------------------------------------------------------
static const Mutant jacobi_mutants[] = {
    {"right", "", "", ANSWER_ALWAYS, NULL, NULL},
    {"halo one short", "y: i32 = 0 .. 34 coop", "y: i32 = 0 .. 33 coop", ANSWER_WHEN, NULL,
     "needs what nothing has written"},
    {"halo one short, other side", "x: i32 = 0 .. 10 coop", "x: i32 = 1 .. 10 coop", ANSWER_NEVER, NULL,
     "needs what nothing has written"},
    {"shifted", "s[ti + 1][tj + 2])", "s[ti + 1][tj + 1])", ANSWER_NEVER, NULL, "reads u[i][j + 1]"},
    {"no guard at the copy", "if (8 * ib + x < n && 32 * jb + y < n) ", "", ANSWER_WHEN, NULL,
     "goes beyond the array"},
    {"one row too many", "8 * ib + 1 + ti < n - 1 && ", "8 * ib + 1 + ti < n && ", ANSWER_WHEN, NULL, NULL},
};

static void stencils(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t k = 0; k < sizeof jacobi_mutants / sizeof *jacobi_mutants; k++) {
        const Mutant *m = &jacobi_mutants[k];
        judge(*m->from ? replace(a, JACOBI_NEST, m->from, m->to) : JACOBI_NEST, m->answer, m->when, m->why,
              m->name);
    }
    arena_free(a);
}

// ---- tiles that are read and written ---------------------------------------------------------------------
static const Mutant wave_mutants[] = {
    {"right", "", "", ANSWER_ALWAYS, NULL, NULL},
    {"with the corners", "(y >= 1 || x >= 1 && x < 5) && ", "", ANSWER_WHEN, NULL, "different blocks meet"},
    {"points with their corners", "if (f >= 1 || e >= 1 && e < 3) ", "", ANSWER_NEVER, NULL,
     "different threads meet"},
    {"a row of the halo lacks", "x: i32 = 0 .. 6 coop", "x: i32 = 0 .. 5 coop", ANSWER_WHEN, NULL,
     "needs what nothing has written"},
    {"a row does not go back", "c: i32 = 0 .. 4 coop", "c: i32 = 0 .. 3 coop", ANSWER_WHEN, NULL, NULL},
    {"the halo goes back, too", "d: i32 = 0 .. 4 coop", "d: i32 = -1 .. 4 coop", ANSWER_WHEN, NULL, NULL},
    {"points do not go back", "h: i32 = 0 .. 2", "h: i32 = 0 .. 1", ANSWER_WHEN, NULL, NULL},
    {"back to another row", "copy u[4 * b + 1 + c]", "copy u[4 * b + 4 - c]", ANSWER_NEVER, NULL, NULL},
    {"back to another point", "copy s[2 * p + 1 + g]", "copy s[2 * p + 2 - g]", ANSWER_NEVER, NULL, NULL},
    {"waves of points too early", "q: i32 = 0 .. 3 for", "q: i32 = 0 .. 2 for", ANSWER_WHEN, NULL, NULL},
    {"waves of points at once", "q >= p && q < p + 2", "q >= 0 && q < 2", ANSWER_NEVER, NULL, NULL},
};

static void tiles(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t k = 0; k < sizeof wave_mutants / sizeof *wave_mutants; k++) {
        const Mutant *m = &wave_mutants[k];
        if (!strstr(WAVE_NEST, m->from)) fail_msg("%s: nothing to change", m->name);
        judge(*m->from ? replace(a, WAVE_NEST, m->from, m->to) : WAVE_NEST, m->answer, m->when, m->why,
              m->name);
    }
    arena_free(a);
}

// ---- whole tiles -----------------------------------------------------------------------------------------
static const Mutant whole_mutants[] = {
    {"right", "", "", ANSWER_ALWAYS, NULL, NULL},
    {"fewer are whole", "4 * b + 3 < n)", "4 * b + 5 < n)", ANSWER_ALWAYS, NULL, NULL},
    {"the border too", "4 * b >= 1", "4 * b >= 0", ANSWER_WHEN, NULL, NULL},
    {"one that ends early", "4 * b + 3 < n)", "4 * b + 2 < n)", ANSWER_WHEN, NULL, NULL},
    {"all that begin", "4 * b + 3 < n)", "4 * b < n)", ANSWER_WHEN, NULL, NULL},
    {"another neighbour", "s[t + 1]", "s[t]", ANSWER_WHEN, NULL, NULL},
    {"what does not come in", "c: i32 = 0 .. 5 coop", "c: i32 = 0 .. 4 coop", ANSWER_WHEN, NULL, NULL},
    {"points twice", "S1[4 * b + t]", "S1[4 * b + fdiv(t, 2)]", ANSWER_WHEN, NULL, NULL},
    {"the other body asks less", "thread if (4 * b + u < n)", "thread if (4 * b + u <= n)", ANSWER_WHEN,
     NULL, NULL},
};

static void whole_tiles(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t k = 0; k < sizeof whole_mutants / sizeof *whole_mutants; k++) {
        const Mutant *m = &whole_mutants[k];
        if (!strstr(WHOLE_NEST, m->from)) fail_msg("%s: nothing to change", m->name);
        judge(*m->from ? replace(a, WHOLE_NEST, m->from, m->to) : WHOLE_NEST, m->answer, m->when, m->why,
              m->name);
    }
    arena_free(a);
}

// ---- sums ------------------------------------------------------------------------------------------------
static void sums(void **state) {
    (void)state;
    Arena *a = arena_new();
    char *tree = replace(a, SUM_NEST("reassociate"), "copy part[b] = t[0] + t[1]",
                         "{ copy part[b] = 0.0f32 copy part[b] += t[0] copy part[b] += t[1] }");
    judge(tree, ANSWER_ALWAYS, NULL, NULL, "sum: tree");
    judge(replace(a, tree, "reassociate", ""), ANSWER_NEVER, NULL, "permission", "sum: no permission");
    judge(replace(a, tree, "t[q + 4]", "t[q + 3]"), ANSWER_NEVER, NULL, NULL, "sum: wrong partner");
    judge(replace(a, tree, "copy t[q] = 0.0f32", ""), ANSWER_NEVER, NULL, NULL, "sum: begun with anything");
    judge(replace(a, tree, "copy t[q] = 0.0f32", "copy t[q] = 1.0f32"), ANSWER_NEVER, NULL, "zero",
          "sum: begun with one");
    judge(replace(a, tree, "for q: i32 = 0 .. 2 thread copy t[q] += t[q + 2] ", ""), ANSWER_WHEN, NULL,
          "lacks updates", "sum: a level lost");
    judge(replace(a, tree, "0 .. 4 copy s[0] += part[b]", "0 .. 3 copy s[0] += part[b]"), ANSWER_WHEN, NULL,
          "lacks updates", "sum: a block lost");
    judge(replace(a, tree, "for b: i32 = 0 .. 4 copy", "for u: i32 = 0 .. 2 for b: i32 = 0 .. 4 copy"),
          ANSWER_NEVER, NULL, "twice", "sum: added twice");
    arena_free(a);
}

// The sum meets memory in a register: memory is added to it, then it is written.
static void epilogues(void **state) {
    (void)state;
    Arena *a = arena_new();
    char *tree = replace(a, SUM_NEST("reassociate"), "copy part[b] = t[0] + t[1]",
                         "{ copy part[b] = 0.0f32 copy part[b] += t[0] copy part[b] += t[1] }");
    tree = replace(a, tree, "for b: i32 = 0 .. 4 copy s[0] += part[b]",
                   "{ for b: i32 = 1 .. 4 copy part[0] += part[b] copy part[0] += s[0] "
                   "copy s[0] = part[0] }");
    judge(tree, ANSWER_ALWAYS, NULL, NULL, "epilogue");
    judge(replace(a, tree, "reassociate", ""), ANSWER_NEVER, NULL, "permission", "epilogue: no permission");
    judge(replace(a, tree, "copy part[0] += s[0]", ""), ANSWER_NEVER, NULL, NULL,
          "epilogue: what was there is lost");
    judge(replace(a, tree, "copy part[0] += s[0]", "copy part[0] += s[0] copy part[0] += s[0]"), ANSWER_NEVER,
          NULL, "zero", "epilogue: what was there counts twice");
    judge(replace(a, tree, "copy s[0] = part[0]", "copy s[0] += part[0]"), ANSWER_NEVER, NULL, NULL,
          "epilogue: added again");
    judge(replace(a, tree, "copy part[b] = 0.0f32", "copy part[b] = 1.0f32"), ANSWER_NEVER, NULL, NULL,
          "epilogue: begun with one");
    arena_free(a);
}

static void slices(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = SPLIT_NEST("reassociate");
    judge(text, ANSWER_WHEN, "(p) >= 1 && (n) >= 1", NULL, "split k");
    judge(SPLIT_NEST(""), ANSWER_NEVER, NULL, "permission", "split k: no permission");
    judge(replace(a, text, "3 * k + z]", "3 * k]"), ANSWER_WHEN, "(p) == 1 && (n) >= 1", NULL,
          "split k: a slice thrice");
    judge(replace(a, text, "fdiv(p + 2 - z, 3)", "fdiv(p + 1 - z, 3)"), ANSWER_NEVER, NULL, "lacks updates",
          "split k: slices short");
    judge(replace(a, text, "via (part[z]", "via (part[0]"), ANSWER_WHEN, "(p) == 1 && (n) >= 1", NULL,
          "split k: one buffer");
    judge(replace(a, text, "copy part[z]", "copy part[0]"), ANSWER_NEVER, NULL, NULL, "split k: blocks meet");
    arena_free(a);
}

// Threads that all add what one of them summed up: atomic updates meet in no race, and still count twice.
static void shared_sums(void **state) {
    (void)state;
    static const char text[] =
        "sculpt 1 region f_1 @\"f.c\":1:1 sculpt { param n: i32 = \"n\" param m: i32 = \"m\" "
        "array y[n]: i32 = \"y\" live array v[n][m]: i32 = \"v\" "
        "do { for i: i32 = 0 .. n for k: i32 = 0 .. m S0[i, k] } stmt S0[i, k]: y[i] += v[i][k] } "
        "nest \"gpu\" { when 1 foot y[0 to n - 1] in out exact foot v[0 to n - 1][0 to m - 1] in "
        "do { for i: i32 = 0 .. n { kernel k0 { for b: i32 = 0 .. 1 block { shared s[1]: i32 "
        "for z: i32 = 0 .. 1 thread copy s[0] = 0 "
        "for w: i32 = 0 .. 1 thread for k: i32 = 0 .. m S0[i, k] via (s[0], -) "
        "for t: i32 = 0 .. 1 thread copy y[i] += s[0] atomic } } } } }";
    Arena *a = arena_new();
    judge(text, ANSWER_WHEN, NULL, NULL, "a shared sum, added by one thread");
    judge(replace(a, text, "t: i32 = 0 .. 1", "t: i32 = 0 .. 2"), ANSWER_NEVER, NULL, "counts twice",
          "a shared sum, added by two");
    arena_free(a);
}

// Among kernels that sizes choose, each is asked for its own sizes alone; rounds of blocks are as one.
static void choices(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = CHOICE_NEST;
    judge(text, ANSWER_ALWAYS, NULL, NULL, "choice");
    judge(replace(a, text, "p >= 2", "p >= 30"), ANSWER_ALWAYS, NULL, NULL, "choice: another limit");
    judge(replace(a, text, "if (4 * ic + t < n) {", "{"), ANSWER_WHEN, NULL, "goes beyond the array",
          "choice: no guard");
    judge(replace(a, text, "if (8 * jb + u < n)", ""), ANSWER_WHEN, NULL, NULL,
          "choice: no guard where another is chosen");
    judge(replace(a, text, "step 2 ", "step 3 "), ANSWER_WHEN, NULL, NULL, "choice: rounds too far apart");
    judge(replace(a, text, "acc[0] = x[4 * ic + t]", "acc[0] = x[4 * ib + t]"), ANSWER_WHEN, NULL, NULL,
          "choice: a round that takes the first's");
    judge(replace(a, text, "step 2 ", "step 1 "), ANSWER_WHEN, NULL, NULL, "choice: rounds that meet");
    judge(replace(a, text, "for ic: i32 = ib .. fdiv(n + 3, 4)", "for ic: i32 = ib .. fdiv(n + 3, 4) - 1"),
          ANSWER_WHEN, NULL, NULL, "choice: a round short");
    judge(replace(a, text, "fdiv(n + 7, 8)", "fdiv(n, 8)"), ANSWER_WHEN, NULL, NULL,
          "choice: the last block lost");
    judge(replace(a, text, "for i: i32 = 0 .. n for k: i32 = 0 .. p S0[i, k] } }",
                  "for i: i32 = 1 .. n for k: i32 = 0 .. p S0[i, k] } }"), ANSWER_WHEN, NULL, NULL,
          "choice: the last one wrong");
    arena_free(a);
}

static void refuse(const char *text, const char *name) {
    Compile *c = compile_new();
    IrFile *f = read_nest(c, text);
    Verdict v = dep_judge(c, f->region, f->nests[0]->root);
    confirm(c, f->region, f->nests[0]->root, &v, name);
    if (v.answer == ANSWER_ALWAYS) fail_msg("%s: allowed", name);
    compile_free(c);
}

// A condition that reads what the loops write, elsewhere than in the region.
static void truths(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = NEAREST_NEST, *nest = strstr(text, "temp s_x");
    const char *head = arena_strndup(a, text, (size_t)(nest - text));
    static const char *const wrong[][2] = {
        {"[r] < b)", "[r] <= b)"},
        {"[r] < b)", "[r] < s_x[8 * ib + u][0])"},
        {"if (s_x[8 * ib + u][r] < b)", "if (s_x[8 * ib + u][0] < b)"},
        {"if (s_x[8 * ib + u][r] < b)", "if (b < s_x[8 * ib + u][r])"},
        {"if (s_x[8 * ib + u][r] < b)", ""},
        {"via (-, s_x[8 * ib + u][r])", "via (-, s_x[8 * ib + u][0])"},
        {"S4[8 * ib + u, r] via (-, s_x[8 * ib + u][r]) S5[8 * ib + u, r]",
         "S5[8 * ib + u, r] S4[8 * ib + u, r] via (-, s_x[8 * ib + u][r])"},
        {"S5[8 * ib + u, r] }", "S5[8 * ib + u, 0] }"},
        {"S5[8 * ib + u, r] }", "}"},
        {"S5[8 * ib + u, r] } }", "} S5[8 * ib + u, r] }"},
        {"0 .. p { if", "1 .. p { if"},
        {"0 .. p { S2", "0 .. p - 1 { S2"},
        {"via (s_x[8 * jb + t][q], -) } }", "via (s_x[8 * jb + t][0], -) } }"},
        {"u < n)", "u < n - 1)"}};
    judge(text, ANSWER_ALWAYS, NULL, NULL, "truths");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *changed = replace(a, nest, wrong[i][0], wrong[i][1]);
        assert_true(strcmp(changed, nest) != 0);
        refuse(arena_printf(a, "%s%s", head, changed), wrong[i][1]);
    }
    // A condition that stays around what reads memory keeps it from that memory.
    judge(replace(a, text, "S5[i, k]: at = k", "S5[i, k]: at = i32(x[k])"), ANSWER_ALWAYS, NULL, NULL,
          "memory");
    arena_free(a);
}

// Whole blocks under a condition on what the loops write.
static void blocks(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = AGAIN_NEST, *nest = strstr(text, "temp s_x");
    const char *head = arena_strndup(a, text, (size_t)(nest - text));
    static const char *const wrong[][2] = {
        {"> 1.5f32 &&", ">= 1.5f32 &&"},
        {"s_x[8 * ib + u] > 1.5f32", "r_x[8 * ib + u] > 1.5f32"},
        {"if (s_x[8 * ib + u] > 1.5f32 && r_x[8 * ib + u] < s_x[8 * ib + u])", ""},
        {"S3[8 * ib + u] via (s_x[8 * ib + u], r_x[8 * ib + u])", ""},
        {"S3[8 * ib + u] via (s_x[8 * ib + u], r_x[8 * ib + u])",
         "S3[8 * ib + u] via (s_x[8 * ib + u], s_x[8 * ib + u])"},
        {"g: i32 = 0 .. p", "g: i32 = 1 .. p"},
        {"(v > 0.5f32)", "(v > 0.25f32)"},
        {"S5[8 * ib + u, g] S6", "S5[8 * ib + u, 0] S6"},
        {"S6[8 * ib + u, g] via (s_x[8 * ib + u], -)", "S6[8 * ib + u, g] via (s_x[8 * ib], -)"},
        {"S6[8 * ib + u, g] via (s_x[8 * ib + u], -)", "S6[8 * ib + u, g] via (r_x[8 * ib + u], -)"},
        {"S4[8 * ib + u, g] if (v > 0.5f32) S5[8 * ib + u, g]",
         "if (v > 0.5f32) S5[8 * ib + u, g] S4[8 * ib + u, g]"},
        {"0 .. p S2", "0 .. p - 1 S2"},
        {"S1[8 * jb + t] via (r_x[8 * jb + t], -)", ""},
        {"via (-, s_x[8 * ib + u]) }", "via (-, r_x[8 * ib + u]) }"},
        {"u < n)", "u < n - 1)"}};
    judge(text, ANSWER_ALWAYS, NULL, NULL, "again");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *changed = replace(a, nest, wrong[i][0], wrong[i][1]);
        assert_true(strcmp(changed, nest) != 0);
        refuse(arena_printf(a, "%s%s", head, changed), wrong[i][1]);
    }
    // What the block reads is written elsewhere, or it writes an array: it is no value of what goes in.
    refuse(replace(a, text, "S7[i]: y[i] = s", "S7[i]: m[i][0] = s"), "again: reads what is written");
    arena_free(a);
}

// What stands in the tree as it stands in the region is taken as one statement, its conditions untouched.
static void bodies(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = ALIKE_NEST, *nest = strstr(text, "kernel k0");
    const char *head = arena_strndup(a, text, (size_t)(nest - text));
    static const char *const wrong[][2] = {
        {"x[8 * ib + it] > 1.0f32", "x[8 * ib + it] >= 1.0f32"},
        {"t < 5.0f32", "t < 6.0f32"},
        {"S1[8 * ib + it, q] S2[8 * ib + it, q]", "S2[8 * ib + it, q] S1[8 * ib + it, q]"},
        {"0 .. p", "1 .. p"},
        {"it < n)", "it < n - 1)"},
        {"else if", "if"},
        {"S3[8 * ib + it]", "S3[it]"}};
    judge(text, ANSWER_ALWAYS, NULL, NULL, "alike");
    judge(replace(a, text, "w[i][k] = t", "w[0][k] = t"), ANSWER_UNKNOWN, NULL, NULL, "alike: threads meet");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(arena_printf(a, "%s%s", head, replace(a, nest, wrong[i][0], wrong[i][1])), wrong[i][1]);
    arena_free(a);
}

// What a nest's guard says is assumed, where it is plain: so nothing more is asked for, nor less.
#define MASK_NEST(when)                                                                                      \
    "sculpt 1 region mask auto { param n: i32 = \"n\" param m: u32 = \"m\" "                                 \
    "array x[n]: f32 = \"x\" live array y[n]: f32 = \"y\" live do { for i: i32 = 0 .. n S0[i] } "            \
    "stmt S0[i]: y[i & 7] = x[i] } nest \"gpu\" { when " when " do { kernel k0 "                             \
    "for ib: i32 = 0 .. fdiv(n + 3, 4) block for it: i32 = 0 .. 4 thread if (4 * ib + it < n) "              \
    "S0[4 * ib + it] } }"
static void guards(void **state) {
    (void)state;
    static const struct {
        const char *text;
        Answer answer;
    } cases[] = {{MASK_NEST("n <= 8 && n != 3"), ANSWER_ALWAYS},
                 {MASK_NEST("n <= 9"), ANSWER_WHEN},
                 {MASK_NEST("1"), ANSWER_WHEN},
                 {MASK_NEST("m - 9u32 >= 0u32 && n <= i32(m)"), ANSWER_WHEN},
                 {MASK_NEST("n > 8"), ANSWER_NEVER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile *c = compile_new();
        Verdict v = dep_judge_nest(c, read_nest(c, cases[i].text)->nests[0]);
        if (v.answer != cases[i].answer) fail_msg("guard %zu: %s", i, words(&v));
        compile_free(c);
    }
}

// Blocks in slices, whatever the number of slices is, are all of them; nothing else that looks like it is.
#define COUNT "max(2, min(5, i64(q)))"
#define BLOCKS "i64(fdiv(n + 3, 4))"
#define SLICED_NEST                                                                                          \
    "sculpt 1\nregion add auto {\nparam n: i32 = \"n\" param q: i32 = \"q\"\n"                               \
    "array x[n]: f32 = \"x\" live array y[n]: f32 = \"y\" live\n"                                            \
    "do { for i: i32 = 0 .. n S0[i] }\nstmt S0[i]: y[i] = x[i]\n}\n"                                         \
    "nest \"gpu\" { when 1 do { for s: i32 = 0 .. i32(" COUNT ") kernel k0\n"                                \
    "for ib: i32 = max(0, i32(fdiv(" BLOCKS " * i64(s), " COUNT "))) .. min(fdiv(n + 3, 4), "                \
    "i32(fdiv(" BLOCKS " * (i64(s) + 1), " COUNT "))) block\n"                                               \
    "for it: i32 = 0 .. 4 thread if (4 * ib + it < n) S0[4 * ib + it] } }\n"

static void parts(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = SLICED_NEST;
    judge(text, ANSWER_ALWAYS, NULL, NULL, "parts");
    judge(replace(a, text, "if (4 * ib + it < n)", ""), ANSWER_WHEN, "(n) >= 1 && fmod((n), 4) == 0", "S0",
          "parts: no guard");
    judge(replace(a, text, "max(2, ", "max(0, "), ANSWER_UNKNOWN, NULL, NULL, "parts: maybe no slice");
    judge(replace(a, text, "i64(s) + 1", "i64(s) + 2"), ANSWER_UNKNOWN, NULL, NULL, "parts: slices overlap");
    judge(replace(a, text, COUNT ") kernel", COUNT ") - 1 kernel"), ANSWER_UNKNOWN, NULL, NULL,
          "parts: the last one lost");
    judge(replace(a, text, "it < n)", "it < n - s)"), ANSWER_UNKNOWN, NULL, NULL,
          "parts: slices that differ");
    judge(replace(a, text, "S0[4 * ib + it]", "S0[4 * ib + it - s]"), ANSWER_UNKNOWN, NULL, NULL,
          "parts: another instance");
    arena_free(a);
}

// Stretches whose length is no number part the iterations.
#define EACH "max(fdiv(n + 3, 4), 0)"
#define STRETCH_NEST(permit)                                                                                \
    "sculpt 1\nregion sum auto " permit " {\nparam n: i32 = \"n\"\narray x[n]: f32 = \"x\" live "           \
    "array s[1]: f32 = \"s\" live\ndo { for i: i32 = 0 .. n S0[i] }\nstmt S0[i]: s[0] += x[i]\n}\n"         \
    "nest \"cpu\" { when 1 do { temp part[4]: f32\nkernel k0 for w: i32 = 0 .. 4 block { "                  \
    "local acc[1]: f32\n"                                                                                   \
    "copy acc[0] = 0.0f32\nfor i: i32 = " EACH " * w .. min(" EACH " * (w + 1), n) S0[i] via (acc[0], -)\n" \
    "copy part[w] = acc[0] }\nkernel k1 for k: i32 = 0 .. 4 copy s[0] += part[k] } }\n"

static void stretches(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = STRETCH_NEST("reassociate");
    judge(text, ANSWER_ALWAYS, NULL, NULL, "stretches");
    judge(STRETCH_NEST(""), ANSWER_NEVER, NULL, "permission", "stretches: no permission");
    judge(replace(a, text, "n + 3", "n + 2"), ANSWER_UNKNOWN, NULL, NULL, "stretches: too short");
    judge(replace(a, text, "w + 1", "w + 2"), ANSWER_UNKNOWN, NULL, NULL, "stretches: overlapping");
    judge(replace(a, text, "0 .. 4 block", "0 .. 3 block"), ANSWER_UNKNOWN, NULL, NULL,
          "stretches: the last one lost");
    judge(replace(a, text, "S0[i] via", "S0[n - 1 - i] via"), ANSWER_UNKNOWN, NULL, NULL,
          "stretches: of other instances");
    judge(replace(a, text, "k: i32 = 0 .. 4", "k: i32 = 0 .. 3"), ANSWER_NEVER, NULL, "lacks updates",
          "stretches: one sum lost");
    judge(replace(a, text, "part[k]", "part[0]"), ANSWER_NEVER, NULL, NULL, "stretches: one sum for all");
    judge(replace(a, text, "copy part[w] =", "copy part[0] ="), ANSWER_NEVER, NULL, NULL,
          "stretches: on one word");
    judge(replace(a, text, "copy part[w]", "if (w < 3) copy part[w]"), ANSWER_NEVER, NULL, NULL,
          "stretches: one not kept");
    judge(replace(a, text, "S0[i] via (acc[0], -)", "{ S0[i] via (acc[0], -) S0[i] via (acc[0], -) }"),
          ANSWER_NEVER, NULL, NULL, "stretches: twice");
    arena_free(a);
}

// Where x % m lies is known.
#define REMAINDER_NEST                                                                                       \
    "sculpt 1\nregion rest auto {\nparam n: i32 = \"n\" param m: i32 = \"m\"\narray w[m]: f32 = \"w\" live " \
    "array y[n]: f32 = \"y\" live\ndo { for j: i32 = 0 .. m S0[j] for i: i32 = 0 .. n S1[i] }\n"             \
    "stmt S0[j]: w[j] = f32(j)\nstmt S1[i]: y[i] = w[i % m]\n}\n"                                            \
    "nest \"gpu\" { when 1 do { temp t[m]: f32 of w\nkernel k0 for j: i32 = 0 .. m block S0[j] via (t)\n"    \
    "kernel k1 for i: i32 = 0 .. n block S1[i] via (-, t)\nkernel k2 for e: i32 = 0 .. m block "             \
    "copy w[e] = t[e] } }\n"

static void remainders(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = REMAINDER_NEST;
    judge(text, ANSWER_WHEN, "(m) >= 1", NULL, "remainder");
    judge(replace(a, text, "temp t[m]", "temp t[m - 1]"), ANSWER_NEVER, NULL, "goes beyond the array",
          "remainder: no room");
    judge(replace(a, text, "0 .. m block S0", "1 .. m block S0"), ANSWER_NEVER, NULL, NULL,
          "remainder: the first not there");
    judge(replace(a, text, "0 .. m block S0", "0 .. m - 1 block S0"), ANSWER_NEVER, NULL, NULL,
          "remainder: nor the last");
    arena_free(a);
}

// A word that is updated, read and begun anew holds each term once.
static void chunks(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *text = CHUNK_NEST("reassociate");
    judge(text, ANSWER_WHEN, "(p) >= 1 && (n) >= 1", NULL, "chunks");
    judge(CHUNK_NEST(""), ANSWER_NEVER, NULL, "permission", "chunks: no permission");
    judge(replace(a, text, "thread copy acc[t3] = 0.0f32", "thread copy acc[t3] += 0.0f32"), ANSWER_UNKNOWN,
          NULL, "computes", "chunks: added nothing");
    judge(replace(a, text, "for t3: i32 = 0 .. 8 thread copy acc[t3] = 0.0f32", ""), ANSWER_WHEN, NULL,
          "twice", "chunks: not begun anew");
    judge(replace(a, text, "thread copy acc[t3]", "thread if (t3 < 7) copy acc[t3]"), ANSWER_WHEN, NULL,
          "twice", "chunks: one not begun anew");
    judge(replace(a, text, "copy sum[t2] += acc[t2]", "copy sum[t2] = acc[t2]"), ANSWER_WHEN, NULL,
          "lacks updates", "chunks: the last alone");
    judge(replace(a, text, "copy acc[t3] = 0.0f32", "copy acc[t3] = 1.0f32"), ANSWER_WHEN, NULL, "zero",
          "chunks: begun with one");
    judge(replace(a, text, "copy acc[t5] += sum[t5]", "copy acc[t5] += sum[7 - t5]"), ANSWER_WHEN, NULL, NULL,
          "chunks: another thread's");
    judge(replace(a, text, "for t5: i32", "for u: i32 = 0 .. 2 for t5: i32"), ANSWER_WHEN, NULL, "twice",
          "chunks: added twice");
    arena_free(a);
}

// Two operators on one element.
static void scaled(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *kept = SCALE_KEPT(""), *added = SCALE_ADDED("reassociate");
    judge(kept, ANSWER_ALWAYS, NULL, NULL, "scaled: kept");
    judge(added, ANSWER_ALWAYS, NULL, NULL, "scaled: added");
    judge(SCALE_ADDED(""), ANSWER_NEVER, NULL, "permission", "scaled: added without permission");
    judge(replace(a, kept, "S0[i] via (acc)", "S0[i]"), ANSWER_NEVER, NULL, NULL, "scaled: in memory alone");
    judge(replace(a, kept, "copy acc = c[i] S0[i] via (acc)", "S0[i] copy acc = c[i]"), ANSWER_ALWAYS, NULL,
          NULL, "scaled: before it is kept");
    judge(replace(a, kept, "copy acc = c[i]", "copy acc = 1.0f32"), ANSWER_NEVER, NULL, NULL,
          "scaled: begun with one");
    judge(replace(a, kept, "S0[i] via (acc)", "S0[i] via (acc) S0[i] via (acc)"), ANSWER_NEVER, NULL, NULL,
          "scaled: twice");
    judge(replace(a, kept, "S0[i] via (acc) ", ""), ANSWER_NEVER, NULL, NULL, "scaled: not at all");
    judge(replace(a, kept, "for k: i32 = 0 .. p S1[i, k] via (acc, -)",
                  "for k: i32 = 0 .. p { S1[i, k] via (acc, -) }"), ANSWER_ALWAYS, NULL, NULL,
    "scaled: in braces");
    judge(replace(a, replace(a, kept, "S0[i] via (acc) ", ""), "(acc, -) ", "(acc, -) S0[i] via (acc) "),
          ANSWER_WHEN, NULL, "do not belong", "scaled: the sum too");
    judge(replace(a, added, "copy c[i] += acc", "copy c[i] = acc"), ANSWER_NEVER, NULL, NULL,
          "scaled: overwritten");
    judge(replace(a, added, "copy c[i] += acc", "copy c[i] *= acc"), ANSWER_NEVER, NULL, "one",
          "scaled: multiplied by the sum");
    judge(replace(a, added, "kernel k1 for i: i32 = 0 .. n block S0[i]",
                  "kernel k1 for i: i32 = 0 .. n - 1 block S0[i]"), ANSWER_NEVER, NULL, NULL,
    "scaled: all but one");
    arena_free(a);
}

// What partial results of integers begin with; x && 1 is not x.
static void combined(void **state) {
    (void)state;
    Arena *a = arena_new();
    judge(COMBINE_NEST("&=", "-1"), ANSWER_ALWAYS, NULL, NULL, "combined: and");
    judge(COMBINE_NEST("&=", "0"), ANSWER_NEVER, NULL, "neutral", "combined: and, from nothing");
    judge(COMBINE_NEST("^=", "0"), ANSWER_ALWAYS, NULL, NULL, "combined: exclusive or");
    judge(COMBINE_NEST("max=", "-2147483648"), ANSWER_ALWAYS, NULL, NULL, "combined: greatest");
    judge(COMBINE_NEST("max=", "0"), ANSWER_NEVER, NULL, "neutral", "combined: greatest, from 0");
    judge(COMBINE_NEST("&&=", "1"), ANSWER_ALWAYS, NULL, NULL, "combined: all");
    // The ends of 64-bit types, which no double has.
    static const char *const types[][3] = {{": i64 =", "9223372036854775807", "9223372036854775806"},
                                           {": u64 =", "18446744073709551615", "18446744073709551614"}};
    for (int k = 0; k < 2; k++) {
        const char *wide =
            replace(a,
                    replace(a, replace(a, COMBINE_NEST("min=", "MOST"), "y[n]: i32 =", "y[n]: T ="),
                            "x[n]: i32 =", "x[n]: T ="),
                    "t: i32", "t: T");
        wide = replace(a, replace(a, wide, ": T =", types[k][0]), ": T", k ? ": u64" : ": i64");
        judge(replace(a, wide, "MOST", types[k][1]), ANSWER_ALWAYS, NULL, NULL, "combined: least of 64 bits");
        judge(replace(a, wide, "MOST", types[k][2]), ANSWER_NEVER, NULL, "neutral",
              "combined: one less than the most");
    }
    // Read where a choice inside the statement keeps the loops from it.
    const char *choice =
        "sculpt 1 region choice auto { param n: i32 = \"n\" array y[n]: f32 = \"y\" live "
        "array x[n]: f32 = \"x\" "
                         "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: y[i] = i > 0 ? x[i - 1] : 0.0f32 } "
                         "nest \"gpu\" { when 1 do { kernel k0 "
                         "for i: i32 = 0 .. n block { local t: f32 if (i > 0) copy t = x[i - 1] else "
                         "copy t = 0.0f32 S0[i] via (-, t) } } }";
    judge(choice, ANSWER_ALWAYS, NULL, NULL, "a choice: nothing to read"); // t is no x[-1], but nobody asks
    judge(replace(a, choice, "if (i > 0) copy", "if (i > 1) copy"), ANSWER_WHEN, "(n) == 1", "in place of",
          "a choice: read once too often");
    judge(replace(a, choice, "if (i > 0) copy t = x[i - 1] else copy t = 0.0f32", "copy t = x[i - 1]"),
          ANSWER_NEVER, NULL, "beyond", "a choice: read in any case");
    // A local that all iterations share; one of each thread that another one's copy is to fill.
    const char *local = "sculpt 1 region local auto { param n: i32 = \"n\" array y[n]: f32 = \"y\" live "
                        "array x[n]: f32 = \"x\" "
                        "do { for i: i32 = 0 .. n { local t: f32 S0[i] S1[i] } } stmt S0[i]: t = x[i] "
                        "stmt S1[i]: y[i] = t * t } "
                        "nest \"gpu\" { when 1 do { kernel k0 for b: i32 = 0 .. 1 block { local t "
                        "for i: i32 = 0 .. n S0[i] for j: i32 = 0 .. n S1[j] } } }";
    judge(local, ANSWER_WHEN, "(n) == 1", NULL, "a local for all");
    judge(replace(a, local, "for i: i32 = 0 .. n S0[i] for j: i32 = 0 .. n S1[j]",
                  "for i: i32 = 0 .. n { S0[i] S1[i] }"), ANSWER_ALWAYS, NULL, NULL,
    "a local for each in turn");
    const char *own = "sculpt 1 region own auto { param n: i32 = \"n\" array y[n]: f32 = \"y\" live "
                      "array x[n]: f32 = \"x\" assume n >= 4 "
                      "do { for i: i32 = 0 .. 4 S0[i] } stmt S0[i]: y[i] = x[0] } nest \"gpu\" { when 1 do { "
                      "kernel k0 for b: i32 = 0 .. 1 block { "
                      "local t: f32 for u: i32 = 0 .. 4 thread if (u == 0) copy t = x[0] "
                      "for v: i32 = 0 .. 4 thread S0[v] via (-, t) } } }";
    judge(own, ANSWER_NEVER, NULL, "copy of its own", "a local that one thread fills");
    judge(replace(a, own, "local t: f32", "shared t: f32"), ANSWER_ALWAYS, NULL, NULL,
          "a shared word that one thread fills");
    const char *wrap = "sculpt 1 region wrap auto { param n: u32 = \"n\" array y[n]: f32 = \"y\" live "
                       "array x[n]: f32 = \"x\" "
                       "do { for i: i32 = 0 .. i32(n) S0[i] } stmt S0[i]: y[i] = x[i] } nest \"gpu\" { "
                       "when 1 do { kernel k0 "
                       "for i: i32 = 0 .. i32(n) block if (u32(i) - 1 < n - 1 || u32(i) == n - 1) S0[i] } }";
    judge(wrap, ANSWER_WHEN, NULL, "wrap", "below zero, unsigned");
    arena_free(a);
}

// ---- rounds ------------------------------------------------------------------------------------------
static const Mutant round_mutants[] = {
    {"right", "", "", ANSWER_WHEN, BUSY, NULL},
    {"strips backwards", "kt: i32 = 0 .. fdiv(p + 3, 4)", "kt: i32 = fdiv(p + 3, 4) - 1 .. -1 step -1",
     ANSWER_WHEN,
     "(n) >= 1 && (p) >= 1 && (p) <= 4 && (m) >= 1", "in another order: that needs a permission"},
    {"a strip in parallel", "kk: i32 = 4 * kt .. min(4 * kt + 4, p) ",
     "kk: i32 = 4 * kt .. min(4 * kt + 4, p) vector ", ANSWER_WHEN, NULL, NULL},
    {"one strip more, empty", "kt: i32 = 0 .. fdiv(p + 3, 4)", "kt: i32 = 0 .. fdiv(p + 7, 4)", ANSWER_WHEN,
     BUSY, NULL},
    {"strips overlap", "min(4 * kt + 4, p) for y", "min(4 * kt + 5, p) for y", ANSWER_WHEN, NULL, "twice"},
    {"a neighbour taken up", "acc[x] = a[j][2 * ib + x]", "acc[x] = a[j][2 * ib + 1 - x]", ANSWER_WHEN,
     "(n) == 1 && (p) >= 1 && (m) >= 1", "sees another element"},
    {"sums crossed each time", "2 * ib + z] = acc[z]", "2 * ib + z] = acc[1 - z]", ANSWER_WHEN, NULL, NULL},
    {"begun anew each time", "copy one = a[j][i]", "copy one = 0.0f32", ANSWER_WHEN,
     BUSY " && fmod((n), 2) == 0", "the number 0"},
    {"not taken up", "unroll copy acc[x] = a[j][2 * ib + x]",
     "unroll if (kt == 0) copy acc[x] = a[j][2 * ib + x]", ANSWER_WHEN, NULL,
     "needs what nothing has written"},
    {"not put down", "unroll copy a[j][2 * ib + z] = acc[z]",
     "unroll if (4 * kt + 4 >= p) copy a[j][2 * ib + z] = acc[z]", ANSWER_WHEN, NULL,
     "lacks updates by S0"},
};

static void rounds(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t k = 0; k < sizeof round_mutants / sizeof *round_mutants; k++) {
        const Mutant *m = &round_mutants[k];
        if (!strstr(ROUND_NEST, m->from)) fail_msg("%s: nothing to change", m->name);
        judge(*m->from ? replace(a, ROUND_NEST, m->from, m->to) : ROUND_NEST, m->answer, m->when, m->why,
              m->name);
    }
    char *back = replace(a, replace(a, ROUND_NEST, round_mutants[1].from, round_mutants[1].to), "gemm auto",
                         "gemm auto reassociate");
    judge(back, ANSWER_WHEN, BUSY, NULL, "strips backwards, with permission");
    arena_free(a);
}

// ---- a box whose ends nothing need reach -------------------------------------------------------------
#define BINS                                                                                             \
    "sculpt 1 region f sculpt { param n: i64 = \"n\" param b_lo: i64 param b_hi: i64 "                   \
    "array b[?]: i32 = \"b\" live array x[n]: i32 = \"x\" "                                              \
    "inspect b dim 0 as b_lo to b_hi loose { value 0 value n } "                                         \
    "do { for i: i64 = 0 .. n S0[i] } stmt S0[i]: b[x[i]] += 1 } "                                       \
    "nest \"gpu\" { when b_hi + 1 - b_lo <= 64 && b_lo <= b_hi "                                         \
    "foot b[b_lo to b_hi] in out loose sparse foot x[0 to n - 1] in "                                    \
    "do { kernel k0 for c: i32 = 0 .. 4 block { shared own[64]: i32 "                                    \
    "for z: i32 = 0 .. 64 coop copy own[z] = 0 "                                                         \
    "for w: i32 = 0 .. 32 thread for i: i64 = i64(c * 32 + w) .. n step 128 "                            \
    "S0[i] via (own[x[i] - i32(b_lo)], -) atomic "                                                       \
    "for t: i32 = 0 .. 32 thread for k: i64 = b_lo + i64(t) .. b_hi + 1 step 32 "                        \
    "copy b[k] += own[i32(k - b_lo)] atomic } } }"
// Copies of a block's own may be added to all of it, as they add nothing where nothing was chosen. No more.
static const struct {
    const char *from, *to;
    bool right;
} bins[] = {{"", "", true},
            {"copy own[z] = 0", "copy own[z] = 1", false},
            {"copy b[k]", "copy b[k + 1]", false},
            {"copy b[k] +=", "copy b[k] =", false}};

static void loose(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof bins / sizeof *bins; k++) {
        Compile *c = compile_new();
        IrFile *f = read_nest(c, *bins[k].from ? replace(c->arena, BINS, bins[k].from, bins[k].to) : BINS);
        Verdict v = dep_judge_nest(c, f->nests[0]);
        if ((v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN) != bins[k].right)
            fail_msg("%s: %s, %s", bins[k].to, words(&v), v.why ? v.why : "");
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks),    cmocka_unit_test(scaled),    cmocka_unit_test(combined),
        cmocka_unit_test(rounds),    cmocka_unit_test(products),  cmocka_unit_test(zero_fill),
        cmocka_unit_test(ahead),     cmocka_unit_test(stencils),  cmocka_unit_test(tiles),
        cmocka_unit_test(whole_tiles),
        cmocka_unit_test(sums),
        cmocka_unit_test(epilogues), cmocka_unit_test(slices), cmocka_unit_test(shared_sums),
        cmocka_unit_test(choices),
        cmocka_unit_test(bodies),    cmocka_unit_test(truths),
                                       cmocka_unit_test(blocks),    cmocka_unit_test(guards),
        cmocka_unit_test(parts),
        cmocka_unit_test(stretches), cmocka_unit_test(remainders), cmocka_unit_test(loose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
