// SPDX-License-Identifier: MIT
// copies.c -- asynchronous copies of a thread (cp.async), as copies that are marked, and what waits for them.
//
//   __pipeline_memcpy_async(&s[t], &a[i], 4)    s[t] = a[i], async
//   __pipeline_commit()                         a group ends: a barrier of nobody, A_BARRIER 2
//   __pipeline_wait_prior(1)                    all but the last group have landed: A_BARRIER 3 + 1
//
// Only `sculpt check` asks when they land; elsewhere they are plain copies.
#include "kernel/pass.h"

static Ast *marked(KernelRead *k, const Ast *like, int on) {
    static Decl async = {.kind = D_FUNCTION, .name = "sculpt_async"};
    Ast *call = mk(k, A_CALL, like, mk_type(k, T_I32), 1, (Ast *[]){mk_int(k, like, T_I32, on)});
    call->name = async.name, call->decl = &async;
    return mk(k, A_EXPR, like, NULL, 1, &call);
}

static bool points_to_nothing(const Ast *p) {
    const CType *t = p->type;
    return t && t->kind == CT_POINTER && t->of->bytes < 1;
}

// The pointer without a conversion to void *.
static Ast *pointer(Ast *p) {
    while (p->kind == A_CAST && p->nkids && (points_to_nothing(p) || p->type->kind != CT_POINTER))
        p = p->kids[0];
    bool known = p->type && p->type->kind == CT_POINTER && p->type->of->bytes > 0;
    return known ? p : NULL;
}

static Ast *without_cast(Ast *p) { return p->kind == A_CAST && p->nkids ? pointer(p->kids[0]) : NULL; }

// Elements of one size on both sides.
static bool alike(Ast **to, Ast **from) {
    for (Ast *p = *to; p; p = without_cast(p))
        for (Ast *q = *from; q; q = without_cast(q))
            if (p->type->of->bytes == q->type->of->bytes && p->type->of->kind == q->type->of->kind)
                return *to = p, *from = q, true;
    return false;
}

static Ast *copies(KernelRead *k, const Ast *e) {
    int64_t bytes, none = 0;
    Ast *to = pointer(e->kids[0]), *from = pointer(e->kids[1]);
    if (!to || !from || !kernel_const(k, e->kids[2], &bytes) || !alike(&to, &from)) return NULL;
    if (e->nkids > 3 && (!kernel_const(k, e->kids[3], &none) || none)) return NULL;
    int64_t n = bytes / to->type->of->bytes;
    if (n < 1 || n > 16 || n * to->type->of->bytes != bytes) return NULL;
    VEC(Ast *) v = {0};
    if (k->launch.lanes) vec_push(k->a, &v, marked(k, e, 1));
    for (int64_t i = 0; i < n; i++) {
        Ast *at = mk_int(k, e, T_I32, i);
        Ast *x = mk(k, A_INDEX, e, to->type->of, 2, (Ast *[]){ast_replace(k, to, NULL, NULL), at});
        Ast *y = mk(k, A_INDEX, e, from->type->of, 2, (Ast *[]){ast_replace(k, from, NULL, NULL), at});
        vec_push(k->a, &v, mk_set(k, x, y));
    }
    if (k->launch.lanes) vec_push(k->a, &v, marked(k, e, 0));
    return mk_block(k, e, v.n, v.at);
}

Ast *kernel_async(KernelRead *k, Ast *s, const Ast *e) {
    int64_t n = -1;
    if (str_eq(e->name, "__pipeline_memcpy_async") && e->nkids >= 3) return copies(k, e);
    bool commit = str_eq(e->name, "__pipeline_commit"), wait = str_eq(e->name, "__pipeline_wait_prior");
    if (!commit && (!wait || e->nkids != 1 || !kernel_const(k, e->kids[0], &n) || n < 0)) return NULL;
    s->kind = k->launch.lanes ? A_BARRIER : A_EMPTY;
    s->nkids = 0;
    s->i = 3 + n;
    return s;
}
