// SPDX-License-Identifier: MIT
// form.c -- expressions taken apart into sums, and such sums for a whole warp.
#include "model/form.h"

// Arithmetic as lanes have it: modulo 2^64.
static int64_t sum(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
static int64_t product(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }

static bool keeps_value(Type t) { return t == T_I32 || t == T_I64; }

// A literal or a parameter with a value.
static bool is_number(const Env *e, const Expr *x, int64_t *out) {
    const Lanes *v;
    if (x->kind == E_INT) return *out = x->i, true;
    if (x->kind == E_CAST && keeps_value(x->type) && type_is_int(x->args[0]->type) &&
        type_size(x->type) >= type_size(x->args[0]->type))
        return is_number(e, x->args[0], out);
    if (x->kind != E_SYM || x->sym->kind != SYM_PARAM) return false;
    v = env_find(e, x->sym);
    return v && v->known == KNOWN && v->uniform ? *out = v->at[0], true : false;
}

static void add_term(Form *f, const void *key, const Expr *rest, int64_t factor) {
    for (int k = 0; k < f->n && key; k++)
        if (f->at[k].key == key) {
            f->at[k].factor = sum(f->at[k].factor, factor);
            return;
        }
    if (f->n == FORM_TERMS) f->told = false;
    else f->at[f->n++] = (FormTerm){key, rest, factor};
}

static void add_operation(const Env *e, Form *f, const Expr *x, int64_t factor) {
    int64_t by;
    bool plain = x->nargs == 2 && keeps_value(x->args[0]->type);
    if (plain && (x->op == OP_ADD || x->op == OP_SUB)) {
        form_add(e, f, x->args[0], factor);
        form_add(e, f, x->args[1], x->op == OP_ADD ? factor : product(factor, -1));
    } else if (plain && x->op == OP_MUL && is_number(e, x->args[0], &by)) {
        form_add(e, f, x->args[1], product(factor, by));
    } else if (plain && x->op == OP_MUL && is_number(e, x->args[1], &by)) {
        form_add(e, f, x->args[0], product(factor, by));
    } else {
        add_term(f, NULL, x, factor);
    }
}

void form_add(const Env *e, Form *f, const Expr *x, int64_t factor) {
    int64_t number;
    if (is_number(e, x, &number)) f->base = sum(f->base, product(factor, number));
    else if (x->kind == E_SYM) add_term(f, x->sym, x, factor);
    else if (x->kind == E_LOAD && x->array->rank == x->array->digits && env_find(e, x->array))
        add_term(f, x->array, x, factor);
    else if (x->kind == E_LOAD && env_stretch(e, x->array))
        form_add(e, f, x->args[0], product(factor, env_stretch(e, x->array)->at[0]));
    else if (x->kind == E_OP) add_operation(e, f, x, factor);
    else if (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) &&
             type_size(x->type) >= type_size(x->args[0]->type))
        form_add(e, f, x->args[0], factor);
    else add_term(f, NULL, x, factor);
}

// The term's value: where it is bound, or in *own.
static const Lanes *value_of(Env *e, const FormTerm *t, Lanes *own) {
    const Lanes *v = t->key ? env_find(e, t->key) : NULL;
    if (!v) lanes_of(e, t->rest, own);
    return v ? v : own;
}

bool form_lanes(Env *e, const Form *f, Lanes *out) {
    Lanes own;
    int64_t all = f->base;
    bool varies = false;
    if (!f->told) return false;
    out->known = KNOWN;
    for (int i = 0; i < f->n; i++) {
        const Lanes *v = value_of(e, &f->at[i], &own);
        int64_t factor = f->at[i].factor;
        if (v->known == UNKNOWN) return false;
        if (v->known == OFFSET) out->known = OFFSET;
        if (v->uniform) all = sum(all, product(factor, v->at[0]));
        else if (varies)
            for (int k = 0; k < e->width; k++) out->at[k] = sum(out->at[k], product(factor, v->at[k]));
        else for (int k = 0; k < e->width; k++) out->at[k] = product(factor, v->at[k]);
        varies = varies || !v->uniform;
    }
    out->uniform = !varies;
    if (!varies) out->at[0] = all;
    else for (int k = 0; k < e->width; k++) out->at[k] = sum(out->at[k], all);
    return true;
}

bool form_slope(const Form *f, const Sym *counter, int64_t *out) {
    *out = 0;
    if (!f->told) return false;
    for (int i = 0; i < f->n; i++) {
        if (f->at[i].key == counter) *out = f->at[i].factor;
        else if (!f->at[i].key && expr_uses_sym(f->at[i].rest, counter)) return false;
    }
    return true;
}
