// SPDX-License-Identifier: MIT
// child.c -- work in a process of its own.
#include "tune/child.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

// Until it ends or the time is over; true: it ended.
static bool listen_to(int fd, double until, Text *t) {
    char block[8192];
    for (;;) {
        double left = until - time_now();
        if (left <= 0) return false;
        struct pollfd p = {fd, POLLIN, 0};
        int ready = poll(&p, 1, left > 1000 ? 1000000 : (int)(1000 * left) + 1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0) continue;
        ssize_t n = read(fd, block, sizeof block);
        if (n == 0) return true;
        if (n > 0) text_putn(t, block, (size_t)n);
        else if (errno != EINTR) return false;
    }
}

ChildEnd child_run(Arena *a, double seconds, void (*work)(FILE *out, void *arg), void *arg,
                   const char **text) {
    int fd[2], status = 0;
    pid_t parent = getpid();
    *text = "";
    if (pipe2(fd, O_CLOEXEC)) return CHILD_NEVER;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) return close(fd[0]), close(fd[1]), CHILD_NEVER;
    if (pid == 0) {
        close(fd[0]);
        be_a_child(fd[1], parent);
        FILE *out = fdopen(fd[1], "w");
        if (out) work(out, arg);
        _exit(!out || fflush(out) != 0);
    }
    setpgid(pid, pid); // whoever is first
    close(fd[1]);
    Text t = text_new(a);
    bool ended = listen_to(fd[0], time_now() + seconds, &t);
    close(fd[0]);
    if (!ended) kill(-pid, SIGKILL);
    siginfo_t end;
    while (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL); // what it started, while its number is still its own
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    *text = text_str(&t);
    if (!ended) return CHILD_HUNG;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_DONE : CHILD_CRASHED;
}
