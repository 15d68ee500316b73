// SPDX-License-Identifier: MIT
// follow.h -- recipes over region texts, and whether the nests do what the regions do.
#ifndef SCULPT_TEST_FOLLOW_H
#define SCULPT_TEST_FOLLOW_H
#include "dep/dep.h"
#include "ir/ir.h"
#include "plan/plan.h"
#include "rule/catalogue.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static inline const char *last_diag(Compile *c) { return c->diags.n ? c->diags.at[c->diags.n - 1].text
                                                 : "no diagnostic"; }

// The nest a recipe starts from.
static inline Nest *start_of(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "example", text);
    if (!f) fail_msg("%d:%d: %s", c->diags.at[0].loc.line, c->diags.at[0].loc.col, last_diag(c));
    Nest *n = plan_start(c, f->region, dep_analyze(c, f->region), "gpu");
    if (!n) fail_msg("%s", last_diag(c));
    return n;
}

static inline Nest *follow(Compile *c, const Nest *start, const char *recipe, Judging judging) {
    RecipeOptions o = {.judging = judging, .file = "example"};
    return recipe_apply(c, start, recipe, &o);
}

// ---- running ----------------------------------------------------------------------------------
typedef struct Memory {
    int nobjects, nvals;
    InterpArg object[32];
    InterpVal val[32];
    size_t size[32];
} Memory;

static inline int64_t value_or(const Expr *x, const Memory *m, int64_t other) {
    int64_t v;
    return x && ir_eval(x, m->nvals, m->val, &v) ? v : other;
}

// Small whole numbers: float sums of them are the same in any order.
static inline void fill(const Array *a, char *at, size_t n, unsigned *seed) {
    for (size_t k = 0; k < n; k++) {
        *seed = *seed * 1664525u + 1013904223u;
        int v = (int)(*seed >> 24) % 7 - 3;
        switch (a->elem) {
        case T_F32: ((float *)at)[k] = (float)v; break;
        case T_F64: ((double *)at)[k] = v; break;
        case T_I32: case T_U32: ((int32_t *)at)[k] = v; break;
        default: ((int64_t *)at)[k] = v; break;
        }
    }
}

// Memory for the region at these parameters, the same for equal seeds. The footprints say how
// much of an array of unknown extent is used.
// Bytes from the base of its object to the end of the array.
static inline size_t bytes_of(const Nest *n, const Array *x, const Memory *m) {
    int64_t count = 1;
    for (int d = 0; d < x->rank; d++) {
        int64_t e = value_or(x->extent[d], m, -1);
        for (int k = 0; k < n->nfeet; k++)
            if (n->feet[k].array == x) {
                int64_t hi = value_or(n->feet[k].hi[d], m, 0) + 1;
                if (e < hi) e = hi;
            }
        count *= e > 1 ? e : 1;
    }
    return (size_t)(x->offset + (count - 1) * x->stride) + (size_t)type_size(x->elem);
}

// Members of one record are one object.
static inline Memory memory_of(Arena *a, const Nest *n, int nvals, const InterpVal *vals, unsigned seed) {
    Memory m = {.nvals = nvals};
    memcpy(m.val, vals, sizeof *vals * (size_t)nvals);
    for (int i = 0; i < n->region->narrays; i++) {
        const Array *x = n->region->arrays[i];
        bool seen = x->place != PLACE_USER;
        for (int k = 0; k < m.nobjects; k++) seen |= str_eq(m.object[k].object, x->object);
        if (seen) continue;
        size_t bytes = 0;
        for (int k = i; k < n->region->narrays; k++) {
            const Array *y = n->region->arrays[k];
            bool same = y->place == PLACE_USER && str_eq(y->object, x->object);
            size_t end = same ? bytes_of(n, y, &m) : 0;
            bytes = end > bytes ? end : bytes;
        }
        char *base = (char *)arena_alloc(a, bytes + 128) + 64; // values of index arrays lead a little beyond
        fill(x, base, bytes / (size_t)type_size(x->elem), &seed);
        for (int k = 0; k < n->npromised; k++) // what the nest rests on
            if (n->promised[k].array == x && n->promised[k].rises && x->elem == T_I32)
                for (int32_t *v = (int32_t *)base, at = 1; at < (int64_t)(bytes / sizeof *v); at++)
                    v[at] = v[at] < v[at - 1] ? v[at - 1] : v[at];
        m.size[m.nobjects] = bytes;
        m.object[m.nobjects++] = (InterpArg){x->object, base};
    }
    return m;
}

