// SPDX-License-Identifier: MIT
// barrier_test.c -- where barriers go; and whether they order every two threads that meet,
// by running small cases and looking at each access
#include "trees.h"

// ---- a machine that watches --------------------------------------------------------------
// Runs the kernels of a tree block by block. Each word remembers who touched it since the
// last barrier; an async copy is under way until a barrier has waited for its group.
typedef struct Cell {
    int write_epoch, write_step, writer, read_epoch, read_step, reader, read_warp, group;
} Cell;
typedef struct Memory {
    const Array *array;
    int64_t extent[8];
    Cell *cells;
} Memory;
enum { ANYONE = -1, MANY = -2, WARP = 32 };
typedef struct Machine {
    Arena *a;
    VEC(InterpVal) vals;
    VEC(Memory) memory;
    int epoch, groups, landed; // groups 0 … landed - 1 are there
    int step;                  // barriers of warps are passed by all of them, so one counter does
    int thread;
    bool async;
    char clash[200];           // the first two accesses that are not ordered
} Machine;

static int64_t value(Machine *m, const Expr *x) {
    int64_t v = 0;
    if (!ir_eval(x, m->vals.n, m->vals.at, &v)) fail_msg("no value: %s", ir_print_expr(m->a, x));
    return v;
}

static Memory *memory_of(Machine *m, const Array *array) {
    for (int k = 0; k < m->memory.n; k++)
        if (m->memory.at[k].array == array) return &m->memory.at[k];
    Memory mem = {.array = array};
    int64_t size = 1;
    for (int d = 0; d < array->rank; d++) size *= mem.extent[d] = value(m, array->extent[d]);
    mem.cells = NEW_N(m->a, Cell, size + 1);
    for (int64_t k = 0; k <= size; k++) mem.cells[k] = (Cell){.write_epoch = -1, .read_epoch = -1,
        .group = -1};
    vec_push(m->a, &m->memory, mem);
    return &m->memory.at[m->memory.n - 1];
}

static bool differ(int s, int t) { return s != t || s == ANYONE || s == MANY; }
static int warp_of(int thread) { return thread < 0 ? thread : thread / WARP; }
static bool same_warp(int v, int w) { return v == w && v >= 0; }

// Has the other access, by a thread of that warp, not been waited for?
static bool is_open(const Machine *m, int epoch, int step, int warp) {
    return epoch == m->epoch && !(same_warp(warp, warp_of(m->thread)) && step < m->step);
}

static void clash(Machine *m, const Array *array, int64_t word, const char *what) {
    if (!*m->clash) snprintf(m->clash, sizeof m->clash, "%s[%d]: %s", array->name, (int)word, what);
}

static void touch_word(Machine *m, const Array *array, Expr *const *sub, bool read, bool write) {
    if (array->place == PLACE_LOCAL || array->place == PLACE_REGISTER) return;
    Memory *mem = memory_of(m, array);
    int64_t word = 0;
    for (int d = 0; d < array->rank; d++) {
        int64_t s = value(m, sub[d]) - (array->origin ? value(m, array->origin[d]) : 0);
        if (s < 0 || s >= mem->extent[d]) fail_msg("%s: subscript %d is %d", array->name, d, (int)s);
        word = word * mem->extent[d] + s;
    }
    Cell *c = &mem->cells[word];
    if (c->group >= m->landed) clash(m, array, word, "an async copy has not landed");
    if (differ(c->writer, m->thread) && is_open(m, c->write_epoch, c->write_step,
                                                warp_of(c->writer))) clash(m, array, word,
        "written by another thread");
    bool open = is_open(m, c->read_epoch, c->read_step, c->read_warp);
    if (write && open && differ(c->reader, m->thread)) clash(m, array, word, "read by another thread");
    if (read) {
        c->read_warp = open && !same_warp(c->read_warp, warp_of(m->thread)) ? MANY : warp_of(m->thread);
        c->reader = open && differ(c->reader, m->thread) ? MANY : m->thread;
        c->read_epoch = m->epoch;
        c->read_step = m->step;
    }
    if (write) c->write_epoch = m->epoch, c->write_step = m->step, c->writer = m->thread;
    if (write) c->group = m->async ? m->groups : -1;
}

static void load(const Expr *x, void *arg) {
    if (x->kind == E_LOAD) touch_word(arg, x->array, x->args, true, false);
}

static void run(Machine *m, const Node *n, bool in_item);

static void run_seq(Machine *m, const Node *n, bool in_item) {
    for (int k = 0; k < n->nkids; k++) {
        bool item = in_item || dep_is_async(n->kids[k]);
        run(m, n->kids[k], item);
        if (!in_item && dep_ends_group(n, k)) m->groups++;
    }
}

