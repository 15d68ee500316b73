// SPDX-License-Identifier: MIT
// build.h -- small regions made by hand, and running C text, for the tests of this room.
#ifndef SCULPT_TEST_EMIT_BUILD_H
#define SCULPT_TEST_EMIT_BUILD_H
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "emit/emit.h"

typedef struct Builder {
    Compile *c;
    Arena *a;
    VEC(const Array *) arrays;
    VEC(const Sym *) params;
    VEC(const Stmt *) stmts;
} Builder;

static inline Sym *sym(Arena *a, const char *name, SymKind kind, Type t) {
    Sym *s = NEW(a, Sym);
    *s = (Sym){name, kind, t, kind == SYM_PARAM ? name : NULL};
    return s;
}

static inline Sym *param(Builder *b, const char *name, Type t) {
    Sym *s = sym(b->a, name, SYM_PARAM, t);
    vec_push(b->a, &b->params, s);
    return s;
}

static inline Array *array(Builder *b, const char *name, Type t, int rank, Expr **extent) {
    Array *x = NEW(b->a, Array);
    *x = (Array){.name = name, .elem = t, .place = PLACE_USER, .rank = rank, .extent = extent,
                 .object = name, .stride = type_size(t), .source = name, .live_out = true};
    vec_push(b->a, &b->arrays, x);
    return x;
}

static inline Expr **list(Arena *a, int n, Expr *x, Expr *y) {
    Expr **v = NEW_N(a, Expr *, 2);
    v[0] = x;
    v[1] = n > 1 ? y : NULL;
    return v;
}

static inline Expr *load1(Builder *b, const Array *x, const Sym *i) {
    return expr_load(b->a, x, list(b->a, 1, expr_sym(b->a, i), NULL));
}

static inline Stmt *stmt(Builder *b, int depth, const Sym **iters, const Array *lhs, Expr **sub, Op op,
                  Expr *rhs) {
    Stmt *s = NEW(b->a, Stmt);
    *s = (Stmt){.label = arena_printf(b->a, "S%d", b->stmts.n), .loc = {"dir/loop.c", 7, 5},
                .depth = depth, .iters = iters, .lhs = lhs, .sub = sub, .op = op, .rhs = rhs};
    vec_push(b->a, &b->stmts, s);
    return s;
}

static inline Node *plain(Builder *b, const Stmt *s) {
    Expr **at = NEW_N(b->a, Expr *, s->depth + 1);
    for (int k = 0; k < s->depth; k++)
        at[k] = expr_sym(b->a, s->iters[k]);
    return node_stmt(b->a, s, at);
}

static inline Region *region(Builder *b, Node *root) {
    Region *r = NEW(b->a, Region);
    *r = (Region){.name = "test_1", .nparams = b->params.n, .params = b->params.at,
                  .narrays = b->arrays.n, .arrays = b->arrays.at, .nstmts = b->stmts.n,
                  .stmts = b->stmts.at, .root = root};
    return r;
}

// Compiles C text to a shared object with the warnings that must not occur as errors.
static inline void *build_c(Arena *a, const char *text) {
    char dir[] = "/tmp/sculpt-emit-XXXXXX", *err = NULL;
    assert_non_null(mkdtemp(dir));
    char *source = arena_printf(a, "%s/x.c", dir), *object = arena_printf(a, "%s/x.so", dir);
    assert_true(file_write(source, text, strlen(text)));
    char *argv[] = {"gcc", "-std=gnu17", "-O1", "-Wall", "-Werror", "-ffp-contract=off",
                    "-fno-strict-aliasing", "-fwrapv", "-fopenmp", "-fPIC", "-shared", "-o",
                    object, source, "-lm", NULL};
    if (process_run(a, argv, NULL, &err)) {
        print_message("%s\n%s\n", text, err);
        fail();
    }
    void *so = dlopen(object, RTLD_NOW);
    assert_non_null(so);
    // OpenMP's threads wait in its code also after the object is closed that brought it.
    dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    unlink(source);
    unlink(object);
    rmdir(dir);
    return so;
}
#endif
