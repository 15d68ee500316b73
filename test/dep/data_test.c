// SPDX-License-Identifier: MIT
// data_test.c -- bounds, conditions and subscripts that only the data tell: nests that mean the same
// for any data are accepted, others are not, whatever rule could have made them. What is accepted
// runs in the interpreter. SCULPT_TEST_SEED repeats a run, SCULPT_TEST_COUNT makes it longer.
#include "../rule/walk.h"
#include "mutate.h"
#include "data.h"

// ---- data ----------------------------------------------------------------------------------
static int64_t number_for(const Array *x, int64_t k, int64_t n, uint64_t *state) {
    int64_t any = (int64_t)(next(state) % 1000);
    if (str_eq(x->name, "rw")) return k ? -1 : 0; // rises: see fill_data
    if (str_eq(x->name, "ln")) return any % 4;
    if (str_eq(x->name, "mk")) return any % 5 - 2;
    if (str_eq(x->name, "ix") || str_eq(x->name, "cl")) return n > 0 ? any % n : 0;
    return any % 7 - 3;
}

static void fill_data(const Array *x, void *to, int64_t words, int64_t n, uint64_t *state) {
    for (int64_t k = 0; k < words; k++) {
        int64_t v = number_for(x, k, n, state);
        if (v < 0 && str_eq(x->name, "rw")) v = ((int32_t *)to)[k - 1] + (int64_t)(next(state) % 4);
        if (x->elem == T_F32) ((float *)to)[k] = (float)v;
        else ((int32_t *)to)[k] = (int32_t)v;
    }
}

// Memory of just the sizes, so that a sanitizer sees their ends.
static Memory data_new(const Region *r, int nvals, const InterpVal *vals, uint64_t seed) {
    Memory m = {.nvals = nvals};
    uint64_t state = seed;
    for (int k = 0; k < r->narrays; k++) {
        const Array *x = r->arrays[k];
        int64_t words = 1, e;
        for (int d = 0; d < x->rank; d++) words *= ir_eval(x->extent[d], nvals, vals, &e) && e > 0 ? e : 0;
        void *at = malloc(4 * (size_t)words + 4);
        fill_data(x, at, words, vals[0].i, &state);
        m.size[m.nobjects] = 4 * (size_t)words;
        m.object[m.nobjects++] = (InterpArg){x->object, at};
    }
    return m;
}

static void data_free(Memory *m) {
    for (int k = 0; k < m->nobjects; k++) free((void *)m->object[k].base);
}

// 1: the same results, 0: others, -1: it is not for these sizes, or takes too many steps.
static int same_data(const Region *r, Node *root, Expr *when, int n, int m, uint64_t seed) {
    InterpVal vals[2] = {{r->params[0], n, 0}, {r->params[1], m, 0}};
    int64_t ok = 1, steps = STEPS / 4;
    if (when && (!ir_eval(when, 2, vals, &ok) || !ok)) return -1;
    Arena *a = arena_new();
    Memory x = data_new(r, 2, vals, seed), y = data_new(r, 2, vals, seed);
    bool same = ir_interpret(a, r->root, x.nobjects, x.object, 2, vals, 0) &&
        ir_interpret_within(a, root, y.nobjects, y.object, 2, vals, &steps);
    for (int k = 0; k < x.nobjects; k++) same = same &&
        memcmp(x.object[k].base, y.object[k].base, x.size[k]) == 0;
    data_free(&x);
    data_free(&y);
    arena_free(a);
    return steps < 0 ? -1 : same;
}

static bool accepts(const Verdict *v) { return v->answer == ANSWER_ALWAYS || v->answer == ANSWER_WHEN; }

// How many sizes it is for; fails where results differ.
static int check_data(Compile *c, const Region *r, Node *root, Expr *when, const char *what) {
    static const int at[][2] = {{0, 0}, {1, 1}, {2, 5}, {3, 0}, {5, 2}, {8, 9}, {13, 4}, {33, 17}};
    int taken = 0;
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            int same = same_data(r, root, when, at[k][0], at[k][1], seed);
            if (same == 0) fail_msg("%s, %s: other results at %d %d\n%s", r->name, what, at[k][0], at[k][1],
                                    ir_print_node(c->arena, root, 0));
            taken += same > 0;
        }
    return taken;
}

// ---- named cases -----------------------------------------------------------------------------
typedef struct Case {
    const char *name, *region, *recipe;
    const char *from, *to; // what is changed in the nest's text; "": nothing, and it must be accepted
} Case;

