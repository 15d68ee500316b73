// What the kernels of this folder are compared with. One function each; nothing is marked: `sculpt check`
// takes all that a function does.
#include <math.h>

void saxpy(int n, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void vadd(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

void relu(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

void gelu(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        y[i] = 0.5f * x[i] * (1.0f + tanhf(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

void clamp_index(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * (float)i;
}

void reverse(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];
}

void transpose(int n, int m, const float a[n][m], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}

void matmul(int n, const float a[n][n], const float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

void gemm(int m, int n, int k, float alpha, float beta, const float *a, const float *b, float *c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int p = 0; p < k; p++) s += a[i * k + p] * b[p * n + j];
            c[i * n + j] = alpha * s + beta * c[i * n + j];
        }
}

void matvec(int n, int m, const float *a, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
        y[i] = s;
    }
}

void jacobi(int n, int m, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] =
                0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
}

void blur3(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float l = i > 0 ? x[i - 1] : 0.0f, r = i < n - 1 ? x[i + 1] : 0.0f;
        y[i] = (l + x[i] + r) / 3.0f;
    }
}

void conv1d(int n, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 5; k++) s += x[i + k] * w[k];
        y[i] = s;
    }
}

void conv2d(int n, int m, const float *x, const float *w, float *y) {
    for (int i = 0; i < n - 2; i++)
        for (int j = 0; j < m - 2; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) s += x[(i + p) * m + j + q] * w[p * 3 + q];
            y[i * m + j] = s;
        }
}

void sum(int n, const float *x, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    out[0] = s;
}

void dot(int n, const float *x, const float *y, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    out[0] = s;
}

void rowsum(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        y[i] = s;
    }
}

void rowmax(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = -INFINITY;
        for (int j = 0; j < m; j++) s = fmaxf(s, x[i * m + j]);
        y[i] = s;
    }
}

void softmax(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float top = -INFINITY, s = 0;
        for (int j = 0; j < m; j++) top = fmaxf(top, x[i * m + j]);
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - top);
        for (int j = 0; j < m; j++) y[i * m + j] = expf(x[i * m + j] - top) / s;
    }
}

void rmsnorm(int n, int m, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
        float r = 1.0f / sqrtf(s / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * r * w[j];
    }
}

void blocksum(int n, const float *x, float *y) {
    for (int b = 0; b < n; b++) {
        float s = 0;
        for (int i = 0; i < 256; i++) s += x[b * 256 + i];
        y[b] = s;
    }
}

void gather(int n, const float *x, const int *idx, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[idx[i]];
}

void syrk(int n, int k, const float *a, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int p = 0; p < k; p++) s += a[i * k + p] * a[j * k + p];
            c[i * n + j] = s;
        }
}

void trmv(int n, const float *a, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j <= i; j++) s += a[i * n + j] * x[j];
        y[i] = s;
    }
}

void threshold(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        if (x[i] > 1.0f) y[i] = x[i];
}

void isum(int n, const int *x, int *out) {
    out[0] = 0;
    for (int i = 0; i < n; i++) out[0] += x[i];
}

void outer(int n, int m, const double *x, const double *y, double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * m + j] += x[i] * y[j];
}

void bias_relu(int n, int m, const float *x, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = fmaxf(x[i * m + j] + b[j], 0.0f);
}

void copy_rows(int n, int q, int m, const float *a, float *b) {
    for (int r = 0; r < n; r++)
        for (int k = 0; k < 4 * q; k++) b[r * m + k] = a[r * m + k];
}

void copy4(int n, const float *x, float *y) {
    for (int i = 0; i < 4 * n; i++) y[i] = x[i];
}

void accumulate(int n, const float *x, float *out) {
    for (int i = 0; i < n; i++) out[0] += x[i];
}

void reverse_blocks(int n, const float *x, float *y) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 128; i++) y[b * 128 + i] = x[b * 128 + 127 - i];
}

