// SPDX-License-Identifier: MIT
// memory_test.c -- updates of slices of an array of structs: the bytes asked for travel, and no others.
//
// The device is a block of memory. Beside it and the host's array stand what both should hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "run/memory.h"
#include "sculpt/sculpt.h"
#include <stdlib.h>
#include <string.h>

typedef struct Item {
    double x;
    char kind; // behind it is padding
    struct {
        float at[3];
        short id;
    } in[2];
} Item;
typedef struct Field {
    size_t at, size;
} Field;
// Whole members, and members of each struct of an array in the struct.
static const Field fields[] = {{offsetof(Item, x), sizeof(double)},
                               {offsetof(Item, kind), 1},
                               {offsetof(Item, in), sizeof(float[3])},
                               {offsetof(Item, in[1].id), sizeof(short)}};
enum { N = 50, SIZE = N * sizeof(Item), FIELDS = sizeof fields / sizeof *fields, STEPS = 5 };
enum { WRITTEN = FIELDS * STEPS + 1 }; // boxes, at most; some lie across each other

static unsigned char host[SIZE], device[2 * SIZE], want_host[SIZE], want_device[SIZE], dirty[SIZE];
static size_t sent, fetched;

static unsigned seed = 1;
static int any(int below) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (unsigned)below);
}

// ---- the device
static DevPtr give(Device *d, size_t bytes) {
    (void)d;
    return bytes <= sizeof device ? (DevPtr)(uintptr_t)device : 0;
}
static void take(Device *d, DevPtr p) { (void)d, (void)p; }
static bool up_rows(Device *d, DevPtr to, size_t at, const void *from, size_t width, size_t rows,
                    size_t pitch) {
    (void)d;
    for (size_t r = 0; r < rows; r++)
        memcpy((char *)(uintptr_t)to + at + r * pitch, (const char *)from + r * pitch, width);
    return sent += width * rows, true;
}
static bool down_rows(Device *d, void *to, DevPtr from, size_t at, size_t width, size_t rows, size_t pitch) {
    (void)d;
    for (size_t r = 0; r < rows; r++)
        memcpy((char *)to + r * pitch, (char *)(uintptr_t)from + at + r * pitch, width);
    return fetched += width * rows, true;
}
static bool up(Device *d, DevPtr to, size_t at, const void *from, size_t bytes) {
    return up_rows(d, to, at, from, bytes, 1, 0);
}
static bool down(Device *d, void *to, DevPtr from, size_t at, size_t bytes) {
    return down_rows(d, to, from, at, bytes, 1, 0);
}
static const DeviceInfo *info(Device *d) {
    static const DeviceInfo none;
    (void)d;
    return &none;
}
static const DeviceOps block_ops = {.kind = "block", .info = info, .alloc = give, .free = take, .upload = up,
                                    .download = down, .upload_rows = up_rows, .download_rows = down_rows};

// ---- what happens
typedef struct Play {
    Memory *m;
    uintptr_t base;
    const unsigned char *copy; // the device's, of host[0]
} Play;

// A kernel writes one member of the elements from..to.
static void kernel(Play *p, const Field *f, int from, int to) {
    Box b;
    Range2 r = {p->base, p->base + SIZE, NULL, false};
    assert_true(box_make(&b, p->base + (size_t)from * sizeof(Item) + f->at, (int64_t)f->size, 1,
                         (int64_t[]){to - from}, (int64_t[]){sizeof(Item)}));
    assert_true(memory_map(p->m, 1, &r));
    p->copy = (unsigned char *)(uintptr_t)r.slab->ptr + r.slab->skip;
    for (int i = from; i < to; i++)
        for (size_t k = 0; k < f->size; k++) {
            size_t at = (size_t)i * sizeof(Item) + f->at + k;
            *(unsigned char *)&p->copy[at] = want_device[at] = (unsigned char)any(256);
            dirty[at] = 1;
        }
    assert_true(memory_written(p->m, r.slab, &b));
}

static void home(size_t lo, size_t hi) {
    for (size_t at = lo; at < hi; at++)
        if (dirty[at]) want_host[at] = want_device[at], dirty[at] = 0;
}

