// SPDX-License-Identifier: MIT
// legal.c -- `sculpt explain --why RULE` and `--legal`: where rules fit, and what the judge says.
//
//   strip i by=32            legal for all sizes
//   interchange k j          refused: S0 … must stay before S0 … (both touch a)
//   collapse j k             does not fit: k has no constant number of iterations …
//   not A[i][k] in S0        it stands in no kernel; map loops to blocks and threads first
#include "driver/driver.h"
#include "ir/verify.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <jansson.h>
#include <string.h>

typedef struct Look {
    Compile *c;
    const Nest *nest;
    const DepInfo *dep;   // of its region; made when it is asked for
    bool legal_only;
    json_t *list;         // --json; NULL: text
    int nsites, nlegal, nmissed;
} Look;

// How well a dependence fits the words of a refusal; 0: not at all.
static int likeness(const Dep *d, const char *why) {
    int named = (strstr(why, d->src.access) != NULL) + (strstr(why, d->dst.access) != NULL);
    if (!named || (!strstr(why, d->src.label) && !strstr(why, d->dst.label))) return 0;
    return 1 + 2 * named + 2 * (d->kind == DEP_FLOW) + (d->carrier != NULL);
}

// The dependence that a refusal speaks of, as the analysis of the region has it: both ends, the
// direction and the distance. "" where the words name none of them.
static const char *dependence(Look *l, const char *why) {
    static const char *const kinds[] = {"flow", "anti", "output", "update"};
    const Dep *best = NULL, *all;
    if (!why) return "";
    if (!l->dep) l->dep = dep_analyze(l->c, l->nest->region);
    int n = dep_list(l->dep, &all), most = 0;
    for (int k = 0; k < n; k++) {
        int score = likeness(&all[k], why);
        if (score > most) most = score, best = &all[k];
    }
    if (!best) return "";
    const DepEnd *x = &best->src, *y = &best->dst;
    return arena_printf(l->c->arena, " [%s dependence: %s %s at %d:%d -> %s %s at %d:%d, distance %s%s%s]",
                        kinds[best->kind], x->label, x->access, x->loc.line, x->loc.col, y->label, y->access,
                        y->loc.line, y->loc.col, best->distance ? best->distance : "not known",
                        best->carrier ? ", carried by " : "", best->carrier ? best->carrier->iter->name : "");
}

static const char *answer_of(Look *l, const Nest *n, bool *legal) {
    Arena *a = l->c->arena;
    Verdict v = dep_judge_nest(l->c, n);
    *legal = v.answer == ANSWER_ALWAYS || v.answer == ANSWER_WHEN;
    if (v.answer == ANSWER_WHEN && recipe_is_worthless(l->c, n->region, n->when, v.when)) {
        *legal = false;
        return arena_printf(a, "refused, but for sizes where %s: %s%s", show_expr(a, v.when),
                            v.why ? v.why : "", dependence(l, v.why));
    }
    // What the rule itself asks for: define, vectorize.
    bool own = n->when && n->when != l->nest->when && !expr_is_int(n->when, 1);
    if (own && v.answer == ANSWER_ALWAYS) return arena_printf(a, "legal when %s", show_expr(a, n->when));
    if (own && v.answer == ANSWER_WHEN)
        return arena_printf(a, "legal when %s && (%s)", show_expr(a, n->when), show_expr(a, v.when));
    switch (v.answer) {
    case ANSWER_ALWAYS: return "legal for all sizes";
    case ANSWER_WHEN: return arena_printf(a, "legal when %s", show_expr(a, v.when));
    case ANSWER_NEVER:
        return arena_printf(a, "refused: %s%s", v.why ? v.why : "no reason given", dependence(l, v.why));
    default: return arena_printf(a, "not decided: %s", v.why ? v.why : "no reason given");
    }
}

// Why the verifier does not take it; NULL: it does.
static const char *broken(Look *l, const Nest *n) {
    Loc where;
    return verify_nest(l->c->arena, nest_closed(l->c->arena, n), &where);
}

