// SPDX-License-Identifier: MIT
// nest_fuzz.c -- the nest reader under a coverage-guided fuzzer (libFuzzer's entry)
//
// Whatever the text, ir_parse returns; what it takes, prints; what was printed is read
// again and prints the same.
#include "ir/ir.h"
#include <stdlib.h>
#include <string.h>

static char *print(Arena *a, const IrFile *f) {
    Text t = text_new(a);
    text_printf(&t, "sculpt %d\n", IR_VERSION);
    text_put(&t, ir_print_region(a, f->region));
    for (int k = 0; k < f->nnests; k++) text_put(&t, ir_print_nest(a, f->nests[k]));
    return t.s;
}

static void must(Compile *c, bool ok, const char *text) {
    if (ok) return;
    for (int k = 0; k < c->diags.n; k++) diag_print(stderr, &c->diags.at[k], false);
    fprintf(stderr, "does not survive printing:\n%s\n", text);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Compile *c = compile_new();
    char *text = arena_strndup(c->arena, (const char *)data, size);
    IrFile *f = ir_parse(c, "fuzz.nest", text);
    bool told = f ? c->errors == 0 : c->errors == 1;
    must(c, told, text); // a refusal is one diagnostic
    if (f) {
        char *once = print(c->arena, f);
        IrFile *again = ir_parse(c, "again.nest", once);
        must(c, again != NULL, once);
        must(c, strcmp(once, print(c->arena, again)) == 0, once);
    }
    compile_free(c);
    return 0;
}
