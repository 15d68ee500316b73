// SPDX-License-Identifier: MIT
// emit_op_test.c -- every operator, update and conversion on every type: the printed C, compiled,
// against the interpreter, bit for bit.
#include "build.h"

enum { N = 96 };

typedef union Arg {
    void *p;
    long long i;
    double f;
} Arg;

typedef struct Case {
    char *name;
    Region *r;
    Type in, out;
    Op op;
    bool update;
} Case;

typedef struct Suite {
    Builder b;
    Text text;
    VEC(Case) cases;
    uint64_t seed;
} Suite;

static uint64_t next(Suite *s) {
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    return s->seed ^= s->seed << 17;
}

// ---- random values for which C defines the operator --------------------------------------

static int64_t small_int(Suite *s, Type t, Op op, int operand) {
    int64_t v = (int64_t)(next(s) % 200) - 100;
    if ((op == OP_SHL || op == OP_SHR) && operand == 1)
        return (int64_t)(next(s) % (t == T_BOOL ? 1 : (uint64_t)(8 * type_size(t) - 1)));
    if (op == OP_SHL)
        return (int64_t)(next(s) % 2);
    if (!type_is_signed(t))
        v = t == T_BOOL ? v & 1 : (int64_t)next(s);
    if (operand == 1 && op >= OP_DIV && op <= OP_FMOD && (t == T_BOOL || (v & 127) == 0))
        v = t == T_BOOL ? 1 : 7;
    if (op == OP_MUL && type_is_signed(t) && type_size(t) == 1)
        v %= 11;
    return v;
}

static double some_float(Suite *s) {
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-45, 3.5, -1e30};
    uint64_t k = next(s);
    return k % 5 == 0 ? odd[k / 5 % 8] : ((double)(k >> 12) / (1ull << 44) - 128.0);
}

static void store(char *p, Type t, int64_t i, double f) {
    float single = (float)f;
    if (t == T_F32)
        memcpy(p, &single, 4);
    else if (t == T_F64)
        memcpy(p, &f, 8);
    else
        memcpy(p, &i, (size_t)type_size(t)); // little endian
}

static void fill(Suite *s, char *p, Type t, Op op, int operand) {
    for (int k = 0; k < N; k++) {
        double f = some_float(s);
        if (op == OP_SET) // a conversion: keep to what every integer type holds
            f = (double)(next(s) % 400) / 4.0;
        store(p + k * type_size(t), t, small_int(s, t, op, operand), f);
    }
}

// ---- cases -----------------------------------------------------------------------------------

static Builder fresh(Suite *s) {
    return (Builder){.c = s->b.c, .a = s->b.a};
}

static void add_case(Suite *s, Builder *b, Node *root, Case k) {
    k.name = arena_printf(b->a, "case_%d", s->cases.n);
    k.r = region(b, root);
    char *text = emit_nest_c(b->c, k.r, root, k.name);
    assert_non_null(text);
    char *type = strstr(text, "typedef union sculpt_arg"), *end = strstr(text, "} sculpt_arg;\n");
    assert_non_null(end);
    const char *helper = strstr(text, "static inline"); // at most one in these texts
    if (helper && helper < type) {
        *type = '\0';
        if (!strstr(text_str(&s->text), helper))
            text_put(&s->text, helper);
    }
    text_put(&s->text, end + strlen("} sculpt_arg;\n"));
    vec_push(b->a, &s->cases, k);
}

static Node *over(Builder *b, const Sym *i, Node *body) {
    Expr *zero = expr_int(b->a, T_I32, 0), *end = expr_int(b->a, T_I32, N);
    Node *loop = node_for(b->a, i, zero, end, 1, HOW_SERIAL, body);
    return node_seq(b->a, 1, &loop);
}

static Expr **extent(Builder *b) {
    return list(b->a, 1, expr_int(b->a, T_I32, N), NULL);
}

static void add_op(Suite *s, Op op, Type t, bool cast, Type to) {
    Builder b = fresh(s);
    const Sym **i = NEW_N(b.a, const Sym *, 1);
    i[0] = sym(b.a, "i", SYM_ITER, T_I32);
    Expr *x[3];
    for (int k = 0; k < 3; k++)
        x[k] = load1(&b, array(&b, (const char *[]){"x", "y", "z"}[k], t, 1, extent(&b)), i[0]);
    int n = cast ? 1 : op_arity(op);
    Expr *v = cast ? expr_cast(b.a, to, x[0]) : expr_op(b.a, op, x[0], n > 1 ? x[1] : NULL,
                                                         n > 2 ? x[2] : NULL);
    Array *out = array(&b, "out", v->type, 1, extent(&b));
    Stmt *st = stmt(&b, 1, i, out, list(b.a, 1, expr_sym(b.a, i[0]), NULL), OP_SET, v);
    add_case(s, &b, over(&b, i[0], plain(&b, st)), (Case){NULL, NULL, t, v->type, op, false});
}

