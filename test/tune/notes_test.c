// SPDX-License-Identifier: MIT
// notes_test.c -- the nests of bench/notes and bench/ceilings do what their regions say, interpreted at small
// sizes: slow and cured versions are of the same work.
#include "ir/ir.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WORDS = 1 << 17, ARRAYS = 4, PARAMS = 8 };

typedef struct Note {
    const char *file;
    const char *at[2];    // values of the parameters; the second for nests that the first does not suit
} Note;
static const Note notes[] = {
    {"notes/banks", {"n=256 s=3 reps=5"}},
    {"notes/blocks", {"n=64 reps=3"}},
    {"notes/branch", {"n=256 reps=3 w=32 h=2"}},
    {"notes/coalescing", {"n=512 q=3 s=7 m=1600"}},
    {"notes/independent", {"n=256 steps=5"}},
    {"notes/launches", {"n=256 steps=5", "n=32 steps=5"}},
    {"notes/lengths", {"n=256"}},
    {"notes/matrix", {"n=64 c=0 r=1 m=4096"}},
    {"notes/occupancy", {"n=256 m=512 reps=3"}},
    {"notes/ragged", {"n=4096 most=9 m=20"}},
    {"notes/readback", {"n=256"}},
    {"notes/tree", {"n=1024"}},
    {"notes/unroll", {"n=256 reps=9"}},
    {"ceilings/barrier", {"reps=3"}},
    {"ceilings/launch", {"n=64 steps=3"}},
    {"ceilings/replay", {"n=64 steps=3"}},
    {"ceilings/shared", {"reps=3"}},
};

static int64_t value_of(const char *settings, const char *name, int64_t otherwise) {
    size_t n = strlen(name);
    for (const char *s = settings; s && *s; s = strchr(s, ' ') ? strchr(s, ' ') + 1 : NULL)
        if (!strncmp(s, name, n) && s[n] == '=') return strtoll(s + n + 1, NULL, 10);
    return otherwise;
}

// The arrays' memory, the same each time: numbers that sum up without surprises, indices that stay inside.
static void fill(const Region *r, char *memory[]) {
    for (int k = 0; k < r->narrays; k++)
        for (int i = 0; i < WORDS; i++) {
            if (r->arrays[k]->elem == T_F32) ((float *)memory[k])[i] = (float)((i * 37 + k) % 64) / 32 - 1;
            else ((int32_t *)memory[k])[i] = 0;
        }
}

static void run(Arena *a, const Region *r, Node *root, int nvals, const InterpVal *vals, char *memory[]) {
    InterpArg objects[ARRAYS];
    fill(r, memory);
    for (int k = 0; k < r->narrays; k++) objects[k] = (InterpArg){r->arrays[k]->object, memory[k]};
    assert_true(ir_interpret(a, root, r->narrays, objects, nvals, vals, 0));
}

static void compare(const char *file, int nest, const Region *r, char *want[], char *have[]) {
    for (int k = 0; k < r->narrays; k++)
        for (int i = 0; i < WORDS; i++) {
            float x = ((float *)want[k])[i], y = ((float *)have[k])[i];
            bool same = r->arrays[k]->elem == T_F32 ? fabsf(x - y) <= 1e-4f * (1 + fabsf(x))
                : ((int32_t *)want[k])[i] == ((int32_t *)have[k])[i];
            if (!same) fail_msg("%s, nest %d: %s[%d] is other than the region's", file, nest,
                                r->arrays[k]->name, i);
        }
}

// Runs the nests of a file that suit these values, and marks them.
static void check(Compile *c, const char *file, const IrFile *f, const char *settings, bool done[]) {
    const Region *r = f->region;
    InterpVal vals[PARAMS];
    char *want[ARRAYS], *have[ARRAYS];
    int64_t holds;
    bool first = true;
    assert_true(r->nparams <= PARAMS && r->narrays <= ARRAYS);
    for (int k = 0; k < r->nparams; k++)
        vals[k] = (InterpVal){.sym = r->params[k], .i = value_of(settings, r->params[k]->name, 0), .f = 0.5};
    for (int k = 0; k < r->narrays; k++) want[k] = NEW_N(c->arena, char, 4 * WORDS),
        have[k] = NEW_N(c->arena, char, 4 * WORDS);
    for (int i = 0; i < f->nnests; i++) {
        if (done[i] || (f->nests[i]->when && !(ir_eval(f->nests[i]->when, r->nparams, vals, &holds) &&
                                               holds))) continue;
        if (first) run(c->arena, r, r->root, r->nparams, vals, want);
        first = false;
        run(c->arena, r, f->nests[i]->root, r->nparams, vals, have);
        compare(file, i, r, want, have);
        done[i] = true;
    }
}

static void nests_mean_their_regions(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
        Compile *c = compile_new();
        const char *path = arena_printf(c->arena, "bench/%s.nest", notes[k].file),
            *text = file_read(c->arena, path, NULL);
        if (!text) fail_msg("%s can't be read", path);
        IrFile *f = ir_parse(c, path, text);
        if (!f) fail_msg("%s: %s", path, c->diags.n ? c->diags.at[0].text : "?");
        bool *done = NEW_N(c->arena, bool, f->nnests);
        for (int i = 0; i < 2 && notes[k].at[i]; i++) check(c, notes[k].file, f, notes[k].at[i], done);
        for (int i = 0; i < f->nnests; i++)
            if (!done[i]) fail_msg("%s: nest %d runs at none of the sizes", path, i);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nests_mean_their_regions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
