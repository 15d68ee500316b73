// SPDX-License-Identifier: MIT
// type.c -- names of types, operators and ways to run a loop; what a nest may ask for
#include "ir/ir.h"
#include <string.h>

typedef struct TypeRow {
    const char *name;
    int size;
    bool is_float, is_signed;
} TypeRow;

static const char *const facts[FACT_KINDS] = {
    [FACT_MISALIGN] = "misalign", [FACT_PROCESSORS] = "processors", [FACT_TRAVELS] = "travels",
    [FACT_LINK] = "link",         [FACT_COPY] = "copy_rate",         [FACT_FMA] = "fma_rate"};
const char *fact_word(FactKind k) { return facts[k]; }

const char *proof_word(Proof p) {
    static const char *const words[] = {"believed", "tested", "proved"};
    return words[p];
}

const char *fact_stem(FactKind k) {
    static const char *const stem[FACT_KINDS] = {
        [FACT_MISALIGN] = "at", [FACT_PROCESSORS] = "sms",  [FACT_TRAVELS] = "travels",
        [FACT_LINK] = "link",   [FACT_COPY] = "copying",    [FACT_FMA] = "multiplying"};
    return stem[k];
}

const Sym *nest_fact(Arena *a, Nest *n, FactKind kind, const char *name) {
    for (int i = 0; i < n->nfacts; i++)
        if (n->facts[i].kind == kind) return n->facts[i].sym;
    Sym *s = NEW_AS(a, Sym, (Sym){name, SYM_PARAM, T_I64, NULL});
    Fact *all = NEW_N(a, Fact, n->nfacts + 1);
    for (int i = 0; i < n->nfacts; i++) all[i] = n->facts[i];
    all[n->nfacts++] = (Fact){s, NULL, kind};
    n->facts = all;
    return s;
}

static const TypeRow rows[T_COUNT] = {
    [T_NONE] = {"none", 0, false, false}, [T_BOOL] = {"bool", 1, false, false},
    [T_I8] = {"i8", 1, false, true},      [T_U8] = {"u8", 1, false, false},
    [T_I16] = {"i16", 2, false, true},    [T_U16] = {"u16", 2, false, false},
    [T_I32] = {"i32", 4, false, true},    [T_U32] = {"u32", 4, false, false},
    [T_I64] = {"i64", 8, false, true},    [T_U64] = {"u64", 8, false, false},
    [T_F32] = {"f32", 4, true, false},    [T_F64] = {"f64", 8, true, false},
};

const char *type_name(Type t) { return (unsigned)t < T_COUNT ? rows[t].name : "none"; }

Type type_from_name(const char *name) {
    for (int t = T_NONE + 1; t < T_COUNT; t++)
        if (rows[t].name[0] == name[0] && rows[t].name[1] == name[1] && !strcmp(rows[t].name, name))
            return (Type)t;
    return T_NONE;
}

int type_size(Type t) { return (unsigned)t < T_COUNT ? rows[t].size : 0; }
bool type_is_float(Type t) { return t == T_F32 || t == T_F64; }
bool type_is_int(Type t) { return t > T_NONE && t < T_F32; }
bool type_is_signed(Type t) { return (unsigned)t < T_COUNT && rows[t].is_signed; }

int64_t type_most(Type t) {
    int bits = t == T_BOOL ? 1 : 8 * type_size(t) - type_is_signed(t);
    return bits > 62 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

int64_t type_least(Type t) { return type_is_signed(t) ? -type_most(t) - 1 : 0; }

static const char *const op_texts[OP_COUNT] = {
#define OP(name, text, arity) [OP_##name] = text,
#include "ir/op.def"
#undef OP
};

static const signed char op_arities[OP_COUNT] = {
#define OP(name, text, arity) [OP_##name] = arity,
#include "ir/op.def"
#undef OP
};

const char *op_text(Op op) { return (unsigned)op < OP_COUNT ? op_texts[op] : "?"; }
int op_arity(Op op) { return (unsigned)op < OP_COUNT ? op_arities[op] : 0; }

Op op_mirrored(Op op) {
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

const char *how_name(How h) {
    static const char *const names[HOW_COUNT] = {"serial", "block",  "thread",
                                            "coop",   "vector", "unroll"};
    return (unsigned)h < HOW_COUNT ? names[h] : "serial";
}
