// What the kernels of this folder are compared with. One function each; nothing is marked: `sculpt check`
// takes all that a function does.
#include <float.h>
#include <math.h>

// ---- elementwise ------------------------------------------------------------------------------
void vector_add(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}
void saxpy(int n, float alpha, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = alpha * x[i] + y[i];
}
void scale(int n, float alpha, float *x) {
    for (int i = 0; i < n; i++) x[i] *= alpha;
}
void triad(int n, double s, const double *b, const double *c, double *a) {
    for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
void vec4_add(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < 4 * n; i++) c[i] = a[i] + b[i];
}
void sigmoid(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
void leaky_relu(int n, float slope, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] > 0.0f ? x[i] : slope * x[i];
}
void gelu_tanh(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float v = x[i];
        y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
    }
}
void swiglu(int n, const float *gate, const float *up, float *out) {
    for (int i = 0; i < n; i++) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}
void clamp_values(int n, float lo, float hi, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = fminf(fmaxf(x[i], lo), hi);
}
void lerp(int n, float t, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) c[i] = a[i] + t * (b[i] - a[i]);
}
void where(int n, const int *mask, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) c[i] = mask[i] ? a[i] : b[i];
}
void sgd_momentum(int n, float lr, float mu, const float *g, float *v, float *w) {
    for (int i = 0; i < n; i++) {
        v[i] = mu * v[i] + g[i];
        w[i] -= lr * v[i];
    }
}
void adam(int n, float lr, float b1, float b2, float eps, const float *g, float *m, float *v, float *w) {
    for (int i = 0; i < n; i++) {
        m[i] = b1 * m[i] + (1.0f - b1) * g[i];
        v[i] = b2 * v[i] + (1.0f - b2) * g[i] * g[i];
        w[i] -= lr * m[i] / (sqrtf(v[i]) + eps);
    }
}
void add_row(int n, int m, const float *x, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + b[j];
}
void add_column(int n, int m, const float *x, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + b[i];
}
void outer_sum(int n, int m, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i * m + j] = a[i] + b[j];
}
void channel_scale(int n, int c, int s, const float *x, const float *g, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int p = 0; p < s; p++)
                y[(i * c + k) * s + p] = x[(i * c + k) * s + p] * g[k] + b[k];
}
void bias_gelu(int n, int m, const float *x, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float v = x[i * m + j] + b[j];
            y[i * m + j] = v * 0.5f * (1.0f + erff(v * 0.70710678f));
        }
}
void bias_residual_relu(int n, int m, const float *x, const float *b, const float *res, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = fmaxf(x[i * m + j] + b[j] + res[i * m + j], 0.0f);
}
void rgb_to_gray(int n, const float *rgb, float *gray) {
    for (int i = 0; i < n; i++)
        gray[i] = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
}
void complex_mul(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
}
void black_scholes(int n, float r, float v, const float *s, const float *x, const float *t, float *call) {
    for (int i = 0; i < n; i++) {
        float sq = sqrtf(t[i]);
        float d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * sq);
        float d2 = d1 - v * sq;
        call[i] = s[i] * (0.5f * (1.0f + erff(d1 * 0.70710678f))) -
                  x[i] * expf(-r * t[i]) * (0.5f * (1.0f + erff(d2 * 0.70710678f)));
    }
}
void iota(int n, int start, int *y) {
    for (int i = 0; i < n; i++) y[i] = start + i;
}
void int_mix(int n, const int *a, const int *b, int *c) {
    for (int i = 0; i < n; i++) c[i] = (a[i] & b[i]) ^ (a[i] << 2);
}

// ---- moving data ------------------------------------------------------------------------------
void transpose(int n, int m, const float *in, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) out[j * n + i] = in[i * m + j];
}
void transpose_square(int n, const float *in, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[j * n + i] = in[i * n + j];
}
void batch_transpose(int b, int n, int m, const float *in, float *out) {
    for (int z = 0; z < b; z++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) out[(z * m + j) * n + i] = in[(z * n + i) * m + j];
}
void permute_021(int a, int b, int c, const float *x, float *y) {
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) y[(i * c + k) * b + j] = x[(i * b + j) * c + k];
}
void matrix_copy(int n, int m, const float *in, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) out[i * m + j] = in[i * m + j];
}
void reverse(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];
}
void flip_columns(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + (m - 1 - j)];
}
void gather(int n, const float *x, const int *idx, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[idx[i]];
}
void embedding(int n, int d, const float *table, const int *token, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) out[i * d + j] = table[token[i] * d + j];
}
void concat_rows(int n, int m, int k, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) c[i * (m + k) + j] = a[i * m + j];
        for (int j = 0; j < k; j++) c[i * (m + k) + m + j] = b[i * k + j];
    }
}
void pad_rows(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m + 2; j++) y[i * (m + 2) + j] = j > 0 && j <= m ? x[i * m + j - 1] : 0.0f;
}
void aos_to_soa(int n, const float *p, float *x, float *y, float *z) {
    for (int i = 0; i < n; i++) {
        x[i] = p[3 * i];
        y[i] = p[3 * i + 1];
        z[i] = p[3 * i + 2];
    }
}
void tril(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i * n + j] = j <= i ? x[i * n + j] : 0.0f;
}
void upsample_nearest(int h, int w, const float *x, float *y) {
    for (int i = 0; i < 2 * h; i++)
        for (int j = 0; j < 2 * w; j++) y[i * (2 * w) + j] = x[i / 2 * w + j / 2];
}

// ---- products ---------------------------------------------------------------------------------
void matmul(int n, const float *A, const float *B, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
}
void gemm(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void sgemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = alpha * s + beta * C[i * N + j];
        }
}
void dgemm(int M, int N, int K, const double *A, const double *B, double *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++) C[i * N + j] += A[i * K + k] * B[k * N + j];
}
void igemm(int n, const int *A, const int *B, int *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
}
void gemm_nt(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[j * K + k];
            C[i * N + j] = s;
        }
}
void gemm_tn(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[k * M + i] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void batched_gemm(int batch, int n, const float *A, const float *B, float *C) {
    for (int z = 0; z < batch; z++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = 0;
                for (int k = 0; k < n; k++) s += A[(z * n + i) * n + k] * B[(z * n + k) * n + j];
                C[(z * n + i) * n + j] = s;
            }
}
void linear_relu(int M, int N, int K, const float *x, const float *w, const float *bias, float *y) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += x[i * K + k] * w[j * K + k];
            y[i * N + j] = fmaxf(s + bias[j], 0.0f);
        }
}
void matvec(int n, int m, const float *A, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += A[i * m + j] * x[j];
        y[i] = s;
    }
}
void matvec_t(int n, int m, const float *A, const float *x, float *y) {
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += A[i * m + j] * x[i];
        y[j] = s;
    }
}
void ger(int n, int m, float alpha, const float *x, const float *y, float *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i * m + j] += alpha * x[i] * y[j];
}
void syrk(int n, int k, const float *A, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int p = 0; p < k; p++) s += A[i * k + p] * A[j * k + p];
            C[i * n + j] = s;
        }
}
void syr2k(int n, int m, float alpha, float beta, const float *A, const float *B, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i * n + j] *= beta;
            for (int k = 0; k < m; k++) {
                C[i * n + j] += alpha * A[i * m + k] * B[j * m + k];
                C[i * n + j] += alpha * B[i * m + k] * A[j * m + k];
            }
        }
}
void trmv(int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j <= i; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
void trmm(int n, int m, const float *A, const float *B, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = i; k < n; k++) s += A[i * n + k] * B[k * m + j];
            C[i * m + j] = s;
        }
}
void band_matvec(int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int d = -2; d <= 2; d++)
            if (i + d >= 0 && i + d < n) s += A[i * 5 + d + 2] * x[i + d];
        y[i] = s;
    }
}
void tridiagonal(int n, const float *l, const float *d, const float *u, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = d[i] * x[i];
        if (i > 0) s += l[i] * x[i - 1];
        if (i < n - 1) s += u[i] * x[i + 1];
        y[i] = s;
    }
}
void atax_first(int n, int m, const double *A, const double *x, double *tmp) {
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        for (int j = 0; j < m; j++) tmp[i] += A[i * m + j] * x[j];
    }
}

// ---- stencils ---------------------------------------------------------------------------------
void stencil3(int n, const float *x, float *y) {
    for (int i = 1; i < n - 1; i++) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void stencil_r3(int n, const int *in, int *out) {
    for (int i = 3; i < n - 3; i++) {
        int s = 0;
        for (int o = -3; o <= 3; o++) s += in[i + o];
        out[i] = s;
    }
}
void moving_average(int n, int w, const float *x, float *y) {
    for (int i = 0; i < n - w + 1; i++) {
        float s = 0;
        for (int k = 0; k < w; k++) s += x[i + k];
        y[i] = s / w;
    }
}
void jacobi2d(int n, const float *A, float *B) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            B[i * n + j] = 0.2f * (A[i * n + j] + A[i * n + j - 1] + A[i * n + j + 1] + A[(i + 1) * n + j] +
                                   A[(i - 1) * n + j]);
}
void laplace(int h, int w, const float *u, float *v) {
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            v[i * w + j] = u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] + u[i * w + j + 1] -
                           4.0f * u[i * w + j];
}
void box3x3(int h, int w, const float *in, float *out) {
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            float s = 0;
            for (int p = -1; p <= 1; p++)
                for (int q = -1; q <= 1; q++) s += in[(i + p) * w + j + q];
            out[i * w + j] = s / 9.0f;
        }
}
void sobel(int h, int w, const float *in, float *out) {
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            float gx = in[(i - 1) * w + j + 1] + 2.0f * in[i * w + j + 1] + in[(i + 1) * w + j + 1] -
                       in[(i - 1) * w + j - 1] - 2.0f * in[i * w + j - 1] - in[(i + 1) * w + j - 1];
            float gy = in[(i + 1) * w + j - 1] + 2.0f * in[(i + 1) * w + j] + in[(i + 1) * w + j + 1] -
                       in[(i - 1) * w + j - 1] - 2.0f * in[(i - 1) * w + j] - in[(i - 1) * w + j + 1];
            out[i * w + j] = sqrtf(gx * gx + gy * gy);
        }
}
void heat3d(int n, const float *u, float *v) {
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int c = (z * n + y) * n + x;
                v[c] = 0.4f * u[c] +
                       0.1f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n] + u[c - n * n] + u[c + n * n]);
            }
}
void wave2d(int h, int w, float c, const float *cur, const float *old, float *next) {
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++)
            next[i * w + j] = 2.0f * cur[i * w + j] - old[i * w + j] +
                              c * (cur[(i - 1) * w + j] + cur[(i + 1) * w + j] + cur[i * w + j - 1] +
                                   cur[i * w + j + 1] - 4.0f * cur[i * w + j]);
}
void life(int h, int w, const int *in, int *out) {
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            int s = in[(i - 1) * w + j - 1] + in[(i - 1) * w + j] + in[(i - 1) * w + j + 1] +
                    in[i * w + j - 1] + in[i * w + j + 1] + in[(i + 1) * w + j - 1] + in[(i + 1) * w + j] +
                    in[(i + 1) * w + j + 1];
            out[i * w + j] = s == 3 || (s == 2 && in[i * w + j]);
        }
}
void fdtd_ey(int h, int w, const float *hz, float *ey) {
    for (int i = 1; i < h; i++)
        for (int j = 0; j < w; j++) ey[i * w + j] -= 0.5f * (hz[i * w + j] - hz[(i - 1) * w + j]);
}
void fdtd_hz(int h, int w, const float *ex, const float *ey, float *hz) {
    for (int i = 0; i < h - 1; i++)
        for (int j = 0; j < w - 1; j++)
            hz[i * w + j] -=
                0.7f * (ex[i * w + j + 1] - ex[i * w + j] + ey[(i + 1) * w + j] - ey[i * w + j]);
}
void blur_clamped(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        int l = i > 0 ? i - 1 : 0, r = i < n - 1 ? i + 1 : n - 1;
        y[i] = (x[l] + x[i] + x[r]) / 3.0f;
    }
}
void hotspot(int h, int w, float cap, const float *power, const float *t, float *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float c = t[i * w + j];
            float up = i > 0 ? t[(i - 1) * w + j] : c, down = i < h - 1 ? t[(i + 1) * w + j] : c;
            float left = j > 0 ? t[i * w + j - 1] : c, right = j < w - 1 ? t[i * w + j + 1] : c;
            out[i * w + j] = c + cap * (power[i * w + j] + (up + down - 2.0f * c) +
                                            (left + right - 2.0f * c));
        }
}

// ---- sums and the like ------------------------------------------------------------------------
void sum(int n, const float *in, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += in[i];
    out[0] = s;
}
void isum(int n, const int *in, int *out) {
    int s = 0;
    for (int i = 0; i < n; i++) s += in[i];
    out[0] = s;
}
void accumulate(int n, const float *in, float *out) {
    for (int i = 0; i < n; i++) out[0] += in[i];
}
void dot(int n, const float *a, const float *b, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    out[0] = s;
}
void max_of(int n, const float *in, float *out) {
    float s = -INFINITY;
    for (int i = 0; i < n; i++) s = fmaxf(s, in[i]);
    out[0] = s;
}
void imin(int n, const int *in, int *out) {
    for (int i = 0; i < n; i++)
        if (in[i] < out[0]) out[0] = in[i];
}
void norm2(int n, const float *x, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    out[0] = sqrtf(s);
}
void mean(int n, const float *x, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    out[0] = s / n;
}
void mse(int n, const float *p, const float *t, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += (p[i] - t[i]) * (p[i] - t[i]);
    out[0] = s / n;
}
void count_positive(int n, const float *x, int *out) {
    int c = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0.0f) c++;
    out[0] = c;
}
void block_sums(int n, const float *in, float *out) {
    for (int b = 0; b < n; b++) {
        float s = 0;
        for (int i = 0; i < 256; i++) s += in[b * 256 + i];
        out[b] = s;
    }
}
void row_sum(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        y[i] = s;
    }
}
void column_sum(int n, int m, const float *x, float *y) {
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++) s += x[i * m + j];
        y[j] = s;
    }
}
void row_max(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = -INFINITY;
        for (int j = 0; j < m; j++) s = fmaxf(s, x[i * m + j]);
        y[i] = s;
    }
}
void argmax_rows(int n, int m, const float *x, int *y) {
    for (int i = 0; i < n; i++) {
        int best = 0;
        float top = x[i * m];
        for (int j = 1; j < m; j++)
            if (x[i * m + j] > top) {
                top = x[i * m + j];
                best = j;
            }
        y[i] = best;
    }
}
void cumsum_rows(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) {
            s += x[i * m + j];
            y[i * m + j] = s;
        }
    }
}
void scan_blocks(int n, const int *x, int *y) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 128; i++) {
            int s = 0;
            for (int k = 0; k <= i; k++) s += x[b * 128 + k];
            y[b * 128 + i] = s;
        }
}
void exclusive_blocks(int n, const int *x, int *y) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 128; i++) {
            int s = 0;
            for (int k = 0; k < i; k++) s += x[b * 128 + k];
            y[b * 128 + i] = s;
        }
}
void histogram(int n, const int *x, int *bins) {
    for (int i = 0; i < n; i++) bins[x[i]] += 1;
}

