// SPDX-License-Identifier: MIT
// lanes.c -- integer expressions for a whole warp: what all lanes share is computed once.
#include "model/lanes.h"
#include <string.h>
#include "ir/table.h"
#include "ir/value.h"

static Binding *binding(const Env *e, const void *key) {
    for (int k = e->bound.n; k-- > 0;)
        if (e->bound.at[k]->key == key) return e->bound.at[k];
    return NULL;
}

Lanes *env_find(const Env *e, const void *key) {
    Binding *b = binding(e, key);
    return b ? &b->value : NULL;
}

const uint64_t *env_same(const Env *e, const void *key) {
    const Binding *b = binding(e, key);
    return b && b->keyed ? b->same : NULL;
}

Lanes *env_push(Env *e, const void *key) {
    if (e->bound.n == e->bound.cap) {
        vec_push(e->a, &e->bound, NULL);
        e->bound.n--;
    }
    Binding **at = &e->bound.at[e->bound.n++];
    if (!*at) *at = NEW(e->a, Binding); // those popped before are used again
    (*at)->key = key, (*at)->keyed = false;
    return &(*at)->value;
}

const Lanes *env_stretch(const Env *e, const Array *x) {
    return e->stretches && x->place == PLACE_USER && x->rank == 1 ? env_find(e, x) : NULL;
}

void env_pop(Env *e, int n) { e->bound.n = n; }

void lanes_uniform(Lanes *out, int64_t v) {
    out->known = KNOWN;
    out->uniform = true;
    out->at[0] = v;
}

static void unknown(Lanes *out, bool uniform) {
    out->known = uniform ? OFFSET : UNKNOWN; // the same in all lanes: nothing but the common number
    out->uniform = uniform;
    if (uniform) out->at[0] = 0;
    else memset(out->at, 0, sizeof out->at); // sums of it are formed all the same
}

static void copy(const Env *e, Lanes *out, const Lanes *v) {
    out->known = v->known;
    out->uniform = v->uniform;
    for (int k = 0; k < (v->uniform ? 1 : e->width); k++) out->at[k] = v->at[k];
}

// ---- operators ---------------------------------------------------------------------------------
static bool same_everywhere(const Lanes *x) { return x->uniform && x->known != UNKNOWN; }

// Sums and differences keep what is known; so do products with a known common factor.
static Known known_after(Op op, const Lanes *x, const Lanes *y) {
    if (x->known == UNKNOWN || y->known == UNKNOWN) return UNKNOWN;
    if (x->known == KNOWN && y->known == KNOWN) return KNOWN;
    if (op == OP_ADD || op == OP_SUB) return OFFSET;
    bool scaled = op == OP_MUL && ((x->known == KNOWN && x->uniform) || (y->known == KNOWN && y->uniform));
    return scaled ? OFFSET : UNKNOWN;
}

static void binary(Env *e, const Expr *x, const Lanes *l, const Lanes *r, Lanes *out) {
    Type t = x->args[0]->type;
    bool wraps = t != T_I32 && t != T_I64;
    int n = out->uniform ? 1 : e->width, dl = !l->uniform, dr = !r->uniform;
    const int64_t *p = l->at, *q = r->at;
    if (!wraps && x->op == OP_ADD)
        for (int k = 0; k < n; k++) out->at[k] = (int64_t)((uint64_t)p[k * dl] + (uint64_t)q[k * dr]);
    else if (!wraps && x->op == OP_SUB)
        for (int k = 0; k < n; k++) out->at[k] = (int64_t)((uint64_t)p[k * dl] - (uint64_t)q[k * dr]);
    else if (!wraps && x->op == OP_MUL)
        for (int k = 0; k < n; k++) out->at[k] = (int64_t)((uint64_t)p[k * dl] * (uint64_t)q[k * dr]);
    else
        for (int k = 0; k < n; k++) {
            Value v[3] = {{.i = p[k * dl]}, {.i = q[k * dr]}}, w;
            value_op(x->op, t, v, &w); // where C defines nothing some value is as good as any
            out->at[k] = w.i;
        }
}

static void choose(Env *e, const Expr *x, Lanes *out) {
    Lanes c, l, r;
    lanes_of(e, x->args[0], &c);
    lanes_of(e, x->args[1], &l);
    lanes_of(e, x->args[2], &r);
    if (c.known == KNOWN && c.uniform) return copy(e, out, c.at[0] ? &l : &r);
    if (c.known != KNOWN || l.known != KNOWN || r.known != KNOWN)
        return unknown(out, same_everywhere(&c) && same_everywhere(&l) && same_everywhere(&r));
    out->known = KNOWN;
    out->uniform = false;
    for (int k = 0; k < e->width; k++) out->at[k] = lane(&c, k) ? lane(&l, k) : lane(&r, k);
}

// False && anything, true || anything: known though the rest may not be.
static bool decided(const Lanes *x, Op op) {
    return x->known == KNOWN && x->uniform && (x->at[0] != 0) == (op == OP_LOR);
}

