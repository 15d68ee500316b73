// SPDX-License-Identifier: MIT
// c.c -- the C dialect (GNU C and OpenMP), and its form for text inside the user's functions.
#include "emit/dialect.h"

static const char *const reserved[] = {"fdiv", NULL};

static const char *call(Arena *a, const char *fn) {
    const char *base;
    return math_known(fn, &base) ? arena_printf(a, "%s(%%s)", fn) : NULL;
}

// Processors have no cheaper forms: functions of hand-written kernels alone are called so.
#define PLAIN(type, name, params, value)                                                                     \
    "static inline " type " " name "(" params ")\n{\n    return " value ";\n}\n"
#define BITS(to, from, name) PLAIN(to, name, from " x", "((union { " from " x; " to " y; }){x}).y")
static const FormWord words[] = {
    {"bits_of_float", "sculpt_float_bits", BITS("unsigned", "float", "sculpt_float_bits")},
    {"float_of_bits", "sculpt_bits_float", BITS("float", "unsigned", "sculpt_bits_float")},
    {"bits_of_double", "sculpt_double_bits", BITS("unsigned long", "double", "sculpt_double_bits")},
    {"double_of_bits", "sculpt_bits_double", BITS("double", "unsigned long", "sculpt_bits_double")},
    {"high_product", "sculpt_high_product",
     PLAIN("unsigned long", "sculpt_high_product", "unsigned long x, unsigned long y",
           "(unsigned long)((unsigned __int128)x * y >> 64)")},
    {"wide_remainder", "sculpt_wide_remainder",
     PLAIN("unsigned long", "sculpt_wide_remainder", "unsigned long hi, unsigned long lo, unsigned long m",
           "(unsigned long)(((unsigned __int128)hi << 64 | lo) % m)")},
    {"rsqrt", "sculpt_rsqrt", PLAIN("double", "sculpt_rsqrt", "double x", "1 / sqrt(x)")},
    {"rsqrtf", "sculpt_rsqrtf", PLAIN("float", "sculpt_rsqrtf", "float x", "1 / sqrtf(x)")},
    {"fast_divf", "sculpt_divf", PLAIN("float", "sculpt_divf", "float x, float y", "x / y")},
    {"fast_expf", "expf", NULL},     {"fast_exp2f", "exp2f", NULL},   {"fast_logf", "logf", NULL},
    {"fast_log2f", "log2f", NULL},   {"fast_log10f", "log10f", NULL}, {"fast_sinf", "sinf", NULL},
    {"fast_cosf", "cosf", NULL},     {"fast_tanf", "tanf", NULL},     {"fast_powf", "powf", NULL},
    {"fast_sqrtf", "sqrtf", NULL},   {NULL, NULL, NULL}};

static void atomic(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space) {
    (void)space;
    bool direct = (op == OP_MUL && t != T_U16) || op == OP_ADD || op == OP_AND || op == OP_OR || op == OP_XOR;
    if (op == OP_SET) {
        put(p, "\n#pragma omp atomic write\n");
        put_indent(p);
        put(p, "%s = %s;", place, value);
    } else if (direct && t != T_BOOL) {
        put(p, "\n#pragma omp atomic\n");
        put_indent(p);
        Type u = update_modular(op, t);
        if (u)
            put(p, "*(%s *)&%s %s= (%s)(%s);", emit_type(p, u), place, op_text(op), emit_type(p, u), value);
        else
            put(p, "%s %s= %s;", place, op_text(op), value);
    } else {
        atomic_by_cas(p, op, t, place, value, "", "__sync_val_compare_and_swap", true);
    }
}

static const char *team_name(Printer *p, const Node *kernel) {
    return arena_printf(p->a, "sculpt_team_%s", kernel->name);
}

static const char *pointer_of(Printer *p, const KernelSig *sig, int k) {
    return arena_printf(p->a, "%s *restrict %s", object_type(p, sig->arrays[k]),
                        object_name(p, sig->arrays[k]));
}

