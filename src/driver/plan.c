// SPDX-License-Identifier: MIT
// plan.c -- `sculpt plan`: the nests that a region could run as, what the model says each costs, and which
// one runs.
//
//     price    estimate  bounded by         blocks x threads  shared  together  made by
//   1 2.66 ms  2.58 ms   instruction issue  512 x 256         48 KiB  1         j/256 i/128 k/16, pack A  <- runs
#include "driver/explain.h"
#include "model/model.h"
#include <jansson.h>
#include <math.h>
#include <string.h>

typedef struct Candidate {
    const Nest *nest;
    const char *made;   // its recipe, in short
    const char *why;    // it can't run at these sizes; NULL
    double estimate;    // seconds, by its own formula; < 0: it has none
    Price price;
} Candidate;

typedef struct Planned {
    const Part *part;
    Advised *runs;       // with the sizes
    int n, first, least; // candidates; the one that runs, the cheapest by price; -1: none
    Candidate at[ADVICE_CHAIN];
    PlanFit fit[PLAN_FAMILIES];
} Planned;

// ---- what a recipe says in few words --------------------------------------------------------------
static bool is_word(const char *line, const char *word) {
    return str_has_prefix(line, word) && line[strlen(word)] == ' ';
}

// Is it a step of most recipes, of which nothing is said?
static bool is_usual(const char *line) {
    static const char *const usual[] = {"define", "interchange", "map", "stage", "vectorize", "unroll",
                                        "hoist", "close", "pays", "pipeline", "rotate", "guard", "strip",
                                        "target", "edge", "epilogue", "bounds", "chunk", "distribute"};
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (is_word(line, usual[k])) return true;
    return false;
}

static bool is_loop(const Region *r, const char *name, size_t n) {
    for (int i = 0; i < r->nstmts; i++)
        for (int k = 0; k < r->stmts[i]->depth; k++) {
            const char *iter = r->stmts[i]->iters[k]->name;
            if (strlen(iter) == n && strncmp(iter, name, n) == 0) return true;
        }
    return false;
}

// strip j by=256 as=xb,x1 of one of the region's own loops: j/256. Else the step; NULL: nothing.
static const char *in_short(Arena *a, const Region *r, const char *line) {
    const char *name = line + strlen("strip "), *by = strstr(line, " by=");
    bool strips = is_word(line, "strip") && by && is_loop(r, name, strcspn(name, " "));
    if (strips)
        return arena_printf(a, "%.*s/%.*s", (int)strcspn(name, " "), name, (int)strcspn(by + 4, " "), by + 4);
    if (is_usual(line) || !*line) return NULL;
    size_t n = strcspn(line, "="); // the words before the first knob
    if (line[n])
        while (n > 0 && line[n] != ' ') n--;
    return arena_printf(a, "%.*s%.*s", (int)n, line, by ? (int)(4 + strcspn(by + 4, " ")) : 0, by ? by : "");
}

static const char *made_by(Arena *a, const Nest *n) {
    enum { MOST = 72 };
    Text t = text_new(a);
    bool stripped = false;
    char *left = arena_strdup(a, n->recipe ? n->recipe : "");
    for (char *line = left, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = 0;
        const char *word = in_short(a, n->region, line);
        if (!word || (t.n && strstr(text_str(&t), word))) continue;
        if (t.n > MOST) return text_printf(&t, " …"), text_str(&t);
        bool strips = strchr(word, '/') != NULL;
        text_printf(&t, "%s%s", !t.n ? "" : strips && stripped ? " " : ", ", word);
        stripped = strips;
    }
    return t.n ? text_str(&t) : n->recipe && *n->recipe ? "the steps below" : "the standard nest";
}

// ---- one region ------------------------------------------------------------------------------------
static void price(Compile *c, const Advice *d, Planned *p, int n, Nest *const *chain, int k) {
    Candidate *x = &p->at[p->n];
    Advised *at = p->runs;
    *x = (Candidate){chain[k], made_by(c->arena, chain[k]), advice_lacks(c, d, at, n, chain, k)};
    x->estimate = advice_estimate(d, at, x->nest);
    if (x->why) return;
    x->price = model_price(model_priced(c->arena, x->nest, d->m), at->nvals, at->vals);
    if (x->price.why) x->why = x->price.why;
}

