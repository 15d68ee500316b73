// SPDX-License-Identifier: MIT
// make.c -- reads blas.def and writes what follows from it:  make blas.def
// entry|header|core|device|device_header|tries > FILE
//
// entry: C text of all entry points, Fortran's and CBLAS's. header: cblas.h. core: prototypes of the
// functions that hold the loops. tries: comparisons with another BLAS, for test/blas. Runs while the library
// is built.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Sort { LETTER, SIZE, NUMBER, VECTOR, STEP, MATRIX, ROWS, POINTER } Sort;

typedef struct Arg {
    Sort sort;
    char name[16], expr[64]; // expr: a vector's length, the least leading dimension
    char type;               // of a number: 't' the routine's own, 'r' a real one
    bool is_written, is_any; // is_any: an increment that may be negative or zero where others are refused
} Arg;

typedef struct Row {
    Arg arg[20];
    int n;
    char result; // 't', 'r', 'd', 'i', or 0
    int row[20]; // arguments in the order of a call for row-major matrices
    bool turned[20];
    bool has_order;
    char operations[64];
} Row;

typedef struct Routine {
    char name[16], letter;
    const Row *row;
} Routine;

static Routine routines[300];
static int n_routines;

static void die(const char *what, const char *where) {
    fprintf(stderr, "blas.def: %s: %s\n", what, where);
    exit(1);
}

// ---- reading ---------------------------------------------------------------------------
static Sort sort_of(const char *name, const char *suffix) {
    static const char *const letters[] = {"trans", "transa", "transb", "uplo", "diag", "side"};
    static const char *const sizes[] = {"m", "n", "k", "kl", "ku"};
    if (!strcmp(suffix, "p") || !strcmp(name, "ap")) return POINTER;
    if (*suffix || !strcmp(name, "alpha") || !strcmp(name, "beta")) return NUMBER;
    for (int i = 0; i < 6; i++)
        if (!strcmp(name, letters[i])) return LETTER;
    for (int i = 0; i < 5; i++)
        if (!strcmp(name, sizes[i])) return SIZE;
    if (!strncmp(name, "inc", 3)) return STEP;
    if (!strncmp(name, "ld", 2)) return ROWS;
    return MATRIX;
}

static Arg read_arg(char *word) {
    Arg a = {.type = 't', .is_written = *word == '+'};
    word += a.is_written;
    char *any = strchr(word, '~');
    a.is_any = any;
    if (any) *any = 0;
    char *bracket = strchr(word, '['), *equals = strchr(word, '='), *dot = strchr(word, '.');
    if (bracket) {
        *bracket++ = 0;
        bracket[strlen(bracket) - 1] = 0;
        a.sort = VECTOR;
        strcpy(a.expr, bracket);
    } else if (equals) {
        *equals++ = 0;
        a.sort = ROWS;
        strcpy(a.expr, equals);
    } else {
        if (dot) *dot++ = 0;
        a.sort = sort_of(word, dot ? dot : "");
        if (a.sort == NUMBER && dot) a.type = *dot;
    }
    if (strlen(word) >= sizeof a.name) die("a long name", word);
    strcpy(a.name, word);
    return a;
}

static int find_arg(const Row *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->arg[i].name, name)) return i;
    die("no such argument", name);
    return -1;
}

static void add_routine(const Row *r, char letter, const char *name) {
    Routine *t = &routines[n_routines++];
    t->row = r;
    t->letter = letter;
    int n = 0;
    for (; *name && n < 15; name++) t->name[n++] = *name == '%' ? letter : *name;
}

