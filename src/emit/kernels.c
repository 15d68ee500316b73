// SPDX-License-Identifier: MIT
// kernels.c -- all kernels of a nest as one source text.
//
//   prelude of the dialect, helper functions that are used, kernel after kernel
#include <string.h>
#include "dep/dep.h"
#include "emit/dialect.h"

Printer printer_new(Compile *c, const Dialect *d, bool wide) {
    return (Printer){.c = c, .a = c->arena, .d = d, .wide = wide, .out = text_new(c->arena)};
}

// Does it stand ahead already? From now on it does.
static bool is_ahead(Printer *p, const char *text) {
    for (int k = 0; p->ahead && k < p->ahead->n; k++)
        if (str_eq(p->ahead->at[k], text)) return true;
    if (p->ahead) vec_push(p->a, p->ahead, text);
    return false;
}

char *printer_finish(Printer *p) {
    if (p->failed) return NULL;
    Text all = text_new(p->a), prelude = text_new(p->a);
    p->d->prelude(p, &prelude);
    if (!is_ahead(p, text_str(&prelude))) text_put(&all, text_str(&prelude));
    for (int k = 0; k < p->helpers.n; k++)
        if (!is_ahead(p, p->helpers.at[k].text)) text_printf(&all, "%s\n", p->helpers.at[k].text);
    text_put(&all, text_str(&p->out));
    return all.s;
}

// "head(a, b, c)\n", broken into lines where it gets too long.
void put_params(Printer *p, const char *head, int n, const char *const *params) {
    size_t column = strlen(head) + 1;
    put(p, "%s(", head);
    for (int k = 0; k < n; k++) {
        size_t width = strlen(params[k]) + 2;
        bool wrap = column + width > 98 && column > 8;
        put(p, "%s%s%s", k ? "," : "", wrap ? "\n        " : k ? " " : "", params[k]);
        column = (wrap ? 8 : column) + width;
    }
    put(p, ")\n");
}

int64_t emit_threads(const Printer *p, const Node *kernel, int64_t each[3]) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    int64_t all = 1;
    if (g.phases) {
        each[0] = g.threads;
        each[1] = each[2] = 1;
        return g.threads;
    }
    for (int k = 0; k < 3; k++) {
        each[k] = k < g.nthread ? emit_trips(p, g.thread[k]) : 1;
        all = each[k] < 1 || all < 0 ? -1 : all * each[k];
    }
    return all;
}

// wait: NULL for none
static void put_kernel(Printer *p, Node *kernel, const KernelWait *wait) {
    KernelSig *sig = ir_kernel_sig(p->a, kernel);
    p->loc = kernel->loc;
    p->kernel = kernel;
    p->statement = -1;
    p->objects.n = p->counters.n = 0;
    objects_collect(p, kernel->body);
    Node *shared = only_loop(kernel->body);
    p->shared_loop = shared && shared->how == HOW_BLOCK;
    p->d->open_kernel(p, kernel, sig);
    p->indent++;
    if (wait) put_wait(p, wait);
    if (p->d->block[0]) {
        put_shared_arrays(p, kernel);
        put_digits(p, kernel);
    }
    put_tree(p, kernel->body);
    p->threads = p->digits.n = 0;
    p->fixed.n = p->value.n = p->nknown;
    p->indent--;
    put(p, "}\n");
    if (p->d->close_kernel) p->d->close_kernel(p, kernel, sig);
}

typedef struct Visit {
    Printer *p;
    const Nest *nest;
    const EmitOptions *o;
    KernelWaits waits;
    int count;
} Visit;

// The kernel with its barriers, where its threads have to wait for each other.
static Node *with_barriers(Visit *v, Node *kernel) {
    KernelGrid g;
    ir_kernel_grid(kernel, &g);
    if (!g.phases || !v->p->d->barrier) return kernel;
    Node *n = dep_barriers(v->p->c, v->nest, kernel);
    v->p->failed |= !n;
    return n;
}

static void visit_kernel(Visit *v, Node *n) {
    if (n->kind != N_KERNEL || v->p->failed || (v->o->wanted && !v->o->wanted(n, v->o->arg))) return;
    const KernelWait *wait = emit_wait_of(&v->waits, n);
    n = with_barriers(v, n);
    if (!n) return;
    if (v->p->d->matrix) n = matrix_bound(v->p->a, v->p->reassociate, n);
    put(v->p, v->count++ ? "\n" : "");
    put_kernel(v->p, n, wait);
}

char *emit_kernels(Compile *c, const Nest *n, const EmitOptions *o) {
    const Dialect *const dialects[] = {[DIALECT_CUDA] = &dialect_cuda,
                                       [DIALECT_OPENCL] = &dialect_opencl,
                                       [DIALECT_C] = &dialect_c};
    Printer p = printer_new(c, dialects[o->dialect], o->wide);
    p.fast_math = o->fast_math || n->region->fast_math;
    p.lines = o->lines;
    p.ahead = o->ahead;
    p.reassociate = n->region->reassociate;
    for (; p.nknown < o->nknown; p.nknown++) {
        vec_push(p.a, &p.fixed, o->known[p.nknown]);
        vec_push(p.a, &p.value, expr_int(p.a, o->known[p.nknown]->type, o->value[p.nknown]));
    }
    Visit v = {.p = &p, .nest = n, .o = o};
    if (o->early && p.d->wait_for_launch) emit_waits(p.a, n, &v.waits);
    node_each(k, n->root) visit_kernel(&v, k);
    return printer_finish(&p);
}
