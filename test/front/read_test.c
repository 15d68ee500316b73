// SPDX-License-Identifier: MIT
// read_test.c -- C text to marked regions: conversions, marks, places in the text, data scopes.
#include "front/passes.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct Read {
    Compile *c;
    char path[64];
} Read;

static Read begin(const char *text) {
    Read r = {.c = compile_new()};
    strcpy(r.path, "/tmp/sculpt-read-test-XXXXXX");
    int fd = mkstemp(r.path);
    assert_true(fd >= 0);
    close(fd);
    assert_true(file_write(r.path, text, strlen(text)));
    return r;
}

static void end(Read *r) {
    unlink(r->path);
    compile_free(r->c);
}

// ---- expressions -------------------------------------------------------------------------
// An expression in prefix form; (t x) is a conversion to t.
static void show(Text *t, const Ast *x) {
    switch (x->kind) {
    case A_INT: text_printf(t, "%lld", (long long)x->i); break;
    case A_FLOAT: text_printf(t, "%.9g", x->f); break;
    case A_REF: text_put(t, x->decl->name); break;
    default:
        text_put(t, "(");
        text_put(t, x->kind == A_CAST && x->type->kind == CT_SCALAR ? type_name(x->type->scalar)
                    : x->kind == A_CALL  ? x->decl->name
                    : x->kind == A_INDEX ? "at"
                    : x->kind == A_FIELD ? x->name
                    : x->kind == A_COND  ? "?"
                    : x->kind == A_DEREF ? "*"
                    : x->kind == A_OTHER ? "other"
                                         : op_text(x->op));
        if (x->compute) text_printf(t, ":%s", x->compute->text);
        for (int i = 0; i < x->nkids; i++) {
            text_put(t, " ");
            show(t, x->kids[i]);
        }
        text_put(t, ")");
    }
}

static void check_expression(const char *c, const char *want) {
    Arena *a = arena_new();
    const char *around =
        "#include <stddef.h>\n#define SQ(x) ((x) * (x))\n"
        "enum { THREE = 3 };\n"
        "typedef struct { char c; union { int u; }; struct { float y; }; unsigned bits : 3; } S;\n"
        "int f(float x);\n"
        "void g(int i, short h, unsigned u, long l, float e, double d, char *p, float A[3][i], "
        "S s, S *q, unsigned char b, _Bool t) { %s; }\n";
    Read r = begin(arena_printf(a, around, c));
    AstUnit *u = ast_read(r.c, front_flatten(r.c, r.path, 0, NULL, false), 0, NULL);
    assert_non_null(u);
    Text t = text_new(a);
    show(&t, u->funcs[0]->body->kids[0]->kids[0]);
    if (!str_eq(text_str(&t), want)) fail_msg("%s: %s, wanted %s", c, text_str(&t), want);
    end(&r);
    arena_free(a);
}

static void test_conversions(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"i = e", "(= i (i32 e))"},
        {"d = e * 2", "(= d (f64 (* e 2)))"},
        {"e = 0.1f", "(= e 0.100000001)"},
        {"h += d", "(+:double h d)"},
        {"b += 1", "(+:int b 1)"},
        {"h <<= l", "(<<:int h l)"},
        {"l = u + i", "(= l (i64 (+ u (u32 i))))"},
        {"t = i", "(= t (bool i))"},
        {"i = f(d)", "(= i (f (f32 d)))"},
        {"p[0] = 200", "(= (at p 0) -56)"},
        {"i = -7 / 2 + (1u - 2 > 0) + THREE", "(= i 1)"},
        {"l = sizeof(S) + offsetof(S, u)", "(= l 20)"},
        {"e = SQ(A[1][i])", "(= e (* (at (at A 1) i) (at (at A 1) i)))"},
        {"e = q->y + s.y", "(= e (+ (y q) (y s)))"},
        {"i = 2[p] + *p", "(= i (+ (i32 (at p 2)) (i32 (* p))))"},
        {"d = i ? e : l", "(= d (f64 (? i e (f32 l))))"},
        {"i = i ?: 3", "(= i (? i i 3))"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_expression(table[k][0], table[k][1]);
}

