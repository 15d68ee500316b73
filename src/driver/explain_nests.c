// SPDX-License-Identifier: MIT
// explain_nests.c -- `sculpt explain FILE.nest`: nests that are text already, each for itself; --fix compares
// it with a recipe for the loops of its region.
#include "driver/explain.h"

static Subject *subject_of(Compile *c, const Advice *d, Nest *n, int number) {
    Arena *a = c->arena;
    Subject *s = NEW(a, Subject);
    *s = (Subject){.name = n->region->name,
                   .loc = n->region->loc,
                   .kind = arena_printf(a, "nest %d for a %s", number, n->target)};
    s->now = advice_nest(c, d, n, "as it stands");
    Aside *text = advice_texts(c, d, s->now);
    if (text) s->now->kernels = aside_end(text);
    s->no_rungs = "the nest is a text already; its steps are not known";
    if (d->fix) {
        Part part = {.front = &(FrontRegion){.region = (Region *)n->region, .loc = n->region->loc},
                     .dep = dep_analyze(c, n->region)};
        s->fix = advice_fix(c, d, &part, s->now, NULL);
    }
    return s;
}

int explain_nests(Compile *c, const Advice *d, const char *file) {
    const char *text = file_read(c->arena, file, NULL);
    if (!text) return usage_error("explain", "cannot read %s", file);
    IrFile *f = ir_parse(c, file, text);
    Report *r = NEW_AS(c->arena, Report, (Report){.a = c->arena, .m = d->m});
    vec_push(r->a, &r->sources, ((Source){file, text}));
    for (int i = 0; f && i < f->nnests; i++)
        if (str_eq(f->nests[i]->target, d->m->kind))
            vec_push(r->a, &r->subjects, subject_of(c, d, f->nests[i], i));
    r->ndiags = c->diags.n;
    r->diags = c->diags.at;
    if (d->fix) explain_put_fixes(c, r, d->fix);
    if (f) explain_print(c, r, d, report_json_all);
    fflush(stdout);
    for (int i = 0; !f && i < c->diags.n; i++) diag_print(stderr, &c->diags.at[i], true);
    return c->errors > 0;
}