static void update(Play *p, size_t lo, size_t hi, bool to_host) {
    sent = fetched = 0;
    if (to_host) {
        Box b = box_interval(p->base + lo, p->base + hi);
        assert_true(memory_update_host(p->m, &b));
        home(lo, hi);
        assert_true(sent == 0 && fetched <= WRITTEN * (hi - lo));
    } else {
        assert_true(hold_update_device(p->m, p->base + lo, p->base + hi));
        memcpy(want_device + lo, want_host + lo, hi - lo);
        memset(dirty + lo, 0, hi - lo);
        assert_true(sent == hi - lo && fetched == 0);
    }
}

static void same(const Play *p) {
    assert_memory_equal(host, want_host, SIZE);
    assert_memory_equal(p->copy, want_device, SIZE);
}

static void slices(void **state) {
    (void)state;
    for (int round = 0; round < 3000; round++) {
        Arena *a = arena_new();
        Device d = {.ops = &block_ops};
        Play p = {memory_new(a, &d, false), (uintptr_t)host, NULL};
        bool created = round % 2, some = round % 3;
        for (int i = 0; i < SIZE; i++) host[i] = want_host[i] = (unsigned char)any(256);
        memset(dirty, 0, SIZE);
        assert_true(hold_enter(p.m, p.base, p.base + SIZE, created ? SCULPT_CREATE : SCULPT_COPYIN));
        kernel(&p, &fields[0], 0, 1);
        memcpy(want_device, p.copy, SIZE);
        for (int step = 0; step < STEPS; step++) {
            size_t lo = (size_t)any(N) * sizeof(Item), hi = lo + (1 + (size_t)any(3)) * sizeof(Item);
            if (any(3) == 0) lo += (size_t)any(8), hi -= (size_t)any(8); // any bytes
            if (hi > SIZE) hi = SIZE;
            for (int f = 0; f < FIELDS; f++)
                if (any(2)) kernel(&p, &fields[f], any(2) ? 0 : any(9), any(2) ? N : 10 + any(N - 10));
            for (int i = 0; i < 9; i++) { // the host writes where the device has newer values, too
                int at = any(SIZE);
                host[at] = want_host[at] = (unsigned char)any(256);
            }
            update(&p, lo, hi, any(2));
            same(&p);
        }
        size_t lo = some ? 3 * sizeof(Item) : 0, hi = some ? 5 * sizeof(Item) : SIZE;
        fetched = 0;
        assert_true(hold_exit(p.m, p.base + lo, p.base + hi, some || created ? SCULPT_COPYOUT : 0));
        home(created ? lo : 0, created ? hi : SIZE);
        assert_memory_equal(host, want_host, SIZE);
        if (created && some) assert_true(fetched <= WRITTEN * (hi - lo));
        arena_free(a);
    }
}

// What nobody wants back stays where it is.
static void dropped(void **state) {
    (void)state;
    Arena *a = arena_new();
    Device d = {.ops = &block_ops};
    Play p = {memory_new(a, &d, false), (uintptr_t)host, NULL};
    assert_true(hold_enter(p.m, p.base, p.base + SIZE, SCULPT_CREATE));
    kernel(&p, &fields[0], 0, N);
    fetched = 0;
    assert_true(hold_exit(p.m, p.base, p.base + SIZE, SCULPT_FINALIZE));
    assert_int_equal(fetched, 0);
    arena_free(a);
}

// A matrix that kernels write block by block, more blocks than a list holds: nothing comes home meanwhile.
static void blocks(void **state) {
    (void)state;
    enum { ROWS = 2 * BOXES_MAX, COLUMNS = SIZE / ROWS };
    Arena *a = arena_new();
    Device d = {.ops = &block_ops};
    Memory *m = memory_new(a, &d, false);
    uintptr_t base = (uintptr_t)host;
    Range2 r = {base, base + SIZE, NULL, false};
    assert_true(hold_enter(m, base, base + SIZE, SCULPT_CREATE));
    assert_true(memory_map(m, 1, &r));
    fetched = 0;
    for (int k = 0; k < ROWS; k++) { // a row of a matrix that lies column by column; the last ones first
        Box b;
        int row = (k + ROWS / 2) % ROWS;
        assert_true(box_make(&b, base + (size_t)row, 1, 1, (int64_t[]){COLUMNS}, (int64_t[]){ROWS}));
        assert_true(memory_written(m, r.slab, &b));
    }
    assert_int_equal(fetched, 0);
    assert_true(r.slab->dirty.n < BOXES_MAX);
    memory_drop(m);
    arena_free(a);
}

