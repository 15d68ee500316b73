// SPDX-License-Identifier: MIT
// measure.c -- `sculpt bench` for machines without libclang: regions come from bench/prepare.
#include "bench/bench.h"
#include "model/embedded.h"
#include <string.h>

// DIR/bench/gemm/nn.nest, or the file of that very name.
static const char *region(Bench *b, const char *source, const char **why) {
    const char *dir = b->regions ? b->regions : "build/programs/regions";
    const char *path = arena_printf(b->a, "%s/%s.nest", dir, source);
    const char *text = file_read(b->a, path, NULL);
    if (!text) text = file_read(b->a, source, NULL);
    if (!text) *why = arena_printf(b->a, "cannot read %s: bench/prepare makes it", path);
    return text;
}

extern const EmbeddedFile embedded_bench_help[]; // driver/help/bench.txt

int main(int argc, char **argv) {
    Bench b = {.a = arena_new(), .region = region};
    const char *why = bench_options(&b, argc - 1, argv + 1);
    int status = 2;
    if (why) fprintf(stderr, "measure: %s\nmeasure is 'sculpt bench' with --regions DIR, where bench/prepare left them.\n\n%s", why, embedded_bench_help[0].text);
    else status = bench_run(&b);
    arena_free(b.a);
    return status;
}