static void add_update(Suite *s, Op op, Type t, bool fused) {
    Builder b = fresh(s);
    const Sym **i = NEW_N(b.a, const Sym *, 1);
    i[0] = sym(b.a, "i", SYM_ITER, T_I32);
    Expr *x[3];
    for (int k = 0; k < 3; k++)
        x[k] = load1(&b, array(&b, (const char *[]){"x", "y", "z"}[k], t, 1, extent(&b)), i[0]);
    Array *out = array(&b, "out", t, 1, extent(&b));
    Expr *rhs = fused ? expr_op(b.a, OP_MUL, x[0], x[1], NULL) : x[1];
    Stmt *st = stmt(&b, 1, i, out, list(b.a, 1, expr_sym(b.a, i[0]), NULL), op, rhs);
    st->fused = fused;
    add_case(s, &b, over(&b, i[0], plain(&b, st)), (Case){NULL, NULL, t, t, op, true});
}

static bool on_floats(Op op) {
    switch (op) {
    case OP_NOT: case OP_MOD: case OP_FDIV: case OP_FMOD: case OP_SHL: case OP_SHR:
    case OP_AND: case OP_OR: case OP_XOR: return false;
    default: return true;
    }
}

static void add_all(Suite *s) {
    for (Type t = T_BOOL; t < T_COUNT; t++) {
        for (Op op = OP_NEG; op < OP_COUNT; op++)
            if (on_floats(op) || type_is_int(t))
                add_op(s, op, t, false, t);
        static const Op updates[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR,
                                     OP_LAND, OP_LOR, OP_SET};
        for (size_t k = 0; k < sizeof updates / sizeof *updates; k++)
            if (on_floats(updates[k]) || type_is_int(t))
                add_update(s, updates[k], t, false);
        if (type_is_float(t))
            add_update(s, OP_ADD, t, true);
        for (Type to = T_BOOL; to < T_COUNT; to++)
            if (to != t)
                add_op(s, OP_SET, t, true, to);
    }
}

// ---- running them -----------------------------------------------------------------------------

// NaN payloads and signs are the machine's to choose.
static bool same(Type t, const char *x, const char *y) {
    float fx, fy;
    double dx, dy;
    memcpy(&fx, x, 4), memcpy(&fy, y, 4);
    memcpy(&dx, x, 8), memcpy(&dy, y, 8);
    if (t == T_F32 && isnan(fx))
        return isnan(fy);
    if (t == T_F64 && isnan(dx))
        return isnan(dy);
    return !memcmp(x, y, (size_t)type_size(t));
}

static void run_case(Suite *s, void *so, const Case *k) {
    static char in[3][8 * N + 8], out[2][8 * N + 8];
    for (int j = 0; j < 3; j++)
        fill(s, in[j], k->in, k->op, j);
    fill(s, out[0], k->out, k->op, 0);
    memcpy(out[1], out[0], sizeof out[0]);
    void *objects[4];
    InterpArg args[4];
    int n = 0;
    for (int j = 0; j < 4; j++) {
        const char *name = (const char *[]){"x", "y", "z", "out"}[j];
        args[j] = (InterpArg){name, j < 3 ? in[j] : out[1]};
        objects[n++] = j < 3 ? in[j] : out[0];
    }
    void (*fn)(void *const *, const Arg *) = NULL;
    *(void **)&fn = dlsym(so, k->name);
    assert_non_null(fn);
    fn(objects, NULL);
    assert_true(ir_interpret(s->b.a, k->r->root, 4, args, 0, NULL, 0));
    for (int e = 0; e < N; e++) {
        size_t at = (size_t)(e * type_size(k->out));
        if (!same(k->out, out[0] + at, out[1] + at)) {
            print_message("element %d of\n%s", e, emit_nest_c(s->b.c, k->r, k->r->root, "f"));
            fail();
        }
    }
}

static void every_operator(void **state) {
    (void)state;
    Suite s = {.seed = 20240229};
    s.b.c = compile_new();
    s.b.a = s.b.c->arena;
    s.text = text_new(s.b.a);
    add_all(&s);
    Text all = text_new(s.b.a);
    text_put(&all, "#include <math.h>\n#include <stdlib.h>\n"
                   "typedef union { void *p; long long i; double f; } sculpt_arg;\n");
    text_put(&all, text_str(&s.text));
    void *so = build_c(s.b.a, text_str(&all));
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < s.cases.n; k++)
            run_case(&s, so, &s.cases.at[k]);
    print_message("%d operators, updates and conversions\n", s.cases.n);
    dlclose(so);
    compile_free(s.b.c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