// ---- neural networks --------------------------------------------------------------------------
void softmax(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float top = -INFINITY, s = 0;
        for (int j = 0; j < m; j++) top = fmaxf(top, x[i * m + j]);
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - top);
        for (int j = 0; j < m; j++) y[i * m + j] = expf(x[i * m + j] - top) / s;
    }
}
void log_softmax(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float top = -INFINITY, s = 0;
        for (int j = 0; j < m; j++) top = fmaxf(top, x[i * m + j]);
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - top);
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] - top - logf(s);
    }
}
void cross_entropy(int n, int m, const float *x, const int *label, float *loss) {
    for (int i = 0; i < n; i++) {
        float top = -INFINITY, s = 0;
        for (int j = 0; j < m; j++) top = fmaxf(top, x[i * m + j]);
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - top);
        loss[i] = logf(s) + top - x[i * m + label[i]];
    }
}
void layernorm(int n, int m, const float *x, const float *g, const float *b, float *y) {
    for (int i = 0; i < n; i++) {
        float mu = 0, var = 0;
        for (int j = 0; j < m; j++) mu += x[i * m + j];
        mu /= m;
        for (int j = 0; j < m; j++) var += (x[i * m + j] - mu) * (x[i * m + j] - mu);
        float r = 1.0f / sqrtf(var / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] - mu) * r * g[j] + b[j];
    }
}
void rmsnorm(int n, int m, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
        float r = 1.0f / sqrtf(s / m + 1e-6f);
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * r * w[j];
    }
}
void l2_normalize(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] / sqrtf(s);
    }
}
void batchnorm(int n, int c, int s, const float *x, const float *mean, const float *var, const float *g,
               const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int p = 0; p < s; p++)
                y[(i * c + k) * s + p] =
                    (x[(i * c + k) * s + p] - mean[k]) / sqrtf(var[k] + 1e-5f) * g[k] + b[k];
}
void channel_mean(int n, int c, int s, const float *x, float *mean) {
    for (int k = 0; k < c; k++) {
        float t = 0;
        for (int i = 0; i < n; i++)
            for (int p = 0; p < s; p++) t += x[(i * c + k) * s + p];
        mean[k] = t / (n * s);
    }
}
void conv1d(int n, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 7; k++) s += x[i + k] * w[k];
        y[i] = s;
    }
}
void conv1d_same(int n, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 5; k++)
            if (i + k - 2 >= 0 && i + k - 2 < n) s += x[i + k - 2] * w[k];
        y[i] = s;
    }
}
void conv2d(int h, int w, const float *in, const float *k, float *out) {
    for (int i = 0; i < h - 2; i++)
        for (int j = 0; j < w - 2; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) s += in[(i + p) * w + j + q] * k[p * 3 + q];
            out[i * w + j] = s;
        }
}
void conv2d_same(int h, int w, const float *in, const float *k, float *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    if (i + p - 1 >= 0 && i + p - 1 < h && j + q - 1 >= 0 && j + q - 1 < w)
                        s += in[(i + p - 1) * w + j + q - 1] * k[p * 3 + q];
            out[i * w + j] = s;
        }
}
void conv_nchw(int n, int ci, int co, int h, int w, const float *x, const float *f, float *y) {
    for (int b = 0; b < n; b++)
        for (int o = 0; o < co; o++)
            for (int i = 0; i < h - 2; i++)
                for (int j = 0; j < w - 2; j++) {
                    float s = 0;
                    for (int c = 0; c < ci; c++)
                        for (int p = 0; p < 3; p++)
                            for (int q = 0; q < 3; q++)
                                s += x[((b * ci + c) * h + i + p) * w + j + q] *
                                     f[((o * ci + c) * 3 + p) * 3 + q];
                    y[((b * co + o) * (h - 2) + i) * (w - 2) + j] = s;
                }
}
void depthwise(int c, int h, int w, const float *x, const float *f, float *y) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h - 2; i++)
            for (int j = 0; j < w - 2; j++) {
                float s = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) s += x[(k * h + i + p) * w + j + q] * f[k * 9 + p * 3 + q];
                y[(k * (h - 2) + i) * (w - 2) + j] = s;
            }
}
void conv_rows(int h, int w, const float *in, const float *k, float *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            for (int d = -4; d <= 4; d++)
                if (j + d >= 0 && j + d < w) s += in[i * w + j + d] * k[4 - d];
            out[i * w + j] = s;
        }
}
void maxpool2(int h, int w, const float *x, float *y) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            y[i * w + j] =
                fmaxf(fmaxf(x[2 * i * (2 * w) + 2 * j], x[2 * i * (2 * w) + 2 * j + 1]),
                      fmaxf(x[(2 * i + 1) * (2 * w) + 2 * j], x[(2 * i + 1) * (2 * w) + 2 * j + 1]));
}
void avgpool3(int h, int w, const float *x, float *y) {
    for (int i = 0; i < h - 2; i++)
        for (int j = 0; j < w - 2; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) s += x[(i + p) * w + j + q];
            y[i * (w - 2) + j] = s / 9.0f;
        }
}
void global_avgpool(int c, int s, const float *x, float *y) {
    for (int k = 0; k < c; k++) {
        float t = 0;
        for (int p = 0; p < s; p++) t += x[k * s + p];
        y[k] = t / s;
    }
}
void attention_scores(int n, int d, float scale, const float *Q, const float *K, float *S) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += Q[i * d + k] * K[j * d + k];
            S[i * n + j] = s * scale;
        }
}
void causal_mask(int n, float *S) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j > i) S[i * n + j] = -INFINITY;
}
void attention_values(int n, int d, const float *P, const float *V, float *O) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += P[i * n + k] * V[k * d + j];
            O[i * d + j] = s;
        }
}
void causal_softmax(int n, const float *S, float *P) {
    for (int i = 0; i < n; i++) {
        float top = -INFINITY, s = 0;
        for (int j = 0; j <= i; j++) top = fmaxf(top, S[i * n + j]);
        for (int j = 0; j <= i; j++) s += expf(S[i * n + j] - top);
        for (int j = 0; j < n; j++) P[i * n + j] = j <= i ? expf(S[i * n + j] - top) / s : 0.0f;
    }
}
void rope(int n, int d, const float *x, const float *c, const float *s, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            y[i * (2 * d) + j] = x[i * (2 * d) + j] * c[i * d + j] - x[i * (2 * d) + d + j] * s[i * d + j];
            y[i * (2 * d) + d + j] = x[i * (2 * d) + d + j] * c[i * d + j] +
                                     x[i * (2 * d) + j] * s[i * d + j];
        }
}

// ---- sparse, all pairs ------------------------------------------------------------------------
void spmv_csr(int n, const int *row, const int *col, const float *val, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
void spmv_ell(int n, int w, const int *col, const float *val, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < w; k++) s += val[k * n + i] * x[col[k * n + i]];
        y[i] = s;
    }
}
void segment_sum(int n, const int *start, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = start[i]; k < start[i + 1]; k++) s += x[k];
        y[i] = s;
    }
}
void distances(int n, int m, int d, const float *a, const float *b, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < d; k++) {
                float t = a[i * d + k] - b[j * d + k];
                s += t * t;
            }
            out[i * m + j] = s;
        }
}
void forces(int n, const float *x, const float *m, float *f) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) {
            float d = x[j] - x[i];
            s += m[j] * d / sqrtf(d * d + 0.01f);
        }
        f[i] = s;
    }
}
void polynomial(int n, const float *x, const float *c, float *y) {
    for (int i = 0; i < n; i++) y[i] = ((c[3] * x[i] + c[2]) * x[i] + c[1]) * x[i] + c[0];
}

// ---- rows of which data tell the length, recurrences, more stencils ----
void vec_scale128(int n, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * a;
}
void graph_sum(int n, const int *off, const int *nbr, const float *w, float *out) {
    for (int v = 0; v < n; v++) {
        float acc = 0;
        int begin = off[v], end = off[v + 1];
        for (int e = begin; e < end; e++) acc += w[nbr[e]];
        out[v] = acc;
    }
}
void csr_max(int n, const int *rp, const float *v, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int k = rp[i]; k < rp[i + 1]; k++) s = fmaxf(s, v[k]);
        y[i] = s;
    }
}
void spmm_csr(int n, int m, const int *rp, const int *ci, const float *v, const float *B, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = rp[i]; k < rp[i + 1]; k++) s += v[k] * B[ci[k] * m + j];
            C[i * m + j] = s;
        }
}
void spmv_accum(int n, const int *rp, const int *ci, const double *v, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int k = rp[i]; k < rp[i + 1]; k++) y[i] += v[k] * x[ci[k]];
}
void ragged_len_sum(int n, int m, const int *len, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < len[i]; j++) s += x[i * m + j];
        y[i] = s;
    }
}
void pathfinder_row(int n, const int *wall, const int *src, int *dst) {
    for (int i = 0; i < n; i++) {
        int m = src[i];
        if (i > 0 && src[i - 1] < m) m = src[i - 1];
        if (i < n - 1 && src[i + 1] < m) m = src[i + 1];
        dst[i] = wall[i] + m;
    }
}
void periodic(int n, const float *u, float *v) {
    for (int i = 0; i < n; i++) v[i] = 0.5f * u[i] + 0.25f * (u[(i + 1) % n] + u[(i + n - 1) % n]);
}
void masked_gather(int n, const int *mask, const int *idx, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = mask[i] > 0 ? x[idx[i]] : 0.0f;
}
void horner(int n, int d, const float *c, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < d; k++) s = s * x[i] + c[k];
        y[i] = s;
    }
}
void nearest(int n, int k, const float *x, const float *c, int *label) {
    for (int i = 0; i < n; i++) {
        int best = 0;
        float bd = 1e30f;
        for (int j = 0; j < k; j++) {
            float s = (x[i] - c[j]) * (x[i] - c[j]);
            if (s < bd) {
                bd = s;
                best = j;
            }
        }
        label[i] = best;
    }
}
void ema(int n, int t, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = x[i];
        for (int k = 1; k < t; k++) s = a * x[k * n + i] + (1.0f - a) * s;
        y[i] = s;
    }
}
void batched_gemm_rect(int batch, int M, int N, int K, const float *A, const float *B, float *C) {
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float s = 0;
                for (int k = 0; k < K; k++) s += A[b * M * K + i * K + k] * B[b * K * N + k * N + j];
                C[b * M * N + i * N + j] = s;
            }
}
void gesummv(int n, float alpha, float beta, const float *A, const float *B, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = 0, u = 0;
        for (int j = 0; j < n; j++) {
            t += A[i * n + j] * x[j];
            u += B[i * n + j] * x[j];
        }
        y[i] = alpha * t + beta * u;
    }
}
void mvt2(int n, const float *a, float *x1, float *x2, const float *y1, const float *y2) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] = x1[i] + a[i * n + j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] = x2[i] + a[j * n + i] * y2[j];
}
void relu_grad(int n, const float *dy, const float *x, float *dx) {
    for (int i = 0; i < n; i++) dx[i] = x[i] > 0 ? dy[i] : 0;
}
void softmax_causal_scaled(int n, float scale, const float *S, float *P) {
    for (int i = 0; i < n; i++) {
        float mx = -INFINITY, sum = 0;
        for (int j = 0; j <= i; j++) mx = fmaxf(mx, S[i * n + j] * scale);
        for (int j = 0; j <= i; j++) sum += expf(S[i * n + j] * scale - mx);
        for (int j = 0; j <= i; j++) P[i * n + j] = expf(S[i * n + j] * scale - mx) / sum;
        for (int j = i + 1; j < n; j++) P[i * n + j] = 0;
    }
}
void prefix_256(const int *in, int *out) {
    int s = 0;
    for (int i = 0; i < 256; i++) {
        s += in[i];
        out[i] = s;
    }
}
void conv2d_poly(int ni, int nj, const float *A, float *B) {
    for (int i = 1; i < ni - 1; ++i)
        for (int j = 1; j < nj - 1; ++j)
            B[i * nj + j] = 0.2f * A[(i - 1) * nj + (j - 1)] + -0.3f * A[(i + 0) * nj + (j - 1)] +
                            0.4f * A[(i + 1) * nj + (j - 1)] + 0.5f * A[(i - 1) * nj + (j + 0)] +
                            0.6f * A[(i + 0) * nj + (j + 0)] + 0.7f * A[(i + 1) * nj + (j + 0)] +
                            -0.8f * A[(i - 1) * nj + (j + 1)] + -0.9f * A[(i + 0) * nj + (j + 1)] +
                            0.10f * A[(i + 1) * nj + (j + 1)];
}