#define CSR_SUM "map block i\nhoist y at=k as=acc"
// Trees that no rule makes today: strips of rows whose ends are data, elements kept in registers.
#define CSR_STRIPS                                                                                 \
    "do { kernel k0 for i: i32 = 0 .. n block for kt: i32 = fdiv(rw[i], 4) .. fdiv(rw[i + 1] + 3, 4) " \
    "for kk: i32 = 0 .. 4 if (4 * kt + kk >= rw[i] && 4 * kt + kk < rw[i + 1]) S0[i, 4 * kt + kk] }"
#define GATHER_ONCE                                                                             \
    "do { kernel k0 for i: i32 = 0 .. n block { local one: f32 if (0 < m) copy one = x[ix[i]] " \
    "for j: i32 = 0 .. m S0[i, j] via (-, one, -) } }"
#define GATHER_SHARED                                                                         \
    "do { kernel k0 for ib: i32 = 0 .. fdiv(n + 3, 4) block { shared sx[4]: f32 "             \
    "for t: i32 = 0 .. 4 thread if (4 * ib + t < n && 0 < m) copy sx[t] = x[ix[4 * ib + t]] " \
    "for j: i32 = 0 .. m for u: i32 = 0 .. 4 thread "                                         \
    "if (4 * ib + u < n) S0[4 * ib + u, j] via (-, sx[u], -) } }"
#define COUNT_KEPT                                                                                 \
    "do { kernel k0 for b: i32 = 0 .. 1 block { local t: i32 copy t = s for i: i32 = 0 .. n "      \
    "if (x[i] > 1.0f32) S0[i] via (t) copy s = t } }"
#define ALL_OF_SOME                                                       \
    "do { kernel k0 for i: i32 = 0 .. n block { local t: i32 copy t = 1 " \
    "for j: i32 = 0 .. ln[i] S0[i, j] via (t) "                           \
    "if (0 < ln[i]) copy z[i] &&= t } }"
#define ROW_ENDS                                                                                   \
    "do { kernel k0 for ib: i32 = 0 .. fdiv(n + 3, 4) block for it: i32 = 0 .. 4 thread "          \
    "if (4 * ib + it < n && ln[4 * ib + it] > 0) for j: i32 = ln[4 * ib + it] - 1 .. -1 step -1 { " \
    "S0[4 * ib + it, j] if (j > 0 && 4 * ib + it != ln[0]) S1[4 * ib + it, j] } }"

#define CHAIN_DEALT                                                                                     \
    "do { kernel k0 for ib: i32 = 0 .. fdiv(n + 3, 4) block for it: i32 = 0 .. 4 thread "               \
    "if (4 * ib + it < n) { local d local b S0[4 * ib + it] S1[4 * ib + it] S2[4 * ib + it] " \
    "if (b >= 0 && b < n) { S3[4 * ib + it] atomic } S4[4 * ib + it] "                                  \
    "if (d > 2.0f32 && 4 * ib + it < m) { S5[4 * ib + it] atomic } } }"

#define SWAP_TEAM                                                                                        \
    "do { kernel k0 for b: i32 = 0 .. 1 block { shared as[2]: i32 shared ts[2]: f32 "                    \
    "for s: i32 = 0 .. n { for p: i32 = 0 .. 2 thread if (p == 0) { S0[s] via (as[0], -) } "             \
    "for q: i32 = 0 .. 2 thread if (q == 1) { S1[s] via (ts[1], -) S2[s] via (-, -, as[0]) } "           \
    "for r: i32 = 0 .. 2 thread if (r == 0) { S3[s] via (-, as[0], ts[1], -) } } } }"

