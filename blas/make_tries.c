// SPDX-License-Identifier: MIT
// make_tries.c -- calls for test/blas.
#include "table.h"

// A comparison with another BLAS on random arguments; what it calls is in test/blas/compare.h.
static void write_try(const Routine *t) {
    const Row *r = t->row;
    const char *type = element_of(t->letter);
    bool is_triangle = has_arg(r, "diag");
    const char *half = !has_arg(r, "uplo") || has_arg(r, "ap") || (has_arg(r, "k") && !has_arg(r, "c")) ? ""
                       : has_arg(r, "trans") && !is_triangle                                            ? "c"
                                                                                                        : "a";
    printf("#define T %s\nstatic void try_%s(void) {\n    begin(\"%s\");\n", type, t->name, t->name);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        switch (a->sort) {
        case LETTER: printf("    char %s = letter(\"%s\");\n", a->name, letters_of(a)); break;
        case SIZE: printf("    int %s = size();\n", a->name); break;
        case NUMBER: printf("    %s %s = factor();\n", type, a->name); break;
        case STEP: printf("    int %s = step(%d);\n", a->name, !r->has_order); break;
        default: break;
        }
    }
    printf("    widest = 1;\n");
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == SIZE) printf("    widest += %s;\n", r->arg[i].name);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == ROWS) printf("    int %s = rows(%s);\n", a->name, expr_of(a->expr));
        bool is_unread = a->is_written ? has_arg(r, "beta") : has_arg(r, "alpha") && r->has_order;
        const char *unread = !is_unread ? "0" : a->is_written ? "beta == 0" : "alpha == 0";
        if (a->sort == VECTOR)
            printf("    Array %s = array(sizeof(T), elements(%s, inc%s), %s, %d);\n", a->name,
                   expr_of(a->expr), a->name, unread, a->is_written);
        if (a->sort == POINTER)
            printf("    Array %s = array(sizeof(T), %s, %s, %d);\n", a->name,
                   !strcmp(a->name, "ap") ? "n * (n + 1L) / 2" : "5", unread, a->is_written);
    }
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort != MATRIX) continue;
        bool is_unread = a->is_written ? has_arg(r, "beta") : has_arg(r, "alpha");
        printf("    Array %s = array(sizeof(T), ld%s * widest, %s, %d);\n", a->name, a->name,
               !is_unread      ? "0"
               : a->is_written ? "beta == 0"
                               : "alpha == 0",
               a->is_written);
        if (!strcmp(a->name, half)) printf("    poison_half(&%s, ld%s, uplo);\n", a->name, a->name);
    }
    if (is_triangle) {
        if (has_arg(r, "ap")) printf("    diagonal_packed(&ap, n, uplo);\n");
        else
            printf("    diagonal(&a, lda, %s);\n",
                   has_arg(r, "k") ? "lda, uplo == 'U' ? k : 0" : "lda + 1, 0");
    }
    if (has_arg(r, "param")) printf("    flag(&param);\n");
    for (int of = 0; of < 2; of++) {
        printf("    %s", r->result ? of ? "double theirs = " : "double ours = " : "");
        if (of) {
            printf("((%s (*)(", result_of(t));
            fortran_parameters(t, true);
            printf("))other(\"%s_\"))(", t->name);
        } else printf("%s_(", t->name);
        int letters = 0;
        for (int i = 0; i < r->n; i++) {
            const Arg *a = &r->arg[i];
            comma(i, 8);
            if (a->sort < VECTOR || a->sort == STEP || a->sort == ROWS) printf("&%s", a->name);
            else printf("%s.%s", a->name, of ? "theirs" : "ours");
            letters += a->sort == LETTER;
        }
        while (of && letters--) printf(", 1");
        printf(");\n");
    }
    if (r->result) printf("    same_result(sizeof(T), ours, theirs, %d);\n", r->result == 'i');
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort >= VECTOR && r->arg[i].sort != STEP && r->arg[i].sort != ROWS)
            printf("    same(&%s, \"%s\");\n", r->arg[i].name, r->arg[i].name);
    printf("}\n#undef T\n\n");
}

static bool by_cublas;

static bool is_tried(const Routine *t) {
    return is_ours(t) && !t->row->is_extra && (!by_cublas || is_in_cublas(t));
}

void write_tries(void) {
    puts("// written by make.c from blas.def\n#include \"compare.h\"\n");
    for (int i = 0; i < n_routines; i++)
        if (is_tried(&routines[i])) {
            fortran_prototype(&routines[i], false);
            puts(";");
            write_try(&routines[i]);
        }
    puts("void (*const tries[])(void) = {");
    for (int i = 0; i < n_routines; i++)
        if (is_tried(&routines[i])) printf("    try_%s,\n", routines[i].name);
    puts("    NULL,\n};");
}

// Fortran's routines by cuBLAS's, as a program calls them, the one half with 64-bit sizes.
static void write_cublas_call(const Routine *t, bool is_wide) {
    const Row *r = t->row;
    bool is_trmm = !strcmp(t->name + 1, "trmm");
    printf("cublas%c%s_v2%s(handle", *t->name - 'a' + 'A', t->name + 1, is_wide ? "_64" : "");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        bool is_number = a->sort == SIZE || a->sort == STEP || a->sort == ROWS;
        if (a->sort == LETTER)
            printf(", number(*%s, \"%s\")", a->name, !strcmp(a->name, "uplo") ? "LU" : letters_of(a));
        else printf(is_number ? is_wide ? ", (long)*%s" : ", *%s" : ", %s", a->name);
    }
    if (is_trmm) printf(is_wide ? ", b, (long)*ldb" : ", b, *ldb");
    printf("%s)", !r->result ? "" : is_wide && r->result == 'i' ? ", &wide" : ", &result");
}

void write_cublas_tries(void) {
    by_cublas = true;
    puts("#include \"cublas_names.h\"");
    for (int i = 0; i < n_routines; i++) {
        const Routine *t = &routines[i];
        if (!is_tried(t)) continue;
        fortran_prototype(t, false);
        printf(" {\n");
        if (t->row->result) printf("    %s result = 0;\n    long wide = 0;\n", result_of(t));
        for (int wide = 0; wide < 2; wide++) {
            printf("    %s", wide ? "else done(" : "if (is_even()) done(");
            write_cublas_call(t, wide);
            printf(");\n");
        }
        if (t->row->result) puts("    return wide ? wide : result;");
        puts("}");
    }
    write_tries();
}
