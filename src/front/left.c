// SPDX-License-Identifier: MIT
// left.c -- what is set behind a region that ran on a device, as C.
//
//   while (n--) *p++ = 0;       __typeof__(p) sculpt_p0_ = (p) + n; n = -1; p = sculpt_p0_;
//
// All values are over what stood in the variables before the region, so pointers are computed first.
#include "front/accept.h"
#include "front/normal.h"

static const char *value_text(Arena *a, const char *source) {
    return source[0] == '&' ? source + 1 : arena_printf(a, "*(%s)", source);
}

// Is it a parameter that stands for the beginning of a variable which the region changes?
static bool is_changed(Arena *a, const Region *r, const Expr *x) {
    for (int k = 0; x->kind == E_SYM && x->sym->source && k < r->narrays; k++) {
        const Array *v = r->arrays[k];
        if (v->rank == 0 && v->source && str_eq(value_text(a, v->source), x->sym->source)) return true;
    }
    return false;
}

static bool is_in(const Region *r, const Array *v) {
    for (int k = 0; k < r->narrays; k++)
        if (r->arrays[k]->source && str_eq(r->arrays[k]->source, v->source)) return true;
    return false;
}

// C for where p is behind the region; NULL: it can't be told.
static const char *pointer_text(Arena *a, const Region *r, const LeftPointer *p) {
    if (!p->at) return p->base;
    if (!p->moved || is_in(r, p->at)) return NULL;
    expr_each(x, p->moved)
        if (is_changed(a, r, x)) return NULL;
    const char *far = accept_source(a, p->moved);
    return far ? arena_printf(a, "(%s) + %s", p->base, far) : NULL;
}

Region *pass_left(Normal *m, Region *r) {
    Left *left = m->left;
    Text t = text_new(m->a);
    for (int k = 0; left && k < left->pointers.n; k++) {
        const LeftPointer *p = &left->pointers.at[k];
        const char *text = pointer_text(m->a, r, p);
        if (!text) {
            diag(m->c, DIAG_REMARK, SC_POINTER, r->loc, POINTER_CHANGES, p->name);
            return NULL;
        }
        const char *type = arena_printf(m->a, "__typeof__(%s)", p->name);
        text_printf(&t, "%s sculpt_p%d_ = __extension__ (%s)(%s); ", type, k, type, text);
    }
    if (left) text_put(&t, left->counters);
    for (int k = 0; left && k < left->pointers.n; k++)
        text_printf(&t, "%s = sculpt_p%d_;\n", left->pointers.at[k].name, k);
    if (left) left->text = text_str(&t);
    return r;
}
