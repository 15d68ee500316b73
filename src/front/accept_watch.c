// SPDX-License-Identifier: MIT
// accept_watch.c -- parameters that are read from memory: is it memory that the region writes?
//
//   for (i = 0; i < p->n; i++) a[i] = 0;      int *a: may a[3] be p->n? Then the loop is another
//                                             one than it seems. p->n gets an array of rank 0
//                                             that nothing uses, so the guard compares places.
//
//   for (*q = 0; …) or for (g = 0; g < n; g++) s += *p;
//                                             int *p: may it lead to g? The loop keeps its counter in a
//                                             place of its own, so what is read counts, too.
//
//   for (i = 1; i <= a[0]; i++) a[i] = 0;     the place of a[0] is none of those that are written
//
// C lets a store change only values of its own type, but for signs; a char changes any.
#include "front/accept.h"

static bool is_char(Type t) { return t == T_I8 || t == T_U8; }

bool accept_may_alias(Type t, Type w) {
    return t == w || is_char(w) || (type_is_int(t) && type_is_int(w) && type_size(t) == type_size(w));
}

// Can no pointer lead to the variable?
static bool is_private(const Decl *d) {
    bool hidden = !d->is_global || d->is_static;
    return d->is_const || (hidden && !d->address_taken && d->type->kind != CT_ARRAY);
}

static void watch(Accept *ac, const Ref *r, const char *text, bool counter) {
    bool element = ac->bounding && r->ndims > 0 && !r->field;
    bool pointer = r->type->kind == CT_POINTER;
    if (!r->object || r->object->block || (r->object->variable && is_private(r->object->variable)))
        return; // a plain pointer variable has no object
    for (int k = 0; k < ac->watches.n; k++)
        if (str_eq(ac->watches.at[k].text, text)) {
            ac->watches.at[k].counter |= counter, ac->watches.at[k].element |= element;
            return;
        }
    Type t = pointer ? T_I64 : r->type->scalar;
    Watch w = {text, t, pointer, counter, r->shared != NULL, element, r->object};
    vec_push(ac->a, &ac->watches, w);
}

void accept_watch(Accept *ac, const Ref *r, const char *text) { watch(ac, r, text, false); }

void accept_watch_counter(Accept *ac, const Decl *d, Loc loc) {
    Ref r;
    if (is_private(d) || accept_is_inside(ac, d) || !accept_variable(ac, d, loc, &r)) return;
    watch(ac, &r, d->name, true);
}

// Is it what a loop around ends with?
bool accept_is_bound(Accept *ac, const Ref *r) {
    const char *text = NULL;
    for (int k = 0; k < ac->watches.n; k++) {
        if (!ac->watches.at[k].element || ac->watches.at[k].object != r->object) continue;
        if (!text && !(text = accept_place_text(ac, r))) return false;
        if (str_eq(ac->watches.at[k].text, text)) return true;
    }
    return false;
}

static const Object *object_of(const Accept *ac, const Array *v) {
    for (int k = 0; k < ac->objects.n; k++)
        if (ac->objects.at[k]->name && str_eq(ac->objects.at[k]->name, v->object))
            return ac->objects.at[k];
    return NULL;
}

// Two variables never overlap, nor do two fields of one object; its elements may.
static bool may_hit(const Accept *ac, const Array *v, const Watch *w) {
    bool typed = w->pointer ? is_char(v->elem) : accept_may_alias(w->type, v->elem);
    if (v->place != PLACE_USER || !(typed || v->mixed || w->mixed)) return false;
    const Object *o = object_of(ac, v);
    if (o && w->object)
        return o == w->object ? w->element : !(o->variable && w->object->variable);
    return true;
}

void accept_watches_settle(Accept *ac) {
    for (int k = 0; k < ac->watches.n; k++) {
        const Watch *w = &ac->watches.at[k];
        bool hit = false;
        for (int j = 0; j < ac->stmts.n && !hit; j++)
            hit = may_hit(ac, ac->stmts.at[j]->lhs, w);
        for (int j = 0; w->counter && j < ac->arrays.n && !hit; j++)
            hit = !ac->arrays.at[j]->watched && may_hit(ac, ac->arrays.at[j], w);
        if (!hit)
            continue;
        Array *v = NEW(ac->a, Array);
        v->name = v->object = accept_name(ac, w->text);
        v->elem = w->type;
        v->place = PLACE_USER;
        v->stride = type_size(w->type);
        v->source = arena_printf(ac->a, "&(%s)", w->text);
        v->watched = true;
        v->counter = w->counter;
        vec_push(ac->a, &ac->arrays, (const Array *)v);
    }
}