// ---- in the styles of Rodinia, SHOC, PolyBench/GPU and language models' kernels ----------------
void axpby(int n, float a, float b, const float *x, const float *y, float *z) {
    for (int i = 0; i < n; i++) z[i] = a * x[i] + b * y[i];
}
void huber(int n, float d, const float *p, const float *t, float *l) {
    for (int i = 0; i < n; i++) {
        float e = fabsf(p[i] - t[i]);
        l[i] = e <= d ? 0.5f * e * e : d * (e - 0.5f * d);
    }
}
void silu_mul(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float g = x[i * 2 * m + j], u = x[i * 2 * m + m + j];
            y[i * m + j] = g / (1.0f + expf(-g)) * u;
        }
}
void gemver_a(int n, double *A, const double *u1, const double *v1, const double *u2, const double *v2) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}
void bicg_s(int n, int m, const float *A, const float *r, float *s) {
    for (int j = 0; j < m; j++) {
        s[j] = 0.0f;
        for (int i = 0; i < n; i++) s[j] += r[i] * A[i * m + j];
    }
}
void covariance(int n, int m, const float *d, float *c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < n; k++) s += d[k * m + i] * d[k * m + j];
            c[i * m + j] = s;
        }
}
void conv3d(int n, const float *A, float *B) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                B[(i * n + j) * n + k] = 0.2f * A[((i - 1) * n + j - 1) * n + k - 1] +
                                           0.5f * A[(i * n + j) * n + k] -
                                         0.8f * A[((i + 1) * n + j + 1) * n + k + 1];
}
void lud_perimeter_like(int n, const float *a, float *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i * n + j] = j > i ? a[i * n + j] : j == i ? 1.0f : 0.0f;
}
void group_norm_stats(int n, int s, const float *x, float *mean, float *var) {
    for (int i = 0; i < n; i++) {
        float t = 0.0f, q = 0.0f;
        for (int k = 0; k < s; k++) t += x[i * s + k];
        for (int k = 0; k < s; k++) q += x[i * s + k] * x[i * s + k];
        mean[i] = t / s;
        var[i] = q / s - t / s * (t / s);
    }
}
void kmeans_dist(int n, int k, int d, const float *p, const float *c, float *out) {
    for (int i = 0; i < n; i++)
        for (int q = 0; q < k; q++) {
            float s = 0.0f;
            for (int f = 0; f < d; f++) s += (p[f * n + i] - c[q * d + f]) * (p[f * n + i] - c[q * d + f]);
            out[i * k + q] = s;
        }
}
void nn_euclid(int n, float lat, float lng, const float *loc, float *dist) {
    for (int i = 0; i < n; i++)
        dist[i] = sqrtf((lat - loc[2 * i]) * (lat - loc[2 * i]) +
                        (lng - loc[2 * i + 1]) * (lng - loc[2 * i + 1]));
}
void srad_coef(int h, int w, float q0, const float *J, float *c) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int up = i == 0 ? 0 : i - 1, dn = i == h - 1 ? h - 1 : i + 1;
            int lf = j == 0 ? 0 : j - 1, rt = j == w - 1 ? w - 1 : j + 1;
            float jc = J[i * w + j];
            float g = J[up * w + j] + J[dn * w + j] + J[i * w + lf] + J[i * w + rt] - 4.0f * jc;
            c[i * w + j] = 1.0f / (1.0f + g / jc / q0);
        }
}
void md_lj(int n, int m, const float *x, const int *nb, float *f) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int k = 0; k < m; k++) {
            float d = x[i] - x[nb[k * n + i]];
            s += d * d;
        }
        f[i] = s;
    }
}
void gauss_fan(int n, int t, const float *m, float *a) {
    for (int i = t + 1; i < n; i++)
        for (int j = t; j < n; j++) a[i * n + j] -= m[i] * a[t * n + j];
}
void dct_rows(int n, const float *x, const float *c, float *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++) {
            float s = 0.0f;
            for (int j = 0; j < 8; j++) s += x[i * 8 + j] * c[k * 8 + j];
            y[i * 8 + k] = s;
        }
}
void qk_heads(int H, int T, int D, const float *q, const float *k, float *s) {
    for (int h = 0; h < H; h++)
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                float a = 0.0f;
                for (int d = 0; d < D; d++) a += q[(h * T + i) * D + d] * k[(h * T + j) * D + d];
                s[(h * T + i) * T + j] = a;
            }
}
void add_positional(int B, int T, int C, const float *x, const float *pe, float *y) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int c = 0; c < C; c++) y[(b * T + t) * C + c] = x[(b * T + t) * C + c] + pe[t * C + c];
}
void max_abs(int n, int m, const float *x, float *s) {
    for (int i = 0; i < n; i++) {
        float a = 0.0f;
        for (int j = 0; j < m; j++) a = fmaxf(a, fabsf(x[i * m + j]));
        s[i] = a;
    }
}
void row_dot(int n, int m, const float *a, const float *b, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int j = 0; j < m; j++) s += a[i * m + j] * b[i * m + j];
        y[i] = s;
    }
}
void row_norm_scale(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] / sqrtf(s + 1e-6f);
    }
}
void adj_diff(int n, const int *x, int *y) {
    for (int i = 0; i < n; i++) y[i] = i ? x[i] - x[i - 1] : x[0];
}
void bilinear_half(int h, int w, const float *x, float *y) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            y[i * w + j] = 0.25f * (x[2 * i * (2 * w) + 2 * j] + x[2 * i * (2 * w) + 2 * j + 1] +
                                    x[(2 * i + 1) * (2 * w) + 2 * j] + x[(2 * i + 1) * (2 * w) + 2 * j + 1]);
}
void vec_scale(int n, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i];
}
void gemm_bias(int M, int N, int K, const float *A, const float *B, const float *bias, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s + bias[j];
        }
}
void inter_forces(int n, const float *a, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int j = i + 1; j < n; j++) s += a[i * n + j];
        y[i] = s;
    }
}
void first_ge(int n, int m, const float *x, float t, int *y) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m && x[i * m + j] < t) j++;
        y[i] = j;
    }
}
void dgemm_acc(int M, int N, int K, double alpha, const double *A, const double *B, double *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++) C[i * N + j] += alpha * A[i * K + k] * B[k * N + j];
}
void conv2d_nchw(int n, int ci, int co, int h, int w, const float *x, const float *f, const float *bias,
                 float *y) {
    for (int b = 0; b < n; b++)
        for (int o = 0; o < co; o++)
            for (int i = 0; i < h - 2; i++)
                for (int j = 0; j < w - 2; j++) {
                    float s = bias[o];
                    for (int c = 0; c < ci; c++)
                        for (int p = 0; p < 3; p++)
                            for (int q = 0; q < 3; q++)
                                s += x[((b * ci + c) * h + i + p) * w + j + q] *
                                     f[((o * ci + c) * 3 + p) * 3 + q];
                    y[((b * co + o) * (h - 2) + i) * (w - 2) + j] = s;
                }
}
void upsample2(int c, int h, int w, const float *x, float *y) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < 2 * h; i++)
            for (int j = 0; j < 2 * w; j++) y[(k * 2 * h + i) * (2 * w) + j] = x[(k * h + i / 2) * w + j / 2];
}
void maxpool2d(int n, int c, int h, int w, const float *x, float *y) {
    for (int b = 0; b < n; b++)
        for (int k = 0; k < c; k++)
            for (int i = 0; i < h; i++)
                for (int j = 0; j < w; j++) {
                    float m = -INFINITY;
                    for (int p = 0; p < 2; p++)
                        for (int q = 0; q < 2; q++)
                            m = fmaxf(m, x[((b * c + k) * (2 * h) + 2 * i + p) * (2 * w) + 2 * j + q]);
                    y[((b * c + k) * h + i) * w + j] = m;
                }
}
void batchnorm_flat(int n, int c, int hw, const float *x, const float *mean, const float *var, const float *g,
                    const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int j = 0; j < hw; j++)
                y[(i * c + k) * hw + j] = g[k] * (x[(i * c + k) * hw + j] - mean[k]) / sqrtf(var[k] + 1e-5f) +
                                          b[k];
}
void permute(int b, int s, int h, int d, const float *x, float *y) {
    for (int i = 0; i < b; i++)
        for (int k = 0; k < h; k++)
            for (int j = 0; j < s; j++)
                for (int e = 0; e < d; e++)
                    y[((i * h + k) * s + j) * d + e] = x[((i * s + j) * h + k) * d + e];
}
void scale_rows(int n, int m, const float *x, const float *s, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * s[i];
}
void im2col(int c, int h, int w, const float *x, float *col) {
    for (int k = 0; k < c; k++)
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
                for (int i = 0; i < h - 2; i++)
                    for (int j = 0; j < w - 2; j++)
                        col[((k * 9 + p * 3 + q) * (h - 2) + i) * (w - 2) + j] =
                            x[(k * h + i + p) * w + j + q];
}
void gemm_flat_out(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void batchnorm_bn(int n, int c, int hw, const float *x, const float *mean, const float *var, const float *g,
                  const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++)
            for (int j = 0; j < hw; j++)
                y[(i * c + k) * hw + j] = g[k] * (x[(i * c + k) * hw + j] - mean[k]) / sqrtf(var[k] + 1e-5f) +
                                          b[k];
}
void bias_relu(int n, int c, const float *x, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++) y[i * c + j] = fmaxf(x[i * c + j] + b[j], 0.0f);
}
void gemm_splitk(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void depthwise_pad(int c, int h, int w, const float *x, const float *f, float *y) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) {
                float s = 0.0f;
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        if (i + a >= 0 && i + a < h && j + b >= 0 && j + b < w)
                            s += x[(k * h + i + a) * w + j + b] * f[k * 9 + (a + 1) * 3 + b + 1];
                y[(k * h + i) * w + j] = s;
            }
}
void interleave(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) {
        c[2 * i] = a[i];
        c[2 * i + 1] = b[i];
    }
}
void conv3d_const(int d, int h, int w, const float *x, const float *f, float *y) {
    for (int a = 0; a < d - 2; a++)
        for (int b = 0; b < h - 2; b++)
            for (int c = 0; c < w - 2; c++) {
                float s = 0.0f;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        for (int k = 0; k < 3; k++)
                            s += x[((a + i) * h + b + j) * w + c + k] * f[(i * 3 + j) * 3 + k];
                y[(a * (h - 2) + b) * (w - 2) + c] = s;
            }
}
void hardswish(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * fminf(fmaxf(x[i] + 3.0f, 0.0f), 6.0f) / 6.0f;
}
void mse_two_kernels(int n, const float *p, const float *t, float *loss) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += (p[i] - t[i]) * (p[i] - t[i]);
    loss[0] = s / n;
}
void log_sum_exp(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float mx = -INFINITY;
        for (int j = 0; j < m; j++) mx = fmaxf(mx, x[i * m + j]);
        float s = 0.0f;
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - mx);
        y[i] = mx + logf(s);
    }
}
void matvec_warp_bits(int m, int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
        for (int j = 0; j < n; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
void gemm_ab(int M, int N, int K, float alpha, float beta, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = alpha * s + beta * C[i * N + j];
        }
}
void avgpool2(int c, int h, int w, const float *x, float *y) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                y[(k * h + i) * w + j] = 0.25f * (x[(k * 2 * h + 2 * i) * (2 * w) + 2 * j]
                    + x[(k * 2 * h + 2 * i) * (2 * w) + 2 * j + 1]
                    + x[(k * 2 * h + 2 * i + 1) * (2 * w) + 2 * j]
                    + x[(k * 2 * h + 2 * i + 1) * (2 * w) + 2 * j + 1]);
}
void layernorm_block_reduce(int n, int m, float eps, const float *x, const float *g, const float *b,
                            float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f, q = 0.0f;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        float mu = s / m;
        for (int j = 0; j < m; j++) q += (x[i * m + j] - mu) * (x[i * m + j] - mu);
        float r = 1.0f / sqrtf(q / m + eps);
        for (int j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] - mu) * r * g[j] + b[j];
    }
}
void groupnorm(int n, int c, int hw, float eps, const float *x, float *y) {
    for (int g = 0; g < n * c; g++) {
        float s = 0.0f, q = 0.0f;
        for (int j = 0; j < 4 * hw; j++) {
            s += x[g * (4 * hw) + j];
            q += x[g * (4 * hw) + j] * x[g * (4 * hw) + j];
        }
        float mu = s / (4 * hw);
        float var = q / (4 * hw) - mu * mu;
        for (int j = 0; j < 4 * hw; j++) y[g * (4 * hw) + j] = (x[g * (4 * hw) + j] - mu) / sqrtf(var + eps);
    }
}
void softmax_cg(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float mx = -INFINITY, s = 0.0f;
        for (int j = 0; j < m; j++) mx = fmaxf(mx, x[i * m + j]);
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - mx);
        for (int j = 0; j < m; j++) y[i * m + j] = expf(x[i * m + j] - mx) / s;
    }
}
void cosine(int n, int m, const float *a, const float *b, float *y) {
    for (int i = 0; i < n; i++) {
        float ab = 0.0f, aa = 0.0f, bb = 0.0f;
        for (int j = 0; j < m; j++) {
            ab += a[i * m + j] * b[i * m + j];
            aa += a[i * m + j] * a[i * m + j];
            bb += b[i * m + j] * b[i * m + j];
        }
        y[i] = ab / (sqrtf(aa) * sqrtf(bb) + 1e-8f);
    }
}
void embedding_float4(int n, int d, const int *tok, const float *table, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) out[i * d + j] = table[tok[i] * d + j];
}
void spmv_csr_lanes8(int n, const int *ptr, const int *col, const float *val, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int k = ptr[i]; k < ptr[i + 1]; k++) s += val[k] * x[col[k]];
        y[i] = s;
    }
}
void trsv_lower_mul(int n, const float *L, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int j = 0; j <= i; j++) s += L[i * n + j] * x[j];
        y[i] = s;
    }
}
void batched_small(int b, const float *A, const float *B, float *C) {
    for (int p = 0; p < b; p++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                float s = 0.0f;
                for (int k = 0; k < 4; k++) s += A[p * 16 + i * 4 + k] * B[p * 16 + k * 4 + j];
                C[p * 16 + i * 4 + j] = s;
            }
}
void sum_onto(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[0] += x[i];
}
void sum_host_zero(int n, const float *x, float *y) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += x[i];
    y[0] = s;
}
void stencil3d(int nx, int ny, int nz, float c0, float c1, const float *A, float *B) {
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                B[(k * ny + j) * nx + i] = (A[(k * ny + j) * nx + i + 1] + A[(k * ny + j) * nx + i - 1]
                    + A[(k * ny + j + 1) * nx + i] + A[(k * ny + j - 1) * nx + i]
                    + A[((k + 1) * ny + j) * nx + i] + A[((k - 1) * ny + j) * nx + i]) * c1
                    - A[(k * ny + j) * nx + i] * c0;
}
void qk_scores(int n, int d, float scale, const float *q, const float *k, float *s) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float a = 0.0f;
            for (int t = 0; t < d; t++) a += q[i * d + t] * k[j * d + t];
            s[i * n + j] = a * scale;
        }
}
void pixel_shuffle(int c, int h, int w, const float *x, float *y) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < 2 * h; i++)
            for (int j = 0; j < 2 * w; j++)
                y[(k * 2 * h + i) * 2 * w + j] = x[((k * 4 + (i % 2) * 2 + j % 2) * h + i / 2) * w + j / 2];
}
void pairwise(int n, int d, const float *x, float *dist) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0.0f;
            for (int k = 0; k < d; k++) {
                float t = x[i * d + k] - x[j * d + k];
                s += t * t;
            }
            dist[i * n + j] = sqrtf(s);
        }
}
void bn_stats(int n, int c, int s, const float *x, float *mean) {
    for (int k = 0; k < c; k++) {
        float a = 0.0f;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < s; j++) a += x[(i * c + k) * s + j];
        mean[k] = a / (n * s);
    }
}
void matvec_while_and(int m, int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < m; i++) {
        float s = 0.0f;
        for (int j = 0; j < n; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
void gemm_async_pipe(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0.0f;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void maxpool1d(int n, int k, const float *x, float *y) {
    for (int i = 0; i < n / 4; i++) {
        float m = x[4 * i];
        for (int j = 1; j < 4; j++) m = fmaxf(m, x[4 * i + j]);
        y[i] = m;
    }
}

// ---- steps of benchmarks and of libraries -------------------------------------------------------
void srad_coeff(int rows, int cols, float q0sqr, const float *J, float *c) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float Jc = J[i * cols + j];
            float dN = (i > 0 ? J[(i - 1) * cols + j] : Jc) - Jc;
            float dS = (i < rows - 1 ? J[(i + 1) * cols + j] : Jc) - Jc;
            float dW = (j > 0 ? J[i * cols + j - 1] : Jc) - Jc;
            float dE = (j < cols - 1 ? J[i * cols + j + 1] : Jc) - Jc;
            float G2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (Jc * Jc);
            float L = (dN + dS + dW + dE) / Jc;
            float num = 0.5f * G2 - (1.0f / 16.0f) * (L * L);
            float den = 1 + 0.25f * L;
            float qsqr = num / (den * den);
            den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
            float v = 1.0f / (1.0f + den);
            if (v < 0)
                v = 0;
            else if (v > 1)
                v = 1;
            c[i * cols + j] = v;
        }
}
void pathfinder_two(int n, const int *wall, const int *src, int *dst) {
    for (int i = 0; i < n; i++) {
        int best = 2147483647;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n) {
                int b = src[j];
                if (j > 0) b = b < src[j - 1] ? b : src[j - 1];
                if (j < n - 1) b = b < src[j + 1] ? b : src[j + 1];
                b += wall[j];
                if (b < best) best = b;
            }
        dst[i] = best + wall[n + i];
    }
}
void lud_diagonal16(int n, int offset, float *m) {
    for (int i = 0; i < 16 - 1; i++) {
        for (int r = i + 1; r < 16; r++) {
            for (int j = 0; j < i; j++)
                m[(offset + r) * n + offset + i] -=
                    m[(offset + r) * n + offset + j] * m[(offset + j) * n + offset + i];
            m[(offset + r) * n + offset + i] /= m[(offset + i) * n + offset + i];
        }
        for (int r = i + 1; r < 16; r++)
            for (int j = 0; j < i + 1; j++)
                m[(offset + i + 1) * n + offset + r] -=
                    m[(offset + i + 1) * n + offset + j] * m[(offset + j) * n + offset + r];
    }
}
void lud_internal(int n, int offset, float *m) {
    for (int i = offset + 16; i < n; i++)
        for (int j = offset + 16; j < n; j++) {
            float s = 0;
            for (int k = 0; k < 16; k++) s += m[i * n + offset + k] * m[(offset + k) * n + j];
            m[i * n + j] -= s;
        }
}
void kmeans_point(int npoints, int nclusters, int nfeatures, const float *feature, const float *clusters,
                  int *membership) {
    for (int i = 0; i < npoints; i++) {
        int index = -1;
        float min_dist = 3.402823466e+38f;
        for (int c = 0; c < nclusters; c++) {
            float d = 0;
            for (int f = 0; f < nfeatures; f++)
                d += (feature[f * npoints + i] - clusters[c * nfeatures + f]) *
                     (feature[f * npoints + i] - clusters[c * nfeatures + f]);
            if (d < min_dist) {
                min_dist = d;
                index = c;
            }
        }
        membership[i] = index;
    }
}
void bpnn_layerforward(int in, int hid, const float *input, const float *w, float *partial) {
    for (int by = 0; by < in / 16; by++)
        for (int j = 0; j < 16; j++) {
            float s = 0;
            for (int k = 0; k < 16; k++)
                s += w[(by * 16 + k + 1) * (hid + 1) + j + 1] * input[by * 16 + k + 1];
            partial[by * hid + j] = s;
        }
}
void bpnn_adjust(int in, int hid, const float *delta, const float *ly, float *w, float *oldw) {
    for (int y = 1; y <= in; y++)
        for (int x = 1; x <= hid; x++) {
            w[y * (hid + 1) + x] += 0.3f * delta[x] * ly[y] + 0.3f * oldw[y * (hid + 1) + x];
            oldw[y * (hid + 1) + x] = 0.3f * delta[x] * ly[y] + 0.3f * oldw[y * (hid + 1) + x];
        }
}
void gauss_fan1(int size, int t, const float *a, float *m) {
    for (int i = 0; i < size - 1 - t; i++)
        m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}
