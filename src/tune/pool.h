// SPDX-License-Identifier: MIT
// pool.h -- a loop dealt over host threads.
#ifndef SCULPT_TUNE_POOL_H
#define SCULPT_TUNE_POOL_H
#include "base/base.h"

// Calls work(i, arg) for 0 <= i < n, in no order, on at most `threads` threads.
void pool_run(int threads, int64_t n, void (*work)(int64_t i, void *arg), void *arg);
#endif
