// SPDX-License-Identifier: MIT
// choices.c -- a region's candidates as text and as JSON.
#include "report/choices.h"
#include <jansson.h>
#include <string.h>

int64_t candidate_together(const Candidate *x) {
    const Price *p = &x->price;
    for (int i = 0; p->most && i < p->cost->nkernels; i++)
        if (p->cost->kernels[i] == p->most) return p->cost->times[i].occupancy.blocks;
    return 0;
}

const char *choices_reason(const Choices *s) {
    const Candidate *x = &s->at[s->first];
    return x->estimate >= 0 ? "its estimate is the least of those that may run"
           : x->nest->cost  ? "it is the first that may run; only the data tell its estimate"
           : s->n > 1       ? "it is the first that may run and has no estimate"
                            : "there is no other";
}

// ---- text -------------------------------------------------------------------------------------------
// One or two words.
static const char *bound_name(Limit l) { return l == BOUND_L1 ? "first-level cache" : limit_name(l); }

static void put_candidate(FILE *f, Arena *a, const Choices *s, int i) {
    const Candidate *x = &s->at[i];
    const KernelCost *k = x->price.most;
    const char *estimate = x->estimate < 0 ? "-" : figure_seconds(a, x->estimate);
    if (x->why) {
        fprintf(f, "  %2d  -         %-9s  %s (%s)\n", i + 1, estimate, x->why, x->made);
        return;
    }
    fprintf(f, "  %2d  %-9s %-9s  %-17s", i + 1, figure_seconds(a, x->price.seconds), estimate,
            k ? bound_name(x->price.bound) : "nothing is launched");
    if (k)
        fprintf(f, "  %-18s %6.4g KiB %8lld",
                arena_printf(a, "%lld x %lld", (long long)k->blocks, (long long)k->threads),
                (double)k->shared / 1024, (long long)candidate_together(x));
    fprintf(f, "  %s%s\n", x->made, i == s->first ? "  <- runs" : "");
}

static void put_steps(FILE *f, const Candidate *x, bool whole) {
    enum { WIDE = 100 };
    for (const char *s = x->nest->recipe; s && *s;) {
        int n = (int)strcspn(s, "\n"), some = whole || n <= WIDE ? n : WIDE;
        fprintf(f, "      %.*s%s\n", some, s, some < n ? " …" : "");
        s += n + (s[n] == '\n');
    }
}

static void put_choice(FILE *f, Arena *a, const Choices *s) {
    if (s->first < 0) return (void)fprintf(f, "  nothing runs on the device: %s\n", s->why_none);
    fprintf(f, "  %d runs: %s\n", s->first + 1, choices_reason(s));
    if (s->least >= 0 && s->least != s->first)
        fprintf(f, "  by the model %d would be quicker: %s, not %s\n", s->least + 1,
                figure_seconds(a, s->at[s->least].price.seconds),
                figure_seconds(a, s->at[s->first].price.seconds));
    if (s->verdict) fprintf(f, "  %s\n", s->verdict);
}

void choices_text(FILE *f, Arena *a, const Choices *s, bool recipes) {
    fprintf(f, "%s:%d:%d: %s on %s", s->loc.file, s->loc.line, s->loc.col, s->region, s->machine);
    if (!s->n) return (void)fprintf(f, ": nothing to choose from, the loops stay on the host\n\n");
    fprintf(f, "%s%s%s\n", s->sizes ? " at " : "", s->sizes ? s->sizes : "", s->assumed ? " (assumed)" : "");
    fputs("      price     estimate   bounded by         blocks x threads       shared together  made by\n",
          f);
    for (int i = 0; i < s->n; i++) {
        put_candidate(f, a, s, i);
        if (recipes || i == s->first) put_steps(f, &s->at[i], recipes);
    }
    put_choice(f, a, s);
    for (int i = 0; i < s->nmisfits; i++)
        fprintf(f, "  no %s: %s\n", s->misfits[i].family, s->misfits[i].why);
    fputc('\n', f);
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

json_t *choices_json(const Choices *s) {
    json_t *o = json_pack("{s:s, s:i, s:[]}", "region", s->region, "line", s->loc.line, "candidates");
    if (s->sizes) json_object_set_new(o, "sizes", json_string(s->sizes));
    if (s->why_none) json_object_set_new(o, "why_none", json_string(s->why_none));
    for (int i = 0; i < s->n; i++)
        json_array_append_new(json_object_get(o, "candidates"), json_of(&s->at[i], i == s->first));
    json_t *not = json_object();
    for (int i = 0; i < s->nmisfits; i++)
        json_object_set_new(not, s->misfits[i].family, json_string(s->misfits[i].why));
    json_object_set_new(o, "does_not_fit", not);
    return o;
}
