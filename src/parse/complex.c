// SPDX-License-Identifier: MIT
// complex.c -- complex numbers: what C says of their operators and functions, written in C.
//
// A complex number is a record of two numbers, re and im. What an operator or a function of <complex.h> makes
// of them stands in a library that clang reads before the program, so the rest of the compiler knows calls
// and records alone. Products, quotients and functions have the values of gcc's library and of glibc, with
// infinities, NaN, zeros and what overflows on the way:
//
//   x * y   (a*c - b*d) + i (a*d + b*c); where both are NaN, as Annex G of C says, infinities count
//   x / y   scaled, as libgcc does since version 12; of floats, in double
//
// -fcx-limited-range and -ffast-math leave all that out, -fcx-fortran-rules what is said of NaN.
#include "parse/reader.h"
#include <string.h>

// T: the type, S: its suffix here, F: that of its functions, W: in which quotients are computed
#define LIBRARY                                                                                              \
    "#define SCULPT_INF(F, MAX, x) (__builtin_fabs##F(x) > MAX)\n"                                          \
    "#define SCULPT_NAN(x) ((x) != (x))\n"                                                                   \
    "#define SCULPT_Z(T, x, y) T _Complex z; __real__ z = (x); __imag__ z = (y); return z\n"                  \
    "#define SCULPT_COMPLEX(T, S, F, MAX, MIN, EPS, DIG, BIG)\\\n"                                            \
    /* the plain product is NaN in both parts */                                                             \
    "static T _Complex __sculpt_mul##S(T a, T b, T c, T d) {\\\n"                                            \
    "  T x = a * c - b * d, y = a * d + b * c;\\\n"                                                          \
    "  if (SCULPT_NAN(x) && SCULPT_NAN(y)) {\\\n"                                                            \
    "    T p = a, q = b, r = c, s = d;\\\n"                                                                  \
    "    int left = SCULPT_INF(F, MAX, a) || SCULPT_INF(F, MAX, b), right = SCULPT_INF(F, MAX, c) || SCULPT_INF(F, MAX, d);\\\n"             \
    "    int over = SCULPT_INF(F, MAX, a * c) || SCULPT_INF(F, MAX, b * d) || SCULPT_INF(F, MAX, a * d) || SCULPT_INF(F, MAX, b * c);\\\n"    \
    "    if (left || right || over) {\\\n"                                                                   \
    "      if (left) {\\\n"                                                                                  \
    "        p = __builtin_copysign##F(SCULPT_INF(F, MAX, a) ? (T)1 : (T)0, a);\\\n"                                 \
    "        q = __builtin_copysign##F(SCULPT_INF(F, MAX, b) ? (T)1 : (T)0, b);\\\n"                                 \
    "      } else {\\\n"                                                                                     \
    "        p = SCULPT_NAN(a) ? __builtin_copysign##F((T)0, a) : a;\\\n"                                    \
    "        q = SCULPT_NAN(b) ? __builtin_copysign##F((T)0, b) : b;\\\n"                                    \
    "      }\\\n"                                                                                            \
    "      if (right) {\\\n"                                                                                 \
    "        r = __builtin_copysign##F(SCULPT_INF(F, MAX, c) ? (T)1 : (T)0, c);\\\n"                                 \
    "        s = __builtin_copysign##F(SCULPT_INF(F, MAX, d) ? (T)1 : (T)0, d);\\\n"                                 \
    "      } else {\\\n"                                                                                     \
    "        r = SCULPT_NAN(c) ? __builtin_copysign##F((T)0, c) : c;\\\n"                                    \
    "        s = SCULPT_NAN(d) ? __builtin_copysign##F((T)0, d) : d;\\\n"                                    \
    "      }\\\n"                                                                                            \
    "      x = (T)__builtin_inf() * (p * r - q * s);\\\n"                                                    \
    "      y = (T)__builtin_inf() * (p * s + q * r);\\\n"                                                    \
    "    }\\\n"                                                                                              \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, x, y);\\\n"                                                                               \
    "}\\\n"                                                                                                  \
    /* x and y, if not NaN in both parts; else what is left of infinities and zeros */                      \
    "static T _Complex __sculpt_quotient##S(T a, T b, T c, T d, T x, T y) {\\\n"                             \
    "  if (SCULPT_NAN(x) && SCULPT_NAN(y)) {\\\n"                                                            \
    "    T inf = (T)__builtin_inf();\\\n"                                                                    \
    "    int left = SCULPT_INF(F, MAX, a) || SCULPT_INF(F, MAX, b), right = SCULPT_INF(F, MAX, c) || SCULPT_INF(F, MAX, d);\\\n"             \
    "    int none = SCULPT_NAN(a) || SCULPT_NAN(b), nil = SCULPT_NAN(c) || SCULPT_NAN(d);\\\n"               \
    "    if (c == 0 && d == 0 && (!SCULPT_NAN(a) || !SCULPT_NAN(b))) {\\\n"                                  \
    "      x = __builtin_copysign##F(inf, c) * a;\\\n"                                                       \
    "      y = __builtin_copysign##F(inf, c) * b;\\\n"                                                       \
    "    } else if (left && !right && !nil) {\\\n"                                                           \
    "      T p = __builtin_copysign##F(SCULPT_INF(F, MAX, a) ? (T)1 : (T)0, a);\\\n"                                 \
    "      T q = __builtin_copysign##F(SCULPT_INF(F, MAX, b) ? (T)1 : (T)0, b);\\\n"                                 \
    "      x = inf * (p * c + q * d);\\\n"                                                                   \
    "      y = inf * (q * c - p * d);\\\n"                                                                   \
    "    } else if (right && !left && !none) {\\\n"                                                          \
    "      T p = __builtin_copysign##F(SCULPT_INF(F, MAX, c) ? (T)1 : (T)0, c);\\\n"                                 \
    "      T q = __builtin_copysign##F(SCULPT_INF(F, MAX, d) ? (T)1 : (T)0, d);\\\n"                                 \
    "      x = (T)0 * (a * p + b * q);\\\n"                                                                  \
    "      y = (T)0 * (b * p - a * q);\\\n"                                                                  \
    "    }\\\n"                                                                                              \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, x, y);\\\n"                                                                               \
    "}\\\n"                                                                                                  \
    "static T _Complex __sculpt_div_limited##S(T a, T b, T c, T d) {\\\n"                                    \
    "  T n = c * c + d * d;\\\n"                                                                             \
    "  SCULPT_Z(T, (a * c + b * d) / n, (b * c - a * d) / n);\\\n"                                           \
    "}\\\n"                                                                                                  \
    "static T _Complex __sculpt_div_fortran##S(T a, T b, T c, T d) {\\\n"                                    \
    "  T x, y;\\\n"                                                                                          \
    "  if (__builtin_fabs##F(c) < __builtin_fabs##F(d)) {\\\n"                                               \
    "    T r = c / d, n = c * r + d;\\\n"                                                                    \
    "    x = (a * r + b) / n, y = (b * r - a) / n;\\\n"                                                      \
    "  } else {\\\n"                                                                                         \
    "    T r = d / c, n = d * r + c;\\\n"                                                                    \
    "    x = (b * r + a) / n, y = (b - a * r) / n;\\\n"                                                      \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, x, y);\\\n"                                                                               \
    "}\\\n"                                                                                                  \
    "static T __sculpt_creal##F(T _Complex z) { return __real__ z; }\\\n"                                    \
    "static T __sculpt_cimag##F(T _Complex z) { return __imag__ z; }\\\n"                                    \
    "static T _Complex __sculpt_conj##F(T _Complex z) { return ~z; }\\\n"                                    \
    "static T __sculpt_cabs##F(T _Complex z) { return __builtin_hypot##F(__real__ z, __imag__ z); }\\\n"     \
    "static T __sculpt_carg##F(T _Complex z) { return __builtin_atan2##F(__imag__ z, __real__ z); }\\\n"     \
    "static T _Complex __sculpt_cproj##F(T _Complex w) {\\\n"                                                \
    "  T x = __real__ w, y = __imag__ w;\\\n"                                                                \
    "  int far = SCULPT_INF(F, MAX, x) || SCULPT_INF(F, MAX, y);\\\n"                                                        \
    "  SCULPT_Z(T, far ? (T)__builtin_inf() : x, far ? __builtin_copysign##F((T)0, y) : y);\\\n"             \
    "}\\\n"                                                                                                  \
    /* e^x (cos y + i sin y); a great e^x is multiplied in parts */                                          \
    "static T _Complex __sculpt_cexp##F(T _Complex w) {\\\n"                                                 \
    "  T x = __real__ w, y = __imag__ w, s = y, c = 1, e;\\\n"                                               \
    "  int endless = SCULPT_INF(F, MAX, y) || SCULPT_NAN(y);\\\n"                                                    \
    "  if (__builtin_fabs##F(y) > MIN) s = __builtin_sin##F(y), c = __builtin_cos##F(y);\\\n"                \
    "  if (SCULPT_NAN(x)) { s = y == 0 ? y : x; c = x; }\\\n"                                                \
    "  else if (SCULPT_INF(F, MAX, x)) {\\\n"                                                                        \
    "    e = x > 0 ? x : (T)0;\\\n"                                                                          \
    "    c = endless ? e : __builtin_copysign##F(e, c);\\\n"                                                 \
    "    s = endless ? (x > 0 ? y - y : __builtin_copysign##F(e, y)) : y == 0 ? y : __builtin_copysign##F(e, s);\\\n" \
    "  } else {\\\n"                                                                                         \
    "    if (x > BIG) {\\\n"                                                                                 \
    "      e = __builtin_exp##F((T)BIG);\\\n"                                                                \
    "      x -= BIG, s *= e, c *= e;\\\n"                                                                    \
    "      if (x > BIG) x -= BIG, s *= e, c *= e;\\\n"                                                       \
    "    }\\\n"                                                                                              \
    "    e = x > BIG ? (T)MAX : __builtin_exp##F(x);\\\n"                                                    \
    "    c *= e, s *= e;\\\n"                                                                                \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, c, s);\\\n"                                                                               \
    "}\\\n"                                                                                                  \
    "static T _Complex __sculpt_csqrt##F(T _Complex w) {\\\n"                                                \
    "  T x = __real__ w, y = __imag__ w, r, s, up = 1;\\\n"                                                  \
    "  if (SCULPT_INF(F, MAX, y)) r = (T)__builtin_inf(), s = y;\\\n"                                                \
    "  else if (SCULPT_INF(F, MAX, x)) {\\\n"                                                                        \
    "    T side = SCULPT_NAN(y) ? y : (T)0;\\\n"                                                             \
    "    r = x < 0 ? side : x;\\\n"                                                                          \
    "    s = x < 0 ? __builtin_copysign##F((T)__builtin_inf(), y) : SCULPT_NAN(y) ? y : __builtin_copysign##F((T)0, y);\\\n" \
    "  } else if (SCULPT_NAN(x) || SCULPT_NAN(y)) r = s = x + y;\\\n"                                        \
    "  else if (x == 0 && y == 0) r = 0, s = y;\\\n"                                                         \
    "  else {\\\n"                                                                                           \
    "    T big = __builtin_fmax##F(__builtin_fabs##F(x), __builtin_fabs##F(y));\\\n"                         \
    "    if (big > (T)MAX / 4) x /= 16, y /= 16, up = 4;\\\n"                                                \
    "    else if (big < (T)MIN * 4) x *= 1 / ((T)EPS * EPS), y *= 1 / ((T)EPS * EPS), up = EPS;\\\n"         \
    "    r = __builtin_sqrt##F((T)0.5 * (__builtin_hypot##F(x, y) + __builtin_fabs##F(x)));\\\n"             \
    "    s = (T)0.5 * (y / r);\\\n"                                                                          \
    "    if (x <= 0) {\\\n"                                                                                  \
    "      T t = r;\\\n"                                                                                     \
    "      r = __builtin_fabs##F(s), s = __builtin_copysign##F(t, y);\\\n"                                   \
    "    }\\\n"                                                                                              \
    "    r *= up, s *= up;\\\n"                                                                              \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, r, s);\\\n"                                                                               \
    "}\\\n"                                                                                                  \
    /* near the unit circle |z|^2 - 1 is computed twice as exactly */                                        \
    "static T _Complex __sculpt_clog##F(T _Complex w) {\\\n"                                                 \
    "  T x = __builtin_fabs##F(__real__ w), y = __builtin_fabs##F(__imag__ w), n;\\\n"                       \
    "  if (x > (T)0.25 && x < 2 && y < 2 && x * x + y * y > (T)0.5 && x * x + y * y < 3) {\\\n"              \
    "    T p = x * x, q = y * y, great = p > q ? p : q, small = p > q ? q : p;\\\n"                          \
    "    T rest = __builtin_fma##F(x, x, -p) + __builtin_fma##F(y, y, -q);\\\n"                              \
    "    n = (T)0.5 * __builtin_log1p##F(((great - 1) + small) + rest);\\\n"                                 \
    "  } else {\\\n"                                                                                         \
    "    T big = x > y ? x : y, up = 0;\\\n"                                                                 \
    "    if (big > (T)MAX / 4) x /= 16, y /= 16, up = (T)2.772588722239781237668928485832706272;\\\n"        \
    "    if (big < (T)MIN) x *= 16 / (T)EPS, y *= 16 / (T)EPS, up = -__builtin_log##F(16 / (T)EPS);\\\n"     \
    "    n = __builtin_log##F(__builtin_hypot##F(x, y)) + up;\\\n"                                           \
    "  }\\\n"                                                                                                \
    "  SCULPT_Z(T, n, __builtin_atan2##F(__imag__ w, __real__ w));\\\n"                                      \
    "}\\\n"                                                                                                  \
    "static T _Complex __sculpt_cpow##F(T _Complex x, T _Complex y) {\\\n"                                   \
    "  return __sculpt_cexp##F(y * __sculpt_clog##F(x));\\\n"                                                \
    "}\n"

