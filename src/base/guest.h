// SPDX-License-Identifier: MIT
// guest.h -- how a library lives in somebody's process without being noticed.
#ifndef SCULPT_BASE_GUEST_H
#define SCULPT_BASE_GUEST_H
#include "base/base.h"
#include <pthread.h>
#include <signal.h>

// Runs work(arg) while the caller waits, in a process that shares this one's memory and whose children the
// program does not see. It may start no threads and leave no files open. False: it crashed.
bool process_apart(void (*work)(void *arg), void *arg);
// pthread_create of a thread that takes none of the program's signals.
int thread_start(pthread_t *thread, void *(*work)(void *), void *arg);
// dlopen of what is ours: it and what it needs call its own libraries, whatever names the program has taken.
void *library_open(const char *file, int how);
// Around calls that load a driver: threads which it starts take no signals, and handlers or an alternate
// stack that it sets are taken back.
typedef struct Signals {
    sigset_t mask;
    stack_t stack;
    struct sigaction was[NSIG];
} Signals;
void signals_hold(Signals *s);
void signals_give_back(const Signals *s);
// Around calls in which a driver may start programs and wait for them.
typedef struct Children {
    struct sigaction was;
    bool held;
    pid_t known; // had ended before
} Children;
void children_hold(Children *c);
void children_give_back(const Children *c);
#endif
