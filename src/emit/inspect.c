// SPDX-License-Identifier: MIT
// inspect.c -- the least and greatest values of a subscript, found before the region runs.
//
//   long long sculpt_x_lo = 0, sculpt_x_hi = -1;                         there is none
//   {
//       int sculpt_least = INT_MAX, sculpt_most = INT_MIN, sculpt_j;
//       for (sculpt_j = 0; sculpt_j < (n); sculpt_j++) {
//           const int sculpt_value = ((const int *)(col))[sculpt_j];
//           sculpt_least = sculpt_value < sculpt_least ? sculpt_value : sculpt_least;
//           sculpt_most = …
//       }
//       if (sculpt_least <= sculpt_most) { sculpt_x_lo = sculpt_least; sculpt_x_hi = sculpt_most; }
//   }
//
// It runs at every call, so it is to fill vectors: the values keep the type that they are computed in, rows
// that begin where the one before them ends are one long loop, and what is asked of two arrays is found once.
// Whether values differ is then asked of a bitmap between these ends.
// Of values that have few bits (key & 255, a byte) it looks at no more once the least and the greatest were
// met.
//
// The text stands inside a function of the user's, which may be C89: declarations come first,
// all its own names begin with sculpt_, and what is the user's is written as the user would
// write it there.
#include "emit/dialect.h"

static const char *spell_sym(const Printer *p, const Sym *s) {
    if (s->kind == SYM_PARAM && s->source)
        return arena_printf(p->a, "((%s)(%s))", emit_type(p, s->type), s->source);
    return arena_printf(p->a, "sculpt_%s", s->name);
}

static const char *spell_object(const Printer *p, const Array *array) {
    const Object *o = object_find(p, array);
    bool bytes = o && o->bytes;
    return arena_printf(p->a, "((const %s *)(%s))",
                        bytes ? "unsigned char" : emit_type(p, o ? o->elem : array->elem),
                        array->source ? array->source : array->object);
}

enum { MOST_BITS = 1 << 30 }; // of a bitmap

typedef struct Finder {
    Type t;      // of the values
    bool rising; // the leaves are comparisons that all have to hold
    bool noting; // each value in a bitmap that begins with the least
} Finder;

static void put_leaf(Printer *p, const Node *n) {
    const Finder *f = p->hook_arg;
    const char *value = expr_text(p, emit_resolve(p, n->src), PREC_UNARY);
    if (f->rising) {
        put_line(p, "sculpt_rising &= %s;", value);
        return;
    }
    if (f->noting) {
        put_line(p, "{");
        p->indent++;
        put_line(p, "const unsigned long long sculpt_value = (unsigned long long)%s - "
                 "(unsigned long long)sculpt_least;", value);
        put_line(p, "const unsigned sculpt_bit = 1u << sculpt_value %% 32;");
        put_line(p, "sculpt_differ &= !(sculpt_bits[sculpt_value / 32] & sculpt_bit);");
        put_line(p, "sculpt_bits[sculpt_value / 32] |= sculpt_bit;");
        p->indent--;
        put_line(p, "}");
        return;
    }
    put_line(p, "{");
    p->indent++;
    put_line(p, "const %s sculpt_value = (%s)%s;", emit_type(p, f->t), emit_type(p, f->t), value);
    put_line(p, "sculpt_least = sculpt_value < sculpt_least ? sculpt_value : sculpt_least;");
    put_line(p, "sculpt_most = sculpt_value > sculpt_most ? sculpt_value : sculpt_most;");
    p->indent--;
    put_line(p, "}");
}

// The type that holds all values of x: its own, without conversions to wider ones.
static Type narrow_type(const Expr *x) {
    while (x->kind == E_CAST && type_is_int(x->args[0]->type) &&
           type_least(x->type) <= type_least(x->args[0]->type) &&
           type_most(x->type) >= type_most(x->args[0]->type))
        x = x->args[0];
    return x->type == T_U64 || x->type == T_BOOL || !type_is_int(x->type) ? T_I64 : x->type;
}

// Are they alike, but for the names of counters?
static bool same(Arena *a, const Node *x, const Node *y) {
    if (!x || !y || x->kind != y->kind) return x == y;
    if (x->kind == N_COPY) return expr_equal(x->src, y->src);
    if (x->kind == N_IF)
        return expr_equal(x->cond, y->cond) && same(a, x->then, y->then) && same(a, x->other, y->other);
    if (x->kind == N_FOR) {
        Expr *i = expr_sym(a, x->iter);
        return x->iter->type == y->iter->type && x->step == y->step && expr_equal(x->lo, y->lo) &&
               expr_equal(x->hi, y->hi) && same(a, x->body, node_subst(a, y->body, 1, &y->iter, &i));
    }
    bool alike = x->kind == N_SEQ && x->nkids == y->nkids;
    for (int k = 0; alike && k < x->nkids; k++) alike = same(a, x->kids[k], y->kids[k]);
    return alike;
}

