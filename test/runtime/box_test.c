// SPDX-License-Identifier: MIT
// box_test.c -- boxes, whole and cut, against sets of bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "run/box.h"
#include <string.h>

enum { SIZE = 4000 };
typedef unsigned char Bytes[SIZE];

static unsigned seed = 1;
static int any(int below) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)below);
}

typedef struct Mark {
    unsigned char *at;
    int64_t bytes;
    uintptr_t before; // runs come in order
} Mark;

static bool mark(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    Mark *m = arg;
    assert_true(width > 0 && rows > 0 && first >= m->before);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < width; i++) m->at[first + (uintptr_t)(r * pitch + i)]++;
    m->bytes += width * rows;
    m->before = first + (uintptr_t)((rows - 1) * pitch + width);
    return true;
}

// A box of up to three dimensions, each row inside of the pitch, and its bytes.
static Box make(Bytes bytes, bool cut) {
    int64_t n[3] = {1 + any(5), 1 + any(6), 1 + any(7)}, pitch[3], size = 1 + any(4);
    pitch[2] = size + any(3);
    pitch[1] = pitch[2] * n[2] + any(4);
    pitch[0] = pitch[1] * n[1] + any(9);
    uintptr_t first = (uintptr_t)any(40);
    Box b;
    assert_true(box_make(&b, first, size, 3, n, pitch));
    memset(bytes, 0, SIZE);
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        uintptr_t at = first + (uintptr_t)(i / (n[1] * n[2]) * pitch[0] + i / n[2] % n[1] * pitch[1] +
                                           i % n[2] * pitch[2]);
        memset(bytes + at, 1, (size_t)size);
    }
    assert_int_equal(box_end(&b), b.last);
    if (cut) {
        uintptr_t from = (uintptr_t)any((int)b.last + 5), to = (uintptr_t)any((int)b.last + 5);
        box_cut(&b, from, to);
        for (uintptr_t i = 0; i < SIZE; i++)
            if (i < from || i >= to) bytes[i] = 0;
    }
    return b;
}

static void runs(void **state) {
    (void)state;
    for (int k = 0; k < 20000; k++) {
        Bytes want, have;
        Box b = make(want, k % 4);
        int64_t bytes = 0;
        for (int i = 0; i < SIZE; i++) bytes += want[i];
        for (int rows = 0; rows < 2; rows++) {
            memset(have, 0, sizeof have);
            Mark m = {have, 0, 0};
            assert_true(box_each(&b, rows, mark, &m));
            assert_memory_equal(have, want, sizeof have);
            assert_int_equal(m.bytes, bytes);
        }
        assert_int_equal(box_bytes(&b), bytes);
        if (bytes == 0) continue;
        assert_true(memchr(want, 1, SIZE) >= (void *)(want + b.first));
    }
}

static void pairs(void **state) {
    (void)state;
    int inside = 0, apart = 0;
    for (int k = 0; k < 60000; k++) {
        Bytes x, y;
        Box b = make(x, k % 2), c = make(y, k % 3);
        if (k % 5 == 0) { // a part of the first
            c = b;
            memcpy(y, x, sizeof y);
            uintptr_t from = (uintptr_t)any((int)b.last + 5), to = (uintptr_t)any((int)b.last + 5);
            box_cut(&c, from, to);
            for (uintptr_t i = 0; i < SIZE; i++)
                if (i < from || i >= to) y[i] = 0;
            if (!box_is_empty(&c)) assert_true(box_contains(&b, &c));
        }
        bool contains = true, disjoint = true;
        for (int i = 0; i < SIZE; i++) contains &= x[i] || !y[i], disjoint &= !(x[i] && y[i]);
        if (box_contains(&b, &c)) assert_true(contains), inside++;
        if (box_disjoint(&b, &c)) assert_true(disjoint), apart++;
    }
    assert_true(inside > 1000 && apart > 1000);
}

static void put(Bytes bytes, const Box *b) {
    Mark m = {.at = bytes};
    assert_true(box_each(b, true, mark, &m));
}

// Two boxes with the pitches of one matrix: a join is their union or is refused.
static void joins(void **state) {
    (void)state;
    int joined = 0;
    for (int k = 0; k < 20000; k++) {
        int64_t pitch[2] = {40, 1}, rows[2], run[2];
        Box b[2];
        for (int i = 0; i < 2; i++) {
            rows[i] = 1 + any(4), run[i] = any(3) ? 4 * (1 + any(4)) : 40;
            int64_t n[2] = {rows[i], run[i]};
            uintptr_t first = (uintptr_t)(40 * any(8) + (run[i] == 40 ? 0 : 4 * any(7)));
            assert_true(box_make(&b[i], first, 1, 2, n, pitch));
        }
        Bytes both, after;
        memset(both, 0, SIZE), memset(after, 0, SIZE);
        put(both, &b[0]), put(both, &b[1]);
        if (!box_join(&b[0], &b[1])) continue;
        put(after, &b[0]);
        joined++;
        for (int i = 0; i < SIZE; i++) assert_int_equal(both[i] != 0, after[i] != 0);
    }
    assert_true(joined > 500);
}

static bool tell(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    return *(int64_t *)arg += width, first >= 64;
}

// One element of so many is found without a look at the others.
static void parts(void **state) {
    (void)state;
    int64_t n[3] = {3, 1ll << 36, 2}, pitch[3] = {1ll << 44, 24, 16}, bytes = 0;
    Box b;
    assert_true(box_make(&b, 64, 4, 3, n, pitch));
    box_cut(&b, 64 + pitch[0] + 24 * 7777 + 2, 64 + pitch[0] + 24 * 7777 + 18);
    assert_true(box_each(&b, false, tell, &bytes));
    assert_int_equal(bytes, 4);
    assert_true(box_make(&b, 64, 4, 3, n, pitch));
    bytes = 0;
    box_cut(&b, 64 + 24 * (n[1] - 1) + 16, 64 + pitch[0] + 4);
    assert_true(box_each(&b, false, tell, &bytes));
    assert_int_equal(bytes, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs), cmocka_unit_test(pairs),
                                       cmocka_unit_test(joins),
                                       cmocka_unit_test(parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
