// SPDX-License-Identifier: MIT
// common.c -- errors, specs, option words and paths, for all drivers.
#include "device/driver.h"
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool device_fail(Device *d, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(d->error, sizeof d->error, fmt, ap);
    va_end(ap);
    return false;
}

bool device_forked(Device *d, pid_t opener) {
    if (getpid() == opener) return false;
    device_fail(d, "the device was opened before fork and can't be used in the child");
    return true;
}

// A number of at most six digits at *s, which moves behind it; -1: none there.
static int number(const char **s) {
    int v = 0, digits = 0;
    for (; isdigit((unsigned char)**s) && digits < 6; (*s)++, digits++) v = 10 * v + (**s - '0');
    return digits ? v : -1;
}

bool device_spec_read(const char *spec, const char *kind, int *a, int *b) {
    *a = *b = -1;
    if (!str_has_prefix(spec, kind)) return false;
    const char *s = spec + strlen(kind);
    if (*s == 0) return true;
    if (*s++ != ':' || (*a = number(&s)) < 0) return false;
    if (*s == 0) return true;
    return *s++ == '.' && (*b = number(&s)) >= 0 && *s == 0;
}

void words_split(Arena *a, Words *w, const char *text, size_t n) {
    for (size_t i = 0; i < n;) {
        size_t from = i;
        while (i < n && !isspace((unsigned char)text[i])) i++;
        if (i > from) vec_push(a, w, arena_strndup(a, text + from, i - from));
        while (i < n && isspace((unsigned char)text[i])) i++;
    }
}

void words_of_source(Arena *a, Words *w, const char *source) {
    static const char mark[] = "// options:";
    if (!str_has_prefix(source, mark)) return;
    const char *from = source + sizeof mark - 1;
    words_split(a, w, from, strcspn(from, "\n"));
}

char *words_join(Arena *a, const Words *w) {
    Text t = text_new(a);
    for (int i = 0; i < w->n; i++) text_printf(&t, i ? " %s" : "%s", w->at[i]);
    return arena_strdup(a, text_str(&t));
}

bool words_have_prefix(const Words *w, const char *prefix) {
    for (int i = 0; i < w->n; i++)
        if (str_has_prefix(w->at[i], prefix)) return true;
    return false;
}

char *path_identity(Arena *a, const char *path) {
    struct stat st;
    if (stat(path, &st)) return arena_strdup(a, path);
    return arena_printf(a, "%s %lld %lld", path, (long long)st.st_size, (long long)st.st_mtime);
}
