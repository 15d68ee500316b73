// SPDX-License-Identifier: MIT
// atomic.c -- updates that a device has no instruction for, by compare-and-swap.
//
//   old = *word
//   repeat   now = old with the update applied
//            seen = exchange(word, old, now)      // stores now if *word is still old
//   until    seen == old
//
// A value of 8 or 16 bits lives inside an aligned word of 32; its neighbours in the word
// are exchanged unchanged.
#include "emit/dialect.h"

const char *atomic_combined(Printer *p, Op op, Type t) {
    Type u = update_modular(op, t);
    if (u) {
        const char *type = emit_type(p, u);
        return arena_printf(p->a, "(%s)((%s)x %s (%s)y)", emit_type(p, t), type, op_text(op), type);
    }
    switch (op) {
    case OP_MIN: return "y < x ? y : x";
    case OP_MAX: return "y > x ? y : x";
    case OP_MUL: return "x * y";
    case OP_AND: return "x & y";
    case OP_OR: return "x | y";
    case OP_XOR: return "x ^ y";
    case OP_LAND: return "x && y";
    case OP_LOR: return "x || y";
    case OP_SET: return "y";
    default: return "x + y";
    }
}

const char *atomic_word(Op op) {
    switch (op) {
    case OP_MIN: return "min";
    case OP_MAX: return "max";
    case OP_MUL: return "mul";
    case OP_AND: return "and";
    case OP_OR: return "or";
    case OP_XOR: return "xor";
    case OP_LAND: return "land";
    case OP_LOR: return "lor";
    case OP_SET: return "set";
    default: return "add";
    }
}

typedef struct Shape {
    const char *name, *space, *type, *word, *value, *exchange;
} Shape;

static char *whole_word(Printer *p, const Shape *s) {
    return arena_printf(
        p->a,
        "%svoid %s(%s%s *p, %s y)\n"
        "{\n"
        "    volatile %s%s *w = (volatile %s%s *)p;\n"
        "    union { %s bits; %s value; } old, now;\n"
        "    for (old.bits = *w;;) {\n"
        "        const %s x = old.value;\n"
        "        now.value = %s;\n"
        "        const %s seen = %s;\n"
        "        if (seen == old.bits)\n"
        "            return;\n"
        "        old.bits = seen;\n"
        "    }\n"
        "}\n",
        p->d->helper, s->name, s->space, s->type, s->type, s->space, s->word, s->space, s->word,
        s->word, s->type, s->type, s->value, s->word, s->exchange);
}

static char *part_of_word(Printer *p, const Shape *s, int bits) {
    const char *u = emit_type(p, T_U32);
    return arena_printf(
        p->a,
        "%svoid %s(%s%s *p, %s y)\n"
        "{\n"
        "    volatile %s%s *w = (volatile %s%s *)((size_t)p & ~(size_t)3);\n"
        "    const %s shift = 8 * (%s)((size_t)p & 3), mask = %uu << shift;\n"
        "    struct { %s bits; } old, now;\n"
        "    for (old.bits = *w;;) {\n"
        "        const %s x = (%s)(old.bits >> shift);\n"
        "        const %s z = %s;\n"
        "        now.bits = (old.bits & ~mask) | (((%s)z << shift) & mask);\n"
        "        const %s seen = %s;\n"
        "        if (seen == old.bits)\n"
        "            return;\n"
        "        old.bits = seen;\n"
        "    }\n"
        "}\n",
        p->d->helper, s->name, s->space, s->type, s->type, s->space, u, s->space, u, u, u,
        (1u << bits) - 1, u, s->type, s->type, s->type, s->value, u, u, s->exchange);
}

void atomic_by_cas(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space, const char *cas, bool narrow) {
    static const Type word_of[] = {[1] = T_U8, [2] = T_U16, [4] = T_U32, [8] = T_U64};
    int size = type_size(t);
    bool part = size < 4 && !narrow;
    char *name = arena_printf(p->a, "sculpt_atomic_%s_%s%s%s", atomic_word(op), type_name(t),
                              *space ? "_" : "", *space ? (space[2] == 'l' ? "local" : "global") : "");
    Shape s = {name, space, emit_type(p, t), emit_type(p, part ? T_U32 : word_of[size]),
               atomic_combined(p, op, t), NULL};
    s.exchange = arena_printf(p->a, "%s(%sw, old.bits, now.bits)", cas,
                              narrow || *space ? "" : arena_printf(p->a, "(%s *)", s.word));
    if (!helper_has(p, name)) helper_add(p, name, part ? part_of_word(p, &s, 8 * size) : whole_word(p, &s));
    put(p, "%s(&%s, %s);", name, place, value);
}
