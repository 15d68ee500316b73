// SPDX-License-Identifier: MIT
// simd.c -- vector loops in C: values of the compiler's vector types, for all lanes at once.
//
//   vector v (16) { acc[j][16 * h + v] += b[k][16 * h + v] * c[k][j] }
//
//     *(sculpt_f32x16 *)&acc[j][16 * h] =
//         sculpt_fma_f32x16(*(const sculpt_f32x16 *)&b[…], sculpt_all_f32x16(c[…]), *(…)&acc[j][16 * h]);
//
// A loop's own statements leave compilers the choice whether an array of sums becomes registers,
// and most keep it in memory; of values of vector types they make registers. Lanes order nothing,
// so all lanes of one statement may come before the next. What does not lie side by side, or is
// more than arithmetic, is left to `omp simd`.
//
// The vector types ask for no more alignment than their elements have.
// Loops of more lanes than a register has go through them a register at a time: compilers keep wider values
// in memory.
#include "base/processor.h"
#include <string.h>
#include "emit/dialect.h"

enum { LEAST_BYTES = 16, MOST_BYTES = 64, LEAST_SIZE = 4 }; // of a vector; of an element
enum { MOST_STATEMENTS = 64, MOST_OWN = 32 };

// All helpers are inline: how vectors are handed over does not matter.
#define NO_WARNING \
    "#if defined __GNUC__ && !defined __clang__\n#pragma GCC diagnostic ignored \"-Wpsabi\"\n#endif\n"

typedef struct Simd {
    Printer *p;
    const Sym *v;
    Expr *first;         // the counter at the first lane
    Type t;              // of all elements
    int lanes;
    int nown;            // scalars of the loop's body: one a lane, so vectors
    const Array *own[MOST_OWN];
} Simd;

static const char *put_value(Simd *s, const Expr *x);

// ---- helpers ---------------------------------------------------------------------------------

static const char *suffix(const Simd *s) {
    return arena_printf(s->p->a, "%sx%d", type_name(s->t), s->lanes);
}

static const char *type_of(const Simd *s) {
    Printer *p = s->p;
    const char *name = arena_printf(p->a, "sculpt_%s", suffix(s));
    if (!helper_has(p, name))
        helper_add(p, name,
                   arena_printf(p->a,
                                NO_WARNING
                                "typedef %s %s __attribute__((vector_size(%d), aligned(%d), may_alias));\n",
                                emit_type(p, s->t), name, s->lanes * type_size(s->t), type_size(s->t)));
    return name;
}

// "sculpt_all_f32x16": one value in all lanes.
static const char *helper_all(const Simd *s) {
    Printer *p = s->p;
    const char *type = type_of(s), *name = arena_printf(p->a, "sculpt_all_%s", suffix(s));
    if (helper_has(p, name)) return name;
    Text t = text_new(p->a);
    text_printf(&t, "%s%s %s(%s x)\n{\n    return (%s){", p->d->helper, type, name, emit_type(p, s->t), type);
    for (int k = 0; k < s->lanes; k++) text_put(&t, k ? ", x" : "x");
    text_put(&t, "};\n}\n");
    helper_add(p, name, text_str(&t));
    return name;
}

// The compiler's own function for a machine's instruction, in GCC and clang alike. NULL: this
// width has none.
static const char *builtin(const Simd *s, const char *op, bool masked_tail) {
    char kind = s->t == T_F32 ? 's' : 'd';
    if (!type_is_float(s->t)) return NULL;
    switch (s->lanes * type_size(s->t)) {
    case 64: return arena_printf(s->p->a, "__builtin_ia32_%sp%c512%s", op, kind, masked_tail ? "_mask" : "");
    case 32: return arena_printf(s->p->a, "__builtin_ia32_%sp%c256", op, kind);
    default: return NULL;
    }
}

// fma and its kin, rounded once in each lane. Contraction is off elsewhere, so x * y + z is none.
static const char *helper_fma(const Simd *s) {
    Printer *p = s->p;
    const char *type = type_of(s), *name = arena_printf(p->a, "sculpt_fma_%s", suffix(s));
    if (helper_has(p, name)) return name;
    Text t = text_new(p->a);
    const char *own = builtin(s, "vfmadd", true);
    text_printf(&t, "%s%s %s(%s x, %s y, %s z)\n{\n", p->d->helper, type, name, type, type, type);
    if (own) {
        bool wide = s->lanes * type_size(s->t) == 64;
        text_printf(&t,
                    "#if defined %s && defined __has_builtin\n#if __has_builtin(%s)\n#define "
                    "%s_own\n#endif\n#endif\n",
                    wide ? "__AVX512F__" : "__FMA__", own, name);
        text_printf(&t, "#ifdef %s_own\n    return %s(x, y, z%s);\n#else\n", name, own,
                    wide ? ", -1, 4" : "");
    }
    text_printf(&t,
                "    %s r;\n    for (int k = 0; k < %d; k++) r[k] = %s(x[k], y[k], z[k]);\n    return r;\n",
                type, s->lanes, p->d->fma[s->t == T_F64]);
    text_printf(&t, "%s}\n", own ? "#endif\n" : "");
    helper_add(p, name, text_str(&t));
    return name;
}