void gauss_fan2(int size, int t, const float *m, float *a, float *b) {
    for (int i = 0; i < size - 1 - t; i++) {
        for (int j = 0; j < size - t; j++)
            a[size * (i + 1 + t) + (j + t)] -= m[size * (i + 1 + t) + t] * a[size * t + (j + t)];
        b[i + 1 + t] -= m[size * (i + 1 + t) + t] * b[t];
    }
}
void nn_dist(int n, float lat, float lng, const float *loc, float *d) {
    for (int i = 0; i < n; i++)
        d[i] =
            sqrtf((lat - loc[2 * i]) * (lat - loc[2 * i]) + (lng - loc[2 * i + 1]) * (lng - loc[2 * i + 1]));
}
void cfd_step_factor(int nelr, const float *variables, const float *areas, float *step) {
    for (int i = 0; i < nelr; i++) {
        float density = variables[i + 0 * nelr];
        float mx = variables[i + 1 * nelr], my = variables[i + 2 * nelr], mz = variables[i + 3 * nelr];
        float energy = variables[i + 4 * nelr];
        float vx = mx / density, vy = my / density, vz = mz / density;
        float speed_sqd = vx * vx + vy * vy + vz * vz;
        float pressure = (1.4f - 1.0f) * (energy - 0.5f * density * speed_sqd);
        float c = sqrtf(1.4f * pressure / density);
        step[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(speed_sqd) + c));
    }
}
void pgain_cost(int num, int dim, const float *coord, const float *weight, const float *cost, int x,
                float *gain) {
    for (int i = 0; i < num; i++) {
        float d = 0;
        for (int k = 0; k < dim; k++)
            d += (coord[k * num + i] - coord[k * num + x]) * (coord[k * num + i] - coord[k * num + x]);
        float c = d * weight[i];
        gain[i] = c < cost[i] ? c - cost[i] : 0.0f;
    }
}
void mriq_phimag(int n, const float *re, const float *im, float *mag) {
    for (int i = 0; i < n; i++) mag[i] = re[i] * re[i] + im[i] * im[i];
}
void mriq_q(int numX, const float *x, const float *y, const float *z, const float kv[512][4], float *Qr,
            float *Qi) {
    for (int i = 0; i < numX; i++) {
        float sr = Qr[i], si = Qi[i];
        for (int k = 0; k < 512; k++) {
            float e =
                6.2831853071795864769252867665590058f * (kv[k][0] * x[i] + kv[k][1] * y[i] + kv[k][2] * z[i]);
            sr += kv[k][3] * cosf(e);
            si += kv[k][3] * sinf(e);
        }
        Qr[i] = sr;
        Qi[i] = si;
    }
}
void coulomb_cutoff(int nx, int ny, int natoms, float z, float h, const float *atoms, float *e) {
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            float s = 0;
            for (int a = 0; a < natoms; a++) {
                float dx = h * i - atoms[4 * a], dy = h * j - atoms[4 * a + 1], dz = z - atoms[4 * a + 2];
                float r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < 144.0f)
                    s += atoms[4 * a + 3] * (1.0f / sqrtf(r2)) * (1.0f - r2 * (1.0f / 144.0f)) *
                         (1.0f - r2 * (1.0f / 144.0f));
            }
            e[j * nx + i] += s;
        }
}
void sad4x4(int h, int w, const int *cur, const int *ref, int *out) {
    for (int by = 0; by < h / 4; by++)
        for (int bx = 0; bx < w / 4; bx++) {
            int s = 0;
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) {
                    int d = cur[(by * 4 + y) * w + bx * 4 + x] - ref[(by * 4 + y) * w + bx * 4 + x];
                    s += d < 0 ? -d : d;
                }
            out[by * (w / 4) + bx] = s;
        }
}
void spmv_jds(int dim, const float *data, const int *index, const int *perm, const int *nzcnt,
              const int *start, const float *x, float *dst) {
    for (int i = 0; i < dim; i++) {
        float sum = 0.0f;
        for (int k = 0; k < nzcnt[i / 32]; k++) sum += data[start[k] + i] * x[index[start[k] + i]];
        dst[perm[i]] = sum;
    }
}
void stencil7(int nx, int ny, int nz, float c0, float c1, const float *A0, float *Anext) {
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                Anext[(k * ny + j) * nx + i] =
                    c1 * (A0[((k + 1) * ny + j) * nx + i] + A0[((k - 1) * ny + j) * nx + i] +
                          A0[(k * ny + j + 1) * nx + i] + A0[(k * ny + j - 1) * nx + i] +
                          A0[(k * ny + j) * nx + i + 1] + A0[(k * ny + j) * nx + i - 1]) -
                    A0[(k * ny + j) * nx + i] * c0;
}
void lbm_d2q5(int h, int w, float omega, const float *f, float *g) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float f0 = f[0 * h * w + y * w + x], f1 = f[1 * h * w + y * w + x - 1],
                  f2 = f[2 * h * w + y * w + x + 1];
            float f3 = f[3 * h * w + (y - 1) * w + x], f4 = f[4 * h * w + (y + 1) * w + x];
            float rho = f0 + f1 + f2 + f3 + f4;
            float ux = (f1 - f2) / rho, uy = (f3 - f4) / rho;
            g[0 * h * w + y * w + x] = f0 - omega * (f0 - rho / 3.0f);
            g[1 * h * w + y * w + x] = f1 - omega * (f1 - rho / 6.0f * (1.0f + 3.0f * ux));
            g[2 * h * w + y * w + x] = f2 - omega * (f2 - rho / 6.0f * (1.0f - 3.0f * ux));
            g[3 * h * w + y * w + x] = f3 - omega * (f3 - rho / 6.0f * (1.0f + 3.0f * uy));
            g[4 * h * w + y * w + x] = f4 - omega * (f4 - rho / 6.0f * (1.0f - 3.0f * uy));
        }
}
void mm2(int NI, int NJ, int NK, int NL, const float *A, const float *B, const float *C, float *E) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            float e = 0;
            for (int k = 0; k < NJ; k++) {
                float c = 0;
                for (int q = 0; q < NK; q++) c += A[i * NK + q] * B[q * NJ + k];
                e += c * C[k * NL + j];
            }
            E[i * NL + j] = e;
        }
}
void corr_std(int M, int N, float eps, const float *mean, float *std, const float *data) {
    for (int j = 0; j < M; j++) {
        float s = 0;
        for (int i = 0; i < N; i++) s += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        s = sqrtf(s / N);
        std[j] = s <= eps ? 1.0f : s;
    }
}
void corr_reduce(int M, int N, const float *mean, const float *std, float *data) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            data[i * M + j] -= mean[j];
            data[i * M + j] /= sqrtf((float)N) * std[j];
        }
}
void gramschmidt_k(int ni, int nj, int k, float *a, float *r, float *q) {
    float nrm = 0;
    for (int i = 0; i < ni; i++) nrm += a[i * nj + k] * a[i * nj + k];
    r[k * nj + k] = sqrtf(nrm);
    for (int i = 0; i < ni; i++) q[i * nj + k] = a[i * nj + k] / r[k * nj + k];
    for (int j = k + 1; j < nj; j++) {
        float s = 0;
        for (int i = 0; i < ni; i++) s += q[i * nj + k] * a[i * nj + j];
        r[k * nj + j] = s;
        for (int i = 0; i < ni; i++) a[i * nj + j] -= q[i * nj + k] * r[k * nj + j];
    }
}
void conv3d_poly(int NI, int NJ, int NK, const float *A, float *B) {
    for (int i = 1; i < NI - 1; i++)
        for (int j = 1; j < NJ - 1; j++)
            for (int k = 1; k < NK - 1; k++)
                B[i * (NK * NJ) + j * NK + k] = 2.0f * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                                                4.0f * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k + 1)] +
                                                5.0f * A[i * (NK * NJ) + (j + 1) * NK + k] -
                                                9.0f * A[(i + 1) * (NK * NJ) + (j + 1) * NK + (k + 1)];
}
void fdtd2d(int NX, int NY, int t, const float *fict, float *ex, float *ey, float *hz) {
    for (int j = 0; j < NY; j++) ey[0 * NY + j] = fict[t];
    for (int i = 1; i < NX; i++)
        for (int j = 0; j < NY; j++)
            ey[i * NY + j] = ey[i * NY + j] - 0.5f * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
    for (int i = 0; i < NX; i++)
        for (int j = 1; j < NY; j++)
            ex[i * NY + j] = ex[i * NY + j] - 0.5f * (hz[i * NY + j] - hz[i * NY + j - 1]);
}
void gesummv_f(int n, float alpha, float beta, const float *a, const float *b, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = 0, s = 0;
        for (int j = 0; j < n; j++) {
            t += a[i * n + j] * x[j];
            s += b[i * n + j] * x[j];
        }
        y[i] = alpha * t + beta * s;
    }
}
void mvt_both(int n, const float *a, float *x1, float *x2, const float *y1, const float *y2) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] += a[i * n + j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] += a[j * n + i] * y2[j];
}
void atax_both(int nx, int ny, const float *A, const float *x, float *y) {
    for (int j = 0; j < ny; j++) y[j] = 0;
    for (int i = 0; i < nx; i++) {
        float t = 0;
        for (int j = 0; j < ny; j++) t += A[i * ny + j] * x[j];
        for (int j = 0; j < ny; j++) y[j] += A[i * ny + j] * t;
    }
}
void add4(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}
void gemm_ab_of(int M, int N, int K, float alpha, float beta, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = alpha * s + beta * C[i * N + j];
        }
}
void gemm0(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
void gemm_cm(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += A[k * M + i] * B[j * K + k];
            C[j * M + i] = s;
        }
}
void dot1(int n, const float *a, const float *b, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    out[0] = s;
}
void rowsum(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        y[i] = s;
    }
}
void blur5(int h, int w, const float *x, float *y) {
    for (int i = 2; i < h - 2; i++)
        for (int j = 2; j < w - 2; j++) {
            float s = 0;
            for (int a = -2; a <= 2; a++)
                for (int b = -2; b <= 2; b++) s += x[(i + a) * w + j + b];
            y[i * w + j] = s / 25.0f;
        }
}
void scale_ll(long n, float a, const float *x, float *y) {
    for (long i = 0; i < n; i++) y[i] = a * x[i];
}
void nbody_acc(int n, float eps2, const float *pos, float *acc) {
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            float dx = pos[4 * j] - pos[4 * i], dy = pos[4 * j + 1] - pos[4 * i + 1],
                  dz = pos[4 * j + 2] - pos[4 * i + 2];
            float d2 = dx * dx + dy * dy + dz * dz + eps2;
            float inv = 1.0f / sqrtf(d2);
            float s = pos[4 * j + 3] * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        acc[4 * i] = ax;
        acc[4 * i + 1] = ay;
        acc[4 * i + 2] = az;
        acc[4 * i + 3] = 0.0f;
    }
}
void rmsnorm_of(int n, int m, const float *x, const float *w, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
        float r = 1.0f / sqrtf(s / m + 1e-6f);
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * r * w[j];
    }
}
void attention_p(int n, int d, const float *Q, const float *K, const float *V, float *P, float *O) {
    for (int i = 0; i < n; i++) {
        float mx = -INFINITY, l = 0;
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += Q[i * d + k] * K[j * d + k];
            P[i * n + j] = s;
            mx = fmaxf(mx, s);
        }
        for (int j = 0; j < n; j++) {
            P[i * n + j] = expf(P[i * n + j] - mx);
            l += P[i * n + j];
        }
        for (int c = 0; c < d; c++) {
            float o = 0;
            for (int j = 0; j < n; j++) o += P[i * n + j] * V[j * d + c];
            O[i * d + c] = o / l;
        }
    }
}
void scatter_add(int n, const int *idx, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[idx[i]] += x[i];
}
void nll_gather(int n, int c, const float *logp, const int *t, float *loss) {
    for (int i = 0; i < n; i++) loss[i] = -logp[i * c + t[i]];
}
void cosine_of(int n, int m, const float *a, const float *b, float *y) {
    for (int i = 0; i < n; i++) {
        float ab = 0, aa = 0, bb = 0;
        for (int j = 0; j < m; j++) {
            ab += a[i * m + j] * b[i * m + j];
            aa += a[i * m + j] * a[i * m + j];
            bb += b[i * m + j] * b[i * m + j];
        }
        y[i] = ab / (sqrtf(aa) * sqrtf(bb) + 1e-8f);
    }
}
void gelu_erf(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}
void mean_dim1(int B, int M, int N, const float *x, float *y) {
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++) {
            float s = 0;
            for (int m = 0; m < M; m++) s += x[(b * M + m) * N + n];
            y[b * N + n] = s / M;
        }
}
void instnorm(int N, int C, int H, int W, const float *x, float *y) {
    for (int nc = 0; nc < N * C; nc++) {
        float s = 0, v = 0;
        for (int p = 0; p < H * W; p++) s += x[nc * H * W + p];
        float mu = s / (H * W);
        for (int p = 0; p < H * W; p++) v += (x[nc * H * W + p] - mu) * (x[nc * H * W + p] - mu);
        float r = 1.0f / sqrtf(v / (H * W) + 1e-5f);
        for (int p = 0; p < H * W; p++) y[nc * H * W + p] = (x[nc * H * W + p] - mu) * r;
    }
}
void conv2d_nchw_of(int N, int C, int H, int W, int K, const float *x, const float *w, const float *b,
                    float *y) {
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int i = 0; i < H - 2; i++)
                for (int j = 0; j < W - 2; j++) {
                    float s = b[k];
                    for (int c = 0; c < C; c++)
                        for (int p = 0; p < 3; p++)
                            for (int q = 0; q < 3; q++)
                                s += x[((n * C + c) * H + i + p) * W + j + q] *
                                     w[((k * C + c) * 3 + p) * 3 + q];
                    y[((n * K + k) * (H - 2) + i) * (W - 2) + j] = s;
                }
}
void transposed_conv1d(int n, int k, const float *x, const float *w, float *y) {
    for (int o = 0; o < n + k - 1; o++) {
        float s = 0;
        for (int t = 0; t < k; t++)
            if (o - t >= 0 && o - t < n) s += x[o - t] * w[t];
        y[o] = s;
    }
}
void nw_diag(int cols, int penalty, int d, const int *ref, int *item) {
    for (int t = 1; t < d; t++) {
        int i = t, j = d - t;
        int a = item[(i - 1) * cols + j - 1] + ref[i * cols + j];
        int l = item[i * cols + j - 1] - penalty, u = item[(i - 1) * cols + j] - penalty;
        int m = a > l ? a : l;
        item[i * cols + j] = m > u ? m : u;
    }
}
void softplus(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] > 20.0f ? x[i] : logf(1.0f + expf(x[i]));
}
void fwt_stage(int n, int stride, const float *x, float *y) {
    for (int i = 0; i < n / (2 * stride); i++)
        for (int j = 0; j < stride; j++) {
            float a = x[2 * i * stride + j], b = x[2 * i * stride + j + stride];
            y[2 * i * stride + j] = a + b;
            y[2 * i * stride + j + stride] = a - b;
        }
}
void triplet(int n, int d, float margin, const float *a, const float *p, const float *q, float *loss) {
    for (int i = 0; i < n; i++) {
        float dp = 0, dn = 0;
        for (int k = 0; k < d; k++) {
            dp += (a[i * d + k] - p[i * d + k]) * (a[i * d + k] - p[i * d + k]);
            dn += (a[i * d + k] - q[i * d + k]) * (a[i * d + k] - q[i * d + k]);
        }
        loss[i] = fmaxf(dp - dn + margin, 0.0f);
    }
}
void diag_mul(int N, int M, const float *A, const float *B, float *C) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) C[i * M + j] = A[i] * B[i * M + j];
}
void rev_cumsum(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = m - 1; j >= 0; j--) {
            s += x[i * m + j];
            y[i * m + j] = s;
        }
    }
}
void hist_block256(int n, const int *x, int *h) {
    for (int i = 0; i < n; i++) h[x[i] & 255]++;
}
void jacobi_steps(int n, int steps, float *x, float *y) {
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.3333f;
        for (int i = 1; i < n - 1; i++) x[i] = (y[i - 1] + y[i] + y[i + 1]) * 0.3333f;
    }
}

