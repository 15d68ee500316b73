// SPDX-License-Identifier: MIT
// make_device.c -- <sculpt/blas.h> and its functions: arrays in the device's memory.
#include "table.h"

typedef enum Form { ONE, STRIDED, BATCHED, FORMS } Form;
static const char *const suffix[FORMS] = {"", "_strided", "_batched"};

static void device_prototype(const Routine *t, const char *prefix, Form form) {
    printf("int %s%s%s(sculpt_blas *h", prefix, t->name, suffix[form]);
    for (int i = 0, n = 1; i < t->row->n; i++) {
        const Arg *a = &t->row->arg[i];
        printf("%s", ++n % 6 ? ", " : ",\n        ");
        if (form == BATCHED && a->sort == MATRIX)
            printf("%s%s *const *%s", a->is_written ? "" : "const ", element_of(t->letter), a->name);
        else
            value_parameter(t, a, "int64_t", false);
        if (form == STRIDED && has_stride(a)) n++, printf(", int64_t stride%s", a->name + 2);
    }
    if (t->row->result) printf(", %s *result", t->row->result == 'i' ? "int64_t" : result_of(t));
    printf("%s)", form == ONE ? "" : ", int64_t count");
}

// Elements that an array has at most: what is said too much of is not touched.
static void write_own(const Routine *t, const Arg *a, Form form) {
    const Row *r = t->row;
    printf("    blas_own(h, %s, ", a->name);
    if (a->sort == VECTOR)
        printf("blas_reach(%s, inc%s)", expr_of(a->expr), a->name);
    else if (!strcmp(a->name, "ap"))
        printf("n * (n + 1) / 2");
    else {
        printf("ld%s * (0", a->name);
        for (int i = 0; i < r->n; i++)
            if (r->arg[i].sort == SIZE) printf(" + %s", r->arg[i].name);
        printf(")");
    }
    if (form == STRIDED)
        printf(", stride%s, count", a->name);
    else
        printf(", 0, 1");
    printf(", sizeof *%s);\n", a->name);
}

// Row-major calls, and the function itself.
static void write_device_entry(const Routine *t, Form form) {
    const Row *r = t->row;
    bool is_strided = form == STRIDED;
    device_prototype(t, "sculpt_", form);
    printf(" {\n");
    for (int major = r->has_order ? 0 : 1; major < 2; major++) {
        bool turned = !major; // row-major first
        if (turned) {
            printf("    if (blas_is_row_major(h)) {\n        static const int row[] = {");
            for (int i = 0; i < r->n; i++) {
                int at = place_of(r, r->row[i], is_strided);
                printf("%s%d", i ? ", " : "", at);
                if (is_strided && has_stride(&r->arg[r->row[i]])) printf(", %d", at + 1);
            }
            printf(", %d};\n", place_of(r, r->n, is_strided));
            for (int i = 0; i < r->n; i++)
                if (r->turned[i]) {
                    const Arg *a = &r->arg[r->row[i]];
                    printf("        if (!(%s = blas_letter(%s, \"%s\"))) return %d;\n        %s = "
                           "blas_turn(%s, \"%s\");\n",
                           a->name, a->name, letters_of(a), r->row[i] + 1, a->name, a->name, letters_of(a));
                }
        }
        printf("    %s%son_device_%s%s(h", turned ? "    " : "", turned ? "int wrong = " : "return ", t->name,
               suffix[form]);
        for (int i = 0; i < r->n; i++) {
            const Arg *a = &r->arg[turned ? r->row[i] : i];
            printf("%s%s", (i + 1) % 8 ? ", " : ",\n        ", a->name);
            if (is_strided && has_stride(a)) printf(", stride%s", a->name + 2);
        }
        printf("%s%s);\n", r->result ? ", result" : "", is_strided ? ", count" : "");
        if (turned) printf("        return wrong > 0 ? row[wrong - 1] : wrong;\n    }\n");
    }
    printf("}\n\n");
}

