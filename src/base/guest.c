// SPDX-License-Identifier: MIT
// guest.c -- what a library owes the program that it lives in: its threads take no signals, its children
// aren't seen, and what it loads changes no handler.
//
// Dispositions of signals belong to the whole process, and other threads of it may start children, wait for
// any child or set handlers at any time. So the compilers that we start run beside the process, not in it:
//
//     caller     stands still ───────────────────────── goes on
//        └─ clone(CLONE_VM | CLONE_VFORK)             │
//     apart      all handlers default ─ child ─ wait ─┘   its end sends no SIGCHLD; wait(2) does not see it
//
// It has the caller's memory, the caller's thread's own variables, and copies of descriptors 0, 1 and 2. Its
// children are its own.
//
// A driver that starts programs from threads of its own can't be put there. While it may, SIGCHLD is as those
// programs' waiting needs it, and the program is told afterwards of children of its own that ended then. What
// remains: a thread of the program that waits for any child at that time may take the driver's.
#include "base/guest.h"
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- processes ---------------------------------------------------------------------------------------
typedef struct Apart {
    void (*work)(void *);
    void *arg;
    volatile enum { COPIED, BEGUN, ENDED } state;
} Apart;

__attribute__((noinline)) static void do_apart(Apart *x) {
    struct sigaction now, none = {.sa_handler = SIG_DFL};
    x->state = BEGUN;
    syscall(SYS_close_range, 3, ~0U, 0); // the program may close its own
    for (int i = 1; i < NSIG; i++)
        if (!sigaction(i, NULL, &now) && (now.sa_handler != SIG_IGN || i == SIGCHLD))
            sigaction(i, &none, NULL);
    x->work(x->arg);
    x->state = ENDED;
}

// Killed, because Valgrind, where this is a copy, would write the copies of files' buffers at another end. No
// variable lies on the stack then, or AddressSanitizer would take what is mapped there later for one.
static int apart(void *p) {
    do_apart(p);
    kill(getpid(), SIGKILL);
    return 0;
}

// No handler of pthread_atfork runs, and whatever signal comes is for the program.
static void run_apart(Apart *x, char *stack, size_t size) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(apart, stack + size, CLONE_VM | CLONE_VFORK, x); // no signal tells of its end
    while (pid > 0 && waitpid(pid, NULL, __WALL) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void nothing(void *arg) {
    (void)arg;
}

bool process_apart(void (*work)(void *arg), void *arg) {
    enum { STACK = 8 << 20 };
    Apart try = {.work = nothing}, real = {.work = work, .arg = arg};
    char *stack =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack != MAP_FAILED) {
        run_apart(&try, stack, STACK);
        if (try.state == ENDED) run_apart(&real, stack, STACK);
        munmap(stack, STACK);
    }
    if (real.state == COPIED)
        work(arg), real.state = ENDED; // none can be had, or (Valgrind) with copies alone
    return real.state == ENDED;
}

// ---- signals -----------------------------------------------------------------------------------------
int thread_start(pthread_t *thread, void *(*work)(void *), void *arg) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(thread, NULL, work, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

void signals_hold(Signals *s) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &s->mask);
    sigaltstack(NULL, &s->stack);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &s->was[i])) s->was[i].sa_handler = SIG_ERR;
}

// What the program's other threads set meanwhile stays: a handler of its own file, none, or to ignore.
static bool is_drivers(const struct sigaction *now) {
    Dl_info program, handler;
    return now->sa_handler != SIG_DFL && now->sa_handler != SIG_IGN &&
           !(dladdr((void *)getauxval(AT_PHDR), &program) && dladdr((void *)now->sa_handler, &handler) &&
             program.dli_fbase == handler.dli_fbase);
}

void signals_give_back(const Signals *s) {
    struct sigaction now;
    for (int i = 1; i < NSIG; i++)
        if (s->was[i].sa_handler != SIG_ERR && !sigaction(i, NULL, &now) &&
            now.sa_handler != s->was[i].sa_handler && is_drivers(&now))
            sigaction(i, &s->was[i], NULL);
    sigaltstack(&s->stack, NULL);
    pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

// ---- children that a driver starts ---------------------------------------------------------------------
static bool has_default(const struct sigaction *s) {
    return s->sa_handler == SIG_DFL && !(s->sa_flags & SA_NOCLDWAIT);
}

// A child that has ended and was not waited for; 0: none.
static pid_t ended(siginfo_t *info, int how) {
    info->si_pid = 0;
    return waitid(P_ALL, 0, info, WEXITED | WNOHANG | how) ? 0 : info->si_pid;
}

void children_hold(Children *c) {
    siginfo_t info;
    struct sigaction plain = {.sa_handler = SIG_DFL};
    c->held = !sigaction(SIGCHLD, NULL, &c->was) && !has_default(&c->was);
    if (!c->held) return;
    c->known = ended(&info, WNOWAIT);
    sigaction(SIGCHLD, &plain, NULL);
}

void children_give_back(const Children *c) {
    siginfo_t info;
    struct sigaction now;
    if (!c->held || sigaction(SIGCHLD, NULL, &now) || !has_default(&now))
        return; // or others took it meanwhile
    sigaction(SIGCHLD, &c->was, NULL);
    if (c->was.sa_handler == SIG_IGN || (c->was.sa_flags & SA_NOCLDWAIT))
        while (ended(&info, 0)) {
        } // nobody has to wait for these
    else if (ended(&info, WNOWAIT) && info.si_pid != c->known)
        syscall(SYS_rt_sigqueueinfo, getpid(), SIGCHLD, &info);
}
