// device 2

// says at __ctype_b_loc()[0]
// flags: -fopenmp
// tables.c -- what a loop counts with, and the C library's table of characters.
#include <ctype.h>
void doubled(float *a, float *e, int by) {
#pragma omp parallel for
    for (float *p = a; p < e; p += by)
        *p *= 2;
}
void letters(int n, const char *s, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = isalpha((unsigned char)s[i]) != 0;
}
