// SPDX-License-Identifier: MIT
// promised_test.c -- what is judged of accesses through index arrays whose values are distinct or rise, and
// who vouches for what otherwise.
#include "../rule/follow.h"
#include "plan/recipe.h"

#define REGION(STMTS)                                                                        \
    "sculpt 1 region scatter sculpt { param n: i32 = \"n\" param x_lo: i64 param x_hi: i64 " \
    "array x[?]: f32 = \"x\" live "                                                          \
    "array idx[n]: i32 = \"idx\" array jdx[n]: i32 = \"jdx\" array y[n]: f32 = \"y\" "       \
    "inspect x dim 0 as x_lo to x_hi for i_1: i32 = 0 .. n value i64(idx[i_1]) "             \
    "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: " STMTS " }"

#define STRETCHES(STMTS)                                                                     \
    "sculpt 1 region rows sculpt { param n: i32 = \"n\" param x_lo: i64 param x_hi: i64 "    \
    "array x[?]: f32 = \"x\" live "                                                          \
    "array ptr[n + 1]: i32 = \"ptr\" array y[n]: f32 = \"y\" "                               \
    "inspect x dim 0 as x_lo to x_hi for i_1: i32 = 0 .. n { value i64(ptr[i_1]) "           \
    "value i64(ptr[i_1 + 1]) } "                                                             \
    "do { for i: i32 = 0 .. n for k: i32 = ptr[i] .. ptr[i + 1] S0[i, k] } stmt S0[i, k]: " STMTS " }"

// Once idx is distinct, or ptr rises: may the loop be blocks?
static void judged(void **state) {
    (void)state;
    static const struct {
        const char *stmt, *recipe;
        Answer answer;
        bool stretches;
    } cases[] = {
        {"x[idx[i]] = y[i]", "", ANSWER_ALWAYS}, // as it stands it is its region
        {"x[idx[i]] = y[i]", "map block i", ANSWER_NEVER},
        {"x[idx[i]] = y[i]", "assume ann distinct idx\nmap block i", ANSWER_ALWAYS},
        {"x[idx[i]] = x[idx[i]] * y[i]", "assume ann distinct idx\nmap block i", ANSWER_ALWAYS},
        {"x[idx[i]] = x[idx[i]] * y[i]", "assume ann distinct idx\nreverse i", ANSWER_ALWAYS},
        // One that goes another way meets the others.
        {"x[idx[i]] = x[i]", "assume ann distinct idx\nmap block i", ANSWER_NEVER},
        {"x[idx[i]] = x[jdx[i]]", "assume ann distinct idx\nmap block i", ANSWER_NEVER},
        {"x[idx[i]] = x[jdx[i]]", "assume ann distinct idx\nassume ann distinct jdx\nmap block i",
         ANSWER_NEVER},
        {"x[idx[i] + i] = y[i]", "map block i", ANSWER_NEVER},
        // The element beside is another place in idx.
        {"x[idx[i]] = x[idx[0]] * y[i]", "assume ann distinct idx\nmap block i", ANSWER_NEVER},
        {"x[k] = y[i]", "", ANSWER_ALWAYS, true},
        {"x[k] = y[i]", "map block i", ANSWER_NEVER, true},
        {"x[k] = y[i]", "assume ann rising ptr\nmap block i", ANSWER_ALWAYS, true},
        {"x[k] = x[k] * y[i]", "assume ann rising ptr\nmap block i", ANSWER_ALWAYS, true},
        {"x[k] = x[k] * y[i]", "assume ann rising ptr\nreverse i", ANSWER_ALWAYS, true},
        // A place beside it may be in the next stretch.
        {"x[k] = x[k + 1] * y[i]", "assume ann rising ptr\nmap block i", ANSWER_NEVER, true},
        {"x[k + 1] = y[i]", "assume ann rising ptr\nmap block i", ANSWER_NEVER, true},
        {"x[ptr[i]] = y[i]", "assume ann rising ptr\nmap block i", ANSWER_NEVER, true},
        {"x[k] = y[i] + x[i]", "assume ann rising ptr\nmap block i", ANSWER_NEVER, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        char *text = cases[k].stretches ? arena_printf(c->arena, STRETCHES("%s"), cases[k].stmt)
                                        : arena_printf(c->arena, REGION("%s"), cases[k].stmt);
        RecipeOptions o = {.judging = JUDGE_NONE, .file = "r"};
        Nest *n = recipe_follow(c, start_of(c, text), cases[k].recipe, &o);
        if (!n) fail_msg("%s: %s", cases[k].recipe, last_diag(c));
        Verdict v = dep_judge_nest(c, n);
        bool legal = v.answer == ANSWER_ALWAYS, wanted = cases[k].answer == ANSWER_ALWAYS;
        if (legal != wanted) fail_msg("%s after %s: answer %d (%s)", cases[k].stmt, cases[k].recipe, v.answer,
                                      v.why ? v.why : "");
        compile_free(c);
    }
}

// The assumption stands in the text, is read again, and the nest is proved; trust says for what.
static void recorded(void **state) {
    (void)state;
    Compile *c = compile_new();
    static const char text[] = REGION("x[idx[i]] = y[i]");
    Nest *n = follow(c, start_of(c, text), "assume ann distinct idx\nmap block i\n", JUDGE_EACH);
    if (!n) fail_msg("%s", last_diag(c));
    assert_true(n->proof == PROOF_PROVED);
    assert_int_equal(n->npromised, 1);
    char *nest = ir_print_nest(c->arena, n);
    assert_non_null(strstr(nest, "distinct idx\n"));
    assert_non_null(strstr(nest, "assume ann distinct idx"));
    IrFile *f = ir_parse(c, "again", arena_printf(c->arena, "%s%s", text, nest));
    if (!f) fail_msg("%s", last_diag(c));
    assert_int_equal(f->nests[0]->npromised, 1);
    assert_string_equal(ir_print_nest(c->arena, f->nests[0]), nest);

    n = follow(c, start_of(c, text), "trust ann: a permutation\nmap block i\n", JUDGE_EACH);
    if (!n) fail_msg("%s", last_diag(c));
    assert_false(n->proof == PROOF_PROVED);
    assert_int_equal(strncmp(n->recipe, "trust ann: a permutation [S0 ", 29), 0);
    assert_non_null(strstr(n->recipe, "both touch x)]\nmap block i\n"));
    Nest *again = follow(c, start_of(c, text), n->recipe, JUDGE_LAST); // said once
    assert_non_null(again);
    assert_string_equal(again->recipe, n->recipe);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(judged), cmocka_unit_test(recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
