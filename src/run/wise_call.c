// SPDX-License-Identifier: MIT
// wise_call.c -- calls ask the wisdom: which row, and the nest that its recipe makes.
//
// The rows of a region are read once, when its first call needs a nest. A row's nest is made where nests are
// planned (planned.c): its steps are applied to the region as it is now, and the judge proves the result or
// it does not run. The variant that comes of it carries the row's number, and calls that the row is the
// nearest for take it before all others.
#include "run/state.h"
#include "run/wisdom.h"
#include "run/wise.h"
#include "plan/plan.h"
#include <string.h>

// ---- rows of a region --------------------------------------------------------------------------------
static void read_rows(Run *r, Unit *u) {
    const char *why = "";
    u->wise = NEW(u->c->arena, WiseRows);
    if (r->set.wise == WISE_OFF) return;
    if (!r->wisdom) {
        r->wisdom = wise_files(r->arena, &why);
        if (*why) report_warning(r, SC_WISDOM, "%s", why);
    }
    char *region = digest_text(u->c->arena, wisdom_region(u->text));
    wise_all(r->wisdom, u->c->arena, region, &u->wise->rows, &why);
    if (*why) report_warning(r, SC_WISDOM, "%s", why);
    if (!u->wise->rows.n) return;
    u->wise->key.region = region;
    wise_device(u->c->arena, r->info, &u->wise->key);
    const char *text = wise_print(u->c->arena, &(WiseAll){.rows = u->wise->rows});
    u->wise->digest = digest_of(text, strlen(text));
}

Digest wise_digest(Run *r, Unit *u) {
    if (!u->wise) read_rows(r, u);
    return u->wise->digest;
}

static int64_t align_of(const Unit *u, const sculpt_arg *args) {
    uintptr_t all = 4096;
    for (int i = 0; i < u->nobjects; i++) all |= (uintptr_t)args[i].p;
    return (int64_t)(all & -all);
}

WiseHit wise_hit(Run *r, Unit *u, const sculpt_arg *args) {
    WiseHit none = {NULL, WISE_LEVELS, 0};
    if (!u->wise) read_rows(r, u);
    if (!u->wise->rows.n) return none;
    Arena *a = arena_new();
    const Region *x = u->region;
    InterpVal *v = NEW_N(a, InterpVal, x->nparams + 1);
    for (int i = 0; i < x->nparams; i++)
        v[i] = (InterpVal){.sym = x->params[i], .i = args[u->nobjects + i].i};
    WiseKey k = u->wise->key;
    k.sizes = wise_sizes(a, x->nparams, v);
    k.align = align_of(u, args);
    WiseHit hit = wise_match(u->wise->rows.n, u->wise->rows.at, &k);
    arena_free(a);
    return hit;
}

uint64_t wise_number(const Wise *row, Travel travel) {
    if (!row || !*row->recipe) return 0;
    uint64_t away = travel != TRAVEL_NONE, h = hash_bytes(row->recipe, strlen(row->recipe), away);
    return hash_bytes(row->key.sizes, strlen(row->key.sizes), h) | 1;
}

void wise_tell(Unit *u, const WiseHit *h) {
    WiseRows *w = u->wise;
    if (!w || !w->rows.n || (w->told && w->last == h->row)) return;
    w->told = true, w->last = h->row;
    fprintf(stderr, "sculpt: %s:%d: wisdom: ", u->file, u->line);
    if (!h->row) fprintf(stderr, "miss, none of %d rows is near\n", w->rows.n);
    else
        fprintf(stderr, "hit, by %s, %s%s%s\n", wise_level_word(h->level),
                h->distance == 0 ? "these sizes" : "near sizes, ", h->distance == 0 ? "" : h->row->key.sizes,
                *h->row->recipe ? "" : ": the planner's choice");
}

void wise_log(const Run *r, const Unit *u, const sculpt_arg *args) {
    Arena *a = arena_new();
    Text t = text_new(a);
    for (int i = 0; i < u->region->nparams; i++) {
        const Sym *s = u->region->params[i];
        if (type_is_int(s->type))
            text_printf(&t, "%s%s=%lld", t.n ? "; " : "", s->name, args[u->nobjects + i].i);
    }
    fprintf(stderr, "sculpt tune %s:%d --device %s --sizes \"%s\"\n", u->file, u->line, r->info->spec,
            text_str(&t));
    arena_free(a);
}

// ---- a row's nest ------------------------------------------------------------------------------------
static bool is_proved(Compile *c, Nest *n, const PlanCall *k) {
    return plan_judge(c, n) && n->proof == PROOF_PROVED && k->pick(c, 1, &n, k->arg) == 0;
}

static const Nest *from_steps(Compile *c, const Region *r, const PlanCall *k, const char *recipe) {
    const DepInfo *d = dep_analyze(c, r);
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "wisdom"};
    const Nest *start = plan_start(c, r, d, k->target);
    Nest *n = start ? recipe_apply(c, start, recipe, &o) : NULL;
    if (n) n->reason = NULL;
    return n && is_proved(c, n, k) ? n : NULL;
}

// One of the planner's that no recipe makes again: planned again, and found by its tree.
static const Nest *from_planner(Compile *c, const Region *r, const PlanCall *k, const char *digest) {
    static const int most[] = {8, 20}; // as many shapes as tuning asks for (tune/space.c)
    Nest *chain[PLAN_VARIANTS + 1];
    for (size_t round = 0; round < 2; round++) {
        const DepInfo *d = dep_analyze(c, r);
        PlanCall call = *k;
        call.most = most[round];
        Nest *standard = plan_default(c, r, d, &(PlanOptions){k->target, .asserted = true});
        if (!standard) return NULL;
        int n = plan_chain(c, r, d, &call, standard, chain, PLAN_VARIANTS);
        chain[n++] = standard;
        for (int i = 0; i < n; i++) {
            const char *text = ir_print_node(c->arena, chain[i]->root, 0);
            if (str_eq(digest_text(c->arena, digest_of(text, strlen(text))), digest))
                return plan_is_trusted(c, chain[i], standard) && k->pick(c, 1, &chain[i], k->arg) == 0
                           ? chain[i]
                           : NULL;
        }
    }
    return NULL;
}

const Nest *wise_nest(Compile *c, const Region *r, const PlanCall *k, const char *recipe) {
    static const char planned[] = "planned ";
    int diags = c->diags.n, errors = c->errors;
    const Nest *n = str_has_prefix(recipe, planned) ? from_planner(c, r, k, recipe + strlen(planned))
                                                    : from_steps(c, r, k, recipe);
    c->diags.n = diags, c->errors = errors; // what does not fit any longer is no error of the user's
    return n;
}
