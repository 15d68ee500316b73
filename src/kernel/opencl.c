// SPDX-License-Identifier: MIT
// opencl.c -- OpenCL's builtins that stand for something longer, in terms of what C has.
//
//   get_sub_group_local_id()             the thread's number in its block, modulo a warp's lanes
//   s = sincos(x, &c)                    (c = cos(x), sin(x))
//   f = fract(x, &n)                     (n = floor(x), x - floor(x))
//   vload_half(i, p)                     (float)p[i]
//   async_work_group_copy(d, s, n, 0)    the block's threads copy, each its share:
//                                        for (j = 0; j < up(n, T); j++)
//                                            if (j * T + t < n) d[j * T + t] = s[j * T + t];
//   wait_group_events(n, e)              a barrier
#include "kernel/pass.h"
#include <string.h>

enum { LANES = 32 };

static int64_t threads_of(const KernelRead *k) {
    return k->launch.block[0] * k->launch.block[1] * k->launch.block[2];
}
static int64_t blocks_of(const KernelRead *k) {
    return k->launch.grid[0] * k->launch.grid[1] * k->launch.grid[2];
}

// x + X * (y + Y * z) of counters that may not be there
static Ast *rank(KernelRead *k, const Ast *at, Decl *const count[3], const int64_t size[3], Type t) {
    Ast *sum = NULL;
    int64_t pitch = 1;
    for (int d = 0; d < 3; pitch *= size[d++]) {
        if (!count[d]) continue;
        Ast *x = mk_cast(k, ast_scalar(k->a, t), ast_ref(k->a, at, count[d]));
        if (pitch > 1) x = mk_op(k, OP_MUL, x, mk_int(k, at, t, pitch));
        sum = sum ? mk_op(k, OP_ADD, sum, x) : x;
    }
    return sum ? sum : mk_int(k, at, t, 0);
}

static Ast *thread_rank(KernelRead *k, const Ast *at, Type t) {
    return rank(k, at, k->thread, k->launch.block, t);
}

// get_image_width(image): a number that the launch brings, open unless --arg image_width=… gives it.
static Ast *image_size(KernelRead *k, Ast *x) {
    const Ast *image = x->nkids == 1 ? accept_strip(x->kids[0]) : NULL;
    if (!image || image->kind != A_REF || !image->decl || x->type->kind != CT_SCALAR) return NULL;
    const char *name = arena_printf(k->a, "%s_%s", image->decl->name, x->name + strlen("get_image_"));
    for (int i = 0; i < k->sizes.n; i++)
        if (str_eq(k->sizes.at[i]->name, name)) return ast_ref(k->a, x, k->sizes.at[i]);
    Decl *d = ast_variable(k->a, name, x->type, NULL, x->loc);
    d->is_global = d->is_const = true;
    for (int i = 0; i < k->launch.nargs; i++)
        if (str_eq(k->launch.args[i].name, name))
            kernel_learn(k, d, mk_int(k, x, x->type->scalar, (int64_t)k->launch.args[i].value));
    vec_push(k->a, &k->sizes, d);
    const Ast *known = kernel_known(k, d);
    return known ? mk_int(k, x, x->type->scalar, known->i) : ast_ref(k->a, x, d);
}

Ast *kernel_opencl_number(KernelRead *k, Ast *x) {
    const char *name = x->name;
    if (str_among(name, "get_image_width get_image_height get_image_depth get_image_array_size"))
        return image_size(k, x);
    int64_t warps = (threads_of(k) + LANES - 1) / LANES;
    Ast *lane = mk_int(k, x, T_I32, LANES);
    if (x->nkids) return NULL;
    if (str_eq(name, "get_sub_group_local_id"))
        return mk_cast(k, x->type, mk_op(k, OP_MOD, thread_rank(k, x, T_I32), lane));
    if (str_eq(name, "get_sub_group_id"))
        return mk_cast(k, x->type, mk_op(k, OP_DIV, thread_rank(k, x, T_I32), lane));
    if (str_among(name, "get_sub_group_size get_max_sub_group_size")) return mk_int(k, x, T_U32, LANES);
    if (str_among(name, "get_num_sub_groups get_enqueued_num_sub_groups")) return mk_int(k, x, T_U32, warps);
    if (str_eq(name, "get_local_linear_id")) return mk_cast(k, x->type, thread_rank(k, x, T_I32));
    if (str_eq(name, "get_global_linear_id")) {
        Type t = blocks_of(k) * threads_of(k) > INT32_MAX ? T_I64 : T_I32;
        bool flat = k->launch.block[1] * k->launch.block[2] * k->launch.grid[1] * k->launch.grid[2] == 1;
        if (!flat) return NULL; // rows of blocks are not rows of threads: nothing simple
        Ast *base = mk_op(k, OP_MUL, rank(k, x, k->block, k->launch.grid, t), mk_int(k, x, t, threads_of(k)));
        return mk_cast(k, x->type, mk_op(k, OP_ADD, base, thread_rank(k, x, t)));
    }
    return NULL;
}