// What a nest may ask: how far each array lies past a multiple of 16 bytes, and the multiprocessors.
static inline void add_facts(const Nest *n, Memory *m) {
    for (int i = 0; i < n->nfacts; i++) {
        if (!n->facts[i].array) m->val[m->nvals++] = (InterpVal){.sym = n->facts[i].sym, .i = 4};
        for (int k = 0; k < m->nobjects; k++)
            if (n->facts[i].array && str_eq(m->object[k].object, n->facts[i].array->object))
                m->val[m->nvals++] = (InterpVal){.sym = n->facts[i].sym,
                    .i = (int64_t)((uintptr_t)m->object[k].base % 16 +
                                   (uint64_t)n->facts[i].array->offset) % 16};
    }
}

// Of any nest: one that is launched for thousands of threads, whatever the sizes, runs at few of them.
enum { STEPS = 1 << 22 };

// Runs region and nest on equal data: 1 equal, 0 different, -1 the nest isn't for these values or takes more
// steps.
static inline int same_within(const Nest *n, int nvals, const InterpVal *vals, unsigned seed, int64_t steps) {
    Arena *a = arena_new();
    int64_t when = 1;
    int answer = -1;
    Memory x = memory_of(a, n, nvals, vals, seed), y = memory_of(a, n, nvals, vals, seed);
    add_facts(n, &y);
    if (!n->when || (ir_eval(n->when, y.nvals, y.val, &when) && when)) {
        bool ran = ir_interpret(a, n->region->root, x.nobjects, x.object, nvals, vals, 0) &&
                   ir_interpret_within(a, n->root, y.nobjects, y.object, y.nvals, y.val, &steps);
        answer = ran;
        for (int i = 0; i < x.nobjects; i++)
            if (memcmp(x.object[i].base, y.object[i].base, x.size[i]) != 0) answer = 0;
        if (steps < 0) answer = -1;
    }
    arena_free(a);
    return answer;
}

static inline int same_values(const Nest *n, int nvals, const InterpVal *vals, unsigned seed) {
    return same_within(n, nvals, vals, seed, INT64_MAX);
}

// All parameters at sizes around the edges of small tiles. The recipe is told on failure. Returns
// how many sizes the nest is for.
static inline int compare_values(const Nest *n) {
    static const int64_t sizes[] = {0, 1, 2, 3, 5, 8, 16, 17, 33};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    const Region *r = n->region;
    InterpVal vals[32];
    int compared = 0;
    for (int s = 0; s < 3 * SIZES; s++) {
        for (int i = 0; i < r->nparams; i++)
            vals[i] = (InterpVal){.sym = r->params[i], .i = sizes[(s + (s / SIZES) * i * 4) % SIZES], .f = 2};
        int same = same_within(n, r->nparams, vals, (unsigned)s, STEPS);
        if (same == 0) {
            Arena *a = arena_new();
            Text t = text_new(a);
            for (int i = 0; i < r->nparams; i++) text_printf(&t, " %s=%lld", r->params[i]->name,
                (long long)vals[i].i);
            fail_msg("%s at%s: other values than the region after\n%s\n%s", r->name, text_str(&t), n->recipe,
                     ir_print_node(a, n->root, 0));
        }
        compared += same > 0;
    }
    return compared;
}

static inline void check_values(const Nest *n) {
    if (!compare_values(n)) fail_msg("%s: no size is taken after\n%s", n->region->name, n->recipe);
}

// Printing and reading gives the same text.
static inline void check_text(Compile *c, const Nest *n) {
    char *text = arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, n->region),
                              ir_print_nest(c->arena, n));
    IrFile *f = ir_parse(c, "printed", text);
    if (!f) fail_msg("%s\n%s\n%s", last_diag(c), n->recipe, text);
    char *again = arena_printf(c->arena, "sculpt 1\n%s%s", ir_print_region(c->arena, f->region),
                               ir_print_nest(c->arena, f->nests[0]));
    assert_string_equal(text, again);
}
#endif
