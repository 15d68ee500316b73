#pragma once
#include "plain.h"
#include "twice.h"
static int sub_line(void) { return __LINE__ + (__FILE__[0] != 0); }
static void add_plain(int n, double *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += PLAIN;
}