// ---- operators, solvers and sorting, as strangers write them ---------------------------------------
void rope_pairs(int T, int H, int D, const float *x, const float *c, const float *s, float *y) {
    for (int t = 0; t < T; t++)
        for (int h = 0; h < H; h++)
            for (int d = 0; d < D; d++) {
                float a = x[((t * H + h) * D + d) * 2], b = x[((t * H + h) * D + d) * 2 + 1];
                y[((t * H + h) * D + d) * 2] = a * c[t * D + d] - b * s[t * D + d];
                y[((t * H + h) * D + d) * 2 + 1] = a * s[t * D + d] + b * c[t * D + d];
            }
}
void group_norm(int N, int G, int C, int S, const float *x, const float *w, const float *b, float *y) {
    for (int n = 0; n < N; n++)
        for (int g = 0; g < G; g++) {
            float s = 0, q = 0;
            for (int c = 0; c < C; c++)
                for (int i = 0; i < S; i++) s += x[((n * G + g) * C + c) * S + i];
            float mean = s / (C * S);
            for (int c = 0; c < C; c++)
                for (int i = 0; i < S; i++) {
                    float d = x[((n * G + g) * C + c) * S + i] - mean;
                    q += d * d;
                }
            float r = 1.0f / sqrtf(q / (C * S) + 1e-5f);
            for (int c = 0; c < C; c++)
                for (int i = 0; i < S; i++)
                    y[((n * G + g) * C + c) * S + i] =
                        (x[((n * G + g) * C + c) * S + i] - mean) * r * w[g * C + c] + b[g * C + c];
        }
}
void layernorm_dx(int n, int d, const float *dy, const float *x, const float *w, const float *mean,
                  const float *rstd, float *dx) {
    for (int i = 0; i < n; i++) {
        float s1 = 0, s2 = 0;
        for (int j = 0; j < d; j++) {
            float xhat = (x[i * d + j] - mean[i]) * rstd[i], g = dy[i * d + j] * w[j];
            s1 += g;
            s2 += g * xhat;
        }
        for (int j = 0; j < d; j++) {
            float xhat = (x[i * d + j] - mean[i]) * rstd[i], g = dy[i * d + j] * w[j];
            dx[i * d + j] = rstd[i] * (g - s1 / d - xhat * (s2 / d));
        }
    }
}
void elu(int n, float alpha, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : alpha * (expf(x[i]) - 1.0f);
}
void mish(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * tanhf(log1pf(expf(x[i])));
}
void cumprod(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float p = 1;
        for (int j = 0; j < m; j++) {
            p *= x[i * m + j];
            y[i * m + j] = p;
        }
    }
}
void masked_fill(int B, int H, int T, const float *s, const int *mask, float *out) {
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++)
                    out[((b * H + h) * T + i) * T + j] =
                        mask[b * T + j] == 0 ? -1e9f : s[((b * H + h) * T + i) * T + j];
}
void conv_transpose2d(int C, int K, int H, int W, const float *x, const float *w, float *y) {
    for (int k = 0; k < K; k++)
        for (int i = 0; i < 2 * H; i++)
            for (int j = 0; j < 2 * W; j++) {
                float s = 0;
                for (int c = 0; c < C; c++)
                    s += x[(c * H + i / 2) * W + j / 2] * w[((c * K + k) * 2 + i % 2) * 2 + j % 2];
                y[(k * 2 * H + i) * 2 * W + j] = s;
            }
}
void conv1x1(int N, int C, int K, int S, const float *x, const float *w, const float *b, float *y) {
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int p = 0; p < S; p++) {
                float s = b[k];
                for (int c = 0; c < C; c++) s += w[k * C + c] * x[(n * C + c) * S + p];
                y[(n * K + k) * S + p] = s;
            }
}
void maxpool3_pad(int C, int H, int W, const float *x, float *y) {
    for (int c = 0; c < C; c++)
        for (int i = 0; i < (H - 1) / 2 + 1; i++)
            for (int j = 0; j < (W - 1) / 2 + 1; j++) {
                float m = -INFINITY;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) {
                        int r = 2 * i - 1 + p, s = 2 * j - 1 + q;
                        if (r >= 0 && r < H && s >= 0 && s < W) m = fmaxf(m, x[(c * H + r) * W + s]);
                    }
                y[(c * ((H - 1) / 2 + 1) + i) * ((W - 1) / 2 + 1) + j] = m;
            }
}
void kl_div(int n, int m, const float *logq, const float *p, float *out) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += p[i * m + j] > 0 ? p[i * m + j] * (logf(p[i * m + j]) - logq[i * m + j]) : 0.0f;
        out[i] = s;
    }
}
void hinge(int n, const float *p, const float *t, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += fmaxf(1.0f - p[i] * t[i], 0.0f);
    out[0] = s / n;
}
void sum_all(int n, const float *x, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    out[0] = s;
}
void isum_blocks(int n, const int *x, int *out) {
    for (int b = 0; b < n; b++) {
        int s = 0;
        for (int i = 0; i < 256; i++) s += x[b * 256 + i];
        out[b] = s;
    }
}
void linear_bias_relu_res(int M, int N, int K, const float *X, const float *W, const float *b,
                          const float *R, float *Y) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < K; k++) s += X[i * K + k] * W[j * K + k];
            Y[i * N + j] = fmaxf(s + b[j], 0.0f) + R[i * N + j];
        }
}
void fdtd3d_ez(int nx, int ny, int nz, float k, const float *hx, const float *hy, float *ez) {
    for (int z = 0; z < nz; z++)
        for (int y = 1; y < ny; y++)
            for (int x = 1; x < nx; x++) {
                int i = (z * ny + y) * nx + x;
                ez[i] += k * ((hy[i] - hy[i - 1]) - (hx[i] - hx[i - nx]));
            }
}
void wave1d(int n, float c, const float *u, const float *v, float *w) {
    for (int i = 1; i < n - 1; i++) w[i] = 2.0f * u[i] - v[i] + c * (u[i - 1] - 2.0f * u[i] + u[i + 1]);
}
void sph_density(int n, float h2, float mass, const float *px, const float *py, const float *pz,
                 float *rho) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) {
            float dx = px[i] - px[j], dy = py[i] - py[j], dz = pz[i] - pz[j];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < h2) s += mass * (h2 - r2) * (h2 - r2) * (h2 - r2);
        }
        rho[i] = s;
    }
}
void ising_black(int n, int m, float beta, const int *white, const float *rnd, int *black) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = i == 0 ? n - 1 : i - 1, dn = i == n - 1 ? 0 : i + 1;
            int off = i % 2 ? (j == m - 1 ? 0 : j + 1) : (j == 0 ? m - 1 : j - 1);
            int sum = white[up * m + j] + white[dn * m + j] + white[i * m + j] + white[i * m + off];
            if (rnd[i * m + j] < expf(-2.0f * beta * sum * black[i * m + j]))
                black[i * m + j] = -black[i * m + j];
        }
}
void spmv_bsr4(int nb, const int *ptr, const int *col, const float *val, const float *x, float *y) {
    for (int i = 0; i < nb; i++)
        for (int r = 0; r < 4; r++) {
            float s = 0;
            for (int p = ptr[i]; p < ptr[i + 1]; p++)
                for (int c = 0; c < 4; c++) s += val[(p * 4 + r) * 4 + c] * x[col[p] * 4 + c];
            y[i * 4 + r] = s;
        }
}
void odd_even(int n, int start, int *a) {
    for (int i = 0; i < (n - start) / 2; i++) {
        int l = start + 2 * i;
        int x = a[l], y = a[l + 1];
        a[l] = x < y ? x : y;
        a[l + 1] = x < y ? y : x;
    }
}
void dilate3(int h, int w, const unsigned char *in, unsigned char *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            unsigned char m = 0;
            for (int p = -1; p <= 1; p++)
                for (int q = -1; q <= 1; q++) {
                    int r = i + p, c = j + q;
                    if (r >= 0 && r < h && c >= 0 && c < w) m = in[r * w + c] > m ? in[r * w + c] : m;
                }
            out[i * w + j] = m;
        }
}
void apply_lut(int n, const unsigned char *img, const unsigned char *lut, unsigned char *out) {
    for (int i = 0; i < n; i++) out[i] = lut[img[i]];
}
void bilateral(int h, int w, float inv_s, float inv_r, const float *in, float *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float sum = 0, norm = 0;
            for (int p = -2; p <= 2; p++)
                for (int q = -2; q <= 2; q++) {
                    int r = i + p < 0 ? 0 : i + p > h - 1 ? h - 1 : i + p;
                    int c = j + q < 0 ? 0 : j + q > w - 1 ? w - 1 : j + q;
                    float d = in[r * w + c] - in[i * w + j];
                    float g = expf(-(p * p + q * q) * inv_s - d * d * inv_r);
                    sum += g * in[r * w + c];
                    norm += g;
                }
            out[i * w + j] = sum / norm;
        }
}
void scan_and_sums(int nb, const float *x, float *y, float *sums) {
    for (int b = 0; b < nb; b++) {
        float s = 0;
        for (int i = 0; i < 128; i++) {
            s += x[b * 128 + i];
            y[b * 128 + i] = s;
        }
        sums[b] = s;
    }
}
void add_offsets(int nb, const float *off, float *y) {
    for (int b = 1; b < nb; b++)
        for (int i = 0; i < 256; i++) y[b * 256 + i] += off[b - 1];
}
void scale_long(long n, double a, const double *x, double *y) {
    for (long i = 0; i < n; i++) y[i] = a * x[i];
}
void row_absmax(int n, int m, const float *x, float *out) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s = fmaxf(s, fabsf(x[i * m + j]));
        out[i] = s;
    }
}
void minmax(int n, int m, const float *x, float *lo, float *hi) {
    for (int i = 0; i < n; i++) {
        float a = INFINITY, b = -INFINITY;
        for (int j = 0; j < m; j++) {
            a = fminf(a, x[i * m + j]);
            b = fmaxf(b, x[i * m + j]);
        }
        lo[i] = a;
        hi[i] = b;
    }
}
void count_above(int n, float t, const float *x, int *out) {
    int s = 0;
    for (int i = 0; i < n; i++) s += x[i] > t ? 1 : 0;
    out[0] += s;
}
void dropout(int n, float p, const float *x, const float *r, float *y) {
    for (int i = 0; i < n; i++) y[i] = r[i] > p ? x[i] / (1.0f - p) : 0.0f;
}
void forward_sub(int n, int m, const float *L, const float *B, float *X) {
    for (int c = 0; c < m; c++)
        for (int i = 0; i < n; i++) {
            float s = B[i * m + c];
            for (int k = 0; k < i; k++) s -= L[i * n + k] * X[k * m + c];
            X[i * m + c] = s / L[i * n + i];
        }
}
void thomas(int n, int m, const float *a, const float *b, const float *c, float *cp, float *d) {
    for (int s = 0; s < m; s++) {
        cp[s] = c[s] / b[s];
        d[s] = d[s] / b[s];
        for (int i = 1; i < n; i++) {
            float w = 1.0f / (b[i * m + s] - a[i * m + s] * cp[(i - 1) * m + s]);
            cp[i * m + s] = c[i * m + s] * w;
            d[i * m + s] = (d[i * m + s] - a[i * m + s] * d[(i - 1) * m + s]) * w;
        }
        for (int i = n - 2; i >= 0; i--) d[i * m + s] = d[i * m + s] - cp[i * m + s] * d[(i + 1) * m + s];
    }
}
void floyd_step(int n, int k, const int *in, int *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int t = in[i * n + k] + in[k * n + j];
            out[i * n + j] = t < in[i * n + j] ? t : in[i * n + j];
        }
}
void welford(int n, int m, const float *x, float *mean, float *m2) {
    for (int i = 0; i < n; i++) {
        float mu = 0, q = 0;
        for (int j = 0; j < m; j++) {
            float d = x[i * m + j] - mu;
            mu += d / (j + 1);
            q += d * (x[i * m + j] - mu);
        }
        mean[i] = mu;
        m2[i] = q;
    }
}
void softmax_grad(int n, int m, const float *y, const float *dy, float *dx) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += y[i * m + j] * dy[i * m + j];
        for (int j = 0; j < m; j++) dx[i * m + j] = y[i * m + j] * (dy[i * m + j] - s);
    }
}
void decode_scores(int H, int T, int D, float scale, const float *q, const float *k, float *s) {
    for (int h = 0; h < H; h++)
        for (int t = 0; t < T; t++) {
            float a = 0;
            for (int d = 0; d < D; d++) a += q[h * D + d] * k[(h * T + t) * D + d];
            s[h * T + t] = a * scale;
        }
}
void space_to_depth(int C, int H, int W, const float *x, float *y) {
    for (int c = 0; c < C; c++)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
                for (int p = 0; p < 2; p++)
                    for (int q = 0; q < 2; q++)
                        y[((c * 4 + p * 2 + q) * H + i) * W + j] =
                            x[(c * 2 * H + 2 * i + p) * 2 * W + 2 * j + q];
}
void channel_shuffle(int G, int C, int S, const float *x, float *y) {
    for (int g = 0; g < G; g++)
        for (int c = 0; c < C; c++)
            for (int i = 0; i < S; i++) y[(c * G + g) * S + i] = x[(g * C + c) * S + i];
}
void roll(int n, int k, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i >= k ? i - k : i - k + n];
}
void conv1d_dilated(int C, int K, int L, int O, int dil, const float *x, const float *w, float *y) {
    for (int o = 0; o < O; o++)
        for (int t = 0; t < L; t++) {
            float s = 0;
            for (int c = 0; c < C; c++)
                for (int k = 0; k < K; k++)
                    s += x[c * (L + (K - 1) * dil) + t + k * dil] * w[(o * C + c) * K + k];
            y[o * L + t] = s;
        }
}
void butterfly(int n, int h, const float *w, float *re) {
    for (int g = 0; g < n; g++)
        for (int j = 0; j < h; j++) {
            float a = re[g * 2 * h + j], b = re[g * 2 * h + h + j] * w[j];
            re[g * 2 * h + j] = a + b;
            re[g * 2 * h + h + j] = a - b;
        }
}
void gs_red(int n, float *u, const float *f) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if ((i + j) % 2 == 0)
                u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                        u[i * n + j + 1] - f[i * n + j]);
}
void sddmm(int n, int d, const int *ptr, const int *col, const float *A, const float *B, float *out) {
    for (int i = 0; i < n; i++)
        for (int p = ptr[i]; p < ptr[i + 1]; p++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += A[i * d + k] * B[col[p] * d + k];
            out[p] = s;
        }
}
void zgemv(int m, int n, const double *A, const double *x, double *y) {
    for (int i = 0; i < m; i++) {
        double r = 0, q = 0;
        for (int j = 0; j < n; j++) {
            double ar = A[2 * (i * n + j)], ai = A[2 * (i * n + j) + 1], xr = x[2 * j], xi = x[2 * j + 1];
            r += ar * xr - ai * xi;
            q += ar * xi + ai * xr;
        }
        y[2 * i] = r;
        y[2 * i + 1] = q;
    }
}
void prelu(int N, int C, int S, const float *x, const float *a, float *y) {
    for (int n = 0; n < N; n++)
        for (int c = 0; c < C; c++)
            for (int i = 0; i < S; i++) {
                float v = x[(n * C + c) * S + i];
                y[(n * C + c) * S + i] = v > 0 ? v : a[c] * v;
            }
}
void lrn(int C, int S, const float *x, float *y) {
    for (int c = 0; c < C; c++)
        for (int i = 0; i < S; i++) {
            float s = 0;
            for (int k = c - 2; k <= c + 2; k++)
                if (k >= 0 && k < C) s += x[k * S + i] * x[k * S + i];
            y[c * S + i] = x[c * S + i] / powf(2.0f + 1e-4f * s, 0.75f);
        }
}
void rgb_yuv(int n, const unsigned char *rgb, float *yuv) {
    for (int i = 0; i < n; i++) {
        float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        yuv[3 * i] = 0.299f * r + 0.587f * g + 0.114f * b;
        yuv[3 * i + 1] = -0.147f * r - 0.289f * g + 0.436f * b;
        yuv[3 * i + 2] = 0.615f * r - 0.515f * g - 0.1f * b;
    }
}
void avgpool1d_pad(int n, int L, int K, int P, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int t = 0; t < L; t++) {
            float s = 0;
            for (int k = 0; k < K; k++)
                if (t + k - P >= 0 && t + k - P < L) s += x[i * L + t + k - P];
            y[i * L + t] = s / K;
        }
}
void sepfilter_rows(int h, int w, const float *k, const float *in, float *out) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            for (int q = -3; q <= 3; q++)
                if (j + q >= 0 && j + q < w) s += k[q + 3] * in[i * w + j + q];
            out[i * w + j] = s;
        }
}
void label_smooth(int n, int m, float eps, const float *logp, const int *t, float *out) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += logp[i * m + j];
        out[i] = -(1.0f - eps) * logp[i * m + t[i]] - eps * s / m;
    }
}
void bgemm(int B, int M, int N, int K, const float *A, const float *W, float *C) {
    for (int b = 0; b < B; b++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float s = 0;
                for (int k = 0; k < K; k++) s += A[(b * M + i) * K + k] * W[(b * K + k) * N + j];
                C[(b * M + i) * N + j] = s;
            }
}
void attention(int T, int D, float scale, const float *Q, const float *K, const float *V, float *O) {
    for (int i = 0; i < T; i++) {
        float m = -INFINITY, l = 0;
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int d = 0; d < D; d++) s += Q[i * D + d] * K[j * D + d];
            m = fmaxf(m, s * scale);
        }
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int d = 0; d < D; d++) s += Q[i * D + d] * K[j * D + d];
            l += expf(s * scale - m);
        }
        for (int d = 0; d < D; d++) {
            float o = 0;
            for (int j = 0; j <= i; j++) {
                float s = 0;
                for (int e = 0; e < D; e++) s += Q[i * D + e] * K[j * D + e];
                o += expf(s * scale - m) * V[j * D + d];
            }
            O[i * D + d] = o / l;
        }
    }
}
void conv2d_params(int C, int O, int H, int W, int OH, int OW, int KH, int KW, int stride, int pad,
                   const float *x, const float *w, float *y) {
    for (int o = 0; o < O; o++)
        for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
                float s = 0;
                for (int c = 0; c < C; c++)
                    for (int p = 0; p < KH; p++)
                        for (int q = 0; q < KW; q++) {
                            int r = i * stride - pad + p, t = j * stride - pad + q;
                            if (r >= 0 && r < H && t >= 0 && t < W)
                                s += x[(c * H + r) * W + t] * w[((o * C + c) * KH + p) * KW + q];
                        }
                y[(o * OH + i) * OW + j] = s;
            }
}
void conv1d_stride(int L, int O, int K, int stride, const float *x, const float *w, float *y) {
    for (int i = 0; i < O; i++) {
        float s = 0;
        for (int k = 0; k < K; k++)
            if (i * stride + k < L) s += x[i * stride + k] * w[k];
        y[i] = s;
    }
}
void swap_pairs(int n, int *a) {
    for (int i = 0; i < n; i++)
        if (a[2 * i] > a[2 * i + 1]) {
            int t = a[2 * i];
            a[2 * i] = a[2 * i + 1];
            a[2 * i + 1] = t;
        }
}
void hist_bytes(int n, const unsigned char *x, unsigned *h) {
    for (int i = 0; i < n; i++) h[x[i]]++;
}
void coo_spmv(int nnz, const int *row, const int *col, const float *val, const float *x, float *y) {
    for (int k = 0; k < nnz; k++) y[row[k]] += val[k] * x[col[k]];
}
void hist64(int n, const unsigned char *x, const float *w, float *h) {
    for (int i = 0; i < n; i++) h[x[i] >> 2] += w[i];
}
void argmin_idx(int n, int m, const float *x, int *out) {
    for (int i = 0; i < n; i++) {
        int best = 0;
        float v = x[i * m];
        for (int j = 1; j < m; j++)
            if (x[i * m + j] < v) {
                v = x[i * m + j];
                best = j;
            }
        out[i] = best;
    }
}
void im2col_stride(int C, int H, int W, int K, int OH, int OW, int stride, int pad, const float *x,
                   float *col) {
    for (int c = 0; c < C; c++)
        for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
                for (int i = 0; i < OH; i++)
                    for (int j = 0; j < OW; j++) {
                        int r = i * stride - pad + p, s = j * stride - pad + q;
                        col[(((c * K + p) * K + q) * OH + i) * OW + j] =
                            r >= 0 && r < H && s >= 0 && s < W ? x[(c * H + r) * W + s] : 0.0f;
                    }
}
void maxpool_params(int N, int C, int H, int W, int OH, int OW, int K, int stride, int pad, const float *x,
                    float *y) {
    for (int n = 0; n < N; n++)
        for (int c = 0; c < C; c++)
            for (int i = 0; i < OH; i++)
                for (int j = 0; j < OW; j++) {
                    float m = -INFINITY;
                    for (int p = 0; p < K; p++)
                        for (int q = 0; q < K; q++) {
                            int r = i * stride - pad + p, s = j * stride - pad + q;
                            if (r >= 0 && r < H && s >= 0 && s < W)
                                m = fmaxf(m, x[((n * C + c) * H + r) * W + s]);
                        }
                    y[((n * C + c) * OH + i) * OW + j] = m;
                }
}
void avgpool2d(int N, int C, int H, int W, int OH, int OW, int K, int stride, const float *x, float *y) {
    for (int n = 0; n < N * C; n++)
        for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
                float s = 0;
                for (int p = 0; p < K; p++)
                    for (int q = 0; q < K; q++) s += x[(n * H + i * stride + p) * W + j * stride + q];
                y[(n * OH + i) * OW + j] = s / (K * K);
            }
}
void ell_spmv(int n, int k, const int *col, const float *val, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < k; j++)
            if (col[j * n + i] >= 0) s += val[j * n + i] * x[col[j * n + i]];
        y[i] = s;
    }
}
void triplet_rows(int n, int d, float margin, const float *a, const float *p, const float *q, float *out) {
    for (int i = 0; i < n; i++) {
        float dp = 0, dn = 0;
        for (int j = 0; j < d; j++) {
            float u = a[i * d + j] - p[i * d + j], v = a[i * d + j] - q[i * d + j];
            dp += u * u;
            dn += v * v;
        }
        out[i] = fmaxf(sqrtf(dp) - sqrtf(dn) + margin, 0.0f);
    }
}
void matvec_dyn(int m, int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
void gelu_by_erf(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}
void upsample_twice(int C, int H, int W, const float *x, float *y) {
    for (int c = 0; c < C; c++)
        for (int i = 0; i < H * 2; i++)
            for (int j = 0; j < W * 2; j++) y[(c * H * 2 + i) * W * 2 + j] = x[(c * H + i / 2) * W + j / 2];
}
void lbm_stream(int nx, int ny, const float *f, float *g) {
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int xm = (x - 1 + nx) % nx, yp = (y + 1) % ny;
            float a = f[0 * nx * ny + y * nx + xm], b = f[1 * nx * ny + yp * nx + x];
            float rho = a + b;
            g[0 * nx * ny + y * nx + x] = a - 0.5f * (a - rho * 0.5f);
            g[1 * nx * ny + y * nx + x] = b - 0.5f * (b - rho * 0.5f);
        }
}

