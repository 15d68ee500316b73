// SPDX-License-Identifier: MIT
// spill.c -- registers that a thread's arrays ask for in a loop, and what comes of those that there are not.
//
//   float acc[8][32], a_r[2][8], b_r[2][32];    336 words, and the code around them; a thread has 255
//   for k: acc[y][x] += a_r[k][y] * b_r[k][x]   some of acc come from memory and go back each time
//
// A thread has the fewer the more of them a block has. Beside loops values come and go, and nothing is said.
#include "model/code.h"
#include <math.h>

enum {
    AROUND = 8,             // registers of addresses and counters that nvcc 13 could not do without
    COLD = 8,               // so much more seldom changes what goes first
};

typedef struct Row {
    const Array *array;
    double words;           // of 32 bits
    double changes;         // elements that updates read and write, or that are set
} Row;

typedef struct Rows {
    Program *p;
    VEC(Row) at;
} Rows;

static bool is_row(const Program *p, const Array *x) {
    bool own = x->place == PLACE_LOCAL || x->place == PLACE_REGISTER;
    return own && local_bytes(x) > type_size(x->elem) && !has_pointer(p->locals.n, p->locals.at, x);
}

static Row *row_of(Rows *r, const Array *x) {
    for (int k = 0; k < r->at.n; k++)
        if (r->at.at[k].array == x) return &r->at.at[k];
    vec_push(r->p->a, &r->at, ((Row){x, (double)local_bytes(x) / 4, 0}));
    return &r->at.at[r->at.n - 1];
}

static void see(Rows *r, const Code *c) {
    AccessVec v = node_accesses(r->p->a, c->n);
    for (int k = 0; k < v.n; k++) {
        const Array *x = local_base(v.at[k].array);
        if (!is_row(r->p, x)) continue;
        row_of(r, x)->changes += v.at[k].write ? c->visits * (v.at[k].read ? 2 : 1) : 0;
    }
    for (int k = 0; k < c->nkids; k++) see(r, c->kids[k]);
}

// The registers that a thread of the kernel may have.
static double room(const Program *p, const KernelCost *k) {
    int64_t blocks = p->kernel->min_blocks > 0 ? p->kernel->min_blocks : 1, have = p->m->registers_thread;
    while (have > 0 && occupancy_of(p->m, k->threads, have, 0).by[LIMIT_REGISTERS] < blocks) have--;
    return have > 0 ? (double)have : INFINITY;
}

double spill_requests(Program *p, const KernelCost *k, const Code *loop) {
    Rows r = {.p = p};
    double most = 0, words[2] = {0}, changes[2] = {0}; // of cold ones, of the others
    if (loop) see(&r, loop);
    for (int i = 0; i < r.at.n; i++) most = fmax(most, r.at.at[i].changes / r.at.at[i].words);
    for (int i = 0; i < r.at.n; i++) {
        const Row *x = &r.at.at[i];
        bool hot = x->changes * COLD >= most * x->words;
        words[hot] += x->words, changes[hot] += x->changes;
    }
    double lacks = words[0] + words[1] + AROUND - room(p, k), all = 0;
    for (int i = 0; i < 2 && lacks > 0; lacks -= words[i++])
        if (words[i] > 0) all += fmin(1, lacks / words[i]) * changes[i];
    return all;
}