// y < x ? y : x (for OP_MIN) in each lane: the lanes of y where the comparison holds, bit by bit.
static const char *helper_extreme(const Simd *s, Op op) {
    Printer *p = s->p;
    const char *type = type_of(s), *name = arena_printf(p->a, "sculpt_%s_%s", op_text(op), suffix(s));
    if (helper_has(p, name)) return name;
    helper_add(p, name,
               arena_printf(
                   p->a,
                   "%s%s %s(%s x, %s y)\n{\n    %s r;\n"
                   "    for (int k = 0; k < %d; k++) r[k] = y[k] %c x[k] ? y[k] : x[k];\n    return r;\n}\n",
                   p->d->helper, type, name, type, type, type, s->lanes, op == OP_MIN ? '<' : '>'));
    return name;
}

// ---- can it be? --------------------------------------------------------------------------------

static bool is_own(const Simd *s, const Array *x) { return has_pointer(s->nown, s->own, x); }

// Does x differ from lane to lane?
static bool varies(const Simd *s, const Expr *x) {
    if (expr_uses_sym(x, s->v) || (x->kind == E_LOAD && is_own(s, x->array))) return true;
    for (int k = 0; k < x->nargs; k++)
        if (varies(s, x->args[k])) return true;
    return false;
}

static bool side_by_side(const Simd *s, const Array *x, Expr *const *sub) {
    int64_t factor;
    int last = x->rank - 1;
    if (is_own(s, x)) return x->elem == s->t;
    if (x->rank == 0 || x->elem != s->t || !dimension_is_stored(s->p, x, last)) return false;
    if (x->place == PLACE_USER && x->stride != type_size(x->elem)) return false;
    for (int d = 0; d < last; d++)
        if (expr_uses_sym(sub[d], s->v)) return false;
    if (x->of && x->origin && expr_uses_sym(x->origin[last], s->v)) return false;
    return index_factor(sub[last], s->v, &factor) && factor == 1;
}

static bool has_lanes(const Simd *s, Op op) {
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: return true;
    case OP_DIV: case OP_FMA: case OP_MIN: case OP_MAX: return type_is_float(s->t);
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: return type_is_int(s->t);
    default: return false;
    }
}

static bool fits(const Simd *s, const Expr *x) {
    if (!x) return true;
    if (x->type != s->t) return false;
    if (!varies(s, x)) return true;
    if (x->kind == E_LOAD) return side_by_side(s, x->array, x->args);
    if (x->kind != E_OP || !has_lanes(s, x->op)) return false;
    for (int k = 0; k < x->nargs; k++)
        if (!fits(s, x->args[k])) return false;
    return true;
}

static bool assign_fits(const Simd *s, const Assign *g) {
    bool update = g->op == OP_SET || has_lanes(s, g->op);
    return !g->atomic && !g->async && update && g->op != OP_DIV && side_by_side(s, g->array, g->sub) &&
           fits(s, g->rhs) && fits(s, g->x) && fits(s, g->y);
}

// ---- text --------------------------------------------------------------------------------------

static const char *place_text(Simd *s, const Array *x, Expr *const *sub, bool read) {
    Printer *p = s->p;
    if (is_own(s, x)) return element_text(p, x, sub);
    const Sym *from[1] = {s->v};
    Expr **at = NEW_N(p->a, Expr *, x->rank + 1);
    for (int d = 0; d < x->rank; d++) at[d] = expr_subst(p->a, sub[d], 1, from, &s->first);
    return arena_printf(p->a, "*(%s%s *)&%s", read ? "const " : "", type_of(s), element_text(p, x, at));
}

static const char *call2(Simd *s, const char *fn, const char *x, const char *y) {
    return arena_printf(s->p->a, "%s(%s, %s)", fn, x, y);
}

static const char *put_op(Simd *s, const Expr *x) {
    Arena *a = s->p->a;
    const char *v[3] = {0};
    for (int k = 0; k < x->nargs; k++) v[k] = put_value(s, x->args[k]);
    switch (x->op) {
    case OP_FMA: return arena_printf(a, "%s(%s, %s, %s)", helper_fma(s), v[0], v[1], v[2]);
    case OP_MIN: case OP_MAX: return call2(s, helper_extreme(s, x->op), v[0], v[1]);
    case OP_NEG: case OP_NOT: return arena_printf(a, "(%s%s)", op_text(x->op), v[0]);
    default: return arena_printf(a, "(%s %s %s)", v[0], op_text(x->op), v[1]);
    }
}