static void write_device(const Routine *t, Form form) {
    const Row *r = t->row;
    printf("static ");
    device_prototype(t, "on_device_", form);
    printf(" {\n");
    write_checks(r, form == STRIDED);
    if (form == STRIDED)
        printf("    if (count < 0) return %d;\n    if (count == 0) return 0;\n", place_of(r, r->n, true));
    printf("    int failed = blas_device_begin(h, %d);\n    if (failed || setjmp(h->back)) return failed ? "
           "failed : blas_device_failed(h);\n",
           r->result != 0);
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == VECTOR || r->arg[i].sort == MATRIX || !strcmp(r->arg[i].name, "ap"))
            write_own(t, &r->arg[i], form);
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort != VECTOR) continue;
        const char *type = element_of(t->letter), *kind = a->is_written ? "" : "const ";
        printf("    %s%s *%s_ = inc%s == 1 ? %s : ", kind, type, a->name, a->name, a->name);
        printf("blas_%cgathered(%s, %s, inc%s, ROOM_%s);\n", *type, expr_of(a->expr), a->name, a->name,
               *a->name == 'x' ? "X" : "Y");
    }
    printf("    %sblas_%s%s(", r->result ? "*result = " : "", t->name, suffix[form]);
    for (int i = 0, n = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == STEP) continue;
        comma(n++, 8);
        printf("%s%s", a->name, a->sort == VECTOR ? "_" : "");
        if (form == STRIDED && has_stride(a)) printf(", stride%s", a->name + 2);
    }
    printf("%s);\n", form == STRIDED ? ", count" : "");
    for (int i = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        if (a->sort == VECTOR && a->is_written)
            printf("    if (inc%s != 1) blas_%cscatter(%s, %s_, %s, inc%s);\n", a->name,
                   *element_of(t->letter), expr_of(a->expr), a->name, a->name, a->name);
    }
    printf("    return blas_device_end(h);\n}\n\n");
    write_device_entry(t, form);
}

// Tables of pointers: what lies at equal distances is one strided call.
static void write_batched(const Routine *t) {
    const Row *r = t->row;
    device_prototype(t, "sculpt_", BATCHED);
    printf(" {\n    static const int place[] = {0");
    for (int i = 0; i < r->n; i++) printf(", %d%s", i + 1, has_stride(&r->arg[i]) ? ", 0" : "");
    printf(", %d};\n    if (count < 0) return %d;\n    for (int64_t at = 0; at < count;) {\n", r->n + 1,
           r->n + 1);
    printf("        const void *const *tables[] = {");
    int matrices = 0;
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == MATRIX)
            printf("%s(const void *const *)%s + at", matrices++ ? ", " : "", r->arg[i].name);
    printf("};\n        int64_t step[%d], run = blas_in_line(count - at, %d, tables, sizeof **a, step);\n",
           matrices, matrices);
    printf("        int failed = sculpt_%s_strided(h", t->name);
    for (int i = 0, n = 0; i < r->n; i++) {
        const Arg *a = &r->arg[i];
        printf(a->sort == MATRIX ? ", %s[at]" : ", %s", a->name);
        if (has_stride(a)) printf(", step[%d]", n++);
    }
    printf(", run);\n        if (failed) return failed > 0 ? place[failed] : failed;\n        at += run;\n   "
           " }\n    "
           "return 0;\n}\n\n");
}

// Bytes of a caller's workspace.
static bool has_workspace(const Routine *t) {
    bool has = t->row->room[0];
    for (int i = 0; i < t->row->n; i++) has |= t->row->arg[i].sort == VECTOR;
    return has;
}

static void workspace_prototype(const Routine *t) {
    printf("size_t sculpt_%s_workspace(", t->name);
    for (int i = 0, n = 0; i < t->row->n; i++) {
        const Arg *a = &t->row->arg[i];
        if (a->sort != LETTER && a->sort != SIZE && a->sort != STEP) continue;
        printf("%s", n++ ? ", " : "");
        value_parameter(t, a, "int64_t", false);
    }
    printf(")");
}

