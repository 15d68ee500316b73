// device 8
// computed.c -- writes at places that are computed: parallel where a look at run time finds none twice.
#include "../suite.h"
enum { N = 40000 };
static int p[N], q[N], big[N];
static float x[N], fixed[N];

static void turned(int n, int m, float *out) { // distinct where m and n have no common factor
#pragma sculpt
    for (int i = 0; i < n; i++)
        out[(int)((long)i * m % n)] = x[i];
}
static void through_two(int n, float *out) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        out[p[q[i]]] = x[i] + 1;
}
static void moved(int n, const int *at, int by) { // an array of known size
#pragma sculpt
    for (int i = 0; i < n; i++)
        fixed[at[i] + by] = x[i] * 2;
}
static void swapped(int n, int mask, float *out) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        out[i ^ mask] = x[i] - 1;
}
static void reversed(int n, float *out) { // bits of 10
#pragma sculpt
    for (int i = 0; i < n; i++) {
        int r = (i & 0x155) << 1 | (i >> 1 & 0x155);
        r = (r & 0x333) << 2 | (r >> 2 & 0xcc);
        out[r] = x[i];
    }
}
static void some(int n, float *out) { // where a condition on data holds
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (x[i] > 0.2f) out[p[i] * 2 % (n + 1)] = x[i];
}
static void rows(int n, float *out) { // two loops
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            out[p[i] * 8 + (j ^ 3)] = x[(i + j) % n];
}
static void few_places(long n, int *out) { // most are there again: in order
#pragma sculpt
    for (long i = 0; i < n; i++)
        out[big[i] % 7] = (int)i;
}
static void read_elsewhere(int n, float *out) { // on the host: what is written is read
#pragma sculpt
    for (int i = 0; i < n; i++)
        out[i * 3 % n] = out[i] + x[i];
}
static void twice(int n, float *out) { // on the host: two statements write
#pragma sculpt
    for (int i = 0; i < n; i++) {
        out[i * 3 % n] = x[i];
        out[i * 5 % n] = x[i] * 2;
    }
}

int main(void) {
    static float out[8 * N + 64];
    static int few[8];
    static const int sizes[] = {0, 1, 33, 1000, 1001, N};
    for (int i = 0; i < N; i++) big[i] = i * 97 + 1;
    fill_floats(x, N);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        for (int i = 0; i < n; i++) p[i] = n - 1 - i, q[i] = (i + n / 3) % n;
        memset(out, 0, sizeof out), memset(fixed, 0, sizeof fixed);
        turned(n, 7, out), show_floats("turned", out, N);
        turned(n, 10, out), show_floats("turned onto each other", out, N);
        through_two(n, out), show_floats("through two", out, N);
        moved(n / 2, p, -(n - 1 - n / 2) / 2), show_floats("moved", fixed, N);
        swapped(n < 1001 ? n & ~31 : 1024, 21, out), show_floats("swapped", out, N);
        reversed(n < 1001 ? n : 1024, out), show_floats("reversed", out, 1024);
        some(n, out), show_floats("some", out, N);
        rows(n, out), show_floats("rows", out, 8 * N);
        if (n) q[n / 2] = q[0];
        through_two(n, out), show_floats("one twice", out, N);
        few_places(n, few), show_ints("few places", few, 8);
        read_elsewhere(n, out), show_floats("read", out, N);
        twice(n, out), show_floats("twice", out, N);
    }
    suite_use();
}
