// SPDX-License-Identifier: MIT
// check_words.c -- the words behind `sculpt check REF.c KERNEL.cu`.
#include "driver/check_asked.h"
#include "driver/driver.h"
#include <string.h>

static bool read_bind(Asked *q, const char *text, const char **why) {
    char *s = arena_strdup(q->a, text), *at = s;
    while (at && *at) {
        char *next = at;
        for (int depth = 0; *next && (*next != ',' || depth); next++)
            depth += (*next == '(') - (*next == ')');
        if (*next) *next++ = 0;
        char *eq = strchr(at, '=');
        if (!eq || eq == at || !eq[1])
            return *why = arena_printf(q->a, "--bind %s: NAME=VALUE is meant", at), false;
        *eq = 0;
        vec_push(q->a, &q->binds, ((EqualBind){-1, at, eq + 1}));
        at = next;
    }
    return true;
}

// "B[j * ld + i] = b[i][j]"
static bool read_layout(Asked *q, const char *text, const char **why) {
    EqualLayout l = {0};
    char *s = arena_strdup(q->a, text), *eq = strchr(s, '='), *open = strchr(s, '['), *close = NULL;
    *why = arena_printf(q->a, "--layout %s: B[j * ld + i] = b[i][j] is meant", text);
    for (char *at = open; at && at < eq; at++)
        if (*at == ']') close = at;
    if (!eq || !open || !close || open > eq) return false;
    *open = *close = *eq++ = 0;
    l.ours = s + strspn(s, " "), l.address = open + 1, l.theirs = eq + strspn(eq, " ");
    char *end = open;
    while (end > l.ours && end[-1] == ' ') *--end = 0;
    for (char *at = strchr(l.theirs, '['); at; at = strchr(at, '[')) {
        char *to = strchr(at, ']');
        if (!to || l.n == 4) return false;
        *at++ = *to = 0;
        l.index[l.n++] = at;
        at = to + 1;
    }
    if (!l.n) return false;
    vec_push(q->a, &q->layouts, l);
    *why = NULL;
    return true;
}

bool check_words(Asked *q, const KernelWords *w, const char **why) {
    q->flags = NEW_N(q->a, char *, w->nrest + 1);
    for (int i = 0; i < w->nrest; i++) {
        const char *v = NULL;
        int used;
        if ((used = word_valued("--where", i, w->nrest, w->rest, &v))) q->where = v;
        else if ((used = word_valued("--layout", i, w->nrest, w->rest, &v))) {
            if (v && !read_layout(q, v, why)) return false;
        } else if ((used = word_valued("--certificate", i, w->nrest, w->rest, &v))) q->certificate = v;
        else if ((used = word_valued("--bind", i, w->nrest, w->rest, &v))) {
            if (v && !read_bind(q, v, why)) return false;
        } else if ((used = word_valued("--permit", i, w->nrest, w->rest, &v))) {
            if (v && !str_among(v, "reassociate approximate"))
                return *why = arena_printf(q->a, "--permit %s is no permission for a kernel: reassociate and "
                                                 "approximate are",
                                           v),
                       false;
            if (v) *(str_eq(v, "reassociate") ? &q->reassociate : &q->approximate) = true;
        } else if (str_eq(w->rest[i], "--json")) q->json = true;
        else if (w->rest[i][0] != '-' && front_is_kernel_file(w->rest[i])) q->file = w->rest[i];
        else if (w->rest[i][0] != '-' && !q->ref) q->ref = w->rest[i];
        else if (str_has_prefix(w->rest[i], "--"))
            return *why = arena_printf(q->a, "there is no option '%s' for kernels", w->rest[i]), false;
        else q->flags[q->nflags++] = w->rest[i];
        if (used < 0) return *why = arena_printf(q->a, "%s needs a value", w->rest[i]), false;
        if (used > 1) i += used - 1;
    }
    if (!q->ref) *why = "the C file with the loops is missing: sculpt check REF.c KERNEL.cu";
    return q->ref != NULL;
}
