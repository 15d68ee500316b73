// SPDX-License-Identifier: MIT
// cuda.c -- the CUDA dialect. Needs no header, so NVRTC takes it as it is.
#include "emit/dialect.h"

static const char *const reserved[] = {
    "__global__", "__device__", "__shared__", "__constant__", "__host__", "__restrict__",
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "catch", "class", "delete",
    "dynamic_cast", "explicit", "friend", "mutable", "namespace", "new", "operator", "private",
    "protected", "public", "template", "this", "throw", "try", "typeid", "typename", "using",
    "virtual", "wchar_t", "export", "const_cast", "static_cast", "reinterpret_cast", "and", "or",
    "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq", "alignas",
    "alignof", "char16_t", "char32_t", "constexpr", "decltype", "noexcept", "nullptr",
    "static_assert", "thread_local", "atomicAdd", "atomicMin", "atomicMax", "atomicAnd",
    "atomicOr", "atomicXor", "atomicCAS", NULL};

static const char *call(Arena *a, const char *fn) {
    const char *base;
    return math_known(fn, &base) ? arena_printf(a, "%s(%%s)", fn) : NULL;
}

// The instruction for an update, "" for none.
static const char *instruction(Op op, Type t) {
    bool integer = t == T_I32 || t == T_U32 || t == T_I64 || t == T_U64;
    switch (op) {
    case OP_ADD: return integer || type_is_float(t) ? "atomicAdd" : "";
    case OP_MIN: return integer ? "atomicMin" : "";
    case OP_MAX: return integer ? "atomicMax" : "";
    case OP_AND: return integer ? "atomicAnd" : "";
    case OP_OR: return integer ? "atomicOr" : "";
    case OP_XOR: return integer ? "atomicXor" : "";
    default: return "";
    }
}

static void atomic(Printer *p, Op op, Type t, const char *place, const char *value,
                   const char *space) {
    (void)space; // generic pointers reach both memories
    const char *fn = instruction(op, t), *word = dialect_cuda.type[T_U64];
    if (op == OP_SET)
        put(p, "%s = %s;", place, value); // aligned stores are whole
    else if (!*fn)
        atomic_by_cas(p, op, t, place, value, "", "atomicCAS", false);
    else if (t == T_I64 && op != OP_MIN && op != OP_MAX)
        put(p, "%s((%s *)&%s, (%s)(%s));", fn, word, place, word, value);
    else
        put(p, "%s(&%s, %s);", fn, place, value);
}

// Lanes of a warp that update one element by turns make the last-level cache wait for itself each time. So
// they add up first, in pairs: one of each pair is left each time.
static const char *joining(Printer *p, const char *name, Op op, Type t) {
    Text saved = p->out;
    p->out = text_new(p->a);
    atomic(p, op, t, "p[0]", "x", "");
    const char *update = text_str(&p->out), *type = emit_type(p, t);
    p->out = saved;
    return arena_printf(
        p->a,
        "static __device__ inline void %s(%s *p, %s x)\n"
        "{\n"
        "#if __CUDA_ARCH__ >= 700\n"
        "    unsigned int lane, here = __activemask();\n"
        "    asm(\"mov.u32 %%0, %%%%laneid;\" : \"=r\"(lane));\n"
        "    const unsigned int alike = __match_any_sync(here, (unsigned long long)p);\n"
        "    const unsigned int before = alike & ((1u << lane) - 1);\n"
        "    unsigned int behind = alike & ~before & ~(1u << lane), rank = __popc(before);\n"
        "    while (__any_sync(here, behind)) {\n"
        "        const int next = __ffs(behind);\n"
        "        const %s y = __shfl_sync(here, x, next ? next - 1 : lane);\n"
        "        if (next)\n"
        "            x = %s;\n"
        "        behind &= __ballot_sync(here, !(rank & 1));\n"
        "        rank >>= 1;\n"
        "    }\n"
        "    if (before)\n"
        "        return;\n"
        "#endif\n"
        "    %s\n"
        "}\n",
        name, type, type, type, atomic_combined(p, op, t), update);
}

static void atomic_joined(Printer *p, Op op, Type t, const char *place, const char *value) {
    const char *name = arena_printf(p->a, "sculpt_join_%s_%s", atomic_word(op), type_name(t));
    if (!helper_has(p, name)) helper_add(p, name, joining(p, name, op, t));
    put(p, "%s(&%s, %s);", name, place, value);
}

