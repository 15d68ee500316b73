// SPDX-License-Identifier: MIT
// span.c -- interval arithmetic on expressions; single values are exact.
#include "ir/span.h"

static bool is_point(Span s) { return s.lo == s.hi; }
static int64_t min64(int64_t x, int64_t y) { return y < x ? y : x; }
static int64_t max64(int64_t x, int64_t y) { return y > x ? y : x; }

// All values of a type; of unsigned 64 bits the half that an int64 can hold.
static Span type_span(Type t) {
    return type_is_float(t) ? (Span){INT64_MIN, INT64_MAX} : (Span){type_least(t), type_most(t)};
}

// Makes s a range of type t. A single value that does not fit is an overflow, which the
// guard must not pass; a wider range is only a bound, and C says the values fit.
static bool fit(Type t, SpanEnv *e, Span *s) {
    Span all = type_span(t);
    if (s->lo >= all.lo && s->hi <= all.hi) return true;
    if (e->low_bits) return *s = all, true;
    e->over |= e->strict;
    if (!s->data && (s->hi > all.hi || (type_is_signed(t) ? s->lo < all.lo : s->hi < 0))) e->over = true;
    if (is_point(*s) || type_size(t) == 8) return false;
    *s = (Span){max64(s->lo, all.lo), min64(s->hi, all.hi), s->data};
    if (s->lo > s->hi || (!type_is_signed(t) && s->hi == all.hi)) s->lo = all.lo, s->hi = all.hi;
    return true;
}

bool span_push(SpanEnv *e, const Sym *s, Span v) {
    if (e->n == SPAN_COUNTERS) return false;
    e->counter[e->n] = s;
    e->span[e->n++] = v;
    return true;
}

static bool sym_span(const Sym *s, SpanEnv *e, Span *out) {
    for (int i = e->n - 1; i >= 0; i--)
        if (e->counter[i] == s) return *out = e->span[i], true;
    if (type_is_float(s->type)) return false;
    for (int i = 0; i < e->nvals; i++)
        if (e->vals[i].sym == s) {
            *out = (Span){e->vals[i].i, e->vals[i].i};
            e->over |= s->type == T_U64 && out->lo < 0 && !e->low_bits;
            return s->type != T_U64 || out->lo >= 0;
        }
    return false;
}

static int64_t floor_div(int64_t x, int64_t y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }

// The least and greatest of f over the corners; f is monotone in each operand.
static bool corners(Op op, Span x, Span y, Span *out) {
    int64_t xs[2] = {x.lo, x.hi}, ys[2] = {y.lo, y.hi};
    *out = (Span){INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t a = xs[i & 1], b = ys[i >> 1], v = 0;
        if (op == OP_MUL && __builtin_mul_overflow(a, b, &v)) return false;
        if (op == OP_DIV || op == OP_FDIV) {
            if (b == -1 && a == INT64_MIN) return false;
            v = op == OP_DIV ? a / b : floor_div(a, b);
        }
        *out = (Span){min64(out->lo, v), max64(out->hi, v)};
    }
    return true;
}

static bool remainder_span(Op op, Span x, Span y, Span *out) {
    if (y.lo == INT64_MIN) return false;
    if (is_point(x) && is_point(y)) {
        int64_t r = y.lo == -1 ? 0 : x.lo % y.lo;
        if (op == OP_FMOD && r != 0 && (r < 0) != (y.lo < 0)) r += y.lo;
        *out = (Span){r, r};
        return true;
    }
    int64_t most = max64(y.hi, -y.lo) - 1;
    if (op == OP_FMOD) *out = y.lo > 0 ? (Span){0, most} : (Span){-most, 0};
    else *out = (Span){x.lo < 0 ? -most : 0, x.hi > 0 ? most : 0};
    if (x.lo >= 0 && y.lo > 0) out->hi = min64(out->hi, x.hi);
    return true;
}