// Blocks of held data that together are no block, more than a list holds: what the device has whole
// does not come home, else once; and what was written side by side is all there.
static void stairs(void **state) {
    (void)state;
    enum { HIGH = 64, WIDE = SIZE / HIGH < 50 ? SIZE / HIGH : 50, MANY = 2 * BOXES_MAX };
    assert_true(WIDE + HIGH > MANY);
    for (int created = 0; created < 2; created++) {
        Arena *a = arena_new();
        Device d = {.ops = &block_ops};
        Memory *m = memory_new(a, &d, false);
        uintptr_t base = (uintptr_t)host;
        Range2 r = {base, base + SIZE, NULL, false};
        for (int i = 0; i < SIZE; i++) host[i] = want_host[i] = (unsigned char)any(256);
        assert_true(hold_enter(m, base, base + SIZE, created ? SCULPT_CREATE : SCULPT_COPYIN));
        assert_true(memory_map(m, 1, &r));
        unsigned char *there = (unsigned char *)(uintptr_t)r.slab->ptr + r.slab->skip;
        size_t moved = 0, times = 0;
        sent = fetched = 0;
        for (int k = 0; k < MANY; k++) { // some rows of two columns, and of the two beside them
            int64_t row = 1 + k * 7 % (HIGH - 2), two = 2, four = 4, pitch = HIGH;
            size_t at = (size_t)row + (size_t)(k % (WIDE - 4)) * HIGH;
            Box b;
            for (int half = 0; half < 2; half++) {
                size_t first = at + (size_t)half * 2 * HIGH;
                assert_true(box_make(&b, base + first, HIGH - row, 1, &two, &pitch));
                for (int64_t i = 0; i < 2 * (HIGH - row); i++) {
                    size_t place = first + (size_t)(i / (HIGH - row) * HIGH + i % (HIGH - row));
                    there[place] = want_host[place] = (unsigned char)any(256);
                }
                assert_true(memory_written(m, r.slab, &b));
            }
            assert_true(box_make(&b, base + at, HIGH - row, 1, &four, &pitch));
            assert_true(memory_need(m, r.slab, &b));
            times += fetched + sent > moved;
            moved = fetched + sent;
        }
        assert_int_equal(times, created);
        assert_true(hold_exit(m, base, base + SIZE, SCULPT_COPYOUT));
        assert_memory_equal(host, want_host, SIZE);
        memory_drop(m);
        arena_free(a);
    }
}

// What others store between the elements of a box while a kernel works stays, also where the box travels as
// the interval around it, and where it stays on the device for a while.
static void gaps(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        Arena *a = arena_new();
        Device d = {.ops = &block_ops};
        Memory *m = memory_new(a, &d, false);
        Range2 r = {(uintptr_t)host, (uintptr_t)host + SIZE, NULL, false};
        int64_t n[2] = {1 + any(9), 1 + any(9)}, pitch[2] = {200, 20};
        int64_t size = any(3) ? 8 : pitch[1];
        Box b;
        assert_true(box_make(&b, (uintptr_t)host + 16, size, 2, n, pitch));
        b.gaps = true;
        for (int i = 0; i < SIZE; i++) host[i] = want_host[i] = (unsigned char)any(256);
        assert_true(memory_map(m, 1, &r));
        for (int call = 0; call < 1 + any(3); call++) {
            assert_true(memory_need_noted(m, r.slab, &b));
            unsigned char *there = (unsigned char *)(uintptr_t)r.slab->ptr + r.slab->skip;
            for (int i = 0; i < n[0] * n[1]; i++)
                for (int k = 0; k < size; k++) {
                    int at = 16 + i / (int)n[1] * 200 + i % (int)n[1] * 20 + k;
                    there[at] = want_host[at] = (unsigned char)(there[at] + any(3));
                    dirty[at] = 2;
                }
            for (int i = 0; i < 99; i++) { // another thread
                int at = any(SIZE);
                if (dirty[at] != 2) host[at] = want_host[at] = (unsigned char)any(256);
            }
            assert_true(memory_written(m, r.slab, &b));
            if (any(2)) assert_true(memory_settle(m, r.slab, &b));
        }
        assert_true(memory_flush(m, NULL));
        assert_memory_equal(host, want_host, SIZE);
        memset(dirty, 0, SIZE);
        memory_drop(m);
        arena_free(a);
    }
}

