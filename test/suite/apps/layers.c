// device 14
// layers.c -- layers of neural networks, forward and back.
#include "../suite.h"
static void conv2d(int N, int C, int H, int W, int K, int R, int S, int stride, int pad, const float *x,
                   const float *w, const float *b, float *y) {
    int OH = (H + 2 * pad - R) / stride + 1, OW = (W + 2 * pad - S) / stride + 1;
#pragma omp parallel for collapse(2)
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int oh = 0; oh < OH; oh++)
                for (int ow = 0; ow < OW; ow++) {
                    float s = b[k];
                    for (int c = 0; c < C; c++)
                        for (int r = 0; r < R; r++)
                            for (int q = 0; q < S; q++) {
                                int ih = oh * stride - pad + r, iw = ow * stride - pad + q;
                                if (ih >= 0 && ih < H && iw >= 0 &&
                                    iw < W) s += x[((n * C + c) * H + ih) * W + iw] *
                                    w[((k * C + c) * R + r) * S + q];
                            }
                    y[((n * K + k) * OH + oh) * OW + ow] = s;
                }
}
static void maxpool(int C, int H, int W, const float *x, float *y, int *arg) {
#pragma omp parallel for
    for (int c = 0; c < C; c++)
        for (int i = 0; i < H / 2; i++)
            for (int j = 0; j < W / 2; j++) {
                float m = -INFINITY;
                int at = -1;
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++) {
                        int p = (c * H + 2 * i + a) * W + 2 * j + b;
                        if (x[p] > m) { m = x[p]; at = p; }
                    }
                y[(c * (H / 2) + i) * (W / 2) + j] = m;
                arg[(c * (H / 2) + i) * (W / 2) + j] = at;
            }
}
static void batchnorm(int N, int C, int HW, float *x, const float *gamma, const float *beta, float eps) {
#pragma omp parallel for
    for (int c = 0; c < C; c++) {
        float mean = 0, var = 0;
        for (int n = 0; n < N; n++)
            for (int i = 0; i < HW; i++) mean += x[(n * C + c) * HW + i];
        mean /= N * HW;
        for (int n = 0; n < N; n++)
            for (int i = 0; i < HW; i++) {
                float d = x[(n * C + c) * HW + i] - mean;
                var += d * d;
            }
        var /= N * HW;
        float inv = 1.0f / sqrtf(var + eps);
        for (int n = 0; n < N; n++)
            for (int i = 0; i < HW; i++) x[(n * C + c) * HW + i] = gamma[c] *
                (x[(n * C + c) * HW + i] - mean) * inv + beta[c];
    }
}
static void softmax(int n, int m, const float *x, float *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float max = x[i * m];
        for (int j = 1; j < m; j++) if (x[i * m + j] > max) max = x[i * m + j];
        float sum = 0;
        for (int j = 0; j < m; j++) { y[i * m + j] = expf(x[i * m + j] - max); sum += y[i * m + j]; }
        for (int j = 0; j < m; j++) y[i * m + j] /= sum;
    }
}
static void layernorm(int B, int T, int C, const float *inp, const float *w, const float *b, float *out,
                      float *mean, float *rstd) {
    for (int bb = 0; bb < B; bb++)
#pragma omp parallel for
        for (int t = 0; t < T; t++) {
            const float *x = inp + bb * T * C + t * C;
            float m = 0.0f;
            for (int i = 0; i < C; i++) m += x[i];
            m = m / C;
            float v = 0.0f;
            for (int i = 0; i < C; i++) { float xs = x[i] - m; v += xs * xs; }
            v = v / C;
            float s = 1.0f / sqrtf(v + 1e-5f);
            float *o = out + bb * T * C + t * C;
            for (int i = 0; i < C; i++) o[i] = s * (x[i] - m) * w[i] + b[i];
            mean[bb * T + t] = m;
            rstd[bb * T + t] = s;
        }
}
static void attention(int B, int T, int C, int NH, const float *qkv, float *pre, float *att, float *out) {
    int C3 = C * 3, hs = C / NH;
    float scale = 1.0f / sqrtf(hs);
#pragma omp parallel for collapse(3)
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++)
            for (int h = 0; h < NH; h++) {
                const float *q = qkv + b * T * C3 + t * C3 + h * hs;
                float *p = pre + b * NH * T * T + h * T * T + t * T,
                    *a = att + b * NH * T * T + h * T * T + t * T;
                float maxval = -10000.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *k = qkv + b * T * C3 + t2 * C3 + h * hs + C;
                    float val = 0.0f;
                    for (int i = 0; i < hs; i++) val += q[i] * k[i];
                    val *= scale;
                    if (val > maxval) maxval = val;
                    p[t2] = val;
                }
                float expsum = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    float ev = expf(p[t2] - maxval);
                    expsum += ev;
                    a[t2] = ev;
                }
                float inv = expsum == 0.0f ? 0.0f : 1.0f / expsum;
                for (int t2 = 0; t2 < T; t2++) {
                    if (t2 <= t) a[t2] *= inv;
                    else a[t2] = 0.0f;
                }
                float *o = out + b * T * C + t * C + h * hs;
                for (int i = 0; i < hs; i++) o[i] = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *v = qkv + b * T * C3 + t2 * C3 + h * hs + C * 2;
                    float w = a[t2];
                    for (int i = 0; i < hs; i++) o[i] += w * v[i];
                }
            }
}
static void linear(int B, int in, int out, const float *x, const float *w, const float *bias, float *y) {
#pragma omp parallel for collapse(2)
    for (int b = 0; b < B; b++)
        for (int o = 0; o < out; o++) {
            float v = bias != NULL ? bias[o] : 0.0f;
            for (int i = 0; i < in; i++) v += x[b * in + i] * w[o * in + i];
            y[b * out + o] = v;
        }
}
static void linear_back(int B, int in, int out, const float *dy, const float *x, const float *w, float *dx,
                        float *dw, float *db) {
#pragma omp parallel for
    for (int b = 0; b < B; b++)
        for (int o = 0; o < out; o++)
            for (int i = 0; i < in; i++) dx[b * in + i] += w[o * in + i] * dy[b * out + o];
#pragma omp parallel for
    for (int o = 0; o < out; o++)
        for (int b = 0; b < B; b++) {
            float d = dy[b * out + o];
            db[o] += d;
            for (int i = 0; i < in; i++) dw[o * in + i] += x[b * in + i] * d;
        }
}
static float xent(int n, int m, const float *p, const int *t) {
    float loss = 0;
#pragma omp parallel for reduction(+:loss)
    for (int i = 0; i < n; i++) loss -= logf(p[i * m + t[i]] + 1e-9f);
    return loss / n;
}
static void gelu(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float v = x[i], cube = 0.044715f * v * v * v;
        y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + cube)));
    }
}
static inline float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
static void lstm(int B, int Hs, const float *gates, float *c, float *h) {
#pragma omp parallel for
    for (int b = 0; b < B; b++)
        for (int j = 0; j < Hs; j++) {
            const float *g = &gates[b * 4 * Hs];
            float i = sigmoid(g[j]), f = sigmoid(g[Hs + j]), u = tanhf(g[2 * Hs + j]),
                o = sigmoid(g[3 * Hs + j]);
            c[b * Hs + j] = f * c[b * Hs + j] + i * u;
            h[b * Hs + j] = o * tanhf(c[b * Hs + j]);
        }
}
static void embed(int B, int T, int C, const int *tok, const float *wte, const float *wpe, float *out) {
    for (int b = 0; b < B; b++)
#pragma omp parallel for
        for (int t = 0; t < T; t++) {
            float *o = out + b * T * C + t * C;
            int ix = tok[b * T + t];
            for (int i = 0; i < C; i++) o[i] = wte[ix * C + i] + wpe[t * C + i];
        }
}
static void adam(int n, float *p, const float *g, float *m, float *v, float lr, float b1, float b2, int t) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        m[i] = b1 * m[i] + (1 - b1) * g[i];
        v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
        float mh = m[i] / (1 - powf(b1, t)), vh = v[i] / (1 - powf(b2, t));
        p[i] -= lr * mh / (sqrtf(vh) + 1e-8f);
    }
}
int main(void) {
    suite_use();
    static float x[8000], w[8000], b[200], y[8000], z[8000], o[8000]; static int arg[4000];
    fill_floats(x, 8000); fill_floats(w, 8000); fill_floats(b, 200);
    conv2d(2, 3, 12, 13, 5, 3, 3, 1, 1, x, w, b, y); show_floats("conv", y, 2 * 5 * 12 * 13);
    conv2d(2, 3, 12, 13, 5, 3, 3, 2, 0, x, w, b, y); show_floats("conv2", y, 2 * 5 * 5 * 6);
    maxpool(5, 12, 14, x, y, arg); show_floats("pool", y, 5 * 42); show_ints("pool", arg, 210);
    memcpy(z, x, sizeof z); batchnorm(3, 4, 50, z, w, b, 1e-5f); show_floats("bn", z, 600);
    softmax(20, 33, x, y); show_floats("softmax", y, 660);
    layernorm(2, 7, 24, x, w, b, y, z, o); show_floats("ln", y, 2 * 7 * 24);
    attention(2, 9, 24, 3, x, y, z, o); show_floats("att", o, 2 * 9 * 24);
    linear(9, 30, 20, x, w, b, y); show_floats("lin", y, 180);
    memset(z, 0, sizeof z); memset(o, 0, sizeof o); memset(y, 0, sizeof y);
    linear_back(9, 30, 20, x, x + 300, w, z, o, y); show_floats("dx", z, 270); show_floats("dw", o, 600);
    show_floats("db", y, 20);
    softmax(20, 33, x, y); for (int i = 0; i < 20; i++) arg[i] = i * 7 % 33;
    printf("xent %.5e\n", xent(20, 33, y, arg));
    gelu(500, x, y); show_floats("gelu", y, 500);
    lstm(6, 17, x, y, z); show_floats("lstm", z, 102);
    embed(2, 9, 11, arg, x, w, y); show_floats("embed", y, 198);
    memset(y, 0, sizeof y); memset(z, 0, sizeof z); adam(300, x, w, y, z, 1e-2f, .9f, .99f, 3);
    show_floats("adam", x, 300);
    return 0;
}
