// device 47
// pointers.c -- loops that a pointer counts, in all directions, steps and comparisons, over elements of all
// sizes; pointers that walk along; what all of them are behind the loops. Each with no, one and odd lengths.
#include "../suite.h"
#include <stddef.h>

enum { ROOM = 1024, SIDE = 24 };
typedef struct Triple {
    unsigned char r, g, b;
} Triple;
typedef struct Point {
    float x, y, z;
} Point;

static int a[ROOM], b[ROOM];
static signed char bytes[ROOM];
static short shorts[ROOM];
static double doubles[ROOM], more_doubles[ROOM];
static Triple triples[ROOM];
static Point points[ROOM];
static int square[SIDE][SIDE];

// How far the pointers are from the arrays' beginnings, behind the loop.
static long at[4];

// ---- forms, up ------------------------------------------------------------------------------------
static void up(int *x, const int *y, long n) {
    int *p;
#pragma sculpt
    for (p = x; p < x + n; p++) *p += y[p - x];
    at[0] = p - x;
}
static void until(int *x, const int *y, long n) {
#pragma sculpt
    for (const int *p = y, *e = y + n; p != e; ++p, x++) *x += *p;
    at[0] = x - a;
}
static void to_the_end(int *x, int *end, const int *y) {
#pragma sculpt
    while (x < end) {
        *x += *y;
        y++, x++;
    }
    at[0] = x - a, at[1] = y - b, at[2] = end - a;
}
static void inside_expressions(int *x, const int *y, const int *end) {
#pragma sculpt
    while (y < end) *x++ = 2 * *y++ + 1;
    at[0] = x - a, at[1] = y - b;
}
static void copied(int *x, const int *y, const int *end) {
    int *to = x;
#pragma sculpt
    for (; y != end;) *to++ = *y++;
    at[0] = to - x, at[1] = y - b;
}
static void mirrored(int *x, const int *y, const int *last) {
    const int *q = y;
#pragma sculpt
    for (; last >= q; q += 1) x[q - y] += *q;
    at[0] = q - y;
}
static void threes(int *x, const int *y, const int *end) {
#pragma sculpt
    for (; y < end; y += 3, x = x + 3) x[1] += y[2];
    at[0] = x - a, at[1] = y - b;
}
static void evens(int *x, const int *y, const int *last) {
#pragma sculpt
    for (; y <= last; y = 2 + y) {
        *x += *y;
        x += 2;
    }
    at[0] = x - a, at[1] = y - b;
}
static void ahead(int *x, const int *y, const int *end) {
#pragma sculpt
    while (++y < end) *x++ += *y;
    at[0] = x - a, at[1] = y - b;
}
static void ahead_of_all(int *x, const int *y, const int *end) {
#pragma sculpt
    while (y++ < end) *x++ += *y;
    at[0] = x - a, at[1] = y - b;
}
static void once(int *x, const int *y, const int *end) {
#pragma sculpt
    do {
        *x++ += *y++;
    } while (y < end);
    at[0] = x - a, at[1] = y - b;
}
static void once_until(int *x, const int *y, const int *end) {
#pragma sculpt
    do *x++ += *y;
    while ((y += 1) != end);
    at[0] = x - a, at[1] = y - b;
}
static void with_continue(int *x, const int *y, const int *end) {
#pragma sculpt
    for (const int *p = y; p < end; p++, x++) {
        if (*p % 3 == 0) continue;
        *x += *p;
    }
    at[0] = x - a;
}
// ---- and down ---------------------------------------------------------------------------------------
static void down(int *x, const int *y, long n) {
    int *p = x + n;
#pragma sculpt
    while (p > x) {
        --p;
        *p += y[p - x];
    }
    at[0] = p - x;
}
static void down_at_once(int *x, long n) {
    int *p = x + n;
#pragma sculpt
    while (p != x) *--p = 7;
    at[0] = p - x;
}
static void behind(int *x, const int *y, long n) {
    int *p = x + 1 + n;
    y += n;
#pragma sculpt
    while (p-- > x + 1) *p += *--y;
    at[0] = p - x, at[1] = y - b;
}
static void before(int *x, const int *y, long n) {
    int *p = x + 1 + n;
#pragma sculpt
    for (; --p >= x + 1; y++) *p += *y;
    at[0] = p - x, at[1] = y - b;
}
static void last_first(int *x, const int *y, long n) {
    int *p = x + n;
#pragma sculpt
    for (p -= 2; p >= x; p -= 2) *p += y[p - x];
    at[0] = p - x;
}
static void down_until(int *x, const int *y, long n) {
    const int *p = y + 2 * n;
#pragma sculpt
    while (p != y) {
        p -= 2;
        *x++ += *p;
    }
    at[0] = x - a, at[1] = p - y;
}
// ---- other counters ----------------------------------------------------------------------------------
static void counted(int *x, const int *y, int n) {
#pragma sculpt
    while (n--) *x++ += 3 * *y++;
    at[0] = x - a, at[1] = y - b, at[2] = n;
}
static void counted_for(int *x, const int *y, unsigned n) {
#pragma sculpt
    for (unsigned i = 0; i < n; i++) {
        *x = *y + 2;
        x++;
        y += 2;
    }
    at[0] = x - a, at[1] = y - b;
}
static int summed(const int *x, const int *end) {
    int s = 0;
#pragma sculpt
    for (const int *p = x; p < end; p++) s += *p;
    return s;
}
static int counts(const int *x, const int *end) {
    int n = 0;
#pragma sculpt
    while (x < end) {
        n += *x > 100;
        x++;
    }
    at[0] = x - a;
    return n;
}
static void twice(int *x, const int *y, const int *end, long n) {
    const int *start = y;
#pragma scop
    while (y < end) *x++ += *y++;
    y = start + 1;
    for (long i = 0; i < n; i++) *x++ = *y++ - 1;
#pragma endscop
    at[0] = x - a, at[1] = y - b;
}
static void rows(int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int *p = square[i], *e = p + m; p < e; p++) *p += i;
}
static void rows_of_rows(int n, int m) {
    int(*r)[SIDE] = square;
#pragma sculpt
    for (; r < square + n; r++)
        for (int *c = *r; c < *r + m; c++) *c += 2;
    at[0] = r - square;
}
static void flat(int n, int m) {
    int *p = &square[0][0];
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) *p++ += i * 3 + j;
    at[0] = p - &square[0][0];
}
static void all_of_it(void) {
    int *p;
#pragma sculpt
    for (p = &square[0][0]; p < &square[SIDE][0]; ++p) *p *= 3;
    at[0] = p - &square[0][0];
}
static void from_a_parameter(int x[], int n) {
#pragma sculpt
    while (n-- > 0) *x++ -= 1;
    at[0] = x - a, at[1] = n;
}
// ---- elements of other sizes ---------------------------------------------------------------------------
static void of_bytes(signed char *p, signed char *end) {
#pragma sculpt
    while (p < end) *p++ += 5;
    at[0] = p - bytes;
}
static void of_bytes_down(signed char *p, signed char *end) {
#pragma sculpt
    while (end-- > p) *end ^= 3;
    at[0] = end - bytes;
}
static void of_shorts(short *p, const short *last) {
#pragma sculpt
    for (; p <= last; p += 2) *p += 9;
    at[0] = p - shorts;
}
static void of_doubles(double *y, const double *x, double alpha, int n) {
#pragma sculpt
    while (n--) *y++ += alpha * *x++;
    at[0] = y - doubles, at[1] = x - more_doubles;
}
static void of_doubles_down(double *y, double *first) {
#pragma sculpt
    for (; y >= first; y -= 2) *y *= 0.5;
    at[0] = y - doubles;
}
static void of_triples(Triple *t, Triple *end) {
#pragma sculpt
    for (; t != end; t++) {
        t->r += 1;
        t->b ^= t->g + 3;
    }
    at[0] = t - triples;
}
static void of_points(Point *p, const Point *end) {
    Point *q = p + 1;
#pragma sculpt
    for (; q < end; q += 2) {
        q->x += 1;
        q->z -= p[0].y;
    }
    at[0] = q - points;
}
static void of_points_down(Point *first, Point *p) {
#pragma sculpt
    while (p > first) {
        p--;
        p->y = 2 * p->x;
    }
    at[0] = p - points;
}