static void run_loop(Machine *m, const Node *n, bool in_item) {
    int64_t lo = value(m, n->lo), hi = value(m, n->hi);
    int at = m->vals.n, thread = m->thread;
    InterpVal v = {n->iter, 0, 0};
    vec_push(m->a, &m->vals, v);
    for (int64_t i = lo; n->step > 0 ? i < hi : i > hi; i += n->step) {
        m->vals.at[at].i = i;
        if (n->how == HOW_THREAD) m->thread = (int)((thread < 0 ? 0 : thread) * (hi - lo) + (i - lo));
        if (n->how == HOW_BLOCK) m->epoch++, m->landed = m->groups;
        run(m, n->body, in_item);
    }
    m->thread = thread;
    m->vals.n = at;
}

static void run(Machine *m, const Node *n, bool in_item) {
    AccessVec acc = {0};
    switch (n->kind) {
    case N_SEQ: run_seq(m, n, in_item); break;
    case N_FOR: run_loop(m, n, in_item); break;
    case N_IF:
        if (value(m, n->cond)) run(m, n->then, in_item);
        else if (n->other) run(m, n->other, in_item);
        break;
    case N_STMT:
        acc = node_accesses(m->a, n);
        for (int k = 0; k < acc.n; k++)
            if (k) touch_word(m, acc.at[k].array, acc.at[k].sub, true, false);
        touch_word(m, acc.at[0].array, acc.at[0].sub, acc.at[0].read, true);
        break;
    case N_COPY:
        m->async = n->async;
        expr_walk(n->src, load, m);
        touch_word(m, n->dst, n->sub, n->op != OP_SET, true);
        m->async = false;
        break;
    case N_KERNEL: run(m, n->body, in_item); break;
    case N_BARRIER:
        m->step++;
        m->epoch += !n->warp;
        if (n->pending >= 0 && m->groups - n->pending > m->landed) m->landed = m->groups - n->pending;
        break;
    }
}

// What goes wrong for these parameters, "" for nothing.
static const char *watch(Arena *a, const Region *r, const Node *root, const int *params) {
    Machine *m = NEW(a, Machine);
    *m = (Machine){.a = a, .thread = ANYONE};
    for (int k = 0; k < r->nparams; k++) {
        InterpVal v = {r->params[k], params[k], 0};
        vec_push(a, &m->vals, v);
    }
    run(m, root, false);
    return m->clash;
}

// ---- trees ---------------------------------------------------------------------------------------
typedef struct Found {
    VEC(Node *) barriers;
} Found;

static Arena *found_arena;
static void find_barrier(Node *n, void *arg) {
    Found *f = arg;
    if (n->kind == N_BARRIER) vec_push(found_arena, &f->barriers, n);
}

// The text between barriers, shortened: "coop", "thread", "for", "|" or "|pending" a barrier, ":" one of
// warps.
static void shape(Text *t, const Node *n) {
    switch (n->kind) {
    case N_SEQ:
        for (int k = 0; k < n->nkids; k++) shape(t, n->kids[k]);
        break;
    case N_FOR:
        if (n->how == HOW_THREAD) text_put(t, "T ");
        else if (n->how == HOW_COOP) text_put(t, "C ");
        else if (n->how == HOW_BLOCK) shape(t, n->body);
        else {
            text_put(t, "( ");
            shape(t, n->body);
            text_put(t, ") ");
        }
        break;
    case N_IF:
        shape(t, n->then);
        if (n->other) shape(t, n->other);
        break;
    case N_KERNEL: shape(t, n->body); break;
    case N_BARRIER:
        text_put(t, n->warp ? ":" : "|");
        if (n->pending >= 0) text_printf(t, "%d", n->pending);
        text_put(t, " ");
        break;
    default: text_put(t, "S "); break;
    }
}

// Three sizes each: all right as it is; wrong somewhere with any barrier away or waiting less.
static void confirm(Compile *c, const Region *r, Node *root, const int (*sizes)[3], int nsizes, int tight,
                    const char *name) {
    Found f = {0};
    found_arena = c->arena;
    for (int s = 0; s < nsizes; s++) {
        const char *clash = watch(c->arena, r, root, sizes[s]);
        if (*clash) fail_msg("%s at size %d: %s\n%s", name, s, clash, ir_print_node(c->arena, root, 0));
    }
    node_walk(root, find_barrier, &f);
    for (int k = 0; k < f.barriers.n; k++)
        for (int waits = 0; waits < 2; waits++) {
            Node *none = node_seq(c->arena, 0, NULL), *less = node_clone(c->arena, f.barriers.at[k]);
            // Some wait for what another has waited for before: right, not tight.
            if (waits && (less->pending < 0 || k >= tight)) continue;
            less->pending++;
            Node *cut = node_replace(c->arena, root, f.barriers.at[k], waits ? less : none);
            bool seen = false;
            for (int s = 0; s < nsizes && !seen; s++) seen = *watch(c->arena, r, cut, sizes[s]) != 0;
            if (!seen) fail_msg("%s: barrier %d is %s for nothing\n%s", name, k, waits ? "waiting" : "there",
                                ir_print_node(c->arena, root, 0));
        }
}