static Planned *planned(Compile *c, const Advice *d, const Part *part) {
    Planned *p = NEW(c->arena, Planned);
    Nest *chain[ADVICE_CHAIN];
    int n = advice_chain(c, part, false, chain);
    *p = (Planned){.part = part, .runs = advice_of(c, d, part, false), .first = -1, .least = -1};
    plan_fits(c, part->front->region, part->dep, p->fit);
    for (int i = 0; i < n && p->runs; i++) {
        if (!str_eq(chain[i]->target, d->m->kind)) continue;
        price(c, d, p, n, chain, i);
        const Candidate *x = &p->at[p->n];
        if (p->runs->nest == chain[i]) p->first = p->n;
        if (!x->why && (p->least < 0 || x->price.seconds < p->at[p->least].price.seconds)) p->least = p->n;
        p->n++;
    }
    return p;
}

// ---- text -------------------------------------------------------------------------------------------
static void put_shape(Arena *a, const Price *p) {
    const KernelCost *k = p->most;
    int64_t together = 0;
    for (int i = 0; i < p->cost->nkernels; i++)
        if (p->cost->kernels[i] == k) together = p->cost->times[i].occupancy.blocks;
    printf("  %-18s %6.4g KiB %8lld",
           arena_printf(a, "%lld x %lld", (long long)k->blocks, (long long)k->threads),
           (double)k->shared / 1024, (long long)together);
}

// One or two words.
static const char *bound_name(Limit l) { return l == BOUND_L1 ? "first-level cache" : limit_name(l); }

static void put_candidate(Arena *a, const Planned *p, int i) {
    const Candidate *x = &p->at[i];
    const char *estimate = x->estimate < 0 ? "-" : figure_seconds(a, x->estimate);
    if (x->why) {
        printf("  %2d  -         %-9s  %s (%s)\n", i + 1, estimate, x->why, x->made);
        return;
    }
    printf("  %2d  %-9s %-9s  %-17s", i + 1, figure_seconds(a, x->price.seconds), estimate,
           x->price.most ? bound_name(x->price.bound) : "nothing is launched");
    if (x->price.most) put_shape(a, &x->price);
    printf("  %s%s\n", x->made, i == p->first ? "  <- runs" : "");
}

static void put_steps(const Candidate *x, bool whole) {
    enum { WIDE = 100 };
    for (const char *s = x->nest->recipe; s && *s;) {
        int n = (int)strcspn(s, "\n"), some = whole || n <= WIDE ? n : WIDE;
        printf("      %.*s%s\n", some, s, some < n ? " …" : "");
        s += n + (s[n] == '\n');
    }
}

static void put_choice(Arena *a, const Planned *p) {
    if (p->first < 0) return (void)printf("  nothing runs on the device: %s\n", p->runs->why);
    const Candidate *x = &p->at[p->first];
    printf("  %d runs: %s\n", p->first + 1,
           x->estimate >= 0 ? "its estimate is the least of those that may run"
           : x->nest->cost  ? "it is the first that may run; only the data tell its estimate"
           : p->n > 1       ? "it is the first that may run and has no estimate"
                            : "there is no other");
    if (p->least >= 0 && p->least != p->first)
        printf("  by the model %d would be quicker: %s, not %s\n", p->least + 1,
               figure_seconds(a, p->at[p->least].price.seconds), figure_seconds(a, x->price.seconds));
}

static void put_region(Compile *c, const Advice *d, const Planned *p, bool recipes) {
    Loc at = p->part->front->loc;
    printf("%s:%d:%d: %s on %s", at.file, at.line, at.col, p->part->front->region->name, d->m->name);
    if (!p->runs || !p->n) return (void)printf(": nothing to choose from, the loops stay on the host\n\n");
    printf("%s%s%s\n", p->runs->sizes && *p->runs->sizes ? " at " : "", p->runs->sizes ? p->runs->sizes : "",
           p->runs->assumed ? " (assumed)" : "");
    puts("      price     estimate   bounded by         blocks x threads       shared together  made by");
    for (int i = 0; i < p->n; i++) {
        put_candidate(c->arena, p, i);
        if (recipes || i == p->first) put_steps(&p->at[i], recipes);
    }
    put_choice(c->arena, p);
    for (int i = 0; i < PLAN_FAMILIES; i++)
        if (p->fit[i].why) printf("  no %s: %s\n", p->fit[i].family, p->fit[i].why);
    putchar('\n');
}