static const Case cases[] = {
    {"rows change places", DATA_SWAP, SWAP_TEAM, "", ""},
    {"rows change places, by the place before", DATA_SWAP, SWAP_TEAM, "S0[s] via (as[0], -)",
     "if (s > 0) S0[s - 1] via (as[0], -)"},
    {"rows change places, another place", DATA_SWAP, SWAP_TEAM, "S3[s] via (-, as[0]", "S3[s] via (-, as[1]"},
    {"rows change places, the old one lost", DATA_SWAP, SWAP_TEAM,
     "S1[s] via (ts[1], -) S2[s] via (-, -, as[0])", "S2[s] via (-, -, as[0]) S1[s] via (ts[1], -)"},
    {"rows change places, one by all threads", DATA_SWAP, SWAP_TEAM, "if (r == 0) ", ""},
    {"rows change places, in blocks", DATA_SWAP, SWAP_TEAM, "b: i32 = 0 .. 1 block {",
     "b: i32 = 0 .. 2 block {"},
    {"rows of data", DATA_CSR, CSR_SUM, "", ""},
    {"one less", DATA_CSR, CSR_SUM, ".. rw[i + 1]", ".. rw[i + 1] - 1"},
    {"one more", DATA_CSR, CSR_SUM, ".. rw[i + 1]", ".. rw[i + 1] + 1"},
    {"begun later", DATA_CSR, CSR_SUM, "= rw[i] ..", "= rw[i] + 1 .."},
    {"another row's end", DATA_CSR, CSR_SUM, ".. rw[i + 1]", ".. rw[i + 2]"},
    {"another row", DATA_CSR, CSR_SUM, "= rw[i] ..", "= rw[0] .."},
    {"a sum of another row", DATA_CSR, CSR_SUM, "copy acc = y[i]", "copy acc = y[0]"},
    {"sum from zero", DATA_CSR, CSR_SUM, "copy acc = y[i]", "copy acc = 0.0f32"},
    {"sum lost", DATA_CSR, CSR_SUM, "copy y[i] = acc", "copy acc = acc"},
    {"sum kept for long rows alone", DATA_CSR, CSR_SUM, "copy y[i] = acc",
     "if (rw[i + 1] - rw[i] > 1) copy y[i] = acc"},
    {"sum begun for long rows alone", DATA_CSR, CSR_SUM, "copy acc = y[i]",
     "if (rw[i + 1] - rw[i] > 1) copy acc = y[i]"},
    {"strips", DATA_CSR, CSR_STRIPS, "", ""},
    {"strips, the first lost", DATA_CSR, CSR_STRIPS, "fdiv(rw[i], 4)", "fdiv(rw[i] + 3, 4)"},
    {"strips, the last lost", DATA_CSR, CSR_STRIPS, "fdiv(rw[i + 1] + 3, 4)", "fdiv(rw[i + 1], 4)"},
    {"strips, no guard below", DATA_CSR, CSR_STRIPS, "4 * kt + kk >= rw[i] && ", ""},
    {"strips, no guard above", DATA_CSR, CSR_STRIPS, " && 4 * kt + kk < rw[i + 1]", ""},
    {"strips, of another row", DATA_CSR, CSR_STRIPS, "4 * kt + kk < rw[i + 1]", "4 * kt + kk < rw[n]"},
    {"rows", DATA_ROWS, "strip i by=4 as=ib,it\nmap block ib\nmap thread it", "", ""},
    {"rows, one short", DATA_ROWS, "strip i by=4 as=ib,it\nmap block ib\nmap thread it", ".. ln[",
     ".. -1 + ln["},
    {"rows, read beyond", DATA_ROWS, "strip i by=4 as=ib,it\nmap block ib\nmap thread it",
     "if (ib * 4 + it < n)",
     "if (ln[ib * 4 + it] > 0 && ib * 4 + it < n)"},
    {"rows flattened", DATA_ROWS, "distribute i\nstrip i_1 by=4 as=it,iq\nbranch iq over=j", "", ""},
    {"rows flattened, all alike", DATA_ROWS, "distribute i\nstrip i_1 by=4 as=it,iq\nbranch iq over=j",
     "j < ln[it * 4 + iq]", "j < ln[it * 4]"},
    {"rows flattened, one overlooked", DATA_ROWS, "distribute i\nstrip i_1 by=4 as=it,iq\nbranch iq over=j",
     "ln[it * 4 + 3] : ", "ln[it * 4 + 2] : "},
    {"condition", DATA_MASK, "strip i by=4 as=ib,it\nmap block ib\nmap thread it", "", ""},
    {"condition tightened", DATA_MASK, "strip i by=4 as=ib,it\nmap block ib\nmap thread it", "> 0", "> 1"},
    {"condition widened", DATA_MASK, "strip i by=4 as=ib,it\nmap block ib\nmap thread it", "> 0", ">= 0"},
    {"condition of a neighbour", DATA_MASK, "strip i by=4 as=ib,it\nmap block ib\nmap thread it",
     "mk[ib * 4 + it]", "mk[ib * 4]"},
    {"conditions joined otherwise", DATA_MASK, "strip i by=4 as=ib,it\nmap block ib\nmap thread it",
     "0 && ib", "0 || ib"},
    {"a condition dropped", DATA_SPARSE, "interchange j i", "if (mk[i] != 0)", "if (1)"},
    {"a condition negated", DATA_SPARSE, "interchange j i", "mk[i] != 0", "mk[i] == 0"},
    {"a condition on the other counter", DATA_SPARSE, "interchange j i", "mk[i] != 0", "j < n && mk[j] != 0"},
    {"order of conditions", DATA_SPARSE, "interchange j i", "", ""},
    {"counted under a condition", DATA_COUNT, "reverse i", "", ""},
    {"counted, all", DATA_COUNT, "reverse i", "if (x[n - 1 - i] > 1.0)", "if (1)"},
    {"counted, in a register", DATA_COUNT, COUNT_KEPT, "", ""},
    {"counted, all in a register", DATA_COUNT, COUNT_KEPT, "if (x[i] > 1.0f32)", "if (1)"},
    {"counted, floats otherwise", DATA_COUNT, "reverse i", "> 1.0", ">= 1.0"},
    {"counted, a NaN too", DATA_COUNT, "reverse i", "if (x[n - 1 - i] > 1.0)", "if (!(x[n - 1 - i] <= 1.0))"},
    {"gathered once", DATA_GATHER, GATHER_ONCE, "", ""},
    {"gathered for nothing", DATA_GATHER, GATHER_ONCE, "if (0 < m) ", ""},
    {"gathered beside", DATA_GATHER, GATHER_ONCE, "= x[ix[i]]", "= x[ix[i] + 1]"},
    {"gathered from elsewhere", DATA_GATHER, GATHER_ONCE, "= x[ix[i]]", "= x[ix[0]]"},
    {"not gathered", DATA_GATHER, GATHER_ONCE, "= x[ix[i]]", "= x[i]"},
    {"gathered twice", DATA_GATHER, GATHER_ONCE, "= x[ix[i]]", "= x[ix[ix[i]]]"},
    {"gathered by all", DATA_GATHER, GATHER_SHARED, "", ""},
    {"gathered by all, the neighbour's", DATA_GATHER, GATHER_SHARED, "via (-, sx[u], -)",
     "via (-, sx[3 - u], -)"},
    {"gathered by all, beyond", DATA_GATHER, GATHER_SHARED, "4 * ib + t < n && ", ""},
    {"gathered by some", DATA_GATHER, GATHER_SHARED, "t: i32 = 0 .. 4", "t: i32 = 0 .. 3"},
    {"gathered by all, beside", DATA_GATHER, GATHER_SHARED, "x[ix[4 * ib + t]]", "x[ix[4 * ib + t] + 1]"},
    {"all of some", DATA_ALL, ALL_OF_SOME, "", ""},
    {"all of none, too", DATA_ALL, ALL_OF_SOME, "if (0 < ln[i]) copy z", "copy z"},
    {"bins", DATA_BINS, "reverse i", "", ""},
    {"bins, one lost", DATA_BINS, "reverse i", "0 .. n", "0 .. n - 1"},
    {"bins one by one", DATA_BINS, "do { kernel k0 for b: i32 = 0 .. 1 block for i: i32 = 0 .. n S0[i] }", "",
     ""},
    {"bins at once", DATA_BINS, "do { kernel k0 for b: i32 = 0 .. 1 block for i: i32 = 0 .. n S0[i] }",
     "0 .. 1 block for i: i32 = 0 .. n S0[i]", "0 .. n block S0[b]"},
    {"downward", DATA_STEPS, ROW_ENDS, "", ""},
    {"downward, one less", DATA_STEPS, ROW_ENDS, "ln[4 * ib + it] - 1 ..", "ln[4 * ib + it] - 2 .."},
    {"upward", DATA_STEPS, ROW_ENDS, "j: i32 = ln[4 * ib + it] - 1 .. -1 step -1",
     "j: i32 = 0 .. ln[4 * ib + it]"},
    {"condition on data of another row", DATA_STEPS, ROW_ENDS, "!= ln[0]", "!= ln[4 * ib]"},
    {"what locals hold", DATA_CHAIN, "reverse i", "", ""},
    {"what locals hold, dealt", DATA_CHAIN, CHAIN_DEALT, "", ""},
    {"what locals hold, asked early", DATA_CHAIN, CHAIN_DEALT,
     "S4[4 * ib + it] if (d > 2.0f32 && 4 * ib + it < m) { S5[4 * ib + it] atomic }",
     "if (d > 2.0f32 && 4 * ib + it < m) { S5[4 * ib + it] atomic } S4[4 * ib + it]"},
    {"what locals hold, another bound", DATA_CHAIN, CHAIN_DEALT, "b < n", "b < m"},
    {"what locals hold, another number", DATA_CHAIN, CHAIN_DEALT, "d > 2.0f32", "d > 1.0f32"},
    {"what locals hold, the one before", DATA_CHAIN, CHAIN_DEALT, "S1[4 * ib + it] S2[4 * ib + it]",
     "S2[4 * ib + it] S1[4 * ib + it]"},
    {"what locals hold, of a neighbour", DATA_CHAIN, CHAIN_DEALT, "S0[4 * ib + it]",
     "if (4 * ib + it > 0) S0[4 * ib + it]"},
    {"condition on longer rows", DATA_STEPS, ROW_ENDS, "> 0)", "> 1)"},
};

