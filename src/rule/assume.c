// SPDX-License-Identifier: MIT
// assume.c -- somebody vouches that an index array names no element twice, or that its values never fall; it
// is checked at run time.
//
//   for i  x[idx[i]] = …                            iterations meet only where idx has a value twice
//   for i  for k = ptr[i] .. ptr[i + 1]  x[k] = …   only where a value of ptr is less than one before it
//
// A dependence that only the data tell is left out of judging when it needs such values. Who says so stands
// in the recipe, the promise in the nest, and before each launch the values that the nest touches are looked
// at: where it is not kept the original loops run. So the nest stays proved.
// What can be checked no such way is for a line "trust NAME: reason" of a recipe.
#include "rule/find.h"
#include "rule/refs.h"
#include "rule/storage.h"

static const char REGION[] = "sculpt 1 region scatter sculpt { param n: i32 = \"n\" param x_lo: i64 param "
                             "x_hi: i64 array x[?]: f32 = \"x\" live "
                             "array idx[n]: i32 = \"idx\" array y[n]: f32 = \"y\" "
                             "inspect x dim 0 as x_lo to x_hi for i_1: i32 = 0 .. n value i64(idx[i_1]) "
                             "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: x[idx[i]] = y[i] * 2.0 }";

static const char STRETCHES[] = "sculpt 1 region rows sculpt { param n: i32 = \"n\" param x_lo: i64 param "
                                "x_hi: i64 array x[?]: f32 = \"x\" live "
                                "array ptr[n + 1]: i32 = \"ptr\" array y[n]: f32 = \"y\" "
                                "inspect x dim 0 as x_lo to x_hi for i_1: i32 = 0 .. n "
                                "{ value i64(ptr[i_1]) value i64(ptr[i_1 + 1] - 1) } "
                                "do { for i: i32 = 0 .. n for k: i32 = ptr[i] .. ptr[i + 1] S0[i, k] } "
                                "stmt S0[i, k]: x[k] = y[i] }";

// The array that a subscript reads alone; NULL: it is none.
static const Array *index_in(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->type)) x = x->args[0];
    return x->kind == E_LOAD && x->array->rank == 1 && x->array->place == PLACE_USER &&
                   type_is_int(x->array->elem)
               ? x->array
               : NULL;
}

static bool is_written(const Region *r, const Array *x) {
    for (int k = 0; k < r->nstmts; k++)
        if (r->stmts[k]->lhs == x || arrays_may_overlap(r->stmts[k]->lhs, x)) return true;
    return false;
}

const Array *rule_index(const Region *r, const Expr *sub) {
    const Array *x = index_in(sub);
    return x && !is_written(r, x) ? x : NULL;
}

// Is an array subscripted by it?
static bool is_index(Change *ch, const Array *x) {
    Refs refs;
    refs_of(ch->a, ch->nest->root, &refs);
    for (int k = 0; k < refs.n; k++)
        if (refs.at[k].array->rank > 0 && index_in(refs.at[k].sub[0]) == x) return true;
    return false;
}

// Does a loop run from one of its values to the next?
static bool has_stretches(Arena *a, const Node *root, const Array *x) {
    Expr *place;
    node_each(n, root)
        if (n->kind == N_FOR && loop_stretches(a, n, &place) == x) return true;
    return false;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    bool rises = str_eq(s->words[1], "rising");
    if (!rises && !str_eq(s->words[1], "distinct"))
        return change_refuse(ch, "it takes who says so, distinct or rising, and an index array; usage: %s",
                             ch->rule->usage);
    const Array *x = change_array(ch, s->words[2]);
    if (!x) return NULL;
    if (x->place != PLACE_USER || x->rank != 1 || !type_is_int(x->elem))
        return change_refuse(ch, "%s is no integer array of the program with one dimension", x->name);
    if (is_written(ch->nest->region, x)) return change_refuse(ch, "the region writes %s", x->name);
    if (rises && !has_stretches(ch->a, ch->nest->region->root, x)) // whatever steps made of it
        return change_refuse(ch, "no loop runs from a value of %s to the next", x->name);
    if (!rises && !is_index(ch, x))
        return change_refuse(ch, "no array has %s alone as its first subscript", x->name);
    Nest *n = change_done(ch, ch->nest->root);
    Promise *all = NEW_N(ch->a, Promise, n->npromised + 1);
    for (int k = 0; k < n->npromised; k++) {
        all[k] = n->promised[k];
        if (all[k].array == x && all[k].rises == rises) return change_refuse(ch, "that is assumed already");
    }
    all[n->npromised++] = (Promise){x, rises};
    n->promised = all;
    return n;
}

static void find_assume(Finder *f) {
    Refs refs;
    int any = 0;
    refs_of(f->ch->a, f->ch->nest->root, &refs);
    for (int k = 0; k < refs.n; k++) {
        const Ref *r = &refs.at[k];
        const Array *x = r->write && r->array->rank > 0 ? index_in(r->sub[0]) : NULL;
        if (x && is_written(f->ch->nest->region, x))
            finder_miss(f, ref_text(f->ch->a, r), "the region writes %s", x->name), any++;
        else if (x) finder_site(f, "assume me distinct %s", x->name), any++;
    }
    node_each(n, f->ch->nest->root) {
        Expr *place;
        const Array *x = n->kind == N_FOR ? loop_stretches(f->ch->a, n, &place) : NULL;
        if (x && !is_written(f->ch->nest->region, x)) finder_site(f, "assume me rising %s", x->name), any++;
    }
    if (!any)
        finder_miss(f, "the nest",
                    "nothing that is written has an index array alone as its first subscript, nor lies in "
                    "stretches between such values");
}

static const RuleExample examples[] = {
    {REGION, "", "assume me distinct idx", NULL},
    {REGION, "", "map block i", "cannot be decided"},
    {REGION, "", "assume me distinct y", "is no integer array"},
    {REGION, "assume me distinct idx", "assume me distinct idx", "assumed already"},
    {REGION, "", "assume me rising idx", "no loop runs from a value"},
    {STRETCHES, "", "assume me rising ptr", NULL},
    {STRETCHES, "", "map block i", "cannot be decided"},
    {0},
};

const Rule assume_rule = {
    .name = "assume",
    .usage = "assume NAME distinct|rising INDEX",
    .summary = "NAME vouches that no value of an index array is there twice, or that none is less than the "
               "one before it; it is checked before each launch, and where it is not so the original loops "
               "run.",
    .picture = "for i  x[idx[i]] = …   →   distinct idx\n"
               "                           for i  x[idx[i]] = …     as parallel as x[i] = …\n",
    .apply = apply,
    .find = find_assume,
    .examples = examples,
};