static const char *put_value(Simd *s, const Expr *x) {
    if (!varies(s, x)) return arena_printf(s->p->a, "%s(%s)", helper_all(s), expr_text(s->p, x, PREC_SELECT));
    if (x->kind == E_LOAD) return place_text(s, x->array, x->args, true);
    return put_op(s, x);
}

// Lanes of int overflow like an int; those of unsigned wrap.
static const char *modular(Simd *s, Op op, const char *x, const char *y) {
    Simd other = *s;
    other.t = update_modular(op, s->t);
    const char *own = type_of(s), *u = type_of(&other);
    return arena_printf(s->p->a, "(%s)((%s)%s %s (%s)%s)", own, u, x, op_text(op), u, y);
}

static void put_lanes_of(Simd *s, const Node *n, const Assign *g) {
    Printer *p = s->p;
    const char *place = place_text(s, g->array, g->sub, false);
    const char *old = arena_printf(p->a, "%s", place_text(s, g->array, g->sub, true));
    const char *value;
    if (!g->rhs)
        value =
            arena_printf(p->a, "%s(%s, %s, %s)", helper_fma(s), put_value(s, g->x), put_value(s, g->y), old);
    else if (g->op == OP_MIN || g->op == OP_MAX)
        value = call2(s, helper_extreme(s, g->op), old, put_value(s, g->rhs));
    else if (g->op == OP_SET)
        value = put_value(s, g->rhs);
    else if (update_modular(g->op, s->t))
        value = modular(s, g->op, old, put_value(s, g->rhs));
    else
        value = arena_printf(p->a, "%s %s %s", old, op_text(g->op), put_value(s, g->rhs));
    put_indent(p);
    put(p, "%s = %s;", place, value);
    put_note(p, n);
}

// ---- the loop ------------------------------------------------------------------------------------

// The statements of a straight body, in order, and its scalars; false: it is none, or too long.
static bool flatten(Simd *s, const Node *n, const Node **out, int *count) {
    if (n->kind == N_SEQ) {
        for (int k = 0; k < n->nlocals; k++) {
            const Array *x = n->locals[k];
            if (x->place != PLACE_LOCAL || x->rank || x->of || s->nown == MOST_OWN) return false;
            s->own[s->nown++] = x;
        }
        for (int k = 0; k < n->nkids; k++)
            if (!flatten(s, n->kids[k], out, count)) return false;
        return true;
    }
    if ((n->kind != N_STMT && n->kind != N_COPY) || n->atomic || *count == MOST_STATEMENTS) return false;
    out[(*count)++] = n;
    return true;
}

static bool has_width(const Simd *s, int64_t trips) {
    int size = type_size(s->t);
    bool power = trips > 1 && (trips & (trips - 1)) == 0;
    return power && size >= LEAST_SIZE && trips * size >= LEAST_BYTES && trips * size <= MOST_BYTES;
}

// What lanes from s->first on do.
static void put_register(Simd *s, int n, const Node *const *list, const Assign *g) {
    Printer *p = s->p;
    if (s->nown) put_line(p, "{");
    p->indent += s->nown > 0;
    for (int k = 0; k < s->nown; k++) put_line(p, "%s %s;", type_of(s), emit_name(p, s->own[k]->name));
    for (int k = 0; k < n; k++) {
        p->loc = list[k]->kind == N_STMT ? list[k]->stmt->loc : list[k]->loc;
        put_lanes_of(s, list[k], &g[k]);
    }
    p->indent -= s->nown > 0;
    if (s->nown) put_line(p, "}");
}

bool put_simd(Printer *p, Node *loop) {
    const Node *list[MOST_STATEMENTS];
    Assign g[MOST_STATEMENTS];
    int n = 0;
    int64_t trips = emit_extent(p, loop);
    Simd s = {.p = p, .v = loop->iter};
    Expr *first = emit_resolve(p, loop->lo);
    if (!flatten(&s, loop->body, list, &n) || !n) return false;
    for (int k = 0; k < n; k++) {
        p->loc = list[k]->kind == N_STMT ? list[k]->stmt->loc : list[k]->loc;
        g[k] = assign_of(p, list[k]);
        if (k == 0) s.t = g[k].array->elem;
        if (g[k].array->elem != s.t || !has_width(&s, trips) || !assign_fits(&s, &g[k])) return false;
    }
    for (int k = 0; k < s.nown; k++)
        if (s.own[k]->elem != s.t) return false;
    int most = processor_here().vector / type_size(s.t);
    s.lanes = trips > most ? most : (int)trips;
    for (int64_t at = 0; at < trips; at += s.lanes) {
        s.first = expr_add(p->a, first, expr_int(p->a, first->type, at));
        put_register(&s, n, list, g);
    }
    return true;
}
