// SPDX-License-Identifier: MIT
// cpu_thread.c -- the thread that kernels run on.
//
// OpenMP's library keeps a pool for each thread that has begun a parallel loop. A child of fork has its
// thread's pool without the threads in it, and waits for them at its first parallel loop. So the program's
// threads have no pool but what they began themselves:
//
//     a thread of the program   ── runs, waits ─────────▶ goes on, may fork
//     the kernels' thread              └─▶ kernel, in a pool of its own
#include "device/cpu_thread.h"
#include "base/guest.h"
#include <unistd.h>

struct CpuThread {
    pthread_t thread;
    pid_t owner;            // a child has no such thread
    pthread_barrier_t gate; // met by both when work begins, and when it has ended
    void (*work)(void *);   // NULL: it ends
    void *arg;
};

static void *serve(void *p) {
    CpuThread *t = p;
    while (pthread_barrier_wait(&t->gate), t->work) {
        t->work(t->arg);
        pthread_barrier_wait(&t->gate);
    }
    return NULL;
}

static void end(void *p) {
    CpuThread *t = p;
    if (getpid() != t->owner) return;
    t->work = NULL;
    pthread_barrier_wait(&t->gate);
    pthread_join(t->thread, NULL);
    pthread_barrier_destroy(&t->gate);
}

CpuThread *cpu_thread_new(Arena *a) {
    CpuThread *t = NEW(a, CpuThread);
    t->owner = getpid();
    if (pthread_barrier_init(&t->gate, NULL, 2)) return NULL;
    if (!thread_start(&t->thread, serve, t)) return arena_own(a, t, end);
    pthread_barrier_destroy(&t->gate);
    return NULL;
}

void cpu_thread_run(CpuThread *t, void (*work)(void *), void *arg) {
    t->work = work, t->arg = arg;
    pthread_barrier_wait(&t->gate); // neither is a place where the program's thread may be cancelled
    pthread_barrier_wait(&t->gate);
}