// Parts of a loose box that go home between kernels are all that is noted anew; what was written whole before
// is not lost where a loose box takes its place.
static void parts_of_loose(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        Arena *a = arena_new();
        Device d = {.ops = &block_ops};
        Memory *m = memory_new(a, &d, false);
        Range2 r = {(uintptr_t)host, (uintptr_t)host + SIZE, NULL, false};
        for (int i = 0; i < SIZE; i++) host[i] = want_host[i] = (unsigned char)any(256);
        assert_true(memory_map(m, 1, &r));
        for (int call = 0; call < 4; call++) {
            bool loose = any(3);
            int lo = call ? any(SIZE - 64) : 0, hi = call ? lo + 1 + any(SIZE - lo) : SIZE;
            hi = hi > SIZE ? SIZE : hi;
            Box b = box_interval((uintptr_t)host + lo, (uintptr_t)host + hi);
            b.loose = loose;
            size_t before = fetched;
            bool again = call && round % 2; // the same box, of which only some bytes went home meanwhile
            if (round % 2) {
                b = box_interval((uintptr_t)host, (uintptr_t)host + SIZE);
                b.loose = loose = true, lo = 0, hi = SIZE;
            }
            assert_true(loose ? memory_need_noted(m, r.slab, &b) : memory_need(m, r.slab, &b));
            if (again) assert_true(fetched - before <= 8);
            unsigned char *there = (unsigned char *)(uintptr_t)r.slab->ptr + r.slab->skip;
            for (int at = lo; at < hi; at++)
                if (!loose || any(2)) there[at] = want_host[at] = (unsigned char)(there[at] + 1 + any(3));
            assert_true(memory_written(m, r.slab, &b));
            Box part = box_interval((uintptr_t)host + SIZE / 2, (uintptr_t)host + SIZE / 2 + 8);
            if (any(2) || round % 2) assert_true(memory_update_host(m, &part));
        }
        assert_true(memory_flush(m, NULL));
        assert_memory_equal(host, want_host, SIZE);
        memory_drop(m);
        arena_free(a);
    }
}

static bool meet(Device *d, void *stream, bool ours_waits) { return (void)d, (void)stream, ours_waits; }

// The host's memory was freed, and the device has some of its addresses now: nothing is brought there.
static void taken(void **state) {
    (void)state;
    Arena *a = arena_new();
    static const DeviceOps ops = {.info = info, .alloc = give, .free = take, .upload = up, .download = down,
                                  .upload_rows = up_rows, .download_rows = down_rows, .meet = meet};
    Device d = {.ops = &ops};
    Memory *m = memory_new(a, &d, false);
    uintptr_t base = (uintptr_t)host, lo = base + SIZE / 2, hi = base + SIZE - 16;
    Range2 r = {base, base + SIZE, NULL, false}, own = {lo, hi, NULL, false};
    Box all = box_interval(base, base + SIZE);
    memset(host, 1, SIZE);
    assert_true(memory_map(m, 1, &r) && memory_need(m, r.slab, &all));
    memset((unsigned char *)(uintptr_t)r.slab->ptr + r.slab->skip, 2, SIZE);
    assert_true(memory_written(m, r.slab, &all));
    assert_true(hold_enter(m, lo, hi, SCULPT_CREATE | SCULPT_OWN));
    for (int i = 0; i < SIZE; i++) assert_int_equal(host[i], i < SIZE / 2 || i >= SIZE - 16 ? 2 : 1);
    assert_true(memory_map(m, 1, &own));
    assert_true(own.slab && own.slab->own && own.slab->ptr == (DevPtr)lo);
    memory_drop(m);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slices), cmocka_unit_test(dropped),
                                       cmocka_unit_test(gaps), cmocka_unit_test(parts_of_loose),
                                       cmocka_unit_test(blocks), cmocka_unit_test(stairs),
                                       cmocka_unit_test(taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
