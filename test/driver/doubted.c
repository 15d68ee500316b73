// doubted.c -- rows as a mark allows them in any order, though they do not lie in order: a nest that has this
// promised may not run, another one does.  doubted rising: they do lie in order
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4096, HALF = 16 * ROWS };

static void scale(int n, const int *restrict row, float *restrict x, const float *restrict f) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++) x[k] = x[k] * f[i] + 1;
}

int main(int argc, char **argv) {
    (void)argv;
    static int row[ROWS + 1];
    static float x[2 * HALF], f[ROWS];
    long wrong = 0;
    for (int i = 0; i < ROWS; i++) f[i] = (float)(i % 3);
    for (int i = 0; i <= ROWS; i++)
        if (argc > 1) row[i] = 16 * (i <= ROWS / 2 ? i : ROWS / 2 - 1 + i); // the same place is the last
        else row[i] = 16 * (i < ROWS / 2 ? ROWS + i : i - ROWS / 2);
    for (int k = 0; k < 2 * HALF; k++) x[k] = (float)(k % 5);
    scale(ROWS, row, x, f);
    for (int i = 0; i < ROWS; i++)
        for (int k = row[i]; k < row[i + 1]; k++) wrong += x[k] != (float)(k % 5) * f[i] + 1;
    printf("%ld wrong\n", wrong);
    return wrong != 0;
}
