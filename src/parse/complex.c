// SPDX-License-Identifier: MIT
// complex.c -- complex numbers: what C says of their operators and functions,
// written in C.
//
// A complex number is a record of two numbers, re and im. What an operator or a
// function of <complex.h> makes of them stands in a library that clang reads
// before the program, so the rest of the compiler knows calls and records
// alone. Products, quotients and functions have the values of gcc's library and
// of glibc, with infinities, NaN, zeros and what overflows on the way:
//
//   x * y   (a*c - b*d) + i (a*d + b*c); where both are NaN, as Annex G of C
//   says, infinities count x / y   scaled, as libgcc does since version 12; of
//   floats, in double
//
// -fcx-limited-range and -ffast-math leave all that out, -fcx-fortran-rules
// what is said of NaN.
#include "parse/reader.h"
#include <string.h>

// Once for each type: SC_T, whose functions are SC_F(sin) here and SC_LIB(cexp)
// of <complex.h>.
static const char both[] =
    // the plain product is NaN in both parts
    "static SC_T _Complex SC_OF(mul)(SC_T a, SC_T b, SC_T c, SC_T d) {\n"
    "  SC_T x = a * c - b * d, y = a * d + b * c;\n"
    "  if (SC_NAN(x) && SC_NAN(y)) {\n"
    "    SC_T p = a, q = b, r = c, s = d;\n"
    "    int left = SC_INF(a) || SC_INF(b), right = SC_INF(c) || SC_INF(d);\n"
    "    int over = SC_INF(a * c) || SC_INF(b * d) || SC_INF(a * d) || "
    "SC_INF(b * c);\n"
    "    if (left || right || over) {\n"
    "      if (left) {\n"
    "        p = SC_F(copysign)(SC_INF(a) ? (SC_T)1 : (SC_T)0, a);\n"
    "        q = SC_F(copysign)(SC_INF(b) ? (SC_T)1 : (SC_T)0, b);\n"
    "      } else {\n"
    "        p = SC_NAN(a) ? SC_F(copysign)((SC_T)0, a) : a;\n"
    "        q = SC_NAN(b) ? SC_F(copysign)((SC_T)0, b) : b;\n"
    "      }\n"
    "      if (right) {\n"
    "        r = SC_F(copysign)(SC_INF(c) ? (SC_T)1 : (SC_T)0, c);\n"
    "        s = SC_F(copysign)(SC_INF(d) ? (SC_T)1 : (SC_T)0, d);\n"
    "      } else {\n"
    "        r = SC_NAN(c) ? SC_F(copysign)((SC_T)0, c) : c;\n"
    "        s = SC_NAN(d) ? SC_F(copysign)((SC_T)0, d) : d;\n"
    "      }\n"
    "      x = SC_HUGE * (p * r - q * s);\n"
    "      y = SC_HUGE * (p * s + q * r);\n"
    "    }\n"
    "  }\n"
    "  SC_RETURN(x, y);\n"
    "}\n"
    // x and y, if not NaN in both parts; else what is left of infinities and
    // zeros
    "static SC_T _Complex SC_OF(quotient)(SC_T a, SC_T b, SC_T c, SC_T d, SC_T "
    "x, SC_T y) {\n"
    "  if (SC_NAN(x) && SC_NAN(y)) {\n"
    "    SC_T inf = SC_HUGE;\n"
    "    int left = SC_INF(a) || SC_INF(b), right = SC_INF(c) || SC_INF(d);\n"
    "    int none = SC_NAN(a) || SC_NAN(b), nil = SC_NAN(c) || SC_NAN(d);\n"
    "    if (c == 0 && d == 0 && (!SC_NAN(a) || !SC_NAN(b))) {\n"
    "      x = SC_F(copysign)(inf, c) * a;\n"
    "      y = SC_F(copysign)(inf, c) * b;\n"
    "    } else if (left && !right && !nil) {\n"
    "      SC_T p = SC_F(copysign)(SC_INF(a) ? (SC_T)1 : (SC_T)0, a);\n"
    "      SC_T q = SC_F(copysign)(SC_INF(b) ? (SC_T)1 : (SC_T)0, b);\n"
    "      x = inf * (p * c + q * d);\n"
    "      y = inf * (q * c - p * d);\n"
    "    } else if (right && !left && !none) {\n"
    "      SC_T p = SC_F(copysign)(SC_INF(c) ? (SC_T)1 : (SC_T)0, c);\n"
    "      SC_T q = SC_F(copysign)(SC_INF(d) ? (SC_T)1 : (SC_T)0, d);\n"
    "      x = (SC_T)0 * (a * p + b * q);\n"
    "      y = (SC_T)0 * (b * p - a * q);\n"
    "    }\n"
    "  }\n"
    "  SC_RETURN(x, y);\n"
    "}\n"
    "static SC_T _Complex SC_OF(div_limited)(SC_T a, SC_T b, SC_T c, SC_T d) "
    "{\n"
    "  SC_T n = c * c + d * d;\n"
    "  SC_RETURN((a * c + b * d) / n, (b * c - a * d) / n);\n"
    "}\n"
    "static SC_T _Complex SC_OF(div_fortran)(SC_T a, SC_T b, SC_T c, SC_T d) "
    "{\n"
    "  SC_T x, y;\n"
    "  if (SC_F(fabs)(c) < SC_F(fabs)(d)) {\n"
    "    SC_T r = c / d, n = c * r + d;\n"
    "    x = (a * r + b) / n, y = (b * r - a) / n;\n"
    "  } else {\n"
    "    SC_T r = d / c, n = d * r + c;\n"
    "    x = (b * r + a) / n, y = (b - a * r) / n;\n"
    "  }\n"
    "  SC_RETURN(x, y);\n"
    "}\n"
    "static SC_T SC_LIB(creal)(SC_T _Complex z) { return __real__ z; }\n"
    "static SC_T SC_LIB(cimag)(SC_T _Complex z) { return __imag__ z; }\n"
    "static SC_T _Complex SC_LIB(conj)(SC_T _Complex z) { return ~z; }\n"
    "static SC_T SC_LIB(cabs)(SC_T _Complex z) { return SC_F(hypot)(__real__ "
    "z, __imag__ z); }\n"
    "static SC_T SC_LIB(carg)(SC_T _Complex z) { return SC_F(atan2)(__imag__ "
    "z, __real__ z); }\n"
    "static SC_T _Complex SC_LIB(cproj)(SC_T _Complex w) {\n"
    "  SC_T x = __real__ w, y = __imag__ w;\n"
    "  int far = SC_INF(x) || SC_INF(y);\n"
    "  SC_RETURN(far ? SC_HUGE : x, far ? SC_F(copysign)((SC_T)0, y) : y);\n"
    "}\n"
    // e^x (cos y + i sin y); a great e^x is multiplied in parts
    "static SC_T _Complex SC_LIB(cexp)(SC_T _Complex w) {\n"
    "  SC_T x = __real__ w, y = __imag__ w, s = y, c = 1, e;\n"
    "  int endless = SC_INF(y) || SC_NAN(y);\n"
    "  if (!(SC_F(fabs)(y) <= SC_MIN)) s = SC_F(sin)(y), c = SC_F(cos)(y);\n"
    "  if (SC_NAN(x)) { s = y == 0 ? y : x; c = x; }\n"
    "  else if (SC_INF(x)) {\n"
    "    e = x > 0 ? x : (SC_T)0;\n"
    "    c = endless ? e : SC_F(copysign)(e, c);\n"
    "    s = endless ? (x > 0 ? y - y : SC_F(copysign)(e, y)) : y == 0 ? y : "
    "SC_F(copysign)(e, s);\n"
    "  } else {\n"
    "    if (x > SC_BIG) {\n"
    "      e = SC_F(exp)(SC_BIG);\n"
    "      x -= SC_BIG, s *= e, c *= e;\n"
    "      if (x > SC_BIG) x -= SC_BIG, s *= e, c *= e;\n"
    "    }\n"
    "    e = x > SC_BIG ? SC_MAX : SC_F(exp)(x);\n"
    "    c *= e, s *= e;\n"
    "  }\n"
    "  SC_RETURN(c, s);\n"
    "}\n"
    "static SC_T _Complex SC_LIB(csqrt)(SC_T _Complex w) {\n"
    "  SC_T x = __real__ w, y = __imag__ w, r, s, up = 1;\n"
    "  if (SC_INF(y)) r = SC_HUGE, s = y;\n"
    "  else if (SC_INF(x)) {\n"
    "    SC_T side = SC_NAN(y) ? y : (SC_T)0;\n"
    "    r = x < 0 ? side : x;\n"
    "    s = x < 0 ? SC_F(copysign)(SC_HUGE, y) : SC_NAN(y) ? y : "
    "SC_F(copysign)((SC_T)0, y);\n"
    "  } else if (SC_NAN(x) || SC_NAN(y)) r = s = x + y;\n"
    "  else if (x == 0 && y == 0) r = 0, s = y;\n"
    "  else {\n"
    "    SC_T big = SC_F(fmax)(SC_F(fabs)(x), SC_F(fabs)(y));\n"
    "    if (big > SC_MAX / 4) x /= 16, y /= 16, up = 4;\n"
    "    else if (big < SC_MIN * 4) x *= 1 / (SC_EPS * SC_EPS), y *= 1 / "
    "(SC_EPS * SC_EPS), up = SC_EPS;\n"
    "    r = SC_F(sqrt)((SC_T)0.5 * (SC_F(hypot)(x, y) + SC_F(fabs)(x)));\n"
    "    s = (SC_T)0.5 * (y / r);\n"
    "    if (x <= 0) {\n"
    "      SC_T t = r;\n"
    "      r = SC_F(fabs)(s), s = SC_F(copysign)(t, y);\n"
    "    }\n"
    "    r *= up, s *= up;\n"
    "  }\n"
    "  SC_RETURN(r, s);\n"
    "}\n"
    // near the unit circle |z|^2 - 1 is computed twice as exactly
    "static SC_T _Complex SC_LIB(clog)(SC_T _Complex w) {\n"
    "  SC_T x = SC_F(fabs)(__real__ w), y = SC_F(fabs)(__imag__ w), n;\n"
    "  if (x < 2 && y < 2 && x * x + y * y > (SC_T)0.5 && x * x + y * y < 3) "
    "{\n"
    "    SC_T p = x * x, q = y * y, great = p > q ? p : q, small = p > q ? q : "
    "p;\n"
    "    SC_T e = SC_F(fma)(x, x, -p), f = SC_F(fma)(y, y, -q);\n"
    "    SC_T rest = e + f, part = rest - e, last = (e - (rest - part)) + (f - "
    "part);\n"
    "    n = (SC_T)0.5 * SC_F(log1p)((((great - 1) + small) + rest) + last);\n"
    "  } else {\n"
    "    SC_T big = x > y ? x : y, up = 0;\n"
    "    if (big > SC_MAX / 4) x /= 16, y /= 16, up = "
    "(SC_T)2.772588722239781237668928485832706272;\n"
    "    if (big < SC_MIN) x *= 16 / SC_EPS, y *= 16 / SC_EPS, up = "
    "-SC_F(log)(16 / SC_EPS);\n"
    "    n = SC_F(log)(SC_F(hypot)(x, y)) + up;\n"
    "  }\n"
    "  SC_RETURN(n, SC_F(atan2)(__imag__ w, __real__ w));\n"
    "}\n"
    "static SC_T _Complex SC_LIB(cpow)(SC_T _Complex x, SC_T _Complex y) {\n"
    "  return SC_LIB(cexp)(y * SC_LIB(clog)(x));\n"
    "}\n";
