// SPDX-License-Identifier: MIT
// make_entry.c -- entry points of Fortran's and C's callers, and cblas.h.
#include "table.h"

// Level 1: no size is wrong, and an increment of a vector that is written may be zero: element by element
// then.
static void write_still(const Routine *t) {
    const Row *r = t->row;
    int written = 0;
    for (int i = 0; i < r->n; i++) written += r->arg[i].sort == VECTOR && r->arg[i].is_written;
    bool is_any = has_arg(r, "y") || r->arg[find_arg(r, "incx")].is_any;
    printf("    if (n <= 0%s) return %s;\n", is_any ? "" : " || incx <= 0",
           r->result && has_arg(r, "alpha") ? "alpha" : "0");
    if (!written || !has_arg(r, "y")) return;
    printf("    if (n > 1 && (incy == 0%s)) {\n", written > 1 ? " || incx == 0" : "");
    for (const char *v = "xy"; *v; v++) printf("        if (inc%c < 0) %c -= (n - 1) * inc%c;\n", *v, *v, *v);
    printf("        for (long i = 0; i < n; i++)\n            enter_%s(", t->name);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        comma(i, 8);
        if (a->sort == VECTOR) printf("%s + i * inc%s", a->name, a->name);
        else printf("%s", a->sort == SIZE || a->sort == STEP ? "1" : a->name);
    }
    printf(");\n        return 0;\n    }\n");
}

static void write_for_cpu(const Routine *t) {
    const Row *r = t->row;
    int matrices = 0;
    for (int i = 0; i < r->n; i++) matrices += r->arg[i].sort == MATRIX;
    printf("    static void *cpu;\n    if (blas_is_for_cpu(%s, \"%s_\", %d, &cpu)) {\n",
           expr_of(r->operations), t->name, !r->has_order ? 1 : matrices < 2 ? 2 : 3);
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == SIZE || r->arg[i].sort == STEP || r->arg[i].sort == ROWS)
            printf("        int %s_ = (int)%s;\n", r->arg[i].name, r->arg[i].name);
    printf("        %s((%s (*)(", r->result ? "return " : "", result_of(t));
    fortran_parameters(t, true);
    printf("))cpu)(");
    call(r, (Formats){"&%s", "&%s_", "&%s", "%s", "&%s_", "%s", "&%s_", "%s"});
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == LETTER) printf(", 1");
    printf(");\n%s    }\n", r->result ? "" : "        return 0;\n");
}

// enter_NAME: checks, small work to a CPU BLAS, vectors without gaps, the loops. Where it has no result of
// its own, the number of the argument that is wrong, or 0.
static void write_enter(const Routine *t) {
    const Row *r = t->row;
    printf("static %s enter_%s(", !r->result ? "int" : r->result == 'i' ? "long" : result_of(t), t->name);
    for (int i = 0; i < r->n; i++) {
        comma(i, 6);
        value_parameter(t, &r->arg[i], "long", false);
    }
    printf(") {\n");
    if (r->has_order) write_checks(r, false);
    else write_still(t);
    write_for_cpu(t);
    bool may_be_unread = r->has_order && has_arg(r, "alpha");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort != VECTOR) continue;
        const char *kind = a->is_written ? "" : "const ", *type = element_of(t->letter);
        printf("    %s%s *%s_ = ", kind, type, a->name);
        if (may_be_unread && !a->is_written) printf("alpha == 0 ? %s : ", a->name);
        printf("blas_pack(%s, %s, inc%s, sizeof *%s);\n", a->name, expr_of(a->expr), a->name, a->name);
    }
    printf("    %sblas_%s(", r->result ? "__auto_type result = " : "", t->name);
    call(r, (Formats){"%s", "%s", "%s", "%s_", NULL, "%s", "%s", "%s"});
    printf(");\n");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == VECTOR)
            printf("    blas_unpack(%s, %s_, %s, inc%s, sizeof *%s, %d);\n", a->name, a->name,
                   expr_of(a->expr), a->name, a->name, a->is_written);
    }
    printf("    return %s;\n}\n\n", r->result ? "result" : "0");
}

// Fortran's entry, and the subroutine that CBLAS's own Fortran callers know where there is a result.
static void write_fortran(const Routine *t) {
    const Row *r = t->row;
    fortran_prototype(t, false);
    printf(" {\n    %senter_%s(", r->result ? "return " : r->has_order ? "int wrong = " : "", t->name);
    call(r, (Formats){"*%s", "*%s", "*%s", "%s", "*%s", "%s", "*%s", "%s"});
    printf(");\n%s", r->has_order ? "" : "}\n\n");
    if (r->has_order) printf("    if (wrong) blas_wrong(\"%s\", wrong);\n}\n\n", upper(t->name));
}

static void write_sub(const Routine *t) {
    printf("void %ssub_(", t->name);
    fortran_parameters(t, false);
    printf(", %s *result) {\n    *result = %s_(", result_of(t), t->name);
    call(t->row, (Formats){"%s", "%s", "%s", "%s", "%s", "%s", "%s", "%s"});
    printf(");\n}\n\n");
}

