// SPDX-License-Identifier: MIT
// histogram.c -- counts of byte values: many iterations update one element.
//
//   histogram [n]
#include "example.h"

static void count(int n, const unsigned char *restrict data, int *restrict bin) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        bin[data[i]]++;
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 1 << 20);
    unsigned char *data = allocate(n);
    for (int i = 0; i < n; i++) data[i] = (unsigned char)(128 + 127 * uniform() * uniform());
    int bin[256], expect[256];
    for (int b = 0; b < 256; b++) bin[b] = expect[b] = b;
    double start = now();
    count(n, data, bin);
    double seconds = now() - start, worst = 0;
    for (int i = 0; i < n; i++) expect[data[i]]++;
    for (int b = 0; b < 256; b++) worst = fmax(worst, abs(bin[b] - expect[b]));
    free(data);
    return report("histogram", seconds, 0, n, worst, 0);
}