static const char of_double[] = "#define SC_T double\n"
                                "#define SC_F(f) __builtin_##f\n"
                                "#define SC_LIB(f) __sculpt_##f\n"
                                "#define SC_OF(f) __sculpt_##f##_d\n"
                                "#define SC_MAX 0x1.fffffffffffffp1023\n"
                                "#define SC_MIN 0x1p-1022\n"
                                "#define SC_EPS 0x1p-52\n"
                                "#define SC_BIG 709.0\n"
                                "#define SC_HUGE __builtin_inf()\n"
                                "#define SC_INF(x) (SC_F(fabs)(x) > SC_MAX)\n"
                                "#define SC_NAN(x) ((x) != (x))\n"
                                "#define SC_RETURN(x, y) SC_T _Complex z; __real__ z = (x); __imag__ z = "
                                "(y); return z\n";
static const char of_float[] = "#undef SC_T\n#undef SC_F\n#undef SC_LIB\n#undef SC_OF\n"
                               "#undef SC_MAX\n#undef SC_MIN\n#undef SC_EPS\n#undef SC_BIG\n#undef "
                               "SC_HUGE\n"
                               "#define SC_T float\n"
                               "#define SC_F(name) __builtin_##name##f\n"
                               "#define SC_LIB(name) __sculpt_##name##f\n"
                               "#define SC_OF(name) __sculpt_##name##_f\n"
                               "#define SC_MAX 0x1.fffffep127f\n"
                               "#define SC_MIN 0x1p-126f\n"
                               "#define SC_EPS 0x1p-23f\n"
                               "#define SC_BIG 88.0f\n"
                               "#define SC_HUGE __builtin_inff()\n";
