// SPDX-License-Identifier: MIT
// filled_test.c -- arrays that a counter fills: which are seen to be such, and what trees over them are
// right.
#include "../rule/follow.h"
#include "ir/slots.h"
#include "plan/recipe.h"

#define REGION(TYPE, BODY, STMTS)                                                                         \
    "sculpt 1 region fill sculpt { param n: i32 = \"n\" param o_lo: i64 param o_hi: i64 "                  \
    "array k: " TYPE " = \"&k\" live array m: i32 = \"&m\" live array x[n]: f32 = \"x\" "                  \
    "array o[?]: f32 = \"o\" live array p[?]: f32 = \"p\" live array z[n]: i32 = \"z\" live "              \
    "inspect o dim 0 as o_lo to o_hi loose for i_1: i32 = 0 .. n value i64(i_1) "                          \
    "do { for i: i32 = 0 .. n { " BODY " } } " STMTS " }"

// How many statements fill an array.
static void found(void **state) {
    (void)state;
    static const struct {
        const char *type, *body, *stmts;
        int n;
        const char *fit;
    } cases[] = {
        {"i32", "if (x[i] > 0.0) { S0[i] S1[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1", 1, NULL},
        {"i32", "if (x[i] > 0.0) { S1[i] S0[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1", 1, NULL},
        {"i32", "if (x[i] > 0.0) { S1[i] S0[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += -1", 1, NULL},
        {"i32", "S0[i] S1[i] if (x[i] > 0.0) { S2[i] S3[i] }",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: o[k] = 1.0f32 stmt S3[i]: k += 1", 2, NULL},
        {"i32", "S0[i] S1[i] S2[i]",
         "stmt S0[i]: o[2 * k] = x[i] stmt S1[i]: o[2 * k + 1] = x[i] stmt S2[i]: k += 1", 2, NULL},
        // Two elements, and one step; one of them in front, the other behind.
        {"i32", "S0[i] S1[i] S2[i]",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: o[k + 1] = x[i] stmt S2[i]: k += 1", 0, NULL},
        {"i32", "if (x[i] > 0.0) { S0[i] S1[i] } else { S2[i] S3[i] }",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: k += 1 stmt S3[i]: o[k] = x[i]", 0, NULL},
        {"i32", "if (x[i] > 0.0) { S0[i] S1[i] } else { S2[i] S3[i] }",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 2 stmt S2[i]: k += 2 stmt S3[i]: o[k - 1] = x[i]", 2,
         NULL},
        // The counter stands still, goes back, is set, or is another one.
        {"i32", "S0[i] if (x[i] > 0.0) { S1[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1", 0, NULL},
        {"i32", "S0[i] S1[i] S2[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: k += -1", 0,
         NULL},
        {"i32", "S0[i] S1[i] S2[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: k = i", 0,
         NULL},
        {"i32", "S0[i] S1[i]", "stmt S0[i]: o[m] = x[i] stmt S1[i]: k += 1", 0, NULL},
        {"i32", "S0[i] S1[i] S2[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: k += z[i]", 0,
         NULL},
        {"i32", "S0[i] S1[i] S2[i]",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: k += z[i] > 3", 1, NULL},
        // The array is touched in another way.
        {"i32", "S0[i] S1[i]", "stmt S0[i]: o[k] = o[i] stmt S1[i]: k += 1", 0, NULL},
        {"i32", "if (o[i] > 0.0) { S0[i] S1[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1", 0, NULL},
        {"i32", "S0[i] S1[i] S2[i]",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: o[i] = 0.0f32", 0, NULL},
        {"i32", "S0[i] S1[i]", "stmt S0[i]: o[k] += x[i] stmt S1[i]: k += 1", 0, NULL},
        {"i32", "S0[i] S1[i] S2[i] S3[i]",
         "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1 stmt S2[i]: p[m] = x[i] stmt S3[i]: m += 1", 2, NULL},
        // One of few bits comes back.
        {"u8", "S0[i] S1[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1", 1, "max(f64(n), 0.0) <= 256.0"},
        {"u32", "S0[i] S1[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 2", 1,
         "max(f64(n), 0.0) * 2.0 <= 4294967296.0"},
        {"u64", "S0[i] S1[i]", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 2", 1, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        char *text = arena_printf(c->arena, REGION("%s", "%s", "%s"), cases[k].type, cases[k].body,
                                  cases[k].stmts);
        IrFile *f = ir_parse(c, "t", text);
        if (!f) fail_msg("%s: %s", text, last_diag(c));
        Slots s = slots_of(c->arena, f->region);
        if (s.n != cases[k].n) fail_msg("%s %s: %d slots", cases[k].body, cases[k].stmts, s.n);
        if (!s.fit != !cases[k].fit) fail_msg("%s %s: fit", cases[k].type, cases[k].stmts);
        if (s.fit) assert_string_equal(ir_print_expr(c->arena, s.fit), cases[k].fit);
        compile_free(c);
    }
}

#define KEPT REGION("i32", "if (x[i] > 0.0) { S0[i] S1[i] }", "stmt S0[i]: o[k] = x[i] stmt S1[i]: k += 1")

// The condition asks a local.
#define ASKED REGION("i32", "local v: f32 S2[i] if (v > 0.0) { S0[i] S1[i] }",                            \
                     "stmt S0[i]: o[k] = v stmt S1[i]: k += 1 stmt S2[i]: v = x[i]")

// Is it right for a hundred iterations?
static bool is_legal(const Region *r, const Verdict *v) {
    InterpVal vals[3] = {{r->params[0], 100, 0}, {r->params[1], 0, 0}, {r->params[2], 99, 0}};
    int64_t holds = v->answer == ANSWER_ALWAYS;
    return holds || (v->answer == ANSWER_WHEN && ir_eval(v->when, 3, vals, &holds) && holds);
}

// The elements are where they were: no other order, no counter of another iteration.
static void judged(void **state) {
    (void)state;
    static const struct {
        const char *region, *recipe;
        bool legal;
    } cases[] = {
        {KEPT, "", true},
        {KEPT, "scan i of=k threads=32 per=3 second=4", true},
        {KEPT, "scan i of=k threads=16 per=1 second=3", true},
        {KEPT, "strip i by=8", true},
        {KEPT, "reverse i", false},
        {KEPT, "map block i", false},
        {ASKED, "scan i of=k threads=32 per=3 second=4", true},
        {ASKED, "scan i of=k threads=32 per=3 second=4\nstage x at=i_c_1", true},
        {ASKED, "reverse i", false},
        {ASKED, "map block i", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        RecipeOptions o = {.judging = JUDGE_NONE, .file = "r"};
        Nest *n = recipe_follow(c, start_of(c, cases[k].region), cases[k].recipe, &o);
        if (!n) fail_msg("%s: %s", cases[k].recipe, last_diag(c));
        Verdict v = dep_judge_nest(c, n);
        if (is_legal(n->region, &v) != cases[k].legal)
            fail_msg("%s: %d (%s)", cases[k].recipe, v.answer, v.why ? v.why : "");
        compile_free(c);
    }
}

// A scan with a fault: the text of its nest with `from` as `to`, once or everywhere.
static void faults(void **state) {
    (void)state;
    static const struct {
        const char *region, *from, *to;
        bool legal;
    } cases[] = {
        {KEPT, "", "", true},
        {KEPT, "+= k_pre_", "+= 0 * k_pre_", false},             // every thread of a group begins alike
        {KEPT, "= k_before_1[i_c_1]", "= k_before_1[0]", false}, // every chunk
        {KEPT, " = k\n", " = 0\n", false},                       // not where the counter was
        {KEPT, " > 0.0", " > 1.0", false},                       // one of the conditions
        {ASKED, "", "", true},
        {ASKED, "+= k_pre_", "+= 0 * k_pre_", false},
        {ASKED, "> 0.0", "> 1.0", false},
        {ASKED, " = x[i_c_1 * 48 + ", " = x[47 - ", false},      // what the local holds
        {ASKED, " = x[i_c_1 * 48 + ", " = x[0 * i_c_1 + ", false},
    };
    Compile *c = compile_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *staged = strstr(cases[k].region, "local v") ? "stage x at=i_c_1\n" : "";
        const char *recipe = arena_printf(c->arena, "scan i of=k threads=16 per=3 second=4\n%s", staged);
        Nest *n = follow(c, start_of(c, cases[k].region), recipe, JUDGE_LAST);
        if (!n) fail_msg("%s", last_diag(c));
        char *text = ir_print_nest(c->arena, n);
        const char *at = strstr(text, cases[k].from);
        if (!at) fail_msg("no %s", cases[k].from);
        char *wrong = arena_printf(c->arena, "%s%.*s%s%s", cases[k].region, (int)(at - text), text,
                                   cases[k].to, at + strlen(cases[k].from));
        IrFile *f = ir_parse(c, "fault", wrong);
        if (!f) fail_msg("%s", last_diag(c));
        Verdict v = dep_judge_nest(c, f->nests[0]);
        if (is_legal(f->region, &v) != cases[k].legal) fail_msg("%s: %d", cases[k].to, v.answer);
    }
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(judged),
                                       cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