static void write_workspace(const Routine *t) {
    const Row *r = t->row;
    const char *type = element_of(t->letter);
    workspace_prototype(t);
    printf(" {\n    size_t bytes = 0;\n");
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == LETTER)
            printf("    %s = blas_letter(%s, \"%s\");\n", r->arg[i].name, r->arg[i].name,
                   letters_of(&r->arg[i]));
    for (int i = 0; i < r->n; i++)
        if (r->arg[i].sort == VECTOR)
            printf("    if (inc%s != 1) bytes += blas_rounded(%s, sizeof(%s));\n", r->arg[i].name,
                   expr_of(r->arg[i].expr), type);
    if (r->room[0]) printf("    bytes += blas_rounded(%s, sizeof(%s));\n", expr_of(r->room), type);
    printf("    return bytes ? bytes + blas_rounded(1, 1) : 0; // wherever it begins\n}\n\n");
}

void write_device_header(void) {
    puts("// blas.h -- written by make.c from blas.def: the BLAS on arrays that lie in the device's memory.\n"
         "//\n"
         "// Pointers to arrays are the device's (CUDA; on other devices they are the host's), numbers are "
         "values,\n"
         "// results, the parameters of rotm and tables of pointers stay on the host. Each function returns "
         "0, "
         "or\n"
         "// the number of the argument that is wrong, counted from 1 behind the handle, or one of the "
         "numbers "
         "below.\n"
         "// Work waits for what is in the handle's stream, and what is put there afterwards waits for it. A "
         "handle\n"
         "// is for one thread at a time.\n"
         "//\n"
         "// _strided: count matrices, each so many elements behind the one before. _batched: tables of "
         "count\n"
         "// pointers. What a matrix becomes has the same bits wherever it stands among however many.\n"
         "//\n"
         "// _workspace: the bytes of the device's memory that a call wants of its own; 0 for routines "
         "without "
         "such\n"
         "// a function. Given to the handle, it is all that calls use, and none allocates. Else the library "
         "has\n"
         "// memory of its own, which grows.\n"
         "//\n"
         "// Calls may stand in the capture of a stream (cuStreamBeginCapture), if the same calls, of the "
         "same\n"
         "// sizes, were made before and the handle has a workspace. They wait for nothing and allocate "
         "nothing.\n"
         "// Routines with a result can't: it comes to the host. While a stream is captured no other thread "
         "may\n"
         "// use the library, and graphs run in the order of one stream with other calls.\n"
         "#ifndef SCULPT_BLAS_H\n#define SCULPT_BLAS_H\n#include <stddef.h>\n#include <stdint.h>\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
         "typedef struct sculpt_blas sculpt_blas;\n"
         "enum { SCULPT_BLAS_NO_DEVICE = -1, SCULPT_BLAS_FAILED = -2, SCULPT_BLAS_NO_MEMORY = -3 };\n"
         "enum { SCULPT_ROW_MAJOR = 101, SCULPT_COLUMN_MAJOR = 102 };\n"
         "int sculpt_blas_create(sculpt_blas **out); // column-major, the default stream\n"
         "void sculpt_blas_destroy(sculpt_blas *h);\n"
         "void sculpt_blas_set_stream(sculpt_blas *h, void *stream); // a CUstream or cudaStream_t\n"
         "void sculpt_blas_set_order(sculpt_blas *h, int order);\n"
         "void sculpt_blas_set_workspace(sculpt_blas *h, void *p, size_t bytes); // NULL: none\n"
         "const char *sculpt_blas_why(const sculpt_blas *h); // what failed last, \"\" for nothing");
    for (int i = 0; i < n_routines; i++) {
        if (!is_ours(&routines[i])) continue;
        for (Form f = ONE; f < (routines[i].row->is_batched ? FORMS : STRIDED); f++) {
            device_prototype(&routines[i], "sculpt_", f);
            puts(";");
        }
        if (!has_workspace(&routines[i])) continue;
        workspace_prototype(&routines[i]);
        puts(";");
    }
    puts("#ifdef __cplusplus\n}\n#endif\n#endif");
}

void write_devices(void) {
    puts("// written by blas_make from blas.def\n#include \"device.h\"\n");
    for (int i = 0; i < n_routines; i++) {
        const Routine *t = &routines[i];
        if (!is_ours(t)) continue;
        write_device(t, ONE);
        if (t->row->is_batched) {
            write_device(t, STRIDED);
            write_batched(t);
        }
        if (has_workspace(t)) write_workspace(t);
    }
}
