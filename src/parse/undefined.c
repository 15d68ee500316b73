// SPDX-License-Identifier: MIT
// undefined.c -- names that a file of kernels uses and that are defined nowhere that could be found: what
// the program defines when it compiles its kernels, or a header that is missing.
//
//   if (i < NBINS) …      NBINS is a number that the launch brings: --arg NBINS=…, -D NBINS=…, or open
//   x = scale(x, 3);      in CUDA: a function of which nothing is known but that it has a value
//
// They are declared, and the file is parsed once more; where that does not help, the first errors stand.
#include "parse/reader.h"
#include <string.h>

// Is the name called where it stands?
static bool is_called(Reader *r, CXDiagnostic d, const char *name) {
    CXFile f;
    unsigned line, col, at;
    size_t size = 0, n = strlen(name);
    clang_getSpellingLocation(clang_getDiagnosticLocation(d), &f, &line, &col, &at);
    const char *text = f ? clang_getFileContents(r->tu, f, &size) : NULL;
    if (!text || at + n >= size || strncmp(text + at, name, n) != 0) return false;
    for (at += (unsigned)n; at < size && (text[at] == ' ' || text[at] == '\t'); at++) continue;
    return at < size && text[at] == '(';
}

static void add(Arena *a, AstUnit *to, const Undefined *u) {
    for (int i = 0; i < to->nundefined; i++)
        if (str_eq(to->undefined[i].name, u->name) && to->undefined[i].first == u->first) return;
    struct {
        Undefined *at;
        int n, cap;
    } all = {to->undefined, to->nundefined, to->nundefined};
    vec_push(a, &all, *u);
    to->undefined = all.at;
    to->nundefined = all.n;
}

void clang_join_undefined(Arena *a, AstUnit *to, const AstUnit *more) {
    for (int i = 0; to != more && i < more->nundefined; i++) add(a, to, &more->undefined[i]);
}

void clang_note_undefined(Reader *r, CXDiagnostic d, const AstError *e) {
    static const char words[] = "use of undeclared identifier '";
    const char *text = e->text;
    if (!str_has_prefix(text, words)) return;
    const char *name = text + strlen(words), *end = strchr(name, '\'');
    if (!end || end == name) return;
    Undefined u = {arena_strndup(r->a, name, (size_t)(end - name)), false, e->first, e->last};
    u.called = is_called(r, d, u.name);
    add(r->a, r->u, &u);
}

static const KernelArg *given(const KernelLaunch *l, const char *name) {
    for (int i = 0; l && i < l->nargs; i++)
        if (str_eq(l->args[i].name, name)) return &l->args[i];
    return NULL;
}

const char *clang_declare_undefined(Arena *a, const AstUnit *u, bool opencl, const KernelLaunch *l) {
    Text t = text_new(a);
    for (int i = 0; i < u->nundefined; i++) {
        const Undefined *x = &u->undefined[i];
        const KernelArg *arg = given(l, x->name);
        bool again = false; // in another function
        for (int j = 0; j < i; j++) again |= str_eq(u->undefined[j].name, x->name);
        if (again) continue;
        if (x->called && !opencl)
            text_printf(&t, "template <class... T> __device__ int %s(T...);\n", x->name);
        else if (x->called) continue;
        else if (arg && arg->is_float) text_printf(&t, "#define %s %.17g\n", x->name, arg->value);
        else if (arg) text_printf(&t, "#define %s %lld\n", x->name, (long long)arg->value);
        else text_printf(&t, "extern %s int %s;\n", opencl ? "__constant" : "__device__ const", x->name);
    }
    return text_str(&t);
}
