// little.c -- how many instructions a hundred calls of a short loop take: prints them, or "no" where no
// process may be stepped through.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void add(int n, double *restrict a, const double *restrict b) {
    for (int i = 0; i < n; i++) a[i] += b[i];
}

static void calls(int n, double *a, const double *b) {
    add(n, a, b); // whoever wants to know of it has been told
    raise(SIGSTOP);
    for (int k = 0; k < 100; k++) add(n, a, b);
    raise(SIGSTOP);
    exit(a[1] == 101 ? 0 : 1);
}

int main(int argc, char **argv) {
    double a[8] = {0}, b[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    long steps = 0;
    int status;
    (void)argv;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) exit(2);
        calls(argc + 1, a, b);
    }
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return puts("no"), 0;
    do {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL)) return puts("no"), 0;
        waitpid(child, &status, 0);
        steps++;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, child, NULL, NULL), waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) return 1;
    printf("%ld\n", steps);
    return 0;
}