void heat3d(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[(i * n + j) * n + k] = 0.4f * a[(i * n + j) * n + k] +
                                         0.1f * (a[((i - 1) * n + j) * n + k] + a[((i + 1) * n + j) * n + k] +
                                                 a[(i * n + j - 1) * n + k] + a[(i * n + j + 1) * n + k] +
                                                 a[(i * n + j) * n + k - 1] + a[(i * n + j) * n + k + 1]);
}
void scale(int n, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i];
}
void eliminate(int n, int t, const float *m, float *a) {
    for (int i = t + 1; i < n; i++)
        for (int j = t; j < n; j++) a[i * n + j] -= m[i] * a[t * n + j];
}
void neighbours(int n, int m, const float *x, const int *nb, float *f) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += (x[i] - x[nb[k * n + i]]) * (x[i] - x[nb[k * n + i]]);
        f[i] = s;
    }
}
void sigmoid(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
void triad(int n, float s, const float *b, const float *c, float *a) {
    for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
void prefixes(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 8; r++) {
            float s = 0.0f;
            for (int j = 0; j < 4 * (r + 1); j++) s += x[i * 32 + j];
            y[i * 8 + r] = s;
        }
}

void halves(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = 2.0f * x[i];
}

void twice(int n, int *x, int *y) {
    for (int i = 0; i < n; i++) {
        x[i] = 2 * x[i];
        y[i] = x[i];
    }
}

void products(int q, int n, const float *a, const float *b, float *c) {
    for (int k = 0; k < q; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = 0;
                for (int p = 0; p < n; p++) s += a[(k * n + i) * n + p] * b[(k * n + p) * n + j];
                c[(k * n + i) * n + j] = s;
            }
}

void centred(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0, t = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        for (int j = 0; j < m; j++) t += x[i * m + j] * x[i * m + j];
        for (int j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] - s) * t;
    }
}

void counted(int n, const float *x, int *out) {
    int s = 0;
    for (int i = 0; i < n; i++) s += x[i] > 0.5f;
    out[0] = s;
}

void scaled_unsigned(unsigned n, float by, float *x) {
#pragma sculpt
    for (unsigned i = 0; i < n; i++) x[i] *= by;
}

#include <stdint.h>

void mixed_bits(int n, const uint64_t *a, uint64_t *o) {
    for (int i = 0; i < n; i++) {
        uint64_t x = a[i];
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdull;
        o[i] = x ^ x >> 33;
    }
}

void counted_bits(int n, int by, const uint32_t *a, uint32_t *o) {
    for (int i = 0; i < n; i++) {
        uint32_t turned = (a[i] << (by & 31)) | (a[i] >> (-by & 31));
        o[i] = __builtin_popcount(turned ^ a[i]) + (uint32_t)(((uint64_t)turned * 2654435761u) >> 32);
    }
}

void gained(int n, int gain, const uint8_t *a, uint8_t *o) {
    for (int i = 0; i < n; i++) {
        int v = a[i] * gain / 16;
        o[i] = (uint8_t)(v > 255 ? 255 : v);
    }
}

void byte_counts(int n, const uint8_t *a, int *count) {
    for (int i = 0; i < n; i++) count[a[i]]++;
}

void doubled_and_one(int n, float *y, const float *x) {
    for (int i = 0; i < n; i++) y[i] = x[i] * 2 + 1;
}

void argmax(int n, int m, const float *x, float *value, int *place) {
    for (int i = 0; i < n; i++) {
        float best = x[i * m];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[i * m + j] > best) best = x[i * m + j], at = j;
        value[i] = best;
        place[i] = at;
    }
}

void argmin(int n, const int *x, int *place) {
    int best = x[0], at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] < best) best = x[i], at = i;
    place[0] = at;
}

void before(int n, const float *x, float *y) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = s;
        s += x[i];
    }
}

// Whole numbers that are larger than an int where the sizes are large.
void widths(int n, int m, unsigned u, long big, int limit, const float *x, long *p, long *q, float *r,
            float *s, int *t) {
    for (int i = 0; i < n; i++) {
        p[i] = (long)n * m + (long)i * n;
        q[i] = ((long)m + 1) / 2 + ((long)u + 1) % 7 + big;
        r[i] = (float)((long)m << 3) + (float)(m - limit);
        t[i] = (m < 5) + m % 3 + (int)((long)n * m);
        if ((long)i * n < limit) s[i] = x[i];
        if (i < (long)limit * 2) s[i] += x[i];
    }
}
void widths_small(int n, int m, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < m; k++) s += (float)k;
        y[i] = s;
    }
}
void widths_rows(int n, int m, const float *x, float *y) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) y[i * m + j] = 2 * x[i * m + j];
}
