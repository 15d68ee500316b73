// SPDX-License-Identifier: MIT
// edges_test.c -- ways to meet sizes that no tile divides, on kernels that stage their operands:
// guard, redirect, zero, pad, two, strip, whole. Each is judged and run at sizes from 1 to 130.
// SEED=n takes other sizes, COUNT=n more of them.
#include "../sample.h"
#include "follow.h"
#include "rule/examples.h"
#include <stdio.h>

// A kernel: its steps up to the edge, the buffers that hold operands, and what follows.
typedef struct Staged {
    const char *name, *region;
    const char *shape;          // strips and maps
    const char *pack;           // operands into padded temporaries, instead of staging them directly
    const char *stage, *stage_packed;
    const char *const buffers[3];
    const char *sizes, *tiles;  // of edge two
    const char *cut;            // steps before shape that leave whole tiles to its loops
    const char *after;
} Staged;

static const Staged kernels[] = {
    {"16 x 16", EXAMPLE_PRODUCT,
     "strip i by=16 as=ib,ii\nstrip j by=16 as=jb,ji\nstrip k by=16 as=kt,kk\ninterchange jb ib kt ji ii kk\n"
     "map block jb ib\nmap thread ji ii\n",
     "pack b at=k0 as=bp tile=16,16\npack c at=k0 as=cp tile=16,16\n",
     "hoist a at=kt as=acc\nstage b at=kt as=sb\nstage c at=kt as=sc\n",
     "hoist a at=kt as=acc\nstage bp at=kt as=sb\nstage cp at=kt as=sc\n",
     {"sb", "sc"}, "n,m,p", "16,16,16",
     "interchange i j k\nsplit i at=n/16*16\nsplit j at=m/16*16\ndistribute i\n",
     "unroll kk\n"},
    {"2 x 4 a thread, in stages", EXAMPLE_PRODUCT,
     "strip i by=32 as=ib,ii\nstrip j by=8 as=jb,jj\nstrip k by=8 as=kt,kk\nstrip ii by=4 as=it,iv\n"
     "strip jj by=2 as=jt,jv\n"
     "interchange jb ib kt jt it kk jv iv\nmap block jb ib\nmap thread jt it\n",
     "pack b at=k0 as=bp tile=8,32\npack c at=k0 as=cp order=1,0 tile=8,8\n",
     "hoist a at=kt as=acc\nstage b at=kt as=sb\nstage c at=kt as=sc order=1,0 pad=4\nstage sb at=kk as=fb\n"
     "stage sc at=kk as=fc\n",
     "hoist a at=kt as=acc\nstage bp at=kt as=sb\nstage cp at=kt as=sc\nstage sb at=kk as=fb\n"
     "stage sc at=kk as=fc\n",
     {"sb", "sc"}, "n,m,p", "32,8,8",
     "interchange i j k\nsplit i at=n/32*32\nsplit j at=m/8*8\ndistribute i\n",
     "unroll jv\nunroll iv\nsplit kt at=full\nunroll kk\npipeline kk buffers=fb,fc stages=2\n"
     "pipeline kt async buffers=sb,sc stages=3\n"},
    {"sums of columns", EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "pack b at=k0 as=bp tile=4,64\n",
     "hoist a at=kt as=acc\nstage b at=kt as=sb\n",
     "hoist a at=kt as=acc\nstage bp at=kt as=sb\n", {"sb"}, "n,p", "64,4",
     "interchange i k\nsplit i at=n/64*64\n", ""},
};

typedef enum Way { GUARD, REDIRECT, ZERO, PAD, TWO, STRIP, WHOLE, WAYS } Way;
static const char *const ways[] = {"guard", "redirect", "zero", "pad", "two", "strip", "whole"};

static const char *recipe_of(Arena *a, const Staged *s, Way w) {
    Text t = text_new(a);
    if (w == STRIP) text_put(&t, s->cut);
    text_put(&t, s->shape);
    if (w == PAD) text_put(&t, s->pack);
    text_put(&t, w == PAD ? s->stage_packed : s->stage);
    if (w == TWO) text_printf(&t, "edge two of=%s multiple=%s\n", s->sizes, s->tiles);
    if (w == WHOLE) text_put(&t, "whole ib\n");
    bool copies = w != STRIP && w != WHOLE;
    if (copies) text_put(&t, "edge compute\n"); // in whole tiles k alone may end early
    for (int i = 0; s->buffers[i] && copies && w != PAD; i++) {
        const char *by = w == GUARD ? "guard" : w == ZERO ? "zero" : "redirect";
        text_printf(&t, "edge %s%s by=%s\n", s->buffers[i], w == TWO ? "_1" : "", by);
    }
    // The fast version has no strip that isn't full.
    for (const char *at = s->after; *at; at += strcspn(at, "\n") + 1) {
        const char *line = arena_strndup(a, at, strcspn(at, "\n") + 1);
        if (w != TWO || !strstr(line, "at=full")) text_put(&t, line);
    }
    return text_str(&t);
}

static unsigned next(unsigned *seed, unsigned n) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 12) % n;
}

// Sizes from 1 to 130; leading dimensions of their own are parameters too.
static int run_sizes(const Nest *n, unsigned seed, int count) {
    InterpVal vals[32];
    int compared = 0;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n->region->nparams; i++) {
            static const int64_t whole[] = {32, 64, 96, 128};
            int64_t v = k % 3 == 2 ? whole[next(&seed, 4)] : 1 + next(&seed, 130);
            vals[i] = (InterpVal){.sym = n->region->params[i], .i = v};
        }
        int same = same_values(n, n->region->nparams, vals, seed);
        if (same == 0) {
            for (int i = 0; i < n->region->nparams; i++) fprintf(stderr, " %s=%d", vals[i].sym->name,
                (int)vals[i].i);
            fail_msg("other values than the region after\n%s", n->recipe);
        }
        compared += same > 0;
    }
    return compared;
}

static void all_ways(void **state) {
    (void)state;
    const char *from = getenv("SEED"), *count = getenv("COUNT");
    unsigned seed = from ? (unsigned)atoi(from) : 1;
    uint64_t sample = test_seed();
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int w = 0; w < WAYS; w++) {
            if (!test_takes(k + (uint64_t)w, 3, sample)) continue;
            Compile *c = compile_new();
            const char *recipe = recipe_of(c->arena, &kernels[k], (Way)w);
            Nest *n = follow(c, start_of(c, kernels[k].region), recipe, JUDGE_LAST);
            if (!n) fail_msg("%s, %s: %s\n%s", kernels[k].name, ways[w], last_diag(c), recipe);
            check_text(c, n);
            if (!run_sizes(n, seed + (unsigned)w,
                           count ? atoi(count) : 3)) fail_msg("%s, %s: no size is taken", kernels[k].name,
                ways[w]);
            compile_free(c);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
