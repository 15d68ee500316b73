// SPDX-License-Identifier: MIT
// folder.c -- the environment as far as it may be trusted, and folders that nobody else writes to.
//
// A temporary folder is locked (flock) as long as its process lives. Who makes one removes those of this user
// that nobody holds: their processes were killed.
#include "base/base.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OTHERS_WRITE = S_IWGRP | S_IWOTH, YOUNG_S = 60 };
static const char temp_prefix[] = "sculpt-temp.";

const char *env_get(const char *name) {
    const char *v = secure_getenv(name);
    return v && *v ? v : NULL;
}

static const char *const ours[] = {
    "SCULPT_CACHE_DIR", "SCULPT_CACHE_MAX", "SCULPT_CC", "SCULPT_CHAINS", "SCULPT_CHECK", "SCULPT_CHECK_FILE",
    "SCULPT_DEPENDENT_LAUNCH", "SCULPT_DEVICE", "SCULPT_DEVICES", "SCULPT_FAULT", "SCULPT_HOST_CC",
    "SCULPT_LOG", "SCULPT_MACHINE", "SCULPT_OFFLOAD", "SCULPT_PLAN_FOR", "SCULPT_REPEAT", "SCULPT_REQUIRE",
    "SCULPT_SYNC", "SCULPT_TIME", "SCULPT_TUNE", "SCULPT_VERBOSE", "SCULPT_WISDOM",
    "SCULPT_WISDOM_MAX", NULL};

void env_misspelt(void (*tell)(const char *name, const char *meant)) {
    static bool told;
    if (told) return;
    told = true;
    for (char **e = environ; e && *e; e++) {
        char name[64];
        size_t n = strcspn(*e, "=");
        if (n >= sizeof name || !str_has_prefix(*e, "SCULPT_")) continue;
        memcpy(name, *e, n);
        name[n] = 0;
        const char *near = word_nearest(name, ours);
        if (near && !str_eq(near, name)) tell(name, near);
    }
}

const char *env_path(void) {
    const char *path = env_get("PATH");
    return path ? path : "/usr/local/bin:/usr/bin:/bin";
}

char *path_find(Arena *a, const char *folders, const char *name) {
    for (const char *s = folders; s && *s;) {
        size_t n = strcspn(s, ":");
        char path[PATH_MAX], real[PATH_MAX];
        int len = snprintf(path, sizeof path, "%.*s/%s", (int)n, s, name);
        struct stat st;
        if (n && len < PATH_MAX && realpath(path, real) && !stat(real, &st) && S_ISREG(st.st_mode))
            return arena_strdup(a, real);
        s += n + (s[n] == ':');
    }
    return NULL;
}

// The program's own object has no name: it is what /proc says.
static int note_self(struct dl_phdr_info *i, size_t size, void *arg) {
    uintptr_t at = (uintptr_t)note_self;
    (void)size;
    for (int k = 0; k < i->dlpi_phnum; k++) {
        uintptr_t begin = i->dlpi_addr + i->dlpi_phdr[k].p_vaddr;
        if (i->dlpi_phdr[k].p_type != PT_LOAD || at < begin || at - begin >= i->dlpi_phdr[k].p_memsz)
            continue;
        return *(const char **)arg = i->dlpi_name, 1;
    }
    return 0;
}

const char *path_self(Arena *a) {
    const char *name = NULL;
    char real[PATH_MAX];
    dl_iterate_phdr(note_self, &name);
    if (name && !*name) name = realpath("/proc/self/exe", real);
    return arena_strdup(a, name);
}

const char *path_shared(Arena *a, const char *path) {
    struct stat st;
    if (stat(path, &st)) return arena_printf(a, "%s can't be looked at: %s", path, strerror(errno));
    if (st.st_uid != geteuid())
        return arena_printf(a, "%s belongs to user %ld, not to %ld", path, (long)st.st_uid, (long)geteuid());
    return st.st_mode & OTHERS_WRITE ? arena_printf(a, "others may write to %s", path) : NULL;
}

bool folder_make(char *path) {
    for (char *s = path + 1; *s; s++) {
        if (*s != '/') continue;
        *s = 0;
        bool ok = mkdir(path, 0700) == 0 || errno == EEXIST || access(path, F_OK) == 0;
        *s = '/';
        if (!ok) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// ---- temporary folders -----------------------------------------------------------------------
typedef struct Temp {
    const char *path;
    int lock;    // its descriptor, which holds the lock
    pid_t maker; // a child of that process leaves the folder alone
} Temp;

// Can others neither rename nor replace what this user makes there?
static bool is_safe(const char *base) {
    struct stat st;
    if (stat(base, &st) || !S_ISDIR(st.st_mode) || access(base, W_OK | X_OK)) return false;
    if (st.st_uid != 0 && st.st_uid != geteuid()) return false;
    return !(st.st_mode & OTHERS_WRITE) || (st.st_mode & S_ISVTX);
}

const char *temp_base(Arena *a, const char **why) {
    const char *own = env_get("TMPDIR");
    const char *const bases[] = {own ? own : "/tmp", "/tmp", "/var/tmp", "/dev/shm"};
    *why = "";
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (is_safe(bases[i])) return bases[i];
        if (i == 0)
            *why = arena_printf(a, "%s is no folder in which only you may change your files", bases[0]);
    }
    return NULL;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk) {
    (void)st, (void)type, (void)walk;
    return remove(path);
}

// Opens and locks a folder; -1: somebody holds it, or it can't be locked.
static int lock_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    close(fd);
    return -1;
}

// A young folder may not be locked yet.
static void remove_abandoned(const char *path) {
    struct stat st;
    if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()) return;
    if (time(NULL) - st.st_mtime < YOUNG_S) return;
    int fd = lock_folder(path);
    if (fd < 0) return;
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    close(fd);
}

static void sweep(Arena *a, const char *base) {
    DIR *d = opendir(base);
    for (struct dirent *e; d && (e = readdir(d));)
        if (str_has_prefix(e->d_name, temp_prefix))
            remove_abandoned(arena_printf(a, "%s/%s", base, e->d_name));
    if (d) closedir(d);
}

static void drop(void *p) {
    Temp *t = p;
    if (t->maker != getpid()) return;
    nftw(t->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (t->lock >= 0) close(t->lock);
}

const char *temp_folder(Arena *a, const char **why) {
    const char *base = temp_base(a, why);
    if (!base) return NULL;
    sweep(a, base);
    char *path = arena_printf(a, "%s/%sXXXXXX", base, temp_prefix);
    if (!mkdtemp(path))
        return *why = arena_printf(a, "no folder can be made in %s: %s", base, strerror(errno)), NULL;
    Temp *t = NEW_AS(a, Temp, (Temp){path, lock_folder(path), getpid()});
    arena_own(a, t, drop);
    return path;
}
