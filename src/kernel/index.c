// SPDX-License-Identifier: MIT
// index.c -- what a launch says, put into the kernel's text.
//
//   blockIdx.x, get_group_id(0)      the counter of a block loop
//   threadIdx.y, get_local_id(1)     the counter of a thread loop
//   blockDim.x, gridDim.x, n         their values, as far as they are given
//   __shared__ float s               s[1]: one array like the others
//   __syncthreads(), barrier(…)      A_BARRIER
//   __expf(x), mad(a, b, c)          the function or the arithmetic that is meant
#include "kernel/pass.h"
#include "ir/value.h"
#include <string.h>

// ---- indices -----------------------------------------------------------------------------
static Ast *block_index(KernelRead *k, const Ast *at, int d) {
    return k->block[d] ? ast_ref(k->a, at, k->block[d]) : mk_int(k, at, T_I32, 0);
}

static Ast *thread_index(KernelRead *k, const Ast *at, int d) {
    return k->thread[d] ? ast_ref(k->a, at, k->thread[d]) : mk_int(k, at, T_I32, 0);
}

static Ast *global_index(KernelRead *k, const Ast *at, int d) {
    const KernelLaunch *l = &k->launch;
    Ast *b = block_index(k, at, d), *t = thread_index(k, at, d);
    if (!k->block[d]) return t;
    bool wide = l->grid[d] * l->block[d] > INT32_MAX;
    if (wide) b = mk_cast(k, ast_scalar(k->a, T_I64), b), t = mk_cast(k, ast_scalar(k->a, T_I64), t);
    Ast *base = mk_op(k, OP_MUL, b, mk_int(k, at, wide ? T_I64 : T_I32, l->block[d]));
    return k->thread[d] ? mk_op(k, OP_ADD, base, t) : base;
}

static Ast *cuda_index(KernelRead *k, Ast *x) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const Ast *base = x->kids[0];
    int which = 0, d = x->name[0] - 'x';
    if (k->opencl || base->kind != A_REF || !base->decl || d < 0 || d > 2) return x;
    while (which < 4 && !str_eq(base->decl->name, names[which])) which++;
    const CType *t = ast_scalar(k->a, T_U32);
    if (k->launch.any_block[d]) return x; // threads.c
    switch (which) {
    case 0: return mk_cast(k, t, thread_index(k, x, d));
    case 1: return mk_cast(k, t, block_index(k, x, d));
    case 2: return mk_int(k, x, T_U32, k->launch.block[d]);
    case 3: return kernel_blocks(k, x, d, T_U32);
    default: return x;
    }
}

static Ast *opencl_index(KernelRead *k, Ast *x) {
    int64_t d = 0;
    const KernelLaunch *l = &k->launch;
    if (!str_has_prefix(x->name, "get_") || x->nkids > 1) return NULL;
    if (x->nkids && (!kernel_const(k, x->kids[0], &d) || d < 0 || d > 2)) return NULL;
    const CType *t = ast_scalar(k->a, T_U64);
    const char *what = x->name + 4;
    if (l->any_block[d] && !str_among(what, "global_id global_size global_offset work_dim")) return NULL;
    if (str_eq(what, "global_id")) return mk_cast(k, t, global_index(k, x, (int)d));
    if (str_eq(what, "local_id")) return mk_cast(k, t, thread_index(k, x, (int)d));
    if (str_eq(what, "group_id")) return mk_cast(k, t, block_index(k, x, (int)d));
    if (str_eq(what, "global_size") && k->grid[d])
        return mk_op(k, OP_MUL, kernel_blocks(k, x, (int)d, T_U64), mk_int(k, x, T_U64, l->block[d]));
    if (str_eq(what, "global_size")) return mk_int(k, x, T_U64, l->grid[d] * l->block[d]);
    if (str_eq(what, "local_size") || str_eq(what, "enqueued_local_size"))
        return mk_int(k, x, T_U64, l->block[d]);
    if (str_eq(what, "num_groups")) return kernel_blocks(k, x, (int)d, T_U64);
    if (str_eq(what, "global_offset")) return mk_int(k, x, T_U64, 0);
    if (str_eq(what, "work_dim"))
        return mk_int(k, x, T_U32, l->grid[2] * l->block[2] > 1 ? 3 : l->grid[1] * l->block[1] > 1 ? 2 : 1);
    return NULL;
}

