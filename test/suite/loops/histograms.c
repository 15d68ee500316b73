// device 10
// histograms.c -- counters that data choose: of bytes, weighted, of pairs, by a function, behind a condition;
// or that the iteration's number chooses again and again.
#include "../suite.h"
#define N 70001
static unsigned char v[N];
static int x[N], y[N], bin[1000], pair[16][32];
static double weight[300];
static float f[N];
static unsigned declared[256];
static int whole[1025];

static void bytes(int n, int *restrict h) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc atomic
        h[v[i]]++;
}
static void weighted(int n, double *restrict h) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp atomic
        h[x[i]] += y[i];
}
static void shifted(int n, int k, int s, int *restrict h) {
#pragma omp parallel for reduction(+ : h[:1000])
    for (int i = 0; i < n; i++) h[(x[i] * k) >> s] += y[i];
}
static void pairs(int n, int m) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
#pragma omp atomic
            pair[x[i * m + j] & 15][v[i * m + j] >> 3]++;
}
static int beside_a_sum(int n) { // of no iterations, too: then the region uses no element, and only the sum
    int odd = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        odd += x[i] & 1;
#pragma omp atomic
        whole[x[i] & 31] ^= i;
    }
    return odd;
}
static int at(float z) {
    int b = (int)(z * 256.0f);
    return b < 0 ? 0 : b > 255 ? 255 : b;
}
static void by_function(int n) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        if (f[i] > -0.1f) {
#pragma acc atomic
            declared[at(f[i])]++;
        }
}
static void least(int n, int *restrict h) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = x[i] + 20;
        if (y[i] < h[k]) h[k] = y[i];
    }
}

static void around(int n) {
    int h[101] = {0}, grid[8][3] = {{0}}, both[13] = {0};
#pragma omp parallel for reduction(+ : h)
    for (int i = 0; i < n; i++) h[(i * 7) % 101] += y[i];
    show_ints("around", h, 101);
#pragma omp parallel for reduction(+ : grid)
    for (int i = 0; i < n; i++) grid[i & 7][i % 3] += i;
    show_ints("grid", grid[0], 24);
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        both[(i * 5) % 13] += 2;
    }
    show_ints("both", both, 13);
}
int main(void) {
    fill_ints(x, N, 300), fill_ints(y, N, 100), fill_floats(f, N);
    for (int i = 0; i < N; i++) v[i] = (unsigned char)(i % 5 ? x[i] : 7);
    printf("%d of none\n", beside_a_sum(0));
    for (int n = 1; n <= N; n = n < N && n * 40 > N ? N : n * 40) {
        bytes(n, bin), show_ints("bytes", bin, 256);
        weighted(n, weight), show_doubles("weighted", weight, 300);
        shifted(n, 3, 1, bin), show_ints("shifted", bin, 1000);
        pairs(n / 40 + 1, n / 40 + 1 > 200 ? 37 : n / 40 + 1), show_ints("pairs", pair[0], 16 * 32);
        by_function(n), show_ints("by function", (int *)declared, 256);
        least(n, bin), show_ints("least", bin, 1000);
        printf("%d odd\n", beside_a_sum(n)), show_ints("whole", whole, 1025);
        around(n);
        if (n == N) break;
    }
    suite_use();
}
