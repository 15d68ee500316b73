// SPDX-License-Identifier: MIT
// cublas_names.h -- calls of cuBLAS by name, without a header. Internal to test/blas.
#ifndef BLAS_CUBLAS_NAMES_H
#define BLAS_CUBLAS_NAMES_H

extern void *handle;
int number(char c, const char *these); // a letter's place
int is_even(void);                     // by turns; pointer modes change as well
void done(int status);

#endif
