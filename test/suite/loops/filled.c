// device 15
// filled.c -- arrays that a counter fills under conditions: what is kept, where it was, several at once.
#include "../suite.h"
#define N 100003
static float x[N], y[N], out[N + 8], left[N + 8];
static int key[N], at[N + 8], pair[2 * N + 8];
static double d[N];
static struct {
    int place;
    float value;
} found[N];

static int kept(int n, float over, const float *from, float *to) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (from[i] > over) to[k++] = from[i];
    return k;
}
static size_t places(size_t n, int which, int *to) { // begins behind what is there
    size_t k = 2;
#pragma sculpt
    for (size_t i = 0; i < n; i++) {
        if (key[i] % 7 != which) continue;
        to[k] = (int)i;
        k++;
    }
    return k;
}
static void both(int n, int *count) { // what is kept, and where it was; the counter is in memory
    *count = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (x[i] < y[i]) {
            float t = y[i] - x[i];
            out[*count] = t * t;
            at[*count] = i;
            (*count)++;
        }
}
static int taken(int n) { // places that temporaries hold, from before the counter has moved
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (key[i] % 5 == 2) {
            int first = k++, second = k++;
            pair[second] = i;
            pair[first] = key[i];
        }
    return k;
}
static int parted(int n, int *behind) { // two counters, one from either side of an order
    int k = 0, m = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (key[i] & 1) out[k++] = x[i];
        else left[m++] = x[i];
    }
    *behind = m;
    return k;
}
static int from_behind(int n, float *to) {
    int k = n;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (key[i] > 60) to[--k] = y[i];
    return k;
}
static long pairs(long n) { // two elements a time, and the counter begins before the first
    long k = -2;
#pragma sculpt
    for (long i = 1; i < n; i++)
        if (key[i] == key[i - 1]) {
            k += 2;
            pair[k] = (int)i;
            pair[k + 1] = key[i];
        }
    return k;
}
static unsigned either(int n) { // one of two, or both
    unsigned k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5f) at[k++] = i;
        if (y[i] > 0.6f) at[k++] = -i;
    }
    return k;
}
static int two_ways(int n) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (key[i] < 20) at[k++] = key[i];
        else if (x[i] != x[i]) at[k++] = -1;
    }
    return k;
}
static int all(int n) { // without a condition
    int k = 3;
#pragma sculpt
    for (int i = 0; i < n; i++)
        at[k++] = key[i] * 2;
    return k;
}
static int records(int n) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (x[i] > 0.7f) {
            found[k].place = i;
            found[k].value = x[i];
            ++k;
        }
    return k;
}
static int numbers(int n) { // not a number compares as no
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (!(d[i] <= 0.25)) out[k++] = (float)d[i];
    return k;
}
static int count(int n) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (d[i] == d[i] && x[i] * y[i] > 0.1f) k++;
    return k;
}
static int narrow(int n) { // comes back to where it was after 256, if it gets there
    unsigned char k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            at[k] = i;
            k++;
        }
    return k;
}
static int with_totals(int n, int *sum) { // more than a counter
    int k = 0, s = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (key[i] > 50) {
            at[k++] = i;
            s += key[i];
        }
    *sum = s;
    return k;
}
static int in_place(int n, float *from) { // on the host: what is read may have been written
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (from[i] > 0) from[k++] = from[i];
    return k;
}
static int bounded(int n, int most) { // on the host: the condition asks for the counter
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (x[i] > 0.3f && k < most) at[k++] = i;
    return k;
}
static int of_rows(int n) { // two loops
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n / 100; i++)
        for (int j = 0; j < 100; j++)
            if (key[100 * i + j] > 30 + j) at[k++] = j;
    return k;
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 31, 32, 33, 1000, N};
    fill_floats(x, N), fill_floats(y, N), fill_ints(key, N, 100), fill_doubles(d, N);
    for (int i = 0; i < N; i += 97) d[i] = NAN;
    for (int i = 5; i < N; i += 1009) x[i] = NAN;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s], more = 0;
        printf("%d: %d\n", n, kept(n, 0.5f, x, out)), show_floats("kept", out, N);
        printf("%d\n", kept(n, 2, x, out)), show_floats("none", out, N);
        float *own = malloc(sizeof *own * (size_t)(n + 1));
        memset(own, 0, sizeof *own * (size_t)(n + 1));
        printf("%d\n", kept(n, -2, y, own)), show_floats("all", own, n);
        printf("%d\n", from_behind(n, own)), show_floats("behind", own, n);
        free(own);
        printf("%zu\n", places((size_t)n, 3, at)), show_ints("places", at, N);
        both(n, &more), printf("%d\n", more), show_floats("both", out, N), show_ints("where", at, N);
        printf("%d\n", taken(n)), show_ints("taken", pair, 2 * N);
        printf("%d ", parted(n, &more)), printf("%d\n", more), show_floats("odd", out, N);
        show_floats("even", left, N);
        printf("%ld\n", pairs(n)), show_ints("pairs", pair, 2 * N);
        printf("%u\n", either(n)), show_ints("either", at, N);
        printf("%d\n", two_ways(n)), show_ints("two ways", at, N);
        printf("%d\n", all(n)), show_ints("all", at, N);
        int r = records(n);
        printf("%d %d %.4f\n", r, r ? found[r - 1].place : 0, r ? found[r / 2].value : 0);
        printf("%d\n", numbers(n));
        for (int i = 0; i < N; i++) out[i] = out[i] == out[i] ? out[i] : 77;
        show_floats("numbers", out, N);
        printf("%d\n", count(n));
        printf("%d\n", narrow(n)), show_ints("narrow", at, N);
        printf("%d ", with_totals(n, &more)), printf("%d\n", more), show_ints("totals", at, N);
        printf("%d\n", bounded(n, n / 5)), show_ints("bounded", at, N);
        printf("%d\n", of_rows(n)), show_ints("rows", at, N);
    }
    printf("%d\n", kept(1000, 0.6f, left, left)), show_floats("itself", left, N); // on the host: one array
    printf("%d\n", in_place(N, y)), show_floats("in place", y, N);
    suite_use();
}
