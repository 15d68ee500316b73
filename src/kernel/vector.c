// SPDX-License-Identifier: MIT
// vector.c -- arithmetic on OpenCL's vectors, lane by lane.
//
//   float4 v = a * p[i] + 1;        float4 v = {a.x * p[i].x + 1, a.y * p[i].y + 1, …};
//   v += w.yxwz;                    { float4 t = {v.x + w.y, …}; v = t; }
//   vload4(i, p)                    {p[4 * i], p[4 * i + 1], …}
//   dot(v, w)                       v.x * w.x + v.y * w.y + …
//
// A lane of an expression is an expression of the lanes of its operands; scalars spread.
#include "kernel/pass.h"
#include <string.h>

static bool is_vector(const Ast *x) {
    return x && x->type && x->type->kind == CT_RECORD && x->type->lanes > 0;
}

static const CType *lane_type(const CType *t) { return t->fields[0].type; }

static Ast *vectors(KernelRead *k, Ast *x);

// ---- lanes ---------------------------------------------------------------------------------
static Ast *lane(KernelRead *k, Ast *x, int i, const CType *t);

static Ast *field(KernelRead *k, Ast *v, int i) {
    Ast *n = ast_make(k->a, A_FIELD, v, v->type->fields[i].type, 1, &v);
    n->name = v->type->fields[i].name;
    return n;
}

// (float4)(v.xy, 0, 1): vectors among the parts count as many lanes as they have.
static Ast *listed(KernelRead *k, Ast *x, int i, const CType *t) {
    if (x->nkids == 1 && !is_vector(x->kids[0])) return mk_cast(k, t, x->kids[0]);
    for (int j = 0; j < x->nkids; j++) {
        int n = is_vector(x->kids[j]) ? x->kids[j]->type->lanes : 1;
        if (i < n) return lane(k, x->kids[j], i, t);
        i -= n;
    }
    return mk_int(k, x, T_I32, 0);
}

static Ast *with_lanes(KernelRead *k, Ast *x, int i, const CType *t) {
    const CType *of = lane_type(x->type);
    Ast *n = ast_make(k->a, x->kind, x, of, x->nkids, x->kids);
    n->op = x->op, n->decl = x->decl, n->name = x->name, n->postfix = x->postfix;
    bool compares = x->kind == A_BINARY && x->op >= OP_LT && x->op <= OP_LOR;
    for (int j = 0; j < x->nkids; j++) {
        bool whole = x->kind == A_COND && j == 0 && !is_vector(x->kids[0]);
        const CType *part = is_vector(x->kids[j]) ? lane_type(x->kids[j]->type)
                            : compares            ? x->kids[j]->type
                                                  : of;
        n->kids[j] = whole ? x->kids[j] : lane(k, x->kids[j], i, part);
    }
    if (compares) {
        n->type = ast_scalar(k->a, T_I32);
        n = ast_make(k->a, A_UNARY, x, n->type, 1, &n);
        n->op = OP_NEG;
    }
    if (x->kind == A_CALL && x->name) n = kernel_scalar_call(k, n);
    return mk_cast(k, t, n);
}

// p[n * at + i]
static Ast *loaded(KernelRead *k, Ast *x, int i, int n, Ast *at, Ast *p) {
    Ast *base = mk_op(k, OP_MUL, at, mk_int(k, at, at->type->scalar, n));
    Ast *sub = mk_op(k, OP_ADD, base, mk_int(k, at, at->type->scalar, i));
    return ast_make(k->a, A_INDEX, x, p->type->of, 2, (Ast *[]){p, sub});
}

// read_imagef(image, sampler, c): a lane of what is read at c.x, c.y, …
static Ast *texel(KernelRead *k, Ast *x) {
    VEC(Ast *) c = {0};
    for (int j = 0; j < x->nkids; j++) {
        Ast *arg = x->kids[j];
        bool scalar = arg->type && arg->type->kind == CT_SCALAR;
        if (scalar) vec_push(k->a, &c, arg);
        for (int l = 0; is_vector(arg) && l < arg->type->lanes; l++)
            vec_push(k->a, &c, lane(k, arg, l, lane_type(arg->type)));
    }
    Ast *n = ast_make(k->a, A_CALL, x, is_vector(x) ? lane_type(x->type) : x->type, c.n, c.at);
    n->decl = x->decl, n->name = x->name;
    return n;
}