// ---- two ends, and steps that are no constant ---------------------------------------------------------
static void both(int *p, const int *end, const int *q, const int *last) {
#pragma sculpt
    while (p < end && q < last) *p++ += *q++;
    at[0] = p - a, at[1] = q - b;
}
static void nearer(int *p, const int *end, const int *last) {
#pragma sculpt
    for (; p < end && p <= last; p += 2) *p += 5;
    at[0] = p - a;
}
static void both_down(int *p, const int *first, const int *q, const int *start) {
#pragma sculpt
    for (; q > start && p > first; --q) *--p -= *q;
    at[0] = p - a, at[1] = q - b;
}
static void once_both(int *p, const int *end, const int *q, const int *last) {
#pragma sculpt
    do {
        *p++ += 2 * *q;
        q += 3;
    } while (p < end && q < last);
    at[0] = p - a, at[1] = q - b;
}
static void not_both(int *p, const int *end, const int *q, const int *last) { // one may run past its end
#pragma sculpt
    while (p != end && q < last) *p++ += *q++;
    at[0] = p - a, at[1] = q - b;
}
static void strided(int *p, const int *end, int by) {
#pragma sculpt
    for (; p < end; p += by) *p += 3;
    at[0] = p - a;
}
static void strided_to(int *p, const int *last, unsigned by) {
    int *q = p;
#pragma sculpt
    for (p = q; last >= p; p = p + by) *p += 3;
    at[0] = p - a;
}
static void strided_down(double *p, const double *end, long by) {
#pragma sculpt
    while (p > end) {
        *p += 3;
        p -= by;
    }
    at[0] = p - doubles;
}

