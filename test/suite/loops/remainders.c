// SPDX-License-Identifier: MIT
// remainders.c -- subscripts i*n + r in which r is a remainder or a quotient by a size, and may
// leave its row or not.
#include "../suite.h"

static int cell[6000];

static void reset(void) {
    for (int i = 0; i < 6000; i++) cell[i] = -i;
}

__attribute__((noinline)) static void wide_rows(int *a, int n, int m, int rows) { // rows overlap for m > n
#pragma sculpt
    for (int i = 0; i < rows; i++) a[i * n + i % m] = i;
}

__attribute__((noinline)) static void squares(int *a, int n, int m, int rows) {
#pragma sculpt
    for (int i = 0; i < rows; i++) a[i * n + i * i % m] = i;
}

__attribute__((noinline)) static void halves(int *a, int n, int m, int rows) {
#pragma sculpt
    for (int i = 0; i < rows; i++) a[i * n + i / m] = i;
}

// Tile t of a grid of tiles, numbered row by row.
__attribute__((noinline)) static void tiles(int *a, int n, int across, int down) {
    int count = across * down;
#pragma omp parallel for
    for (int t = 0; t < count; t++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) a[n * (i + 4 * (t / across)) + 4 * (t % across) + j] += t;
}

// Blocks along a diagonal: 16*b is known to stay below n only where it runs.
__attribute__((noinline)) static void diagonal(int *a, int n, int blocks) {
#pragma sculpt
    for (int b = 0; b < blocks; b++) {
        int y = blocks - 1 - b;
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) a[n * (16 * y + i + 1) + 16 * b + j + 1] += b + i * j;
    }
}

int main(void) {
#define SHOW(call) (reset(), call, printf("%s\n", #call), show_ints("cell", cell, 6000))
    SHOW(wide_rows(cell, 1, 2, 1000));
    SHOW(wide_rows(cell, 5, 3, 1000));
    SHOW(squares(cell, 1, 5, 1000));
    SHOW(squares(cell, 5, 5, 1000));
    SHOW(halves(cell, 1, 2, 1000));
    SHOW(halves(cell, 50, 2, 100));
    SHOW(tiles(cell, 48, 12, 20));
    SHOW(tiles(cell, 49, 12, 20));
    SHOW(diagonal(cell, 65, 4));
    SHOW(diagonal(cell, 65, 1));
    suite_use();
}
