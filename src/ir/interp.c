// SPDX-License-Identifier: MIT
// interp.c -- runs a tree as a plain sequential program: the oracle of every test
//
// The tree is first compiled: each counter and parameter becomes a slot, each array a
// Store that knows its memory and shape, each expression a Code. A statement's own
// counters get fresh slots in every instance node, so `at` may mention the same symbols.
#include "ir/interp.h"
#include <stdlib.h>
#include <string.h>

static Value eval(Interp *in, const Code *x);

// ---- elements ---------------------------------------------------------------------------
enum { MAX_RANK = 32 };
// NULL where there is no such memory; the run then fails instead of crashing.
static char *element(Interp *in, const Store *s, Code *const *sub, Loc loc, bool write) {
    int64_t at = 0, e[MAX_RANK];
    bool inside = s->rank <= MAX_RANK;
    bool flat = in->watch && s->array->place == PLACE_TEMP; // rows that the program itself does not know
    for (int d = 0; d < s->rank && inside; d++) {
        e[d] = eval(in, sub[d]).i - s->origin[d];
        if (s->owned && !flat && (e[d] < 0 || e[d] >= s->extent[d])) inside = false;
        at = (d ? at * s->extent[d] : 0) + e[d];
        if (!inside && in->watch) // the others, for whoever looks
            for (int k = d + 1; k < s->rank; k++) e[k] = eval(in, sub[k]).i - s->origin[k];
    }
    if (flat && s->owned && (at < 0 || at >= (int64_t)s->bytes / s->stride)) inside = false;
    char *p = inside && s->base ? s->base + s->offset + at * s->stride : NULL;
    if (!in->watch) return p ? p : (in->failed = true, NULL);
    InterpTouch t = {in->now, s->array, e, p, loc.line ? loc : in->now ? in->now->loc : loc, write, false};
    bool ok = !in->failed && s->rank <= MAX_RANK && in->watch->touch(in->watch->arg, &t) && p;
    return ok ? p : (in->failed = true, NULL);
}

static Value load(Type t, const char *p) {
    Value v = {.i = 0};
    float f;
    switch (t) {
    case T_BOOL: v.i = *(const uint8_t *)p != 0; break;
    case T_U8: v.i = *(const uint8_t *)p; break;
    case T_I8: v.i = *(const int8_t *)p; break;
    case T_F32: memcpy(&f, p, sizeof f); v.f = f; break;
    case T_I16: case T_U16: case T_I32: case T_U32:
        memcpy(&v.i, p, (size_t)type_size(t)); // little-endian, as every device here
        v.i = value_wrap(t, v.i);
        break;
    default: memcpy(&v, p, sizeof v); break;
    }
    return v;
}

static void store(Type t, char *p, Value v) {
    float f = t == T_F32 ? (float)v.f : 0;
    if (t == T_F32) memcpy(p, &f, sizeof f);
    else memcpy(p, &v, (size_t)type_size(t));
}

// ---- expressions --------------------------------------------------------------------------
// v[0] * v[1] + v[2]
static Value added(const Interp *in, Type t, const Value *v) {
    Value out = {.i = 0};
    if (!in->apart) return value_op(OP_FMA, t, v, &out), out;
    Value sum[2] = {v[2], v[2]};
    value_op(OP_MUL, t, v, &sum[0]);
    value_op(OP_ADD, t, sum, &out);
    return out;
}

static Value eval_op(Interp *in, const Code *x) {
    Value v[3], out = {.i = 0};
    v[0] = eval(in, x->args[0]);
    if (x->op == OP_SELECT) return eval(in, x->args[value_true(x->from, v[0]) ? 1 : 2]);
    if (x->op == OP_LAND || x->op == OP_LOR) {
        bool is = value_true(x->from, v[0]);
        if (is != (x->op == OP_LOR)) is = value_true(x->args[1]->type, eval(in, x->args[1]));
        return out.i = is, out;
    }
    for (int k = 1; k < x->nargs; k++) v[k] = eval(in, x->args[k]);
    return x->op == OP_FMA ? added(in, x->from, v) : (value_op(x->op, x->from, v, &out), out);
}

