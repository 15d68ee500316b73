// SPDX-License-Identifier: MIT
// compare.h -- a routine and another BLAS's on the same random arguments. Internal to test/blas.
//
// What a routine must not read is NaN: the half of a matrix that is not stored, operands that are multiplied
// by zero. All bytes of all arrays are compared: what is written within some rounding errors, all else bit
// for bit.
#ifndef BLAS_COMPARE_H
#define BLAS_COMPARE_H
#include <stdbool.h>
#include <stddef.h>

#define N(letter) ((letter) == 'N')
#define S(letter) ((letter) == 'L')

typedef struct Array {
    void *ours, *theirs, *before; // n elements each
    long n;
    size_t bytes; // of an element
    bool is_written;
} Array;

extern long widest; // the sum of a call's sizes, and 1
extern void (*const tries[])(void);

void begin(const char *routine);
void *other(const char *routine);
char letter(const char *these);
int size(void);
double factor(void);
int step(bool is_level1);
int rows(long least);
long elements(long n, int inc);
Array array(size_t bytes, long n, bool is_unread, bool is_written);
void poison_half(Array *a, long rows, char uplo);
void diagonal(Array *a, long rows, long step, long first); // elements of the diagonal are not small
void diagonal_packed(Array *a, long n, char uplo);
void flag(Array *param); // of rotm
void same(Array *a, const char *name);
void same_result(size_t bytes, double ours, double theirs, bool is_index);

#endif