static const char quotients[] =
    // libgcc's, after Baudin and Smith
    "static double _Complex __sculpt_div_d(double a, double b, double c, "
    "double d) {\n"
    "  double r, n, x, y, p = a, q = b, s = c, t = d, up = 1;\n"
    "  int turned = __builtin_fabs(c) < __builtin_fabs(d);\n"
    "  if (turned) s = d, t = c;\n" // the greater one is s
    "  double big = __builtin_fabs(s), over = 0x1p970;\n"
    "  if (big >= 0x1.fffffffffffffp1022) p *= 0.5, q *= 0.5, s *= 0.5, t *= "
    "0.5, big = __builtin_fabs(s);\n"
    "  double l = __builtin_fabs(p), m = __builtin_fabs(q);\n"
    "  if (big < 0x1p-52) up = 0x1p52;\n"
    "  else if ((l < 0x1p-1022 && m < over && big < over) || (m < 0x1p-1022 && "
    "l < over && big < over))\n"
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
    "  return __sculpt_quotient_d(p, q, turned ? t : s, turned ? s : t, x / n, "
    "y / n);\n"
    "}\n"
    "static float _Complex __sculpt_div_f(float a, float b, float c, float d) "
    "{\n"
    "  double p = a, q = b, s = c, t = d, n = s * s + t * t;\n"
    "  return __sculpt_quotient_f(a, b, c, d, (float)((p * s + q * t) / n), "
    "(float)((q * s - p * t) / n));\n"
    "}\n";