// shuffle(v, m): lane m.i of v; shuffle2(v, w, m): of both, one behind the other. Which one a mask names that
// is computed is not told: that is a value like v's own lane.
static Ast *shuffled(KernelRead *k, Ast *x, int i) {
    Ast *from[2] = {x->kids[0], x->nkids == 3 ? x->kids[1] : NULL}, *m = x->kids[x->nkids - 1];
    int lanes = from[0]->type->lanes, all = from[1] ? 2 * lanes : lanes;
    const CType *of = lane_type(x->type);
    int64_t at;
    if (kernel_const(k, lane(k, m, i, lane_type(m->type)), &at)) {
        at &= all - 1;
        return lane(k, from[at / lanes], (int)(at % lanes), of);
    }
    Ast *own = lane(k, from[0], i % lanes, of), *n = ast_make(k->a, A_CALL, x, of, 1, &own);
    n->decl = x->decl, n->name = x->name;
    return n;
}

// cross(v, w)
static Ast *crossed(KernelRead *k, Ast *x, int i) {
    const CType *of = lane_type(x->type);
    Ast *v = x->kids[0], *w = x->kids[1];
    if (i == 3) return mk_int(k, x, of->scalar, 0);
    int a = (i + 1) % 3, b = (i + 2) % 3;
    return mk_op(k, OP_SUB, mk_op(k, OP_MUL, lane(k, v, a, of), lane(k, w, b, of)),
                 mk_op(k, OP_MUL, lane(k, v, b, of), lane(k, w, a, of)));
}

static Ast *length_of(KernelRead *k, Ast *v);

// Lane i of as_T(x): the lanes of x that its bits are of, cut or joined.
static Ast *bits(KernelRead *k, Ast *x, int i) {
    const CType *to = lane_type(x->type),
                *from = is_vector(x->kids[0]) ? lane_type(x->kids[0]->type) : x->kids[0]->type;
    int64_t at = i * to->bytes;
    Ast *part = lane(k, x->kids[0], (int)(at / from->bytes), from);
    if (type_is_int(to->scalar) && type_is_int(from->scalar)) {
        int64_t shift = 8 * (at % from->bytes);
        return mk_cast(k, to, shift ? mk_op(k, OP_SHR, part, mk_int(k, x, from->scalar, shift)) : part);
    }
    Ast *n = ast_make(k->a, A_CALL, x, to, 1, &part);
    n->decl = x->decl, n->name = x->name;
    return n;
}

static Ast *called(KernelRead *k, Ast *x, int i, const CType *t) {
    int n = x->type->lanes;
    const char *name = x->name ? x->name : "";
    if (str_has_prefix(name, "read_image")) return mk_cast(k, t, texel(k, x));
    if (str_eq(name, "as_bits")) return mk_cast(k, t, bits(k, x, i));
    if (str_among(name, "shuffle shuffle2") && x->nkids > 1) return mk_cast(k, t, shuffled(k, x, i));
    if (str_eq(name, "cross") && x->nkids == 2) return mk_cast(k, t, crossed(k, x, i));
    if (str_among(name, "normalize fast_normalize") && x->nkids == 1)
        return mk_cast(k, t,
                       mk_op(k, OP_DIV, lane(k, x->kids[0], i, lane_type(x->type)),
                             length_of(k, x->kids[0])));
    bool halves =
        (str_has_prefix(name, "vload_half") || str_has_prefix(name, "vloada_half")) && x->nkids == 2;
    if (halves)
        return mk_cast(k, t,
                       kernel_half_lane(k, x, i, name[5] == 'a' && n == 3 ? 4 : n, x->kids[0], x->kids[1]));
    bool loads = x->name && str_has_prefix(x->name, "vload") && x->nkids == 2;
    if (loads) return loaded(k, x, i, n, x->kids[0], x->kids[1]);
    return with_lanes(k, x, i, t);
}

// Lane i of x, of type t.
static Ast *lane(KernelRead *k, Ast *x, int i, const CType *t) {
    if (!is_vector(x)) return mk_cast(k, t, x);
    switch (x->kind) {
    case A_INIT_LIST: return mk_cast(k, t, listed(k, x, i, lane_type(x->type)));
    case A_BINARY: case A_UNARY: case A_COND: return with_lanes(k, x, i, t);
    case A_CAST: {
        const Ast *from = x->kids[0];
        return mk_cast(k, t,
                       mk_cast(k, lane_type(x->type),
                               lane(k, (Ast *)from, i,
                                    is_vector(from) ? lane_type(from->type) : lane_type(x->type))));
    }
    case A_CALL: return x->decl && x->decl->body ? mk_cast(k, t, field(k, x, i)) : called(k, x, i, t);
    case A_OTHER: return x->nkids ? lane(k, x->kids[x->nkids - 1], i, t) : x;
    default: return mk_cast(k, t, field(k, x, i));
    }
}

