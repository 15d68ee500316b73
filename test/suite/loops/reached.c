// device 8
// reached.c -- subscripts that the loop computes, of arrays without bounds: enclosed, whatever is computed,
// or followed to where a temporary is set.
#include "../suite.h"
typedef struct Ball {
    float x, r;
    int id;
} Ball;

static void nearest(const Ball *b, int nb, const float *q, int n, float *o, int *id) { // an argmin
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int hit = -1;
        float best = 1e30f;
        for (int k = 0; k < nb; k++) {
            float d = fabsf(b[k].x - q[i]);
            if (d < best) best = d, hit = k;
        }
        id[i] = hit;
        if (hit < 0) {
            o[i] = -1;
            continue;
        }
        o[i] = b[hit].x * b[hit].r;
        id[i] += b[hit].id;
    }
}
static void sorted_rows(int rows, int n, double *a, int *idx) { // by selection
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double *p = a + r * n;
        int *q = idx + r * n;
        for (int i = 0; i < n; i++) q[i] = i;
        for (int i = 0; i < n; i++) {
            int m = i;
            for (int j = i + 1; j < n; j++)
                if (p[j] < p[m]) m = j;
            double t = p[i];
            p[i] = p[m], p[m] = t;
            int u = q[i];
            q[i] = q[m], q[m] = u;
        }
    }
}
static void sums_of_bytes(const unsigned *t, const unsigned char *d, int len, unsigned *o, int n) {
#pragma omp parallel for
    for (int r = 0; r < n; r++) {
        unsigned c = ~0u;
        for (int i = 0; i < len; i++) c = t[(c ^ d[r * len + i]) & 255] ^ (c >> 8);
        o[r] = ~c;
    }
}
static void pivoted(int nb, int n, double *a, int *piv) { // many small factorisations
#pragma omp parallel for
    for (int b = 0; b < nb; b++) {
        double *A = a + b * n * n;
        for (int k = 0; k < n; k++) {
            int p = k;
            for (int i = k + 1; i < n; i++)
                if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
            piv[b * n + k] = p;
            if (p != k)
                for (int j = 0; j < n; j++) {
                    double t = A[k * n + j];
                    A[k * n + j] = A[p * n + j], A[p * n + j] = t;
                }
            for (int i = k + 1; i < n; i++) {
                A[i * n + k] /= A[k * n + k];
                for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
            }
        }
    }
}
static void compared(unsigned *x, int n, int k, int j) { // what a condition reads, half of which is known
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i && (((i & k) == 0 && x[i] > x[l]) || ((i & k) != 0 && x[i] < x[l]))) {
            unsigned t = x[i];
            x[i] = x[l], x[l] = t;
        }
    }
}
static void noise(const int *perm, float *o, int n, unsigned seed, unsigned m) { // shifts, remainders, sums
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned s = seed + i;
        float v = 0;
        for (int k = 0; k < 4; k++) {
            s = s * 1664525u + 1013904223u;
            v += perm[s >> 26] + perm[64 + (int)(s % 17)] - perm[s % m] +
                 perm[(unsigned char)(s >> 9) / 4];
        }
        o[i] = v;
    }
}
static void set_again(const int *q, const float *a, float *o, int n) { // to others
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = 5;
        for (int k = 0; k < 3; k++)
            if (q[3 * i + k] & 1) at = k;
        if (at < 2) {
            at = i % 3 + 7;
            o[i] = a[at];
        } else o[i] = a[at] * 2;
    }
}
static void replaced(int *ip, float *o, int n) { // the same subscript, another element
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        o[ip[i]] += 1;
        ip[i] = 2 * n + i;
        o[ip[i]] += 2;
    }
}
static void counted_down(const unsigned char *q, const float *a, float *o, int n, int h) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned char c = q[i];
        for (int k = 0; k < 3; k++) c = (unsigned char)(c * 5 + k);
        o[i] = a[c] + (h > 0 ? a[256 + c % 7 * h] : 0);
    }
}

int main(void) {
    static const int sizes[] = {0, 1, 7, 33};
    for (int s = 0; s < 4; s++) {
        int n = sizes[s], m = n < 9 ? n : 9;
        // Just as much as is touched, at most.
        Ball *b = malloc(n / 2 * sizeof *b + 1);
        for (int i = 0; i < n / 2; i++) b[i] = (Ball){(float)suite_next(), (float)suite_next(), i};
        float *q = malloc(n * 4 + 1), *o = malloc(n * 4 + 1), *a = malloc(278 * 4);
        int *id = malloc(n * n * 4 + 1), *odd = malloc(n * 12 + 1), perm[81];
        double *d = malloc(n * n * n * 8 + 1);
        unsigned x[64], t[256], *c = malloc(n * 4 + 1);
        unsigned char *bytes = malloc(5 * n + 1);
        fill_floats(q, n), fill_floats(a, 278), fill_doubles(d, (long)n * n * n), fill_ints(odd, 3 * n, 4);
        fill_ints(perm, 81, 99), fill_ints((int *)t, 256, 1 << 30), fill_ints((int *)x, 64, 100);
        for (int i = 0; i < 5 * n; i++) bytes[i] = (unsigned char)(suite_next() * 256);
        nearest(b, n / 2, q, n, o, id);
        show_floats("nearest", o, n), show_ints("whose", id, n);
        sorted_rows(n, n, d, id);
        show_doubles("sorted", d, n * n), show_ints("from", id, n * n);
        sums_of_bytes(t, bytes, 5, c, n);
        show_ints("bytes", (int *)c, n);
        pivoted(n, m, d, id);
        show_doubles("pivoted", d, n * m * m), show_ints("pivots", id, n * m);
        for (int k = 2; k <= 64; k *= 2)
            for (int j = k / 2; j; j /= 2) compared(x, 64, k, j);
        show_ints("compared", (int *)x, 64);
        noise(perm, o, n, 7, 17);
        show_floats("noise", o, n);
        set_again(odd, a, o, n);
        show_floats("set again", o, n);
        for (int i = 0; i < n; i++) odd[i] = n - 1 - i;
        replaced(odd, a, n < 33 ? n : 30);
        show_floats("replaced", a, 278);
        for (int h = 0; h < 4; h++) counted_down(bytes, a, o, n, h), show_floats("bytes", o, n);
        free(b), free(q), free(o), free(a), free(id), free(odd), free(d), free(c), free(bytes);
    }
    suite_use();
    return 0;
}
