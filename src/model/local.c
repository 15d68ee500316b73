// SPDX-License-Identifier: MIT
// local.c -- private arrays that compilers keep in memory, because registers have no subscripts.
//
//   float a[16];
//   for (k = 0; k < 16; k++) s += a[k];     written out, each a[k] is a register
//   for (k = 0; k < n; k++) a[p[k]] += 1;   the data say which: a is in local memory
//
// Local memory is device memory of which the first-level cache keeps what is in use. Element e of all threads
// of a warp lie side by side: one element for all lanes is one row of sectors, an element of its own for each
// lane may be a sector each.
#include "ir/table.h"
#include "model/code.h"

enum {
    FEW = 4,             // elements that nvcc 13 picks by comparing, without memory
};

const Array *local_base(const Array *x) {
    while (x->of) x = x->of;
    return x;
}

static bool is_own(const Array *x) { return x->place == PLACE_LOCAL || x->place == PLACE_REGISTER; }

int64_t local_bytes(const Array *x) {
    int64_t n = type_size(x->elem);
    for (int d = x->place == PLACE_REGISTER ? x->digits : 0; d < x->rank; d++)
        if (!x->extent[d] || x->extent[d]->kind != E_INT || __builtin_mul_overflow(n, x->extent[d]->i, &n))
            return 0;
    return n;
}

static const Code *local_loop(const Code *c, const Sym *s) {
    for (; c; c = c->parent)
        if (c->n->kind == N_FOR && c->n->iter == s) return c;
    return NULL;
}

// Is a subscript a number wherever it stands, once loops are written out?
static bool is_fixed(const Expr *x, const Code *c) {
    if (x->kind == E_CALL || (x->kind == E_LOAD && !table_has_each(x->array))) return false;
    const Code *loop = x->kind == E_SYM ? local_loop(c, x->sym) : NULL;
    if (x->kind == E_SYM && !(loop && code_is_written_out(loop))) return false;
    for (int k = 0; k < x->nargs; k++)
        if (!is_fixed(x->args[k], c)) return false;
    return true;
}

bool local_is_fixed(const Array *x, Expr *const *sub, const Code *c) {
    for (int d = x->place == PLACE_REGISTER ? x->digits : 0; d < x->rank; d++)
        if (!is_fixed(sub[d], c) || (x->of && x->origin && !is_fixed(x->origin[d], c))) return false;
    return true;
}

static bool has(const Program *p, const Array *x) { return has_pointer(p->locals.n, p->locals.at, x); }

static void find(Program *p, const Code *c) {
    AccessVec v = node_accesses(p->a, c->n);
    for (int k = 0; k < v.n; k++) {
        const Array *base = local_base(v.at[k].array);
        bool large = is_own(base) && local_bytes(base) > FEW * type_size(base->elem);
        if (large && !has(p, base) && !local_is_fixed(v.at[k].array, v.at[k].sub, c))
            vec_push(p->a, &p->locals, base);
    }
    for (int k = 0; k < c->nkids; k++) find(p, c->kids[k]);
}

// The loop whose counter says which element, where a compiler could write it out; NULL: there is none, or
// threads or data have a say.
static const Node *asking(const Expr *x, const Code *c, bool *other) {
    const Code *loop = x->kind == E_SYM ? local_loop(c, x->sym) : NULL;
    const Node *found = loop && loop->n->how == HOW_SERIAL && code_is_literal(loop) ? loop->n : NULL;
    *other = *other || x->kind == E_LOAD || x->kind == E_CALL ||
             (x->kind == E_SYM && !found && !(loop && code_is_written_out(loop)));
    for (int k = 0; k < x->nargs && x->kind != E_LOAD; k++) {
        const Node *below = asking(x->args[k], c, other);
        if (below) found = below;
    }
    return found;
}

static void note(Program *p, Code *c, const Access *x, bool write) {
    AccessCost *cost = code_add_site(p, c, x->array, x->sub, write, false, NULL, (Moved){0, 0});
    bool other = false;
    const Node *loop = NULL;
    for (int d = x->array->place == PLACE_REGISTER ? x->array->digits : 0; cost && d < x->array->rank; d++) {
        const Node *one = asking(x->sub[d], c, &other);
        if (one) loop = one;
    }
    if (!cost) return;
    cost->asked = !local_is_fixed(x->array, x->sub, c);
    cost->asks = other || !cost->asked ? NULL : loop;
}

static void add(Program *p, Code *c) {
    AccessVec v = node_accesses(p->a, c->n);
    for (int k = 0; k < v.n; k++) {
        if (!has(p, local_base(v.at[k].array))) continue;
        if (v.at[k].read) note(p, c, &v.at[k], false);
        if (v.at[k].write) note(p, c, &v.at[k], true);
    }
    for (int k = 0; k < c->nkids; k++) {
        add(p, c->kids[k]);
        c->touches |= c->kids[k]->touches;
    }
}

void local_find(Program *p) {
    find(p, p->root);
    if (p->locals.n) add(p, p->root);
}

int64_t local_place(const Array *x, int64_t offset, int lane, int lanes) {
    int64_t size = type_size(x->elem);
    return offset / size * size * lanes + lane * size + offset % size;
}
