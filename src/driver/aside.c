// SPDX-License-Identifier: MIT
// aside.c -- a text made in a child process while the parent does something else. (isl's context may
// not be shared between threads; a child has one of its own.)
#include "driver/explain.h"
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct Aside {
    Arena *a;
    pid_t pid;            // -1: there is no child, and `text` is what it would have made
    int from;             // the pipe's end
    const char *text;
};

static void send_all(int to, const char *text, size_t n) {
    while (n > 0) {
        ssize_t k = write(to, text, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return;
        text += k;
        n -= (size_t)k;
    }
}

Aside *aside_begin(Arena *a, const char *(*make)(void *arg), void *arg) {
    Aside *x = NEW(a, Aside);
    int end[2];
    *x = (Aside){.a = a, .pid = -1};
    fflush(NULL);
    if (pipe(end) == 0) {
        x->pid = fork();
        if (x->pid == 0) {
            close(end[0]);
            const char *text = make(arg);
            if (text) send_all(end[1], text, strlen(text));
            _exit(text ? 0 : 1);
        }
        close(end[1]);
        if (x->pid > 0) return x->from = end[0], x;
        close(end[0]);
    }
    x->pid = -1;
    x->text = make(arg);
    return x;
}

const char *aside_end(Aside *x) {
    char piece[65536];
    Text t = text_new(x->a);
    int status = 0;
    if (x->pid < 0) return x->text;
    for (ssize_t n; (n = read(x->from, piece, sizeof piece)) != 0;) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        text_putn(&t, piece, (size_t)n);
    }
    close(x->from);
    while (waitpid(x->pid, &status, 0) < 0 && errno == EINTR);
    x->pid = -1;
    return x->text = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text_str(&t) : NULL;
}
