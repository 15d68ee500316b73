// SPDX-License-Identifier: MIT
// make_device.c -- <sculpt/blas.h> and its functions: arrays in the device's memory.
#include "table.h"

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

void write_device_header(void) {
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

void write_devices(void) {
    puts("// written by blas_make from blas.def\n#include \"device.h\"\n");
    for (int i = 0; i < n_routines; i++)
        if (is_ours(&routines[i])) write_device(&routines[i]);
}
