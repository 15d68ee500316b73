// SPDX-License-Identifier: MIT
// functions.c -- divisions, roots and functions as the sequences of instructions that they compile to.
//
//   expf(x)    6 multiply-adds and the like, 1 of the special-function unit, 3 others (integer, tests, jumps)
//   exp(x)     15 in double, 0, 33
//
// Counted in what nvcc 13 makes for compute capability 9.0 (nvdisasm, a kernel of one function each): the way
// that arguments of the usual size take. What each costs is the machine's: its file says how many lanes a
// cycle each unit serves.
#include "model/code.h"
#include <math.h>
#include <string.h>

typedef struct Function {
    const char *name;         // without f
    Sequence f32, f64;        // in the arithmetic of the type, by the special-function unit, others
} Function;

static const Function functions[] = {
    {"sqrt", {4, 1, 5}, {8, 1, 9}},       {"rsqrt", {3, 1, 0}, {5, 1, 8}},
        {"cbrt", {14, 2, 0}, {13, 3, 27}},
    {"hypot", {14, 1, 10}, {15, 1, 27}},  {"exp", {6, 1, 3}, {15, 0, 33}},
        {"exp2", {3, 1, 0}, {16, 0, 31}},
    {"exp10", {6, 1, 3}, {17, 0, 37}},    {"expm1", {26, 1, 2}, {19, 0, 45}},
     {"log", {19, 0, 8}, {30, 1, 52}},
    {"log2", {21, 0, 8}, {32, 1, 56}},    {"log10", {20, 0, 8}, {32, 1, 56}},
     {"log1p", {15, 0, 12}, {31, 1, 56}},
    {"sin", {15, 0, 12}, {16, 0, 24}},    {"cos", {15, 0, 13}, {16, 0, 25}},
      {"tan", {14, 1, 9}, {19, 0, 40}},
    {"asin", {20, 1, 4}, {27, 1, 48}},    {"acos", {21, 1, 4}, {26, 1, 50}},
      {"atan", {15, 1, 3}, {24, 0, 49}},
    {"atan2", {26, 1, 13}, {39, 1, 71}},  {"sinh", {17, 2, 6}, {30, 1, 62}},
      {"cosh", {10, 2, 4}, {21, 1, 38}},
    {"tanh", {12, 2, 3}, {21, 2, 43}},    {"asinh", {24, 2, 13}, {44, 3, 69}},
    {"pow", {48, 1, 16}, {60, 1, 70}},
    {"erf", {19, 1, 9}, {42, 1, 80}},     {"erfc", {39, 3, 6}, {62, 2, 95}},
      {"tgamma", {21, 1, 9}, {112, 2, 128}},
    {"fmod", {16, 1, 25}, {5, 0, 240}},   {"round", {1, 0, 3}, {1, 0, 4}},     {"rint", {0, 0, 1}, {0, 0, 1}},
};
// Those of ir/forms.c, in single precision; the tests are for small numbers.
static const Function fast[] = {
    {"fast_sqrtf", {3, 1, 0}, {0}}, {"fast_expf", {4, 1, 0}, {0}},  {"fast_exp2f", {3, 1, 0}, {0}},
     {"fast_logf", {4, 1, 0}, {0}},
    {"fast_log2f", {3, 1, 0}, {0}}, {"fast_log10f", {4, 1, 0}, {0}}, {"fast_sinf", {1, 1, 0}, {0}},
      {"fast_cosf", {1, 1, 0}, {0}},
    {"fast_tanf", {5, 3, 0}, {0}},  {"fast_powf", {7, 2, 0}, {0}},   {"fast_divf", {4, 1, 0}, {0}},
};
// Of whole numbers of 64 bits, by their texts in emit/, two instructions for each operation: four products of
// halves and their sums; a remainder, and for each bit two shifts, two comparisons and a subtraction.
enum { WIDE = 2, WIDE_BITS = 64, WIDE_DIVIDE = 20 * WIDE };
static const Function whole[] = {
    {"high_product", {0, 0, 4 * WIDE}, {0}},
    {"wide_remainder", {0, 0, WIDE_DIVIDE + WIDE_BITS * 5 * WIDE}, {0}},
};
static const Function other = {"", {15, 1, 9}, {25, 1, 45}};
static const Sequence divide_32 = {6, 1, 3}, divide_64 = {8, 1, 6}, inverse_32 = {3, 1, 6},
                      inverse_64 = {5, 1, 5};
