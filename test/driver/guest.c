// guest.c -- a program that has children, handlers of signals and a stack for them, while libsculpt lives in
// it.   guest CALLS HOW
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 96, SIGNALS = 32 };

__attribute__((noinline)) static void product(int n, float *restrict c, const float *restrict a,
                                              const float *restrict b) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static int call(void) {
    static float a[N * N], b[N * N], c[N * N];
    int wrong = 0;
    for (int i = 0; i < N * N; i++) a[i] = (float)(i % 5), b[i] = (float)(i % 7), c[i] = 1;
    product(N, c, a, b);
    for (int i = 0; i < N * N; i++) {
        float sum = 1;
        for (int k = 0; k < N; k++) sum += a[i / N * N + k] * b[k * N + i % N];
        wrong += c[i] != sum;
    }
    return wrong;
}

static int wrong(int bad, const char *what) {
    if (bad) printf("%s\n", what);
    return bad;
}

static volatile sig_atomic_t told;
static void handle(int s) {
    (void)s, told++;
}

// Handlers of all signals that can have one, and another stack.
static int handlers(int calls) {
    static char stack[1 << 16];
    stack_t mine = {.ss_sp = stack, .ss_size = sizeof stack}, later;
    struct sigaction h = {.sa_handler = handle, .sa_flags = SA_ONSTACK}, now;
    int bad = 0;
    sigaltstack(&mine, NULL);
    for (int s = 1; s < SIGNALS; s++)
        if (s != SIGUSR1) sigaction(s, &h, NULL);
    for (int i = 0; i < calls; i++) bad += wrong(call(), "wrong");
    for (int s = 1; s < SIGNALS; s++)
        if (s != SIGKILL && s != SIGSTOP &&
            (sigaction(s, NULL, &now) || now.sa_handler != (s == SIGUSR1 ? SIG_DFL : handle)))
            bad += wrong(1, strsignal(s));
    sigaltstack(NULL, &later);
    return bad + wrong(later.ss_sp != stack, "another stack") + wrong(told, "a signal");
}

static pid_t child_of(unsigned ms) {
    pid_t child = fork();
    if (child == 0) usleep(1000 * ms), _exit(5);
    return child;
}

// Who ignores SIGCHLD leaves nothing to wait for.
static int ignore(int calls) {
    struct sigaction now;
    int bad = 0;
    signal(SIGCHLD, SIG_IGN);
    for (unsigned ms = 10; ms < 1000; ms *= 2) child_of(ms);
    for (int i = 0; i < calls; i++) bad += wrong(call(), "wrong");
    sigaction(SIGCHLD, NULL, &now);
    bad += wrong(now.sa_handler != SIG_IGN, "SIGCHLD isn't ignored");
    return bad + wrong(wait(NULL) != -1 || errno != ECHILD, "a child is left");
}

static volatile sig_atomic_t reaped;
static void reap(int s) {
    (void)s;
    for (int status; waitpid(-1, &status, WNOHANG) > 0;)
        reaped += WIFEXITED(status) && WEXITSTATUS(status) == 5;
}

// A handler hears of the program's children, and of no other.
static int reaper(int calls) {
    int bad = 0, children = 0;
    signal(SIGCHLD, reap);
    for (unsigned ms = 10; ms < 1000; ms *= 2) children += child_of(ms) > 0;
    for (int i = 0; i < calls; i++) bad += wrong(call(), "wrong");
    for (int i = 0; i < 6000 && reaped < children; i++) usleep(10000);
    return bad + wrong(reaped != children, "a child that the handler wasn't told of");
}

static void *wait_any(void *status) {
    while (wait(status) < 0 && errno == EINTR) {
    }
    return NULL;
}

static int waiter(int calls) {
    int bad = 0, status = 0, end[2];
    pthread_t t;
    if (pipe(end)) return 1;
    pid_t child = fork();
    if (child == 0) {
        close(end[1]);
        _exit(read(end[0], &status, 1) == 0 ? 5 : 6);
    }
    pthread_create(&t, NULL, wait_any, &status);
    for (int i = 0; i < calls; i++) bad += wrong(call(), "wrong");
    close(end[1]);
    pthread_join(t, NULL);
    bad += wrong(!WIFEXITED(status) || WEXITSTATUS(status) != 5, "another child");
    return bad + wrong(waitpid(-1, NULL, WNOHANG | __WALL) != -1 || errno != ECHILD, "a child is left");
}

// argv[1] calls, then the end that argv[2] names, after argv[3] microseconds.
static int end(const char *how, int calls, unsigned us) {
    int bad = 0;
    for (int i = 0; i < calls; i++) bad += wrong(call(), "wrong");
    usleep(us);
    if (bad) return 1;
    if (!strcmp(how, "fork")) {
        int status;
        pid_t child = fork();
        if (child == 0) exit(call() ? 1 : 7);
        return wrong(waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7,
                     "the child")
                   ? 1
                   : 7;
    }
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "quick_exit")) quick_exit(7);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "kill")) raise(SIGTERM);
    exit(7);
}

// Calls until somebody has made a file; then the end.
static int when(const char *file, const char *how) {
    for (int i = 0; i < 50000 && access(file, F_OK); i++) call(), usleep(10000);
    return access(file, F_OK) ? 1 : end(how, 0, 0);
}

int main(int argc, char **argv) {
    int calls = argc > 1 ? atoi(argv[1]) : 1;
    const char *how = argc > 2 ? argv[2] : "exit";
    if (!strcmp(how, "handlers")) return handlers(calls) != 0;
    if (!strcmp(how, "ignore")) return ignore(calls) != 0;
    if (!strcmp(how, "reaper")) return reaper(calls) != 0;
    if (!strcmp(how, "waiter")) return waiter(calls) != 0;
    if (!strcmp(how, "when")) return when(argv[3], argc > 4 ? argv[4] : "exit");
    return end(how, calls, argc > 3 ? (unsigned)atoi(argv[3]) : 0);
}
