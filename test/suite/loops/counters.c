// device 26
// counters.c -- counters of all types, up and down, that end where they should, wrap around before they do,
// or run through nothing; each loop with sizes of every such kind.
#include "../suite.h"
#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { SIDE = 256, SPACE = 4096 };
static int a[SPACE], b[SPACE];

static void down(unsigned hi, unsigned lo) {
#pragma sculpt
    for (unsigned i = hi; i > lo; i--) a[i & 255] = b[i & 255] + 7;
}
static void until(unsigned lo, unsigned hi) {
#pragma sculpt
    for (unsigned i = lo; i != hi; i++) a[(i + 50) & 255] = b[i & 255] + (int)i;
}
static void down_until(unsigned hi, unsigned lo) {
#pragma sculpt
    for (unsigned i = hi; i != lo; i--) a[(i + 50) & 255] = b[i & 255] + (int)i;
}
static void short_until(unsigned short lo, unsigned short hi) {
#pragma sculpt
    for (unsigned short i = lo; i != hi; i++) a[(i + 50) & 255] = b[i & 255] + i;
}
static void long_until(unsigned long lo, unsigned long hi) {
#pragma sculpt
    for (unsigned long i = lo; i != hi; i++) a[(i + 50) & 255] = b[i & 255] + (int)i;
}
static void by_two_until(unsigned lo, unsigned hi) {
#pragma sculpt
    for (unsigned i = lo; i != hi; i += 2) a[i & 255] = b[i & 255] + 1;
}
static void threes(unsigned lo, unsigned hi) {
#pragma sculpt
    for (unsigned i = lo; i < hi; i += 3) a[i & 255] = b[i & 255] + 7;
}
static void threes_down(unsigned hi, unsigned lo) {
#pragma sculpt
    for (unsigned i = hi; i > lo; i -= 3) a[i & 255] = b[i & 255] + 7;
}
static void bytes(unsigned char lo, int hi) {
#pragma sculpt
    for (unsigned char c = lo; c < hi; c += 7) a[c] = b[c] + 7;
}
static void near_the_end(int lo, int hi) {
#pragma sculpt
    for (int i = lo; i < hi; i++) a[i & 255] = b[i & 255] + 7;
}
static void count_down(size_t n) {
#pragma sculpt
    for (size_t i = n; i--;) a[i] = b[i] + 7;
}
static unsigned count_down_to(unsigned n, unsigned m) {
    unsigned i = n;
#pragma sculpt
    while (i-- > m) a[i] = b[i] + 9;
    return i;
}
static void below_zero(unsigned n) {
#pragma sculpt
    for (unsigned i = n - 1; i < n; i--) a[i] = b[i] + 7;
}
static void mixed(int lo, unsigned hi) {
#pragma sculpt
    for (int i = lo; i < hi; i++) a[i & 255] = b[i & 255] + 3;
}
static void wide(int lo, long long hi) {
#pragma sculpt
    for (int i = lo; i < hi; i++) a[i & 255] = b[i & 255] + 3;
}
static void large(unsigned lo) {
#pragma sculpt
    for (unsigned i = lo; i < 4294967290u; i++) a[i & 255] = b[i & 255] + 5;
}
static void stepped(unsigned n, int by) {
#pragma sculpt
    for (unsigned i = 0; i < n; i += by) a[i] = b[i] + 7;
}
static void stepped_down(int n, int m, int by) {
#pragma sculpt
    for (int i = n; i > m; i = i - by) a[i] = b[i] + 7;
}
static void from_wrapped(int n) { // a number that an int does not have comes in
#pragma sculpt
    for (int i = n - -2147483648; i >= 0; i--) a[i] += a[i + 1] + b[i];
}
static void triangle(unsigned n, unsigned m) {
#pragma sculpt
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < m; j++) a[i * 20 + j] = b[j] + (int)i;
}
static void wraps_inside(unsigned n) {
#pragma sculpt
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = 0; j < i - 1; j++) a[i * 20 + j] = b[j] + (int)i;
}
static void from_the_least(int n) {
#pragma sculpt
    for (int i = INT_MIN; i < n; i++) a[(long)i - INT_MIN] = i;
}
static void thousand_from_the_least(void) {
#pragma sculpt
    for (int i = INT_MIN; i < INT_MIN + 1000; i++) a[i - INT_MIN] = i;
}
static void up_to_the_greatest(void) {
#pragma sculpt
    for (int i = INT_MAX - 1000; i <= INT_MAX - 1; i++) a[i - (INT_MAX - 1000)] = i / 3;
}
static int far_apart(int lo, int hi) {
    int most = 0;
#pragma sculpt
    for (int i = hi; i > lo; i -= 1 << 20) most = most > (i & 4095) ? most : i & 4095;
    return most;
}
static long longest(long n) {
    long s = 0;
#pragma sculpt
    for (long i = LONG_MIN; i <= n; i += LONG_MAX / 3) s += i >> 60;
    return s;
}

