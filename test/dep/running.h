// SPDX-License-Identifier: MIT
// running.h -- what a judge says of a tree against what the interpreter finds.
#ifndef TEST_DEP_RUNNING_H
#define TEST_DEP_RUNNING_H
#include "dice.h"
#include "trees.h"

typedef struct Memory {
    int n;
    InterpArg object[8];
    int64_t words[8];
} Memory;

// Arrays of small whole numbers: sums are exact in any order.
static inline Memory memory_new(Arena *a, const Region *r, int nvals, const InterpVal *vals) {
    Memory m = {r->narrays};
    uint64_t state = 7;
    for (int k = 0; k < r->narrays; k++) {
        const Array *array = r->arrays[k];
        int64_t words = 1, e = 0;
        for (int d = 0; d < array->rank; d++) words *= ir_eval(array->extent[d], nvals, vals, &e) &&
            e > 0 ? e : 0;
        if (type_size(array->elem) == 8) words *= 2;
        float *f = malloc(sizeof(float) * (size_t)(words + 1)); // so that a sanitizer sees its end
        for (int64_t w = 0; w < words; w++) f[w] = (float)(next(&state) % 17) - 8;
        m.object[k] = (InterpArg){array->object ? array->object : array->name, f};
        m.words[k] = words;
    }
    (void)a;
    return m;
}

static inline void memory_free(Memory *m) {
    for (int k = 0; k < m->n; k++) free(m->object[k].base);
}

// Do both trees give the same results for these parameters?
static inline bool same_results(const Region *r, Node *root, int nvals, const InterpVal *vals) {
    Arena *a = arena_new();
    Memory x = memory_new(a, r, nvals, vals), y = memory_new(a, r, nvals, vals);
    bool same = ir_interpret(a, r->root, x.n, x.object, nvals, vals, 0) &&
        ir_interpret(a, root, y.n, y.object, nvals, vals, 0);
    for (int k = 0; k < x.n; k++) same = same && memcmp(x.object[k].base, y.object[k].base,
                                                        sizeof(float) * (size_t)x.words[k]) == 0;
    memory_free(&x);
    memory_free(&y);
    arena_free(a);
    return same;
}

enum { NSIZES = 9 };
static const int sizes[NSIZES][3] = {{1, 1, 1}, {4, 4, 4}, {5, 3, 2}, {3, 5, 5}, {8, 8, 8}, {7, 9, 11},
                                     {16, 4, 12}, {33, 6, 3}, {4, 12, 17}};

// Where the judge says yes the interpreter must agree.
static inline void confirm(Compile *c, const Region *r, Node *root, const Verdict *v, const char *name) {
    int allowed = 0, possible = 0;
    for (int s = 0; s < NSIZES && (v->answer == ANSWER_ALWAYS || v->answer == ANSWER_WHEN); s++) {
        InterpVal vals[8];
        for (int k = 0; k < r->nparams; k++) vals[k] = (InterpVal){r->params[k], sizes[s][k], 0};
        int64_t ok = 1;
        for (int k = 0; k < r->nassumes && ok; k++) assert_true(ir_eval(r->assumes[k], r->nparams, vals,
            &ok));
        possible += ok != 0;
        if (v->when && ok) assert_true(ir_eval(v->when, r->nparams, vals, &ok));
        if (!ok) continue;
        allowed++;
        if (!same_results(r, root, r->nparams, vals))
            fail_msg("%s: other results at %d %d %d, allowed when %s\n%s", name, sizes[s][0], sizes[s][1],
                     sizes[s][2],
                     v->when ? ir_print_expr(c->arena, v->when) : "always", ir_print_node(c->arena, root, 0));
    }
    if (v->answer == ANSWER_ALWAYS) assert_int_equal(allowed, possible);
}
#endif