// The first occurrence behind the region changed; NULL: there is none.
static char *changed(Arena *a, const char *nest, const char *from, const char *to) {
    const char *at = *from ? strstr(nest, from) : nest;
    return at ? arena_printf(a, "%.*s%s%s", (int)(at - nest), nest, to, at + strlen(from)) : NULL;
}

static void named(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!test_mine()) continue;
        const Case *x = &cases[k];
        Compile *c = compile_new();
        bool tree = strncmp(x->recipe, "do {", 4) == 0;
        Nest *n = follow(c, start_of(c, x->region), tree ? "" : x->recipe, JUDGE_EACH);
        if (!n) fail_msg("%s: %s", x->name, last_diag(c));
        char *text = tree ? arena_printf(c->arena, "nest \"gpu\" { when 1 %s }", x->recipe)
            : ir_print_nest(c->arena, n);
        char *nest = changed(c->arena, text, x->from, x->to);
        if (!nest) fail_msg("%s: nothing to change in\n%s", x->name, text);
        IrFile *f = ir_parse(c, x->name, arena_printf(c->arena, "%s\n%s", x->region, nest));
        if (!f) fail_msg("%s: %s\n%s", x->name, last_diag(c), nest);
        double start = time_used();
        Verdict v = dep_judge(c, f->region, f->nests[0]->root);
        print_message("%-32s %6.1f ms  %s\n", x->name, (time_used() - start) * 1e3,
                      v.answer ? v.why : "always");
        if (!*x->from && v.answer != ANSWER_ALWAYS) fail_msg("%s: answer %d (%s)", x->name, v.answer, v.why);
        if (*x->from && v.answer == ANSWER_ALWAYS) fail_msg("%s: accepted", x->name);
        if (*x->from && accepts(&v)) check_data(c, f->region, f->nests[0]->root, v.when, x->name);
        if (!*x->from) assert_true(check_data(c, f->region, f->nests[0]->root, n->when, x->name) > 0);
        compile_free(c);
    }
}

