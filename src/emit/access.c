// SPDX-License-Identifier: MIT
// access.c -- where elements are: base pointers, strides, and linear indices.
//
//   a[i][j] of a plain array     a[i * m + j]
//   pts[i].y, 24 bytes a struct  *(double *)(pts + 8 + 24L * (i))
//   t[i][j], private or shared   t[i][j]
#include <string.h>
#include "emit/dialect.h"
#include "ir/table.h"

// ---- objects ---------------------------------------------------------------------------

static const char *base_of(const Array *array) {
    return array->object ? array->object : array->name;
}

static Object *lookup(const Printer *p, const Array *array) {
    for (int k = 0; k < p->objects.n; k++)
        if (str_eq(p->objects.at[k].name, base_of(array))) return &p->objects.at[k];
    return NULL;
}

const Object *object_find(const Printer *p, const Array *array) {
    return lookup(p, array);
}

bool emit_is_table(const Printer *p, const Array *x) {
    const Object *o = object_find(p, x);
    return table_has_each(x) && !(o && (o->bytes || o->written));
}

void put_table(Printer *p, const Array *x, const char *qualifiers) {
    enum { WIDTH = 100 };
    put(p, "    %s %s %s[%d] = {", qualifiers, emit_type(p, x->elem), object_name(p, x), x->nvalues);
    size_t used = 40;
    for (int k = 0; k < x->nvalues; k++) {
        const char *value = expr_text(p, table_element(p->a, x, k), PREC_SELECT);
        bool wraps = (used += strlen(value) + 2) > WIDTH;
        if (wraps) used = 8 + strlen(value);
        put(p, "%s%s%s", k ? "," : "", wraps ? "\n        " : k ? " " : "", value);
    }
    put(p, "};\n");
}

static void note(Printer *p, const Array *array, bool written) {
    if (array->place != PLACE_USER && array->place != PLACE_TEMP) return;
    int64_t size = type_size(array->elem);
    bool odd = array->place == PLACE_USER && (array->stride != size || array->offset != 0);
    Object *o = lookup(p, array);
    if (!o) {
        vec_push(p->a, &p->objects, ((Object){base_of(array), array->elem, odd, written}));
        return;
    }
    o->bytes |= odd || o->elem != array->elem;
    o->written |= written;
}

static void note_expr(Printer *p, const Expr *root) {
    expr_each(x, root)
        if (x->kind == E_LOAD) note(p, x->array, false);
}

static void note_stmt(Printer *p, const Node *n) {
    AccessVec v = stmt_accesses(p->a, n->stmt);
    for (int k = 0; k < v.n; k++) note(p, n->nvia && n->via[k] ? n->via[k] : v.at[k].array, v.at[k].write);
    for (int k = 0; k < n->stmt->depth; k++) note_expr(p, n->at[k]);
}

static void note_node(Printer *p, const Node *n) {
    note_expr(p, n->lo);
    note_expr(p, n->hi);
    note_expr(p, n->cond);
    if (n->kind == N_STMT) note_stmt(p, n);
    if (n->kind == N_COPY) {
        if (n->dst) note(p, n->dst, true);
        for (int k = 0; n->dst && k < n->dst->rank; k++) note_expr(p, n->sub[k]);
        note_expr(p, n->src);
    }
}

void objects_collect(Printer *p, Node *root) {
    node_each(n, root) note_node(p, n);
}

const char *object_name(const Printer *p, const Array *array) {
    return p->spell_object ? p->spell_object(p, array) : emit_name(p, base_of(array));
}

const char *object_type(const Printer *p, const Array *array) {
    const Object *o = object_find(p, array);
    bool bytes = o ? o->bytes : false, written = o ? o->written : true;
    return arena_printf(p->a, "%s%s", written ? "" : "const ",
                        bytes ? emit_type(p, T_U8) : emit_type(p, o ? o->elem : array->elem));
}

// ---- elements ----------------------------------------------------------------------------

// A subscript of the storage: for a cache of another array, counted from its origin.
static Expr *stored(Printer *p, const Array *array, Expr *const *sub, int k) {
    Expr *s = emit_index(p, sub[k]);
    if (!array->of || !array->origin) return s;
    Expr *from = emit_index(p, array->origin[k]);
    if (expr_has_load(from)) emit_fail(p, SC_BUG, "the origin of %s reads memory", array->name);
    return expr_sub(p->a, s, from);
}

// Where counters keep their 64 bits an index does, too: to cut it would cost an instruction, and hide from
// compilers that it grows with them. On a processor all have 64 bits: of an index of 32 under a condition
// nobody knows that it does not overflow, so it is computed and widened anew each time.
static Type index_type(Printer *p, const Array *array, Expr *const *sub) {
    bool wide = p->wide || p->d->simd;
    for (int k = 0; k < array->rank && !emit_narrows(p); k++) wide |= type_size(sub[k]->type) == 8;
    return wide ? T_I64 : T_I32;
}

