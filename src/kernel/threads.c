// SPDX-License-Identifier: MIT
// threads.c -- a launch whose blocks have any number of threads.
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x      i = bx + tx, with tx = 0
//   i += gridDim.x * blockDim.x                  →     i += grid_x, the number of all threads
//
// A thread that asks for its number among all, and for how many there are, does the same in a block of one
// thread, of which there are so many more. So that is the launch which is read, and what is shown of it is so
// for blocks of all sizes. A kernel whose threads work together, or ask for anything else, needs a value.
#include "kernel/pass.h"
#include <string.h>

static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
typedef enum Asks { THREAD, BLOCK, BLOCK_SIZE, BLOCKS, NOTHING } Asks;

// What x asks of the launch in an axis that is open.
static Asks asks(const KernelRead *k, const Ast *x, int *d) {
    while (x && x->kind == A_CAST) x = x->kids[0];
    const Ast *base = x && x->kind == A_FIELD ? x->kids[0] : NULL;
    if (k->opencl || !base || base->kind != A_REF || !base->decl) return NOTHING;
    int which = 0;
    *d = x->name[0] - 'x';
    while (which < NOTHING && !str_eq(base->decl->name, names[which])) which++;
    return *d >= 0 && *d < 3 && k->launch.any_block[*d] ? (Asks)which : NOTHING;
}

typedef VEC(Ast **) Operands;

static void operands(KernelRead *k, Operands *v, Ast **x, Op op) {
    if ((*x)->kind == A_BINARY && (*x)->op == op) {
        operands(k, v, &(*x)->kids[0], op);
        operands(k, v, &(*x)->kids[1], op);
    } else vec_push(k->a, v, x);
}

static Ast **operand_that(const KernelRead *k, const Operands *v, Asks what, int axis) {
    for (int i = 0, d; i < v->n; i++)
        if (asks(k, *v->at[i], &d) == what && d == axis) return v->at[i];
    return NULL;
}

// Of a sum: blockIdx.x * blockDim.x, one operand.
static Ast **first_of_block(KernelRead *k, const Operands *v, int d) {
    for (int i = 0; i < v->n; i++) {
        Operands f = {0};
        Ast *x = *v->at[i];
        while (x->kind == A_CAST) x = x->kids[0];
        operands(k, &f, &x, OP_MUL);
        if (f.n == 2 && operand_that(k, &f, BLOCK, d) && operand_that(k, &f, BLOCK_SIZE, d)) return v->at[i];
    }
    return NULL;
}

Ast *kernel_thread_number(KernelRead *k, Ast *x) {
    for (int d = 0; d < 3; d++) {
        Operands v = {0};
        if (!k->launch.any_block[d] || (x->op != OP_ADD && x->op != OP_MUL)) continue;
        operands(k, &v, &x, x->op);
        bool sum = x->op == OP_ADD;
        Ast **one = operand_that(k, &v, sum ? THREAD : BLOCKS, d);
        Ast **other = sum ? first_of_block(k, &v, d) : operand_that(k, &v, BLOCK_SIZE, d);
        if (!one || !other) continue;
        Ast *all = sum ? ast_ref(k->a, x, k->block[d]) : kernel_blocks(k, x, d, T_U32);
        *other = mk_cast(k, (*other)->type, all);
        *one = mk_cast(k, (*one)->type, sum ? ast_ref(k->a, x, k->thread[d]) : mk_int(k, x, T_U32, 1));
    }
    return x;
}

// int t = threadIdx.x, which nobody changes, is that wherever it stands.
static Decl *kept(KernelRead *k, const Ast *x) {
    Decl *found = NULL;
    int d;
    for (int i = 0; x && i < x->ndecls && !found; i++) {
        Decl *v = x->decls[i];
        bool number = v->kind == D_VAR && v->type->kind == CT_SCALAR && asks(k, v->init, &d) != NOTHING;
        if (number && !accept_writes_decl(k->a, k->kernel->body, v)) found = v;
    }
    for (int i = 0; x && i < x->nkids && !found; i++) found = kept(k, x->kids[i]);
    return found;
}

void kernel_put_numbers(KernelRead *k) {
    for (Decl *v; (v = kept(k, k->kernel->body));) {
        Ast *value = mk_cast(k, v->type, v->init);
        v->init = mk_cast(k, v->type, mk_int(k, v->init, T_U32, 0));
        k->kernel->body = ast_replace(k, k->kernel->body, v, value);
    }
}

// What needs a block's size; *what: how it is called there.
static const Ast *needs_size(const KernelRead *k, const Ast *x, const char **what) {
    int d;
    const char *name = x && x->kind == A_CALL && x->name ? x->name : "";
    if (!x) return NULL;
    Asks a = x->kind == A_FIELD ? asks(k, x, &d) : NOTHING;
    if (a != NOTHING) return *what = arena_printf(k->a, "%s.%c", names[a], "xyz"[d]), x;
    bool together = str_has_suffix(name, "_sync") || str_has_suffix(name, "_block");
    together |= strstr(name, "_group_") != NULL;
    together |= str_has_prefix(name, "__syncthreads") || str_has_prefix(name, "__shfl");
    together |= str_among(name, "__syncwarp __activemask __ballot __any __all barrier get_local_id "
                                "get_group_id get_local_size get_enqueued_local_size get_num_groups");
    if (together) return *what = name, x;
    if (x->kind == A_BARRIER) return *what = "a barrier", x;
    const Ast *found = NULL;
    for (int i = 0; i < x->nkids && !found; i++) found = needs_size(k, x->kids[i], what);
    for (int i = 0; i < x->ndecls && !found; i++)
        if (x->decls[i]->kind == D_VAR) found = needs_size(k, x->decls[i]->init, what);
    return found;
}

bool kernel_any_block(KernelRead *k) {
    const bool *any = k->launch.any_block;
    if (!any[0] && !any[1] && !any[2]) return true;
    const char *what = NULL;
    const Ast *at = NULL;
    for (int i = 0; i < k->funcs.n && !at; i++) at = needs_size(k, k->funcs.at[i]->body, &what);
    if (!at && k->shared.n) what = k->shared.at[0]->name;
    if (!what) return true;
    kernel_refuse(k, SC_USAGE, at ? at->loc : k->kernel->loc,
                  "what '%s' means hangs on the size of a block: give --block 256, or --where 'blockDim.x == "
                  "256'",
                  what);
    return false;
}
