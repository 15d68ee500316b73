// SPDX-License-Identifier: MIT
// plan.c -- `sculpt plan`: the nests that a region could run as, what the model says each costs, and which
// one runs.
//
//     price    estimate  bounded by         blocks x threads  shared  together  made by
//   1 2.66 ms  2.58 ms   instruction issue  512 x 256         48 KiB  1         j/256 i/128, pack A  <- runs
#include "driver/explain.h"
#include "report/choices.h"
#include <jansson.h>
#include <string.h>

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
static Candidate priced(Compile *c, const Advice *d, const Advised *at, int k) {
    Candidate x = {at->chain[k], made_by(c->arena, at->chain[k]), advice_lacks(c, d, at, k)};
    x.estimate = advice_estimate(c, d, at, x.nest);
    if (x.why) return x;
    x.price = model_price(model_priced(c->arena, x.nest, d->m), at->nvals, at->vals);
    x.why = x.price.why;
    return x;
}

static Misfit *misfits(Compile *c, const Part *part, int *n) {
    PlanFit fit[PLAN_FITS];
    Misfit *out = NEW_N(c->arena, Misfit, PLAN_FITS);
    int fits = plan_fits(c, part->front->region, part->dep, fit);
    *n = 0;
    for (int i = 0; i < fits; i++)
        if (fit[i].why) out[(*n)++] = (Misfit){fit[i].family, fit[i].why};
    return out;
}

// The judge's word on the nest that runs, the k-th of the chain, as a call would have it.
static const char *verdict_of(Compile *c, const Advice *d, Advised *at, int k, const Part *part) {
    const Nest *n = at->chain[k];
    Nest *judged = NEW_AS(c->arena, Nest, *n);
    double t = time_now();
    const Nest *standard = str_eq(n->target, "cpu") ? part->cpu : part->gpu;
    bool runs = plan_is_trusted(c, judged, !standard || n == standard ? judged : standard);
    at->chain[k] = judged; // for sizes of which the judge is sure
    const char *word = !runs ? judged->proof == PROOF_BELIEVED ? "not decided, another one runs"
                                                               : "refuted, it will not run"
                       : advice_lacks(c, d, at, k) ? "right for other sizes alone, another one runs"
                                                   : show_proof(judged->proof);
    return arena_printf(c->arena, "%s%s%s, judged in %s", word, judged->reason ? ": " : "",
                        judged->reason ? judged->reason : "", figure_seconds(c->arena, time_now() - t));
}

static const Choices *choices_of(Compile *c, const Advice *d, const Part *part, bool verdict) {
    Choices *s = NEW(c->arena, Choices);
    enum { MOST = 8 }; // shapes of a contraction
    Advised *runs = advice_of(c, d, part, false, MOST);
    *s = (Choices){.region = part->front->region->name,
                   .machine = d->m->name,
                   .loc = part->front->loc,
                   .first = -1,
                   .least = -1};
    s->misfits = misfits(c, part, &s->nmisfits);
    if (!runs) return s;
    s->sizes = runs->sizes && *runs->sizes ? runs->sizes : NULL;
    s->assumed = runs->assumed != NULL;
    s->why_none = runs->why;
    Candidate *at = NEW_N(c->arena, Candidate, runs->nchain + 1);
    s->at = at;
    int first = -1;
    for (int i = 0; i < runs->nchain; i++) {
        if (!str_eq(runs->chain[i]->target, d->m->kind)) continue;
        Candidate *x = &at[s->n];
        *x = priced(c, d, runs, i);
        if (runs->nest == runs->chain[i]) s->first = s->n, first = i;
        if (!x->why && (s->least < 0 || x->price.seconds < at[s->least].price.seconds)) s->least = s->n;
        s->n++;
    }
    if (verdict && s->first >= 0) s->verdict = verdict_of(c, d, runs, first, part);
    return s;
}

// ---- the words ----------------------------------------------------------------------------------------
typedef VEC(const Choices *) ChoicesVec;

static bool put_page(Compile *c, const Flags *f, const Advice *d, const ChoicesVec *all) {
    Text title = text_new(c->arena);
    for (int i = 0; i < f->inputs.n; i++) {
        const char *path = f->inputs.at[i].path, *slash = strrchr(path, '/');
        text_printf(&title, "%s%s", i ? ", " : "", slash ? slash + 1 : path);
    }
    return explain_page(c, d, choices_html(c->arena, all->n, all->at, d->m, text_str(&title)));
}

static int plan_files(Compile *c, Flags *f, Advice *d, bool recipes, bool verdict) {
    ChoicesVec all = {0};
    Unit **units = NEW_N(c->arena, Unit *, f->inputs.n);
    int n = advice_units(c, f, d, units);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < units[i]->nparts && !c->errors; k++) {
            if (!units[i]->parts[k].dep) continue; // the remarks say why
            vec_push(c->arena, &all, choices_of(c, d, &units[i]->parts[k], verdict));
            if (!d->json && !d->html) choices_text(stdout, c->arena, all.at[all.n - 1], recipes);
        }
    if (d->json) {
        json_t *list = json_array();
        for (int i = 0; i < all.n; i++) json_array_append_new(list, choices_json(all.at[i]));
        explain_put(list);
    }
    if (d->html && !put_page(c, f, d, &all)) return 2;
    fflush(stdout);
    if (!d->json) diags_show(c, 0, f, true);
    return diags_status(c);
}

int plan_main(int argc, char **argv) {
    Compile *c = compile_new();
    Advice d = {0};
    const char *why = "a C file is needed", *stray;
    char **rest = NEW_N(c->arena, char *, argc + 1);
    bool recipes = false, verdict = false;
    int n = 0, status = 2;
    for (int i = 0; i < argc; i++) {
        const char *wrong = NULL;
        bool mine = str_has_prefix(argv[i], "--machine") || str_has_prefix(argv[i], "--arg") ||
                    str_has_prefix(argv[i], "--html") || str_eq(argv[i], "--json");
        int used = mine ? advice_word(c->arena, &d, i, argc, argv, &wrong) : 0;
        if (wrong) return compile_free(c), usage_error("plan", "%s", wrong);
        if (used > 0) i += used - 1;
        else if (str_eq(argv[i], "--recipes")) recipes = true;
        else if (str_eq(argv[i], "--verdict")) verdict = true;
        else rest[n++] = argv[i];
    }
    Flags *f = flags_parse(c->arena, n, rest, &why);
    if (f && (stray = flags_stray(c->arena, f, "plan"))) usage_stray("plan", stray);
    else if (!f || !f->inputs.n) usage_error("plan", "%s", why);
    else if (advice_begin(c, "plan", &d)) status = plan_files(c, f, &d, recipes, verdict);
    compile_free(c);
    return status;
}