// for v in a .. b  for e in row[v] .. row[v + 1] { … }   →   for e in row[a] .. row[b] { … }
//
// where rows are not empty backwards. NULL: they are not such rows. *rising: what tells whether they are.
static Node *one_stretch(Arena *a, Node *rows, Node **rising) {
    Node *e = rows ? only_loop(rows->body) : NULL;
    if (!e || rows->step != 1 || e->step != 1 || node_uses_sym(e->body, rows->iter)) return NULL;
    Expr *v = expr_sym(a, rows->iter), *next = expr_add(a, v, expr_int(a, v->type, 1));
    if (!expr_uses_sym(e->lo, rows->iter) || !expr_equal(e->hi, expr_subst(a, e->lo, 1, &rows->iter, &next)))
        return NULL;
    Node *leaf = NEW(a, Node), *one = node_clone(a, e), *all = node_clone(a, rows);
    *leaf = (Node){.kind = N_COPY, .op = OP_SET, .src = expr_op(a, OP_LE, e->lo, e->hi, NULL)};
    all->body = leaf;
    *rising = all;
    one->lo = expr_subst(a, e->lo, 1, &rows->iter, &rows->lo);
    one->hi = expr_subst(a, e->lo, 1, &rows->iter, &rows->hi);
    return node_if(a, expr_op(a, OP_LT, rows->lo, rows->hi, NULL), one, NULL);
}

static void put_block(Printer *p, const char *head, Node *tree) {
    put_line(p, "%s{", head);
    p->indent++;
    put_tree(p, tree);
    p->indent--;
    put_line(p, "}");
}

// All values that x can have, where these are few.
static bool few_values(const Expr *x, int64_t *least, int64_t *most) {
    bool small = type_is_int(x->type) && type_size(x->type) <= 2;
    *least = small ? type_least(x->type) : 0, *most = small ? type_most(x->type) : 0;
    if (x->kind == E_CAST && type_is_int(x->args[0]->type) && few_values(x->args[0], least, most))
        return *least >= type_least(x->type) && *most <= type_most(x->type);
    if (x->kind == E_OP && x->op == OP_AND && x->args[1]->kind == E_INT) *most = x->args[1]->i;
    else if (x->kind == E_OP && x->op == OP_FMOD && x->args[1]->kind == E_INT) *most = x->args[1]->i - 1;
    else return small && x->kind == E_LOAD;
    *least = 0;
    return *most > 0 && *most <= type_most(T_U16);
}

// The loop in strips, until both ends were met. False: one does not know them, or there are loops in there.
static bool put_strips(Printer *p, Node *loop) {
    enum { STRIP = 4096 };
    int64_t least, most;
    Node *leaf = loop ? loop->body : NULL;
    while (leaf && leaf->kind == N_SEQ && leaf->nkids == 1) leaf = leaf->kids[0];
    if (!leaf || leaf->kind != N_COPY || loop->step != 1 || !few_values(leaf->src, &least, &most))
        return false;
    Arena *a = p->a;
    Sym *strip = NEW(a, Sym);
    *strip = (Sym){"strip", SYM_ITER, T_I64, NULL};
    Expr *from = expr_sym(a, strip), *hi = expr_cast(a, T_I64, loop->hi);
    Node *part = node_clone(a, loop);
    part->lo = expr_cast(a, loop->lo->type, from);
    part->hi = expr_cast(a, loop->hi->type,
                         expr_op(a, OP_MIN, expr_add(a, from, expr_int(a, T_I64, STRIP)), hi, NULL));
    put_line(p, "{");
    p->indent++;
    put_line(p, "long long sculpt_strip;");
    put_line(p, "for (sculpt_strip = %s; sculpt_strip < %s && (sculpt_least > %lld || sculpt_most < %lld); "
             "sculpt_strip += %d)", expr_text(p, expr_cast(a, T_I64, loop->lo), PREC_SELECT),
             expr_text(p, hi, PREC_UNARY), (long long)least, (long long)most, STRIP);
    put_block(p, "", part);
    p->indent--;
    put_line(p, "}");
    return true;
}

