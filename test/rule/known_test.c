// SPDX-License-Identifier: MIT
// known_test.c -- what is known at random places is what isl says of the whole of them, and most of it is
// told without isl.
#include "follow.h"
#include "rule/ground.h"
#include <isl/set.h>

static unsigned long state = 1;
static int any(int n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((state >> 33) % (unsigned long)n);
}

typedef struct Spot {
    Compile *c;
    Arena *a;
    int n, nparams;
    const Sym *iters[8];
    const Sym *params[3];
    isl_set *set;         // of all points that get there
    Known known;
} Spot;

static PolyScope scope(const Spot *p) { return (PolyScope){p->n, p->iters}; }
static Expr *number(const Spot *p, int v) { return expr_int(p->a, T_I32, v); }

static Expr *symbol(const Spot *p) {
    int k = any(p->n + p->nparams);
    return expr_sym(p->a, k < p->n ? p->iters[k] : p->params[k - p->n]);
}

static Expr *condition(const Spot *p, int depth);

static Expr *value(const Spot *p, int depth) {
    static const int by[] = {1, 1, 2, 4, 16, -1, 3}, least[] = {0, 1, -1, 3, 15, 16, 17, 64};
    Expr *x = expr_mul(p->a, symbol(p), number(p, by[any(7)]));
    if (any(2)) x = expr_add(p->a, x, depth ? value(p, depth - 1) : number(p, least[any(8)]));
    if (any(3) == 0) x = expr_op(p->a, any(2) ? OP_FDIV : OP_FMOD, x, number(p, 4 << any(3)), NULL);
    if (depth && any(4) == 0) x = expr_op(p->a, any(2) ? OP_MIN : OP_MAX, x, value(p, depth - 1), NULL);
    if (depth && any(8) == 0) x = expr_op(p->a, OP_SELECT, condition(p, 0), x, value(p, 0));
    return x;
}

static Expr *condition(const Spot *p, int depth) {
    static const Op ops[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_LT, OP_LT};
    if (depth && any(4) == 0)
        return expr_op(p->a, any(3) ? OP_LAND : OP_LOR, condition(p, depth - 1), condition(p, depth - 1),
                       NULL);
    if (depth && any(8) == 0) return expr_op(p->a, OP_LNOT, condition(p, depth - 1), NULL, NULL);
    return expr_op(p->a, ops[any(8)], value(p, 1), any(2) ? value(p, 0) : symbol(p), NULL);
}

static isl_set *points(const Spot *p, Expr *cond) {
    isl_set *s = poly_cond(p->known.p, scope(p), cond, NULL);
    assert_non_null(s);
    return s;
}

static void enter(Spot *p) {
    static const int tile[] = {1, 2, 4, 16};
    Node *loop = NEW(p->a, Node);
    Sym *i = NEW(p->a, Sym);
    *i = (Sym){arena_printf(p->a, "i%d", p->n), SYM_ITER, T_I32, NULL};
    int by = tile[any(4)];
    *loop = (Node){.kind = N_FOR, .iter = i, .step = any(5) ? 1 : any(2) ? 4 : -1};
    loop->lo = any(3) ? number(p, 0) : value(p, 0);
    Expr *up_to = expr_add(p->a, symbol(p), number(p, by - 1));
    loop->hi = any(2) ? number(p, by) : expr_op(p->a, OP_FDIV, up_to, number(p, by), NULL);
    if (any(4) == 0) loop->hi = expr_op(p->a, OP_MIN, loop->hi, value(p, 0), NULL);
    if (loop->step < 0) {
        Expr *lo = loop->lo;
        loop->lo = expr_sub(p->a, loop->hi, number(p, 1)), loop->hi = expr_sub(p->a, lo, number(p, 1));
    }
    known_enter(&p->known, loop);
    p->iters[p->n++] = i;
    p->set = isl_set_add_dims(p->set, isl_dim_set, 1);
    Expr *x = expr_sym(p->a, i), *off = expr_sub(p->a, x, loop->lo);
    bool up = loop->step > 0;
    p->set = isl_set_intersect(p->set, points(p, expr_op(p->a, up ? OP_GE : OP_LE, x, loop->lo, NULL)));
    p->set = isl_set_intersect(p->set, points(p, expr_op(p->a, up ? OP_LT : OP_GT, x, loop->hi, NULL)));
    off = expr_op(p->a, OP_FMOD, off, number(p, 4), NULL);
    if (loop->step == 4)
        p->set = isl_set_intersect(p->set, points(p, expr_op(p->a, OP_EQ, off, number(p, 0), NULL)));
}

