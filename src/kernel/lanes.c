// SPDX-License-Identifier: MIT
// lanes.c -- what the lanes of a warp hand each other, as memory of the block.
//
//   s += __shfl_down_sync(~0u, s, 4)      box[rank] = s;  (the warp waits)
//                                         got = box[lane + 4 < 32 ? rank + 4 : rank];  (it waits)
//                                         box[rank] = none;  s += got
//
// `none` is set by nobody: a lane that is asked and is not there gives no value. Only `sculpt check` wants it
// so; elsewhere a thread sees its own value (front/accept_device.c).
#include "kernel/pass.h"
#include <string.h>

enum { LANES = 32, MOST_DIMS = 8 };

// A thread's place in a box. Where lanes are turned by bits, each bit of their number has a dimension: those of
// the reader and the writer are equal or not, one by one.
typedef struct Lane {
    int n;
    Ast *at[MOST_DIMS];
    int64_t extent[MOST_DIMS];
} Lane;

static Ast *number(KernelRead *k, const Ast *like, int64_t v) { return mk_int(k, like, T_I32, v); }

static Ast *thread(KernelRead *k, const Ast *like, int d) {
    return k->thread[d] ? mk_ref(k, like, k->thread[d]) : number(k, like, 0);
}

static Ast *rank(KernelRead *k, const Ast *like) {
    const int64_t *n = k->launch.block;
    Ast *x = thread(k, like, 0);
    if (n[1] > 1) x = mk_op(k, OP_ADD, x, mk_op(k, OP_MUL, thread(k, like, 1), number(k, like, n[0])));
    if (n[2] > 1) x = mk_op(k, OP_ADD, x, mk_op(k, OP_MUL, thread(k, like, 2), number(k, like, n[0] * n[1])));
    return x;
}

static void put(Lane *p, int64_t extent, Ast *at) {
    p->extent[p->n] = extent;
    p->at[p->n++] = at;
}

// [z][y][warp][lane], or [z][y][warp][bit][bit]…
static Lane place(KernelRead *k, const Ast *e, bool bits) {
    const int64_t *n = k->launch.block;
    Lane p = {0};
    bool rows = n[0] % LANES == 0; // else warps lie across them
    Ast *x = rows ? thread(k, e, 0) : rank(k, e);
    int64_t all = rows ? n[0] : n[0] * n[1] * n[2];
    if (rows && n[2] > 1) put(&p, n[2], thread(k, e, 2));
    if (rows && n[1] > 1) put(&p, n[1], thread(k, e, 1));
    if (all > LANES) put(&p, (all + LANES - 1) / LANES, mk_op(k, OP_DIV, x, number(k, e, LANES)));
    if (!bits) put(&p, LANES, mk_op(k, OP_MOD, x, number(k, e, LANES)));
    for (int64_t bit = LANES / 2; bits && bit; bit /= 2)
        put(&p, 2, mk_op(k, OP_MOD, mk_op(k, OP_DIV, x, number(k, e, bit)), number(k, e, 2)));
    return p;
}

static Ast *or_own(KernelRead *k, Ast *cond, Ast *x, Ast *own) {
    return mk(k, A_COND, x, x->type, 3, (Ast *[]){cond, x, own});
}

// The lane whose value is meant.
static Ast *source(KernelRead *k, const Ast *e, const char *how, Ast *by, Ast *lane, int64_t width) {
    int64_t v;
    Ast *in = width == LANES ? lane : mk_op(k, OP_MOD, lane, number(k, e, width));
    if (str_has_prefix(how, "down"))
        return or_own(k, mk_op(k, OP_LT, mk_op(k, OP_ADD, in, by), number(k, e, width)),
                      mk_op(k, OP_ADD, lane, by), lane);
    if (str_has_prefix(how, "up"))
        return or_own(k, mk_op(k, OP_GE, in, by), mk_op(k, OP_SUB, lane, by), lane);
    by = kernel_const(k, by, &v) ? number(k, e, v & (width - 1)) : mk_op(k, OP_MOD, by, number(k, e, width));
    return width == LANES ? by : mk_op(k, OP_ADD, mk_op(k, OP_SUB, lane, in), by); // of that number in its group
}

