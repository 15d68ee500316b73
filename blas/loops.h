// SPDX-License-Identifier: MIT
// loops.h -- what the textbook loops of one precision share. Internal to blas/.
//
// Each file of loops is compiled twice, for float and, with -DDOUBLE, for double. Matrices lie column by
// column; vectors lie without gaps, for entry points pack others; letters are capital ones, and C is T.
// Where a factor is zero, what it multiplies is not read: it may be anything.
#ifndef BLAS_LOOPS_H
#define BLAS_LOOPS_H
#include "core.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef DOUBLE
typedef double T;
#define NAME(routine) blas_d##routine
#define INDEX(routine) blas_id##routine
#else
typedef float T;
#define NAME(routine) blas_s##routine
#define INDEX(routine) blas_is##routine
#endif

// Room on the device, this thread's until it asks for the same again; no memory: the program ends.
typedef enum Room { ROOM_WORK, ROOM_X, ROOM_Y, ROOM_PANEL, ROOMS } Room;
void *blas_room(Room which, size_t bytes);
void *blas_given(size_t bytes); // of the workspace that a caller of <sculpt/blas.h> gave, or NULL
// Between them what several loops work on stays on the device; _scopes_: of a call that was given up.
void blas_scope_begin(void);
void blas_scope_end(void);
void blas_scopes_end(void);

// The inverses of the blocks on a triangle's diagonal (the last one may be smaller), one behind the other
// in w, a
// block's elements column by column; zeros in their other triangles. w has INVERSES(n) elements.
enum { BLOCK = 128 };
#define INVERSES(n) (((n) + BLOCK - 1) / BLOCK * BLOCK * (BLOCK + BLOCK / 4))
// Elements for a triangle's inverses and what they are applied to; small triangles need none.
#define INVERTED(n, more) ((n) > BLOCK ? INVERSES(n) + (more) : 0)
void NAME(invert_blocks)(char uplo, bool is_unit, long n, const T *a, long lda, T *w);

// The same of blocks of SPAN, with what they are made of behind them: a system of one vector takes as long as
// it has blocks, once these are more than what making wide ones of them takes.
enum { SPAN = 512 };
#define IS_WIDE(n) ((n) > 4 * SPAN)
#define SPANS(n) (((n) + SPAN - 1) / SPAN)
#define SPAN_INVERSES(n) (SPANS(n) * SPAN * (SPAN + SPAN / 2 + SPAN / 16))
#define SPAN_INVERTED(n, more) (IS_WIDE(n) ? SPAN_INVERSES(n) + (more) : INVERTED(n, more))
void NAME(invert_spans)(char uplo, bool is_unit, long n, const T *a, long lda, T *w);

#define A(i, j) a[(i) + (j) * lda]
#define B(i, j) b[(i) + (j) * ldb]
#define C(i, j) c[(i) + (j) * ldc]
#define W(i, j) w[(i) + (j) * ldw]

#endif
