// SPDX-License-Identifier: MIT
// explain_nests.c -- `sculpt explain FILE.nest`: nests that are text already, for programs.
#include "driver/explain_model.h"

int explain_nests(Compile *c, const Advice *d, const char *file) {
    Arena *a = c->arena;
    const char *text = file_read(a, file, NULL);
    if (!text) return usage_error("explain", "cannot read %s", file);
    IrFile *f = ir_parse(c, file, text);
    Nest **nests = NEW_N(a, Nest *, f ? f->nnests + 1 : 1);
    int n = 0;
    for (int i = 0; f && i < f->nnests; i++)
        if (str_eq(f->nests[i]->target, d->m->kind)) nests[n++] = f->nests[i];
    if (f) advice_put_nests(c, d, n, nests);
    for (int i = 0; !f && i < c->diags.n; i++) diag_print(stderr, &c->diags.at[i], true);
    return c->errors > 0;
}