static const char *shape_of(Compile *c, const Node *root) {
    Text t = text_new(c->arena);
    shape(&t, root);
    return text_str(&t);
}

static Node *with_barriers(Compile *c, const char *text, const char *expected, const char *name,
                           IrFile **file) {
    IrFile *f = *file = read_nest(c, text);
    double start = time_now();
    Node *root = dep_barriers(c, f->nests[0], f->nests[0]->root);
    double took = time_now() - start;
    if (!root) fail_msg("%s: %s", name, c->diags.at[0].text);
    const char *got = shape_of(c, root);
    print_message("%-24s %5.1f ms  %s\n", name, took * 1e3, got);
    if (strcmp(got, expected) != 0) fail_msg("%s: expected %s\n%s", name, expected,
                                             ir_print_node(c->arena, root, 0));
    return root;
}

static void gemm(int stages, bool async, bool branches, const char *expected) {
    static const int sizes[][3] = {{4, 4, 1}, {5, 3, 2}, {3, 5, 5}, {8, 4, 8}, {7, 9, 11}, {4, 4, 14},
                                   {4, 4, 13}};
    Compile *c = compile_new();
    Gemm full = gemm_full, small = gemm_small;
    full.stages = small.stages = stages;
    full.async = small.async = async;
    full.branches = small.branches = branches;
    const char *name = arena_printf(c->arena, "gemm, %d stages%s%s", stages, async ? ", async" : "",
                                    branches ? ", apart" : "");
    IrFile *f;
    with_barriers(c, gemm_text(c->arena, &full), expected, name, &f);
    Node *root = with_barriers(c, gemm_text(c->arena, &small), expected, name, &f);
    confirm(c, f->region, root, sizes, 7, stages > 1 ? 2 : 1, name);
    compile_free(c);
}

static void gemms(void **state) {
    (void)state;
    gemm(1, false, false, "T ( C C | T | ) C C | T T ");
    gemm(2, false, false, "T ( C C ) | ( C C T | ) C C | T T ");
    gemm(3, false, false, "T ( C C ) | ( C C T | ) C C | T T ");
    gemm(1, true, false, "T ( C C |0 T |0 ) C C |0 T T ");
    gemm(2, true, false, "T ( C C ) |0 ( C C T |0 ) C C |1 T T ");
    gemm(3, true, false, "T ( C C ) |1 ( C C T |1 ) C C |2 T T ");
    gemm(4, true, false, "T ( C C ) |2 ( C C T |2 ) C C |3 T T ");
    gemm(2, true, true, "T C C |0 ( C C T |0 ) C C |1 T T ");
    gemm(3, true, true, "T C C C C |1 ( C C T |1 ) C C |2 T T ");
    gemm(4, true, true, "T C C C C C C |2 ( C C T |2 ) C C |3 T T ");
}

static void ahead(void **state) {
    (void)state;
    static const int sizes[][3] = {{4, 4, 2}, {5, 3, 4}, {3, 5, 6}};
    Compile *c = compile_new();
    IrFile *f;
    Node *root = with_barriers(c, gemm_ahead_text(c->arena), "T T : ( T T : T : ) T ", "ahead", &f);
    confirm(c, f->region, root, sizes, 3, 0, "ahead");
    compile_free(c);
}

static void stencil(void **state) {
    (void)state;
    static const int sizes[][3] = {{3}, {12}, {40}};
    Compile *c = compile_new();
    IrFile *f;
    Node *root = with_barriers(c, JACOBI_NEST, "C | T ", "jacobi", &f);
    confirm(c, f->region, root, sizes, 3, 0, "jacobi");
    compile_free(c);
}

#define Y_REGION                                                                                 \
    "sculpt 1 region sum auto { param n: i32 = \"n\" array x[n]: f32 = \"x\" array y[n]: f32 = "   \
    "\"y\" do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: y[i] = x[i] } nest \"gpu\" { when n >= 1 " \
    "do { kernel k0 { "

