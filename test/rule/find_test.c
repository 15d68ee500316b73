// SPDX-License-Identifier: MIT
// find_test.c -- every rule finds the places of its own examples, says what lacks the pattern, and
// takes time in proportion to the references.
#include "follow.h"
#include "plan/recipe.h"
#include "rule/refs.h"

typedef struct Sites {
    Arena *a;
    VEC(Step *) steps;
    VEC(const char *) texts, missed;
} Sites;

// The steps alone: nothing is closed with kernels at the end.
static Nest *steps_of(Compile *c, const char *source, const char *steps) {
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "example"};
    Nest *n = recipe_follow(c, start_of(c, source), steps, &o);
    if (!n) fail_msg("%s: %s", steps, last_diag(c));
    return n;
}

static void found(Change *ch, Step *s, void *arg) {
    Sites *v = arg;
    (void)ch;
    vec_push(v->a, &v->steps, s);
    vec_push(v->a, &v->texts, step_print(v->a, s));
}

static void missed(const char *what, const char *why, void *arg) {
    Sites *v = arg;
    vec_push(v->a, &v->missed, arena_printf(v->a, "%s: %s", what, why));
}

static Sites sites_of(Compile *c, const Nest *n, const Rule *r) {
    Sites v = {.a = c->arena};
    Change ch = {.c = c, .a = c->arena, .nest = n, .rule = r, .names = {c->arena, n->region, 0},
                 .missed = missed};
    r->find(&(Finder){.ch = &ch, .found = found, .arg = &v});
    return v;
}

static const char *joined(const Sites *v) {
    Text t = text_new(v->a);
    for (int k = 0; k < v->texts.n; k++) text_printf(&t, "%s%s", k ? "; " : "", v->texts.at[k]);
    return text_str(&t);
}

// Examples that fit are found by their rule: a site that names the same loop, array or kernel. Where
// a knob is anybody's choice (split at=n/2) some are not; some of each rule must be.
static void examples(void **state) {
    (void)state;
    for (const Rule *const *r = rule_catalogue; *r; r++) {
        int fitting = 0, met = 0;
        if (!(*r)->find) fail_msg("%s has no find", (*r)->name);
        for (const RuleExample *e = (*r)->examples; e && e->source; e++) {
            if (e->refusal) continue;
            Compile *c = compile_new();
            Nest *n = steps_of(c, e->source, e->before);
            const Step *step = step_parse(c, (Loc){0}, e->step);
            Sites v = sites_of(c, n, *r);
            bool same = !step->nwords && v.steps.n; // what is of the whole nest has no words
            for (int k = 0; k < v.steps.n; k++)
                for (int i = 0; i < v.steps.at[k]->nwords; i++)
                    for (int j = 0; j < step->nwords; j++) same = same ||
                        str_eq(v.steps.at[k]->words[i], step->words[j]);
            if (!same) print_message("%s: '%s' is not found after '%s', only: %s\n", (*r)->name, e->step,
                                     e->before, joined(&v));
            fitting++, met += same;
            compile_free(c);
        }
        if (fitting && !met) fail_msg("%s finds %d of its %d examples", (*r)->name, met, fitting);
    }
}

#define SUMMED                                                                                           \
    "sculpt 1 region sum sculpt { param n: i32 = \"n\" param p: i32 = \"p\" array a[n][p]: f32 = \"a\" " \
    "array b[p][n]: f32 = \"b\" array c[n][n]: f32 = \"c\" live "                                        \
    "do { for i: i32 = 0 .. n for j: i32 = 0 .. n { local s: f32 S0[i, j] "                              \
    "for k: i32 = 0 .. p S1[i, j, k] S2[i, j] } } "                                                      \
    "stmt S0[i, j]: s = 0.0 stmt S1[i, j, k]: s += a[i][k] * b[k][j] stmt S2[i, j]: c[i][j] = s }"
#define MAPPED                                                                                   \
    "strip j by=16 as=jb,jt\nstrip i by=16 as=ib,it\ninterchange ib jb it jt\nmap block ib jb\n" \
    "map thread it jt\n"
#define POINTS                                                                         \
    "sculpt 1 region points sculpt { param n: i32 = \"n\" array x[n][3]: f32 = \"x\" " \
    "array y[n][3]: f32 = \"y\" "                                                      \
    "array o[n][n]: f32 = \"o\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. n "    \
    "for d: i32 = 0 .. 3 S0[i, j, d] } "                                               \
    "stmt S0[i, j, d]: o[i][j] += x[i][d] * y[j][d] }"
#define LINES "strip i by=32 as=ib,it\nmap block ib\nmap thread it\n"

