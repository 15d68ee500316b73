// SPDX-License-Identifier: MIT
// opencl.c -- the OpenCL C dialect (1.2).
#include <string.h>
#include "emit/dialect.h"

static const char *const reserved[] = {
    "__kernel", "kernel", "__global", "global", "__local", "local", "__constant", "constant",
    "__private", "private", "__generic", "generic", "__read_only", "read_only", "write_only",
    "__write_only", "read_write", "uniform", "pipe", "complex", "imaginary", "quad", "uchar",
    "ushort", "uint", "ulong", "ptrdiff_t", "intptr_t", "uintptr_t", "event_t", "sampler_t",
    "image1d_t", "image2d_t", "image3d_t", "vec_step", "MAXFLOAT", "CHAR_BIT", "CHAR_MAX",
    "CHAR_MIN", "INT_MAX", "INT_MIN", "LONG_MAX", "LONG_MIN", "SCHAR_MAX", "SCHAR_MIN",
    "SHRT_MAX", "SHRT_MIN", "UCHAR_MAX", "USHRT_MAX", "UINT_MAX", "ULONG_MAX", "FLT_DIG",
    "FLT_EPSILON", "FLT_MAX", "FLT_MIN", "DBL_DIG", "DBL_EPSILON", "DBL_MAX", "DBL_MIN",
    "get_group_id", "get_local_id", "atomic_add", "atomic_min", "atomic_max", "atomic_and",
    "atomic_or", "atomic_xor", "atomic_cmpxchg", "atom_add", "atom_min", "atom_max", "atom_and",
    "atom_or", "atom_xor", "atom_cmpxchg", "as_float", "as_double", "convert_long",
    "convert_long_rte", NULL};

// OpenCL overloads its functions, so there is one name for float and double.
static const char *call(Arena *a, const char *fn) {
    static const struct { const char *fn, *form; } special[] = {
        {"nearbyint", "rint(%s)"}, {"lrint", "convert_long_rte(%s)"},
        {"llrint", "convert_long_rte(%s)"}, {"lround", "convert_long(round(%s))"},
        {"llround", "convert_long(round(%s))"}, {"scalbn", "ldexp(%s)"},
        {"abs", "((int)abs(%s))"}, {"labs", "((long)abs(%s))"}, {"llabs", "((long)abs(%s))"},
        {"scalbln", NULL}};
    const char *base;
    if (!math_known(fn, &base)) return NULL;
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        if (str_eq(special[k].fn, base)) return special[k].form;
    return arena_printf(a, "%s(%%s)", base);
}

// Roots and functions in the forms of ir/forms.c. Powers have none for negative bases.
static const FormWord words[] = {
    {"bits_of_float", "as_uint", NULL},  {"float_of_bits", "as_float", NULL},
    {"bits_of_double", "as_ulong", NULL}, {"double_of_bits", "as_double", NULL},
    {"high_product", "mul_hi", NULL},
    {"wide_remainder", "sculpt_wide_remainder", WIDE_REMAINDER("static inline", "ulong")},
    {"rsqrt", "rsqrt", NULL},            {"rsqrtf", "rsqrt", NULL},
             {"fast_expf", "native_exp", NULL},
    {"fast_exp2f", "native_exp2", NULL}, {"fast_logf", "native_log", NULL},
     {"fast_log2f", "native_log2", NULL},
    {"fast_log10f", "native_log10", NULL}, {"fast_sinf", "native_sin", NULL},
    {"fast_cosf", "native_cos", NULL},
    {"fast_tanf", "native_tan", NULL},   {"fast_powf", "pow", NULL},
            {"fast_divf", "native_divide", NULL},
    {"fast_sqrtf", "native_sqrt", NULL}, {NULL, NULL, NULL}};

static const char *instruction(Op op) {
    switch (op) {
    case OP_ADD: return "add";
    case OP_MIN: return "min";
    case OP_MAX: return "max";
    case OP_AND: return "and";
    case OP_OR: return "or";
    case OP_XOR: return "xor";
    default: return "";
    }
}