static void add(Spot *p) {
    Expr *cond = condition(p, 1);
    bool holds = any(3) > 0;
    if (cond->kind == E_INT) return;
    (holds ? known_add : known_add_not)(&p->known, cond);
    isl_set *s = points(p, cond);
    p->set = holds ? isl_set_intersect(p->set, s) : isl_set_subtract(p->set, s);
}

// Of how many questions the answer was told without isl.
static int ask(Spot *p) {
    int told = 0;
    bool empty = isl_set_is_empty(p->set) == isl_bool_true;
    for (int k = 0; k < 4; k++) {
        Expr *cond = condition(p, 1);
        isl_set *s = points(p, cond);
        bool holds = isl_set_is_subset(p->set, s) == isl_bool_true,
             never = isl_set_is_disjoint(p->set, s) == isl_bool_true;
        isl_set_free(s);
        Ground *at = p->known.at;
        bool proved = ground_proves(p->a, at, cond, true), refuted = ground_shows(p->a, at, cond, false);
        if (proved ? !holds : refuted && holds) fail_msg("%s: proved %d", ir_print_expr(p->a, cond), proved);
        if (ground_proves(p->a, at, cond, false)) assert_true(never);
        if (ground_shows(p->a, at, cond, true)) assert_false(never);
        if (known_holds(&p->known, cond) != holds) fail_msg("holds: %s", ir_print_expr(p->a, cond));
        if (known_never(&p->known, cond) != never) fail_msg("never: %s", ir_print_expr(p->a, cond));
        told += proved || refuted;
    }
    if (ground_points(p->a, p->known.at)) assert_false(empty);
    assert_true(known_nothing_runs(&p->known) == empty);
    return told;
}

static void random_places(void **unused) {
    (void)unused;
    enum { PLACES = 60 };
    int told = 0, asked = 0;
    for (int i = 0; i < PLACES; i++) {
        state = (unsigned long)i + 1;
        Compile *c = compile_new();
        poly_restart(c);
        Sym *n = NEW_N(c->arena, Sym, 2);
        n[0] = (Sym){"n", SYM_PARAM, T_I32, NULL}, n[1] = (Sym){"m", SYM_PARAM, T_I32, NULL};
        Region *r = NEW(c->arena, Region);
        Nest nest = {.region = r};
        Spot p = {.c = c, .a = c->arena, .nparams = 2, .params = {&n[0], &n[1]}};
        p.known = known_start(c, &nest);
        p.set = poly_universe(p.known.p, scope(&p));
        for (int k = 0, steps = 2 + any(4); k < steps && p.n < 6; k++) {
            if (any(3)) enter(&p);
            else add(&p);
            told += ask(&p), asked += 4;
        }
        isl_set_free(p.set);
        compile_free(c);
    }
    if (told < asked / 2) fail_msg("isl was asked %d of %d questions", asked - told, asked);
}

// Bounds of tiles, as the planner asks for them.
static void tiles(void **unused) {
    (void)unused;
    Compile *c = compile_new();
    poly_restart(c);
    Arena *a = c->arena;
    Sym n = {"n", SYM_PARAM, T_I32, NULL};
    Sym b = {"xb", SYM_ITER, T_I32, NULL}, t = {"xt", SYM_ITER, T_I32, NULL};
    Region *r = NEW(a, Region);
    Known k = known_start(c, &(Nest){.region = r});
    Expr *size = expr_sym(a, &n), *tile = expr_int(a, T_I32, 256), *zero = expr_int(a, T_I32, 0);
    Expr *up = expr_op(a, OP_FDIV, expr_add(a, size, expr_int(a, T_I32, 255)), tile, NULL);
    known_enter(&k, &(Node){.kind = N_FOR, .iter = &b, .step = 1, .lo = zero, .hi = up});
    known_enter(&k, &(Node){.kind = N_FOR, .iter = &t, .step = 1, .lo = zero, .hi = tile});
    Expr *x = expr_add(a, expr_mul(a, expr_sym(a, &b), tile), expr_sym(a, &t));
    Expr *inside = expr_op(a, OP_LT, x, size, NULL);
    Expr *padded = expr_op(a, OP_LT, x, expr_mul(a, up, tile), NULL);
    Expr *below = expr_op(a, OP_LT, x, expr_op(a, OP_MIN, zero, size, NULL), NULL);
    assert_true(ground_shows(a, k.at, inside, false) && ground_shows(a, k.at, inside, true));
    assert_true(ground_proves(a, k.at, padded, true));
    assert_true(ground_proves(a, k.at, expr_op(a, OP_LT, zero, size, NULL), true));
    assert_true(ground_proves(a, k.at, below, false));
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles), cmocka_unit_test(random_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