// ---- changed at random ---------------------------------------------------------------------------
static int answers[4], unread;

static void try_change(Compile *c, const char *region, const char *nest, uint64_t seed) {
    char *text = mutate(c->arena, arena_printf(c->arena, "%s\n%s", region, nest), "\n    do {", seed);
    IrFile *f = ir_parse(c, "mutant", text);
    unread += !f;
    if (!f) return;
    Verdict v = dep_judge(c, f->region, f->nests[0]->root);
    answers[v.answer]++;
    if (accepts(&v)) check_data(c, f->region, f->nests[0]->root, v.when,
                                arena_printf(c->arena, "seed %llu", (unsigned long long)seed));
}

// Some steps that any rules propose, each accepted, and then changes.
static void walk_data(uint64_t seed) {
    Rand g = {seed * 2 + 1};
    for (int i = 0; i < 8; i++) rnd(&g, 2);
    Compile *c = compile_new();
    const char *region = data_regions[rnd(&g, DATA_REGIONS)];
    Nest *n = start_of(c, region);
    int steps = 1 + (int)rnd(&g, 3);
    for (int k = 0; k < steps && is_small(c, n); k++) n = random_accepted(c, n, &g);
    Expr *when = n->when;
    if (strlen(n->recipe)) check_data(c, n->region, n->root, when, n->recipe);
    char *nest = ir_print_nest(c->arena, n);
    for (int k = 0; k < 6; k++) try_change(c, region, nest, seed * 64 + (uint64_t)k);
    compile_free(c);
}

static void changes(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (uint64_t k = 0, n = test_count(60, 2000); k < n; k++)
        if (test_mine()) walk_data(seed + k);
    print_message("always %d, when %d, never %d, unknown %d, no tree %d\n", answers[ANSWER_ALWAYS],
                  answers[ANSWER_WHEN],
                  answers[ANSWER_NEVER], answers[ANSWER_UNKNOWN], unread);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(named), cmocka_unit_test(changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