static bool bits_span(Op op, Type t, Span x, Span y, Span *out) {
    if (is_point(x) && is_point(y)) {
        int64_t v = op == OP_AND ? x.lo & y.lo : op == OP_OR ? x.lo | y.lo : x.lo ^ y.lo;
        *out = (Span){v, v};
    } else if (op == OP_AND && (x.lo >= 0 || y.lo >= 0)) {
        *out = (Span){0, x.lo < 0 ? y.hi : y.lo < 0 ? x.hi : min64(x.hi, y.hi)};
    } else {
        *out = type_span(t);
    }
    return true;
}

static bool shift_span(Op op, Span x, Span y, Span *out) {
    if (!is_point(y) || y.lo < 0 || y.lo > 62) return false;
    if (op == OP_SHL) return corners(OP_MUL, x, (Span){1ll << y.lo, 1ll << y.lo}, out);
    *out = (Span){x.lo >> y.lo, x.hi >> y.lo};
    return true;
}

static Span truth(bool surely, bool never) {
    return surely ? (Span){1, 1} : never ? (Span){0, 0} : (Span){0, 1};
}

static Span compare(Op op, Span x, Span y) {
    switch (op) {
    case OP_LT: return truth(x.hi < y.lo, x.lo >= y.hi);
    case OP_LE: return truth(x.hi <= y.lo, x.lo > y.hi);
    case OP_GT: return truth(x.lo > y.hi, x.hi <= y.lo);
    case OP_GE: return truth(x.lo >= y.hi, x.hi < y.lo);
    case OP_EQ: return truth(is_point(x) && is_point(y) && x.lo == y.lo, x.hi < y.lo || y.hi < x.lo);
    default: return truth(x.hi < y.lo || y.hi < x.lo, is_point(x) && is_point(y) && x.lo == y.lo);
    }
}

static bool binary(const Expr *e, Span x, Span y, Span *out) {
    switch (e->op) {
    case OP_ADD:
        return !__builtin_add_overflow(x.lo, y.lo, &out->lo) && !__builtin_add_overflow(x.hi, y.hi, &out->hi);
    case OP_SUB:
        return !__builtin_sub_overflow(x.lo, y.hi, &out->lo) && !__builtin_sub_overflow(x.hi, y.lo, &out->hi);
    case OP_MUL: return corners(OP_MUL, x, y, out);
    case OP_DIV: case OP_FDIV: return (y.lo > 0 || y.hi < 0) && corners(e->op, x, y, out);
    case OP_MOD: case OP_FMOD: return (y.lo > 0 || y.hi < 0) && remainder_span(e->op, x, y, out);
    case OP_MIN: *out = (Span){min64(x.lo, y.lo), min64(x.hi, y.hi)}; return true;
    case OP_MAX: *out = (Span){max64(x.lo, y.lo), max64(x.hi, y.hi)}; return true;
    case OP_SHL: case OP_SHR: return shift_span(e->op, x, y, out);
    case OP_AND: case OP_OR: case OP_XOR: return bits_span(e->op, e->type, x, y, out);
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
        *out = compare(e->op, x, y);
        return true;
    default: return false;
    }
}

// Only that `seen` is told of x and what it is made of.
static void show(const Expr *x, SpanEnv *e) {
    Span s;
    bool over = e->over;
    if (e->seen) span_of(x, e, &s);
    e->over = over;
}

// Chooses before it evaluates, as C does. What is chosen by something unknown is shown all the same.
static bool logical(const Expr *x, SpanEnv *e, Span *out) {
    Span c, a, b;
    if (!span_of(x->args[0], e, &c)) {
        for (int k = 1; k < x->nargs; k++) show(x->args[k], e);
        return false;
    }
    bool yes = c.lo > 0 || c.hi < 0, no = c.lo == 0 && c.hi == 0;
    if (x->op == OP_SELECT) {
        if (yes) return span_of(x->args[1], e, out);
        if (no) return span_of(x->args[2], e, out);
        if (!span_of(x->args[1], e, &a)) return show(x->args[2], e), false;
        if (!span_of(x->args[2], e, &b)) return false;
        *out = (Span){min64(a.lo, b.lo), max64(a.hi, b.hi), a.data || b.data};
        return true;
    }
    bool is_and = x->op == OP_LAND;
    if (is_and ? no : yes) return *out = truth(!is_and, is_and), true;
    if (!span_of(x->args[1], e, &b)) return false;
    bool byes = b.lo > 0 || b.hi < 0, bno = b.lo == 0 && b.hi == 0;
    *out = is_and ? truth(yes && byes, bno) : truth(byes, no && bno);
    return true;
}

