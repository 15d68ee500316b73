// SPDX-License-Identifier: MIT
// steps_test.c -- loops of the host that look at what a region wrote
#include "front/front.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

// What the host reads of the first region in the body of a function with n, a, b, err, k; "" for nothing.
// line: of the loop.
static void looks(const char *body, const char *want, int line) {
    Compile *c = compile_new();
    char path[] = "/tmp/sculpt-steps-test-XXXXXX.c";
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    close(fd);
    const char *text = arena_printf(c->arena,
                                    "#include <math.h>\nvoid show(float);\n"
                                    "void f(int n, float *a, float *b, float tol)\n{\n"
                                    "    float err = 1, old = 0;\n    int k = 0;\n%s\n}\n", body);
    assert_true(file_write(path, text, strlen(text)));
    FrontUnit *u = front_read(c, path, 0, NULL, false);
    unlink(path);
    if (!u || !u->nregions || !u->regions[0].region) fail_msg("no region: %s\n%s",
        c->diags.n ? c->diags.at[0].text : "?", body);
    const char *have = u->regions[0].looks_at;
    if (!str_eq(have ? have : "", want)) fail_msg("'%s', not '%s':\n%s", have ? have : "", want, body);
    if (*want) assert_int_equal(u->regions[0].looks.line, line);
    compile_free(c);
}

#define MOST \
    "#pragma omp parallel for reduction(max : err)\nfor (int i = 0; i < n; i++) err = fmaxf(err, a[i]);\n"
#define ROW "#pragma scop\nfor (int i = 0; i < n; i++) b[i] = 2 * a[i];\n#pragma endscop\n"

static void conditions(void **state) {
    (void)state;
    looks("while (err > tol) { err = 0;\n" MOST "}", "err", 7);
    looks("do {\n" MOST "} while (err > tol);", "err", 7);
    looks("for (k = 0; k < 9; k++) {\nerr = 0;\n" MOST "if (err < tol) break; }", "err", 7);
    looks("for (k = 0; k < 9; k++) {\n" ROW "if (b[n - 1] < tol) break; }", "b", 7);
    looks("for (k = 0; k < 9; k++) {\n" ROW "show(b[0]); }", "b", 7);
}

// The loop nearest to the region that looks.
static void nested(void **state) {
    (void)state;
    looks("for (int t = 0; t < 9; t++) {\nfor (k = 0; k < 9; k++) {\n" ROW "}\nold = b[0]; a[0] = old; }",
          "b", 7);
    looks("for (int t = 0; t < 9; t++) {\nfor (k = 0; k < 9; k++) {\n" ROW "old += b[0]; }\nshow(old); }",
          "b", 8);
}

static void nothing(void **state) {
    (void)state;
    looks(ROW "show(b[0]);", "", 0);
    looks("for (k = 0; k < 9; k++) {\n" ROW "}\nshow(b[0]);", "", 0);
    // written by the host
    looks("for (k = 0; k < 9; k++) {\n" ROW "b[0] = 1; a[k] = 2; }", "", 0);
    // pointers, and another region
    looks("for (k = 0; k < 9; k++) {\n" ROW ROW "float *t = a; a = b; b = t; }", "", 0);
    // the region writes b
    looks("while (tol > k) { k++;\n" ROW "show(a[0]); }", "", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(conditions), cmocka_unit_test(nested),
                                       cmocka_unit_test(nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
