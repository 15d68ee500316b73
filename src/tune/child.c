// SPDX-License-Identifier: MIT
// child.c -- work in a process of its own.
#include "tune/child.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// The whole machine is the child's, but when memory runs out it is the first to go; no core files.
static void be_a_child(int out, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, "1000", 4) == 4) close(fd);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; null >= 0 && i < 3; i++)
        if (i != 2 || !env_get("SCULPT_VERBOSE")) dup2(null, i);
    fcntl(out, F_SETFD, FD_CLOEXEC);
}

// Until it ends, or has written a line where that is enough, or the time is over.
static ChildEnd listen_to(int fd, double until, bool line, Text *t) {
    char block[8192];
    for (;;) {
        double left = until - time_now();
        if (left <= 0) return CHILD_HUNG;
        struct pollfd p = {fd, POLLIN, 0};
        int ready = poll(&p, 1, left > 1000 ? 1000000 : (int)(1000 * left) + 1);
        if (ready < 0 && errno != EINTR) return CHILD_CRASHED;
        if (ready <= 0) continue;
        ssize_t n = recv(fd, block, sizeof block, 0);
        if (n > 0) text_putn(t, block, (size_t)n);
        if (line && n > 0 && block[n - 1] == '\n') return CHILD_DONE;
        if (n == 0) return line ? CHILD_CRASHED : CHILD_DONE;
        if (n < 0 && errno != EINTR) return CHILD_CRASHED;
    }
}

bool child_start(Child *c, void (*work)(FILE *in, FILE *out, void *arg), void *arg) {
    int fd[2];
    pid_t parent = getpid();
    *c = (Child){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd)) return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) return close(fd[0]), close(fd[1]), false;
    if (pid == 0) {
        close(fd[0]);
        be_a_child(fd[1], parent);
        FILE *in = fdopen(fcntl(fd[1], F_DUPFD_CLOEXEC, 3), "r"), *out = fdopen(fd[1], "w");
        if (in && out) work(in, out, arg);
        _exit(!in || !out || fflush(out) != 0);
    }
    setpgid(pid, pid); // whoever is first
    close(fd[1]);
    *c = (Child){pid, fd[0]};
    return true;
}

// How it ended.
static int reap(Child *c, bool kill_it) {
    int status = 0;
    siginfo_t end;
    close(c->fd);
    if (kill_it) kill(-c->pid, SIGKILL);
    while (waitid(P_PID, (id_t)c->pid, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    kill(-c->pid, SIGKILL); // what it started, while its number is still its own
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {
    }
    *c = (Child){0};
    return status;
}

void child_end(Child *c) {
    if (c->pid) reap(c, true);
}

ChildEnd child_ask(Child *c, Arena *a, double seconds, const char *line, const char **text) {
    Text t = text_new(a);
    size_t n = strlen(line);
    bool sent = send(c->fd, line, n, MSG_NOSIGNAL) == (ssize_t)n;
    ChildEnd end = sent ? listen_to(c->fd, time_now() + seconds, true, &t) : CHILD_CRASHED;
    if (end != CHILD_DONE) child_end(c);
    *text = text_str(&t);
    return end;
}

ChildEnd child_run(Arena *a, double seconds, void (*work)(FILE *in, FILE *out, void *arg), void *arg,
                   const char **text) {
    Child c;
    Text t = text_new(a);
    *text = "";
    if (!child_start(&c, work, arg)) return CHILD_NEVER;
    ChildEnd end = listen_to(c.fd, time_now() + seconds, false, &t);
    int status = reap(&c, end == CHILD_HUNG);
    *text = text_str(&t);
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return end == CHILD_DONE && !well ? CHILD_CRASHED : end;
}
