// SPDX-License-Identifier: MIT
// options.c -- prices of options after Black and Scholes, float.
#include "kind.h"

typedef struct {
    float price, strike, years;
} Option;

#if SPELLING == 1 // the error function
static void price(int n, float rate, float sigma, const float *s, const float *k, const float *t, float *call,
                  float *put) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float root = sqrtf(t[i]),
              d1 = (logf(s[i] / k[i]) + (rate + 0.5f * sigma * sigma) * t[i]) / (sigma * root);
        float d2 = d1 - sigma * root, discount = k[i] * expf(-rate * t[i]);
        float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f);
        call[i] = s[i] * n1 - discount * n2;
        put[i] = discount * (1 - n2) - s[i] * (1 - n1);
    }
}
#else // a polynomial for the normal distribution
static inline float normal(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) *
              (k * (0.319381530f +
                    k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    if (d > 0) c = 1.0f - c;
    return c;
}
#if SPELLING == 2
static void price(int n, float rate, float sigma, const float *s, const float *k, const float *t, float *call,
                  float *put) {
#pragma omp target teams distribute parallel for simd
    for (int i = 0; i < n; i++) {
        float root = sqrtf(t[i]);
        float d1 = (logf(s[i] / k[i]) + (rate + 0.5f * sigma * sigma) * t[i]) / (sigma * root),
              d2 = d1 - sigma * root;
        float n1 = normal(d1), n2 = normal(d2), discount = expf(-rate * t[i]);
        call[i] = s[i] * n1 - k[i] * discount * n2;
        put[i] = k[i] * discount * (1.0f - n2) - s[i] * (1.0f - n1);
    }
}
#else // structs in, structs out
typedef struct {
    float call, put;
} Price;
static void price(int n, float rate, float sigma, const Option *o, Price *p) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        Option x = o[i];
        float root = sqrtf(x.years);
        float d1 = (logf(x.price / x.strike) + (rate + 0.5f * sigma * sigma) * x.years) / (sigma * root),
              d2 = d1 - sigma * root;
        float discount = x.strike * expf(-rate * x.years);
        p[i].call = x.price * normal(d1) - discount * normal(d2);
        p[i].put = discount * normal(-d2) - x.price * normal(-d1);
    }
}
#endif
#endif

int main(int argc, char **argv) {
    kind_begin("options", argc, argv);
    int n = kind_size(1 << 26, 10007), structs = SPELLING == 3;
    float *in = kind_floats((size_t)n * 3, 1), *out = kind_floats((size_t)n * 2, 2);
    size_t member = structs ? 1 : n, item = structs ? 3 : 1, to = structs ? 2 : 1;
    for (size_t i = 0; i < (size_t)n; i++) {
        in[i * item] = 17.5f + 12.5f * in[i * item];
        in[i * item + member] = 50.5f + 49.5f * in[i * item + member];
        in[i * item + 2 * member] = 5.125f + 4.875f * in[i * item + 2 * member];
    }
    size_t ins = (size_t)n * 3, outs = (size_t)n * 2;
#pragma acc enter data copyin(in[0 : ins], out[0 : outs])
    while (kind_again()) {
#if SPELLING == 3
        price(n, 0.02f, 0.3f, (void *)in, (void *)out);
#else
        price(n, 0.02f, 0.3f, in, in + n, in + 2 * (size_t)n, out, out + n);
#endif
#pragma acc update self(out[0 : 1])
    }
#pragma acc exit data delete(in[0 : ins]) copyout(out[0 : outs])
    for (int q = 0; q < 20000; q++) {
        size_t i = kind_pick(q, n);
        double s = in[i * item], k = in[i * item + member], t = in[i * item + 2 * member];
        double d1 = (log(s / k) + (0.02 + 0.045) * t) / (0.3 * sqrt(t)), d2 = d1 - 0.3 * sqrt(t),
               k2 = k * exp(-0.02 * t);
        double n1 = 0.5 * erfc(-d1 * M_SQRT1_2), n2 = 0.5 * erfc(-d2 * M_SQRT1_2);
        kind_compare(out[i * to], s * n1 - k2 * n2, s);
        kind_compare(out[i * to + member], k2 * (1 - n2) - s * (1 - n1), k);
    }
    return kind_end(20.0 * n, "GB/s", 1e-5);
}
