// SPDX-License-Identifier: MIT
// fuzz_test.c -- kernels that somebody broke: cut off, with pieces missing, doubled or exchanged. The
// front end, the check of barriers and the model may refuse them, and must come to an end.
//
// Some seeds always; SCULPT_FUZZ=N takes N of them, SCULPT_FUZZ_SEED says from where.
#include "dep/written.h"
#include "kernel/kernel.h"
#include "model/model.h"
#include "model/machine.h"
#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

enum { FEW = 12, MAX_RUNS = 64, SECONDS = 120 };

typedef struct Random {
    uint64_t state;
} Random;

static uint64_t next(Random *r) { // splitmix64
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static size_t below(Random *r, size_t n) { return n ? (size_t)(next(r) % n) : 0; }

// ---- breaking a text ---------------------------------------------------------------------------
static size_t word_end(const char *s, size_t n, size_t at) {
    bool word = isalnum((unsigned char)s[at]) || s[at] == '_';
    do at++;
    while (at < n && word && (isalnum((unsigned char)s[at]) || s[at] == '_'));
    return at;
}

static char *with(Arena *a, const char *s, size_t from, size_t to, const char *put) {
    return arena_printf(a, "%.*s%s%s", (int)from, s, put, s + to);
}

static char *broken(Arena *a, Random *r, char *s) {
    static const char *const odd[] = {"", "0", "-1", "(", ")", "{", "}", "[", "]", ";", ",", "threadIdx.x",
                                      "2147483647", "1 << 40", "*", "&", "%",
                                      "while (1)", "__syncthreads();", "<<<", ">>>", "return;", "break;",
                                      "float4", "&&", "?", ":", "++", "dim3", "#if 1\n", "/*"};
    for (int k = 1 + (int)below(r, 4); k > 0; k--) {
        size_t n = strlen(s), at = below(r, n), to = at < n ? word_end(s, n, at) : n;
        size_t other = below(r, n), other_end = other < n ? word_end(s, n, other) : n;
        switch (below(r, 6)) {
        case 0: s = arena_strndup(a, s, at); break;
        case 1: s = with(a, s, at, to, odd[below(r, sizeof odd / sizeof *odd)]); break;
        case 2: s = with(a, s, at, at, odd[below(r, sizeof odd / sizeof *odd)]); break;
        case 3: s = with(a, s, at, to, arena_strndup(a, s + other, other_end - other)); break;
        case 4: s = with(a, s, at, at + below(r, n - at < 200 ? n - at : 200), ""); break;
        default: s = with(a, s, at, at, arena_strndup(a, s + other, n - other < 120 ? n - other : 120));
        break;
        }
    }
    return s;
}

// Of a processor: a busy machine ends no case.
static void limit_time(int seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

// ---- one case -------------------------------------------------------------------------------------
static void read_broken(Arena *a, const char *from, const char *words_text, const char *text) {
    char path[] = "/tmp/sculpt-fuzz-XXXXXX.cu";
    bool cl = str_has_suffix(from, ".cl");
    if (cl) strcpy(strrchr(path, '.'), ".cl");
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    char *words[64], *copy = arena_strdup(a, words_text), *rest;
    int n = 0;
    for (char *w = strtok_r(copy, " ", &rest); w && n < 64; w = strtok_r(NULL, " ", &rest)) words[n++] = w;
    Compile *c = compile_new();
    KernelWords o;
    const char *why = NULL;
    limit_time(SECONDS); // a case that does not end ends the test
    assert_true(front_kernel_words(c->arena, n, words, &o, &why));
    KernelFile *file = front_kernel_file(c, path, 0, NULL);
    front_kernel_names(file);
    KernelNest *k = front_read_kernel(c, file, &o.launch);
    if (k) {
        dep_check_written(c, k->nest, k->written, k->lockstep, NULL);
        model_nest(c->arena, k->nest, 0, NULL, machine_find(c->arena, "H200", &why));
    } else {
        assert_true(c->diags.n > 0); // who refuses says why
    }
    limit_time(0);
    compile_free(c);
    unlink(path);
}

typedef struct Case {
    const char *file, *words, *text;
} Case;

static int find_cases(Arena *a, Case *out, int most) {
    glob_t g;
    int n = 0;
    assert_int_equal(glob("test/kernels/*.c[ul]", 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        size_t size;
        const char *file = arena_strdup(a, g.gl_pathv[i]), *text = file_read(a, file, &size);
        char *lines = arena_strdup(a, text), *rest;
        for (char *line = strtok_r(lines, "\n", &rest); line && n < most; line = strtok_r(NULL, "\n", &rest))
            if (str_has_prefix(line, "// RUN ")) out[n++] = (Case){file, arena_strdup(a, line + 7), text};
    }
    globfree(&g);
    return n;
}

static void broken_kernels_are_refused_or_read(void **state) {
    (void)state;
    enum { MOST = 512 };
    const char *count = getenv("SCULPT_FUZZ"), *first = getenv("SCULPT_FUZZ_SEED");
    int cases = count ? atoi(count) : FEW;
    uint64_t seed = first ? strtoull(first, NULL, 10) : 1;
    Arena *a = arena_new();
    Case *all = NEW_N(a, Case, MOST);
    int n = find_cases(a, all, MOST);
    for (int i = 0; i < cases; i++) {
        Arena *own = arena_new();
        Random r = {seed + (uint64_t)i};
        const Case *k = &all[below(&r, (size_t)n)];
        if (count) fprintf(stderr, "seed %llu: %s %s\n", (unsigned long long)seed + (unsigned long long)i,
                           k->file, k->words);
        read_broken(own, k->file, k->words, broken(own, &r, arena_strdup(own, k->text)));
        arena_free(own);
    }
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(broken_kernels_are_refused_or_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