// ---- functions by other names ---------------------------------------------------------------
static Ast *call_named(KernelRead *k, Ast *x, const char *name) {
    Decl *d = NEW(k->a, Decl);
    *d = (Decl){.kind = D_FUNCTION, .name = name, .type = x->decl ? x->decl->type : NULL};
    Ast *n = ast_make(k->a, A_CALL, x, x->type, x->nkids, x->kids);
    n->decl = d;
    n->name = name;
    return n;
}

static Ast *one(KernelRead *k, const Ast *x) {
    Ast *n = ast_make(k->a, A_FLOAT, x, x->type, 0, NULL);
    n->f = 1;
    return n;
}

static Ast *typed_op(KernelRead *k, Op op, const CType *t, Ast *x, Ast *y) {
    Ast *n = mk_op(k, op, mk_cast(k, t, x), mk_cast(k, t, y));
    n->type = t;
    return n;
}

// min and max of whole numbers as a choice, of floating ones as C's functions.
static Ast *extreme(KernelRead *k, Ast *x, bool least, Ast *a, Ast *b) {
    const CType *t = x->type;
    if (t->scalar == T_F32 || t->scalar == T_F64) {
        Ast *n = call_named(k, x,
                            least                ? (t->scalar == T_F32 ? "fminf" : "fmin")
                            : t->scalar == T_F32 ? "fmaxf"
                                                 : "fmax");
        n->nkids = 2;
        n->kids[0] = mk_cast(k, t, a), n->kids[1] = mk_cast(k, t, b);
        return n;
    }
    a = mk_cast(k, t, a), b = mk_cast(k, t, b);
    return ast_make(k->a, A_COND, x, t, 3, (Ast *[]){mk_op(k, least ? OP_LT : OP_GT, a, b), a, b});
}