static void check(const char *body, const char *expected, const char *name) {
    static const int sizes[][3] = {{1}, {8}, {19}, {64}};
    Compile *c = compile_new();
    IrFile *f;
    Node *root = with_barriers(c, arena_printf(c->arena, Y_REGION "%s } } }", body), expected, name, &f);
    confirm(c, f->region, root, sizes, 4, 0, name);
    compile_free(c);
}

static void others(void **state) {
    (void)state;
    // A tree in shared memory: one barrier a level.
    check("for b: i32 = 0 .. 1 block { shared s[8]: f32 "
          "for t: i32 = 0 .. 8 thread copy s[t] = 1.0f32 "
          "for t: i32 = 0 .. 4 thread copy s[t] += s[t + 4] for t: i32 = 0 .. 2 thread copy s[t] += s[t + 2] "
          "for t: i32 = 0 .. 1 thread copy s[t] += s[t + 1] }",
          "T : T : T : T ", "tree");
    // The same in warps, then across: one barrier of the block. What a warp reads of another needs one.
    check("for b: i32 = 0 .. 1 block { shared s[2][32]: f32 shared w[2]: f32 "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 32 thread copy s[t][u] = 1.0f32 "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 32 thread if (u < 16) "
          "copy s[t][2 * u] += s[t][2 * u + 1] "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 32 thread if (u == 0) copy w[t] = s[t][0] "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 32 thread if (t == 0 && u == 0) copy w[0] += w[1] }",
          "T : T T | T ", "warps");
    check("for b: i32 = 0 .. 1 block { shared s[64]: f32 "
          "for t: i32 = 0 .. 64 thread copy s[t] = 1.0f32 "
          "for t: i32 = 0 .. 32 thread copy s[t] += s[t + 32] for t: i32 = 0 .. 16 thread "
          "copy s[t] += s[t + 16] }",
          "T | T : T ", "wide tree");
    // Each thread keeps to its own words: none at all.
    check("for b: i32 = 0 .. 1 block { shared s[2][4]: f32 for q: i32 = 0 .. n { "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 4 thread copy s[t][u] = 1.0f32 "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 4 thread copy s[t][u] += 1.0f32 } }",
          "( T T ) ", "own words");
    // The same words by another decomposition of the thread's number into digits.
    check("for b: i32 = 0 .. 1 block { shared s[8]: f32 "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 4 thread copy s[4 * t + u] = 1.0f32 "
          "for v: i32 = 0 .. 4 thread for w: i32 = 0 .. 2 thread copy s[2 * v + w] += 1.0f32 }",
          "T T ", "other digits");
    check("for b: i32 = 0 .. 1 block { shared s[8]: f32 "
          "for t: i32 = 0 .. 2 thread for u: i32 = 0 .. 4 thread copy s[4 * t + u] = 1.0f32 "
          "for v: i32 = 0 .. 4 thread for w: i32 = 0 .. 2 thread copy s[v + 4 * w] += 1.0f32 }",
          "T : T ", "other words");
    // Words of device memory, from phase to phase; a body that is one phase.
    check("for b: i32 = 0 .. fdiv(n + 7, 8) block for q: i32 = 0 .. 3 "
          "for t: i32 = 0 .. 8 thread if (8 * b + 7 < n) copy y[8 * b + t] += x[8 * b + 7 - t] ",
          "( T ) ", "no meeting");
    check("for b: i32 = 0 .. fdiv(n + 7, 8) block for q: i32 = 0 .. 3 "
          "for t: i32 = 0 .. 8 thread if (8 * b + 7 < n) copy y[8 * b + fmod(t + q, 8)] += 1.0f32 ",
          "( T : ) ", "device memory");
    // Every other stretch is read two iterations later: one barrier, not two.
    check("for b: i32 = 0 .. 1 block { shared s[4][8]: f32 for q: i32 = 0 .. n { "
          "for t: i32 = 0 .. 8 thread copy s[fmod(q, 4)][t] = 1.0f32 "
          "for t: i32 = 0 .. 8 thread if (q >= 2) copy s[fmod(q, 4)][t] += s[fmod(q + 2, 4)][7 - t] } }",
          "( T T : ) ", "far");
    // In the loop a warp is by itself, behind it the block is not.
    check("for b: i32 = 0 .. 1 block { shared s[64]: f32 for t: i32 = 0 .. 64 thread copy s[t] = 1.0f32 "
          "for q: i32 = 0 .. n { for t: i32 = 0 .. 32 thread copy s[fmod(t + q, 32)] += 1.0f32 } "
          "for t: i32 = 0 .. 64 thread if (t < n) copy y[t] = s[63 - t] }",
          "T ( T : ) | T ", "a warp in a loop");
    // What comes ahead of a loop has landed at the barrier before it: none inside waits for it again.
    check("for b: i32 = 0 .. 1 block { shared s[64]: f32 for t: i32 = 0 .. 64 coop if (t < n) "
          "copy s[t] = x[t] "
          "async for q: i32 = 0 .. n { for t: i32 = 0 .. 64 thread if (t < n) copy s[t] += 1.0f32 "
          "for t: i32 = 0 .. 64 thread if (t < n) copy s[n - 1 - t] += 1.0f32 } "
          "for t: i32 = 0 .. 64 thread if (t < n) copy y[t] = s[t] }",
          "C |0 ( T | T | ) T ", "once");
}