static void read_row(char *line) {
    Row *r = calloc(1, sizeof *r);
    char *part[4] = {0};
    int parts = 0;
    for (char *p = strtok(line, ":"); p && parts < 4; p = strtok(NULL, ":")) part[parts++] = p;
    // A colon of an expression `c?a:b` has been cut, too: they are written with a semicolon here.
    if (parts < 3) die("a row has three or four parts", line);
    r->has_order = parts == 4;
    char *save, *names = part[0];
    bool has_result = false;
    for (char *w = strtok_r(part[1], " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        if (!strcmp(w, "->")) has_result = true;
        else if (has_result) r->result = *w;
        else r->arg[r->n++] = read_arg(w);
    }
    if (r->has_order) {
        int n = 0;
        for (char *w = strtok_r(part[2], " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
            r->turned[n] = *w == '^';
            r->row[n++] = find_arg(r, w + (*w == '^'));
        }
        if (n != r->n) die("the row-major order lacks arguments", part[0]);
    }
    sscanf(part[parts - 1], " %63s", r->operations);
    const char *letters = NULL;
    for (char *w = strtok_r(names, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        if (*w == '[') add_routine(r, w[1], w + 3);
        else if (!letters) letters = w;
        else
            for (const char *l = letters; *l; l++) add_routine(r, *l, w);
    }
}

// A row ends where the next line does not begin with a blank.
static void read_all(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) die("cannot be read", path);
    static char row[2000], line[400];
    bool inside = false; // an expression's colon stands behind a question mark
    while (true) {
        bool more = fgets(line, sizeof line, f);
        if (more && (*line == '#' || *line == '\n')) continue;
        if ((!more || *line != ' ') && *row) {
            read_row(row);
            *row = 0;
        }
        if (!more) break;
        for (char *c = line; *c; c++) {
            if (*c == '?') inside = true;
            else if (*c == ':' && inside && c[1] != ' ') *c = ';', inside = false;
        }
        if (strlen(row) + strlen(line) >= sizeof row) die("a long row", line);
        strcat(row, line);
    }
    fclose(f);
}

static const char *expr_of(const char *text) {
    static char buffer[80];
    snprintf(buffer, sizeof buffer, "%s", text);
    for (char *c = buffer; *c; c++)
        if (*c == ';') *c = ':';
    return buffer;
}

// ---- writing ---------------------------------------------------------------------------
static bool is_ours(const Routine *t) { return t->letter == 's' || t->letter == 'd'; }

static const char *real_of(char letter) { return strchr("sc", letter) ? "float" : "double"; }

static const char *element_of(char letter) {
    return is_ours(&(Routine){.letter = letter}) ? real_of(letter) : "void";
}

static const char *result_of(const Routine *t) {
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

static void comma(int i, int per_line) {
    if (i) printf(i % per_line ? ", " : ",\n        ");
}

// Fortran's parameters: all by reference; the lengths of characters are behind them.
static void fortran_parameters(const Routine *t, bool with_lengths) {
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

static void value_parameter(const Routine *t, const Arg *a, const char *integer, bool is_c) {
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

static void c_prototype(const Routine *t) {
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

static void core_prototype(const Routine *t) {
    printf("%s blas_%s(", t->row->result == 'i' ? "long" : result_of(t), t->name);
    int n = 0;
    for (int i = 0; i < t->row->n; i++) {
        if (t->row->arg[i].sort == STEP) continue;
        comma(n++, 6);
        value_parameter(t, &t->row->arg[i], "long", false);
    }
    printf(")");
}

static void fortran_prototype(const Routine *t, bool with_lengths) {
    printf("%s %s_(", result_of(t), t->name);
    fortran_parameters(t, with_lengths);
    printf(")");
}

static const char *upper(const char *name) {
    static char buffer[16];
    int n = 0;
    for (; name[n]; n++) buffer[n] = name[n] - (name[n] >= 'a' && name[n] <= 'z' ? 32 : 0);
    while (n < 6) buffer[n++] = ' ';
    buffer[n] = 0;
    return buffer;
}

static bool has_arg(const Row *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->arg[i].name, name)) return true;
    return false;
}

// The arguments as a call has them: for each sort a format of its name, NULL where it is left out.
typedef const char *Formats[POINTER + 1];

static void call(const Row *r, Formats f) {
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        if (!f[r->arg[i].sort]) continue;
        comma(n++, 8);
        printf(f[r->arg[i].sort], r->arg[i].name);
    }
}

static const char *letters_of(const Arg *a) {
    return !strncmp(a->name, "trans", 5) ? "NTC"
           : !strcmp(a->name, "uplo")    ? "UL"
           : !strcmp(a->name, "diag")    ? "NU"
                                         : "LR";
}

static void write_checks(const Row *r) {
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == LETTER)
            printf("    if (!(%s = blas_letter(%s, \"%s\"))) return %d;\n", a->name, a->name, letters_of(a),
                   i + 1);
        if (a->sort == SIZE) printf("    if (%s < 0) return %d;\n", a->name, i + 1);
        if (a->sort == STEP) printf("    if (%s == 0) return %d;\n", a->name, i + 1);
        if (a->sort == ROWS)
            printf("    if (%s < 1 || %s < (%s)) return %d;\n", a->name, a->name, expr_of(a->expr), i + 1);
    }
}

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
    printf("    static void *cpu;\n    if (blas_is_for_cpu(%s, \"%s_\", &cpu)) {\n", expr_of(r->operations),
           t->name);
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
    if (r->has_order) write_checks(r);
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

// ---- the interface of <sculpt/blas.h>: arrays in the device's memory --------------------------------
static void device_prototype(const Routine *t, const char *prefix) {
    printf("int %s%s(sculpt_blas *h", prefix, t->name);
    for (int i = 0; i < t->row->n; i++) {
        printf("%s", (i + 1) % 6 ? ", " : ",\n        ");
        value_parameter(t, &t->row->arg[i], "int64_t", false);
    }
    if (t->row->result) printf(", %s *result", t->row->result == 'i' ? "int64_t" : result_of(t));
    printf(")");
}

// Elements that an array has at most: what is said too much of is not touched.
static void write_own(const Routine *t, const Arg *a) {
    const Row *r = t->row;
    printf("    blas_own(h, %s, ", a->name);
    if (a->sort == VECTOR) printf("blas_reach(%s, inc%s)", expr_of(a->expr), a->name);
    else if (!strcmp(a->name, "ap")) printf("n * (n + 1) / 2");
    else {
        printf("ld%s * (0", a->name);
        for (int i = 0; i < r->n; i++)
            if (r->arg[i].sort == SIZE) printf(" + %s", r->arg[i].name);
        printf(")");
    }
    printf(", sizeof *%s);\n", a->name);
}

// Row-major calls, and the function itself.
static void write_device_entry(const Routine *t) {
    const Row *r = t->row;
    device_prototype(t, "sculpt_");
    printf(" {\n");
    for (int major = r->has_order ? 0 : 1; major < 2; major++) {
        bool turned = !major; // row-major first
        if (turned) {
            printf("    if (blas_is_row_major(h)) {\n        static const int row[] = {");
            for (int i = 0; i < r->n; i++) printf("%s%d", i ? ", " : "", r->row[i] + 1);
            printf("};\n");
            for (int i = 0; i < r->n; i++)
                if (r->turned[i]) {
                    const Arg *a = &r->arg[r->row[i]];
                    printf("        if (!(%s = blas_letter(%s, \"%s\"))) return %d;\n        %s = "
                           "blas_turn(%s, \"%s\");\n",
                           a->name, a->name, letters_of(a), r->row[i] + 1, a->name, a->name, letters_of(a));
                }
        }
        printf("    %s%son_device_%s(h", turned ? "    " : "", turned ? "int wrong = " : "return ", t->name);
        for (int i = 0; i < r->n; i++) {
            printf("%s", (i + 1) % 8 ? ", " : ",\n        ");
            printf("%s", r->arg[turned ? r->row[i] : i].name);
        }
        printf("%s);\n", r->result ? ", result" : "");
        if (turned) printf("        return wrong > 0 ? row[wrong - 1] : wrong;\n    }\n");
    }
    printf("}\n\n");
}

static void write_device(const Routine *t) {
    const Row *r = t->row;
    printf("static ");
    device_prototype(t, "on_device_");
    printf(" {\n");
    write_checks(r);
    printf(
        "    int failed = blas_device_begin(h);\n    if (failed || setjmp(h->back)) return failed ? failed : "
        "blas_device_failed(h);\n");
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == VECTOR || r->arg[i].sort == MATRIX || !strcmp(r->arg[i].name, "ap"))
            write_own(t, &r->arg[i]);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort != VECTOR) continue;
        const char *type = element_of(t->letter), *kind = a->is_written ? "" : "const ";
        printf("    %s%s *%s_ = inc%s == 1 ? %s : ", kind, type, a->name, a->name, a->name);
        printf("blas_%cgathered(%s, %s, inc%s, ROOM_%s);\n", *type, expr_of(a->expr), a->name, a->name,
               *a->name == 'x' ? "X" : "Y");
    }
    printf("    %sblas_%s(", r->result ? "*result = " : "", t->name);
    call(r, (Formats){"%s", "%s", "%s", "%s_", NULL, "%s", "%s", "%s"});
    printf(");\n");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == VECTOR && a->is_written)
            printf("    if (inc%s != 1) blas_%cscatter(%s, %s_, %s, inc%s);\n", a->name,
                   *element_of(t->letter), expr_of(a->expr), a->name, a->name, a->name);
    }
    printf("    return blas_device_end(h);\n}\n\n");
    write_device_entry(t);
}

