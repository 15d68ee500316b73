// SPDX-License-Identifier: MIT
// pool.c -- a loop dealt over host threads: whoever is free takes the next.
#include "tune/pool.h"
#include "base/guest.h"
#include <pthread.h>
#include <stdatomic.h>

enum { POOL_MAX = 64 };

typedef struct Pool {
    atomic_llong next;
    int64_t n;
    void (*work)(int64_t i, void *arg);
    void *arg;
} Pool;

static void *serve(void *arg) {
    Pool *p = arg;
    for (int64_t i; (i = atomic_fetch_add(&p->next, 1)) < p->n;) p->work(i, p->arg);
    return NULL;
}

void pool_run(int threads, int64_t n, void (*work)(int64_t i, void *arg), void *arg) {
    Pool p = {.n = n, .work = work, .arg = arg};
    pthread_t thread[POOL_MAX];
    int started = 0;
    while (started + 1 < threads && started + 1 < n && started < POOL_MAX)
        if (thread_start(&thread[started], serve, &p) == 0) started++;
        else break;
    serve(&p);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
}