static void atomic(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space) {
    const char *prefix = type_size(t) == 8 ? "atom_" : "atomic_";
    const char *fn = type_is_int(t) && type_size(t) >= 4 ? instruction(op) : "";
    if (op == OP_SET)
        put(p, "%s = %s;", place, value);
    else if (*fn)
        put(p, "%s%s(&%s, %s);", prefix, fn, place, value);
    else
        atomic_by_cas(p, op, t, place, value, space, arena_printf(p->a, "%scmpxchg", prefix), false);
}

// A buffer and the place of element 0 in it arrive apart: OpenCL 1.2 cannot pass a pointer
// into the middle of a buffer at any alignment.
static void open_kernel(Printer *p, const Node *kernel, const KernelSig *sig) {
    const char **params = NEW_N(p->a, const char *, 2 * sig->narrays + sig->nsyms + 1);
    int n = 0;
    for (int k = 0; k < sig->narrays; k++) {
        const char *name = object_name(p, sig->arrays[k]);
        params[n++] = arena_printf(p->a, "__global %s *restrict sculpt_p_%s",
                                   object_type(p, sig->arrays[k]), name);
        params[n++] = arena_printf(p->a, "const long sculpt_off_%s", name);
    }
    for (int k = 0; k < sig->nsyms; k++)
        params[n++] = arena_printf(p->a, "const %s %s", emit_type(p, sig->syms[k]->type),
                                   emit_sym(p, sig->syms[k]));
    int64_t each[3];
    if (emit_threads(p, kernel, each) > 0)
        put(p, "__attribute__((reqd_work_group_size(%lld, %lld, %lld)))\n", (long long)each[0],
            (long long)each[1], (long long)each[2]);
    put_params(p, arena_printf(p->a, "__kernel void %s", kernel->name), n, params);
    put(p, "{\n");
    for (int k = 0; k < sig->narrays; k++) {
        const char *name = object_name(p, sig->arrays[k]), *type = object_type(p, sig->arrays[k]);
        if (emit_is_table(p, sig->arrays[k])) {
            put_table(p, sig->arrays[k], "__constant");
            continue;
        }
        bool is_const = str_has_prefix(type, "const ");
        put(p,
            "    __global %s *restrict %s = (__global %s *)((__global %schar *)sculpt_p_%s + "
            "sculpt_off_%s);\n",
            type, name, type, is_const ? "const " : "", name, name);
    }
}

static const char *vector(Type t) {
    return dialect_opencl.type[t];
}

static bool mentions(const Printer *p, const char *word) {
    for (int k = 0; k < p->helpers.n; k++)
        if (strstr(p->helpers.at[k].text, word)) return true;
    return strstr(text_str(&p->out), word) != NULL;
}

static void prelude(const Printer *p, Text *out) {
    if (p->fast_math) text_put(out, "// options: -cl-fast-relaxed-math\n");
    if (mentions(p, "double")) text_put(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (mentions(p, "atom_")) {
        text_put(out, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
        if (mentions(p, "atom_m") || mentions(p, "atom_and") || mentions(p, "atom_or") ||
            mentions(p, "atom_xor"))
            text_put(out, "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
    }
    text_put(out, "#pragma OPENCL FP_CONTRACT OFF\n\n");
}

const Dialect dialect_opencl = {
    .type = {[T_NONE] = "void", [T_BOOL] = "uchar", [T_I8] = "char", [T_U8] = "uchar",
             [T_I16] = "short", [T_U16] = "ushort", [T_I32] = "int", [T_U32] = "uint",
             [T_I64] = "long", [T_U64] = "ulong", [T_F32] = "float", [T_F64] = "double"},
    .suffix_i64 = "L", .suffix_u64 = "UL",
    .inf = {"INFINITY", "as_double(0x7ff0000000000000L)"},
    .nan = {"as_float(0x7fc00000)", "as_double(0x7ff8000000000000L)"},
    .fma = {"fma", "fma"},
    .block = {"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
    .thread = {"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
    .global = "__global ", .shared = "__local ", .shared_pointee = "__local ",
    .aligned = {"", " __attribute__((aligned(16)))"},
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    .helper = "static inline ",
    .unroll = "#pragma unroll %d", .unroll_all = "#pragma unroll",
    .call_prefix = "", .words = words, .forms = FORM_ALL & ~FORM_POW,
    .reserved = reserved,
    .call = call, .atomic = atomic, .vector = vector, .open_kernel = open_kernel, .prelude = prelude,
};
