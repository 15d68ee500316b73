// headers.c -- headers that clang refuses in parts: only what names these parts stays on the host.
#include "gcc_forms.h"
#include <omp.h>
#include <openacc.h>
#include <complex.h>
#include <tgmath.h>
#include <immintrin.h>
#include <assert.h>
#include <stdio.h>
static wide_like odd[64];
static struct with_wide records[64];
void plain(int n, float *a, char *argv[][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = both(i);
}
void odd_array(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = i + (odd[i] > 0);
}
void odd_record(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = records[i].m;
}
void odd_constant(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = AFTER_LIKE;
}
void odd_cast(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = (half_like)a[i];
}
void odd_call(int n, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = only_gcc(i);
}
int nested(int n, float *a) {
    int inner(int x) { return x + n; } // gcc's own extension
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = 3;
    return inner(n);
}
void in_header(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = _mm_cvtss_f32(_mm_load_ss(a + i));
}
int main(int argc, char *argv[][2]) {
    static float a[64];
#pragma scop
    for (int i = 0; i < 64; i++) a[i] = argc;
#pragma endscop
    printf("%g\n", a[argc]);
    assert(a[0] > 0);
    return 0;
}
// flags: -isystem test/marks/system -fopenmp
// device 2

// remark 18:45 this rests on a declaration that clang refuses [SC0001]
// remark 22:40 this rests on a declaration that clang refuses
// remark 26:40 this rests on a declaration that clang refuses
// remark 30:40 this rests on a declaration that clang refuses
// remark 39:5 the loops of this function, from here on, stay on the host, because clang refuses its line 37
// remark 37:22 clang refuses this
// remark 44:40 an argument of '_mm_cvtss_f32' has a type that is not taken
