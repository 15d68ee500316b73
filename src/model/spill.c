// SPDX-License-Identifier: MIT
// spill.c -- registers that a thread's arrays ask for in a loop, and what comes of those that there are not.
//
//   float acc[8][32], a_r[2][8], b_r[2][32];    336 words, and the code around them; a thread has 255
//   for k: acc[y][x] += a_r[k][y] * b_r[k][x]   some of acc come from memory and go back each time
//
// A thread has the fewer the more of them a block has. Beside loops values come and go, and nothing is said.
#include "model/code.h"
#include <math.h>

enum { AROUND = 8 }; // registers of addresses and counters that nvcc 13 could not do without

typedef struct Rows {
    Program *p;
    VEC(const Array *) row;
    double words;           // of 32 bits, of all of them
    double changes;         // elements that updates read and write, or that are set
} Rows;

static bool is_row(const Program *p, const Array *x) {
    bool own = x->place == PLACE_LOCAL || x->place == PLACE_REGISTER;
    return own && local_bytes(x) > type_size(x->elem) && !has_pointer(p->locals.n, p->locals.at, x);
}

static void see(Rows *r, const Code *c) {
    AccessVec v = {0};
    if (c->n->kind == N_STMT) node_accesses(r->p->a, c->n, &v);
    else if (c->n->kind == N_COPY) node_copy_accesses(r->p->a, c->n, &v);
    for (int k = 0; k < v.n; k++) {
        const Array *x = local_base(v.at[k].array);
        if (!is_row(r->p, x)) continue;
        if (v.at[k].write) r->changes += c->visits * (v.at[k].read ? 2 : 1);
        if (has_pointer(r->row.n, r->row.at, x)) continue;
        vec_push(r->p->a, &r->row, x);
        r->words += (double)local_bytes(x) / 4;
    }
    for (int k = 0; k < c->nkids; k++) see(r, c->kids[k]);
}

double spill_requests(Program *p, const KernelCost *k, const Code *loop) {
    const Machine *m = p->m;
    Rows r = {.p = p};
    int64_t blocks = p->kernel->min_blocks > 0 ? p->kernel->min_blocks : 1, have = m->registers_thread;
    if (loop) see(&r, loop);
    while (have > 0 && occupancy_of(m, k->threads, have, 0).by[LIMIT_REGISTERS] < blocks) have--;
    double lacks = r.words + AROUND - (double)have;
    return have > 0 && lacks > 0 && r.words > 0 ? fmin(1, lacks / r.words) * r.changes : 0;
}
