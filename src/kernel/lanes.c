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

// A thread's place in a box. Where lanes are turned by bits, each bit of their number has a dimension: those
// of
// the reader and the writer are equal or not, one by one.
typedef struct Lane {
    int n;
    Ast *at[MOST_DIMS];
    int64_t extent[MOST_DIMS];
} Lane;

static Ast *number(KernelRead *k, const Ast *like, int64_t v) { return mk_int(k, like, T_I32, v); }

static Ast *thread(KernelRead *k, const Ast *like, int d) {
    return k->thread[d] ? ast_ref(k->a, like, k->thread[d]) : number(k, like, 0);
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
    return ast_make(k->a, A_COND, x, x->type, 3, (Ast *[]){cond, x, own});
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
    // of that number in its group
    return width == LANES ? by : mk_op(k, OP_ADD, mk_op(k, OP_SUB, lane, in), by);
}

static Decl *box(KernelRead *k, const Ast *e, const CType *t, const Lane *p) {
    for (int d = p->n - 1; d >= 0; d--) {
        CType *all = NEW(k->a, CType);
        *all = (CType){.kind = CT_ARRAY, .of = t, .text = t->text, .bytes = p->extent[d] * t->bytes};
        all->size = mk_int(k, e, T_I64, p->extent[d]);
        t = all;
    }
    Decl *d = ast_variable(k->a, arena_printf(k->a, "lanes_%d", ++k->counter), t, NULL, e->loc);
    d->space = SPACE_SHARED;
    d->is_global = true;
    vec_push(k->a, &k->shared, d);
    vec_push(k->a, &k->boxes, d);
    return d;
}

static Ast *element(KernelRead *k, const Ast *e, Decl *d, const Lane *p) {
    Ast *x = ast_ref(k->a, e, d);
    for (int i = 0; i < p->n; i++) x = ast_make(k->a, A_INDEX, e, x->type->of, 2, (Ast *[]){x, p->at[i]});
    return x;
}

static Ast *wait(KernelRead *k, const Ast *like) {
    Ast *x = ast_make(k->a, A_BARRIER, like, NULL, 0, NULL);
    x->i = 1;
    return x;
}

// A call of a function that does it in its place: own goes into the box, then `body` makes `out` of what is
// there.
// lane: what the function's second parameter, `from`, is; NULL: it has none.
static Ast *exchanged(KernelRead *k, const Ast *e, Ast *own, const Lane *at, Decl *b, Ast *lane, Decl *from,
                      int n,
                      Ast *const *body, Ast *out) {
    const CType *t = ast_scalar(k->a, e->type->scalar);
    Decl *none = ast_variable(k->a, "none", t, NULL, e->loc), *f = NEW(k->a, Decl);
    Decl *value = ast_variable(k->a, "value", t, NULL, e->loc);
    value->kind = D_PARAM;
    VEC(Ast *) v = {0};
    vec_push(k->a, &v, mk_set(k, element(k, e, b, at), ast_ref(k->a, e, value)));
    vec_push(k->a, &v, wait(k, e));
    for (int i = 0; i < n; i++) vec_push(k->a, &v, body[i]);
    vec_push(k->a, &v, wait(k, e));
    vec_push(k->a, &v, ast_declare(k->a, e, none));
    vec_push(k->a, &v, mk_set(k, element(k, e, b, at), ast_ref(k->a, e, none)));
    vec_push(k->a, &v, wait(k, e));
    vec_push(k->a, &v, ast_make(k->a, A_RETURN, e, NULL, 1, &out));
    CType *type = NEW(k->a, CType);
    *type = (CType){.kind = CT_FUNCTION, .of = t, .text = "lanes"};
    *f = (Decl){.kind = D_FUNCTION, .name = b->name, .type = type, .loc = e->loc, .nparams = lane ? 2 : 1};
    f->params = NEW_N(k->a, Decl *, 2);
    f->params[0] = value, f->params[1] = from;
    f->body = mk_block(k, e, v.n, v.at);
    Ast *call = ast_make(k->a, A_CALL, e, t, lane ? 2 : 1, (Ast *[]){mk_cast(k, t, own), lane});
    call->decl = f;
    call->name = f->name;
    return call;
}

typedef struct Shuffle {
    const char *how; // "xor_sync"
    Ast *own, *by;
    int64_t width, mask; // mask: of xor
} Shuffle;