static void site(Change *ch, Step *s, void *arg) {
    Look *l = arg;
    (void)ch;
    const char *why = NULL, *text = step_print(l->c->arena, s);
    Nest *n = rule_try(l->c, l->nest, s, &why);
    bool legal = false;
    if (n) why = broken(l, n);
    const char *answer = why ? arena_printf(l->c->arena, "does not fit: %s", why) : answer_of(l, n, &legal);
    l->nsites++;
    l->nlegal += legal;
    if (l->legal_only && !legal) return;
    if (l->list)
        json_array_append_new(l->list, json_pack("{s:s, s:s, s:b, s:s}", "region", l->nest->region->name,
                                                 "step", text, "legal", legal, "answer", answer));
    else printf("  %-34s %s\n", text, answer);
}

// What has not even the pattern, and what it lacks.
static void missed(const char *what, const char *why, void *arg) {
    Look *l = arg;
    l->nmissed++;
    if (l->list)
        json_array_append_new(l->list, json_pack("{s:s, s:s, s:b, s:s}", "region", l->nest->region->name,
                                                 "missed", what, "legal", 0, "answer", why));
    else printf("  %-34s %s\n", arena_printf(l->c->arena, "not %s", what), why);
}

static void look_at(Look *l, const Rule *r) {
    Change ch = {
        .c = l->c, .a = l->c->arena, .nest = l->nest, .rule = r, .names = {l->c->arena, l->nest->region, 0}};
    if (!l->legal_only) ch.missed = missed;
    if (r->find) r->find(&(Finder){.ch = &ch, .found = site, .arg = l});
    else if (!l->legal_only && !l->list) printf("  only you can say where: %s\n", r->usage);
}

static void look_at_nest(Look *l, const Rule *only) {
    int before = l->nsites + l->nmissed;
    if (!l->list)
        printf("%s:%d: %s\n", l->nest->region->loc.file, l->nest->region->loc.line, l->nest->region->name);
    for (const Rule *const *r = rule_catalogue; *r; r++)
        if (!only || *r == only) look_at(l, *r);
    if (l->nsites + l->nmissed == before && only && only->find && !l->list)
        printf("  %s finds no place here\n", only->name);
}

// What is asked about: the region's loops, or the nest that a recipe makes of them.
static const Nest *nest_of(Compile *c, const FrontRegion *r, const Flags *f) {
    const char *text = f->recipe ? file_read(c->arena, f->recipe, NULL) : "";
    if (!text) {
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot read the recipe '%s'", f->recipe);
        return NULL;
    }
    const char *target = recipe_target(c->arena, text);
    Nest *start = plan_start(c, r->region, dep_analyze(c, r->region), target ? target : "gpu");
    RecipeOptions o = {.judging = JUDGE_NONE, .file = f->recipe};
    return start && f->recipe ? recipe_follow(c, start, text, &o) : start;
}

int explain_rules(Compile *c, const Flags *f, const char *why, bool json) {
    const Rule *only = why ? rule_named(why) : NULL;
    if (why && !only)
        return usage_error("explain", "there is no rule '%s'%s; 'sculpt rules' lists them", why,
                           rule_meant(c->arena, why));
    FrontUnit *u = pipeline_front(c, f->inputs.at[0].path, f);
    Look l = {.c = c, .legal_only = !why, .list = json ? json_array() : NULL};
    int nests = 0;
    for (int i = 0; u && i < u->nregions; i++) {
        const FrontRegion *r = &u->regions[i];
        if (!r->region || !ir_verify_region(c, r->region)) continue;
        l.dep = NULL;
        if ((l.nest = nest_of(c, r, f))) look_at_nest(&l, only), nests++;
    }
    if (json) json_dumpf(l.list, stdout, JSON_INDENT(2)), putchar('\n');
    else if (nests && !why)
        printf("%d of %d sites are legal; 'sculpt explain --why RULE' says what is wrong with others\n",
               l.nlegal, l.nsites);
    json_decref(l.list);
    fflush(stdout);
    diags_show(c, 0, f, true);
    if (!nests && !c->errors) say_error(SC_NO_REGION, "%s has no region", f->inputs.at[0].path);
    return nests ? c->errors > 0 : c->errors ? diags_status(c) : 2;
}