static void tell(const char *what) {
    long s = 0;
    for (int i = 0; i < SPACE; i++) s = (s * 31 + a[i] % 100003) % 1000003;
    printf("%s %ld\n", what, s);
    memset(a, 0, sizeof a);
}

#define TELL(call) (call, tell(#call))
int main(void) {
    for (int i = 0; i < SPACE; i++) b[i] = i * 3;
    TELL(down(100, 3)), TELL(down(3, 100)), TELL(down(0, 0)), TELL(down(UINT_MAX, UINT_MAX - 40));
    TELL(until(3, 90)), TELL(until(UINT_MAX - 20, 30)), TELL(until(7, 7)), TELL(down_until(100, 3)),
        TELL(down_until(20, UINT_MAX - 9));
    TELL(short_until(65500, 9)), TELL(short_until(1, 200)), TELL(long_until(-5ul, 100)),
        TELL(long_until(-90ul, -7ul));
    TELL(by_two_until(3, 91)), TELL(by_two_until(UINT_MAX - 20, 31)), TELL(by_two_until(8, 8));
    TELL(threes(UINT_MAX - 50, UINT_MAX - 4)), TELL(threes(5, 200)), TELL(threes(200, 5)),
        TELL(threes_down(200, 5)), TELL(threes_down(9, 0));
    TELL(bytes(0, 200)), TELL(bytes(200, 10)), TELL(bytes(1, 254)), TELL(bytes(3, -4));
    TELL(from_wrapped(INT_MIN + 90)), TELL(from_wrapped(5)), TELL(from_wrapped(INT_MIN));
    TELL(near_the_end(INT_MAX - 50, INT_MAX)), TELL(near_the_end(INT_MIN, INT_MIN + 9)),
        TELL(near_the_end(-30, 60)), TELL(near_the_end(INT_MAX, INT_MIN));
    TELL(count_down(0)), TELL(count_down(1)), TELL(count_down(300)), TELL(below_zero(0)),
        TELL(below_zero(300));
    printf("%u %u %u\n", count_down_to(90, 7), count_down_to(0, 0), count_down_to(3, 80)),
        tell("count_down_to");
    TELL(mixed(-9, 80)), TELL(mixed(9, 80)), TELL(mixed(-9, -3)), TELL(wide(-9, 80)),
        TELL(wide(-9, -(1ll << 33))), TELL(large(4294967100u));
    TELL(stepped(100, 7)), TELL(stepped(5, -3)), TELL(stepped(0, 1)), TELL(stepped_down(90, 3, 4)),
        TELL(stepped_down(3, 90, 4));
    TELL(triangle(10, 5)), TELL(triangle(10, 60)), TELL(triangle(0, 9)), TELL(wraps_inside(0)),
        TELL(wraps_inside(1)), TELL(wraps_inside(15));
    TELL(from_the_least(INT_MIN + 4000)), TELL(from_the_least(INT_MIN)), TELL(thousand_from_the_least()),
        TELL(up_to_the_greatest());
    printf("%d %d\n", far_apart(INT_MIN + (1 << 20), INT_MAX), far_apart(0, INT_MIN));
    printf("%ld %ld\n", longest(LONG_MAX - LONG_MAX / 3), longest(LONG_MIN));
    return 0;
}