static void open_kernel(Printer *p, const Node *kernel, const KernelSig *sig) {
    const char **params = NEW_N(p->a, const char *, sig->narrays + sig->nsyms + 1);
    int n = 0;
    for (int k = 0; k < sig->narrays; k++)
        params[n++] = arena_printf(p->a, "%s *__restrict__%s%s", object_type(p, sig->arrays[k]),
                                   emit_is_table(p, sig->arrays[k]) ? "" : " ",
                                   emit_is_table(p, sig->arrays[k]) ? "" : object_name(p, sig->arrays[k]));
    for (int k = 0; k < sig->nsyms; k++)
        params[n++] = arena_printf(p->a, "const %s %s", emit_type(p, sig->syms[k]->type),
                                   emit_sym(p, sig->syms[k]));
    int64_t each[3], threads = emit_threads(p, kernel, each);
    char *blocks = kernel->min_blocks ? arena_printf(p->a, ", %d", kernel->min_blocks) : "";
    char *bounds = arena_printf(p->a, " __launch_bounds__(%lld%s)", (long long)threads, blocks);
    if (threads <= 1 && !*blocks) bounds = "";
    char *head = arena_printf(p->a, "extern \"C\" __global__ void%s %s", bounds, kernel->name);
    put_params(p, head, n, params);
    put(p, "{\n");
    for (int k = 0; k < sig->narrays; k++)
        if (emit_is_table(p, sig->arrays[k])) put_table(p, sig->arrays[k], "static const");
}

// What the compiler makes of 1.0f / sqrtf(x), less its tests, and without a branch: several of
// these then run side by side. Between 2^-101 and the largest number the text is right bit for
// bit (all were compared). Smaller ones are scaled by 4^32 on the way in and by 2^32 on the way
// out, both exact; zeros, infinity, negative numbers and NaN end in NaN, and for these the
// instruction's own result is the right one.
static const char rsqrt[] =
    "static __device__ inline float sculpt_rsqrt(float x)\n"
    "{\n"
    "    float r, q;\n"
    "    const bool small = x < 7.888609052210118e-31f;\n"
    "    x = small ? x * 18446744073709551616.0f : x;\n"
    "    asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    const float s0 = x * r, s = fmaf(fmaf(-s0, s0, x), 0.5f * r, s0);\n"
    "    asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(q) : \"f\"(s));\n"
    "    float y = fmaf(q, fmaf(-q, s, 1.0f), q);\n"
    "    y = small ? y * 4294967296.0f : y;\n"
    "    return y == y ? y : r;\n"
    "}\n";

// x / d for odd integers d: the product with 1 / d, corrected by what is left over, which is exact as d is an
// integer. No result is a tie, so the text is right bit for bit (d = 3, 5, 7, 9, 27, 49: all x were
// compared); of infinity the product is right. The operator takes twice as many instructions and a jump, and
// nvcc keeps divisions of the same apart: 27 points of 512^3 with weights by division took 3.0 ms on an H100,
// so 0.47.
static const char divide[] =
    "static __device__ inline float sculpt_divide(float x, float d)\n"
    "{\n"
    "    const float r = 1.0f / d, q = x * r, y = fmaf(fmaf(d, q, -x), -r, q);\n"
    "    return fabsf(q) <= 3.4028234663852886e38f ? y : q;\n"
    "}\n";

// Roots and functions in the forms of ir/forms.c; the instructions for exp2f and sqrtf have no names in CUDA
// C.
#define APPROXIMATE(name, instruction)                                                             \
    "static __device__ inline float " name "(float x)\n"                                           \
    "{\n"                                                                                          \
    "    float y;\n"                                                                               \
    "    asm(\"" instruction ".approx.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));\n"                      \
    "    return y;\n"                                                                              \
    "}\n"
#define BITS(to, from, name, value)                                                                \
    "static __device__ inline " to " " name "(" from " x)\n{\n    return " value ";\n}\n"
static const FormWord words[] = {
    {"bits_of_float", "__float_as_uint", NULL}, {"float_of_bits", "__uint_as_float", NULL},
    {"bits_of_double", "sculpt_double_bits",
     BITS("unsigned long", "double", "sculpt_double_bits", "(unsigned long)__double_as_longlong(x)")},
    {"double_of_bits", "sculpt_bits_double",
     BITS("double", "unsigned long", "sculpt_bits_double", "__longlong_as_double((long long)x)")},
    {"high_product", "sculpt_high_product",
     "static __device__ inline unsigned long sculpt_high_product(unsigned long x, unsigned long y)\n{\n"
     "    return __umul64hi(x, y);\n}\n"},
    {"wide_remainder", "sculpt_wide_remainder",
     WIDE_REMAINDER("static __device__ inline", "unsigned long")},
    {"rsqrt", "rsqrt", NULL},         {"rsqrtf", "rsqrtf", NULL},       {"fast_expf", "__expf", NULL},
    {"fast_logf", "__logf", NULL},    {"fast_log2f", "__log2f", NULL},  {"fast_log10f", "__log10f", NULL},
    {"fast_sinf", "__sinf", NULL},    {"fast_cosf", "__cosf", NULL},    {"fast_tanf", "__tanf", NULL},
    {"fast_powf", "__powf", NULL},    {"fast_divf", "__fdividef", NULL},
    {"fast_exp2f", "sculpt_exp2", APPROXIMATE("sculpt_exp2", "ex2")},
    {"fast_sqrtf", "sculpt_sqrt", APPROXIMATE("sculpt_sqrt", "sqrt")}, {NULL, NULL, NULL}};

