// SPDX-License-Identifier: MIT
// cpu_thread.h -- the thread that kernels run on.
#ifndef SCULPT_CPU_THREAD_H
#define SCULPT_CPU_THREAD_H
#include "device/driver.h"

typedef struct CpuThread CpuThread;

// It ends with the arena. NULL: none can be had.
CpuThread *cpu_thread_new(Arena *a);
// Runs work(arg) there while the caller waits; one caller at a time.
void cpu_thread_run(CpuThread *t, void (*work)(void *arg), void *arg);
#endif
