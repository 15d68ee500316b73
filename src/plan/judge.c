// SPDX-License-Identifier: MIT
// judge.c -- whether a nest does what its region does: asked of the judge, part by part, or recalled.
#include "dep/flow.h"
#include "dep/relation.h"
#include "ir/poly.h"
#include "plan/auto.h"
#include "rule/loops.h"
#include <string.h>

// The judge looks at the whole tree by itself. It can't confirm what rests on the user's word.
const char plan_marked[] = "the mark says that its iterations may run in any order";

// What was said of nests in this compile, by their texts.
typedef struct Said {
    Digest key;
    Verdict verdict;
    const char *when;        // of the verdict, as text: the nest may be another one by then
} Said;
struct VerdictMemos {
    VEC(Said) at;
};

static const char always[] = "always";

// A text of a verdict that holds for each compile; NULL: there is none. A budget that was not enough is not
// spent again.
static const char *kept_text(Arena *a, Verdict v) {
    bool over = v.answer == ANSWER_UNKNOWN && v.why && str_eq(v.why, OVER_BUDGET);
    if (v.answer == ANSWER_ALWAYS) return always;
    return v.answer == ANSWER_WHEN ? ir_print_expr(a, v.when) : over ? OVER_BUDGET : NULL;
}

static bool read_kept(Compile *c, const Region *r, const char *text, Verdict *v) {
    const char *why;
    if (!text) return false;
    if (str_eq(text, always)) return *v = (Verdict){.answer = ANSWER_ALWAYS}, true;
    if (str_eq(text, OVER_BUDGET)) return *v = (Verdict){.answer = ANSWER_UNKNOWN, .why = OVER_BUDGET}, true;
    Expr *when = ir_parse_expr(c, r, 0, NULL, T_I32, text, &why);
    if (when) *v = (Verdict){.answer = ANSWER_WHEN, .when = when};
    return when != NULL;
}

static bool was_said(Compile *c, const Region *r, Digest key, Verdict *v) {
    if (!c->verdicts) c->verdicts = NEW(c->arena, struct VerdictMemos);
    for (int i = 0; i < c->verdicts->at.n; i++) {
        const Said *s = &c->verdicts->at.at[i];
        if (memcmp(&s->key, &key, sizeof key) != 0) continue;
        Verdict same = s->verdict;
        if (same.answer == ANSWER_WHEN && !read_kept(c, r, s->when, &same)) return false;
        same.why = s->verdict.why;
        same.doubt = s->verdict.doubt;
        return *v = same, true;
    }
    return false;
}

// What was said of a nest, of its text but for what it costs, is true for any call that it is planned for.
static Verdict judged(Compile *c, const Nest *n) {
    Arena *a = c->arena;
    Nest bare = *n;
    bare.recipe = "", bare.reason = NULL, bare.proof = PROOF_BELIEVED, bare.cost = NULL;
    const char *key = arena_printf(a, "verdict|%d|%s|%s", c->unordered, ir_print_region(a, n->region),
                                   ir_print_nest(a, &bare));
    Digest digest = digest_of(key, strlen(key));
    Verdict v;
    if (was_said(c, n->region, digest, &v)) return v;
    if (c->recall && read_kept(c, n->region, c->recall->find(c->recall->arg, a, key), &v)) return v;
    v = dep_judge_nest(c, n);
    const char *text = kept_text(a, v);
    if (c->soon && text && str_eq(text, OVER_BUDGET)) return v;
    if (text && c->recall) c->recall->keep(c->recall->arg, key, text);
    Said said = {digest, v, text};
    vec_push(a, &c->verdicts->at, said);
    return v;
}

bool plan_has_judged(const Compile *c) { return c->verdicts && c->verdicts->at.n; }

static bool is_param(const Region *r, const Sym *s) { return has_pointer(r->nparams, r->params, s); }

static bool names_step(const Nest *whole, const Nest *part, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_SYM && is_param(part->region, x->sym) && !is_param(whole->region, x->sym))
            return true;
    return false;
}

// Does the term hold for all of the part's calls for which its guard and the others do?
static bool is_implied(Compile *c, const Nest *part, int n, Expr *const *term, int at) {
    poly_restart(c);
    Relations *rel = relations_new(c, part->region, part->region->root);
    PolyScope none = {0, NULL};
    isl_set *others = isl_set_copy(rel->ctx), *own = poly_cond(rel->poly, none, term[at], NULL);
    Expr *guard[TERMS_MAX];
    int asked = part->when ? cond_terms(part->when, guard, TERMS_MAX) : 0;
    for (int i = 0; i < n + (asked > 0 ? asked : 0); i++) {
        Expr *x = i < n ? term[i] : guard[i - n];
        isl_set *s = i == at ? NULL : poly_cond(rel->poly, none, x, NULL);
        if (s) others = isl_set_intersect(others, isl_set_params(s));
    }
    own = own ? isl_set_params(own) : NULL;
    bool implied = own && isl_set_is_subset(others, own) == isl_bool_true;
    isl_set_free(others);
    isl_set_free(own);
    return !poly_gave_up(rel->poly) && implied;
}

// What the verdict asks for without what all steps of the host's loops have anyway. A call can't be asked
// about one step: what else names it is not decided.
static Verdict of_all_steps(Compile *c, const Nest *whole, const Nest *part, Verdict v) {
    Expr *term[TERMS_MAX], *when = NULL;
    int n = v.answer == ANSWER_WHEN ? cond_terms(v.when, term, TERMS_MAX) : 0;
    if (v.answer != ANSWER_WHEN || !names_step(whole, part, v.when)) return v;
    for (int i = 0; i < n; i++) {
        bool its = names_step(whole, part, term[i]);
        if (its && !is_implied(c, part, n, term, i)) n = 0;
        if (!its) when = cond_and(c->arena, when, term[i]);
    }
    if (n <= 0)
        return (Verdict){.answer = ANSWER_UNKNOWN, .why = "it is right for some steps of the host's loops"};
    v.when = when;
    v.answer = when ? ANSWER_WHEN : ANSWER_ALWAYS;
    return v;
}

// And each part, for sizes that the whole nest is for.
static Verdict judge_parts(Compile *c, const Nest *n, Verdict all) {
    for (int i = 0; i < n->parts->n && (all.answer == ANSWER_ALWAYS || all.answer == ANSWER_WHEN); i++) {
        Nest part = *n->parts->nest[i];
        part.when = cond_and(c->arena, part.when, n->when);
        Verdict v = of_all_steps(c, n, &part, judged(c, &part));
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
