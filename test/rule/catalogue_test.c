// SPDX-License-Identifier: MIT
// catalogue_test.c -- every rule's examples do what they say: those that fit keep the values,
// those that don't are refused in the words given.
#include "../sample.h"
#include "follow.h"

static char *recipe_of(Arena *a, const RuleExample *e) {
    return arena_printf(a, "%s\n%s\n", e->before, e->step);
}

static void fits(const Rule *r, const RuleExample *e) {
    Compile *c = compile_new();
    Nest *n = follow(c, start_of(c, e->source), recipe_of(c->arena, e), JUDGE_EACH);
    if (!n) fail_msg("%s: '%s' after '%s' should fit: %s", r->name, e->step, e->before, last_diag(c));
    check_values(n);
    check_text(c, n);
    // The recipe that the nest carries makes it again.
    Nest *again = follow(c, start_of(c, e->source), n->recipe, JUDGE_LAST);
    assert_non_null(again);
    assert_string_equal(ir_print_node(c->arena, n->root, 0), ir_print_node(c->arena, again->root, 0));
    compile_free(c);
}

static void refused(const Rule *r, const RuleExample *e) {
    Compile *c = compile_new();
    Nest *before = follow(c, start_of(c, e->source), e->before, JUDGE_EACH);
    if (!before) fail_msg("%s: '%s' should fit: %s", r->name, e->before, last_diag(c));
    Nest *n = follow(c, start_of(c, e->source), recipe_of(c->arena, e), JUDGE_EACH);
    if (n) fail_msg("%s: '%s' should be refused: %s\n%s", r->name, e->step, e->refusal,
                    ir_print_node(c->arena, n->root, 0));
    if (!strstr(last_diag(c), e->refusal)) fail_msg("%s: '%s' is refused with '%s', not '%s'", r->name,
                                                    e->step, last_diag(c), e->refusal);
    assert_int_equal(c->errors, 1);
    compile_free(c);
}

static void examples(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (const Rule *const *r = rule_catalogue; *r; r++)
        for (const RuleExample *e = (*r)->examples; e && e->source; e++) { // the first of each, and a third
            if (e != (*r)->examples && !test_takes((uint64_t)(e - (*r)->examples), 3, seed)) continue;
            if (e->refusal) refused(*r, e);
            else fits(*r, e);
        }
}

// Each rule says what it is, and its knobs' defaults are values that they take.
static void pages(void **state) {
    (void)state;
    for (const Rule *const *r = rule_catalogue; *r; r++) {
        assert_true((*r)->name && (*r)->usage && (*r)->summary && (*r)->picture && (*r)->apply);
        assert_true(str_has_prefix((*r)->usage, (*r)->name));
        assert_ptr_equal(rule_named((*r)->name), *r);
        for (int k = 0; k < (*r)->nknobs; k++) {
            const Knob *knob = &(*r)->knobs[k];
            int64_t v;
            if (!knob->standard || !*knob->standard) continue;
            if (knob->kind == KNOB_INT) assert_true(step_int(knob->standard, &v) && v >= knob->min &&
                                                    v <= knob->max);
            if (knob->kind == KNOB_WORD) assert_non_null(strstr(knob->words, knob->standard));
        }
    }
}

// ---- lines of a recipe ---------------------------------------------------------------------------
static const char product[] =
    "sculpt 1 region product sculpt reassociate { param n: i32 = \"n\" array a[n][n]: f32 = \"a\" live "
    "array b[n][n]: f32 = \"b\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "
    "stmt S0[i, j]: a[i][j] += b[j][i] }";

