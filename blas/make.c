// SPDX-License-Identifier: MIT
// make.c -- blas_make: reads blas.def and writes what follows from it, while the library is built.
//
//   blas_make blas.def entry | header | core | device | device_header | cublas | tries | cublas_tries > FILE
#include "table.h"

static void write_core(void) {
    for (int i = 0; i < n_routines; i++)
        if (is_ours(&routines[i])) {
            core_prototype(&routines[i], false);
            puts(";");
            if (!routines[i].row->is_batched) continue;
            core_prototype(&routines[i], true);
            puts(";");
        }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*write)(void);
    } parts[] = {{"entry", write_entries}, {"header", write_header}, {"core", write_core},
                 {"device", write_devices}, {"device_header", write_device_header}, {"cublas", write_cublas},
                 {"tries", write_tries}, {"cublas_tries", write_cublas_tries}};
    if (argc != 3) die("usage: blas_make blas.def PART", "");
    read_all(argv[1]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(argv[2], parts[i].name)) return parts[i].write(), 0;
    die("no such part", argv[2]);
}