static bool is_shuffle(KernelRead *k, const Ast *e, Shuffle *s) {
    bool call = e->kind == A_CALL && e->name && e->decl && !e->decl->body && str_has_prefix(e->name,
            "__shfl");
    if (!call || !e->type || e->type->kind != CT_SCALAR) return false;
    int at = str_has_suffix(e->name, "_sync") ? 1 : 0;
    *s = (Shuffle){.how = e->name[6] == '_' ? e->name + 7 : "", .width = LANES};
    if (e->nkids < at + 2 || (e->nkids > at + 2 && !kernel_const(k, e->kids[at + 2],
                                                                 &s->width))) return false;
    if (s->width < 1 || s->width > LANES || (s->width & (s->width - 1))) return false;
    s->own = e->kids[at];
    s->by = mk_cast(k, ast_scalar(k->a, T_I32), e->kids[at + 1]);
    if (!str_has_prefix(s->how, "xor")) return true;
    return kernel_const(k, s->by, &s->mask) && s->mask >= 0 && s->mask < s->width;
}

static Ast *handed(KernelRead *k, Ast *e) {
    Shuffle s;
    if (!is_shuffle(k, e, &s)) return e;
    const CType *t = ast_scalar(k->a, e->type->scalar);
    bool bits = str_has_prefix(s.how, "xor");
    Lane own = place(k, e, bits), from = own;
    Decl *b = box(k, e, t, &own), *param = NULL;
    Ast *lane = NULL;
    for (int i = 0; bits && i < 5; i++) {
        Ast **x = &from.at[own.n - 1 - i];
        if (s.mask >> i & 1) *x = mk_op(k, OP_SUB, number(k, e, 1), *x);
    }
    if (!bits) {
        param = ast_variable(k->a, "from", ast_scalar(k->a, T_I32), NULL, e->loc);
        param->kind = D_PARAM;
        lane = source(k, e, s.how, s.by, own.at[own.n - 1], s.width);
        from.at[own.n - 1] = ast_ref(k->a, e, param);
    }
    Decl *got = ast_variable(k->a, "got", t, element(k, e, b, &from), e->loc);
    Ast *body = ast_declare(k->a, e, got);
    return exchanged(k, e, s.own, &own, b, lane, param, 1, &body, ast_ref(k->a, e, got));
}

// ---- masks ------------------------------------------------------------------------------------------
static bool is_full(KernelRead *k, const Ast *mask, int deep);

// Is it full in each call of the function that has this parameter?
static bool is_full_param(KernelRead *k, const Decl *d, int deep) {
    int calls = 0;
    for (int i = 0; i < k->funcs.n; i++)
        ast_each(e, k->funcs.at[i]->body) {
            const Decl *f = e->kind == A_CALL ? e->decl : NULL;
            for (int j = 0; f && j < f->nparams; j++) {
                if (f->params[j] != d) continue;
                if (j >= e->nkids || !is_full(k, e->kids[j], deep + 1)) return false;
                calls++;
            }
        }
    return calls > 0;
}

// Does the mask name all lanes that there are?
static bool is_full(KernelRead *k, const Ast *mask, int deep) {
    const int64_t *n = k->launch.block, all = n[0] * n[1] * n[2];
    uint32_t wanted = all < LANES ? (1u << all) - 1 : UINT32_MAX;
    int64_t v;
    if (kernel_const(k, mask, &v)) return ((uint32_t)v & wanted) == wanted;
    const Ast *x = accept_strip(mask);
    const Decl *d = x->kind == A_REF && deep < 8 ? x->decl : NULL;
    if (!d || (d->kind != D_VAR && d->kind != D_PARAM) || d->is_global) return false;
    for (int i = 0; i < k->funcs.n; i++)
        if (accept_writes_decl(k->a, k->funcs.at[i]->body, d)) return false;
    return d->kind == D_PARAM ? is_full_param(k, d, deep) : d->init && is_full(k, d->init, deep + 1);
}

void kernel_masks(KernelRead *k) {
    for (int i = 0; i < k->masked.n; i++) {
        const Ast *x = k->masked.at[i];
        if (!is_full(k, x->kids[0], 0))
            kernel_inexact(k,
                           "the mask of '%s' at %d:%d does not name all lanes of a warp, or that can't "
                           "be seen",
                           x->name, x->loc.line, x->loc.col);
    }
}

// ---- all lanes ------------------------------------------------------------------------------------
//   v += __shfl_xor_sync(~0u, v, 16) … 8 … 4 … 2 … 1     all lanes get the sum of all
static const Decl *variable(const Ast *x) {
    x = accept_strip(x);
    return x->kind == A_REF ? x->decl : NULL;
}

