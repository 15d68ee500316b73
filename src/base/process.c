// SPDX-License-Identifier: MIT
// process.c -- files read whole, programs run to their end, and the clock.
#include "base/base.h"
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

// Reads both pipes to their ends without letting either fill up.
static void drain(Arena *a, pid_t pid, int fd[2], char **to[2], const atomic_bool *stop) {
    enum { LOOK_MS = 20 };
    Text text[2] = {text_new(a), text_new(a)};
    struct pollfd p[2] = {{fd[0], POLLIN, 0}, {fd[1], POLLIN, 0}};
    for (int open = (fd[0] >= 0) + (fd[1] >= 0); open > 0;) {
        if (stop && atomic_load(stop)) kill(-pid, SIGTERM), stop = NULL; // compilers remove their files
        int ready = poll(p, 2, stop ? LOOK_MS : -1);
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
        if (to[i]) *to[i] = text[i].s ? text[i].s : arena_strdup(a, "");
}

// No handler of pthread_atfork runs. apart: a process group of its own, and no signal is blocked. What
// may do more than its user starts programs of the usual folders only.
static int start(Arena *a, pid_t *pid, char *const argv[], int out, int err, bool apart) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    if (out >= 0) posix_spawn_file_actions_adddup2(&files, out, 1);
    if (err >= 0) posix_spawn_file_actions_adddup2(&files, err, 2);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, (short)(apart ? POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP : 0));
    char *bare[] = {arena_printf(a, "PATH=%s", env_path()), NULL};
    bool secure = getauxval(AT_SECURE) && !strchr(argv[0], '/');
    const char *file = secure ? path_find(a, env_path(), argv[0]) : argv[0];
    int rc = file ? posix_spawnp(pid, file, &files, &how, argv, getauxval(AT_SECURE) ? bare : environ)
            : ENOENT;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return rc;
}

int process_run_until(Arena *a, char *const argv[], char **out, char **err, const atomic_bool *stop) {
    int po[2] = {-1, -1}, pe[2] = {-1, -1};
    pid_t pid;
    if ((out && pipe2(po, O_CLOEXEC)) || (err && pipe2(pe, O_CLOEXEC))) return 127;
    int rc = start(a, &pid, argv, po[1], pe[1], stop != NULL);
    if (out) close(po[1]);
    if (err) close(pe[1]);
    if (rc) po[0] >= 0 ? close(po[0]) : 0, pe[0] >= 0 ? close(pe[0]) : 0;
    if (rc) return 127;
    drain(a, pid, (int[2]){po[0], pe[0]}, (char **[2]){out, err}, stop);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(Arena *a, char *const argv[], char **out, char **err) { return process_run_until(a, argv,
        out, err, NULL); }

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