// ---- two results -----------------------------------------------------------------------------
static Ast *pointee(KernelRead *k, Ast *p) {
    return p->kind == A_ADDR ? p->kids[0] : ast_make(k->a, A_DEREF, p, p->type->of, 1, &p);
}

static Ast *c_call(KernelRead *k, Ast *like, const char *name, Ast *x) {
    Decl *d = NEW(k->a, Decl);
    bool single = x->type->scalar == T_F32;
    *d = (Decl){.kind = D_FUNCTION, .name = single ? arena_printf(k->a, "%sf", name) : name};
    Ast *n = ast_make(k->a, A_CALL, like, x->type, 1, &x);
    n->decl = d;
    n->name = d->name;
    return n;
}

Ast *kernel_opencl_pair(KernelRead *k, Ast *x) {
    if (x->nkids != 2 || !str_among(x->name, "sincos fract modf") || x->type->kind != CT_SCALAR) return NULL;
    if (x->kids[1]->type->kind != CT_POINTER) return NULL;
    Ast *v = x->kids[0], *second = pointee(k, x->kids[1]), *value;
    Ast *part = c_call(k, x, x->name[0] == 's' ? "cos" : x->name[0] == 'f' ? "floor" : "trunc", v);
    value = x->name[0] == 's' ? c_call(k, x, "sin", v) : mk_op(k, OP_SUB, v, part);
    return ast_make(k->a, A_COMMA, x, x->type, 2, (Ast *[]){mk_set(k, second, part)->kids[0], value});
}

// ---- 16-bit floats ------------------------------------------------------------------------------
// p[n * i + lane], n elements apart
Ast *kernel_half_lane(KernelRead *k, const Ast *x, int lane, int apart, Ast *i, Ast *p) {
    Ast *at = apart > 1 ? mk_op(k, OP_MUL, i, mk_int(k, i, i->type->scalar, apart)) : i;
    if (lane) at = mk_op(k, OP_ADD, at, mk_int(k, i, i->type->scalar, lane));
    return ast_make(k->a, A_INDEX, x, p->type->of, 2, (Ast *[]){p, at});
}

// ---- copies by the whole block --------------------------------------------------------------------
static const CType *element(const Ast *p) {
    return p->type && (p->type->kind == CT_POINTER || p->type->kind == CT_ARRAY) ? p->type->of : NULL;
}

static Ast *copy_by_block(KernelRead *k, Ast *x, Ast *stride) {
    Ast *d = x->kids[0], *s = x->kids[1], *n = mk_cast(k, ast_scalar(k->a, T_I32), x->kids[2]);
    int64_t threads = threads_of(k);
    if (!element(d) || !element(s)) return NULL;
    Decl *j = ast_variable(k->a, "copy", ast_scalar(k->a, T_I32), NULL, x->loc);
    Ast *up =
        mk_op(k, OP_DIV, mk_op(k, OP_ADD, n, mk_int(k, x, T_I32, threads - 1)), mk_int(k, x, T_I32, threads));
    Ast *at = mk_op(k, OP_ADD, mk_op(k, OP_MUL, ast_ref(k->a, x, j), mk_int(k, x, T_I32, threads)),
                    thread_rank(k, x, T_I32));
    Ast *apart = stride ? mk_op(k, OP_MUL, at, mk_cast(k, ast_scalar(k->a, T_I32), stride)) : at;
    bool gathers = d->type->is_local || (d->kind == A_REF && d->decl && d->decl->space == SPACE_SHARED);
    Ast *to = ast_make(k->a, A_INDEX, x, element(d), 2, (Ast *[]){d, gathers ? at : apart});
    Ast *from = ast_make(k->a, A_INDEX, x, element(s), 2, (Ast *[]){s, gathers ? apart : at});
    Ast *body = mk_if(k, mk_op(k, OP_LT, at, n), mk_set(k, to, from));
    return mk_for(k, x, j, up, HOW_SERIAL, body);
}

Ast *kernel_opencl_stmt(KernelRead *k, Ast *s, Ast *e) {
    if (str_among(e->name, "wait_group_events") || str_eq(e->name, "sub_group_barrier")) {
        bool warp = e->name[0] == 's';
        int64_t flags = 3;
        if (warp && e->nkids && (!kernel_const(k, e->kids[0], &flags) || (flags & 3) != 3))
            kernel_inexact(k, "'%s' at %d:%d orders one kind of memory alone", e->name, e->loc.line,
                           e->loc.col);
        s->kind = A_BARRIER, s->nkids = 0, s->i = warp;
        k->lockstep |= warp;
        return s;
    }
    if (str_eq(e->name, "async_work_group_copy") && e->nkids == 4) return copy_by_block(k, e, NULL);
    if (str_eq(e->name, "async_work_group_strided_copy") && e->nkids == 5)
        return copy_by_block(k, e, e->kids[3]);
    if (str_has_prefix(e->name, "vstore_half") && e->nkids == 3 && e->kids[0]->type->kind == CT_SCALAR) {
        Ast *to = kernel_half_lane(k, e, 0, 1, e->kids[1], e->kids[2]);
        return mk_set(k, to, mk_cast(k, to->type, e->kids[0]));
    }
    return NULL;
}