typedef struct Step { // v = v op what the lane by `mask` has
    const Decl *v;
    Op op; // OP_SET: fn's
    const Ast *e; // the operation
    Ast *place;
    int64_t mask;
} Step;

static bool is_step(KernelRead *k, const Ast *s, Step *out) {
    while (s && s->kind == A_BLOCK && s->nkids == 1) s = s->kids[0];
    const Ast *a = s && s->kind == A_EXPR ? accept_strip(s->kids[0]) : NULL;
    if (!a || a->kind != A_ASSIGN || !variable(a->kids[0])) return false;
    const Ast *x = accept_strip(a->kids[1]), *one, *two;
    *out = (Step){.v = variable(a->kids[0]), .op = a->op, .e = x, .place = a->kids[0]};
    if (a->op == OP_SET) {
        bool call = x->kind == A_CALL && x->name && x->nkids == 2 && str_among(x->name,
                "fmaxf fmax fminf fmin");
        if (!call && x->kind != A_BINARY) return false;
        out->op = call ? OP_SET : x->op;
        one = accept_strip(x->kids[0]), two = accept_strip(x->kids[1]);
    } else one = accept_strip(a->kids[0]), two = x;
    if (out->op != OP_SET && out->op != OP_ADD && out->op != OP_MUL && out->op != OP_AND && out->op != OP_OR)
        return false;
    Shuffle h;
    if (!is_shuffle(k, two, &h)) {
        const Ast *t = one;
        one = two, two = t;
    }
    bool fits = is_shuffle(k, two, &h) && str_has_prefix(h.how, "xor") && h.width == LANES &&
                variable(one) == out->v && variable(h.own) == out->v &&
                    two->type->scalar == out->v->type->scalar;
    out->mask = h.mask;
    return fits;
}

static Ast *joined(KernelRead *k, const Step *s, Decl *all, Ast *x) {
    Ast *y = ast_ref(k->a, s->e, all);
    if (s->op == OP_MIN || s->op == OP_MAX) {
        Ast *better = mk_op(k, s->op == OP_MIN ? OP_LT : OP_GT, x, ast_ref(k->a, s->e, all));
        return mk_set(k, y, or_own(k, better, x, ast_ref(k->a, s->e, all)));
    }
    if (s->op != OP_SET) return mk_set(k, y, mk_op(k, s->op, ast_ref(k->a, s->e, all), x));
    Ast *call = ast_make(k->a, A_CALL, s->e, s->e->type, 2, (Ast *[]){ast_ref(k->a, s->e, all), x});
    call->name = s->e->name, call->decl = s->e->decl;
    return mk_set(k, y, call);
}

// What all lanes have, joined by s->op; mine: this one's.
static Ast *of_all_lanes(KernelRead *k, const Step *s, Ast *mine) {
    const CType *t = ast_scalar(k->a, s->v->type->scalar);
    Ast *e = ast_make(k->a, A_REF, s->e, t, 0, NULL);
    Lane own = place(k, e, false), from = own, last = own;
    Decl *b = box(k, e, t, &own), *i = ast_variable(k->a, "lane", ast_scalar(k->a, T_I32), NULL, e->loc);
    from.at[own.n - 1] = ast_ref(k->a, e, i), last.at[own.n - 1] = number(k, e, LANES - 1);
    Decl *all = ast_variable(k->a, "all", t, element(k, e, b, &last), e->loc);
    Ast *loop = mk_for(k, e, i, number(k, e, LANES - 1), HOW_SERIAL,
                       joined(k, s, all, element(k, e, b, &from)));
    if (type_is_float(t->scalar) && s->op != OP_SET) vec_push(k->a, &k->trees, b);
    Ast *body[] = {ast_declare(k->a, e, all), loop};
    return exchanged(k, e, mine, &own, b, NULL, NULL, 2, body, ast_ref(k->a, e, all));
}