static void write_c(const Routine *t) {
    const Row *r = t->row;
    c_prototype(t);
    printf(" {\n");
    if (!r->has_order) {
        printf("    %senter_%s(", r->result == 'i' ? "long at = " : r->result ? "return " : "", t->name);
        call(r, (Formats){"%s", "%s", "%s", "%s", "%s", "%s", "%s", "%s"});
        printf(");\n%s}\n\n", r->result == 'i' ? "    return at ? at - 1 : 0;\n" : "");
        return;
    }
    int letters = 0;
    for (int i = 0; i < r->n; i++) letters += r->arg[i].sort == LETTER;
    printf("    static const BlasCall it = {\"%s\", \"cblas_%s\", %d, {", upper(t->name), t->name, letters);
    for (int i = 0; i < r->n; i++) printf("%s%d", i ? ", " : "", r->row[i] + 1);
    printf("}};\n    char letter[%d];\n    const int chosen[] = {", letters + !letters);
    for (int i = 0, n = 0; i < r->n; i++)
        if (r->arg[i].sort == LETTER) printf("%s%s", n++ ? ", " : "", r->arg[i].name);
    printf("%s};\n    if (!blas_begin(&it, order, chosen, letter)) return;\n", letters ? "" : "0");
    for (int major = 0; major < 2; major++) {
        printf("    %senter_%s(",
               major ? "                         : " : "int wrong = order == CblasColMajor ? ", t->name);
        for (int i = 0; i < r->n; i++) {
            int from = major ? r->row[i] : i, n = 0;
            comma(i, 8);
            for (int j = 0; j < from; j++) n += r->arg[j].sort == LETTER;
            if (r->arg[from].sort == LETTER && major && r->turned[i])
                printf("blas_turn(letter[%d], \"%s\")", n, letters_of(&r->arg[from]));
            else if (r->arg[from].sort == LETTER) printf("letter[%d]", n);
            else printf("%s", r->arg[from].name);
        }
        printf(")%s\n", major ? ";" : "");
    }
    printf("    blas_end(&it, order, wrong);\n}\n\n");
}

// Complex routines: what another library has under the same name.
static void write_forward(const Routine *t) {
    const Row *r = t->row;
    bool is_sub = r->result == 't';
    fortran_prototype(t, true);
    printf(" {\n    static void *cpu;\n    %s((%s (*)(", r->result ? "return " : "", result_of(t));
    fortran_parameters(t, true);
    printf("))blas_cpu(\"%s_\", &cpu))(", t->name);
    call(r, (Formats){"%s", "%s", "%s", "%s", "%s", "%s", "%s", "%s"});
    for (int i = 0, n = 0; i < r->n; i++)
        if (r->arg[i].sort == LETTER) printf(", len%d", n++);
    printf(");\n}\n\n");
    c_prototype(t);
    printf(" {\n    static void *cpu;\n    __typeof__(&cblas_%s%s) f = blas_cpu(\"cblas_%s%s\", &cpu);\n    "
           "%sf(%s",
           t->name, is_sub ? "_sub" : "", t->name, is_sub ? "_sub" : "",
           r->result && !is_sub ? "return " : "", r->has_order ? "order, " : "");
    call(r, (Formats){"%s", "%s", "%s", "%s", "%s", "%s", "%s", "%s"});
    printf("%s);\n}\n\n", is_sub ? ", result" : "");
}

void write_header(void) {
    puts("// cblas.h -- written by make.c from blas.def\n#ifndef CBLAS_H\n#define CBLAS_H\n#include "
         "<stddef.h>\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#define CBLAS_INDEX size_t\n"
         "enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };\n"
         "enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };\n"
         "enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 };\n"
         "enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 };\n"
         "enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 };\n"
         "#define CBLAS_LAYOUT CBLAS_ORDER\n"
         "typedef enum CBLAS_ORDER CBLAS_ORDER;\ntypedef enum CBLAS_TRANSPOSE CBLAS_TRANSPOSE;\n"
         "typedef enum CBLAS_UPLO CBLAS_UPLO;\ntypedef enum CBLAS_DIAG CBLAS_DIAG;\ntypedef enum CBLAS_SIDE "
         "CBLAS_SIDE;\n"
         "void cblas_xerbla(int info, const char *routine, const char *format, ...);\n"
         "void cblas_srotg(float *a, float *b, float *c, float *s);\nvoid cblas_drotg(double *a, double *b, "
         "double *c, double *s);\n"
         "void cblas_srotmg(float *d1, float *d2, float *b1, float b2, float *param);\n"
         "void cblas_drotmg(double *d1, double *d2, double *b1, double b2, double *param);\n"
         "float cblas_scabs1(const void *z);\ndouble cblas_dcabs1(const void *z);");
    for (int i = 0; i < n_routines; i++) {
        if (routines[i].row->is_extra) continue;
        c_prototype(&routines[i]);
        puts(";");
    }
    puts("#ifdef __cplusplus\n}\n#endif\n#endif");
}

void write_entries(void) {
    puts("// written by blas_make from blas.def\n#include \"entry.h\"\n");
    for (int i = 0; i < n_routines; i++) {
        const Routine *t = &routines[i];
        if (t->row->is_extra) continue;
        if (is_ours(t)) {
            write_enter(t);
            write_fortran(t);
            write_c(t);
        } else
            write_forward(t);
        if (t->row->result) write_sub(t);
    }
}
