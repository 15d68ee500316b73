// SPDX-License-Identifier: MIT
// process.c -- files read whole, programs run to their end, and the clock.
#include "base/base.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
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
static void drain(Arena *a, int fd[2], char **to[2]) {
    Text text[2] = {text_new(a), text_new(a)};
    struct pollfd p[2] = {{fd[0], POLLIN, 0}, {fd[1], POLLIN, 0}};
    for (int open = (fd[0] >= 0) + (fd[1] >= 0); open > 0;) {
        if (poll(p, 2, -1) < 0 && errno != EINTR) break;
        for (int i = 0; i < 2; i++) {
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

int process_run(Arena *a, char *const argv[], char **out, char **err) {
    int po[2] = {-1, -1}, pe[2] = {-1, -1};
    if ((out && pipe(po)) || (err && pipe(pe))) return 127;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) return 127;
    if (pid == 0) {
        if (out) dup2(po[1], 1), close(po[0]), close(po[1]);
        if (err) dup2(pe[1], 2), close(pe[0]), close(pe[1]);
        if (getauxval(AT_SECURE)) clearenv();
        if (getauxval(AT_SECURE)) setenv("PATH", env_path(), 1);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (out) close(po[1]);
    if (err) close(pe[1]);
    drain(a, (int[2]){po[0], pe[0]}, (char **[2]){out, err});
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