static Decl *box(KernelRead *k, const Ast *e, const CType *t, const Lane *p) {
    for (int d = p->n - 1; d >= 0; d--) {
        CType *all = NEW(k->a, CType);
        *all = (CType){.kind = CT_ARRAY, .of = t, .text = t->text, .bytes = p->extent[d] * t->bytes};
        all->size = mk_int(k, e, T_I64, p->extent[d]);
        t = all;
    }
    Decl *d = mk_var(k, arena_printf(k->a, "lanes_%d", ++k->counter), t, NULL, e->loc);
    d->space = SPACE_SHARED;
    d->is_global = true;
    vec_push(k->a, &k->shared, d);
    vec_push(k->a, &k->boxes, d);
    return d;
}

static Ast *element(KernelRead *k, const Ast *e, Decl *d, const Lane *p) {
    Ast *x = mk_ref(k, e, d);
    for (int i = 0; i < p->n; i++) x = mk(k, A_INDEX, e, x->type->of, 2, (Ast *[]){x, p->at[i]});
    return x;
}

static Ast *wait(KernelRead *k, const Ast *like) {
    Ast *x = mk(k, A_BARRIER, like, NULL, 0, NULL);
    x->i = 1;
    return x;
}

// A function that does it, to be called in its place. turned: by so many lanes; -1: its parameter says from which.
static Decl *exchange(KernelRead *k, const Ast *e, const CType *t, const Lane *own, int64_t turned) {
    Lane from = *own;
    Decl *b = box(k, e, t, own), *none = mk_var(k, "none", t, NULL, e->loc), *f = NEW(k->a, Decl);
    Decl *value = mk_var(k, "value", t, NULL, e->loc);
    Decl *lane = mk_var(k, "from", mk_type(k, T_I32), NULL, e->loc);
    value->kind = lane->kind = D_PARAM;
    if (turned < 0) from.at[own->n - 1] = mk_ref(k, e, lane);
    for (int b = 0; turned >= 0 && b < 5; b++) {
        Ast **x = &from.at[own->n - 1 - b];
        if (turned >> b & 1) *x = mk_op(k, OP_SUB, number(k, e, 1), *x);
    }
    Decl *got = mk_var(k, "got", t, element(k, e, b, &from), e->loc);
    Ast *result = mk_ref(k, e, got);
    Ast *kids[] = {mk_set(k, element(k, e, b, own), mk_ref(k, e, value)), wait(k, e), mk_decl(k, e, got),
                   wait(k, e), mk_decl(k, e, none), mk_set(k, element(k, e, b, own), mk_ref(k, e, none)),
                   wait(k, e), mk(k, A_RETURN, e, NULL, 1, &result)};
    CType *type = NEW(k->a, CType);
    *type = (CType){.kind = CT_FUNCTION, .of = t, .text = "lanes"};
    *f = (Decl){.kind = D_FUNCTION, .name = b->name, .type = type, .loc = e->loc, .nparams = 2};
    f->params = NEW_N(k->a, Decl *, 2);
    f->params[0] = value, f->params[1] = lane;
    f->body = mk_block(k, e, (int)(sizeof kids / sizeof *kids), kids);
    return f;
}

static Ast *handed(KernelRead *k, Ast *e) {
    bool call = e->kind == A_CALL && e->name && e->decl && !e->decl->body && str_has_prefix(e->name, "__shfl");
    if (!call || !e->type || e->type->kind != CT_SCALAR) return e;
    int at = str_has_suffix(e->name, "_sync") ? 1 : 0;
    const char *how = e->name[6] == '_' ? e->name + 7 : "";
    int64_t width = LANES, mask = 0;
    if (e->nkids < at + 2 || (e->nkids > at + 2 && !kernel_const(k, e->kids[at + 2], &width))) return e;
    if (width < 1 || width > LANES || (width & (width - 1))) return e;
    Ast *by = mk_cast(k, mk_type(k, T_I32), e->kids[at + 1]);
    bool bits = str_has_prefix(how, "xor");
    if (bits && (!kernel_const(k, by, &mask) || mask < 0 || mask >= width)) return e;
    Lane own = place(k, e, bits);
    const CType *t = mk_type(k, e->type->scalar);
    Ast *other = bits ? number(k, e, 0) : source(k, e, how, by, own.at[own.n - 1], width);
    Decl *f = exchange(k, e, t, &own, bits ? mask : -1);
    Ast *out = mk(k, A_CALL, e, t, 2, (Ast *[]){mk_cast(k, t, e->kids[at]), other});
    out->decl = f;
    out->name = f->name;
    return out;
}

Ast *kernel_lanes(KernelRead *k, Ast *body) { return k->launch.lanes ? ast_map(k, body, handed) : body; }
