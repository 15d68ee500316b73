// SPDX-License-Identifier: MIT
// box.c -- strided byte boxes: normal form, containment, disjointness.
#include "run/box.h"
#include <string.h>

Box box_interval(uintptr_t first, uintptr_t last) {
    return (Box){.first = first, .last = last, .origin = first, .run = (int64_t)(last - first)};
}

bool box_is_empty(const Box *b) { return b->first == b->last; }

// Dimensions come outermost first, but pitches need not fall (a[i + pitch*j] with j inside):
// the normal form has the widest pitch first.
static void sort_dims(int nd, int64_t *n, int64_t *pitch) {
    for (int i = 1; i < nd; i++)
        for (int k = i; k > 0 && pitch[k] > pitch[k - 1]; k--) {
            int64_t t = n[k];
            n[k] = n[k - 1], n[k - 1] = t;
            t = pitch[k];
            pitch[k] = pitch[k - 1], pitch[k - 1] = t;
        }
}

bool box_make(Box *b, uintptr_t first, int64_t size, int ndims, const int64_t *n,
              const int64_t *pitch) {
    *b = (Box){.first = first, .origin = first, .run = size};
    int64_t span = size;
    for (int d = 0; d < ndims; d++) {
        int64_t far;
        if (n[d] <= 0) {
            b->last = b->first;
            b->run = 0;
            b->ndims = 0;
            return true;
        }
        if (n[d] == 1) continue;
        if (b->ndims == BOX_DIMS || pitch[d] <= 0) return false;
        if (__builtin_mul_overflow(n[d] - 1, pitch[d], &far)) return false;
        if (__builtin_add_overflow(span, far, &span)) return false;
        b->n[b->ndims] = n[d];
        b->pitch[b->ndims++] = pitch[d];
    }
    if (__builtin_add_overflow(first, (uintptr_t)span, &b->last)) return false;
    sort_dims(b->ndims, b->n, b->pitch);
    // Repetitions that touch or overlap leave no gap and lengthen the run.
    while (b->ndims && b->pitch[b->ndims - 1] <= b->run) {
        b->ndims--;
        b->run += (b->n[b->ndims] - 1) * b->pitch[b->ndims];
    }
    // Two dimensions whose pitches continue each other are one.
    for (int d = b->ndims - 1; d > 0; d--)
        if (b->pitch[d - 1] == b->n[d] * b->pitch[d]) {
            b->pitch[d - 1] = b->pitch[d];
            b->n[d - 1] *= b->n[d];
            for (int e = d; e + 1 < b->ndims; e++) b->n[e] = b->n[e + 1], b->pitch[e] = b->pitch[e + 1];
            b->ndims--;
        }
    return true;
}

uintptr_t box_end(const Box *b) {
    uintptr_t end = b->origin + (uintptr_t)b->run;
    for (int d = 0; d < b->ndims; d++) end += (uintptr_t)((b->n[d] - 1) * b->pitch[d]);
    return end;
}

// Which repetitions of dimension d, the first of them at `at`, may have bytes between b's first and last.
static void reach(const Box *b, int d, uintptr_t at, int64_t *from, int64_t *to) {
    int64_t before = (int64_t)(b->first - at), room = (int64_t)(b->last - at), span = b->run;
    for (int e = d + 1; e < b->ndims; e++) span += (b->n[e] - 1) * b->pitch[e];
    *from = before < span ? 0 : (before - span) / b->pitch[d] + 1;
    *to = room <= 0 ? 0 : (room - 1) / b->pitch[d] + 1;
    if (*to > b->n[d]) *to = b->n[d];
}

