// SPDX-License-Identifier: MIT
// deal_test.c -- copies dealt to threads: each element once, in no more turns than as one row of items.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../sample.h"
#include "ir/deal.h"

enum { MOST = 1 << 16 };

// The element of a thread's turn; -1: it has none then.
static int64_t element(const Deal *d, int n, const int64_t *extent, int64_t tid, int64_t turn) {
    int64_t at[DEAL_DIMS], item = d->rest ? tid / d->rest_weight + d->rest_width * turn : 0, all = 0;
    if (tid >= d->busy || (d->rest && item >= d->rest_all)) return -1;
    for (int k = n; k-- > 0;) {
        const Share *s = &d->share[k];
        if (k < d->rest) {
            at[k] = item % extent[k], item /= extent[k];
            continue;
        }
        at[k] = tid / s->weight % s->width + s->width * (turn / s->turn_weight % s->turns);
        if (at[k] >= extent[k] && !s->ends_early) fail_msg("coordinate %d is outside", k);
        if (at[k] >= extent[k]) return -1;
    }
    for (int k = 0; k < n; k++) all = all * extent[k] + at[k];
    return all;
}

static void check(int n, const int64_t *extent, int64_t threads) {
    static unsigned char seen[MOST];
    Deal d;
    int64_t all = 1;
    for (int k = 0; k < n; k++) all *= extent[k];
    if (all > MOST) return;
    memset(seen, 0, sizeof seen);
    deal_out(n, extent, threads, &d);
    for (int64_t turn = 0; turn < d.turns; turn++)
        for (int64_t tid = 0; tid < threads; tid++) {
            int64_t at = element(&d, n, extent, tid, turn);
            if (at >= 0) seen[at]++;
        }
    for (int64_t i = 0; i < all; i++)
        if (seen[i] != 1)
            fail_msg("%d extents, the last %d, to %d threads: element %d %d times", n, (int)extent[n - 1],
                     (int)threads, (int)i, seen[i]);
    bool early = false;
    for (int k = 0; k < n; k++) early = early || d.share[k].ends_early;
    if (early) assert_true(d.turns <= (all - 1) / threads + 1);
}

static void once_each(void **state) {
    (void)state;
    srand((unsigned)test_seed());
    for (int i = 0; i < 4000; i++) {
        int64_t extent[3] = {1 + rand() % 9, 1 + rand() % 40, 1 + rand() % 500};
        int n = 1 + rand() % 3;
        static const int64_t threads[] = {1, 32, 64, 96, 128, 256, 1024};
        check(n, extent + (3 - n), threads[rand() % 7]);
    }
}

// A row that threads don't divide needs no division where none costs a turn.
static void rows(void **state) {
    (void)state;
    Deal d;
    deal_out(2, (int64_t[]){4, 486}, 128, &d);
    assert_int_equal(d.rest, 0);
    assert_int_equal(d.turns, 16);
    deal_out(2, (int64_t[]){18, 130}, 256, &d);
    assert_int_equal(d.rest, 2);
    assert_int_equal(d.turns, 10);
    // 31 threads of a row each would save the division, and move no two neighbours together
    deal_out(2, (int64_t[]){31, 32}, 31, &d);
    assert_int_equal(d.rest, 2);
    assert_int_equal(d.turns, 32);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(once_each), cmocka_unit_test(rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