static Value eval(Interp *in, const Code *x) {
    Value v[3], out = {.i = 0};
    switch (x->kind) {
    case E_INT: case E_FLOAT: return x->literal;
    case E_SYM: return in->slots.at[x->slot];
    case E_OP: return eval_op(in, x);
    case E_CAST:
        value_cast(x->from, x->type, eval(in, x->args[0]), &out);
        return out;
    case E_LOAD: {
        const char *p = element(in, x->store, x->args, x->loc, false);
        return p ? load(x->type, p) : out;
    }
    case E_CALL:
        for (int k = 0; k < x->nargs; k++) v[k] = eval(in, x->args[k]);
        if (x->fn) out = math_call(x->fn, v);
        else in->failed = true;
        return out;
    }
    return out;
}

// ---- statements ---------------------------------------------------------------------------
static Value updated(Interp *in, const Act *a, Value old) {
    Type t = a->dst->elem;
    Value v[3], out = {.i = 0};
    if (a->fused) {
        v[0] = eval(in, a->src->args[0]);
        v[1] = eval(in, a->src->args[1]);
        v[2] = old;
        return added(in, t, v);
    }
    v[0] = old;
    v[1] = eval(in, a->src);
    value_op(a->op, t, v, &out);
    if (op_type(a->op, t) != t) value_cast(op_type(a->op, t), t, out, &out);
    return out;
}

static void tell_written(Interp *in, const Act *a, const char *p) {
    InterpTouch t = {in->now, a->dst->array, NULL, p, a->node->loc, true, true};
    if (in->watch && !in->watch->touch(in->watch->arg, &t)) in->failed = true;
}

static void assign(Interp *in, const Act *a) {
    in->now = a->node;
    for (int k = 0; k < a->nat; k++) in->moved[k] = eval(in, a->at[k]);
    if (a->nat) memcpy(in->slots.at + a->slot, in->moved, sizeof(Value) * (size_t)a->nat);
    if (!a->dst) {
        eval(in, a->src);
        return;
    }
    bool sets = a->op == OP_SET;
    Value v = sets && in->watch ? eval(in, a->src) : (Value){.i = 0}; // reads come before the write
    char *p = in->failed ? NULL : element(in, a->dst, a->sub, (Loc){0}, true);
    if (!p) return;
    if (!sets || !in->watch) v = sets ? eval(in, a->src) : updated(in, a, load(a->dst->elem, p));
    if (in->failed) return;
    store(a->dst->elem, p, v);
    tell_written(in, a, p);
}

// ---- blocks and loops ---------------------------------------------------------------------
static void shape(Interp *in, Store *s) {
    for (int d = 0; d < s->rank; d++) {
        s->extent[d] = s->extents[d] ? eval(in, s->extents[d]).i : 0;
        s->origin[d] = s->origins ? eval(in, s->origins[d]).i : 0;
    }
}

// Fresh memory for a local: what it holds is nothing that a program may rely on.
static void renew(Interp *in, Store *s) {
    enum { LIMIT = 1 << 30 };
    shape(in, s);
    int64_t n = 1, bytes;
    for (int d = 0; d < s->rank; d++) {
        if (s->extent[d] < 0) s->extent[d] = 0;
        if (__builtin_mul_overflow(n, s->extent[d], &n)) n = LIMIT;
    }
    if (s->stride < type_size(s->elem) || __builtin_mul_overflow(n, s->stride, &bytes) ||
        bytes > LIMIT) {
        in->failed = true;
        return;
    }
    if (!s->base || (size_t)bytes > s->bytes) {
        s->bytes = (size_t)bytes;
        s->base = arena_alloc(in->arena, s->bytes);
    }
    memset(s->base, 0xA5, (size_t)bytes);
    if (in->watch) in->watch->fresh(in->watch->arg, s->array, s->base, (size_t)bytes);
}

static bool tick(Interp *in) {
    if (in->max_steps && ++in->steps > in->max_steps) in->failed = true;
    return !in->failed;
}

static bool goes_on(Type t, int64_t step, int64_t v, int64_t hi) {
    if (t == T_U64) return step > 0 ? (uint64_t)v < (uint64_t)hi : (uint64_t)v > (uint64_t)hi;
    return step > 0 ? v < hi : v > hi;
}

