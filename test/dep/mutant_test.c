// SPDX-License-Identifier: MIT
// mutant_test.c -- trees changed at random: where the judge allows one, the interpreter must find
// the region's results. SCULPT_TEST_SEED repeats a run, SCULPT_TEST_SECONDS makes it longer.
#include "running.h"
#include <ctype.h>

typedef struct Mutation {
    Arena *a;
    uint64_t state;
    const char *body;        // the text from the first kernel on
    VEC(int) numbers, names, less, branches;
} Mutation;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int pick(Mutation *m, int n) { return (int)(next(&m->state) % (uint64_t)n); }

// Where things begin that can be changed.
static void survey(Mutation *m) {
    for (int i = 1; m->body[i]; i++) {
        const char *s = m->body + i;
        bool begins = !is_word(s[-1]) && s[-1] != '.';
        if (begins && isdigit((unsigned char)*s)) vec_push(m->a, &m->numbers, i);
        if (begins && isalpha((unsigned char)*s)) vec_push(m->a, &m->names, i);
        if (begins && strncmp(s, "if (", 4) == 0) vec_push(m->a, &m->branches, i);
        if (strncmp(s, "< ", 2) == 0) vec_push(m->a, &m->less, i);
    }
}

static char *with(Mutation *m, int from, int to, const char *put) {
    return arena_printf(m->a, "%.*s%s%s", from, m->body, put, m->body + to);
}

static char *other_number(Mutation *m) {
    int at = m->numbers.at[pick(m, m->numbers.n)];
    char *end;
    long v = strtol(m->body + at, &end, 10);
    return with(m, at, (int)(end - m->body), arena_printf(m->a, "%ld", v + (v == 0 || pick(m, 2) ? 1 : -1)));
}

// A counter or parameter as another one of the text.
static char *other_name(Mutation *m) {
    int at[2], len[2];
    for (int k = 0; k < 2; k++)
        do {
            at[k] = m->names.at[pick(m, m->names.n)];
            for (len[k] = 1; is_word(m->body[at[k] + len[k]]);) len[k]++;
        } while (len[k] > 2);
    return with(m, at[0], at[0] + len[0], arena_strndup(m->a, m->body + at[1], (size_t)len[1]));
}

static char *no_branch(Mutation *m) {
    int at = m->branches.at[pick(m, m->branches.n)], end = at + 3, depth = 0;
    do {
        depth += (m->body[end] == '(') - (m->body[end] == ')');
        end++;
    } while (depth);
    return with(m, at, end, "");
}

static char *mutate(Arena *a, const char *text, uint64_t state) {
    Mutation m = {.a = a, .state = state, .body = strstr(text, "kernel k0")};
    const char *head = arena_strndup(a, text, (size_t)(m.body - text));
    survey(&m);
    int kind = pick(&m, 10);
    char *body = kind < 5 ? other_number(&m) : kind < 8 ? other_name(&m) : NULL;
    if (kind == 8 && m.less.n) {
        int at = m.less.at[pick(&m, m.less.n)];
        body = with(&m, at, at + 1, "<=");
    }
    if (!body) body = m.branches.n ? no_branch(&m) : other_number(&m);
    return arena_printf(a, "%s%s", head, body);
}

static const char *original(Arena *a, int which) {
    Gemm g = gemm_small;
    if (which < 3) g.stages = which + 1;
    if (which < 3) return gemm_text(a, &g);
    if (which == 3) return JACOBI_NEST;
    if (which == 4) return SPLIT_NEST("reassociate");
    if (which == 5) return gemm_ahead_text(a);
    return replace(a, SUM_NEST("reassociate"), "copy part[b] = t[0] + t[1]",
                   "{ copy part[b] = 0.0f32 copy part[b] += t[0] copy part[b] += t[1] }");
}

static int answers[4], unread;

static void try_one(uint64_t seed) {
    Compile *c = compile_new();
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    int which = (int)(next(&state) % 7);
    char *text = mutate(c->arena, original(c->arena, which), state);
    IrFile *f = ir_parse(c, "mutant", text);
    if (f) {
        Verdict v = dep_judge(c, f->region, f->nests[0]->root);
        answers[v.answer]++;
        confirm(c, f->region, f->nests[0]->root, &v, arena_printf(c->arena, "seed %llu", (unsigned long long)seed));
    } else {
        unread++;
    }
    compile_free(c);
}

static void mutants(void **state) {
    (void)state;
    const char *given = getenv("SCULPT_TEST_SEED"), *long_ = getenv("SCULPT_TEST_SECONDS");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)(time_now() * 1e6);
    double end = time_now() + (long_ ? atof(long_) : 8);
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t k = 0; k < 10000 && time_now() < end; k++) try_one(seed + k);
    print_message("always %d, when %d, never %d, unknown %d, no tree %d\n", answers[ANSWER_ALWAYS], answers[ANSWER_WHEN],
                  answers[ANSWER_NEVER], answers[ANSWER_UNKNOWN], unread);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
