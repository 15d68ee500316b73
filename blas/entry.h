// SPDX-License-Identifier: MIT
// entry.h -- what the entry points share. Internal to blas/.
#ifndef BLAS_ENTRY_H
#define BLAS_ENTRY_H
#include "cblas.h"
#include "core.h"
#include <stdbool.h>
#include <stddef.h>

#define N(letter) ((letter) == 'N')
#define S(letter) ((letter) == 'L')

// c as a capital letter if it is one of these, 0 if not; C (conjugate) is T for real numbers.
char blas_letter(char c, const char *these);
// The other one of a pair (UL, NT, LR): what a letter is for a matrix that lies the other way round.
char blas_turn(char letter, const char *pair);

// n elements of so many bytes without gaps: x itself, or a copy that blas_unpack writes back (is_written) and
// frees. x as BLAS has it: with a negative increment the first element stands last. No memory: the program
// ends.
void *blas_pack(const void *x, long n, long inc, size_t bytes);
void blas_unpack(const void *x, const void *packed, long n, long inc, size_t bytes, bool is_written);

// A routine of another BLAS, kept in *cpu; without one the program ends with a message.
void *blas_cpu(const char *routine, void **cpu);
// Is so little to do that another BLAS, if there is one, does it sooner on the processor? Then *cpu is its
// routine. level: 1 to 3.
bool blas_is_for_cpu(double operations, const char *routine, int level, void **cpu);
double blas_crossover(const char *routine, int level);
void blas_crossover_is(double operations); // from now on, for all; < 0: what is known
bool blas_crossover_keep(int n, const char *const *routine, const double *from); // what was measured

void blas_end_program(const char *why, const char *what);

// ---- wrong arguments
// Calls xerbla_. argument: from 1, as Fortran counts.
void blas_wrong(const char *routine, int argument);
// A call from C: Fortran's name, C's name, how many letters it has, and which of Fortran's arguments stands
// where in the call for row-major matrices.
typedef struct BlasCall {
    const char *routine, *name;
    int letters;
    int row[20];
} BlasCall;
// C's numbers as letters. False: one is none, cblas_xerbla has been called.
bool blas_begin(const BlasCall *call, int order, const int *chosen, char *letters);
void blas_end(const BlasCall *call, int order, int wrong);

#endif