static const char *vector(Type t) {
    static const char *const name[T_COUNT] = {
        [T_I8] = "char", [T_U8] = "uchar", [T_I16] = "short", [T_U16] = "ushort", [T_I32] = "int",
        [T_U32] = "uint", [T_I64] = "longlong", [T_U64] = "ulonglong", [T_F32] = "float",
        [T_F64] = "double"};
    return name[t];
}

// ---- copies that go on by themselves: compute capability 8.0 and later -------------------------

// Only whole lines of 16 bytes can pass by the first cache.
static void async(Printer *p, const char *to, const char *from, int bytes) {
    static const char *const word[] = {[4] = "int", [8] = "int2", [16] = "int4"};
    char *name = arena_printf(p->a, "sculpt_async_%d", bytes);
    if (!helper_has(p, name))
        helper_add(p, name, arena_printf(p->a,
            "static __device__ inline void %s(void *to, const void *from)\n"
            "{\n"
            "#if __CUDA_ARCH__ >= 800\n"
            "    asm volatile(\"cp.async.%s.shared.global [%%0], [%%1], %d;\"\n"
            "                 :: \"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(from) : \"memory\");\n"
            "#else\n"
            "    *(%s *)to = *(const %s *)from;\n"
            "#endif\n"
            "}\n", name, bytes == 16 ? "cg" : "ca", bytes, word[bytes], word[bytes]));
    put(p, "%s(&%s, &%s);", name, to, from);
}

static void put_async_fence(Printer *p, const char *name, const char *instruction) {
    if (!helper_has(p, name))
        helper_add(p, name, arena_printf(p->a,
            "static __device__ inline void %s()\n"
            "{\n"
            "#if __CUDA_ARCH__ >= 800\n"
            "    asm volatile(\"%s;\" ::: \"memory\");\n"
            "#endif\n"
            "}\n", name, instruction));
    put_line(p, "%s();", name);
}

static void commit(Printer *p) {
    put_async_fence(p, "sculpt_async_commit", "cp.async.commit_group");
}

static void wait(Printer *p, int pending) {
    if (pending)
        put_async_fence(p, arena_printf(p->a, "sculpt_async_wait_%d", pending),
                        arena_printf(p->a, "cp.async.wait_group %d", pending));
    else
        put_async_fence(p, "sculpt_async_wait_all", "cp.async.wait_all");
}

// ---- matrix instructions --------------------------------------------------------------------------

// "c0, c1", or in brackets "{%0, %1}", from number `from` on.
static const char *listed(Arena *a, const char *stem, int from, int n) {
    Text t = text_new(a);
    for (int k = 0; k < n; k++) text_printf(&t, "%s%s%d", k ? ", " : "", stem, from + k);
    return text_str(&t);
}

static const char *constraints(Arena *a, const char *how, const char *stem, int n) {
    Text t = text_new(a);
    for (int k = 0; k < n; k++) text_printf(&t, "%s\"%s\"(%s%d)", k ? ", " : "", how, stem, k);
    return text_str(&t);
}

// Where the device has no such instruction its lanes ask each other for their elements.
static const char *matrix_helper(Printer *p, const Matrix *m, const char *name) {
    Arena *a = p->a;
    const char *type = emit_type(p, m->elem);
    int nc = matrix_sums(m), na = m->m * m->k / 32, nb = m->k / 4, high = m->m / 8;
    Text t = text_new(a);
    text_printf(&t, "static __device__ inline void %s(", name);
    for (int k = 0; k < nc; k++) text_printf(&t, "%s &c%d, ", type, k);
    for (int k = 0; k < na; k++) text_printf(&t, "%s a%d, ", type, k);
    for (int k = 0; k < nb; k++) text_printf(&t, "%s b%d%s", type, k, k < nb - 1 ? ", " : ")\n{\n");
    text_printf(&t, "#if __CUDA_ARCH__ >= %d\n", 10 * m->compute);
    text_printf(&t, "    asm volatile(\"mma.sync.aligned.%s.row.col.f64.f64.f64.f64 \"\n", m->name);
    text_printf(&t, "                 \"{%s}, {%s}, {%s}, {%s};\"\n", listed(a, "%", 0, nc),
                listed(a, "%", nc, na), listed(a, "%", nc + na, nb), listed(a, "%", 0, nc));
    text_printf(&t, "                 : %s\n", constraints(a, "+d", "c", nc));
    text_printf(&t, "                 : %s, ", constraints(a, "d", "a", na));
    text_printf(&t, "%s);\n#else\n", constraints(a, "d", "b", nb));
    text_printf(&t, "    const %s a[] = {%s};\n", type, listed(a, "a", 0, na));
    text_printf(&t, "    const %s b[] = {%s};\n", type, listed(a, "b", 0, nb));
    text_printf(&t, "    %s c[] = {%s};\n", type, listed(a, "c", 0, nc));
    text_printf(&t, "    int lane;\n    asm(\"mov.u32 %%0, %%%%laneid;\" : \"=r\"(lane));\n");
    text_printf(&t, "    #pragma unroll\n    for (int k = 0; k < %d; k++)\n", m->k);
    text_printf(&t, "        #pragma unroll\n        for (int i = 0; i < %d; i++)\n", nc);
    text_put(&t, "            c[i] = fma(__shfl_sync(~0u, ");
    text_printf(&t, "a[k / 4 * %d + i / 2], lane / 4 * 4 + k %% 4),\n", high);
    text_put(&t, "                       __shfl_sync(~0u, b[k / 4], ");
    text_put(&t, "lane % 4 * 8 + i % 2 * 4 + k % 4), c[i]);\n");
    for (int k = 0; k < nc; k++) text_printf(&t, "    c%d = c[%d];\n", k, k);
    text_put(&t, "#endif\n}\n");
    return text_str(&t);
}