static Expr *linear(Printer *p, const Array *array, Expr *const *sub) {
    Type idx = index_type(p, array, sub);
    Expr *at = expr_int(p->a, idx, 0);
    for (int k = 0; k < array->rank; k++) {
        if (k > 0) at = expr_mul(p->a, at, expr_cast(p->a, idx, emit_resolve(p, array->extent[k])));
        at = expr_add(p->a, at, expr_cast(p->a, idx, stored(p, array, sub, k)));
    }
    return at;
}

bool dimension_is_stored(const Printer *p, const Array *array, int k) {
    if (array->place == PLACE_REGISTER && k < array->digits && p->d->thread[0])
        return false; // each thread has its own
    return !(array->place == PLACE_LOCAL && array->of && expr_is_int(array->extent[k], 1));
}

static void put_private(Printer *p, const Array *array, Expr *const *sub) {
    put(p, "%s", emit_name(p, array->name));
    for (int k = 0; k < array->rank; k++) {
        if (!dimension_is_stored(p, array, k)) continue;
        put(p, "[");
        put_expr(p, stored(p, array, sub, k), PREC_ANY);
        put(p, "]");
    }
}

// "sculpt_f32_4_of_28": a record of 28 bytes of which only the float at byte 4 has a name.
static const char *record_of(Printer *p, const Array *x) {
    int size = type_size(x->elem);
    long long behind = (long long)(x->stride - x->offset) - size;
    const char *name = arena_printf(p->a, "sculpt_%s_%lld_of_%lld", type_name(x->elem), (long long)x->offset,
                                    (long long)x->stride);
    if (helper_has(p, name)) return name;
    Text t = text_new(p->a);
    text_put(&t, "typedef struct {\n");
    if (x->offset) text_printf(&t, "    char before[%lld];\n", (long long)x->offset);
    text_printf(&t, "    %s x;\n", emit_type(p, x->elem));
    if (behind) text_printf(&t, "    char behind[%lld];\n", behind);
    bool packed = x->offset % size || x->stride % size;
    text_printf(&t, "} %s%s;\n", packed ? "__attribute__((packed)) " : "", name);
    helper_add(p, name, text_str(&t));
    return name;
}

// As a member of a record: compilers see how records follow each other, and what lies in one.
static bool put_member(Printer *p, const Array *x, Expr *at) {
    if (!p->d->simd || x->offset < 0 || x->offset + type_size(x->elem) > x->stride) return false;
    const Object *o = object_find(p, x);
    put(p, "((%s%s *)%s)[", o && !o->written ? "const " : "", record_of(p, x), object_name(p, x));
    put_expr(p, at, PREC_ANY);
    put(p, "].x");
    return true;
}

static void put_in_bytes(Printer *p, const Array *array, Expr *const *sub) {
    const Object *o = object_find(p, array);
    Expr *at = linear(p, array, sub);
    if (put_member(p, array, at)) return;
    put(p, "(*(%s%s%s *)(%s", p->d->global, o && !o->written ? "const " : "",
        emit_type(p, array->elem), object_name(p, array));
    if (array->offset) put(p, " + %lld", (long long)array->offset);
    if (!expr_is_int(at, 0)) {
        put(p, " + %lld%s * ", (long long)array->stride, p->d->suffix_i64);
        put_expr(p, at, PREC_UNARY);
    }
    put(p, "))");
}

// Through the table of pointers, where the program's own text stands around: its rows lie anywhere.
static void put_in_row(Printer *p, const Array *x, Expr *const *sub) {
    Array rest = *x;
    rest.rank -= x->levels, rest.extent += x->levels;
    put(p, "(*(const %s *)((const char *)(", emit_type(p, x->elem));
    for (int k = 0; k < x->levels; k++) {
        put(p, "%s", x->row[k]);
        put_expr(p, stored(p, x, sub, k), PREC_ANY);
    }
    put(p, "%s) + %lld%s * ", x->row[x->levels], (long long)x->stride, p->d->suffix_i64);
    put_expr(p, linear(p, &rest, sub + x->levels), PREC_UNARY);
    put(p, " + %lld))", (long long)x->offset);
}

static bool in_memory(const Array *x) {
    return x->place == PLACE_USER || x->place == PLACE_TEMP || x->place == PLACE_SHARED;
}

const char *access_line(const Printer *p, const Array *array) {
    return p->lines && in_memory(array) ? arena_printf(p->a, "\n/*%d %s*/ ", p->statement, array->name) : "";
}

void put_element(Printer *p, const Array *array, Expr *const *sub) {
    put(p, "%s", access_line(p, array));
    if (array->place != PLACE_USER && array->place != PLACE_TEMP) {
        put_private(p, array, sub);
        return;
    }
    const Object *o = object_find(p, array);
    if (p->spell_object && array->levels) {
        put_in_row(p, array, sub);
        return;
    }
    if (o && o->bytes) {
        put_in_bytes(p, array, sub);
        return;
    }
    put(p, "%s[", object_name(p, array));
    put_expr(p, linear(p, array, sub), PREC_ANY);
    put(p, "]");
}