static void refused(const char *body, const char *why) {
    Compile *c = compile_new();
    IrFile *f = read_nest(c, arena_printf(c->arena, Y_REGION "%s } } }", body));
    assert_null(dep_barriers(c, f->nests[0], f->nests[0]->root));
    assert_int_equal(c->diags.n, 1);
    if (!strstr(c->diags.at[0].text, why)) fail_msg("%s", c->diags.at[0].text);
    compile_free(c);
}

static void refusals(void **state) {
    (void)state;
    refused("for b: i32 = 0 .. 1 block { shared s[9]: f32 for t: i32 = 0 .. 8 thread for q: i32 = 0 .. 2 "
            "{ copy s[t] = 1.0f32 copy s[t + 1] += 1.0f32 } }",
            "of different threads meet on s in one phase");
}

// Threads of a phase that would meet at sizes between those the nest runs at.
static void between(void **state) {
    (void)state;
    static const struct {
        const char *when;
        bool parts;
    } cases[] = {{"n == 0 || n >= 32", true}, {"n == 0 || n >= 31", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile *c = compile_new();
        IrFile *f = read_nest(c, arena_printf(c->arena,
                                              "sculpt 1 region far scop { param n: i32 = \"n\" "
                                              "array a[n + 40]: f32 = \"a\" live "
                                              "do { for i: i32 = 0 .. 32 { S0[i] } } "
                                              "stmt S0[i]: a[i + n] = a[i] } "
                                              "nest \"gpu\" { when %s do { kernel k "
                                              "for b: i32 = 0 .. 1 block { shared s[32]: f32 "
                                              "for t: i32 = 0 .. 32 thread { S0[t] copy s[t] = a[t] } "
                                              "for t: i32 = 0 .. 16 thread copy s[t] += s[t + 16] } } }",
                                              cases[i].when));
        Node *n = dep_barriers(c, f->nests[0], f->nests[0]->root);
        if (!n != !cases[i].parts) fail_msg("%s: %s", cases[i].when,
                                            c->diags.n ? c->diags.at[0].text : "no refusal");
        compile_free(c);
    }
}

// Two members of records, of which one's subscript is not held within the member: they only may share bytes.
static void members(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = read_nest(c, "sculpt 1 region members omp { param n: i32 = \"n\" "
                             "array k[?]: i32 object c stride 16 = \"c\" live "
                             "array t[?][16]: i8 object c offset 4 = \"c\" live "
                             "do { for i: i32 = 0 .. n { S0[i] S1[i] } } stmt S0[i]: k[i] = 1 "
                             "stmt S1[i]: t[i][i % 6] = 2i8 } "
                             "nest \"gpu\" { when n == 32 do { kernel k0 for b: i32 = 0 .. 1 block { "
                             "shared s[32]: f32 "
                             "for x: i32 = 0 .. 32 thread { S0[x] S1[x] copy s[x] = 1.0f32 } "
                             "for x: i32 = 0 .. 16 thread copy s[x] += s[x + 16] } } }");
    if (!dep_barriers(c, f->nests[0], f->nests[0]->root)) fail_msg("%s", c->diags.at[0].text);
    compile_free(c);
}

// A kernel of one phase comes back as it was.
static void untouched(void **state) {
    (void)state;
    Compile *c = compile_new();
    IrFile *f = read_nest(c,
                          Y_REGION "for b: i32 = 0 .. fdiv(n + 7, 8) block for t: i32 = 0 .. 8 thread "
                          "if (8 * b + t < n) S0[8 * b + t] } } }");
    assert_ptr_equal(dep_barriers(c, f->nests[0], f->nests[0]->root), f->nests[0]->root);
    assert_null(c->isl);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gemms), cmocka_unit_test(ahead),
                                       cmocka_unit_test(stencil), cmocka_unit_test(others),
                                       cmocka_unit_test(refusals), cmocka_unit_test(between),
                                       cmocka_unit_test(members), cmocka_unit_test(untouched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