static const Sequence printed_divide = {3, 0, 2}; // by an odd integer, likewise
static const Sequence printed_root = {8, 2, 4}; // 1 / sqrt in kernels that sculpt prints (emit/cuda.c)

static bool is_one(const Expr *x) {
    return (x->kind == E_FLOAT && x->f == 1) || (x->kind == E_INT && x->i == 1);
}
static bool is_float_of(const Expr *x, double *v) {
    while (x->kind == E_CAST) x = x->args[0];
    *v = x->kind == E_FLOAT ? x->f : x->kind == E_INT ? (double)x->i : 0;
    return x->kind == E_FLOAT || x->kind == E_INT;
}

const Expr *mix_inverse_root(const Expr *x, bool by_hand) {
    bool divides = !by_hand && x->kind == E_OP && x->op == OP_DIV && x->type == T_F32 && is_one(x->args[0]);
    const Expr *root = divides ? x->args[1] : NULL;
    return root && root->kind == E_CALL && str_eq(root->fn, "sqrtf") ? root->args[0] : NULL;
}

// A division by a power of two is a product.
static bool is_product(const Expr *x) {
    int e;
    double v;
    return is_float_of(x->args[1], &v) && v != 0 && frexp(fabs(v), &e) == 0.5;
}

static bool is_odd_divisor(const Expr *x) {
    double v;
    return x->type == T_F32 && is_float_of(x->args[1], &v) && v >= 3 && v <= 4095 && fmod(v, 2) == 1 &&
           x->args[0]->kind != E_FLOAT;
}

bool mix_is_plain(const char *fn) {
    static const char *const plain[] = {"fmin", "fminf", "fmax", "fmaxf", "fma", "fmaf", "copysign",
                                        "copysignf", "floor", "floorf", "ceil", "ceilf", "trunc", "truncf",
                                        "bits_of_float", "float_of_bits", "bits_of_double",
                                        "double_of_bits"};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (str_eq(plain[k], fn)) return true;
    return false;
}

static const Function *named(const char *fn) {
    for (size_t k = 0; k < sizeof fast / sizeof *fast; k++)
        if (str_eq(fast[k].name, fn)) return &fast[k];
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        if (str_eq(whole[k].name, fn)) return &whole[k];
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        size_t n = strlen(functions[k].name);
        if (str_has_prefix(fn, functions[k].name) && (!fn[n] || str_eq(fn + n, "f"))) return &functions[k];
    }
    return &other;
}

Sequence mix_sequence(const Expr *x, bool by_hand) {
    bool f64 = x->type == T_F64;
    const Sequence one = {1, 0, 0}, none = {0, 0, 0};
    // a part of what uses it
    if (x->kind == E_CALL && (str_eq(x->fn, "fabs") || str_eq(x->fn, "fabsf"))) return none;
    if (mix_inverse_root(x, by_hand)) return printed_root;
    if (x->kind == E_OP && (x->op != OP_DIV || is_product(x))) return one;
    if (x->kind == E_OP && !by_hand && is_odd_divisor(x)) return printed_divide;
    if (x->kind == E_OP && is_one(x->args[0])) return f64 ? inverse_64 : inverse_32;
    if (x->kind == E_OP) return f64 ? divide_64 : divide_32;
    if (mix_is_plain(x->fn)) return one;
    return f64 ? named(x->fn)->f64 : named(x->fn)->f32;
}

double mix_length(const Expr *x, bool by_hand) {
    Sequence s = mix_sequence(x, by_hand);
    return s.arithmetic + s.special + s.others;
}