static const char library[] = LIBRARY
    "SCULPT_COMPLEX(double, _d,, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-52, 53, 709)\n"
    "SCULPT_COMPLEX(float, _f, f, 0x1.fffffep127f, 0x1p-126f, 0x1p-23f, 24, 88)\n"
    // libgcc's, after Baudin and Smith
    "static double _Complex __sculpt_div_d(double a, double b, double c, double d) {\n"
    "  double r, n, x, y, p = a, q = b, s = c, t = d, up = 1;\n"
    "  int turned = __builtin_fabs(c) < __builtin_fabs(d);\n"
    "  if (turned) s = d, t = c;\n" // the greater one is s
    "  double big = __builtin_fabs(s), over = 0x1p970;\n"
    "  if (big >= 0x1.fffffffffffffp1022) p *= 0.5, q *= 0.5, s *= 0.5, t *= 0.5, big = __builtin_fabs(s);\n"
    "  double l = __builtin_fabs(p), m = __builtin_fabs(q);\n"
    "  if (big < 0x1p-52) up = 0x1p52;\n"
    "  else if ((l < 0x1p-1022 && m < over && big < over) || (m < 0x1p-1022 && l < over && big < over))\n"
    "    up = 0x1p52;\n"
    "  p *= up, q *= up, s *= up, t *= up;\n"
    "  r = t / s, n = t * r + s;\n"
    "  int fine = __builtin_fabs(r) > 0x1p-1022;\n"
    "  if (turned) {\n"
    "    x = fine ? p * r + q : t * (p / s) + q;\n"
    "    y = fine ? q * r - p : t * (q / s) - p;\n"
    "  } else {\n"
    "    x = fine ? q * r + p : p + t * (q / s);\n"
    "    y = fine ? q - p * r : q - t * (p / s);\n"
    "  }\n"
    "  return __sculpt_quotient_d(p, q, turned ? t : s, turned ? s : t, x / n, y / n);\n"
    "}\n"
    "static float _Complex __sculpt_div_f(float a, float b, float c, float d) {\n"
    "  double p = a, q = b, s = c, t = d, n = s * s + t * t;\n"
    "  return __sculpt_quotient_f(a, b, c, d, (float)((p * s + q * t) / n), (float)((q * s - p * t) / n));\n"
    "}\n";