// ---- regions and inserts --------------------------------------------------------------------
// "[text]" for each region that was taken, "!" for each marked one that was not, then "{n}"
// for n inserts.
static char *outline(Arena *a, const char *text, bool auto_mark) {
    Read r = begin(text);
    FrontUnit *u = front_read(r.c, r.path, 0, NULL, auto_mark);
    if (!u) fail_msg("cannot read %s", text);
    Text t = text_new(a);
    for (int i = 0; i < u->nregions; i++) {
        const FrontRegion *f = &u->regions[i];
        assert_true((f->region ? f->begin < f->end : f->begin <= f->end) && f->end <= u->size &&
                    f->pragma_begin <= f->begin);
        if (f->region) text_printf(&t, "[%.*s]", (int)(f->end - f->begin), u->text + f->begin);
        else text_put(&t, "!");
    }
    if (u->ninserts) text_printf(&t, "{%d}", u->ninserts);
    end(&r);
    return arena_strdup(a, text_str(&t));
}

static void check_outline(const char *c, bool auto_mark, const char *want) {
    Arena *a = arena_new();
    char *got = outline(a, c, auto_mark);
    if (!str_eq(got, want)) fail_msg("%s\ngives %s\nwanted %s", c, got, want);
    arena_free(a);
}

#define F(body) "void f(int n, float *a, float *b, float **r) { int i; float s = 0; " body " }"
#define LOOP "for (int k = 0; k < n; k++) a[k] = 1;"

#define STEP "for (int k = t; k < n; k++) a[k] += a[t];"
#define STEPS(mark, more) "for (int t = 0; t < n; t++) { " more "\n#pragma " mark "\n" STEP " }"

static void test_marks(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {F("\n#pragma scop\n" LOOP "\n#pragma endscop\n"), "[" LOOP "]"},
        {F("\n#pragma scop\ns = 1; " LOOP "\n#pragma endscop\n"), "[s = 1; " LOOP "]"},
        {F("\n#pragma omp parallel for \\\n schedule(static)\n#if 1\n" LOOP "\n#endif\n"),
         "[" LOOP "]"},
        {F("\n#if 0\n#pragma omp parallel for\n#endif\n" LOOP), ""},
        {F("_Pragma(\"acc parallel loop\") " LOOP), "[" LOOP "]"},
        {F("/*\n#pragma sculpt\n*/ " LOOP), ""},
        {F("\n#pragma acc kernels\n{ " LOOP " a[0] = 1; " LOOP " }"), "[" LOOP "][" LOOP "]"},
        {F("\n#pragma omp parallel\n{\n#pragma omp for\n" LOOP " }"), "[" LOOP "]"},
        {F("\n#pragma sculpt\na[0] = 1;"), "!"},
        {F("\n#pragma omp parallel for\nfor (int t = 0; t < 9; t++) { f(t, a, b, r); " LOOP " }"),
         "![" LOOP "]"},
        {F("\n#pragma sculpt\nwhile (n) { " LOOP " }"), "!"},
        // steps of the host that hold nothing but loops which use their counter are one region
        {F(STEPS("acc parallel loop", "")), "[" STEPS("acc parallel loop", "") "]"},
        {F(STEPS("omp parallel for", "int m = t;")), "[" STEPS("omp parallel for", "int m = t;") "]"},
        {F(STEPS("omp parallel for", "a[t] = 2;")), "[" STEP "]"},
        {F(STEPS("acc parallel loop async", "")), "[" STEP "]{2}"},
        {F("\n#pragma omp parallel\n" STEPS("omp for", "")), "[" STEP "]"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_outline(table[k][0], false, table[k][1]);
}

static void test_macros(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"#define FOR(i) for (int i = 0; i < n; i++)\n" F("FOR(k) a[k] = 1; n++;"),
         "[FOR(k) a[k] = 1;]"},
        {"#define SET(x) for (int j = 0; j < n; j++) x[j] = 0\n" F("SET(a); n++;"), "[SET(a);]"},
        {"#define TWO for (i = 0; i < n; i++) a[i] = 0; for (i = 0; i < n; i++) b[i] = 0\n" F("TWO;"),
         ""},
        {"#define ID(x) x\n" F("ID(" LOOP ")"), ""},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_outline(table[k][0], true, table[k][1]);
}