static void patterns(void **state) {
    (void)state;
    static const struct {
        const char *source, *before, *rule, *sites, *missed; // missed: "": nobody
    } cases[] = {
        {SUMMED, "", "expand", "expand s", ""},
        {SUMMED, MAPPED, "expand", "", "s: it is in a kernel"},
        {SUMMED, "", "stage", "", "a[i][k] in S1: it stands in no kernel"},
        {SUMMED, MAPPED, "stage", "stage a at=jb; stage b at=jb", ""},
        {SUMMED, MAPPED, "hoist", "", "every serial loop around it is in its subscripts"},
        {SUMMED, MAPPED, "pack", "pack a at=k0; pack b at=k0",
         "c[ib * 16 + it][jb * 16 + jt] in S2: the kernel writes c"},
        {SUMMED, MAPPED, "transpose", "", "neighbouring threads (jt) read the same element"},
        {SUMMED, MAPPED, "define", "define n multiple=32; define p multiple=32", ""},
        {POINTS, LINES, "transpose", "transpose x at=k0 order=1,0",
         "y[j][d] in S0: neighbouring threads (it) read the same element"},
        {POINTS, LINES, "hoist", "hoist o at=d; hoist x at=j", "y[j][d] in S0: every serial loop around it"},
        {POINTS, LINES "hoist x at=j as=xr\nhoist o at=d as=sum", "splitk", "",
         "results are stored in j: it is no sum over all of it"},
        {POINTS, LINES, "stage", "stage y at=ib",
         "x[ib * 32 + it][d] in S0: each thread names its own element"},
        {POINTS, "", "pipeline", "", "i: its body does not begin with copies into buffers"},
        {POINTS, "", "vectorize", "", "the nest: nothing is copied"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Compile *c = compile_new();
        Nest *n = steps_of(c, cases[k].source, cases[k].before);
        Sites v = sites_of(c, n, rule_named(cases[k].rule));
        assert_string_equal(joined(&v), cases[k].sites);
        bool told = !*cases[k].missed;
        for (int i = 0; i < v.missed.n; i++) told = told || strstr(v.missed.at[i], cases[k].missed);
        if (!told) fail_msg("%s on %s: nobody said '%s' but '%s'", cases[k].rule, cases[k].before,
                            cases[k].missed, v.missed.n ? v.missed.at[0] : "nothing");
        compile_free(c);
    }
}

// x[i] = y0[i] + y0[i+1] + … with n references in one statement each.
static const Nest *wide(Compile *c, int n) {
    Text t = text_new(c->arena);
    text_put(&t, "sculpt 1 region wide sculpt { param n: i32 = \"n\" array y[?]: f32 = \"y\" "
             "array x[?]: f32 = \"x\" live do { for i: i32 = 0 .. n {");
    for (int k = 0; k < n; k++) text_printf(&t, " S%d[i]", k);
    text_put(&t, " } }");
    for (int k = 0; k < n; k++) text_printf(&t, " stmt S%d[i]: x[i + %d * n] = y[i + %d]", k, k, k);
    text_put(&t, " }");
    IrFile *f = ir_parse(c, "wide", text_str(&t));
    if (!f) fail_msg("%s", last_diag(c));
    Nest *nest = NEW(c->arena, Nest);
    *nest = (Nest){.region = f->region, .root = f->region->root, .target = "gpu", .recipe = ""};
    return nest;
}

// Of a processor, so that other work on the machine counts for nothing; the quickest of three turns.
static double seconds_of(int n) {
    static const char *const rules[] = {"hoist", "stage", "transpose", "pack", "splitk"};
    Compile *c = compile_new();
    const Nest *nest = wide(c, n);
    double best = 1e9;
    for (int turn = 0; turn < 3; turn++) {
        double start = time_used();
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            Change ch = {.c = c, .a = c->arena, .nest = nest, .rule = rule_named(rules[k]),
                         .names = {c->arena, nest->region, 0}};
            Sites v = {.a = c->arena};
            ch.rule->find(&(Finder){.ch = &ch, .found = found, .arg = &v});
        }
        double s = time_used() - start;
        best = s < best ? s : best;
    }
    compile_free(c);
    return best;
}

// Sixteen times the references take about sixteen times as long; 256 times would be a square.
static void linear(void **state) {
    (void)state;
    double few = seconds_of(500), many = seconds_of(8000);
    if (many > 90 * few && many > 0.05) fail_msg("1000 references take %g s, 16000 take %g s", few, many);
}

static void references(void **state) {
    (void)state;
    Compile *c = compile_new();
    Nest *n = steps_of(c, SUMMED, MAPPED);
    Refs refs;
    refs_of(c->arena, n->root, &refs);
    assert_int_equal(refs.uses.n, 4); // s a b c, all in the one kernel
    for (int k = 0; k < refs.n; k++) {
        const Ref *r = &refs.at[k];
        assert_non_null(r->kernel);
        assert_int_equal(ref_first_thread(r), 2);
        assert_true(r->loop[0]->how == HOW_BLOCK && r->loop[2]->how == HOW_THREAD);
        if (!str_eq(r->array->name, "b")) continue;
        assert_int_equal(ref_unit(r, r->loop[4]), 0);
        assert_int_equal(ref_unit(r, r->loop[3]), 1);
        assert_false(ref_names(r, r->loop[2]));
        assert_true(refs.uses.at[r->use].read && !refs.uses.at[r->use].written);
    }
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(patterns),
                                       cmocka_unit_test(linear),
                                       cmocka_unit_test(references)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