// ---- as a stranger wrote them ---------------------------------------------------------------
void sgemm_rect(int M, int N, int K, const float *A, const float *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float acc = 0.0f;
            for (int k = 0; k < K; k++) acc += A[i * K + k] * B[k * N + j];
            C[i * N + j] = acc;
        }
}
void row_softmax(int rows, int cols, const float *x, float *y) {
    for (int r = 0; r < rows; r++) {
        float m = -INFINITY;
        for (int c = 0; c < cols; c++) m = fmaxf(m, x[r * cols + c]);
        float s = 0;
        for (int c = 0; c < cols; c++) s += expf(x[r * cols + c] - m);
        for (int c = 0; c < cols; c++) y[r * cols + c] = expf(x[r * cols + c] - m) / s;
    }
}
void layer_norm(int rows, int cols, float eps, const float *x, const float *g, const float *b, float *y) {
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int c = 0; c < cols; c++) mean += x[r * cols + c];
        mean /= cols;
        for (int c = 0; c < cols; c++) var += (x[r * cols + c] - mean) * (x[r * cols + c] - mean);
        float inv = 1.0f / sqrtf(var / cols + eps);
        for (int c = 0; c < cols; c++) y[r * cols + c] = (x[r * cols + c] - mean) * inv * g[c] + b[c];
    }
}
void rope_half(int tokens, int heads, int dim, const float *cs, const float *sn, float *q) {
    for (int t = 0; t < tokens; t++)
        for (int h = 0; h < heads; h++)
            for (int i = 0; i < dim / 2; i++) {
                float a = q[(t * heads + h) * dim + i], b = q[(t * heads + h) * dim + i + dim / 2];
                q[(t * heads + h) * dim + i] = a * cs[t * (dim / 2) + i] - b * sn[t * (dim / 2) + i];
                q[(t * heads + h) * dim + i + dim / 2] = a * sn[t * (dim / 2) + i] + b * cs[t *
                    (dim / 2) + i];
            }
}
void bias_gelu_rows(int n, int d, const float *x, const float *bias, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            float v = x[i * d + j] + bias[j];
            y[i * d + j] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
        }
}
void embed_sum(int n, int d, int vocab, const int *tok, const float *wte, const float *wpe, float *out) {
    for (int t = 0; t < n; t++)
        for (int c = 0; c < d; c++) out[t * d + c] = wte[tok[t] * d + c] + wpe[t * d + c];
}
void causal_scores(int n, int d, float scale, const float *q, const float *k, float *s) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float a = 0;
            for (int c = 0; c < d; c++) a += q[i * d + c] * k[j * d + c];
            s[i * n + j] = j <= i ? a * scale : -1e30f;
        }
}
void top1(int rows, int cols, const float *x, int *idx, float *val) {
    for (int r = 0; r < rows; r++) {
        int b = 0;
        float v = x[r * cols];
        for (int c = 1; c < cols; c++)
            if (x[r * cols + c] > v) v = x[r * cols + c], b = c;
        idx[r] = b;
        val[r] = v;
    }
}
void qgemm(int M, int N, int K, float scale, const signed char *A, const signed char *B, float *C) {
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int acc = 0;
            for (int k = 0; k < K; k++) acc += (int)A[i * K + k] * (int)B[j * K + k];
            C[i * N + j] = acc * scale;
        }
}
void deconv1d(int n, int K, const float *x, const float *w, float *y) {
    for (int i = 0; i < n + K - 1; i++) {
        float s = 0;
        for (int k = 0; k < K; k++)
            if (i - k >= 0 && i - k < n) s += x[i - k] * w[k];
        y[i] = s;
    }
}
void seg_sum(int nseg, const int *start, const float *x, float *y) {
    for (int s = 0; s < nseg; s++) {
        float a = 0;
        for (int i = start[s]; i < start[s + 1]; i++) a += x[i];
        y[s] = a;
    }
}
void asum(int n, const float *x, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    out[0] = s;
}
void hotspot_step(int rows, int cols, float cap, float rx, float ry, float rz, float amb,
                  const float *p, const float *t, float *o) {
    for (int r = 1; r < rows - 1; r++)
        for (int c = 1; c < cols - 1; c++)
            o[r * cols + c] = t[r * cols + c] + cap * (p[r * cols + c] + (t[(r + 1) * cols + c] +
                t[(r - 1) * cols + c] - 2.0f * t[r * cols + c]) * ry + (t[r * cols + c + 1] + t[r *
                cols + c - 1] - 2.0f * t[r * cols + c]) * rx + (amb - t[r * cols + c]) * rz);
}
void mvt1(int n, const double *a, const double *y, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += a[i * n + j] * y[j];
}
void correlation_mean(int m, int n, const float *data, float *mean) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0f;
        for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
        mean[j] /= (float)n;
    }
}
void rms(int rows, int cols, float eps, const float *x, const float *w, float *y) {
    for (int r = 0; r < rows; r++) {
        float ss = 0;
        for (int c = 0; c < cols; c++) ss += x[r * cols + c] * x[r * cols + c];
        float inv = 1.0f / sqrtf(ss / cols + eps);
        for (int c = 0; c < cols; c++) y[r * cols + c] = x[r * cols + c] * inv * w[c];
    }
}
void murmur_mix(int n, const unsigned *x, unsigned *y) {
    for (int i = 0; i < n; i++) {
        unsigned h = x[i];
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        y[i] = h;
    }
}
void maxpool(int C, int H, int W, const float *x, float *y) {
    for (int c = 0; c < C; c++)
        for (int h = 0; h < H / 2; h++)
            for (int w = 0; w < W / 2; w++) {
                float m = x[(c * H + 2 * h) * W + 2 * w];
                m = fmaxf(m, x[(c * H + 2 * h) * W + 2 * w + 1]);
                m = fmaxf(m, x[(c * H + 2 * h + 1) * W + 2 * w]);
                m = fmaxf(m, x[(c * H + 2 * h + 1) * W + 2 * w + 1]);
                y[(c * (H / 2) + h) * (W / 2) + w] = m;
            }
}
void xent(int rows, int V, const float *logits, const int *target, float *loss) {
    for (int r = 0; r < rows; r++) {
        float m = -INFINITY, s = 0;
        for (int c = 0; c < V; c++) m = fmaxf(m, logits[r * V + c]);
        for (int c = 0; c < V; c++) s += expf(logits[r * V + c] - m);
        loss[r] = logf(s) - (logits[r * V + target[r]] - m);
    }
}
void backprop_adjust(int in, int hid, const float *delta, const float *ly, float *w, float *oldw) {
    for (int j = 1; j <= hid; j++)
        for (int i = 0; i <= in; i++) {
            float d = 0.3f * delta[j] * ly[i] + 0.3f * oldw[i * (hid + 1) + j];
            w[i * (hid + 1) + j] += d;
            oldw[i * (hid + 1) + j] = d;
        }
}
void matvec_rows(int m, int n, const float *A, const float *x, float *y) {
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) s += A[i * n + j] * x[j];
        y[i] = s;
    }
}
void dequant(int rows, int cols, const unsigned char *q, const float *scale, const float *zero, float *y) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) y[r * cols + c] = ((float)q[r * cols + c] - zero[r]) * scale[r];
}
void residual_drop(int n, float keep, const float *x, const float *res, const unsigned char *mask, float *y) {
    for (int i = 0; i < n; i++) y[i] = res[i] + (mask[i] ? x[i] / keep : 0.0f);
}

