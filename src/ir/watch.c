// SPDX-License-Identifier: MIT
// watch.c -- the thread that has isl give up at the deadline.
#include "ir/watch.h"
#include "base/guest.h"
#include <errno.h>
#include <isl/ctx.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

static const double MOMENT = 0.25; // seconds
static const double LOOK = 0.02;   // seconds until a stop is seen

struct Watch {
    pid_t pid; // whose thread it is: a child has none, and may have got the lock as that thread held it
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    isl_ctx *ctx;
    double deadline; // by the clock; 0: nothing to wait for
    clockid_t clock; // processor time of the thread that asks: a crowded machine changes no answer
    const atomic_bool *given_up; // Compile.stop
    bool stop;
};

static double now(const Watch *w) {
    struct timespec t;
    if (clock_gettime(w->clock, &t) != 0) return w->deadline; // that thread is gone
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The thread gets no more processor time than goes by.
static void wait_for(Watch *w, double seconds) {
    if (w->given_up) seconds = fmin(seconds, LOOK);
    double when = time_now() + fmax(seconds, 1e-3), whole = floor(when);
    struct timespec t = {(time_t)whole, (long)((when - whole) * 1e9)};
    pthread_cond_timedwait(&w->change, &w->lock, &t);
}

static void *watch(void *arg) {
    Watch *w = arg;
    pthread_mutex_lock(&w->lock);
    while (!w->stop) {
        if (w->deadline == 0) {
            pthread_cond_wait(&w->change, &w->lock);
        } else if (now(w) < w->deadline && !(w->given_up && atomic_load(w->given_up))) {
            wait_for(w, w->deadline - now(w));
        } else {
            isl_ctx_abort(w->ctx); // a flag that isl looks at before each operation
            w->deadline = 0;
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void drop_watch(void *arg) {
    Watch *w = arg;
    if (w->stop || w->pid != getpid()) return;
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_signal(&w->change);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->change);
    pthread_mutex_destroy(&w->lock);
}

// NULL: no thread can be had; then only operations are counted.
static Watch *watch_new(Compile *c) {
    Watch *w = NEW(c->arena, Watch);
    w->pid = getpid();
    w->ctx = c->isl;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&w->change, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_init(&w->lock, NULL);
    if (thread_start(&w->thread, watch, w) != 0) return NULL;
    arena_own(c->arena, w, drop_watch);
    return w;
}

void watch_end(Compile *c) {
    if (c->watch) drop_watch(c->watch);
    c->watch = NULL;
}

void watch_limit(Compile *c, double seconds) { c->limit = time_used() + seconds; }

void watch_start(Compile *c, double seconds) {
    if (c->limit > 0) seconds = fmin(seconds, fmax(c->limit - time_used(), MOMENT));
    c->deadline = time_used() + seconds;
    if (!c->watch || c->watch->pid != getpid()) c->watch = watch_new(c);
    Watch *w = c->watch;
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    pthread_getcpuclockid(pthread_self(), &w->clock);
    w->deadline = c->deadline;
    w->given_up = c->stop;
    isl_ctx_resume(w->ctx);
    pthread_cond_signal(&w->change);
    pthread_mutex_unlock(&w->lock);
}