// ---- parameters of inlined functions as counters --------------------------------------------------------
static int sum_of(const int *p, int n) {
    int s = 0;
    while (n--) s += *p++;
    return s;
}
static int weighted(const int *p, int n) {
    int s = 0;
    while (n-- > 0) s += n * p[n];
    return s;
}
static int down_to_one(const int *p, unsigned char n) {
    int s = 1;
    while (n > 0) {
        s = s * 3 + p[n];
        n--;
    }
    return s;
}
static void counted_inside(int *x, const int *y, int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) x[i] = sum_of(y + i, 5) + 7 * sum_of(y, i % 4);
#pragma sculpt
    for (int i = 0; i < n; i++) {
        x[i] += weighted(y + i, y[i] % 6) - weighted(b, x[i] & 3);
        x[i] += weighted(b, x[i] & 7);
    }
#pragma sculpt
    for (int i = 0; i < n; i++) x[i] ^= down_to_one(y + i, y[i]) + down_to_one(y, 260);
}

// ---- all of them ---------------------------------------------------------------------------------------
static unsigned hash(const void *x, size_t n) {
    unsigned h = 2166136261u;
    for (size_t k = 0; k < n; k++) h = (h ^ ((const unsigned char *)x)[k]) * 16777619u;
    return h;
}
static void reset(void) {
    memset(at, 0, sizeof at);
    memset(triples, 1, sizeof triples);
    for (int k = 0; k < ROOM; k++) {
        a[k] = k * 3, b[k] = (k * 7 + 5) % 301, bytes[k] = k % 50, shorts[k] = k;
        doubles[k] = k * 0.5, more_doubles[k] = k % 17, points[k] = (Point){k, 1, k % 7};
    }
    for (int k = 0; k < SIDE * SIDE; k++) square[k / SIDE][k % SIDE] = k;
}
static void show(const char *form, long n) {
    printf("%s %ld: %x %x %x %x %x %x %x, at %ld %ld %ld\n", form, n, hash(a, sizeof a),
           hash(bytes, sizeof bytes), hash(shorts, sizeof shorts), hash(doubles, sizeof doubles),
           hash(triples, sizeof triples), hash(points, sizeof points), hash(square, sizeof square),
           at[0], at[1], at[2]);
}
#define RUN(call) (reset(), call, show(#call, n))

int main(void) {
    static const int lengths[] = {0, 1, 2, 37, 301};
    suite_use();
    for (int k = 0; k < 5; k++) {
        long n = lengths[k];
        int m = n < SIDE ? (int)n : SIDE - 1;
        RUN(up(a, b, n));
        RUN(until(a, b, n));
        RUN(to_the_end(a, a + n, b));
        RUN(inside_expressions(a, b, b + n));
        RUN(copied(a, b, b + n));
        RUN(mirrored(a, b + 1, b + n));
        RUN(threes(a, b, b + n));
        RUN(evens(a, b + 1, b + n));
        RUN(ahead(a, b, b + n + 1));
        RUN(ahead_of_all(a, b, b + n));
        RUN(once(a, b, b + n));
        RUN(once_until(a, b, b + n + 1));
        RUN(with_continue(a, b, b + n));
        RUN(down(a, b, n));
        RUN(down_at_once(a, n));
        RUN(behind(a, b, n));
        RUN(before(a, b, n));
        RUN(last_first(a + 2, b, n));
        RUN(down_until(a, b, n));
        RUN(counted(a, b, (int)n));
        RUN(counted_for(a, b, (unsigned)n));
        RUN(twice(a, b, b + n, n));
        RUN(from_a_parameter(a, (int)n));
        RUN(rows(m, m));
        RUN(rows_of_rows(m, m));
        RUN(flat(m, m));
        RUN(all_of_it());
        RUN(of_bytes(bytes, bytes + n));
        RUN(of_bytes_down(bytes + 1, bytes + 1 + n));
        RUN(of_shorts(shorts + 1, shorts + n));
        RUN(of_doubles(doubles, more_doubles, 1.5, (int)n));
        RUN(of_doubles_down(doubles + n, doubles + 2));
        RUN(of_triples(triples, triples + n));
        RUN(of_points(points, points + n));
        RUN(both(a, a + n, b, b + 2 * n)), RUN(both(a, a + n, b, b + n / 2)), RUN(both(a, a + n, b + 9, b));
        RUN(nearer(a, a + n, a + 40)), RUN(nearer(a, a + 40, a + n));
        RUN(both_down(a + n, a, b + n, b + 2)), RUN(both_down(a + n, a + n / 3, b + n, b));
        RUN(once_both(a, a + n, b, b + n));
        RUN(not_both(a, a + n, b, b + 20)), RUN(not_both(a, a + n, b, b + n + 1));
        for (int by = 1; by < 5; by++) {
            RUN(strided(a, a + n, by)), RUN(strided_to(a, a + n, by)),
                RUN(strided_down(doubles + n, doubles + 1, by));
        }
        RUN(strided(a + 3, a + 3, 0)), RUN(strided(a + 3, a, -2)), RUN(strided_down(doubles, doubles + n, 0));
        RUN(counted_inside(a, b, n));
        RUN(of_points_down(points, points + n));
        reset();
        printf("%d, %d\n", summed(a, a + n), counts(a, a + n));
    }
    return 0;
}
