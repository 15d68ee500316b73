// SPDX-License-Identifier: MIT
// kept.c -- kept FOLDER: what was measured is kept there, found again, and replaced by what is measured
// later; lines of other hosts and settings stay and count for nothing.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool blas_crossover_keep(int n, const char *const *routine, const double *from);
double blas_crossover(const char *routine, int level);
void blas_crossover_is(double operations);

static int wrong;

static void check(bool ok, const char *what) {
    if (!ok) printf("WRONG: %s\n", what);
    wrong += !ok;
}

int main(int argc, char **argv) {
    if (argc < 2) return puts("usage: kept FOLDER"), 2;
    char path[1000], text[2000] = "";
    setenv("SCULPT_CACHE_DIR", argv[1], 1);
    unsetenv("SCULPT_BLAS_CROSSOVER");
    snprintf(path, sizeof path, "%s/blas.crossover", argv[1]);
    FILE *f = fopen(path, "w");
    if (!f) return perror(path), 2;
    fputs("elsewhere cuda - sgemm 5\nnonsense\n", f);
    fclose(f);
    const char *const first[] = {"sgemm", "dgemm", "sgemv"}, *const second[] = {"sgemm", "ssyrk", "saxpy"};
    check(blas_crossover_keep(3, first, (const double[]){1, 2, 3}), "it is kept");
    check(blas_crossover_keep(3, second, (const double[]){1e6, 2e7, INFINITY}), "and again");
    check((f = fopen(path, "r")) && fread(text, 1, sizeof text - 1, f) > 0, "it is there");
    fclose(f);
    check(strstr(text, "elsewhere cuda - sgemm 5\n") && !strstr(text, "dgemm"), "lines of others stay");
    check(blas_crossover("sgemm_", 3) == 1e6 && blas_crossover("ssyrk_", 3) == 2e7, "what was measured");
    check(blas_crossover("ssymm_", 3) == 1e6, "another of its level");
    check(blas_crossover("isamax_", 1) > 1e300, "never");
    check(blas_crossover("dgemm_", 3) == 1e8 && blas_crossover("sgbmv_", 2) == 1e8, "what was not measured");
    blas_crossover_is(0);
    check(blas_crossover("sgemm_", 3) == 0, "as it is told");
    puts(wrong ? "wrong" : "right");
    return wrong > 0;
}
