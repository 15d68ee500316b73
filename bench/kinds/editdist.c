// SPDX-License-Identifier: MIT
// editdist.c -- how many changes make one text another: the whole table.
#include "kind.h"

#if SPELLING == 1
static void distance(int n, int m, const char *a, const char *b, int *d) {
#pragma scop
    for (int i = 0; i <= n; i++) d[i * (m + 1)] = i;
    for (int j = 0; j <= m; j++) d[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int change = d[(i - 1) * (m + 1) + j - 1] + (a[i - 1] != b[j - 1]);
            int leave = d[(i - 1) * (m + 1) + j] + 1, insert = d[i * (m + 1) + j - 1] + 1;
            int least = leave < insert ? leave : insert;
            d[i * (m + 1) + j] = change < least ? change : least;
        }
#pragma endscop
}
#elif SPELLING == 2 // arrays of rows, conditions
static void distance(int n, int m, const char *a, const char *b, int (*d)[m + 1]) {
#pragma sculpt
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0) d[i][j] = j;
            else if (j == 0) d[i][j] = i;
            else if (a[i - 1] == b[j - 1]) d[i][j] = d[i - 1][j - 1];
            else {
                int least = d[i - 1][j - 1];
                if (d[i - 1][j] < least) least = d[i - 1][j];
                if (d[i][j - 1] < least) least = d[i][j - 1];
                d[i][j] = least + 1;
            }
        }
}
#else // diagonals on the host, each a marked loop
static void distance(int n, int m, const char *a, const char *b, int (*d)[m + 1]) {
#pragma acc parallel loop
    for (int i = 0; i <= n; i++) d[i][0] = i;
#pragma acc parallel loop
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int s = 2; s <= n + m; s++) {
        int from = s - m > 1 ? s - m : 1, to = s - 1 < n ? s - 1 : n;
#pragma acc parallel loop
        for (int i = from; i <= to; i++) {
            int j = s - i, change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int other = 1 + (d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1]);
            d[i][j] = change < other ? change : other;
        }
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("editdist", argc, argv);
    int n = kind_size(16384, 113), m = kind_size(n, 97);
    size_t all = (size_t)(n + 1) * (m + 1);
    char *a = kind_array(n), *b = kind_array(m);
    for (int i = 0; i < n; i++) a[i] = "ACGT"[kind_bits(1, i) % 4];
    for (int i = 0; i < m; i++) b[i] = "ACGT"[kind_bits(2, i) % 4];
    int *d = kind_array(all * sizeof *d), *row = kind_array((size_t)(m + 1) * sizeof *row);
#pragma acc enter data copyin(a[0 : n], b[0 : m]) create(d[0 : all])
    while (kind_again()) {
        distance(n, m, a, b, (void *)d);
#pragma acc update self(d[0 : 1])
    }
#pragma acc exit data delete(a[0 : n], b[0 : m]) copyout(d[0 : all])
    for (int j = 0; j <= m; j++) kind_compare(d[j], row[j] = j, 1);
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int least = corner + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < least) least = row[j] + 1;
            if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
            corner = row[j], row[j] = least;
            kind_compare(d[(size_t)i * (m + 1) + j], least, 1);
        }
    }
    return kind_end(4.0 * n * m, "GB/s", 0);
}