// ---- json -------------------------------------------------------------------------------------------
static json_t *json_of(const Candidate *x, bool runs) {
    json_t *o = json_pack("{s:s, s:b, s:s}", "made_by", x->made, "runs", runs, "recipe",
                          x->nest->recipe ? x->nest->recipe : "");
    if (x->estimate >= 0) json_object_set_new(o, "estimate_s", json_real(x->estimate));
    if (x->why) return json_object_set_new(o, "why_not", json_string(x->why)), o;
    json_object_set_new(o, "price_s", json_real(x->price.seconds));
    if (!x->price.most) return o;
    const KernelCost *k = x->price.most;
    json_object_set_new(o, "bounded_by", json_string(limit_name(x->price.bound)));
    json_object_set_new(o, "kernel",
                        json_pack("{s:s, s:I, s:I, s:I}", "name", k->name, "blocks", (json_int_t)k->blocks,
                                  "threads", (json_int_t)k->threads, "shared", (json_int_t)k->shared));
    return o;
}

static json_t *json_region(const Planned *p) {
    json_t *o = json_pack("{s:s, s:i, s:[]}", "region", p->part->front->region->name, "line",
                          p->part->front->loc.line, "candidates");
    if (p->runs && p->runs->sizes) json_object_set_new(o, "sizes", json_string(p->runs->sizes));
    if (p->runs && p->runs->why) json_object_set_new(o, "why_none", json_string(p->runs->why));
    for (int i = 0; i < p->n; i++)
        json_array_append_new(json_object_get(o, "candidates"), json_of(&p->at[i], i == p->first));
    json_t *not = json_object();
    for (int i = 0; i < PLAN_FAMILIES; i++)
        if (p->fit[i].why) json_object_set_new(not, p->fit[i].family, json_string(p->fit[i].why));
    json_object_set_new(o, "does_not_fit", not);
    return o;
}

// ---- the words ----------------------------------------------------------------------------------------
static int plan_files(Compile *c, Flags *f, Advice *d, bool recipes) {
    json_t *all = json_array();
    Unit **units = NEW_N(c->arena, Unit *, f->inputs.n);
    int n = 0;
    for (int i = 0; i < f->inputs.n; i++)
        if ((units[n] = pipeline_read(c, f->inputs.at[i].path, f))) n++;
    advice_unknown(c, d, n, units);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < units[i]->nparts && !c->errors; k++) {
            if (!units[i]->parts[k].dep) continue; // the remarks say why
            const Planned *p = planned(c, d, &units[i]->parts[k]);
            if (d->json) json_array_append_new(all, json_region(p));
            else put_region(c, d, p, recipes);
        }
    if (d->json) explain_put(all);
    else json_decref(all);
    fflush(stdout);
    if (!d->json) diags_show(c, 0, f, true);
    return advice_status(c);
}

int plan_main(int argc, char **argv) {
    Compile *c = compile_new();
    Advice d = {0};
    const char *why = "a C file is needed", *stray;
    char **rest = NEW_N(c->arena, char *, argc + 1);
    bool recipes = false;
    int n = 0, status = 2;
    for (int i = 0; i < argc; i++) {
        const char *wrong = NULL;
        bool mine = str_has_prefix(argv[i], "--machine") || str_has_prefix(argv[i], "--arg") ||
                    str_eq(argv[i], "--json");
        int used = mine ? advice_word(c->arena, &d, i, argc, argv, &wrong) : 0;
        if (wrong) return compile_free(c), usage_error("plan", "%s", wrong);
        if (used > 0) i += used - 1;
        else if (str_eq(argv[i], "--recipes")) recipes = true;
        else rest[n++] = argv[i];
    }
    Flags *f = flags_parse(c->arena, n, rest, &why);
    if (f && (stray = flags_stray(c->arena, f, "plan"))) usage_stray("plan", stray);
    else if (!f || !f->inputs.n) usage_error("plan", "%s", why);
    else if (advice_begin(c, "plan", &d)) status = plan_files(c, f, &d, recipes);
    compile_free(c);
    return status;
}