// ---- clamps, filled rows, a stranger's habits -------------------------------------------------------
void brighten(int n, int delta, const unsigned char *in, unsigned char *out) {
    for (int i = 0; i < n; i++) {
        int v = in[i] + delta;
        out[i] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
void hist_ints(int n, const unsigned char *data, int *bins) {
    for (int i = 0; i < n; i++) bins[data[i]] += 1;
}
void nbody_soa(int n, float eps, const float *x, const float *y, const float *z, const float *m, float *ax,
               float *ay, float *az) {
    for (int i = 0; i < n; i++) {
        float fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d = dx * dx + dy * dy + dz * dz + eps;
            float inv = 1.0f / sqrtf(d);
            float f = m[j] * inv * inv * inv;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}
void rope_two_halves(int seq, int heads, int half, const float *cs, const float *sn, float *q) {
    for (int t = 0; t < seq; t++)
        for (int h = 0; h < heads; h++)
            for (int d = 0; d < half; d++) {
                float a = q[(t * heads + h) * (2 * half) + d], b = q[(t * heads + h) * (2 * half) + half + d];
                q[(t * heads + h) * (2 * half) + d] = a * cs[t * half + d] - b * sn[t * half + d];
                q[(t * heads + h) * (2 * half) + half + d] = b * cs[t * half + d] + a * sn[t * half + d];
            }
}
void softmax_rows(int rows, int cols, const float *x, float *y) {
    for (int i = 0; i < rows; i++) {
        float m = -INFINITY;
        for (int j = 0; j < cols; j++) m = fmaxf(m, x[i * cols + j]);
        float s = 0.0f;
        for (int j = 0; j < cols; j++) s += expf(x[i * cols + j] - m);
        for (int j = 0; j < cols; j++) y[i * cols + j] = expf(x[i * cols + j] - m) / s;
    }
}
void silu(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i] / (1.0f + expf(-x[i]));
}
void sobel_bytes(int w, int h, const unsigned char *in, unsigned char *out) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int gx = -in[(y - 1) * w + x - 1] + in[(y - 1) * w + x + 1] - 2 * in[y * w + x - 1] +
                     2 * in[y * w + x + 1] -
                     in[(y + 1) * w + x - 1] + in[(y + 1) * w + x + 1];
            int gy = -in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1] +
                     in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1];
            int g = abs(gx) + abs(gy);
            out[y * w + x] = g > 255 ? 255 : g;
        }
}
void dot_one(int n, const float *a, const float *b, float *out) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    out[0] = s;
}
void transpose_rc(int rows, int cols, const float *in, float *out) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) out[j * rows + i] = in[i * cols + j];
}
void depthwise3(int C, int H, int W, const float *x, const float *k, const float *b, float *y) {
    for (int c = 0; c < C; c++)
        for (int h = 0; h < H; h++)
            for (int w = 0; w < W; w++) {
                float s = b[c];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        if (h + i - 1 >= 0 && h + i - 1 < H && w + j - 1 >= 0 && w + j - 1 < W)
                            s += x[(c * H + h + i - 1) * W + w + j - 1] * k[c * 9 + i * 3 + j];
                y[(c * H + h) * W + w] = s;
            }
}
void l1_rows(int n, int m, int d, const float *a, const float *b, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < d; k++) s += fabsf(a[i * d + k] - b[j * d + k]);
            out[i * m + j] = s;
        }
}
void dequant_gemv(int N, int K, const signed char *W, const float *scale, const float *x, float *y) {
    for (int i = 0; i < N; i++) {
        float s = 0;
        for (int k = 0; k < K; k++) s += (float)W[i * K + k] * x[k];
        y[i] = s * scale[i];
    }
}
void histogram256(int n, const unsigned char *x, unsigned *h) {
    for (int i = 0; i < n; i++) h[x[i]] += 1;
}
void bias_gelu_residual(int rows, int cols, const float *x, const float *bias, const float *res, float *y) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float v = x[i * cols + j] + bias[j];
            float g = 0.5f * v * (1.0f + erff(v * 0.70710678f));
            y[i * cols + j] = g + res[i * cols + j];
        }
}
void geglu(int rows, int F, const float *x, float *y) {
    for (int r = 0; r < rows; r++)
        for (int f = 0; f < F; f++) {
            float a = x[r * 2 * F + f], b = x[r * 2 * F + F + f];
            y[r * F + f] = 0.5f * a * (1.0f + erff(a * 0.70710678f)) * b;
        }
}
void bitonic_step(int n, int j, int k, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        int p = i ^ j;
        float a = x[i], b = x[p];
        int up = (i & k) == 0, low = i < p;
        y[i] = up == low ? fminf(a, b) : fmaxf(a, b);
    }
}
void kv_append(int B, int H, int D, int T, int pos, const float *k, float *cache) {
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int d = 0; d < D; d++) cache[((b * H + h) * T + pos) * D + d] = k[(b * H + h) * D + d];
}
void copy_floats(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = x[i];
}
void histogram256_zero(int n, const unsigned char *x, unsigned *h) {
    for (int i = 0; i < 256; i++) h[i] = 0;
    for (int i = 0; i < n; i++) h[x[i]] += 1;
}
void attention_rows(int n, int d, float sc, const float *q, const float *k, const float *v, float *o) {
    for (int i = 0; i < n; i++) {
        float mx = -INFINITY, l = 0.0f;
        for (int j = 0; j < n; j++) {
            float s = 0.0f;
            for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
            mx = fmaxf(mx, s * sc);
        }
        for (int j = 0; j < n; j++) {
            float s = 0.0f;
            for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
            l += expf(s * sc - mx);
        }
        for (int c = 0; c < d; c++) {
            float a = 0.0f;
            for (int j = 0; j < n; j++) {
                float s = 0.0f;
                for (int e = 0; e < d; e++) s += q[i * d + e] * k[j * d + e];
                a += expf(s * sc - mx) / l * v[j * d + c];
            }
            o[i * d + c] = a;
        }
    }
}

