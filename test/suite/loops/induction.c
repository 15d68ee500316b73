// device 17
// induction.c -- counters beside the loop's own, scalars that wrap around, values kept afterwards.
#include "loops.h"

static void by_two(void) { // parallel
    int k = 0;
#pragma scop
    for (int i = 0; i < N / 2; i++) {
        b[k] = a[i] + d[i];
        k += 2;
    }
#pragma endscop
}
static int kept(void) { // parallel; k is read afterwards
    int k = -1;
#pragma scop
    for (int i = 0; i < N; i++) {
        k++;
        a[k] = b[i] * c[i];
    }
#pragma endscop
    return k;
}
static int counter_kept(int n) { // parallel; so is the loop's counter
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = b[i] + 2.0f;
#pragma endscop
    return i;
}
static int two_arms(void) { // serial: how often j moved depends on the data
    int j = -1;
#pragma sculpt
    for (int i = 0; i < N / 2; i++) {
        j++;
        if (d[i] > 0.0f) {
            a[j] = b[i] + d[i];
            j++;
            a[j] = c[i];
        } else
            a[j] = b[i];
    }
    return j;
}
static int both_arms(void) { // parallel: j moves by one in each arm
    int j = -1;
#pragma scop
    for (int i = 0; i < N / 2; i++) {
        if (b[i] > 0.0f) {
            j++;
            a[j] = b[i] + d[i] * e[i];
        } else {
            j++;
            a[j] = c[i] + d[i] * e[i];
        }
    }
#pragma endscop
    return j;
}
static int pack(void) { // parallel: j only grows, however far the data let it
    int j = -1;
#pragma sculpt
    for (int i = 0; i < N; i++)
        if (b[i] > 0.0f) {
            j++;
            a[j] = b[i];
        }
    return j;
}
static int in_two_loops(void) { // parallel: k = M * i + j
    int k = -1;
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            k++;
            flat[k] = aa[i][j] + bb[i][j];
        }
#pragma endscop
    return k;
}
static int downward_pair(void) { // parallel
    int k = N;
#pragma scop
    for (int i = 0; i < N / 2; i++) {
        k = k - 2;
        a[i] = b[k] + c[k + 1];
    }
#pragma endscop
    return k;
}
static float wrapped(void) { // parallel: the value of one turn ago is b[i - 1] but in the first
    float before = b[N - 1];
#pragma scop
    for (int i = 0; i < N; i++) {
        a[i] = (b[i] + before) * 0.5f;
        before = b[i];
    }
#pragma endscop
    return before;
}
static void wrapped_index(void) { // im1 is the index of one turn ago
    int im1 = N - 1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        a[i] = (b[i] + b[im1]) * 0.5f;
        im1 = i;
    }
}
static void wrapped_twice(void) {
    int im1 = N - 1, im2 = N - 2;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        a[i] = (b[i] + b[im1] + b[im2]) * 0.333f;
        im2 = im1;
        im1 = i;
    }
}
static void geometric(void) { // serial: q is a product
    float q = 1.0f;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        a[i] = q * b[i];
        q *= 0.99f;
    }
}
static void triangle(void) { // parallel: k = i (i + 1) / 2 + j only grows
    int k = 0;
#pragma sculpt
    for (int i = 0; i < M; i++)
        for (int j = 0; j <= i; j++) {
            flat[k] = aa[i][j];
            k++;
        }
}
static int unsigned_counter(unsigned n) { // parallel
    unsigned i, last = 0;
#pragma scop
    for (i = 0; i < n; i++) {
        a[i] = b[i] - c[i];
        last = i;
    }
#pragma endscop
    return (int)(last + i);
}
static long size_counter(size_t n) { // parallel
    size_t i = 0;
#pragma scop
    for (i = 1; i + 1 < n; ++i)
        a[i] = b[i - 1] + b[i + 1];
#pragma endscop
    return (long)i;
}
static void step_in_variable(int m) { // parallel
    const int step = 2;
    int at = m;
#pragma scop
    for (int i = 0; i < 100; i++, at += step)
        a[at] = b[i];
#pragma endscop
}
static int after_many(int n) { // parallel; counters after loops in loops
    int i, j = 0;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            aa[i][j] = bb[j][i];
#pragma endscop
    return i * 1000 + j;
}
static long le_bound(long n) { // parallel
    long i;
#pragma scop
    for (i = 1; i <= n; i += 4)
        a[i] = x[i] * 3.0f;
#pragma endscop
    return i;
}
static int not_equal_bound(int n) { // parallel
    int i;
#pragma scop
    for (i = 0; i != n; i++)
        a[i] = x[i] * 5.0f;
#pragma endscop
    return i;
}

int main(void) {
    RUN(by_two), COUNT(kept), COUNT(counter_kept, N), COUNT(counter_kept, 0), COUNT(counter_kept, -3),
        COUNT(two_arms);
    COUNT(both_arms), COUNT(pack), COUNT(in_two_loops), COUNT(downward_pair), VALUE(wrapped),
        RUN(wrapped_index);
    RUN(wrapped_twice), RUN(geometric), RUN(triangle), COUNT(unsigned_counter, N), COUNT(unsigned_counter, 0);
    COUNT(size_counter, N), COUNT(size_counter, 0), RUN(step_in_variable, 10), COUNT(after_many, M),
        COUNT(after_many, 0);
    COUNT(le_bound, 400), COUNT(le_bound, 0), COUNT(le_bound, -9), COUNT(not_equal_bound, 33),
        COUNT(not_equal_bound, 0);
    suite_use();
    return 0;
}
