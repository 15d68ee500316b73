// SPDX-License-Identifier: MIT
// host.c -- the system's C compiler, and the children that run for the user.
#include "driver/driver.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- the compiler ------------------------------------------------------------------------
bool host_compiler(Arena *a, Strings *out) {
    const char *user = env_get("SCULPT_CC");
    if (user && user[strspn(user, " \t")]) {
        for (char *w = strtok(arena_strdup(a, user), " \t"); w; w = strtok(NULL, " \t"))
            vec_push(a, out, (const char *)w);
        return true;
    }
    static const char *const usual[] = {"gcc", "cc", "clang"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (!path_find(a, env_path(), usual[i])) continue;
        vec_push(a, out, usual[i]);
        return true;
    }
    return false;
}

// Does a word change what the compiler predefines? Most of those that only look like it do no harm.
static bool changes_macros(const char *w) {
    static const char *const begins[] = {"-f", "-m", "-O", "-std=", "--std=", "-ansi", "-D", "-U", "-undef",
        "-pthread", NULL};
    bool files =
        str_has_prefix(w, "-fplugin") || str_has_prefix(w, "-fdump") || str_has_prefix(w, "-fcallgraph");
    for (int i = 0; begins[i] && !files; i++)
        if (str_has_prefix(w, begins[i])) return true;
    return false;
}

const char *host_macros(Arena *a, const Flags *f) {
    Strings v = {0};
    char *out = NULL;
    if (!host_compiler(a, &v)) return NULL;
    for (int i = 0; i < f->args.n; i++) {
        bool value = str_eq(f->args.at[i], "-D") || str_eq(f->args.at[i], "-U");
        if (!changes_macros(f->args.at[i])) continue;
        vec_push(a, &v, f->args.at[i]);
        if (value && i + 1 < f->args.n) vec_push(a, &v, f->args.at[++i]);
    }
    static const char *const ask[] = {"-w", "-dM", "-E", "-x", "c", "/dev/null", NULL};
    for (int i = 0; i < 7; i++) vec_push(a, &v, ask[i]);
    return process_run(a, (char *const *)v.at, &out, NULL) == 0 ? out : NULL;
}

const char *host_library_dir(Arena *a) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return NULL;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (!slash) return NULL;
    *slash = 0;
    static const char *const near[] = {"", "/../lib", "/../lib64", "/../lib/x86_64-linux-gnu",
                                       "/../lib/aarch64-linux-gnu", "/.libs"};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        const char *dir = arena_printf(a, "%s%s", self, near[i]);
        if (access(arena_printf(a, "%s/libsculpt.so", dir), R_OK) != 0) continue;
        char real[PATH_MAX];
        return realpath(dir, real) ? arena_strdup(a, real) : dir;
    }
    return NULL;
}

// ---- children -----------------------------------------------------------------------------------
// Waits for the child. Signals that someone sent to us alone go on to it; those from the
// terminal it has received itself.
static int wait_for(pid_t pid, const sigset_t *watched) {
    for (;;) {
        int status;
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid) return status;
        if (done < 0 && errno != EINTR) return -1;
        siginfo_t info;
        int sig = sigwaitinfo(watched, &info);
        if (sig > 0 && sig != SIGCHLD && info.si_code <= 0) kill(pid, sig);
    }
}

int host_spawn(char *const argv[]) {
    sigset_t watched, before;
    sigemptyset(&watched);
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&watched, signals[i]);
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL); // where it is ignored, no child can be waited for
    sigprocmask(SIG_BLOCK, &watched, &before);
    pid_t pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[0], argv);
        fprintf(stderr, "sculpt: error: cannot start '%s': %s [SC%04d]\n", argv[0],
                strerror(errno), SC_HOST_COMPILER);
        _exit(127);
    }
    int status = pid < 0 ? -1 : wait_for(pid, &watched);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

int host_exit(int status) {
    if (status < 0) return 127;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        int sig = WTERMSIG(status);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); // the child's core is the one to read
        signal(sig, SIG_DFL);
        raise(sig);
        return 128 + sig;
    }
    return 1;
}
