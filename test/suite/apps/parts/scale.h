// Included by included.c.
#ifndef SCALE_H
#define SCALE_H
#include "twice.h"
static void scale(int n, double *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) a[i] = twice(a[i]);
}
#endif
