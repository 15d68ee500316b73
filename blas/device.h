// SPDX-License-Identifier: MIT
// device.h -- what the functions of <sculpt/blas.h> share. Internal to blas/.
#ifndef BLAS_DEVICE_H
#define BLAS_DEVICE_H
#include "core.h"
#include "entry.h"
#include "loops.h"
#include "sculpt/blas.h"
#include <setjmp.h>

enum { OWN_MOST = 6 };

struct sculpt_blas {
    void *stream;
    int order;
    jmp_buf back; // where a call that can't run on the device goes on
    struct {
        void *at;
        size_t bytes;
    } own[OWN_MOST]; // the arrays of the call
    int n;
    char *workspace; // the caller's, of which `used` bytes are this call's
    size_t room, used;
    bool falls_back;  // where it is too small the library's own memory serves
    bool is_captured; // the stream of the call is
    char why[300];
};

int blas_device_begin(sculpt_blas *h, bool has_result); // 0, or what the call returns
int blas_device_end(sculpt_blas *h);
int blas_device_failed(sculpt_blas *h);
// The array of the call, or `count` of them, each so many elements behind the one before.
void blas_own(sculpt_blas *h, const void *p, long elements, long stride, long count, size_t bytes);
// How many pointers of each table, from the first on, are equally far apart, in whole elements.
int64_t blas_in_line(int64_t most, int n, const void *const *const *table, size_t bytes, int64_t *step);
size_t blas_rounded(long elements, size_t bytes); // as the workspace is given out
bool blas_is_row_major(const sculpt_blas *h);
long blas_reach(long n, long inc); // elements of memory that a vector spans
float *blas_fgathered(long n, const float *x, long inc, Room room);
double *blas_dgathered(long n, const double *x, long inc, Room room);
void blas_fscatter(long n, const float *w, float *x, long inc);
void blas_dscatter(long n, const double *w, double *x, long inc);

#endif
