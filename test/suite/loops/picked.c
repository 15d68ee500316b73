// device 7
// picked.c -- linear subscripts with a place in a row that data choose: the host looks whether it is there.
#include "../suite.h"
#include <sys/mman.h>
enum { N = 300, M = 77, BINS = 256, TAPS = 500, IMAGES = 20, WIDE = 5 };
static float x[N * M], g[N * M + M], o[N * 10], y[N * WIDE * M + M];
static int label[N], place[N], h[IMAGES * BINS], count[N], start[N];
static unsigned char kind[N], image[IMAGES * TAPS];
static double v[N * M], e[N * 20];

static void gradient(int n, int m) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float most = x[i * m];
        for (int j = 1; j < m; j++)
            if (x[i * m + j] > most) most = x[i * m + j];
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j] - most;
        for (int j = 0; j < m; j++) g[i * m + j] = (x[i * m + j] - most) / s;
        g[i * m + label[i]] -= 1.0f;
    }
}

static void one_hot(unsigned n) {
#pragma sculpt
    for (unsigned i = 0; i < n; i++) {
        for (int c = 0; c < 10; c++) o[i * 10 + c] = 0;
        o[i * 10 + kind[i]] = 1;
    }
}

static void histograms(int images, int n) {
#pragma sculpt
    for (int k = 0; k < images; k++)
        for (int i = 0; i < n; i++) h[k * BINS + image[k * n + i]]++;
}

// Rows of which the data tell how long they are.
static void padded(int n, int most) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++) e[i * most + k] = v[start[i] + k];
}

// Data choose a row of a plane.
static void scattered(size_t n, size_t q, size_t m) {
#pragma sculpt
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) y[(i * q + (size_t)place[i]) * m + j] = 2 * x[i * m + j];
}

static void tight_rows(int n, int most, double *t) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++) t[i * most + k] = v[k] + i;
}

static void tight_bins(int images, int n, int *t) {
#pragma sculpt
    for (int k = 0; k < images; k++)
        for (int i = 0; i < n; i++) t[k * BINS + image[k * n + i]]++;
}

// Memory that ends where a page begins that nobody may touch.
static void *tight(size_t bytes) {
    size_t page = 4096, all = (bytes + page - 1) / page * page;
    char *p = mmap(NULL, all + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + all, page, PROT_NONE)) exit(1);
    return p + all - bytes;
}

// Last rows that are shorter than others.
static double last_rows(void) {
    int last = (N - 1) * 20 + 2, bins = 3 * BINS + 10;
    double *t = tight(last * sizeof *t), s = 0;
    int *u = tight(bins * sizeof *u);
    count[N - 1] = 2;
    tight_rows(N, 20, t);
    for (int i = 0; i < 100; i++) image[3 * 100 + i] %= 10;
    tight_bins(4, 100, u);
    for (int i = 0; i < last; i++) s = s * 1.00001 + t[i];
    for (int i = 0; i < bins; i++) s = s * 1.00001 + u[i];
    return s;
}

static double sum(long n, const float *a) {
    double s = 0;
    for (long i = 0; i < n; i++) s = s * 1.00001 + a[i];
    return s;
}

int main(void) {
    for (int i = 0; i < N * M; i++) x[i] = (float)(i * 37 % 64), v[i] = i;
    for (int i = 0; i < N; i++) {
        label[i] = i * 13 % M, kind[i] = (unsigned char)(i * 7 % 10), place[i] = i * 3 % WIDE;
        count[i] = i * 11 % 20, start[i] = i * 17;
    }
    for (int i = 0; i < IMAGES * TAPS; i++) image[i] = (unsigned char)(i * i % 251);
    double s = 0;
    gradient(N, M);
    label[7] = M + 3, label[9] = -2; // in other rows: on the host, in order
    printf("%.9g\n", sum(N * M, g));
    gradient(N, M);
    gradient(0, M);
    printf("%.9g\n", sum(N * M, g));
    one_hot(N);
    kind[5] = 12, kind[6] = 10;
    printf("%.9g\n", sum(N * 10, o));
    one_hot(N - 1);
    printf("%.9g\n", sum(N * 10, o));
    histograms(IMAGES, TAPS);
    for (int i = 0; i < IMAGES * BINS; i++) s = s * 1.00001 + h[i];
    padded(N, 20);
    padded(N / 2, 15); // rows that run into the next
    for (int i = 0; i < N * 20; i++) s = s * 1.00001 + e[i];
    printf("%.12g\n", s);
    scattered(N, WIDE, M);
    printf("%.9g\n", sum(N * WIDE * M, y));
    place[3] = 6;
    scattered(N - 1, WIDE, M);
    printf("%.9g\n", sum(N * WIDE * M, y));
    printf("%.12g\n", last_rows());
    return 0;
}