static bool is_computed(const Ast *x) {
    if (!is_vector(x)) return false;
    bool literal = x->kind == A_OTHER && x->nkids > 0;
    bool library = x->kind == A_CALL && !(x->decl && x->decl->body);
    return x->kind == A_BINARY || x->kind == A_UNARY || x->kind == A_COND || x->kind == A_CAST ||
           x->kind == A_INIT_LIST || library || literal;
}

// A list of lanes in the place of a vector that is computed.
static Ast *spelled(KernelRead *k, Ast *x, const CType *t) {
    Ast *kids[16], *list;
    for (int i = 0; i < t->lanes; i++) kids[i] = lane(k, x, i, lane_type(t));
    list = ast_make(k->a, A_INIT_LIST, x, t, t->lanes, kids);
    return list;
}

// ---- functions of whole vectors --------------------------------------------------------------
static Ast *product_sum(KernelRead *k, Ast *x, Ast *y, bool apart) {
    const CType *t = is_vector(x) ? lane_type(x->type) : x->type;
    Ast *sum = NULL;
    for (int i = 0; i < (is_vector(x) ? x->type->lanes : 1); i++) {
        Ast *a = lane(k, x, i, t), *b = lane(k, y, i, t);
        Ast *d = apart ? mk_op(k, OP_SUB, a, b) : a, *term = mk_op(k, OP_MUL, d, apart ? d : b);
        sum = sum ? mk_op(k, OP_ADD, sum, term) : term;
    }
    return sum;
}

static Ast *root_of(KernelRead *k, Ast *x) {
    bool single = x->type->scalar == T_F32;
    Decl *d = NEW(k->a, Decl);
    *d = (Decl){.kind = D_FUNCTION, .name = single ? "sqrtf" : "sqrt"};
    Ast *n = ast_make(k->a, A_CALL, x, x->type, 1, &x);
    n->decl = d;
    n->name = d->name;
    return n;
}

static Ast *length_of(KernelRead *k, Ast *v) { return root_of(k, product_sum(k, v, v, false)); }

// any(v), all(v): is the sign set in one lane, in all?
static Ast *some_lane(KernelRead *k, Ast *x, Op op) {
    Ast *v = x->kids[0], *sum = NULL;
    const CType *of = lane_type(v->type);
    for (int i = 0; i < v->type->lanes; i++) {
        Ast *one = mk_op(k, OP_LT, lane(k, v, i, of), mk_int(k, x, of->scalar, 0));
        sum = sum ? mk_op(k, op, sum, one) : one;
    }
    return sum;
}

static Ast *whole_call(KernelRead *k, Ast *x) {
    const char *name = x->name && x->decl && !x->decl->body ? x->name : "";
    if (str_has_prefix(name, "fast_")) name += 5;
    if (str_eq(name, "dot") && x->nkids == 2) return product_sum(k, x->kids[0], x->kids[1], false);
    if (str_eq(name, "length") && x->nkids == 1)
        return root_of(k, product_sum(k, x->kids[0], x->kids[0], false));
    if (str_among(name, "any all") && x->nkids == 1 && is_vector(x->kids[0]))
        return some_lane(k, x, name[1] == 'n' ? OP_LOR : OP_LAND);
    bool image = str_has_prefix(name, "write_image") || (str_has_prefix(name, "read_image") && !is_vector(x));
    if (image) return texel(k, x);
    if (str_eq(name, "distance") && x->nkids == 2)
        return root_of(k, product_sum(k, x->kids[0], x->kids[1], true));
    return x;
}

// vstore4(v, i, p), vstore_half4(v, i, p)
static Ast *stored(KernelRead *k, Ast *x) {
    Ast *v = x->kids[0], *kids[17], *own;
    int apart = str_has_prefix(x->name, "vstorea_half3") ? 4 : v->type->lanes;
    Decl *d = ast_variable(k->a, "v", v->type, is_computed(v) ? spelled(k, v, v->type) : v, x->loc);
    kids[0] = ast_declare(k->a, x, d);
    own = ast_ref(k->a, x, d);
    for (int i = 0; i < v->type->lanes; i++)
        kids[1 + i] = mk_set(k, loaded(k, x, i, apart, x->kids[1], x->kids[2]),
                             mk_cast(k, x->kids[2]->type->of, field(k, own, i)));
    return mk_block(k, x, 1 + v->type->lanes, kids);
}