// Repetitions that lie outside are no longer b's: a member of one element of a million is one run.
void box_cut(Box *b, uintptr_t first, uintptr_t last) {
    if (first < b->first) first = b->first;
    if (last > b->last) last = b->last;
    b->first = first, b->last = first < last ? last : first;
    for (int64_t from, to; b->ndims && !box_is_empty(b);) {
        reach(b, 0, b->origin, &from, &to);
        if (from >= to) b->last = b->first;
        b->origin += (uintptr_t)(from * b->pitch[0]);
        b->n[0] = to - from;
        if (from >= to || b->n[0] > 1) break;
        b->ndims--;
        for (int d = 0; d < b->ndims; d++) b->n[d] = b->n[d + 1], b->pitch[d] = b->pitch[d + 1];
    }
    if (box_is_empty(b)) return;
    if (b->first < b->origin) b->first = b->origin;
    if (b->last > box_end(b)) b->last = box_end(b);
    if (b->first > b->last) b->last = b->first;
}

// Splits the distance from outer's origin to inner's into whole steps of outer's pitches
// and a rest inside a run; inner's repetitions must be outer's.
bool box_contains(const Box *outer, const Box *inner) {
    if (box_is_empty(inner)) return true;
    if (inner->first < outer->first || inner->last > outer->last) return false;
    if (outer->ndims == 0) return true;
    if (inner->origin < outer->origin) return false;
    int64_t rest = (int64_t)(inner->origin - outer->origin);
    int used = 0;
    for (int d = 0; d < outer->ndims; d++) {
        int64_t k = rest / outer->pitch[d], count = 1;
        rest -= k * outer->pitch[d];
        if (used < inner->ndims && inner->pitch[used] == outer->pitch[d]) count = inner->n[used++];
        if (k + count > outer->n[d]) return false;
    }
    return used == inner->ndims && rest + inner->run <= outer->run;
}

uintptr_t box_run_end(const Box *b, uintptr_t at) {
    if (at < b->first || at >= b->last || at < b->origin) return at;
    int64_t rest = (int64_t)(at - b->origin);
    for (int d = 0; d < b->ndims; d++) {
        int64_t k = rest / b->pitch[d] < b->n[d] ? rest / b->pitch[d] : b->n[d] - 1;
        rest -= k * b->pitch[d];
    }
    if (rest >= b->run) return at;
    uintptr_t end = at + (uintptr_t)(b->run - rest);
    return end < b->last ? end : b->last;
}

// The width of the window that a box occupies modulo m; -1 when it has none.
static int64_t window(const Box *b, int64_t m) {
    int64_t w = b->run;
    for (int d = 0; d < b->ndims; d++)
        if (b->pitch[d] % m != 0) w += (b->n[d] - 1) * b->pitch[d];
    return w <= m ? w : -1;
}

// Modulo m a box whose wide pitches are multiples of m is one window on a circle:
//   columns of one matrix (m the row pitch), fields of one struct (m its size).
static bool disjoint_modulo(const Box *x, const Box *y, int64_t m) {
    int64_t wx = window(x, m), wy = window(y, m);
    if (wx < 0 || wy < 0) return false;
    uintptr_t um = (uintptr_t)m;
    int64_t gap = (int64_t)((y->origin % um + um - x->origin % um) % um); // y's start from x's
    return gap >= wx && gap + wy <= m;
}

bool box_disjoint(const Box *x, const Box *y) {
    if (box_is_empty(x) || box_is_empty(y)) return true;
    if (x->last <= y->first || y->last <= x->first) return true;
    for (int d = 0; d < x->ndims; d++)
        if (disjoint_modulo(x, y, x->pitch[d])) return true;
    for (int d = 0; d < y->ndims; d++)
        if (disjoint_modulo(x, y, y->pitch[d])) return true;
    return false;
}

int64_t box_runs(const Box *b) {
    int64_t n = box_is_empty(b) ? 0 : 1;
    for (int d = 0; d < b->ndims; d++) n *= b->n[d];
    return n;
}

static bool is_cut(const Box *b) { return b->first != b->origin || b->last != box_end(b); }