static void write_device_header(void) {
    puts("// blas.h -- written by make.c from blas.def: the BLAS on arrays that lie in the device's memory.\n"
         "//\n"
         "// Pointers to arrays are the device's (CUDA; on other devices they are the host's), numbers are "
         "values,\n"
         "// results and the parameters of rotm stay on the host. Each function returns 0, or the number of "
         "the argument that is wrong, counted\n"
         "// from 1 behind the handle, or one of the numbers below. Work waits for what is in the handle's "
         "stream,\n"
         "// and what is put there afterwards waits for it. A handle is for one thread at a time.\n"
         "#ifndef SCULPT_BLAS_H\n#define SCULPT_BLAS_H\n#include <stdint.h>\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
         "typedef struct sculpt_blas sculpt_blas;\n"
         "enum { SCULPT_BLAS_NO_DEVICE = -1, SCULPT_BLAS_FAILED = -2, SCULPT_BLAS_NO_MEMORY = -3 };\n"
         "enum { SCULPT_ROW_MAJOR = 101, SCULPT_COLUMN_MAJOR = 102 };\n"
         "int sculpt_blas_create(sculpt_blas **out); // column-major, the default stream\n"
         "void sculpt_blas_destroy(sculpt_blas *h);\n"
         "void sculpt_blas_set_stream(sculpt_blas *h, void *stream); // a CUstream or cudaStream_t\n"
         "void sculpt_blas_set_order(sculpt_blas *h, int order);\n"
         "const char *sculpt_blas_why(const sculpt_blas *h); // what failed last, \"\" for nothing");
    for (int i = 0; i < n_routines; i++)
        if (is_ours(&routines[i])) {
            device_prototype(&routines[i], "sculpt_");
            puts(";");
        }
    puts("#ifdef __cplusplus\n}\n#endif\n#endif");
}

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