static void put_search(Printer *p, Node *tree, Finder *f) {
    Node *rising = NULL, *one = one_stretch(p->a, only_loop(tree), &rising);
    if (!one && put_strips(p, only_loop(tree))) return;
    if (!one) {
        put_block(p, "", tree);
        return;
    }
    put_line(p, "{");
    p->indent++;
    put_line(p, "int sculpt_rising = 1;");
    f->rising = true;
    put_tree(p, rising);
    f->rising = false;
    put_block(p, "if (sculpt_rising) ", one);
    put_block(p, "else ", tree);
    p->indent--;
    put_line(p, "}");
}

static void put_found(Printer *p, const Inspect *in) {
    Finder f = {.t = T_NONE};
    const char *lo = emit_sym(p, in->lo), *hi = emit_sym(p, in->hi);
    node_each(n, in->tree) {
        if (n->kind != N_COPY) continue;
        Type t = narrow_type(n->src);
        f.t = f.t == T_NONE || t == f.t ? t : T_I64;
    }
    const char *type = emit_type(p, f.t);
    Expr *least = expr_int(p->a, f.t, type_least(f.t)), *most = expr_int(p->a, f.t, type_most(f.t));
    p->hook_arg = &f;
    put_line(p, "{");
    p->indent++;
    put_line(p, "%s sculpt_least = %s, sculpt_most = %s;", type, expr_text(p, most, PREC_SELECT),
             expr_text(p, least, PREC_SELECT));
    put_search(p, in->tree, &f);
    put_line(p, "if (sculpt_least <= sculpt_most) { %s = sculpt_least; %s = sculpt_most; }", lo, hi);
    p->indent--;
    put_line(p, "}");
}

// Whether no value is there twice. That is not known of a range that is too large for a bitmap, nor where
// nobody wants to know (sculpt_recall).
static void put_differing(Printer *p, const Inspect *in) {
    Finder f = {.noting = true};
    const char *lo = emit_sym(p, in->lo), *hi = emit_sym(p, in->hi), *differ = emit_sym(p, in->differ);
    put_line(p, "if (!sculpt_known && %s <= %s && %s - %s < %d) {", lo, hi, hi, lo, MOST_BITS);
    p->indent++;
    put_line(p, "const long long sculpt_least = %s;", lo);
    put_line(p, "unsigned sculpt_differ = 1;");
    put_line(p, "unsigned *sculpt_bits = (unsigned *)__builtin_calloc((__SIZE_TYPE__)(%s - %s) / 32 + 1, "
             "sizeof(unsigned));", hi, lo);
    put_line(p, "if (sculpt_bits) {");
    p->indent++;
    p->hook_arg = &f;
    put_block(p, "", in->tree);
    put_line(p, "%s = sculpt_differ;", differ);
    p->indent--;
    put_line(p, "}");
    put_line(p, "__builtin_free(sculpt_bits);");
    p->indent--;
    put_line(p, "} else %s = %s > %s;", differ, lo, hi);
}

static const Inspect *found_before(Arena *a, const Region *r, int k) {
    for (int i = 0; i < k; i++)
        if (same(a, r->inspects[i]->tree, r->inspects[k]->tree)) return r->inspects[i];
    return NULL;
}

char *emit_inspect(Compile *c, const Region *r) {
    Printer p = printer_new(c, &dialect_host, true);
    p.sequential = p.c89 = true;
    p.spell_sym = spell_sym;
    p.spell_object = spell_object;
    p.leaf = put_leaf;
    for (int k = 0; k < r->ninspects; k++) objects_collect(&p, r->inspects[k]->tree);
    for (int k = 0; k < r->ninspects; k++) {
        const Inspect *in = r->inspects[k];
        put_line(&p, "long long %s = 0, %s = -1;", emit_sym(&p, in->lo), emit_sym(&p, in->hi));
        if (in->differ) put_line(&p, "long long %s = 0;", emit_sym(&p, in->differ));
    }
    for (int k = 0; k < r->ninspects; k++) {
        const Inspect *in = r->inspects[k], *before = found_before(c->arena, r, k);
        if (!before) put_found(&p, in);
        else
            put_line(&p, "%s = %s; %s = %s;", emit_sym(&p, in->lo), emit_sym(&p, before->lo),
                     emit_sym(&p, in->hi), emit_sym(&p, before->hi));
        if (in->differ) put_differing(&p, in);
    }
    return p.failed ? NULL : arena_strdup(c->arena, text_str(&p.out));
}