static void test_scopes(void **state) {
    (void)state;
#define M "\n#pragma sculpt\n"
#define T(body) F("for (int t = 0; t < n; t++) { " body " }")
#define R "[" LOOP "]"
    static const char *const table[][2] = {
        {T(M LOOP), R "{2}"},
        {T(M LOOP "{ float *x = a; a = b; b = x; }"), R "{2}"},
        {F(M LOOP M LOOP), R R "{2}"},
        {F(M LOOP), R},
        {T(M LOOP "b[0] = 1;"), R},                       // host writes memory
        {T(M LOOP "if (a[0] > 1) break;"), R},            // host reads memory
        {T(M LOOP "if (t > 3) return;"), R},              // leaves
        {T(M LOOP "f(n, a, b, r);"), R},                  // a call
        {T(M LOOP "*b = 1;"), R},
        // inside the block of z only, in which z lives until the end
        {T("float z[9];" M "for (int k = 0; k < 9; k++) z[k] = a[k]; " M
           "for (int k = 0; k < 9; k++) a[k] = z[k];"),
         "[for (int k = 0; k < 9; k++) z[k] = a[k];][for (int k = 0; k < 9; k++) a[k] = z[k];]{2}"},
        {T(M "for (int k = 0; k < n; k++) s += a[k]; if (s > 3) n = 2;"),
         "[for (int k = 0; k < n; k++) s += a[k];]"},
        {F(M "for (int k = 0; k < n; k++) s += a[k];" M "for (int k = 0; k < n; k++) b[k] = s;"),
         "[for (int k = 0; k < n; k++) s += a[k];][for (int k = 0; k < n; k++) b[k] = s;]"},
        {F("int *p = &n; for (int t = 0; t < 9; t++) { " M LOOP "}"), R},
        {"int g;" F("for (int t = 0; t < g; t++) { " M LOOP "}"), R},
        {F("\n#pragma acc data copy(a[0:n])\n{" M LOOP "}"), R "{2}"},
        {F("\n#pragma acc data copy(a)\n{" M LOOP "}"), R},
        {F("\n#pragma sculpt data\n{" M LOOP "}"), R "{2}"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_outline(table[k][0], false, table[k][1]);
}

static void test_errors(void **state) {
    (void)state;
    Read r = begin("int f(void) { return x; }\n"); // costs the function
    assert_non_null(front_read(r.c, r.path, 0, NULL, false));
    assert_int_equal(r.c->errors, 0);
    const Diag *d = &r.c->diags.at[0];
    assert_int_equal(d->code, SC_CLANG);
    assert_int_equal(d->loc.line, 1);
    assert_int_equal(d->loc.col, 22);
    assert_true(str_has_suffix(d->text, "use of undeclared identifier 'x'"));
    end(&r);
    r = begin("int f(void) { return 1; }\n#error no\n"); // costs the file
    assert_null(front_read(r.c, r.path, 0, NULL, false));
    assert_int_equal(r.c->errors, 1);
    assert_int_equal(r.c->diags.at[0].loc.line, 2);
    end(&r);
    Compile *c = compile_new();
    assert_null(front_read(c, "/nowhere/at/all.c", 0, NULL, false));
    assert_int_equal(c->diags.at[0].code, SC_FILE_IO);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_macros), cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
