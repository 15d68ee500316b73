// SPDX-License-Identifier: MIT
// entropy.c -- the gradient of a cross entropy: softmax of each row, less one at the row's label.
#include "kind.h"

#if SPELLING == 1 // rows of arrays with two subscripts
static void gradient(int n, int m, const float (*x)[m], const int *label, float (*g)[m]) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float most = x[i][0], sum = 0;
#pragma acc loop reduction(max : most)
        for (int j = 1; j < m; j++)
            if (x[i][j] > most) most = x[i][j];
#pragma acc loop reduction(+ : sum)
        for (int j = 0; j < m; j++) sum += expf(x[i][j] - most);
        for (int j = 0; j < m; j++) g[i][j] = expf(x[i][j] - most) / sum;
        g[i][label[i]] -= 1;
    }
}
#elif SPELLING == 2 // one subscript, and nobody says that a label is in its row
static void gradient(int n, int m, const float *x, const int *label, float *g) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        float most = x[i * m];
        for (int j = 1; j < m; j++) most = x[i * m + j] > most ? x[i * m + j] : most;
        float sum = 0;
        for (int j = 0; j < m; j++) sum += expf(x[i * m + j] - most);
        for (int j = 0; j < m; j++) g[i * m + j] = expf(x[i * m + j] - most) / sum;
        g[i * m + label[i]] -= 1;
    }
}
#elif SPELLING == 4 // what the mark vouches for, and the sum of the losses
static double lost;
static void gradient(int n, int m, const float *x, const int *label, float *g) {
    double loss = 0;
#pragma omp target teams distribute parallel for reduction(+ : loss)
    for (int i = 0; i < n; i++) {
        float most = x[i * m], sum = 0;
        for (int j = 1; j < m; j++)
            if (x[i * m + j] > most) most = x[i * m + j];
        for (int j = 0; j < m; j++) sum += expf(x[i * m + j] - most);
        loss += logf(sum) + most - x[i * m + label[i]];
        for (int j = 0; j < m; j++) g[i * m + j] = expf(x[i * m + j] - most) / sum;
        g[i * m + label[i]] -= 1;
    }
    lost = loss;
}
#else // pointers to rows, terms that are kept
static void gradient(int n, int m, const float *x, const int *label, float *g) {
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        const float *row = x + (size_t)i * m;
        float *out = g + (size_t)i * m, most = row[0], sum = 0;
        for (int j = 1; j < m; j++) most = fmaxf(most, row[j]);
        for (int j = 0; j < m; j++) {
            out[j] = expf(row[j] - most);
            sum += out[j];
        }
        for (int j = 0; j < m; j++) out[j] /= sum;
        out[label[i]] -= 1;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("entropy", argc, argv);
    int n = kind_size(32768, 301), m = kind_size(1000, 77);
    size_t all = (size_t)n * m;
    float *x = kind_floats(all, 1), *g = kind_floats(all, 2);
    int *label = kind_array(n * sizeof *label);
    for (int i = 0; i < n; i++) label[i] = kind_pick(i, m);
#pragma acc enter data copyin(x[0 : all], label[0 : n]) create(g[0 : all])
    while (kind_again()) {
        gradient(n, m, (void *)x, label, (void *)g);
#pragma acc update self(g[0 : 1])
    }
#pragma acc exit data delete(x[0 : all], label[0 : n]) copyout(g[0 : all])
    for (int s = 0; s < 2000; s++) {
        int i = kind_pick(2 * s, n), j = s % 4 ? kind_pick(2 * s + 1, m) : label[i];
        double sum = 0;
        for (int k = 0; k < m; k++) sum += exp((double)x[(size_t)i * m + k]);
        kind_compare(g[(size_t)i * m + j], exp((double)x[(size_t)i * m + j]) / sum - (j == label[i]), 1);
    }
#if SPELLING == 4
    double all_lost = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < m; k++) sum += exp((double)x[(size_t)i * m + k]);
        all_lost += log(sum) - x[(size_t)i * m + label[i]];
    }
    kind_compare(lost, all_lost, 1);
#endif
    return kind_end(8.0 * all, "GB/s", 1e-5);
}