static void logical(Env *e, const Expr *x, Lanes *out) {
    Lanes l, r;
    lanes_of(e, x->args[0], &l);
    lanes_of(e, x->args[1], &r);
    if (decided(&l, x->op) || decided(&r, x->op)) return lanes_uniform(out, x->op == OP_LOR);
    if (l.known != KNOWN || r.known != KNOWN) return unknown(out, same_everywhere(&l) && same_everywhere(&r));
    out->known = KNOWN;
    out->uniform = l.uniform && r.uniform;
    for (int k = 0; k < (out->uniform ? 1 : e->width); k++) {
        bool p = lane(&l, k) != 0, q = lane(&r, k) != 0;
        out->at[k] = x->op == OP_LAND ? p && q : p || q;
    }
}

static void operate(Env *e, const Expr *x, Lanes *out) {
    if (x->op == OP_SELECT) return choose(e, x, out);
    if (x->op == OP_LAND || x->op == OP_LOR) return logical(e, x, out);
    Lanes l, r;
    lanes_of(e, x->args[0], &l);
    if (x->nargs > 1) lanes_of(e, x->args[1], &r);
    else lanes_uniform(&r, 0);
    bool floats = type_is_float(x->args[0]->type);
    if (x->nargs > 2 || floats || known_after(x->op, &l, &r) == UNKNOWN)
        return unknown(out, x->nargs <= 2 && same_everywhere(&l) && same_everywhere(&r));
    out->known = known_after(x->op, &l, &r);
    out->uniform = l.uniform && r.uniform;
    binary(e, x, &l, &r, out);
}

static void scale(const Env *e, Lanes *out, int64_t by) {
    if (out->known == UNKNOWN) return;
    for (int k = 0; k < (out->uniform ? 1 : e->width); k++)
        out->at[k] = (int64_t)((uint64_t)out->at[k] * (uint64_t)by);
}

// Elements of a table of constants.
static bool entries(Env *e, const Expr *x, Lanes *out) {
    enum { RANK = 4 };
    Lanes at[RANK];
    int64_t sub[RANK];
    bool uniform = true;
    if (x->nargs > RANK) return false;
    for (int d = 0; d < x->nargs; d++) {
        lanes_of(e, x->args[d], &at[d]);
        if (at[d].known != KNOWN) return false;
        uniform = uniform && at[d].uniform;
    }
    for (int k = 0; k < (uniform ? 1 : e->width); k++) {
        for (int d = 0; d < x->nargs; d++) sub[d] = at[d].at[at[d].uniform ? 0 : k];
        if (!table_value(x->array, sub, &out->at[k])) out->at[k] = 0; // of a lane that does not go there
    }
    out->known = KNOWN, out->uniform = uniform;
    return true;
}

void lanes_of(Env *e, const Expr *x, Lanes *out) {
    const Lanes *apart;
    Lanes *v;
    switch (x->kind) {
    case E_INT: return lanes_uniform(out, x->i);
    case E_SYM:
        v = env_find(e, x->sym);
        return v ? copy(e, out, v) : unknown(out, true); // a parameter without a value
    case E_LOAD: {
        v = x->array->rank == x->array->digits ? env_find(e, x->array) : NULL;
        if (v) return copy(e, out, v);
        if ((apart = env_stretch(e, x->array)))
            return lanes_of(e, x->args[0], out), scale(e, out, apart->at[0]);
        if (table_has_each(x->array) && entries(e, x, out)) return;
        bool uniform = x->array->place != PLACE_LOCAL && x->array->place != PLACE_REGISTER;
        for (int k = 0; uniform && k < x->nargs; k++) {
            Lanes s;
            lanes_of(e, x->args[k], &s);
            uniform = same_everywhere(&s);
        }
        return unknown(out, uniform);
    }
    case E_CAST:
        lanes_of(e, x->args[0], out);
        if (!type_is_int(x->type) || !type_is_int(x->args[0]->type))
            return unknown(out, same_everywhere(out));
        if (type_size(x->type) < type_size(x->args[0]->type) && out->known == KNOWN)
            for (int k = 0; k < (out->uniform ? 1 : e->width); k++)
                out->at[k] = value_wrap(x->type, out->at[k]);
        return;
    case E_OP: return operate(e, x, out);
    case E_FLOAT: return unknown(out, true);
    default: {
        bool uniform = true;
        for (int k = 0; k < x->nargs; k++) {
            Lanes s;
            lanes_of(e, x->args[k], &s);
            uniform = uniform && same_everywhere(&s);
        }
        return unknown(out, uniform);
    }
    }
}

void lanes_keys(Env *e, const Expr *x, uint64_t key[MAX_LANES]) {
    Lanes v;
    lanes_of(e, x, &v);
    bool own = x->nargs == 0 || (x->kind == E_LOAD && x->array->place != PLACE_USER);
    const uint64_t *same = own && x->kind == E_LOAD ? env_same(e, x->array) : NULL;
    for (int k = 0; k < e->width && (v.known != UNKNOWN || own); k++) {
        uint64_t is = v.known != UNKNOWN ? (uint64_t)lane(&v, k) : same ? same[k] : (uint64_t)k;
        key[k] = (key[k] ^ is) * 1099511628211u;
    }
    for (int i = 0; i < x->nargs && v.known == UNKNOWN && !own; i++) lanes_keys(e, x->args[i], key);
}

void env_set(Env *e, const void *key, const Expr *x) {
    Binding *b = binding(e, key);
    uint64_t same[MAX_LANES] = {0}; // x may be made of the old value
    if (x) lanes_keys(e, x, same);
    b->keyed = x;
    memcpy(b->same, same, sizeof same);
}