// ---- in the styles of Rodinia, SHOC and PolyBench/GPU ----------------------------------------
void hotspot_too(int rows, int cols, float cap, float rx, float ry, float rz, float amb,
                 const float *temp, const float *power, float *out) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float c = temp[i * cols + j];
            float n = i > 0 ? temp[(i - 1) * cols + j] : c;
            float s = i < rows - 1 ? temp[(i + 1) * cols + j] : c;
            float w = j > 0 ? temp[i * cols + j - 1] : c;
            float e = j < cols - 1 ? temp[i * cols + j + 1] : c;
            out[i * cols + j] = c + cap * (power[i * cols + j] + (s + n - 2.0f * c) * ry + (e
                + w - 2.0f * c) * rx + (amb - c) * rz);
        }
}
void pathfinder_row_too(int cols, const int *wall, const int *src, int *dst) {
    for (int j = 0; j < cols; j++) {
        int m = src[j];
        if (j > 0 && src[j - 1] < m) m = src[j - 1];
        if (j < cols - 1 && src[j + 1] < m) m = src[j + 1];
        dst[j] = wall[j] + m;
    }
}
void nn_dist_too(int n, float lat, float lng, const float *la, const float *lo, float *d) {
    for (int i = 0; i < n; i++) d[i] = sqrtf((lat - la[i]) * (lat - la[i]) + (lng - lo[i]) * (lng - lo[i]));
}
void srad_grad(int n, int m, const float *J, float *dN, float *dW) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            dN[i * m + j] = J[(i == 0 ? 0 : i - 1) * m + j] - J[i * m + j];
            dW[i * m + j] = J[i * m + (j == 0 ? 0 : j - 1)] - J[i * m + j];
        }
}
void gesummv_too(int n, float alpha, float beta, const float *A, const float *B, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = 0, s = 0;
        for (int j = 0; j < n; j++) {
            t += A[i * n + j] * x[j];
            s += B[i * n + j] * x[j];
        }
        y[i] = alpha * t + beta * s;
    }
}
void mvt2_too(int n, const float *a, const float *y2, float *x2) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] += a[j * n + i] * y2[j];
}
void syr2k_too(int n, int m, float alpha, float beta, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] *= beta;
            for (int k = 0; k < m; k++)
                c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
        }
}
void gramschmidt_norm(int m, int n, int k, const float *A, float *nrm) {
    float s = 0;
    for (int i = 0; i < m; i++) s += A[i * n + k] * A[i * n + k];
    nrm[0] = sqrtf(s);
}
void covar_center(int n, int m, const float *mean, float *data) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) data[i * m + j] -= mean[j];
}
void adi_col(int n, int steps, const float *A, float *X, float *B) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++) {
            X[i * n + j] = X[i * n + j] - X[(i - 1) * n + j] * A[i * n + j] / B[(i - 1) * n + j];
            B[i * n + j] = B[i * n + j] - A[i * n + j] * A[i * n + j] / B[(i - 1) * n + j];
        }
}
void triad_too(int n, float s, const float *b, const float *c, float *a) {
    for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
void md_force(int n, float cutsq, const float *x, const float *y, const float *z, float *fx) {
    for (int i = 0; i < n; i++) {
        float f = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutsq && j != i) f += dx * r2;
        }
        fx[i] = f;
    }
}
void rowmax(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = x[i * m];
        for (int j = 1; j < m; j++) t = fmaxf(t, x[i * m + j]);
        y[i] = t;
    }
}
void rowsum_too(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = 0;
        for (int j = 0; j < m; j++) t += x[i * m + j];
        y[i] = t;
    }
}
void l2norm(int n, int m, float eps, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = 0;
        for (int j = 0; j < m; j++) t += x[i * m + j] * x[i * m + j];
        for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] / sqrtf(t + eps);
    }
}
void axpy4(int n, float a, const float *x, float *y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
void conv5(int n, int m, const float *k, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++) {
                    int r = i + p - 2, c = j + q - 2;
                    if (r >= 0 && r < n && c >= 0 && c < m) s += k[p * 5 + q] * x[r * m + c];
                }
            y[i * m + j] = s;
        }
}
void hist(int n, const unsigned char *x, int *h) {
    for (int i = 0; i < n; i++) h[x[i]] += 1;
}
void rope_too(int s, int d, const float *cs, const float *sn, float *q) {
    for (int i = 0; i < s; i++)
        for (int j = 0; j < d; j++) {
            float a = q[i * 2 * d + j], b = q[i * 2 * d + d + j];
            q[i * 2 * d + j] = a * cs[i * d + j] - b * sn[i * d + j];
            q[i * 2 * d + d + j] = b * cs[i * d + j] + a * sn[i * d + j];
        }
}
void swiglu_too(int n, int d, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            float g = x[i * 2 * d + j];
            y[i * d + j] = g / (1.0f + expf(-g)) * x[i * 2 * d + d + j];
        }
}
void gemv_t(int m, int n, const float *A, const float *x, float *y) {
    for (int j = 0; j < n; j++) {
        float s = 0;
        for (int i = 0; i < m; i++) s += A[i * n + j] * x[i];
        y[j] = s;
    }
}
void upsample2_too(int h, int w, const float *x, float *y) {
    for (int i = 0; i < 2 * h; i++)
        for (int j = 0; j < 2 * w; j++) y[i * 2 * w + j] = x[(i / 2) * w + j / 2];
}
void maxpool_too(int h, int w, const float *x, float *y) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float m = x[(2 * i) * (2 * w) + 2 * j];
            m = fmaxf(m, x[(2 * i) * (2 * w) + 2 * j + 1]);
            m = fmaxf(m, x[(2 * i + 1) * (2 * w) + 2 * j]);
            m = fmaxf(m, x[(2 * i + 1) * (2 * w) + 2 * j + 1]);
            y[i * w + j] = m;
        }
}
void embed_add(int n, int d, const int *id, const float *tok, const float *pos, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) y[i * d + j] = tok[id[i] * d + j] + pos[i * d + j];
}
void dot_too(int n, const float *a, const float *b, float *out) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    out[0] = s;
}
void matmul_too(int n, const float *A, const float *B, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
}
void argmax(int n, int m, const float *x, int *idx) {
    for (int i = 0; i < n; i++) {
        float best = x[i * m];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[i * m + j] > best) best = x[i * m + j], at = j;
        idx[i] = at;
    }
}
void imin_too(int n, const int *x, int *out) {
    int m = x[0];
    for (int i = 1; i < n; i++) m = x[i] < m ? x[i] : m;
    out[0] = m;
}
void clamp(int n, float lo, float hi, float *x) {
    for (int i = 0; i < n; i++) x[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
}
void softmax_too(int n, int m, const float *x, float *y) {
    for (int i = 0; i < n; i++) {
        float t = x[i * m];
        for (int j = 1; j < m; j++) t = fmaxf(t, x[i * m + j]);
        float s = 0;
        for (int j = 0; j < m; j++) s += expf(x[i * m + j] - t);
        for (int j = 0; j < m; j++) y[i * m + j] = expf(x[i * m + j] - t) / s;
    }
}
void fdtd_step(int n, int m, const float *ey, const float *ex, float *hz) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
            hz[i * m + j] = hz[i * m + j] - 0.7f * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i
                + 1) * m + j] - ey[i * m + j]);
}
void row_imax(int n, int m, const unsigned *x, unsigned *y) {
    for (int i = 0; i < n; i++) {
        unsigned t = 0;
        for (int j = 0; j < m; j++) t = x[i * m + j] > t ? x[i * m + j] : t;
        y[i] = t;
    }
}

// ---- the place of a greatest value --------------------------------------------------------------
void argmax_all(int n, const float *x, float *best_out, int *at_out) {
    float best = x[0];
    int at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > best) { best = x[i]; at = i; }
    best_out[0] = best;
    at_out[0] = at;
}
void argmax_begun(int n, int m, const float *x, int *idx) {
    for (int i = 0; i < n; i++) {
        float best = -INFINITY;
        int at = -1;
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > best) { best = x[i * m + j]; at = j; }
        idx[i] = at;
    }
}
void argmin_first(int n, int m, const float *x, int *idx) {
    for (int i = 0; i < n; i++) {
        float best = x[i * m];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[i * m + j] < best) { best = x[i * m + j]; at = j; }
        idx[i] = at;
    }
}
void argmax_last(int n, int m, const float *x, int *idx) {
    for (int i = 0; i < n; i++) {
        float best = x[i * m];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (x[i * m + j] >= best) { best = x[i * m + j]; at = j; }
        idx[i] = at;
    }
}
void argmax_vi(int n, int m, const float *x, float *val, int *idx) {
    for (int i = 0; i < n; i++) {
        float best = x[i * m];
        int at = 0;
        for (int j = 0; j < m; j++) {
            float v = x[i * m + j];
            if (v > best) {
                best = v;
                at = j;
            }
        }
        val[i] = best;
        idx[i] = at;
    }
}
void nearest_center(int n, int k, const float *px, const float *py, const float *cx, const float *cy,
                    int *lab) {
    for (int i = 0; i < n; i++) {
        float best = FLT_MAX;
        int at = -1;
        for (int c = 0; c < k; c++) {
            float dx = px[i] - cx[c], dy = py[i] - cy[c];
            float d = dx * dx + dy * dy;
            if (d < best) { best = d; at = c; }
        }
        lab[i] = at;
    }
}
void iargmin(int n, const int *x, int *at_out) {
    int best = x[0], at = 0;
    for (int i = 1; i < n; i++)
        if (x[i] < best) { best = x[i]; at = i; }
    at_out[0] = at;
}

// ---- prefix sums ---------------------------------------------------------------------------------
void prefix_sums(int n, const int *x, int *y) {
    int s = 0;
    for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }
}
void prefix_before(int n, const int *x, int *y) {
    int s = 0;
    for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; }
}
void prefix_sums_float(int n, const float *x, float *y) {
    float s = 0;
    for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }
}
void prefix_rows(int n, const int *x, int *y) {
    for (int b = 0; b < n; b++) {
        int s = 0;
        for (int i = 0; i < 128; i++) { s += x[b * 128 + i]; y[b * 128 + i] = s; }
    }
}
void prefix_rows_before(int n, const int *x, int *y) {
    for (int b = 0; b < n; b++) {
        int s = 0;
        for (int i = 0; i < 128; i++) { y[b * 128 + i] = s; s += x[b * 128 + i]; }
    }
}
void prefix_before_float(int n, const float *x, float *y) {
    float s = 0;
    for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; }
}
void prefix_any_rows_before(int n, int m, const int *x, int *y) {
    for (int b = 0; b < n; b++) {
        int s = 0;
        for (int i = 0; i < m; i++) { y[b * m + i] = s; s += x[b * m + i]; }
    }
}
