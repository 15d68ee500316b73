// SPDX-License-Identifier: MIT
// judge.c -- whether a nest does what its region does: asked of the judge, part by part, or recalled.
#include "plan/auto.h"
#include "rule/loops.h"

// The judge looks at the whole tree by itself. It can't confirm what rests on the user's word.
const char plan_marked[] = "the mark says that its iterations may run in any order";

// What was proved of a nest, of its text but for what it costs, is true for any call that it is planned for.
static Verdict judged(Compile *c, const Nest *n) {
    static const char always[] = "always";
    if (!c->recall) return dep_judge_nest(c, n);
    Arena *a = c->arena;
    Nest bare = *n;
    bare.recipe = "", bare.reason = NULL, bare.proof = PROOF_BELIEVED, bare.cost = NULL;
    const char *key = arena_printf(a, "verdict|%d|%s|%s", c->unordered, ir_print_region(a, n->region),
                                   ir_print_nest(a, &bare));
    const char *known = c->recall->find(c->recall->arg, a, key), *why;
    bool is_always = known && str_eq(known, always);
    if (is_always) return (Verdict){.answer = ANSWER_ALWAYS};
    Expr *when = known ? ir_parse_expr(c, n->region, 0, NULL, T_I32, known, &why) : NULL;
    if (when) return (Verdict){.answer = ANSWER_WHEN, .when = when};
    Verdict v = dep_judge_nest(c, n);
    const char *text = v.answer == ANSWER_ALWAYS ? always
                       : v.answer == ANSWER_WHEN ? ir_print_expr(a, v.when)
                                                 : NULL;
    if (text) c->recall->keep(c->recall->arg, key, text);
    return v;
}

// And each part, for sizes that the whole nest is for.
static Verdict judge_parts(Compile *c, const Nest *n, Verdict all) {
    for (int i = 0; i < n->parts->n && (all.answer == ANSWER_ALWAYS || all.answer == ANSWER_WHEN); i++) {
        Nest part = *n->parts->nest[i];
        part.when = cond_and(c->arena, part.when, n->when);
        Verdict v = judged(c, &part);
        Expr *when = v.answer == ANSWER_WHEN ? cond_and(c->arena, all.when, v.when) : all.when;
        all.answer = v.answer == ANSWER_ALWAYS ? all.answer : v.answer;
        all.when = when;
        all.why = v.why ? v.why : all.why;
    }
    return all;
}

static void add_when(Compile *c, Nest *n, const Verdict *v) {
    if (v->answer == ANSWER_WHEN) n->when = cond_and(c->arena, n->when, v->when);
}

bool plan_parts_hold(Compile *c, Nest *n) {
    if (!n->parts || n->parts->cut) return false;
    Verdict v = judge_parts(c, n, (Verdict){.answer = ANSWER_ALWAYS});
    add_when(c, n, &v);
    return v.answer == ANSWER_ALWAYS || (v.answer == ANSWER_WHEN && v.when);
}

bool plan_judge(Compile *c, Nest *n) {
    if (n->reason == plan_marked) return true;
    Verdict v = n->parts ? judge_parts(c, n, judged(c, n->parts->plainer)) : judged(c, n);
    n->proof = v.answer == ANSWER_UNKNOWN ? PROOF_BELIEVED : PROOF_PROVED;
    n->reason = v.answer == ANSWER_UNKNOWN ? v.why ? v.why : "the judge can't tell" : NULL;
    add_when(c, n, &v);
    if (v.answer != ANSWER_NEVER) return true;
    diag(c, DIAG_WARNING, SC_BUG, n->region->loc,
         "a kernel planned for these loops is left out, because it would not do what they do: %s", v.why);
    return false;
}

bool plan_confirmed(Compile *c, Nest *n) {
    n->proof = PROOF_BELIEVED;
    return !c->confirm || plan_judge(c, n);
}
