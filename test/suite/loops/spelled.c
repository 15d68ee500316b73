// device 31
// spelled.c -- other ways to write a loop that counts: a break at the beginning or the end, a step in the
// condition or anywhere in the body, do, two variables that meet. What they are worth behind the loop is
// printed too. Each with no, one and odd lengths, where C lets it run.
#include "../suite.h"

enum { ROOM = 512 };
static int a[ROOM], b[ROOM];
static long at[2]; // of the counters, behind the loop

static void or_else(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) a[i] = (b[i] & 3) ?: -5;
}
static void leaves_first(int n) {
    int i;
#pragma sculpt
    for (i = 0;; i++) {
        if (i >= n) break;
        a[i] += b[i];
    }
    at[0] = i;
}
static void leaves_first_of_while(int n) {
    int i = n;
#pragma sculpt
    while (1) {
        if (!(i > 0)) break;
        i--;
        a[i] += b[i];
    }
    at[0] = i;
}
static void leaves_for_either(int n, int m) {
    int i = 0;
#pragma sculpt
    for (;;) {
        if (i >= n || i >= m) break;
        a[i] *= 2;
        i++;
    }
    at[0] = i;
}
static void leaves_last(int n) {
    int i = 0;
#pragma sculpt
    for (;;) {
        a[i] += b[i] + 1;
        if (++i >= n) break;
    }
    at[0] = i;
}
static void ahead(int n) {
    int i;
#pragma sculpt
    for (i = n; --i >= 0;) a[i] += 3;
    at[0] = i;
}
static void ahead_declared(int n) {
#pragma sculpt
    for (int i = -1; ++i < n;) a[i] -= b[i];
}
static void ahead_beside(int n) {
    int i = n, k = 0;
#pragma sculpt
    for (; --i >= 0; k += 2) a[i] += k;
    at[0] = i, at[1] = k;
}
static void ahead_of_while(unsigned n) {
    n++;
#pragma sculpt
    while (--n) a[n - 1] += 5;
    at[0] = n;
}
static void in_the_middle(int n) {
    int i = 0;
#pragma sculpt
    while (i < n) {
        int t = b[i];
        i += 3;
        a[i] = t;
    }
    at[0] = i;
}
static void first_of_all(size_t n) {
    size_t i = n;
#pragma sculpt
    while (i != 0) {
        i--;
        a[i] ^= (int)i;
    }
    at[0] = (long)i;
}

// ---- do ---------------------------------------------------------------------------------------------
static void once_up(int n) {
    int i = 0;
#pragma sculpt
    do {
        a[i] += b[i];
    } while (++i < n);
    at[0] = i;
}
static void once_up_in_body(long n) {
    long i = 0;
#pragma sculpt
    do {
        a[i] += b[i] * 2;
        i += 4;
    } while (i <= n);
    at[0] = i;
}
static void once_down(int n) {
    int i = n;
#pragma sculpt
    do {
        a[i] -= b[i];
        --i;
    } while (i >= 2);
    at[0] = i;
}
static void once_to_zero(unsigned n) {
    unsigned k = n + 1;
#pragma sculpt
    do
        a[k - 1] = b[k - 1] * 3;
    while (--k);
    at[0] = k;
}
static void once_to_zero_of_size(size_t n) {
    if (n)
#pragma sculpt
        do {
            a[n - 1] += 1;
            n = n - 1;
        } while (n != 0);
    else
        a[3] = -1;
    at[0] = (long)n;
}
static void once_around(unsigned n) { // the first step wraps around
    unsigned i = n - 1, k = 0;
#pragma sculpt
    do {
        a[i & 255] += 1;
        i++;
        k++;
    } while (i < n);
    at[0] = i, at[1] = k;
}