static void write_tries(void) {
    puts("// written by make.c from blas.def\n#include \"compare.h\"\n");
    for (int i = 0; i < n_routines; i++)
        if (is_ours(&routines[i])) {
            fortran_prototype(&routines[i], false);
            puts(";");
            write_try(&routines[i]);
        }
    puts("void (*const tries[])(void) = {");
    for (int i = 0; i < n_routines; i++)
        if (is_ours(&routines[i])) printf("    try_%s,\n", routines[i].name);
    puts("    NULL,\n};");
}

static void write_header(void) {
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
        c_prototype(&routines[i]);
        puts(";");
    }
    puts("#ifdef __cplusplus\n}\n#endif\n#endif");
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: make blas.def entry|header|core|device|device_header|tries", "");
    read_all(argv[1]);
    if (!strcmp(argv[2], "header")) write_header();
    else if (!strcmp(argv[2], "tries")) write_tries();
    else if (!strcmp(argv[2], "device_header")) write_device_header();
    else if (!strcmp(argv[2], "device")) {
        puts("// written by make.c from blas.def\n#include \"device.h\"\n");
        for (int i = 0; i < n_routines; i++)
            if (is_ours(&routines[i])) write_device(&routines[i]);
    } else if (!strcmp(argv[2], "core")) {
        for (int i = 0; i < n_routines; i++)
            if (is_ours(&routines[i])) {
                core_prototype(&routines[i]);
                puts(";");
            }
    } else {
        puts("// written by make.c from blas.def\n#include \"entry.h\"\n");
        for (int i = 0; i < n_routines; i++) {
            const Routine *t = &routines[i];
            if (is_ours(t)) {
                write_enter(t);
                write_fortran(t);
                write_c(t);
            } else write_forward(t);
            if (t->row->result) write_sub(t);
        }
    }
    return 0;
}