// The low bits of its value are those of its operands' low bits.
static bool is_ring(Op op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG || op == OP_SHL || op == OP_AND;
}

// The low bits that are left of x & 255 or (unsigned) x % 256; 0: more is.
static int64_t mask_of(const Expr *x) {
    const Expr *by = x->nargs == 2 && x->args[1]->kind == E_INT ? x->args[1] : NULL;
    bool rest = x->op == OP_FMOD || (x->op == OP_MOD && !type_is_signed(x->type));
    int64_t v = !by ? 0 : x->op == OP_AND ? by->i : rest ? by->i - 1 : 0;
    return v > 0 && (v & (v + 1)) == 0 ? v : 0;
}

static bool operands(const Expr *x, SpanEnv *e, Span v[2]) {
    v[1] = (Span){0};
    bool asked = e->low_bits;
    e->low_bits = mask_of(x) || (asked && is_ring(x->op));
    bool ok = span_of(x->args[0], e, &v[0]);
    if (ok && x->nargs == 2) ok = span_of(x->args[1], e, &v[1]);
    else
        for (int k = 1; k < x->nargs; k++) show(x->args[k], e);
    e->low_bits = asked;
    return ok;
}

// A comparison of real numbers, which parameters alone decide: whether something pays.
static bool real_span(const Expr *x, SpanEnv *e, Span *out) {
    int64_t holds;
    e->over |= e->strict;
    if (!ir_eval(x, e->nvals, e->vals, &holds)) return false;
    return *out = (Span){holds, holds}, true;
}

static bool op_span(const Expr *x, SpanEnv *e, Span *out) {
    Span v[2];
    if (x->op >= OP_LT && x->op <= OP_NE && type_is_float(x->args[0]->type)) return real_span(x, e, out);
    if (x->op == OP_LAND || x->op == OP_LOR || x->op == OP_SELECT) return logical(x, e, out);
    if (!operands(x, e, v)) {
        *out = (Span){0, mask_of(x)};
        return mask_of(x) > 0;
    }
    bool ok = x->nargs == 2;
    if (ok) ok = binary(x, v[0], v[1], out);
    bool grows = x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL;
    bool data = v[0].data || v[1].data;
    if (x->nargs == 2 && !ok && grows && !data && !e->low_bits) e->over = true;
    if (x->op == OP_NEG && v[0].lo != INT64_MIN) *out = (Span){-v[0].hi, -v[0].lo}, ok = true;
    if (x->op == OP_LNOT) *out = truth(v[0].lo == 0 && v[0].hi == 0, v[0].lo > 0 || v[0].hi < 0), ok = true;
    if (x->op == OP_NOT) {
        *out = type_is_signed(x->type) ? (Span){~v[0].hi, ~v[0].lo} : type_span(x->type);
        ok = type_is_signed(x->type) || !is_point(v[0]);
    }
    out->data = data;
    return ok;
}

static bool range_of(const Expr *x, SpanEnv *e, Span *out) {
    if (type_is_float(x->type)) return false;
    switch (x->kind) {
    case E_INT: *out = (Span){x->i, x->i}; return x->type != T_U64 || x->i >= 0;
    case E_SYM: return sym_span(x->sym, e, out);
    case E_LOAD: *out = type_span(x->type); return out->data = true;
    case E_OP: return op_span(x, e, out) && fit(x->type, e, out);
    case E_CAST: return span_of(x->args[0], e, out) && fit(x->type, e, out);
    default: return false;
    }
}

bool span_of(const Expr *x, SpanEnv *e, Span *out) {
    bool known = range_of(x, e, out);
    if (e->seen) e->seen(x, known, *out, e->arg);
    return known;
}

bool span_value(const Expr *x, SpanEnv *e, int64_t *out) {
    Span s;
    if (!span_of(x, e, &s) || !is_point(s)) return false;
    *out = s.lo;
    return true;
}