// Side by side: rows beside rows, or runs that go on where the others end.
static bool join_behind(Box *b, const Box *next) {
    bool runs = next->origin == b->origin + (uintptr_t)b->run, rows = b->run == next->run;
    if (b->ndims != next->ndims) return false;
    for (int d = 0; d < b->ndims; d++) {
        if (b->pitch[d] != next->pitch[d]) return false;
        runs = runs && b->n[d] == next->n[d];
        rows = rows && (d == 0 || b->n[d] == next->n[d]);
    }
    rows = rows && b->ndims && next->origin == b->origin + (uintptr_t)(b->n[0] * b->pitch[0]);
    if (runs && b->ndims && b->run + next->run > b->pitch[b->ndims - 1]) return false;
    if (!runs && !rows) return false;
    int64_t n[BOX_DIMS];
    for (int d = 0; d < b->ndims; d++) n[d] = b->n[d] + (rows && d == 0 ? next->n[d] : 0);
    Box out;
    bool loose = b->loose || next->loose, gaps = b->gaps || next->gaps;
    if (!box_make(&out, b->origin, rows ? b->run : b->run + next->run, b->ndims, n, b->pitch)) return false;
    *b = out;
    b->loose = loose, b->gaps = gaps;
    return true;
}

bool box_join(Box *b, const Box *other) {
    if (box_is_empty(other) || box_contains(b, other)) return true;
    if (box_is_empty(b) || box_contains(other, b)) return *b = *other, true;
    if (is_cut(b) || is_cut(other)) return false;
    if (b->ndims == 0 && other->ndims == 0 && b->first <= other->last && other->first <= b->last) {
        bool loose = b->loose || other->loose, gaps = b->gaps || other->gaps;
        *b = box_interval(b->first < other->first ? b->first : other->first,
                          b->last > other->last ? b->last : other->last);
        b->loose = loose, b->gaps = gaps;
        return true;
    }
    Box front = *other;
    if (join_behind(b, other)) return true;
    return join_behind(&front, b) ? *b = front, true : false;
}

static bool add_bytes(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)first, (void)pitch;
    *(int64_t *)arg += width * rows;
    return true;
}

int64_t box_bytes(const Box *b) {
    int64_t bytes = 0;
    if (box_is_empty(b)) return 0;
    if (!is_cut(b)) return box_runs(b) * b->run;
    box_each(b, true, add_bytes, &bytes);
    return bytes;
}

// The part of one run that was not cut off.
static bool visit_part(const Box *b, uintptr_t at, BoxVisit *visit, void *arg) {
    uintptr_t end = at + (uintptr_t)b->run;
    if (at < b->first) at = b->first;
    if (end > b->last) end = b->last;
    return at >= end || visit(at, (int64_t)(end - at), 1, (int64_t)(end - at), arg);
}

// The runs of the last dimension from `at` on: with rows those that are whole in one call.
static bool visit_runs(const Box *b, uintptr_t at, bool rows, BoxVisit *visit, void *arg) {
    if (b->ndims == 0) return visit_part(b, at, visit, arg);
    int64_t from, to, pitch = b->pitch[b->ndims - 1];
    reach(b, b->ndims - 1, at, &from, &to);
    uintptr_t end = at + (uintptr_t)((to - 1) * pitch + b->run);
    if (from < to && at + (uintptr_t)(from * pitch) < b->first &&
        !visit_part(b, at + (uintptr_t)(from++ * pitch), visit, arg))
        return false;
    bool part = from < to && end > b->last;
    to -= part;
    if (rows && from < to && !visit(at + (uintptr_t)(from * pitch), b->run, to - from, pitch, arg))
        return false;
    for (; !rows && from < to; from++)
        if (!visit(at + (uintptr_t)(from * pitch), b->run, 1, b->run, arg)) return false;
    return !part || visit_part(b, at + (uintptr_t)(to * pitch), visit, arg);
}

static bool each(const Box *b, int d, uintptr_t at, bool rows, BoxVisit *visit, void *arg) {
    int64_t k, to;
    if (d >= b->ndims - 1) return visit_runs(b, at, rows, visit, arg);
    for (reach(b, d, at, &k, &to); k < to; k++)
        if (!each(b, d + 1, at + (uintptr_t)(k * b->pitch[d]), rows, visit, arg)) return false;
    return true;
}

bool box_each(const Box *b, bool rows, BoxVisit *visit, void *arg) {
    return box_is_empty(b) || each(b, 0, b->origin, rows, visit, arg);
}
