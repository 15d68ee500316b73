// SPDX-License-Identifier: MIT
// cublas.h -- what the functions of cuBLAS's interface share. Internal to blas/.
//
// The numbers are those of cuBLAS's public documentation: a program passes them by value.
#ifndef BLAS_CUBLAS_H
#define BLAS_CUBLAS_H
#include "device.h"

enum { DONE, NO_HANDLE = 1, NO_ROOM = 3, BAD_VALUE = 7, NOT_COPIED = 11, FAILED = 13, NOT_SUPPORTED = 15 };

typedef struct cublasContext {
    sculpt_blas *blas;
    void *stream;
    int pointers, atomics, math; // pointers 1: numbers and results lie on the device
} Handle;

char cublas_letter(unsigned which, const char *these); // 0: there is no such one
int cublas_status(int of_ours);
// A number of the caller's, or a result for him, where the handle says they lie.
int cublas_get(const Handle *h, void *to, const void *number, size_t bytes);
int cublas_put(const Handle *h, void *result, const void *from, size_t bytes);
// The host's copy of a table of pointers that lies on the device, to be freed; NULL: *failed says why.
void *cublas_table(const Handle *h, const void *table, int64_t count, int *failed);

#endif