// Arguments come as two arrays of pointers: to element 0 of each object, to each value. The loops stand in a
// function that all threads call: compilers believe `restrict` of parameters alone, and of none that a
// parallel region's function gets by a struct. gcc 12 takes such a function for pure where bounds are
// literals, and drops the call: it is not to look (noipa).
static void open_kernel(Printer *p, const Node *kernel, const KernelSig *sig) {
    const char **params = NEW_N(p->a, const char *, sig->narrays + sig->nsyms + 1);
    bool *table = NEW_N(p->a, bool, sig->narrays + 1);
    int n = 0;
    for (int k = 0; k < sig->narrays; k++)
        if (!(table[k] = emit_is_table(p, sig->arrays[k]))) params[n++] = pointer_of(p, sig, k);
    for (int k = 0; k < sig->nsyms; k++)
        params[n++] =
            arena_printf(p->a, "const %s %s", emit_type(p, sig->syms[k]->type), emit_sym(p, sig->syms[k]));
    if (!n) params[n++] = "void";
    put_params(p, arena_printf(p->a, "static __attribute__((noipa)) void %s", team_name(p, kernel)), n,
               params);
    put(p, "{\n");
    for (int k = 0; k < sig->narrays; k++)
        if (table[k]) put_table(p, sig->arrays[k], "static const");
}

static void close_kernel(Printer *p, const Node *kernel, const KernelSig *sig) {
    const char **args = NEW_N(p->a, const char *, sig->narrays + sig->nsyms + 1);
    int n = 0;
    for (int k = 0; k < sig->narrays; k++)
        if (!emit_is_table(p, sig->arrays[k])) args[n++] = arena_printf(p->a, "ptrs[%d]", k);
    for (int k = 0; k < sig->nsyms; k++)
        args[n++] = arena_printf(p->a, "*(const %s *)vals[%d]", emit_type(p, sig->syms[k]->type), k);
    put(p, "\nvoid %s(void *const *ptrs, const void *const *vals)\n{\n", kernel->name);
    if (!sig->narrays) put(p, "    (void)ptrs;\n");
    if (!sig->nsyms) put(p, "    (void)vals;\n");
    if (p->shared_loop) put(p, "    #pragma omp parallel\n");
    put(p, "    %s(", team_name(p, kernel));
    for (int k = 0; k < n; k++) put(p, k ? ", %s" : "%s", args[k]);
    put(p, ");\n}\n");
}

// Without traps gcc 12 reads (float)(int)x as truncf(x), which is -0 for x in (-1, -0].
static void prelude(const Printer *p, Text *out) {
    if (p->truncates) text_put(out, "// options: -ftrapping-math\n");
    if (p->uses_math) text_put(out, "#include <math.h>\n");
    if (p->uses_math || p->sequential) text_put(out, "#include <stdlib.h>\n\n");
}

#define C_WORDS                                                                                    \
    .type = {[T_NONE] = "void", [T_BOOL] = "unsigned char", [T_I8] = "signed char",                \
             [T_U8] = "unsigned char", [T_I16] = "short", [T_U16] = "unsigned short",              \
             [T_I32] = "int", [T_U32] = "unsigned int", [T_I64] = "long long",                     \
             [T_U64] = "unsigned long long", [T_F32] = "float", [T_F64] = "double"},               \
    .suffix_i64 = "LL", .suffix_u64 = "ULL",                                                       \
    .inf = {"__builtin_inff()", "__builtin_inf()"},                                                \
    .nan = {"__builtin_nanf(\"\")", "__builtin_nan(\"\")"},                                        \
    .fma = {"__builtin_fmaf", "__builtin_fma"}, .global = "", .shared = "",                        \
    .helper = "static inline ", .unroll = "#pragma GCC unroll %d",    \
    .unroll_all = "#pragma GCC unroll 64", .vla = true, .heap = true, .reserved = reserved,        \
    .call = call, .atomic = atomic, .open_kernel = open_kernel, \
    .close_kernel = close_kernel, .prelude = prelude

const Dialect dialect_c = {C_WORDS, .call_prefix = "", .words = words, .simd = true};
const Dialect dialect_host = {C_WORDS, .call_prefix = "__builtin_", .inline_only = true};
