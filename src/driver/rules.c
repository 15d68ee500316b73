// SPDX-License-Identifier: MIT
// rules.c -- `sculpt rules`: the catalogue, or one page of it; proofs that rules keep examples' meaning.
#include "driver/driver.h"
#include "plan/plan.h"
#include "rule/catalogue.h"

static void put_knob(const Knob *k) {
    printf("    %-10s %s", k->name, k->meaning);
    if (k->kind == KNOB_INT || k->kind == KNOB_INTS)
        printf("; %lld to %lld", (long long)k->min, (long long)k->max);
    if (k->kind == KNOB_WORD) printf("; one of %s", k->words);
    if (!k->standard) fputs("; must be given", stdout);
    else if (*k->standard) printf("; %s unless given", k->standard);
    putchar('\n');
}

static void put_picture(const char *picture) {
    for (const char *s = picture; s && *s;) {
        int n = 0;
        while (s[n] && s[n] != '\n') n++;
        printf("    %.*s\n", n, s);
        s += n + (s[n] == '\n');
    }
}

// ---- what they claim -------------------------------------------------------------------------------
// The nest after an example's steps. NULL: it can't be made, or the judge refuses it where that is meant.
static Nest *example_nest(Compile *c, const RuleExample *e) {
    IrFile *f = ir_parse(c, "example", e->source);
    Nest *start = f ? plan_start(c, f->region, dep_analyze(c, f->region), "gpu") : NULL;
    RecipeOptions o = {.judging = e->refusal ? JUDGE_EACH : JUDGE_NONE, .file = "example"};
    return start ? recipe_apply(c, start, arena_printf(c->arena, "%s\n%s\n", e->before, e->step), &o) : NULL;
}

static const char *verdict_text(Compile *c, const Nest *n, const Verdict *v) {
    Expr *when = v->answer == ANSWER_WHEN ? v->when : NULL;
    if (v->answer == ANSWER_NEVER) return arena_printf(c->arena, "REFUTED: %s", v->why);
    if (v->answer == ANSWER_UNKNOWN) return arena_printf(c->arena, "not proved: %s", v->why);
    if (n->when && !(n->when->kind == E_INT && n->when->i))
        when = when ? expr_op(c->arena, OP_LAND, n->when, when, NULL) : n->when;
    if (!when) return "proved for all sizes";
    return arena_printf(c->arena, "proved when %s", ir_print_expr(c->arena, when));
}

typedef struct Claim {
    bool fits, good; // good: proved, at least when…, or refused as it should be
    const char *text;
} Claim;

static Claim claim_of(Compile *c, const RuleExample *e) {
    Nest *n = example_nest(c, e);
    if (!n) return (Claim){false, e->refusal != NULL, e->refusal ? e->refusal : "does not fit"};
    Verdict v = dep_judge_nest(c, n);
    bool proved = v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN;
    return (Claim){true, proved != (e->refusal != NULL), verdict_text(c, n, &v)};
}

// False: an example is not proved.
static bool put_proved(const Rule *r) {
    int fit = 0, proved = 0;
    for (const RuleExample *e = r->examples; e && e->source; e++) {
        Compile *c = compile_new();
        Claim k = claim_of(c, e);
        fit += !e->refusal, proved += !e->refusal && k.good;
        if (!k.good) printf("  %-12s %s: %s\n", r->name, e->step, k.text);
        compile_free(c);
    }
    if (fit) printf("  %-12s %d of %d examples proved\n", r->name, proved, fit);
    else printf("  %-12s no example\n", r->name);
    fflush(stdout);
    return proved == fit;
}

static void put_rule(const Rule *r) {
    printf("%s\n\n  %s\n\n", r->usage, r->summary);
    put_picture(r->picture);
    if (r->nknobs) puts("\n  knobs");
    for (int i = 0; i < r->nknobs; i++) put_knob(&r->knobs[i]);
    for (const RuleExample *e = r->examples; e && e->source; e++) {
        if (e == r->examples) puts("\n  examples");
        Compile *c = compile_new();
        Claim k = claim_of(c, e);
        printf("    %s\n      %s%s\n", e->step, k.fits ? "" : "refused: ", k.text);
        compile_free(c);
    }
}

int rules_main(int argc, char **argv) {
    if (argc == 1 && str_eq(argv[0], "--prove")) {
        bool all = true;
        for (const Rule *const *r = rule_catalogue; *r; r++) all &= put_proved(*r);
        return !all;
    }
    if (argc > 1) return usage_error("rules", "it takes the name of one rule, or none");
    if (argc == 1) {
        const Rule *r = rule_named(argv[0]);
        if (r) return put_rule(r), 0;
        Arena *a = arena_new();
        usage_error("rules", "there is no rule '%s'%s; 'sculpt rules' lists them", argv[0],
                    rule_meant(a, argv[0]));
        arena_free(a);
        return 2;
    }
    for (const Rule *const *r = rule_catalogue; *r; r++) printf("  %-12s %s\n", (*r)->name, (*r)->summary);
    puts("\nsculpt rules NAME says more, and what of its examples is proved, --prove that of all; a recipe "
         "is one step a line, as 'sculpt apply' takes them.");
    return 0;
}
