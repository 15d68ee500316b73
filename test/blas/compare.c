// SPDX-License-Identifier: MIT
// compare.c -- compare OTHER ROUNDS SEED [LARGEST]: each routine of libblas.so.3 against that of another
// library.
#include "compare.h"
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long widest;
static void *library;
static const char *routine;
static Array kept[8];
static int n_kept, failed, compared, largest = 200;
static bool is_wrong, may_be_zero = true; // of level 1: steps
static uint64_t state;

static uint32_t roll(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

void begin(const char *name) {
    routine = name;
    is_wrong = false;
    for (int i = 0; i < n_kept; i++) free(kept[i].ours), free(kept[i].theirs), free(kept[i].before);
    n_kept = 0;
}

void *other(const char *name) {
    void *f = dlsym(library, name);
    if (!f) printf("%s: the other library lacks it\n", name), exit(2);
    return f;
}

char letter(const char *these) { return these[roll(strlen(these))]; }

// Most of them small and odd, some of many tiles.
int size(void) { return roll(8) == 0 ? roll(3) : roll(2) ? 1 + roll(40) : 1 + roll(largest); }

double factor(void) { return roll(4) == 0 ? 0 : roll(3) == 0 ? 1 : 0.25 * (1 + roll(9)) - 1.3; }

int step(bool is_level1) {
    if (is_level1 && may_be_zero && roll(10) == 0) return 0;
    return roll(2) ? 1 : roll(2) ? 1 + (int)roll(3) : -1 - (int)roll(3);
}

int rows(long least) { return (int)((least > 1 ? least : 1) + (roll(2) ? roll(9) : 0)); }

long elements(long n, int inc) { return n > 0 ? 1 + (n - 1) * labs(inc) : 1; }

static void set(void *at, size_t bytes, long i, double v) {
    if (bytes == sizeof(float)) ((float *)at)[i] = (float)v;
    else ((double *)at)[i] = v;
}

static double get(const void *at, size_t bytes, long i) {
    return bytes == sizeof(float) ? ((const float *)at)[i] : ((const double *)at)[i];
}

static void change(Array *a, long i, double v) {
    if (i < 0 || i >= a->n) return;
    set(a->ours, a->bytes, i, v), set(a->theirs, a->bytes, i, v), set(a->before, a->bytes, i, v);
}

Array array(size_t bytes, long n, bool is_unread, bool is_written) {
    if (n < 1) n = 1;
    Array a = {malloc(n * bytes), malloc(n * bytes), malloc(n * bytes), n, bytes, is_written};
    for (long i = 0; i < n; i++) change(&a, i, is_unread ? NAN : (roll(2001) - 1000.0) / 1000);
    return kept[n_kept++] = a;
}

void poison_half(Array *a, long rows, char uplo) {
    for (long j = 0; j < a->n / rows; j++)
        for (long i = 0; i < rows; i++)
            if (uplo == 'U' ? i > j : i < j) change(a, i + j * rows, NAN);
}

// All others become so small that a solution does not grow.
static void shrink(Array *a) {
    for (long i = 0; i < a->n; i++) change(a, i, get(a->ours, a->bytes, i) / widest);
}

void diagonal(Array *a, long rows, long step, long first) {
    shrink(a);
    (void)rows;
    for (long i = first; i < a->n; i += step) change(a, i, 0.75 + roll(64) / 64.0);
}

void diagonal_packed(Array *a, long n, char uplo) {
    shrink(a);
    for (long j = 0; j < n; j++)
        change(a, uplo == 'U' ? j + j * (j + 1) / 2 : j + j * (2 * n - j - 1) / 2, 0.75 + roll(64) / 64.0);
}

void flag(Array *param) { change(param, 0, (int)roll(4) - 2); }

static void wrong(const char *what, long at, double ours, double theirs) {
    if (!is_wrong && failed < 30)
        printf("WRONG %s: %s[%ld] is %.9g, not %.9g\n", routine, what, at, ours, theirs);
    failed += !is_wrong;
    is_wrong = true;
}

static bool is_near(size_t bytes, double ours, double theirs) {
    if (isnan(theirs) || isinf(theirs)) return isnan(theirs) ? isnan(ours) : ours == theirs;
    double eps = bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    return fabs(ours - theirs) <= 4 * eps * (8 + widest) * (1 + fabs(theirs));
}

void same(Array *a, const char *name) {
    for (long i = 0; i < a->n; i++) {
        double ours = get(a->ours, a->bytes, i), theirs = get(a->theirs, a->bytes, i),
               before = get(a->before, a->bytes, i);
        bool stayed = !memcmp((char *)a->theirs + i * a->bytes, (char *)a->before + i * a->bytes, a->bytes);
        if (!a->is_written
                ? memcmp((char *)a->ours + i * a->bytes, (char *)a->before + i * a->bytes, a->bytes)
                : !is_near(a->bytes, ours, theirs) || (stayed && isnan(before) != isnan(ours)))
            wrong(name, i, ours, a->is_written ? theirs : before);
    }
    compared++;
}

void same_result(size_t bytes, double ours, double theirs, bool is_index) {
    if (is_index ? ours != theirs : !is_near(bytes, ours, theirs)) wrong("the result", 0, ours, theirs);
    compared++;
}

#ifdef CUBLAS
int compare(int argc, char **argv) {
    may_be_zero = false;
#else
int main(int argc, char **argv) {
#endif
    if (argc < 4) return puts("usage: compare OTHER ROUNDS SEED [LARGEST]"), 2;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return puts(dlerror()), 2;
    if (argc > 4) largest = atoi(argv[4]);
    for (int round = 0; round < atoi(argv[2]); round++)
        for (int i = 0; tries[i]; i++) {
            state = strtoull(argv[3], NULL, 10) * 1000003 + round * 1009 + i;
            roll(2);
            tries[i]();
        }
    printf("%d arrays and results compared, %d calls wrong\n", compared, failed);
    return failed > 0;
}