static void matrix(Printer *p, const Matrix *m, const char *const *part) {
    const char *name = arena_printf(p->a, "sculpt_mma_%s", m->name);
    if (!helper_has(p, name)) helper_add(p, name, matrix_helper(p, m, name));
    put(p, "%s(", name);
    for (int k = 0; k < matrix_parts(m); k++) put(p, "%s%s", k ? ", " : "", part[k]);
    put(p, ");");
}

// ---- launches that begin early: compute capability 9.0 and later --------------------------------

static const char *wait_for_launch(Arena *a, const char *name, int n) {
    Text params = text_new(a), operands = text_new(a);
    for (int k = 0; k < n; k++) {
        text_printf(&params, "%sconst void *p%d", k ? ", " : "", k);
        text_printf(&operands, "%s\"l\"(p%d)", k ? ", " : "", k);
    }
    return arena_printf(
        a,
        "// Launched while the kernel ahead still runs, this one waits here until all of its results are in\n"
        "// memory, and then lets the next one begin likewise. No load from these arrays may be moved "
        "above.\n"
        "static __device__ inline void %s(%s)\n"
        "{\n"
        "#if __CUDA_ARCH__ >= 900\n"
        "    asm volatile(\"griddepcontrol.wait;\" :: %s : \"memory\");\n"
        "    asm volatile(\"griddepcontrol.launch_dependents;\");\n"
        "#endif\n"
        "}\n",
        name, text_str(&params), text_str(&operands));
}

static void prelude(const Printer *p, Text *out) {
    if (p->fast_math) text_put(out, "// options: --use_fast_math\n");
}

const Dialect dialect_cuda = {
    .type = {[T_NONE] = "void",
             [T_BOOL] = "unsigned char",
             [T_I8] = "signed char",
             [T_U8] = "unsigned char",
             [T_I16] = "short",
             [T_U16] = "unsigned short",
             [T_I32] = "int",
             [T_U32] = "unsigned int",
             [T_I64] = "long long",
             [T_U64] = "unsigned long long",
             [T_F32] = "float",
             [T_F64] = "double"},
    .suffix_i64 = "LL",
    .suffix_u64 = "ULL",
    .inf = {"__int_as_float(0x7f800000)", "__longlong_as_double(0x7ff0000000000000LL)"},
    .nan = {"__int_as_float(0x7fc00000)", "__longlong_as_double(0x7ff8000000000000LL)"},
    .fma = {"fmaf", "fma"},
    .block = {"blockIdx.x", "blockIdx.y", "blockIdx.z"},
    .thread = {"threadIdx.x", "threadIdx.y", "threadIdx.z"},
    .global = "",
    .shared = "__shared__ ",
    .shared_pointee = "",
    .aligned = {"__align__(16) ", ""},
    .barrier = "__syncthreads();",
    .barrier_warp = "__syncwarp();",
    .big_shared = true,
    .helper = "static __device__ inline ",
    .unroll = "#pragma unroll %d",
    .unroll_all = "#pragma unroll",
    .call_prefix = "",
    .rsqrt = rsqrt,
    .divide = divide,
    .words = words,
    .forms = FORM_ALL,
    .reserved = reserved,
    .call = call,
    .atomic = atomic,
    .atomic_joined = atomic_joined,
    .vector = vector,
    .async = async,
    .commit = commit,
    .wait = wait,
    .matrix = matrix,
    .wait_for_launch = wait_for_launch,
    .open_kernel = open_kernel,
    .prelude = prelude,
};
