// SPDX-License-Identifier: MIT
// inclusion.c -- `sculpt bench inclusion`: which optional steps of a recipe pay here, at these
// sizes, by measuring; and the same for rungs that take the pattern rules' recipe.
//
//   matmul, n = 1024: 4 ways of define stage, 6.1 s
//     define stage               0.61 ms  the best
//     stage                      0.62 ms
//     define                     1.90 ms  given up
#include "bench/inclusion.h"
#include "bench/patterns.h"
#include "bench/variants.h"
#include <string.h>

// ---- the recipe -------------------------------------------------------------------------------------
const char *inclusion_recipe(Bench *b, const Case *k, bool reassociate, const char **why) {
    Compile *c = compile_new();
    c->reassociate = reassociate;
    IrFile *f = ir_parse(c, k->name, k->text);
    const char *text = NULL;
    if (f) {
        const DepInfo *d = dep_analyze(c, f->region);
        text = patterns_recipe(c, d, patterns_of(c, f->region, d), k->nvals, k->vals);
    }
    if (text) text = arena_strdup(b->a, text);
    else *why = arena_strdup(b->a, c->diags.n ? c->diags.at[c->diags.n - 1].text : "no pattern rule applies");
    compile_free(c);
    return text;
}

static Cache *open_cache(Bench *b) {
    const char *why;
    if (!b->cache_tried) b->cache_tried = true, b->cache = cache_open(b->a, &why);
    return b->cache;
}

bool inclusion_set(Bench *b, Case *k, Trial *t, Inclusion *x) {
    TrialOptions o = bench_timing(b);
    if (o.pairs > 5) o.pairs = 5;
    o.budget_s = o.budget_s > 0 ? o.budget_s : 1;
    if (!inclusion_decide(k, t, &o, open_cache(b), b->again, x))
        return t->why = "no way to leave optional steps out gives a right result", false;
    t->without = x->without;
    return true;
}

// ---- telling -----------------------------------------------------------------------------------------
const char *inclusion_names(Arena *a, const Inclusion *x, uint32_t with) {
    Text t = text_new(a);
    for (int i = 0; i < x->n; i++)
        if (with >> i & 1) text_printf(&t, "%s%s", t.n ? " " : "", x->name[i]);
    return t.n ? arena_strdup(a, text_str(&t)) : "none";
}

static void put_way(Bench *b, const Inclusion *x, const Included *w) {
    printf("  %-36s", inclusion_names(b->a, x, w->with));
    if (w->same >= 0)
        printf("            the same as %s\n", inclusion_names(b->a, x, x->tried.at[w->same].with));
    else if (w->why) printf("            NONE: %s\n", w->why);
    else if (w->skipped) printf("            given up after one run\n");
    else printf(" %10.4f ms%s\n", 1e3 * w->seconds, w->with == x->best ? "  the best" : "");
}

static void put_json(Bench *b, const char *name, const char *size, const Case *k, const Inclusion *x) {
    Text j = json_open(b->a);
    json_text(&j, "kind", "inclusion");
    json_text(&j, "program", name);
    json_text(&j, "size", size);
    json_text(&j, "device", k->lab->info->name);
    json_text(&j, "optional", inclusion_names(b->a, x, (1u << x->n) - 1));
    json_text(&j, "kept", inclusion_names(b->a, x, x->best));
    json_bool(&j, "remembered", x->remembered);
    json_number(&j, "tried", x->tried.n);
    json_number(&j, "seconds", x->seconds > 0 ? x->seconds : -1);
    json_close(b, &j);
}

static void put(Bench *b, const char *source, const char *size, const Case *k, const Inclusion *x,
                double seconds) {
    const char *name = patterns_name(b->a, source);
    put_json(b, name, size, k, x);
    if (str_eq(b->out, "-")) return;
    printf("%s, n = %s on %s: ", name, size, k->lab->info->name);
    if (!x->n) printf("nothing is optional\n");
    else if (x->remembered) printf("%s; remembered from an earlier run\n", inclusion_names(b->a, x, x->best));
    else printf("%d ways of %s in %.1f s\n", x->tried.n, inclusion_names(b->a, x, (1u << x->n) - 1), seconds);
    for (int i = 0; i < x->tried.n; i++) put_way(b, x, &x->tried.at[i]);
}

// ---- the verb ----------------------------------------------------------------------------------------
static void one(Bench *b, const char *source, const char *size, const char *set, const char *permit) {
    const char *why = NULL, *text, *file = NULL;
    SettingVec more = {0};
    if (set && !str_eq(set, "-")) settings_read(b->a, set, &more);
    Case *k = bench_case(b, b->lab, source, size, &more, &why);
    bool reassociate = b->reassociate || (permit && strstr(permit, "reassociate"));
    if (!k) text = NULL;
    else if (b->recipes.n) text = variant_recipe(b, b->recipes.at[0], &file);
    else text = inclusion_recipe(b, k, reassociate, &why);
    if (text) {
        Trial t = {.name = source,
                   .kind = TRIAL_RECIPE,
                   .text = text,
                   .file = file,
                   .judging = b->judging,
                   .images = b->images,
                   .reassociate = reassociate,
                   .fast_math = b->fast_math || (permit && strstr(permit, "fast-math"))};
        Inclusion x;
        double start = time_now();
        bool ok = inclusion_set(b, k, &t, &x);
        put(b, source, size, k, &x, time_now() - start);
        if (!ok) b->failed++, fprintf(stderr, "bench: %s at %s: %s\n", source, size, t.why);
    } else {
        b->failed++;
        fprintf(stderr, "bench: %s at %s: %s\n", source, size, why ? why : "there is no such recipe");
    }
    if (k) case_free(k);
}

// The rungs of a ladder that ask for it, at their own sizes.
static int of_ladder(Bench *b, const char *name) {
    Ladder *l = ladder_read(b, name);
    for (int i = 0; l && i < l->rungs.n; i++) {
        const Rung *r = &l->rungs.at[i];
        if (!r->patterns || r->cpu || (b->only && !strstr(r->name, b->only))) continue;
        Texts own = {0};
        const Texts *sizes = b->sizes.n ? &b->sizes : &own;
        if (!b->sizes.n) bench_sizes(b->a, r->sizes, &own);
        for (int s = 0; s < sizes->n && !bench_is_late(b); s++)
            one(b, r->source, sizes->at[s], r->set, r->permit);
    }
    return !l || b->failed > 0;
}

int bench_inclusion(Bench *b) {
    if (!bench_lab(b, false)) return 1;
    if (!b->sources.n) return of_ladder(b, b->words.n ? b->words.at[0] : "talk");
    if (!b->sizes.n) bench_sizes(b->a, "1024", &b->sizes);
    for (int s = 0; s < b->sources.n; s++)
        for (int i = 0; i < b->sizes.n && !bench_is_late(b); i++)
            one(b, b->sources.at[s], b->sizes.at[i], NULL, NULL);
    return b->failed > 0;
}
