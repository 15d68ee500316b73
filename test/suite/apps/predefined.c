// device 1
// predefined.c -- the branches of #if that the host's compiler takes, with the values it predefines.
#include "../suite.h"
#include <complex.h>
#include <omp.h>
#include <stdatomic.h>
#include <tgmath.h>
#if defined(__GNUC__) && !defined(__clang__)
#define STEP (__GNUC__ * 100 + __GNUC_MINOR__)
#else
#define STEP 1
#endif
static double a[300];
int main(void) {
#if defined(__clang__) || __GNUC__ >= 5
#pragma omp parallel for
    for (int i = 0; i < 300; i++)
        a[i] = STEP * i + sizeof(__VERSION__) + sqrt((double)i);
#else
    for (int i = 0; i < 300; i++)
        a[i] = i;
#endif
    show_doubles("a", a, 300);
}
