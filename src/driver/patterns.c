// SPDX-License-Identifier: MIT
// patterns.c -- `sculpt explain --patterns`: which pattern rules match the references of loops, the
// recipe that they make, and, for several programs, the table of what applies to which.
#include "bench/patterns.h"
#include "driver/driver.h"
#include "plan/recipe.h"

enum { MOST = 64 };
typedef struct Show {
    Compile *c;
    int n;
    const char *name[MOST];
    const Patterns *patterns[MOST];
} Show;

static void put_lines(const char *text) {
    for (const char *s = text; *s;) {
        int n = 0;
        while (s[n] && s[n] != '\n') n++;
        printf("    %.*s\n", n, s);
        s += n + (s[n] == '\n');
    }
}

static void put_region(Show *s, const FrontRegion *r, const char *file) {
    Compile *c = s->c;
    const DepInfo *d = dep_analyze(c, r->region);
    const Patterns *p = patterns_of(c, r->region, d);
    printf("%s:%d: %s\n", r->region->loc.file, r->region->loc.line, r->region->name);
    patterns_put(c->arena, stdout, p);
    const char *recipe = plan_why_not(d) ? NULL : patterns_recipe(c, d, p, 0, NULL);
    if (recipe) puts("  as a recipe"), put_lines(recipe);
    if (s->n == MOST) return;
    s->name[s->n] = patterns_name(c->arena, file);
    s->patterns[s->n++] = p;
}

int explain_patterns(Compile *c, const Flags *f) {
    Show s = {.c = c};
    for (int i = 0; i < f->inputs.n; i++) {
        FrontUnit *u = pipeline_front(c, f->inputs.at[i].path, f);
        for (int k = 0; u && k < u->nregions; k++) {
            const FrontRegion *r = &u->regions[k];
            if (r->region && ir_verify_region(c, r->region)) put_region(&s, r, u->file);
        }
    }
    if (s.n > 1) putchar('\n'), patterns_table(stdout, s.n, s.name, s.patterns);
    fflush(stdout);
    diags_show(c, 0, f, true);
    if (!s.n && !c->errors) say_error(SC_NO_REGION, "there is no region");
    return s.n ? c->errors > 0 : c->errors ? diags_status(c) : 2;
}
