// SPDX-License-Identifier: MIT
// bench.c -- `sculpt bench`: ladders and comparisons over loops as they stand in C files.
#include "bench/notes.h"
#include "bench/prices.h"
#include "bench/rungs.h"
#include "driver/driver.h"
#include <string.h>
#include <unistd.h>

// The text of the region in a C file: FILE.c, FILE.c:LINE, or a name below the root without ".c".
static const char *region(Bench *b, const char *source, const char **why) {
    Compile *c = compile_new();
    int line = 0;
    const char *file = word_line(b->a, source, &line);
    if (!str_has_suffix(file, ".c")) file = bench_file(b, "%s.c", file);
    FrontUnit *u = front_read(c, file, 0, NULL, false);
    const FrontRegion *r = u ? pipeline_choose(c, u, line) : NULL;
    const char *text = r && ir_verify_region(c, r->region)
                           ? arena_strdup(b->a, pipeline_text(b->a, r->region, 0, NULL))
                           : NULL;
    if (!text) {
        const Diag *d = c->diags.n ? &c->diags.at[c->diags.n - 1] : NULL;
        *why = arena_printf(b->a, "%s: %s", file, d ? d->text : "it has no region");
    }
    compile_free(c);
    return text;
}

static bool has_ladders(Arena *a, const char *root) {
    return access(arena_printf(a, "%s/bench/ladders", root), R_OK) == 0;
}

const char *bench_root(Arena *a) {
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (has_ladders(a, ".") || n <= 0) return ".";
    self[n] = 0;
    for (int up = 0; up < 2; up++)
        if (strrchr(self, '/')) *strrchr(self, '/') = 0;
    if (has_ladders(a, self)) return arena_strdup(a, self);
    const char *shared = arena_printf(a, "%s/share/sculpt", self); // as `make install` lays it out
    return has_ladders(a, shared) ? shared : ".";
}

int bench_main(int argc, char **argv) {
    Bench b = {.a = arena_new(),
               .region = region,
               .kept = kept_read,
               .kept_notes = kept_notes,
               .kept_tries = kept_tries};
    const char *why = bench_options(&b, argc, argv);
    if (str_eq(b.root, ".")) b.root = bench_root(b.a);
    int status = why ? usage_error("bench", "%s", why) : bench_run(&b);
    arena_free(b.a);
    return status;
}