// ---- two that meet ------------------------------------------------------------------------------------
static void reversed(int n) {
    int i, j;
#pragma sculpt
    for (i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    at[0] = i, at[1] = j;
}
static void reversed_while(size_t n) {
    size_t lo = 0, hi = n;
#pragma sculpt
    while (lo < hi) {
        hi--;
        int t = a[lo];
        a[lo] = a[hi];
        a[hi] = t;
        lo++;
    }
    at[0] = (long)lo, at[1] = (long)hi;
}
static void meeting_closed(int n) {
    int i = 0, j = n;
#pragma sculpt
    while (i <= j) {
        a[i] += 1;
        b[j] -= 1;
        i += 2;
        j -= 3;
    }
    at[0] = i, at[1] = j;
}
static void meeting_from_above(long n) {
    long i = n, j = 0;
#pragma sculpt
    for (; i > j; i -= 2, ++j) a[i] = b[j];
    at[0] = i, at[1] = j;
}
static void follows(int n) { // both go up
    int i = 0, j = n;
#pragma sculpt
    for (; i < j; i += 3, j++) a[i] += b[j & 255];
    at[0] = i, at[1] = j;
}
static void meeting_once(unsigned n) {
    unsigned i = 0, j = n;
#pragma sculpt
    do {
        a[i] += b[j];
        i++;
        j--;
    } while (i < j);
    at[0] = i, at[1] = j;
}
static void pointers_meet(int *p, int *q) {
#pragma sculpt
    while (p < q) {
        int t = *p;
        *p++ = *--q;
        *q = t;
    }
    at[0] = p - a, at[1] = q - a;
}
static void pointers_pass(int *p, int *q) {
#pragma sculpt
    for (; p <= q; ++p, --q) *p += 7;
    at[0] = p - a, at[1] = q - a;
}
static void whole_rows(int n, int (*m)[16]) {
#pragma sculpt
    for (int i = 0, j = n - 1; i < j; i++, j--)
        for (int k = 0; k < 16; k++) {
            int t = m[i][k];
            m[i][k] = m[j][k];
            m[j][k] = t;
        }
}

// ---- in nests, and with a sum ---------------------------------------------------------------------------
static void inner(int n) {
#pragma sculpt
    for (int r = 0; r < n; r++) {
        int s = 0, k = 0;
        do {
            s += b[r + k];
        } while (++k < 5);
        a[r] = s;
    }
}
static void inner_meet(int n) {
#pragma sculpt
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int i = r, j = r + 9; i < j; i++, j--) s += b[i] * b[j];
        a[r] = s;
    }
}
static int summed(int n) {
    int s = 0, i = 0;
#pragma sculpt
    do s += b[i];
    while (++i < n);
    return s;
}
static int summed_both(int n) {
    int s = 0;
#pragma sculpt
    for (int i = 0, j = n; i < j; i++, j--) s += b[i] - b[j];
    return s;
}
static int until_it_breaks(int n) {
    int s = 0;
#pragma sculpt
    for (int i = 0;; i++) {
        if (i == n) break;
        s += b[i] & 15;
    }
    return s;
}

static void reset(void) {
    fill_ints(a, ROOM, 1000);
    fill_ints(b, ROOM, 1000);
    at[0] = at[1] = -1;
}
#define RUN(call)                                                                                           \
    do {                                                                                                    \
        reset();                                                                                            \
        call;                                                                                               \
        printf("%s %ld %ld: %ld\n", #call, n, at[0], at[1]);                                                \
        show_ints("a", a, ROOM);                                                                            \
        show_ints("b", b, ROOM);                                                                            \
    } while (0)

int main(void) {
    static const long lengths[] = {0, 1, 2, 3, 17, 200};
    static int m[20][16];
    for (int k = 0; k < 6; k++) {
        long n = lengths[k];
        int i = (int)n;
        unsigned u = (unsigned)n;
        RUN(or_else(i));
        RUN(leaves_first(i)); RUN(leaves_first_of_while(i)); RUN(leaves_for_either(i, 20));
        RUN(leaves_last(i));
        RUN(ahead(i)); RUN(ahead_declared(i)); RUN(ahead_beside(i)); RUN(ahead_of_while(u));
        RUN(in_the_middle(i)); RUN(first_of_all((size_t)n));
        RUN(once_up(i)); RUN(once_up_in_body(n)); RUN(once_down(i)); RUN(once_to_zero(u));
        RUN(once_to_zero_of_size((size_t)n)); RUN(once_around(u));
        RUN(reversed(i)); RUN(reversed_while((size_t)n)); RUN(meeting_closed(i)); RUN(meeting_from_above(n));
        RUN(follows(i)); RUN(pointers_meet(a, a + n)); RUN(pointers_pass(a, a + n));
        if (n) RUN(meeting_once(u));
        RUN(inner(i)); RUN(inner_meet(i));
        reset();
        fill_ints(&m[0][0], 320, 100);
        whole_rows(i < 20 ? i : 20, m);
        show_ints("m", &m[0][0], 320);
        printf("%d %d %d\n", summed(i), summed_both(i), until_it_breaks(i));
    }
    return 0;
}