// Steps of one variable, which others' may stand between: each knows its own alone.
static Ast *find_all_lanes(KernelRead *k, Ast *x) {
    if (x->kind != A_BLOCK) return x;
    VEC(Ast *) v = {0};
    VEC(Ast *) in = {0};
    for (int i = 0; i < x->nkids; i++) { // a round that was written out is no block of its own
        Step s;
        Ast *y = x->kids[i];
        bool steps = y->kind == A_BLOCK && y->nkids > 1;
        for (int j = 0; steps && j < y->nkids; j++) steps = is_step(k, y->kids[j], &s);
        for (int j = 0; steps && j < y->nkids; j++) vec_push(k->a, &in, y->kids[j]);
        if (!steps) vec_push(k->a, &in, y);
    }
    for (int i = 0; i < in.n; i++) {
        Step s, next;
        int at[5], n = 0;
        int64_t masks = 0;
        for (int j = i; j < in.n && n < 5 && is_step(k, in.at[j], n ? &next : &s); j++) {
            if (n && next.v != s.v) continue;
            if (n && (next.op != s.op || (s.op == OP_SET && !str_eq(next.e->name, s.e->name)))) break;
            masks |= n ? next.mask : s.mask;
            at[n++] = j;
        }
        bool whole = n == 5 && masks == LANES - 1;
        vec_push(k->a, &v, whole ? mk_set(k, s.place, of_all_lanes(k, &s, s.place)) : in.at[i]);
        for (int d = n - 1; whole && d > 0; d--) { // the first one stands for all
            for (int j = at[d]; j + 1 < in.n; j++) in.at[j] = in.at[j + 1];
            in.n--;
        }
    }
    return mk_block(k, x, v.n, v.at);
}

// ---- votes ----------------------------------------------------------------------------------------
//   __popc(__ballot_sync(~0u, i < n && x[i] > t))     all lanes get the number of those for which it holds
//   __reduce_add_sync(~0u, v)                         all lanes get the sum of all
// 1 where x holds, else 0.
static Ast *truth_number(KernelRead *k, Ast *x) {
    Ast *y = (Ast *)accept_strip(x), *none = number(k, x, 0);
    bool both = y->kind == A_BINARY && y->op == OP_LAND;
    if (both) return or_own(k, y->kids[0], truth_number(k, y->kids[1]), none);
    bool compares = y->kind == A_BINARY && y->op >= OP_LT && y->op <= OP_NE;
    return or_own(k, compares ? y : mk_op(k, OP_NE, y, number(k, y, 0)), number(k, x, 1), none);
}

static Ast *vote(KernelRead *k, Ast *x) {
    const Ast *call = x;
    bool counts = x->kind == A_CALL && x->name && str_eq(x->name, "__popc") && x->nkids == 1;
    if (counts) call = accept_strip(x->kids[0]);
    bool votes = call->kind == A_CALL && call->name && call->nkids == 2 && !(call->decl && call->decl->body);
    static const char *const names[] = {"__ballot_sync", "__any_sync", "__all_sync", "__reduce_add_sync",
                                        "__reduce_or_sync", "__reduce_and_sync", "__reduce_xor_sync",
                                        "__reduce_min_sync", "__reduce_max_sync"};
    static const Op ops[] = {OP_ADD, OP_OR, OP_AND, OP_ADD, OP_OR, OP_AND, OP_XOR, OP_MIN, OP_MAX};
    Op op = OP_SET;
    for (int i = 0; i < (int)(sizeof ops / sizeof *ops); i++)
        if (votes && counts == !i && str_eq(call->name, names[i])) op = ops[i];
    if (op == OP_SET) return x;
    if (str_has_prefix(call->name, "__reduce")) {
        Decl *v = ast_variable(k->a, "held", ast_scalar(k->a, x->type->scalar), NULL, x->loc);
        return of_all_lanes(k, &(Step){.v = v, .op = op, .e = ast_ref(k->a, x, v)}, call->kids[1]);
    }
    Decl *held = ast_variable(k->a, "held", ast_scalar(k->a, T_I32), NULL, x->loc);
    Step s = {.v = held, .op = op, .e = ast_ref(k->a, x, held)};
    return mk_cast(k, x->type, of_all_lanes(k, &s, truth_number(k, call->kids[1])));
}

// A function that only turns lanes, called with a number that is known here alone.
static Ast *unwrapped(KernelRead *k, Ast *x) {
    const Ast *b = x->kind == A_CALL && x->decl && x->nkids == x->decl->nparams ? x->decl->body : NULL;
    while (b && b->kind == A_BLOCK && b->nkids == 1) b = b->kids[0];
    if (!b || b->kind != A_RETURN || !b->nkids) return x;
    Ast *y = (Ast *)accept_strip(b->kids[0]);
    if (y->kind != A_CALL || !y->name || !str_has_prefix(y->name, "__shfl_xor")) return x;
    for (int i = 0; i < x->nkids; i++) y = ast_replace(k, y, x->decl->params[i], x->kids[i]);
    return y;
}

Ast *kernel_lanes(KernelRead *k, Ast *body) {
    if (!k->launch.lanes) return body;
    return ast_map(k, ast_map(k, ast_map(k, ast_map(k, body, unwrapped), vote), find_all_lanes), handed);
}