static void lines(void **state) {
    (void)state;
    static const struct {
        const char *recipe, *want; // want: the steps recorded, or the words of the error
        bool fits;
    } cases[] = {
        {"", "", true},
        {"# nothing\n\n   \n", "", true},
        {"let W = 8*4\nstrip i by=W as=ib,ii # a comment\n", "strip i by=32 as=ib,ii\n", true},
        {"let L = i\nlet W=2\nlet V = $W+1\nstrip $L by=V*2 as=ib,ii", "strip i by=6 as=ib,ii\n", true},
        {"target cpu\ntarget gpu # the last counts\ninterchange j i\n", "interchange j i\n", true},
        {"trust me: it is so\ninterchange j i\n", "trust me: it is so\ninterchange j i\n", true},
        {"strip\n", "example:1:1: strip: by= is missing", false},
        {"strip by=2\n", "example:1:1: strip: usage: strip LOOP by=N", false},
        {"strip i by=2 by=3\n", "by= is there twice", false},
        {"strip i by=2 edge=soft\n", "edge=soft is not known; it takes guard|exact", false},
        {"strip i by=x\n", "by=x is no number; it takes 1 to 1048576", false},
        {"strip i by=2 width=3\n", "width= is no knob of it; it has by, as, edge", false},
        {"strip i by=2 j\n", "'j' stands behind a knob", false},
        {"strip i by=\n", "by= has no value", false},
        {"\n\n  shuffle i\n", "example:3:3: shuffle: there is no rule of that name", false},
        {"strip $X by=2\n", "$X is no constant", false},
        {"let 3 = 4\n", "a constant is: let NAME = VALUE", false},
        {"let a = 4 5\n", "the value of a must be one word", false},
        {"trust\n", "example:1:1: trust: there is no rule", false},
        {"trust me\n", "an override is: trust NAME: reason", false},
        {"target moon\n", "the target is gpu or cpu", false},
        {"=3\n", "can't be the name of a rule", false},
        {"strip i by=2 =3\n", "has no knob before the =", false},
        {"strip i by=2 as=1x,y\n", "1x can't be the name of a loop", false},
        {"strip i by=2 as=x\n", "as= takes two names", false},
        {"strip i by=2 as=x,x\n", "the name x is taken", false},
        {"strip i by=2 as=i,ii\n", "strip i by=2 as=i,ii\n", true},
        {"split i at=n/\n", "a number, a name or a bracket is expected in 'n/'", false},
        {"split i at=n/(n)\n", "division by something else than a positive number", false},
        {"split i at=(n\n", "a bracket is missing", false},
        {"split i at=max(1,-n+3)%5\n", "split i at=max(1,-n+3)%5\n", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, product), cases[k].recipe, JUDGE_EACH);
        if (!!n != cases[k].fits) fail_msg("case %zu: %s", k, last_diag(c));
        if (n) {
            assert_string_equal(n->recipe, cases[k].want);
            check_values(n);
        } else {
            const Diag *d = &c->diags.at[c->diags.n - 1];
            char *text = arena_printf(c->arena, "%s:%d:%d: %s", d->loc.file, d->loc.line, d->loc.col,
                                      d->text);
            if (!strstr(text, cases[k].want)) fail_msg("case %zu: '%s', not '%s'", k, text, cases[k].want);
        }
        compile_free(c);
    }
}

// A judge that can't decide is overruled by name, for one step and what follows from it; one that
// says never isn't.
static void trust(void **state) {
    (void)state;
    static const char mirror[] =
        "sculpt 1 region mirror sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" live "
        "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: x[i] = x[n - 1 - i] }";
    static const char scatter[] =
        "sculpt 1 region scatter sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" live "
        "array at[n]: i32 = \"at\" live do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: x[at[i]] = 1.0 }";
    static const struct {
        const char *region, *recipe, *refusal;
        bool fits;
    } cases[] = {
        {mirror, "trust me: surely\nreverse i\n", "change the meaning", false},
        {scatter, "map block i\n", "cannot be decided", false},
        {scatter, "trust me: at is a permutation\nmap block i\n", NULL, true},
        {scatter, "trust me: at is a permutation\nstrip i by=4\nmap block ib\n", "cannot be decided", false},
        {scatter, "strip i by=4\ntrust me: at is a permutation\nmap block ib\nmap thread ii\n", NULL, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        Nest *n = follow(c, start_of(c, cases[k].region), cases[k].recipe, JUDGE_EACH);
        if (!!n != cases[k].fits) fail_msg("case %zu: %s", k, last_diag(c));
        if (n) assert_false(n->proof == PROOF_PROVED);
        else if (!strstr(last_diag(c), cases[k].refusal)) fail_msg("case %zu: %s", k, last_diag(c));
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages), cmocka_unit_test(lines),
                                       cmocka_unit_test(trust),
                                       cmocka_unit_test(examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