// CUDA's and OpenCL's own spellings of C's functions and of those of ir/forms.c, to the root of the name.
static const char *plain_name(KernelRead *k, const char *name, bool single) {
    static const struct { const char *from, *to; } rows[] = {
        {"__expf", "fast_expf"}, {"__exp10f", "exp10f"}, {"__logf", "fast_logf"}, {"__log2f", "fast_log2f"},
        {"__log10f", "fast_log10f"}, {"__sinf", "fast_sinf"}, {"__cosf", "fast_cosf"},
        {"__tanf", "fast_tanf"},
        {"__powf", "fast_powf"}, {"__fdividef", "fast_divf"}, {"__fsqrt_rn", "sqrtf"}, {"powr", "pow"},
        {"pown", "pow"},
        {"__fmaf_rn", "fmaf"}, {"mad", "fma"},
        {"__dsqrt_rn", "sqrt"}, {"__fma_rn", "fma"}, {"__frsqrt_rn", "rsqrtf"},
        // of 0 the places of bits are those that the front computes for gcc's functions
        {"__popc", "__builtin_popcount"}, {"__popcll", "__builtin_popcountll"},
        {"__clz", "__builtin_clz"}, {"__clzll", "__builtin_clzll"},
        {"__ffs", "__builtin_ffs"}, {"__ffsll", "__builtin_ffsll"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(name, rows[i].from)) return rows[i].to;
    if (str_has_prefix(name, "native_") || str_has_prefix(name, "half_")) {
        const char *root = strchr(name, '_') + 1, *fast = arena_printf(k->a, "fast_%sf", root);
        if (str_eq(root, "divide") && single) return "fast_divf";
        return single && math_find(fast, T_F32) ? fast : plain_name(k, root, single);
    }
    return name;
}

// select(a, b, c) of scalars: is c set?
static Ast *chosen(KernelRead *k, Ast *c) { return mk_op(k, OP_NE, c, mk_int(k, c, c->type->scalar, 0)); }

// convert_uchar_sat_rte(x): rounded as the last word says, held within what the type can say, cast.
static Ast *converted(KernelRead *k, Ast *x, const char *name) {
    const CType *t = x->type;
    Ast *v = x->kids[0];
    if (v->type->kind != CT_SCALAR) return NULL;
    Type to = t->scalar, from = v->type->scalar;
    const char *round = str_has_suffix(name, "_rte")   ? "rint"
                        : str_has_suffix(name, "_rtp") ? "ceil"
                        : str_has_suffix(name, "_rtn") ? "floor"
                                                       : NULL;
    if (round && type_is_float(from) && type_is_int(to)) {
        Ast *n = call_named(k, x, from == T_F32 ? arena_printf(k->a, "%sf", round) : round);
        n->type = v->type, n->nkids = 1;
        v = n;
    }
    int bits = 8 * type_size(to);
    if (strstr(name, "_sat") && type_is_int(to) && bits < 64) {
        const CType *wide = type_is_float(from) ? v->type : ast_scalar(k->a, T_I64);
        int64_t hi = type_is_signed(to) ? (1LL << (bits - 1)) - 1 : (1LL << bits) - 1,
                lo = type_is_signed(to) ? -hi - 1 : 0;
        Ast *low = mk_int(k, x, T_I64, lo), *high = mk_int(k, x, T_I64, hi),
            *n = ast_make(k->a, A_CALL, x, wide, 2, (Ast *[]){v, low});
        v = extreme(k, n, false, v, low);
        n = ast_make(k->a, A_CALL, x, wide, 2, (Ast *[]){v, high});
        v = extreme(k, n, true, v, high);
    }
    return mk_cast(k, t, v);
}

// The high half of a product of twice the size.
static Ast *high_product(KernelRead *k, Ast *x) {
    const CType *t = x->type, *wide = ast_scalar(k->a, type_is_signed(t->scalar) ? T_I64 : T_U64);
    Ast *all = typed_op(k, OP_MUL, wide, mk_cast(k, wide, x->kids[0]), mk_cast(k, wide, x->kids[1]));
    return mk_cast(k, t, typed_op(k, OP_SHR, wide, all, mk_int(k, x, T_I32, 32)));
}

// __funnelshift_l(low, high, by), _r: 32 of 64 bits, as one writes it. Around, if both halves are the same.
static Ast *funnel(KernelRead *k, Ast *x, bool left) {
    const CType *t = ast_scalar(k->a, T_U32);
    Ast *low = (Ast *)accept_strip(x->kids[0]), *high = (Ast *)accept_strip(x->kids[1]), *by = x->kids[2];
    bool number = by->kind == A_INT && by->i > 0 && by->i < 32;
    bool around = ast_same(low, high);
    if (!number && !around) return NULL;
    Ast *mask = mk_int(k, x, T_I32, 31), *back = number ? mk_int(k, x, T_I32, 32 - by->i) : NULL;
    if (!number) {
        back = typed_op(k, OP_AND, t, ast_make(k->a, A_UNARY, x, t, 1, &by), mask);
        back->kids[0]->op = OP_NEG;
        by = typed_op(k, OP_AND, t, by, mask);
    }
    Ast *up = typed_op(k, OP_SHL, t, x->kids[1], left ? by : back);
    return typed_op(k, OP_OR, t, up, typed_op(k, OP_SHR, t, x->kids[0], left ? back : by));
}

static Ast *arithmetic_call(KernelRead *k, Ast *x, const char *name) {
    const CType *t = x->type;
    Ast **a = x->kids;
    int n = x->nkids;
    if (n == 2 && str_among(name, "__mulhi __umulhi")) return high_product(k, x);
    if (n == 3 && str_among(name, "__funnelshift_l __funnelshift_r")) return funnel(k, x, name[14] == 'l');
    if (n == 2 && str_among(name, "min max"))
        return extreme(k, x, name[1] == 'i', a[0], a[1]);
    if (n == 3 && str_eq(name, "clamp")) return extreme(k, x, true, extreme(k, x, false, a[0], a[1]), a[2]);
    if (n == 2 && str_among(name, "fdividef divide __fdiv_rn __ddiv_rn"))
        return typed_op(k, OP_DIV, t, a[0], a[1]);
    if (str_among(name, "__mul24 __umul24 mul24 mad24"))
        kernel_grant(k, "factors of 24-bit products that fit 24 bits");
    if (n == 2 && str_among(name, "__fmul_rn __dmul_rn __mul24 __umul24 mul24"))
        return typed_op(k, OP_MUL, t, a[0], a[1]);
    if (n == 2 && str_among(name, "__fadd_rn __dadd_rn")) return typed_op(k, OP_ADD, t, a[0], a[1]);
    if (n == 2 && str_among(name, "__fsub_rn __dsub_rn")) return typed_op(k, OP_SUB, t, a[0], a[1]);
    if (n == 3 && str_eq(name, "mad24"))
        return typed_op(k, OP_ADD, t, typed_op(k, OP_MUL, t, a[0], a[1]), a[2]);
    if (n == 3 && str_eq(name, "mix"))
        return typed_op(k, OP_ADD, t, a[0], typed_op(k, OP_MUL, t, typed_op(k, OP_SUB, t, a[1], a[0]), a[2]));
    if (n == 1 && str_among(name, "recip __frcp_rn __drcp_rn"))
        return typed_op(k, OP_DIV, t, one(k, x), a[0]);
    if (n == 1 && str_among(name, "rsqrt rsqrtf")) {
        Ast *root = call_named(k, x, t->scalar == T_F32 ? "rsqrtf" : "rsqrt");
        root->kids[0] = mk_cast(k, t, a[0]);
        return root;
    }
    if (n == 1 && str_eq(name, "as_bits") && a[0]->type->kind == CT_SCALAR && type_is_int(t->scalar) &&
        type_is_int(a[0]->type->scalar))
        return mk_cast(k, t, a[0]);
    if (n == 1 && str_has_prefix(name, "convert_")) return converted(k, x, name);
    if (n == 1 &&
        str_among(name, "__float2int_rz __int2float_rn __float2uint_rz __uint2float_rn __double2int_rz "
                        "__int2double_rn __uint2double_rn __double2uint_rz __float2ll_rz __double2ll_rz "
                        "__ll2float_rn __ll2double_rn __double2float_rn"))
        return mk_cast(k, t, a[0]);
    if (n == 3 && str_eq(name, "select"))
        return ast_make(k->a, A_COND, x, t, 3, (Ast *[]){chosen(k, a[2]), a[1], a[0]});
    if (n == 3 && str_eq(name, "bitselect") && type_is_int(t->scalar)) {
        Ast *both = typed_op(k, OP_AND, t, a[1], a[2]),
            *inverse = typed_op(k, OP_XOR, t, a[2], mk_int(k, x, T_I32, -1));
        return typed_op(k, OP_OR, t, both, typed_op(k, OP_AND, t, a[0], inverse));
    }
    if (n == 1 && str_among(name, "radians degrees")) {
        Ast *f = one(k, x);
        f->f = name[0] == 'r' ? 0.017453292519943295 : 57.29577951308232;
        return typed_op(k, OP_MUL, t, a[0], f);
    }
    if (n == 2 && str_among(name, "hadd"))
        return typed_op(k, OP_SHR, t, typed_op(k, OP_ADD, t, a[0], a[1]), mk_int(k, x, T_I32, 1));
    if (n == 2 && str_among(name, "abs_diff")) {
        Ast *far = extreme(k, x, false, a[0], a[1]), *near = extreme(k, x, true, a[0], a[1]);
        return typed_op(k, OP_SUB, t, far, near);
    }
    return NULL;
}

Ast *kernel_scalar_call(KernelRead *k, Ast *x) {
    const char *name = plain_name(k, x->name, x->type->scalar == T_F32);
    Ast *e = arithmetic_call(k, x, name);
    if (e) return e;
    bool single = x->type->scalar == T_F32;
    if (str_eq(name, "abs") && type_is_float(x->type->scalar)) name = "fabs";
    if (single && !math_find(name, T_F32)) {
        const char *with_f = arena_printf(k->a, "%sf", name);
        if (math_find(with_f, T_F32)) name = with_f;
    }
    return str_eq(name, x->name) ? x : call_named(k, x, name);
}

// sincosf(x, &s, &c)
static Ast *sine_and_cosine(KernelRead *k, Ast *x) {
    Ast *v[2], *call[2];
    for (int i = 0; i < 2; i++) {
        Ast *p = x->kids[1 + i];
        v[i] = p->kind == A_ADDR ? p->kids[0] : ast_make(k->a, A_DEREF, p, p->type->of, 1, &p);
        bool single = v[i]->type->scalar == T_F32;
        Ast *f = call_named(k, x, i ? (single ? "cosf" : "cos") : single ? "sinf" : "sin");
        f->type = v[i]->type;
        f->nkids = 1;
        call[i] = mk_set(k, v[i], f)->kids[0];
    }
    return ast_make(k->a, A_COMMA, x, x->type, 2, call);
}

static bool rewrite_function(KernelRead *k, Decl *f);

// A method that never looks at its object is called without it.
static void without_self(KernelRead *k, Ast *x) {
    Decl *f = x->decl;
    bool gone = f->nparams > 0 && str_eq(f->params[0]->name, "self") && f->has_self &&
                !accept_mentions(f->body, f->params[0]);
    if (gone) f->has_self = false, f->params++, f->nparams--, vec_push(k->a, &k->selfless, f);
    for (int i = 0; i < k->selfless.n; i++)
        if (k->selfless.at[i] == f && x->nkids == f->nparams + 1) x->kids++, x->nkids--;
}

static bool has_mask(const char *name) {
    return str_eq(name, "__syncwarp") || (str_has_prefix(name, "__") && str_has_suffix(name, "_sync"));
}

static bool is_in_block(const Ast *p) {
    p = accept_strip(p);
    while (p->kind == A_ADDR || p->kind == A_INDEX || p->kind == A_FIELD ||
           (p->kind == A_BINARY && p->op == OP_ADD))
        p = accept_strip(p->kids[0]);
    return p->kind == A_REF && p->decl && p->decl->space == SPACE_SHARED;
}

// atomicAdd_block(p, x), atomicAdd_system(p, x): atomicAdd(p, x), where p is the block's
static void without_scope(KernelRead *k, Ast *x) {
    const KernelLaunch *l = &k->launch;
    size_t n = strlen(x->name);
    bool block = str_has_suffix(x->name, "_block"), atomic = str_has_prefix(x->name, "atomic") && x->nkids;
    if (k->opencl || !atomic || (!block && !str_has_suffix(x->name, "_system"))) return;
    bool several = k->grid[0] || k->grid[1] || k->grid[2] || l->grid[0] * l->grid[1] * l->grid[2] > 1;
    if (block && several && !is_in_block(x->kids[0]))
        kernel_inexact(k, "'%s' at %d:%d is atomic among the threads of one block, and there are several",
                       x->name, x->loc.line, x->loc.col);
    x->name = arena_strndup(k->a, x->name, n - (block ? 6 : 7));
}

static Ast *rewrite_call(KernelRead *k, Ast *x) {
    if (!x->name || !x->decl) return x;
    if (x->decl->is_broken) kernel_broken(k, x->decl);
    if (str_among(x->name, "__trap __builtin_trap __assert_fail __builtin_unreachable __builtin_assume"))
        kernel_grant(k, "no trap reached");
    if (str_eq(x->name, "sculpt_assert")) kernel_grant(k, "no assertion that fails");
    if (x->decl->body) {
        without_self(k, x);
        rewrite_function(k, x->decl);
        return x;
    }
    if (x->nkids && has_mask(x->name)) { // it may become something else
        Ast *call = ast_make(k->a, A_CALL, x, x->type, x->nkids, x->kids);
        call->name = x->name;
        vec_push(k->a, &k->masked, call);
    }
    without_scope(k, x);
    Ast *index = k->opencl ? opencl_index(k, x) : NULL;
    if (index) return index;
    Ast *builtin = k->opencl ? kernel_opencl_number(k, x) : NULL;
    if (!builtin && k->opencl) builtin = kernel_opencl_pair(k, x);
    if (builtin) return builtin;
    if (k->opencl && str_eq(x->name, "vload_half") && x->nkids == 2)
        return mk_cast(k, x->type, kernel_half_lane(k, x, 0, 1, x->kids[0], x->kids[1]));
    bool loads = str_among(x->name, "__ldg __ldcg __ldcs __ldca __ldcv __ldlu") && x->nkids == 1;
    if (loads) return ast_make(k->a, A_DEREF, x, x->type, 1, x->kids);
    if (str_among(x->name, "sincosf sincos __sincosf") && x->nkids == 3) return sine_and_cosine(k, x);
    if (str_eq(x->name, "__cvta_generic_to_shared")) return mk_cast(k, x->type, x->kids[0]);
    return x->type && x->type->kind == CT_SCALAR ? kernel_scalar_call(k, x) : x;
}

// ---- variables ----------------------------------------------------------------------------------
static const CType *one_of(KernelRead *k, const CType *t, const Ast *like) {
    CType *n = NEW(k->a, CType);
    *n = (CType){
        .kind = CT_ARRAY, .text = t->text, .of = t, .bytes = t->bytes, .size = mk_int(k, like, T_I64, 1)};
    return n;
}

static const KernelArg *arg_of(const KernelRead *k, const char *name) {
    for (int i = 0; i < k->launch.nargs; i++)
        if (str_eq(k->launch.args[i].name, name)) return &k->launch.args[i];
    return NULL;
}

// An array without a size has what the launch gives.
static void size_dynamic(KernelRead *k, Decl *d, const Ast *like) {
    const CType *of = d->type->of;
    const KernelArg *arg = arg_of(k, d->name);
    int64_t n = arg                                      ? (int64_t)arg->value
                : k->launch.shared >= 0 && of->bytes > 0 ? k->launch.shared / of->bytes
                                                         : -1;
    if (d->type->size || (!arg && k->launch.shared_of)) return; // nest.c
    if (n < 0) {
        kernel_refuse(k, SC_EXTENT, d->loc,
                      "how large the shared array '%s' is, the launch says: give --shared BYTES "
                      "or --arg %s=ELEMENTS",
                      d->name, d->name);
        return;
    }
    CType *t = NEW(k->a, CType);
    *t = *d->type;
    t->kind = CT_ARRAY;
    t->size = mk_int(k, like, T_I64, n);
    t->bytes = n * of->bytes;
    d->type = t;
}

// Shared variables are of the block, whatever function names them; all are arrays.
static void meet_shared(KernelRead *k, Decl *d, const Ast *like) {
    for (int i = 0; i < k->shared.n; i++)
        if (k->shared.at[i] == d) return;
    if (d->type->kind != CT_ARRAY && d->type->kind != CT_POINTER) d->type = one_of(k, d->type, like);
    if (!d->type->size) size_dynamic(k, d, like);
    else k->fixed_shared += d->type->bytes;
    for (int i = 0; i < k->shared.n; i++)
        if (str_eq(k->shared.at[i]->name, d->name))
            d->name = arena_printf(k->a, "%s_%d", d->name, ++k->counter);
    d->is_global = true;
    d->is_static = false;
    vec_push(k->a, &k->shared, d);
}

static Ast *first_of(KernelRead *k, Ast *x) {
    Ast *array = ast_ref(k->a, x, x->decl), *kids[] = {array, mk_int(k, x, T_I32, 0)};
    return ast_make(k->a, A_INDEX, x, array->type->of, 2, kids);
}

static Ast *given_value(KernelRead *k, const Ast *x) {
    const Ast *known = kernel_known(k, x->decl);
    Ast *n = known ? NEW(k->a, Ast) : NULL;
    if (!n) return NULL;
    *n = *known;
    n->loc = x->loc;
    return n;
}

static Ast *rewrite_ref(KernelRead *k, Ast *x) {
    Decl *d = x->decl;
    if (!d || d->kind == D_FUNCTION) return x;
    if (d->space == SPACE_SHARED) {
        bool plain = x->type && x->type->kind != CT_ARRAY && x->type->kind != CT_POINTER;
        meet_shared(k, d, x);
        return plain ? first_of(k, x) : ast_ref(k->a, x, d);
    }
    bool variable = d->space == SPACE_DEVICE && !d->is_const && x->type && x->type->kind != CT_ARRAY &&
                    x->type->kind != CT_POINTER;
    if (variable) {
        if (d->type->kind != CT_ARRAY) d->type = one_of(k, d->type, x);
        return first_of(k, x);
    }
    bool address = d->type->kind == CT_POINTER && x->type && x->type->kind == CT_SCALAR;
    if (address) // kernel_ptx_address made it one
        return mk_cast(k, x->type, ast_ref(k->a, x, d));
    Ast *value = given_value(k, x);
    return value ? value : x;
}

// ---- statements -----------------------------------------------------------------------------------
// What barrier(flags) leaves in no order: memory of the block (1), of all (2).
static int64_t unfenced(KernelRead *k, const Ast *call) {
    int64_t flags = 0;
    if (!k->opencl || !call->nkids) return 0;
    return kernel_const(k, call->kids[0], &flags) ? ~flags & 3 : 3;
}

static Ast *rewrite_stmt(KernelRead *k, Ast *x) {
    Ast *e = x->kids[0], *said = NULL;
    if (k->opencl && e->kind == A_ASSIGN && e->kids[1]->kind == A_CALL &&
        str_has_prefix(e->kids[1]->name, "async_work_group_"))
        e = e->kids[1];
    if (e->kind != A_CALL || !e->name || !e->decl || e->decl->body) return x;
    if (str_among(e->name, "__syncthreads barrier work_group_barrier"))
        x->kind = A_BARRIER, x->nkids = 0, x->i = -unfenced(k, e);
    else if (str_among(e->name, "__stcs __stcg __stwt __stwb") && e->nkids == 2)
        return mk_set(k, ast_make(k->a, A_DEREF, e, e->kids[0]->type->of, 1, e->kids), e->kids[1]);
    else if (k->opencl && (said = kernel_opencl_stmt(k, x, e))) return said;
    else if (str_has_prefix(e->name, "__pipeline_") && (said = kernel_async(k, x, e))) return said;
    else if (str_eq(e->name, "__syncwarp")) x->kind = A_BARRIER, x->nkids = 0, x->i = 1, k->lockstep = true;
    return x;
}

// event_t e = async_work_group_copy(…); is the copy; events and samplers themselves are nothing here.
static Ast *without_events(KernelRead *k, Ast *s) {
    int left = 0;
    Ast *copy = NULL;
    for (int i = 0; i < s->ndecls; i++) {
        Decl *d = s->decls[i];
        const CType *t = d->type->kind == CT_ARRAY ? d->type->of : d->type;
        bool event =
            k->opencl && t->kind == CT_OTHER && (strstr(t->text, "event_t") || strstr(t->text, "sampler_t"));
        if (!event) s->decls[left++] = d;
        else if (d->init && d->init->kind == A_CALL && s->ndecls == 1)
            copy = kernel_opencl_stmt(k, s, d->init);
    }
    s->ndecls = left;
    return copy ? copy : s;
}

static Ast *rewrite(KernelRead *k, Ast *x) {
    switch (x->kind) {
    case A_FIELD: return cuda_index(k, x);
    case A_BINARY: return kernel_thread_number(k, x);
    case A_CALL: return rewrite_call(k, x);
    case A_REF: return rewrite_ref(k, x);
    case A_EXPR: return rewrite_stmt(k, x);
    case A_DECLS:
        x = without_events(k, x);
        for (int i = 0; x->kind == A_DECLS && i < x->ndecls; i++)
            if (x->decls[i]->space == SPACE_SHARED && x->decls[i]->kind == D_VAR)
                meet_shared(k, x->decls[i], x);
            else kernel_ptx_address(x->decls[i]);
        return x;
    case A_OTHER: return kernel_asm(k, x);
    default: return x;
    }
}

static bool rewrite_function(KernelRead *k, Decl *f) {
    for (int i = 0; i < k->funcs.n; i++)
        if (k->funcs.at[i] == f) return true;
    vec_push(k->a, &k->funcs, f);
    f->body = ast_map(k, f->body, rewrite);
    return !k->failed;
}

// ---- arguments --------------------------------------------------------------------------------------
static void learn_arg(KernelRead *k, Decl *d, const KernelArg *arg) {
    Ast at = {.loc = d->loc};
    Ast *v = ast_make(k->a, type_is_float(d->type->scalar) ? A_FLOAT : A_INT, &at, d->type, 0, NULL);
    v->f = d->type->scalar == T_F32 ? (float)arg->value : arg->value;
    v->i = value_wrap(d->type->scalar, (int64_t)arg->value);
    kernel_learn(k, d, v);
}

// A parameter that the kernel changes is a variable of each thread that begins with its value.
static Ast *own_variable(KernelRead *k, Decl *d) {
    Decl *v = ast_variable(k->a, arena_printf(k->a, "%s_own", d->name), d->type, NULL, d->loc);
    Ast *value = ast_ref(k->a, k->kernel->body, d);
    k->kernel->body = ast_replace(k, k->kernel->body, d, ast_ref(k->a, k->kernel->body, v));
    v->init = value;
    return ast_declare(k->a, k->kernel->body, v);
}

static void read_params(KernelRead *k) {
    Decl *f = k->kernel;
    VEC(Ast *) first = {0};
    for (int i = 0; i < f->nparams; i++) {
        Decl *d = f->params[i];
        bool written = accept_writes_decl(k->a, f->body, d);
        const KernelArg *arg = arg_of(k, d->name);
        if (d->type->kind == CT_POINTER && d->type->is_local) {
            d->kind = D_VAR;
            d->space = SPACE_SHARED;
        } else if (d->type->kind == CT_POINTER && written) {
            vec_push(k->a, &first, own_variable(k, d));
        } else if (d->type->kind == CT_SCALAR) {
            if (written) vec_push(k->a, &first, own_variable(k, d));
            if (arg) learn_arg(k, d, arg);
        }
    }
    vec_push(k->a, &first, f->body);
    f->body = mk_block(k, f->body, first.n, first.at);
}

static void find_globals(KernelRead *k, const Ast *x) {
    if (!x) return;
    const Decl *d = x->kind == A_REF ? x->decl : NULL;
    bool constant = d && d->is_global && d->type->kind == CT_SCALAR && d->space != SPACE_SHARED &&
                    (d->is_const || d->space == SPACE_CONSTANT);
    const KernelArg *arg = constant && !kernel_known(k, d) ? arg_of(k, d->name) : NULL;
    if (arg) learn_arg(k, (Decl *)d, arg);
    for (int i = 0; i < x->nkids; i++) find_globals(k, x->kids[i]);
    for (int i = 0; i < x->ndecls; i++) find_globals(k, x->decls[i]->init);
}

bool kernel_index(KernelRead *k) {
    read_params(k);
    find_globals(k, k->kernel->body);
    kernel_put_numbers(k);
    return rewrite_function(k, k->kernel) && kernel_any_block(k) && !k->failed;
}
