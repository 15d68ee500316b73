// SPDX-License-Identifier: MIT
// make_words.c -- names, types and lists of arguments, as Fortran, C and our own functions have them.
#include "table.h"

bool is_ours(const Routine *t) { return t->letter == 's' || t->letter == 'd'; }

const char *real_of(char letter) { return strchr("sc", letter) ? "float" : "double"; }

const char *element_of(char letter) {
    return is_ours(&(Routine){.letter = letter}) ? real_of(letter) : "void";
}

const char *result_of(const Routine *t) {
    switch (t->row->result) {
    case 0: return "void";
    case 'd': return "double";
    case 'i': return "int";
    case 'r': return real_of(t->letter);
    default:
        return t->letter == 'c'   ? "float _Complex"
               : t->letter == 'z' ? "double _Complex"
                                  : real_of(t->letter);
    }
}

void comma(int i, int per_line) {
    if (i) printf(i % per_line ? ", " : ",\n        ");
}

// Fortran's parameters: all by reference; the lengths of characters are behind them.
void fortran_parameters(const Routine *t, bool with_lengths) {
    int letters = 0;
    for (int i = 0; i < t->row->n; i++) {
        const Arg *a = &t->row->arg[i];
        comma(i, 6);
        const char *type = a->sort == LETTER                                       ? "char"
                           : a->sort == SIZE || a->sort == STEP || a->sort == ROWS ? "int"
                           : a->sort == NUMBER && a->type == 'r'                   ? real_of(t->letter)
                                                                                   : element_of(t->letter);
        printf("%s%s *%s", a->is_written ? "" : "const ", type, a->name);
        letters += a->sort == LETTER;
    }
    for (int i = 0; with_lengths && i < letters; i++) printf(", size_t len%d", i);
}

void value_parameter(const Routine *t, const Arg *a, const char *integer, bool is_c) {
    const char *type = element_of(t->letter), *name = a->name;
    switch (a->sort) {
    case LETTER:
        if (!is_c) printf("char %s", name);
        else
            printf("%s %s",
                   !strncmp(name, "trans", 5) ? "enum CBLAS_TRANSPOSE"
                   : !strcmp(name, "uplo")    ? "enum CBLAS_UPLO"
                   : !strcmp(name, "diag")    ? "enum CBLAS_DIAG"
                                              : "enum CBLAS_SIDE",
                   name);
        break;
    case SIZE:
    case STEP:
    case ROWS: printf("%s %s", integer, name); break;
    case NUMBER:
        if (a->type == 'r') printf("%s %s", real_of(t->letter), name);
        else if (is_ours(t)) printf("%s %s", type, name);
        else printf("const void *%s", name);
        break;
    case VECTOR:
    case MATRIX:
    case POINTER: printf("%s%s *%s", a->is_written ? "" : "const ", type, name); break;
    }
}

static void c_name(const Routine *t) {
    printf("cblas_%s%s", t->name, t->row->result == 't' && !is_ours(t) ? "_sub" : "");
}

void c_prototype(const Routine *t) {
    bool is_sub = t->row->result == 't' && !is_ours(t);
    printf("%s ", is_sub ? "void" : t->row->result == 'i' ? "CBLAS_INDEX" : result_of(t));
    c_name(t);
    printf("(%s", t->row->has_order ? "enum CBLAS_ORDER order, " : "");
    for (int i = 0; i < t->row->n; i++) {
        comma(i, 6);
        value_parameter(t, &t->row->arg[i], "int", true);
    }
    printf("%s)", is_sub ? ", void *result" : "");
}

// Behind a matrix's leading dimension in a strided call: how far it is from one matrix to the next.
bool has_stride(const Arg *a) { return a->sort == ROWS; }

void core_prototype(const Routine *t, bool is_strided) {
    printf("%s blas_%s%s(", t->row->result == 'i' ? "long" : result_of(t), t->name,
           is_strided ? "_strided" : "");
    int n = 0;
    for (int i = 0; i < t->row->n; i++) {
        if (t->row->arg[i].sort == STEP) continue;
        comma(n++, 6);
        value_parameter(t, &t->row->arg[i], "long", false);
        if (is_strided && has_stride(&t->row->arg[i])) printf(", long stride%s", t->row->arg[i].name + 2);
    }
    printf("%s)", is_strided ? ", long count" : "");
}

void fortran_prototype(const Routine *t, bool with_lengths) {
    printf("%s %s_(", result_of(t), t->name);
    fortran_parameters(t, with_lengths);
    printf(")");
}

const char *upper(const char *name) {
    static char buffer[16];
    int n = 0;
    for (; name[n]; n++) buffer[n] = name[n] - (name[n] >= 'a' && name[n] <= 'z' ? 32 : 0);
    while (n < 6) buffer[n++] = ' ';
    buffer[n] = 0;
    return buffer;
}

void call(const Row *r, Formats f) {
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        if (!f[r->arg[i].sort]) continue;
        comma(n++, 8);
        printf(f[r->arg[i].sort], r->arg[i].name);
    }
}

const char *letters_of(const Arg *a) {
    return !strncmp(a->name, "trans", 5) ? "NTC"
           : !strcmp(a->name, "uplo")    ? "UL"
           : !strcmp(a->name, "diag")    ? "NU"
                                         : "LR";
}

// An argument's number in a call, from 1.
int place_of(const Row *r, int i, bool is_strided) {
    int at = i + 1;
    for (int k = 0; is_strided && k < i; k++) at += has_stride(&r->arg[k]);
    return at;
}

void write_checks(const Row *r, bool is_strided) {
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        int at = place_of(r, i, is_strided);
        if (a->sort == LETTER)
            printf("    if (!(%s = blas_letter(%s, \"%s\"))) return %d;\n", a->name, a->name, letters_of(a),
                   at);
        if (a->sort == SIZE) printf("    if (%s < 0) return %d;\n", a->name, at);
        if (a->sort == STEP) printf("    if (%s == 0) return %d;\n", a->name, at);
        if (a->sort == ROWS)
            printf("    if (%s < 1 || %s < (%s)) return %d;\n", a->name, a->name, expr_of(a->expr), at);
    }
}