const char *complex_library(Arena *a) {
    return arena_printf(a, "%s%s%s%s%s", of_double, both, of_float, both, quotients);
}

// ---- in the program
// ------------------------------------------------------------------------------------
bool is_complex(const Ast *x) { return x->type && x->type->kind == CT_RECORD && x->type->is_complex; }

const CType *complex_double(void) {
    static const CType part = {.kind = CT_SCALAR, .text = "double", .scalar = T_F64, .bytes = 8};
    static CField fields[] = {{"re", &part, 0}, {"im", &part, 8}};
    static const CType t = {.kind = CT_RECORD,
                            .text = "_Complex double",
                            .bytes = 16,
                            .nfields = 2,
                            .fields = fields,
                            .is_complex = true};
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
    if (op == OP_MUL)
        return rules == COMPLEX_FULL ? complex_function(r, arena_printf(r->a, "mul%s", type)) : NULL;
    if (op != OP_DIV) return NULL;
    const char *how = rules == COMPLEX_LIMITED ? "_limited" : rules == COMPLEX_FORTRAN ? "_fortran" : "";
    return complex_function(r, arena_printf(r->a, "div%s%s", how, type));
}

Ast *complex_pair(Reader *r, CXCursor x, const CType *t, Ast *re, Ast *im) {
    Ast *n = ast_new(r, A_INIT_LIST, x);
    n->type = t;
    ast_kids(r, n, 2,
             (Ast *[]){cast_to(r, re, t->fields[0].type, false), cast_to(r, im, t->fields[1].type, false)});
    return n;
}
