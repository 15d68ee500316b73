// SPDX-License-Identifier: MIT
// places_test.c -- loops over steps after which pointers change places are regions in which they stay
#include "front/front.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define STEP "#pragma omp parallel for\nfor (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n"
typedef struct Case {
    const char *body;      // of a function with n, m, a, b, c
    const char *writes;    // what the first region's statements write, in order
} Case;
static const Case cases[] = {
    {"for (int t = 0; t < m; t++) {\n" STEP "float *o = a; a = b; b = o; }", "bab"},
    {"float *o;\nfor (int t = 0; t < m; t++) {\n" STEP "o = a, a = b, b = o; }", "bab"},
    {"for (int t = 1; t < 9; t++) {\n" STEP "float *o = a; a = b; b = c; c = o; }", "bcabc"},
    {"for (int t = 0; t < m; t++) {\n" STEP "float *o = a; a = b; b = o; }\nuse(a);", "bab"},
    {"float *o;\nfor (int t = 0; t < m; t++) {\n" STEP "o = a, a = b, b = o; }\nuse(o);", "b"},
    {"for (unsigned t = 0; t < m; t++) {\n" STEP "float *o = a; a = b; b = o; }", "b"},
    {"for (int t = 0; t < 9u; t++) {\n" STEP "float *o = a; a = b; b = o; }", "b"},
    {"#pragma sculpt\nfor (int t = 1; t <= m; t++) {\n" STEP "float *o = a; a = b; b = o; }", "bab"},
    {"for (int t = 0; t < m; t++) {\n" STEP "float *o = a; a = b; b = o; m--; }", "b"},
    {"for (int t = 0; t < m; t += 2) {\n" STEP "float *o = a; a = b; b = o; }", "b"},
    {"for (int t = 0; t < m; t++) {\n" STEP "a = b; }", "b"},
    {"for (int t = 0; t < m; t++) {\n" STEP "}", "b"},
    {"for (int t = 0; t < m; t++) {\n" STEP "#pragma omp parallel for\n"
     "for (int i = 1; i < n - 1; i++) a[i] = b[i];\n}", "ba"},
};

static void check(const Case *x) {
    Compile *c = compile_new();
    char path[] = "/tmp/sculpt-places-test-XXXXXX.c";
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    close(fd);
    const char *text = arena_printf(c->arena,
                                    "void use(float *);\nvoid f(int n, int m, float *a, float *b, float *c)\n"
                                    "{\n%s\n}\n", x->body);
    assert_true(file_write(path, text, strlen(text)));
    FrontUnit *u = front_read(c, path, 0, NULL, false);
    unlink(path);
    if (!u || !u->nregions || !u->regions[0].region) fail_msg("no region: %s\n%s",
        c->diags.n ? c->diags.at[0].text : "?", x->body);
    const Region *r = u->regions[0].region;
    Text have = text_new(c->arena);
    for (int i = 0; i < r->nstmts; i++) text_put(&have, r->stmts[i]->lhs->name);
    if (!str_eq(text_str(&have), x->writes)) fail_msg("'%s', not '%s':\n%s", text_str(&have), x->writes,
                                                      x->body);
    compile_free(c);
}

static void steps(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
