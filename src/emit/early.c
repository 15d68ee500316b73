// SPDX-License-Identifier: MIT
// early.c -- which kernels wait by themselves for the launch ahead of them, and for whose arrays.
//
// Of a nest that launches several kernels, each may be started while the one ahead of it still runs, if its
// text begins with a wait. The wait is told the arrays that any kernel of the nest writes: no load from them
// can then be moved above it, or go by the cache for what never changes. What no kernel writes has not
// changed since the first one began.
//
//     extern "C" __global__ void product(float *__restrict__ c, const float *__restrict__ packed, …)
//     {
//         sculpt_wait_2(c, packed);
//
// That costs something where a thread reads after it has written: the compiler no longer knows that such a
// read may come first. Kernels that do so don't wait, and are launched as ever.
#include "emit/dialect.h"

enum { WAIT_MOST = 16 }; // arrays; an asm statement takes 30 operands

// ---- which launches have another one before or behind them? --------------------------------------
typedef struct Company {
    Arena *a;
    VEC(Node *) all; // kernels…
    VEC(bool) in;    // …and whether they have
} Company;

static bool launches(Node *n) { return node_kernels(n) > 0; }

static void find_company(Company *c, Node *n, bool company) {
    if (!n) return;
    if (n->kind == N_KERNEL) {
        vec_push(c->a, &c->all, n);
        vec_push(c->a, &c->in, company);
        return;
    }
    int launching = 0;
    for (int k = 0; k < n->nkids; k++) launching += launches(n->kids[k]);
    for (int k = 0; k < n->nkids; k++) find_company(c, n->kids[k], company || launching > 1);
    find_company(c, n->body, true); // of a loop
    find_company(c, n->then, company);
    find_company(c, n->other, company);
}

// ---- what kernels write --------------------------------------------------------------------------
static bool same_object(const Array *x, const Array *y) {
    if (x == y) return true;
    return x->place == PLACE_USER && y->place == PLACE_USER &&
           str_eq(x->object ? x->object : x->name, y->object ? y->object : y->name);
}

static bool is_among(int n, const Array *const *arrays, const Array *x) {
    for (int k = 0; k < n; k++)
        if (same_object(arrays[k], x)) return true;
    return false;
}

typedef VEC(const Array *) Arrays;

static void add_written(Arena *a, Arrays *out, const KernelSig *sig) {
    for (int k = 0; k < sig->narrays; k++)
        if (sig->written[k] && !is_among(out->n, out->at, sig->arrays[k])) vec_push(a, out, sig->arrays[k]);
}

// ---- does a thread read what others wrote after it has written? ----------------------------------
typedef struct Order {
    Arena *a;
    Arrays others;     // what other kernels write and this one only reads
    bool stored, late;
} Order;

static void touch(Order *o, const Array *x, bool write) {
    if (x->place != PLACE_USER && x->place != PLACE_TEMP) return;
    if (write) o->stored = true;
    else o->late |= o->stored && is_among(o->others.n, o->others.at, x);
}

static void loads(Order *o, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_LOAD) touch(o, x->array, false);
}

// Its loads first; those that go to shared memory by themselves are in nobody's way.
static void leaf(Order *o, const Node *n) {
    AccessVec all = node_accesses(o->a, n);
    for (int k = 0; k < all.n; k++)
        if (!all.at[k].write && !n->async) touch(o, all.at[k].array, false);
    for (int k = 0; k < all.n; k++)
        if (all.at[k].write) touch(o, all.at[k].array, true);
}

// Phases begin anew, for there are barriers between them; of serial loops a second iteration tells what the
// first leaves behind.
static void order(Order *o, const Node *n) {
    if (!n || o->late) return;
    bool loop = n->kind == N_FOR, phase = loop && (n->how == HOW_THREAD || n->how == HOW_COOP);
    if (n->kind == N_STMT || n->kind == N_COPY) leaf(o, n);
    loads(o, n->lo), loads(o, n->hi), loads(o, n->cond);
    if (phase) o->stored = false;
    for (int k = 0; k < n->nkids; k++) order(o, n->kids[k]);
    bool before = o->stored;
    order(o, n->body);
    if (loop && !phase && n->how != HOW_BLOCK && !before && o->stored) order(o, n->body);
    order(o, n->then);
    order(o, n->other);
}

// Of grids that are gone through in rounds, most are so small that there is one.
static bool reads_late(Arena *a, Node *kernel, const KernelSig *sig, const Arrays *written) {
    Order o = {.a = a};
    const Node *rounds;
    for (int k = 0; k < sig->narrays; k++)
        if (!sig->written[k] && is_among(written->n, written->at, sig->arrays[k]))
            vec_push(a, &o.others, sig->arrays[k]);
    if (!o.others.n) return false;
    for (Node *one = kernel; one; one = ir_one_round(a, kernel, &rounds)) kernel = one;
    order(&o, kernel->body);
    return o.late;
}

// ---- the answer ----------------------------------------------------------------------------------
void emit_waits(Arena *a, const Nest *n, KernelWaits *out) {
    Company c = {.a = a};
    find_company(&c, n->root, false);
    const KernelSig **sig = NEW_N(a, const KernelSig *, c.all.n + 1);
    Arrays written = {0};
    for (int i = 0; i < c.all.n; i++)
        sig[i] = ir_kernel_sig(a, c.all.at[i]), add_written(a, &written, sig[i]);
    for (int i = 0; i < c.all.n; i++) {
        KernelWait w = {c.all.at[i], 0, NEW_N(a, const Array *, sig[i]->narrays + 1)};
        for (int k = 0; c.in.at[i] && k < sig[i]->narrays; k++)
            if (is_among(written.n, written.at, sig[i]->arrays[k])) w.arrays[w.n++] = sig[i]->arrays[k];
        if (w.n && w.n <= WAIT_MOST && !reads_late(a, c.all.at[i], sig[i], &written)) vec_push(a, out, w);
    }
}

const KernelWait *emit_wait_of(const KernelWaits *all, const Node *kernel) {
    for (int i = 0; i < all->n; i++)
        if (all->at[i].kernel == kernel) return &all->at[i];
    return NULL;
}

void put_wait(Printer *p, const KernelWait *w) {
    char *name = arena_printf(p->a, "sculpt_wait_%d", w->n);
    if (!helper_has(p, name)) helper_add(p, name, p->d->wait_for_launch(p->a, name, w->n));
    put_indent(p);
    put(p, "%s(", name);
    for (int k = 0; k < w->n; k++) put(p, "%s%s", k ? ", " : "", object_name(p, w->arrays[k]));
    put(p, ");\n");
}
