// SPDX-License-Identifier: MIT
// names.c -- names that no dialect takes for something else.
//
// A variable whose name is a reserved word, apart from underscores at its end, gets one more
// underscore: kernel -> kernel_, kernel_ -> kernel__. So two names never become one, and no
// table of what was renamed is needed.
#include <string.h>
#include "emit/dialect.h"

// C's keywords, the macros of the headers that are included, and predefined macros.
static const char *const common[] = {
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "asm", "typeof", "bool", "true", "false",
    "NULL", "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "EOF", "RAND_MAX",
    "EXIT_SUCCESS", "EXIT_FAILURE", "linux", "unix", "i386", "size_t", "malloc", "free",
    "abort", "tid", "turn", "item", "ptrs", "vals", "objects", "params", "half", "main", NULL};

static bool in_list(const char *const *list, const char *s, size_t n) {
    for (; *list; list++)
        if (strlen(*list) == n && !memcmp(*list, s, n)) return true;
    return false;
}

static bool is_function(const Printer *p, const char *s, size_t n) {
    for (const FormWord *w = p->d->words; w && w->fn; w++)
        if (strlen(w->name) == n && !memcmp(w->name, s, n)) return true;
    return p->d->call(p->a, arena_strndup(p->a, s, n)) != NULL;
}

const char *emit_name(const Printer *p, const char *name) {
    size_t n = strlen(name);
    while (n > 1 && name[n - 1] == '_') n--;
    if (in_list(common, name, n) || in_list(p->d->reserved, name, n) || is_function(p, name, n) ||
        !strncmp(name, "M_", 2))
        return arena_printf(p->a, "%s_", name);
    return name;
}

const char *emit_sym(const Printer *p, const Sym *s) {
    return p->spell_sym ? p->spell_sym(p, s) : emit_name(p, s->name);
}

const char *emit_type(const Printer *p, Type t) {
    return p->d->type[t];
}

const char *emit_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
