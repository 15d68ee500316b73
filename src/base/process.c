// SPDX-License-Identifier: MIT
// process.c -- files read whole, programs run to their end, and the clock.
#include "base/guest.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char *file_read(Arena *a, const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    Text t = text_new(a);
    char block[16384];
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) text_putn(&t, block, n);
    bool bad = ferror(f);
    fclose(f);
    if (bad) return NULL;
    if (size) *size = t.n;
    return t.s ? t.s : arena_strdup(a, "");
}

bool file_write(const char *path, const char *text, size_t n) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool ok = fwrite(text, 1, n, f) == n;
    return fclose(f) == 0 && ok;
}

typedef struct Job {
    Arena *a;
    char *const *argv;
    char **out, **err;
    const atomic_bool *stop; // NULL: it keeps the caller's process group and mask of signals
    sigset_t mask;
    pid_t caller;
    int status;
} Job;

static bool is_unwanted(const Job *j) {
    return (j->stop && atomic_load(j->stop)) || (getpid() != j->caller && getppid() != j->caller);
}

// Reads both pipes to their ends without letting either fill up.
static void drain(const Job *j, pid_t pid, int fd[2]) {
    enum { LOOK_MS = 20 };
    char **to[2] = {j->out, j->err};
    bool told = false;
    Text text[2] = {text_new(j->a), text_new(j->a)};
    struct pollfd p[2] = {{fd[0], POLLIN, 0}, {fd[1], POLLIN, 0}};
    for (int open = (fd[0] >= 0) + (fd[1] >= 0); open > 0;) {
        if (!told && is_unwanted(j))
            told = kill(j->stop ? -pid : pid, SIGTERM) == 0; // compilers remove their files
        int ready = poll(p, 2, told ? -1 : LOOK_MS);
        if (ready < 0 && errno != EINTR) break;
        for (int i = 0; ready > 0 && i < 2; i++) {
            if (p[i].fd < 0 || !(p[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
            char block[4096];
            ssize_t n = read(p[i].fd, block, sizeof block);
            if (n > 0) {
                text_putn(&text[i], block, (size_t)n);
            } else if (n == 0 || errno != EINTR) {
                close(p[i].fd);
                p[i].fd = -1;
                open--;
            }
        }
    }
    for (int i = 0; i < 2; i++)
        if (to[i]) *to[i] = text[i].s ? text[i].s : arena_strdup(j->a, "");
}

// What may do more than its user starts programs of the usual folders only.
static int start(const Job *j, pid_t *pid, int out, int err) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    if (out >= 0) posix_spawn_file_actions_adddup2(&files, out, 1);
    if (err >= 0) posix_spawn_file_actions_adddup2(&files, err, 2);
    posix_spawnattr_setsigmask(&how, &j->mask);
    posix_spawnattr_setflags(&how, (short)(POSIX_SPAWN_SETSIGMASK | (j->stop ? POSIX_SPAWN_SETPGROUP : 0)));
    char *bare[] = {arena_printf(j->a, "PATH=%s", env_path()), NULL};
    bool secure = getauxval(AT_SECURE) && !strchr(j->argv[0], '/');
    const char *file = secure ? path_find(j->a, env_path(), j->argv[0]) : j->argv[0];
    int rc =
        file ? posix_spawnp(pid, file, &files, &how, j->argv, getauxval(AT_SECURE) ? bare : environ) : ENOENT;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return rc;
}

static void run(void *arg) {
    Job *j = arg;
    int po[2] = {-1, -1}, pe[2] = {-1, -1}, status = 0;
    pid_t pid;
    j->status = 127;
    if (j->out && pipe2(po, O_CLOEXEC)) return;
    bool ok = !j->err || pipe2(pe, O_CLOEXEC) == 0;
    ok = ok && start(j, &pid, po[1], pe[1]) == 0;
    if (po[1] >= 0) close(po[1]);
    if (pe[1] >= 0) close(pe[1]);
    if (!ok) {
        if (po[0] >= 0) close(po[0]);
        if (pe[0] >= 0) close(pe[0]);
        return;
    }
    drain(j, pid, (int[2]){po[0], pe[0]});
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    j->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run_until(Arena *a, char *const argv[], char **out, char **err, const atomic_bool *stop) {
    Job j = {.a = a, .argv = argv, .out = out, .err = err, .stop = stop, .caller = getpid(), .status = 127};
    if (out) *out = arena_strdup(a, "");
    if (err) *err = arena_strdup(a, "");
    if (stop) sigemptyset(&j.mask);
    else pthread_sigmask(SIG_SETMASK, NULL, &j.mask);
    process_apart(run, &j);
    return j.status;
}

int process_run(Arena *a, char *const argv[], char **out, char **err) {
    return process_run_until(a, argv, out, err, NULL);
}

double time_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double time_used(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
