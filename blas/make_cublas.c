// SPDX-License-Identifier: MIT
// make_cublas.c -- the routines of cuBLAS's interface, over those of <sculpt/blas.h>.
#include "table.h"

typedef enum Form { ONE, STRIDED, BATCHED, FORMS } Form;

// Those that cuBLAS has: the result is in the routine's own precision.
bool is_in_cublas(const Routine *t) {
    return is_ours(t) && t->row->result != 'd' && !(t->row->result == 'r' && has_arg(t->row, "alpha"));
}

static bool is_trmm(const Routine *t) { return !strcmp(t->name + 1, "trmm"); }

// As for a caller: numbers are pointers.
static void parameter(const Routine *t, const Arg *a, const char *integer, Form form) {
    const char *type = element_of(t->letter), *kind = a->is_written && !is_trmm(t) ? "" : "const ";
    switch (a->sort) {
    case LETTER:
        printf("int %s_", a->name);
        break;
    case NUMBER:
        printf("const %s *%s_", type, a->name);
        break;
    case MATRIX:
        printf(form == BATCHED ? "%s%s *const *%s_" : "%s%s *%s", kind, type, a->name);
        break;
    case POINTER:
        printf("%s%s *%s%s", kind, type, a->name, strcmp(a->name, "ap") ? "_" : "");
        break;
    default:
        value_parameter(t, a, integer, false);
    }
}

static void prototype(const Routine *t, Form form, const char *integer, const char *suffix) {
    static const char *const of[FORMS] = {"", "StridedBatched", "Batched"};
    const Row *r = t->row;
    bool is_new = form != ONE || (r->is_extra && !r->result);
    printf("int cublas%c%s%s%s%s(Handle *h", *t->name - 'a' + 'A', t->name + 1, of[form], is_new ? "" : "_v2",
           suffix);
    for (int i = 0, n = 1; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        printf("%s", ++n % 6 ? ", " : ",\n        ");
        parameter(t, a, integer, form);
        if (form == STRIDED && has_stride(a)) n++, printf(", long long stride%s", a->name + 2);
    }
    if (is_trmm(t)) printf(", %s *c, %s ldc", element_of(t->letter), integer);
    if (r->result) printf(", %s *result_", r->result == 'i' ? integer : result_of(t));
    if (form != ONE) printf(", %s count", integer);
    printf(")");
}

static const char *letters(const Arg *a) { return !strcmp(a->name, "uplo") ? "LU" : letters_of(a); }

// Level 1: sizes that are none are nothing to do.
static void write_nothing(const Routine *t, const char *integer) {
    const Row *r = t->row;
    bool is_any = has_arg(r, "y") || r->arg[find_arg(r, "incx")].is_any;
    printf("    if (n <= 0%s) ", is_any ? "" : " || incx <= 0");
    if (!r->result)
        puts("return DONE;");
    else
        printf("return cublas_put(h, result_, &(%s){0}, sizeof *result_);\n",
               r->result == 'i' ? integer : result_of(t));
}

static void write_numbers(const Routine *t) {
    const Row *r = t->row;
    puts("    int failed = DONE;");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        const char *type = element_of(t->letter), *name = a->name;
        if (a->sort == LETTER)
            printf("    char %s = cublas_letter((unsigned)%s_, \"%s\");\n", name, name, letters(a));
        if (a->sort == NUMBER)
            printf("    %s %s;\n    if ((failed = cublas_get(h, &%s, %s_, sizeof %s))) return failed;\n",
                   type, name, name, name, name);
        if (a->sort == POINTER && strcmp(name, "ap"))
            printf("    %s %s[5];\n    if ((failed = cublas_get(h, %s, %s_, sizeof %s))) return failed;\n",
                   type, name, name, name, name);
    }
}

static void write_tables(const Routine *t) {
    const Row *r = t->row;
    const char *type = element_of(t->letter);
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == MATRIX) printf("    %s **%s = NULL;\n", type, r->arg[i].name);
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == MATRIX)
            printf("    if (!failed) %s = cublas_table(h, %s_, count, &failed);\n", r->arg[i].name,
                   r->arg[i].name);
}

static void write_call(const Routine *t, Form form) {
    static const char *const of[FORMS] = {"", "_strided", "_batched"};
    const Row *r = t->row;
    printf("sculpt_%s%s(h->blas", t->name, of[form]);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        const char *type = element_of(t->letter);
        if (form == BATCHED && a->sort == MATRIX && !a->is_written)
            printf(", (const %s *const *)%s", type, a->name);
        else if (is_trmm(t) && a->is_written)
            printf(", c");
        else if (is_trmm(t) && !strcmp(a->name, "ldb"))
            printf(", ldc");
        else
            printf(", %s", a->name);
        if (form == STRIDED && has_stride(a)) printf(", stride%s", a->name + 2);
    }
    printf("%s%s)", r->result ? ", &value" : "", form == ONE ? "" : ", count");
}

static void write_routine(const Routine *t, Form form, const char *integer, const char *suffix) {
    const Row *r = t->row;
    prototype(t, form, integer, suffix);
    printf(" {\n    if (!h) return NO_HANDLE;\n");
    if (!r->has_order) write_nothing(t, integer);
    write_numbers(t);
    if (is_trmm(t))
        printf("    if (b == c ? ldb != ldc : 0) return BAD_VALUE;\n"
               "    if (b != c)\n        failed = sculpt_%cgeam(h->blas, 'N', 'N', m, n, 1, b, ldb, 0, b, "
               "ldb, c, "
               "ldc);\n    if (failed) return cublas_status(failed);\n",
               t->letter);
    if (r->result) printf("    %s value = 0;\n", r->result == 'i' ? "int64_t" : result_of(t));
    if (form == BATCHED) write_tables(t);
    printf("    %sfailed = cublas_status(", form == BATCHED ? "if (!failed) " : "");
    write_call(t, form);
    puts(");");
    for (int i = 0; form == BATCHED && i < r->n; i++)
        if (r->arg[i].sort == MATRIX) printf("    free(%s);\n", r->arg[i].name);
    if (r->result)
        printf(
            "    %s found = (%s)value;\n    return failed ? failed : cublas_put(h, result_, &found, sizeof "
            "found);\n",
            r->result == 'i' ? integer : result_of(t), r->result == 'i' ? integer : result_of(t));
    else
        puts("    return failed;");
    puts("}\n");
}

void write_cublas(void) {
    puts("// written by blas_make from blas.def\n#include \"cublas.h\"\n");
    for (int i = 0; i < n_routines; i++) {
        const Routine *t = &routines[i];
        if (!is_in_cublas(t)) continue;
        for (Form f = ONE; f < FORMS; f++) {
            if (f != ONE && !t->row->is_batched) break;
            if (f == STRIDED && strcmp(t->name + 1, "gemm")) continue; // cuBLAS has no others
            write_routine(t, f, "int", "");
            write_routine(t, f, "int64_t", "_64");
        }
    }
}
