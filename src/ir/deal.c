// SPDX-License-Identifier: MIT
// deal.c -- how the elements of a copy that a block makes together are dealt to its threads.
//
//   16 x 128, 256 threads     x = tid % 128, y = tid / 128 + 2 * turn
//   4 x 486, 128 threads      x = tid % 32 + 32 * turn where that is less than 486, y = tid / 32
//   18 x 130, 256 threads     item = tid + 256 * turn; x = item % 130, y = item / 130
//
// From the innermost coordinate on, threads are given out until none is left, then turns. Of two
// coordinates that they don't divide the inner goes to a power of two of them, if that costs no turns: else
// what is left is one row of items, of which each takes a division by a constant for each coordinate.
#include "ir/deal.h"

static int64_t turns_for(int64_t all, int64_t threads) { return (all - 1) / threads + 1; }

// The most threads of a row of e, so that so many rows take no more turns than all elements would as items;
// 0: no number of threads does. Few of them would move few neighbours together.
static int64_t row_width(int64_t e, int64_t rows, int64_t threads) {
    enum { NEIGHBOURS = 16 };
    int64_t best = 0;
    for (int64_t w = 1; w <= threads && w < 2 * e && threads % w == 0; w *= 2)
        if (turns_for(e, w) * turns_for(rows, threads / w) <= turns_for(e * rows, threads)) best = w;
    return best < NEIGHBOURS && best < e ? 0 : best;
}

void deal_out(int n, const int64_t *extent, int64_t threads, Deal *out) {
    int64_t left = threads, weight = 1;
    bool early = false;
    *out = (Deal){.turns = 1};
    for (int k = n; k-- > 0;) {
        int64_t e = extent[k], rows = 1;
        Share *s = &out->share[k];
        for (int i = 0; i < k; i++) rows *= extent[i];
        *s = (Share){weight, 1, false, out->turns, 1, false};
        if (left % e == 0) {
            s->width = e;
        } else if (e % left == 0) {
            s->width = left;
            s->turns = e / left;
        } else if (early || (k == 1 && row_width(e, rows, left))) {
            s->width = early ? left : row_width(e, rows, left);
            s->turns = turns_for(e, s->width);
            s->ends_early = early = true;
        } else {
            out->rest = k + 1;
            out->rest_weight = weight;
            out->rest_width = left;
            out->rest_all = rows * e;
            out->turns = turns_for(out->rest_all, left);
            break;
        }
        left /= s->width;
        weight *= s->width;
        s->leads = weight == threads;
        out->turns *= s->turns;
    }
    out->busy = out->rest ? threads : weight;
}
