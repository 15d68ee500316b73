// calls.c -- functions that can be inlined, and those that can't.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double elsewhere(double x);
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static double square(double x) { return x * x; }

void unknown(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(a[i]);
#pragma endscop
}
void prints(int n, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        printf("%d", i);
    }
}
void allocates(int n, double **a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = malloc(8);
}
void calls_itself(int n, int *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = factorial(a[i]);
#pragma endscop
}
void through_pointer(int n, double *a, double (*f)(double)) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
#pragma endscop
}
void inlined(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = square(a[i]) + sin(a[i]);
#pragma endscop
}
void asserts(int n, int *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        assert(a[i] >= 0);
        a[i] += 1;
    }
#pragma endscop
}
#define REPLACEABLE __attribute__((weak))
REPLACEABLE double replaced(double x) { return x + 1; }
void calls_weak(int n, double *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = replaced(a[i]);
#pragma endscop
}
// device 1

// remark 7:54 'factorial' calls itself; write it as a loop
// remark 13:16 'elsewhere' may do anything: its text is not in this file
// remark 20:9 'printf' is a function of a library that no device has; move the call out of the loop
// remark 26:9 a pointer is changed inside the loop; use the array with a computed subscript
// remark 37:16 a call through a pointer, or of one of several functions that _Generic selects from
// remark 59:16 'replaced' is weak: another may take its place
// remark 49:9 an assert ends the program, which no kernel can