// ---- statements ---------------------------------------------------------------------------------
// Does each lane of x read no more of the variable d than the same lane?
static bool keeps_lanes(const Ast *x, const Decl *d) {
    if (x->kind == A_REF || !accept_mentions(x, d)) return true;
    bool lanewise = x->kind == A_BINARY || x->kind == A_UNARY || x->kind == A_COND ||
                    (x->kind == A_CALL && x->name && str_among(x->name, "fma mad"));
    for (int i = 0; i < x->nkids && lanewise; i++) lanewise = keeps_lanes(x->kids[i], d);
    return lanewise;
}

// v = e, v op= e: through a variable where e may read other lanes of v. v.xy = e: lane by lane.
static Ast *assigned(KernelRead *k, Ast *s, Ast *e) {
    Ast *v = e->kids[0], *value = e->kids[1], *kids[17];
    if (e->op != OP_SET) value = mk_op(k, e->op, v, value);
    if (value->type != v->type && !is_vector(value)) value = mk_cast(k, v->type, value);
    bool plain = e->op == OP_SET && v->kind != A_INIT_LIST && !is_computed(value);
    if (plain) return s;
    bool own_lanes = v->kind == A_REF && v->decl && v->decl->kind == D_VAR && !v->decl->address_taken &&
                     v->decl->space == SPACE_NONE && !v->decl->is_global && keeps_lanes(value, v->decl);
    for (int i = 0; i < v->type->lanes && own_lanes; i++)
        kids[i] = mk_set(k, field(k, v, i), lane(k, value, i, lane_type(v->type)));
    if (own_lanes) return mk_block(k, s, v->type->lanes, kids);
    Decl *d = ast_variable(k->a, "v", v->type, spelled(k, value, v->type), s->loc);
    kids[0] = ast_declare(k->a, s, d);
    Ast *own = ast_ref(k->a, s, d);
    for (int i = 0; i < v->type->lanes; i++)
        kids[1 + i] = mk_set(k, v->kind == A_INIT_LIST ? v->kids[i] : field(k, v, i), field(k, own, i));
    return mk_block(k, s, 1 + v->type->lanes, kids);
}

static Ast *vector_stmt(KernelRead *k, Ast *s) {
    Ast *e = s->kids[0];
    if (e->kind == A_ASSIGN && is_vector(e->kids[0])) return assigned(k, s, e);
    bool stores = e->kind == A_CALL && e->name && str_has_prefix(e->name, "vstore") && e->nkids >= 3 &&
                  is_vector(e->kids[0]);
    return stores ? stored(k, e) : s;
}

static Ast *vectors(KernelRead *k, Ast *x) {
    switch (x->kind) {
    case A_FIELD: // a lane of something computed
        if (is_computed(x->kids[0]) && is_vector(x->kids[0]))
            for (int i = 0; i < x->kids[0]->type->lanes; i++)
                if (str_eq(x->kids[0]->type->fields[i].name, x->name)) return lane(k, x->kids[0], i, x->type);
        return x;
    case A_CALL:
        for (int i = 0; x->decl && x->decl->body && i < x->nkids; i++)
            if (is_computed(x->kids[i])) x->kids[i] = spelled(k, x->kids[i], x->kids[i]->type);
        return whole_call(k, x);
    case A_RETURN:
        if (x->nkids && is_computed(x->kids[0])) x->kids[0] = spelled(k, x->kids[0], x->kids[0]->type);
        return x;
    case A_EXPR: return vector_stmt(k, x);
    case A_DECLS:
        for (int i = 0; i < x->ndecls; i++) {
            Decl *d = x->decls[i];
            bool vector = d->init && d->type->kind == CT_RECORD && d->type->lanes > 0;
            if (vector && (is_computed(d->init) || !is_vector(d->init)))
                d->init = spelled(k, d->init, d->type);
        }
        return x;
    default: return x;
    }
}

Ast *kernel_vectors(KernelRead *k, Ast *body) { return ast_map(k, body, vectors); }
