// SPDX-License-Identifier: MIT
// copies.c -- asynchronous copies of a thread (cp.async), as copies that are marked, and what waits for them.
//
//   __pipeline_memcpy_async(&s[t], &a[i], 4)    s[t] = a[i], async
//   __pipeline_commit()                         a group ends: a barrier of nobody, A_BARRIER 2
//   __pipeline_wait_prior(1)                    all but the last group have landed: A_BARRIER 3 + 1
//
// The same in PTX: cp.async.cg.shared.global [%0], [%1], 16; cp.async.commit_group; cp.async.wait_group 1.
// The address in shared memory is a number there, unsigned to = __cvta_generic_to_shared(&s[t]), which is a
// pointer here.
//
// Only `sculpt check` asks when they land; elsewhere they are plain copies.
#include "kernel/pass.h"
#include <stdlib.h>
#include <string.h>

static Ast *marked(KernelRead *k, const Ast *like, int on) {
    static Decl async = {.kind = D_FUNCTION, .name = "sculpt_async"};
    Ast *group = mk_int(k, like, T_I32, on), *call = ast_make(k->a, A_CALL, like, group->type, 1, &group);
    call->name = async.name, call->decl = &async;
    return ast_make(k->a, A_EXPR, like, NULL, 1, &call);
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
        Ast *x = ast_make(k->a, A_INDEX, e, to->type->of, 2, (Ast *[]){ast_replace(k, to, NULL, NULL), at});
        Ast *again = ast_replace(k, from, NULL, NULL);
        Ast *y = ast_make(k->a, A_INDEX, e, from->type->of, 2, (Ast *[]){again, at});
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

// ---- PTX ----------------------------------------------------------------------------------------------
void kernel_ptx_address(Decl *d) {
    const Ast *p = d->init;
    if (d->kind != D_VAR || !p || !d->type || d->type->kind != CT_SCALAR) return;
    while (p->kind == A_CAST && p->nkids && (!p->type || p->type->kind != CT_POINTER || points_to_nothing(p)))
        p = p->kids[0];
    if (p == d->init || !p->type || p->type->kind != CT_POINTER || points_to_nothing(p)) return;
    d->init = (Ast *)p;
    d->type = p->type;
}

// What stands in the quotes of asm("…" "…" : …).
static const char *template_of(KernelRead *k, const Ast *s) {
    Text t = text_new(k->a);
    if (s->end <= s->begin || s->end > k->unit->size) return NULL;
    const char *at = k->unit->text + s->begin, *end = k->unit->text + s->end;
    for (; at < end && *at != ':'; at++) {
        if (*at != '"') continue;
        for (at++; at < end && *at != '"'; at++) {
            if (*at != '\\') text_printf(&t, "%c", *at);
            else if (++at < end && *at != 'n' && *at != 't') return NULL;
        }
    }
    return text_str(&t);
}

// Skips blanks and the word; NULL: it does not stand there.
static const char *behind(const char *at, const char *word) {
    if (at) at += strspn(at, " \t\n");
    return at && str_has_prefix(at, word) ? at + strlen(word) : NULL;
}

static bool ends(const char *at) {
    const char *more = behind(at, ";");
    if (more) at = more;
    return at && !at[strspn(at, " \t\n")];
}

// A number, or the operand %i; NULL: neither.
static Ast *operand(KernelRead *k, const Ast *s, const char **at) {
    char *end;
    const char *p = *at ? *at + strspn(*at, " \t\n") : "";
    bool named = *p == '%';
    long v = strtol(p + named, &end, 10);
    *at = end;
    if (end == p + named || v < 0 || (named && v >= s->nkids)) return NULL;
    if (!named) return mk_int(k, s, T_I32, v);
    Ast *x = s->kids[v];
    return x->kind == A_EXPR && x->nkids ? x->kids[0] : x;
}

static Ast *called(KernelRead *k, const Ast *s, const char *name, int n, Ast **args) {
    static Decl nobody = {.kind = D_FUNCTION, .name = "cp.async"};
    Ast *call = ast_make(k->a, A_CALL, s, ast_scalar(k->a, T_I32), n, args);
    call->name = name, call->decl = &nobody;
    return kernel_async(k, ast_make(k->a, A_EXPR, s, NULL, 1, &call), call);
}

Ast *kernel_asm(KernelRead *k, Ast *s) {
    const char *text = str_eq(s->name, "GCCAsmStmt") ? template_of(k, s) : NULL, *at;
    Ast *x[3] = {0}, *done = NULL, *none = mk_int(k, s, T_I32, 0);
    if (!text) return s;
    if (ends(behind(text, "cp.async.commit_group"))) done = called(k, s, "__pipeline_commit", 0, NULL);
    else if (ends(behind(text, "cp.async.wait_all"))) {
        Ast *both[2] = {called(k, s, "__pipeline_commit", 0, NULL),
                        called(k, s, "__pipeline_wait_prior", 1, &none)};
        done = both[0] && both[1] ? mk_block(k, s, 2, both) : NULL;
    } else if ((at = behind(text, "cp.async.wait_group"))) {
        x[0] = operand(k, s, &at);
        if (x[0] && ends(at)) done = called(k, s, "__pipeline_wait_prior", 1, x);
    } else if ((at = behind(text, "cp.async.ca.shared.global")) ||
               (at = behind(text, "cp.async.cg.shared.global"))) {
        if (str_has_prefix(at, ".L2::")) at += strcspn(at, " \t");
        for (int i = 0; i < 3 && (at = i < 2 ? behind(at, "[") : at); i++) {
            x[i] = operand(k, s, &at);
            if (i < 2) at = behind(behind(at, "]"), ",");
        }
        if (x[0] && x[1] && x[2] && ends(at)) done = called(k, s, "__pipeline_memcpy_async", 3, x);
    }
    return done ? done : s;
}
