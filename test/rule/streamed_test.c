// SPDX-License-Identifier: MIT
// streamed_test.c -- what all threads read together, and sums in parts: proved, and the same values
#include "follow.h"
#include "rule/stream.h"
#include "rule/terms.h"

#define HEAD "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt%s {\nparam n: i32 = \"n\"\nparam m: i32 = \"m\"\n"

// Sums over j; x[i] is the thread's own.
#define SUMS                                                                                        \
    HEAD "array x[?]: f32 = \"x\" live\narray y[?]: f32 = \"y\" live\narray w[?][2]: f32 = \"w\" live\n" \
    "array out[?]: f32 = \"out\" live\n"                                                            \
    "do { for i: i32 = 0 .. n { local s: f32\n S0[i]\n"                                             \
    " for j: i32 = 1 .. m { local d: f32\n S1[i, j]\n S2[i, j] }\n S3[i] } }\n"                     \
    "stmt S0[i]: s = 0.5\nstmt S1[i, j]: d = x[i] - y[j]\n"                                         \
    "stmt S2[i, j]: s += d * d + w[j - 1][1]\nstmt S3[i]: out[i] = s\n}\n"

// Rows i of x come by; the thread keeps row j of y.
#define ROWS                                                                                        \
    HEAD "array x[?][5]: f32 = \"x\" live\narray y[?][5]: f32 = \"y\" live\n"                       \
    "array out[?][m]: f32 = \"out\" live\n"                                                         \
    "do { for j: i32 = 0 .. m { for i: i32 = 0 .. n { local s: f32\n S0[j, i]\n"                    \
    " for d: i32 = 0 .. 5 { S1[j, i, d] }\n S2[j, i] } } }\n"                                       \
    "stmt S0[j, i]: s = 0.0\nstmt S1[j, i, d]: s += x[i][d] * y[j][d]\nstmt S2[j, i]: out[i][j] = s\n}\n"

typedef struct Bench {
    Compile *c;
    const Nest *start;
    Names names;
    Chain chain;
    MapDim dim;
} Bench;

static Bench bench_of(const char *text, const char *words, int threads, int per) {
    Bench b = {.c = compile_new()};
    b.start = start_of(b.c, arena_printf(b.c->arena, text, words));
    b.names = (Names){.arena = b.c->arena, .region = b.start->region};
    Node *loop = unwrap(b.start->region->root);
    b.chain = (Chain){.n = 1, .loop = {loop}, .body = loop->body};
    b.dim = (MapDim){.loop = 0, .threads = threads, .lo = loop->lo, .hi = loop->hi, .exact = true, .per = per,
                     .apart = true};
    return b;
}

// Proved, and right wherever the judge says so.
static void check_kernel(Bench *b, Node *kernel) {
    assert_non_null(kernel);
    Nest n = *b->start;
    n.root = node_seq(b->c->arena, 1, &kernel);
    n.recipe = "";
    if (!ir_verify_nest(b->c, &n)) fail_msg("%s\n%s", last_diag(b->c), ir_print_node(b->c->arena, n.root, 0));
    check_text(b->c, &n);
    Verdict v = dep_judge(b->c, n.region, n.root);
    if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN) fail_msg("%s", v.why ? v.why : "not decided");
    if (v.answer == ANSWER_WHEN) n.when = v.when;
    check_values(&n);
    compile_free(b->c);
}

static void sums(void **state) {
    (void)state;
    for (int per = 2; per < 5; per += 2) {
        Bench b = bench_of(SUMS, "", 4, per);
        Node *k = rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k");
        check_kernel(&b, rule_stream(&b.names, k, 8, false, 4096));
    }
}

// A stretch is as long as memory allows, and there is none when it can't be.
static void memory(void **state) {
    (void)state;
    Bench b = bench_of(SUMS, "", 4, 2);
    Node *k = rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k");
    check_kernel(&b, rule_stream(&b.names, k, 64, false, 2 * 16 * 4));
    b = bench_of(SUMS, "", 4, 2);
    k = rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k");
    assert_null(rule_stream(&b.names, k, 64, false, 16));
    compile_free(b.c);
}

static void find_short(Node *n, void *arg) {
    if (n->kind == N_FOR && n->hi->kind == E_INT) *(Node **)arg = n;
}

static Bench rows_of(void) {
    Bench b = bench_of(ROWS, "", 4, 2);
    Node *loop = NULL;
    node_walk(b.chain.body, find_short, &loop);
    Node *unrolled = node_clone(b.c->arena, loop);
    unrolled->how = HOW_UNROLL;
    b.chain.body = node_replace(b.c->arena, b.chain.body, loop, unrolled);
    return b;
}

static void rows(void **state) {
    (void)state;
    Bench b = rows_of();
    Node *k = rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k");
    check_kernel(&b, rule_stream(&b.names, k, 4, false, 1024));
}

// What the loop writes is not staged, and nothing else is there to be.
static void written(void **state) {
    (void)state;
    static const char text[] =
        HEAD "array x[?]: f32 = \"x\" live\narray out[?][m]: f32 = \"out\" live\n"
        "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }\n"
        "stmt S0[i, j]: out[i][j] = x[i]\n}\n";
    Bench b = bench_of(text, "", 4, 2);
    assert_null(rule_stream(&b.names, rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k"), 8, false, 4096));
    compile_free(b.c);
}

#define TERMS                                                                                       \
    HEAD "array x[?]: f32 = \"x\" live\narray y[?]: f32 = \"y\" live\narray out[?]: f32 = \"out\" live\n" \
    "do { for i: i32 = 0 .. n { local s: f32\n local p: f32\n S0[i]\n S1[i]\n"                      \
    " for j: i32 = 0 .. m { local d: f32\n S2[i, j]\n S3[i, j]\n S4[i, j] }\n S5[i] } }\n"          \
    "stmt S0[i]: s = 4.0\nstmt S1[i]: p = x[i]\nstmt S2[i, j]: d = x[i] - y[j]\n"                   \
    "stmt S3[i, j]: s += d * d\nstmt S4[i, j]: p max= d * y[j]\nstmt S5[i]: out[i] = s + p\n}\n"

static void find_buffer(Node *n, void *arg) {
    for (int i = 0; n->kind == N_SEQ && i < n->nlocals; i++)
        if (n->locals[i]->place == PLACE_SHARED) *(int *)arg = n->locals[i]->rank;
}

// In order terms are handed over, [row][word][lane]; with the permission parts are, once.
static void parts(void **state) {
    (void)state;
    for (int free = 0; free < 2; free++) {
        Bench b = bench_of(TERMS, free ? " reassociate" : "", TERM_LANES, 1);
        int weight = 0, rank = 0;
        Node *k = rule_terms(&b.names, rule_map_gpu(&b.names, &b.chain, 1, &b.dim, "k"), 24576, &weight);
        assert_non_null(k);
        node_walk(k, find_buffer, &rank);
        assert_int_equal(rank, free ? 2 : 3);
        check_kernel(&b, k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums), cmocka_unit_test(memory), cmocka_unit_test(rows), cmocka_unit_test(written),
            cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