const char *complex_library(void) { return library; }

// ---- in the program ------------------------------------------------------------------------------------
bool is_complex(const Ast *x) { return x->type && x->type->kind == CT_RECORD && x->type->is_complex; }

const CType *complex_double(void) {
    static const CType part = {.kind = CT_SCALAR, .text = "double", .scalar = T_F64, .bytes = 8};
    static CField fields[] = {{"re", &part, 0}, {"im", &part, 8}};
    static const CType t = {.kind = CT_RECORD, .text = "_Complex double", .bytes = 16, .nfields = 2,
                            .fields = fields, .is_complex = true};
    return &t;
}

typedef struct Wanted {
    const char *name;
    CXCursor found;
} Wanted;

static enum CXChildVisitResult find_function(CXCursor x, CXCursor parent, CXClientData arg) {
    (void)parent;
    Wanted *w = arg;
    if (clang_getCursorKind(x) != CXCursor_FunctionDecl) return CXChildVisit_Continue;
    CXString s = clang_getCursorSpelling(x);
    bool is = str_eq(clang_getCString(s), w->name);
    clang_disposeString(s);
    if (is) w->found = x;
    return is ? CXChildVisit_Break : CXChildVisit_Continue;
}

Decl *complex_function(Reader *r, const char *name) {
    if (r->language != LANGUAGE_C) return NULL;
    Wanted w = {arena_printf(r->a, "__sculpt_%s", name), clang_getNullCursor()};
    clang_visitChildren(clang_getTranslationUnitCursor(r->tu), find_function, &w);
    return clang_Cursor_isNull(w.found) ? NULL : read_decl(r, w.found);
}

Decl *complex_operator(Reader *r, Op op, Type t) {
    const char *type = t == T_F32 ? "_f" : "_d";
    ComplexRules rules = r->c->fast_math ? COMPLEX_LIMITED : r->c->complex_rules;
    if (op == OP_MUL) return rules == COMPLEX_FULL ? complex_function(r, arena_printf(r->a, "mul%s", type)) : NULL;
    if (op != OP_DIV) return NULL;
    const char *how = rules == COMPLEX_LIMITED ? "_limited" : rules == COMPLEX_FORTRAN ? "_fortran" : "";
    return complex_function(r, arena_printf(r->a, "div%s%s", how, type));
}

Ast *complex_pair(Reader *r, CXCursor x, const CType *t, Ast *re, Ast *im) {
    Ast *n = ast_new(r, A_INIT_LIST, x);
    n->type = t;
    ast_kids(r, n, 2, (Ast *[]){cast_to(r, re, t->fields[0].type, false), cast_to(r, im, t->fields[1].type, false)});
    return n;
}