static void run(Interp *in, const Act *a);

static void run_for(Interp *in, const Act *a) {
    in->now = a->node;
    int64_t v = eval(in, a->lo).i, hi = eval(in, a->hi).i;
    while (goes_on(a->type, a->step, v, hi) && tick(in)) {
        in->slots.at[a->slot].i = v;
        in->now = a->node;
        if (in->watch) in->watch->enter(in->watch->arg, a->node, v);
        if (a->cond && !value_true(a->cond->type, eval(in, a->cond))) return;
        run(in, a->body);
        int64_t next;
        bool over = __builtin_add_overflow(v, a->step, &next);
        v = value_wrap(a->type, next);
        if (type_is_signed(a->type) && (over || v != next)) return;
    }
}

static void run(Interp *in, const Act *a) {
    if (!a || in->failed) return;
    switch (a->kind) {
    case N_SEQ:
        for (int k = 0; k < a->nlocals; k++) renew(in, a->locals[k]);
        for (int k = 0; k < a->nkids && !in->failed; k++) run(in, a->kids[k]);
        break;
    case N_FOR: run_for(in, a); break;
    case N_IF: {
        in->now = a->node;
        bool is = value_true(a->cond->type, eval(in, a->cond));
        run(in, is ? a->body : a->other);
        break;
    }
    case N_KERNEL: case N_BARRIER: // threads run one after another
        if (in->watch) in->watch->enter(in->watch->arg, a->node, 0);
        run(in, a->body);
        break;
    case N_STMT: case N_COPY:
        if (tick(in)) assign(in, a);
        break;
    }
}

// ---- entry ----------------------------------------------------------------------------------
// Memory of what no block of the tree declares: the program's, and temporaries when the tree
// is a kernel alone.
static void bind(Interp *in, int nobjects, const InterpArg *objects) {
    for (int k = 0; k < in->stores.n; k++) {
        Store *s = in->stores.at[k];
        if (s->owned) continue;
        const char *object = s->array->object ? s->array->object : s->array->name;
        for (int j = 0; j < nobjects; j++)
            if (str_eq(objects[j].object, object)) s->base = objects[j].base;
        shape(in, s);
    }
}

static void set_values(Interp *in, int nvals, const InterpVal *vals) {
    for (int k = 0; k < nvals; k++) {
        int slot = interp_slot(in, vals[k].sym);
        Type t = vals[k].sym->type;
        if (type_is_float(t)) in->slots.at[slot].f = t == T_F32 ? (float)vals[k].f : vals[k].f;
        else in->slots.at[slot].i = value_wrap(t, vals[k].i);
    }
}

static bool interpret(Interp *in, Node *root, int nobjects, const InterpArg *objects, int nvals,
                      const InterpVal *vals) {
    set_values(in, nvals, vals);
    Act *a = interp_compile(in, root);
    in->moved = NEW_N(in->arena, Value, in->deepest + 1);
    bind(in, nobjects, objects);
    run(in, a);
    return !in->failed;
}

bool ir_interpret(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                  const InterpVal *vals, int64_t max_steps) {
    Interp in = {.arena = scratch, .max_steps = max_steps};
    return interpret(&in, root, nobjects, objects, nvals, vals);
}

bool ir_interpret_within(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                         const InterpVal *vals, int64_t *steps) {
    Interp in = {.arena = scratch, .max_steps = *steps};
    bool ran = interpret(&in, root, nobjects, objects, nvals, vals);
    *steps -= in.steps;
    return ran;
}

bool interpret_watched(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                       const InterpVal *vals, int64_t max_steps, const InterpWatch *watch) {
    Interp in = {.arena = scratch, .max_steps = max_steps, .watch = watch};
    return interpret(&in, root, nobjects, objects, nvals, vals);
}

bool interpret_apart(Arena *scratch, Node *root, int nobjects, const InterpArg *objects, int nvals,
                     const InterpVal *vals, int64_t max_steps) {
    Interp in = {.arena = scratch, .max_steps = max_steps, .apart = true};
    return interpret(&in, root, nobjects, objects, nvals, vals);
}
