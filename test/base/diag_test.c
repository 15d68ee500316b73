// SPDX-License-Identifier: MIT
// diag_test.c -- messages that are said once, and the line of the program below them.
#include "base/base.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void test_said_once(void **state) {
    (void)state;
    Compile *c = compile_new();
    Loc here = {"a.c", 3, 5}, there = {"a.c", 9, 5};
    diag(c, DIAG_WARNING, SC_BUG, here, "a copy of a_%d is wrong", 1);
    diag(c, DIAG_WARNING, SC_BUG, here, "a copy of a_%d is wrong", 2); // the other kind of machine's names
    assert_int_equal(c->diags.n, 1);
    diag(c, DIAG_WARNING, SC_BUG, there, "a copy of a_%d is wrong", 2);
    assert_int_equal(c->diags.n, 2);
    diag(c, DIAG_REMARK, SC_CARRIED, here, "loop i carries a");
    diag(c, DIAG_REMARK, SC_CARRIED, here, "loop i carries a");
    diag(c, DIAG_REMARK, SC_CARRIED, here, "loop i carries b");
    assert_int_equal(c->diags.n, 4);
    compile_free(c);
}

// What is printed of a line of n columns with the caret below column `at`; of no terminal's 100 columns 8 are
// the number's.
static char *shown(int n, int at) {
    static char text[1000];
    char name[] = "/tmp/sculpt-diag-test-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    FILE *f = fdopen(file, "w"), *out = tmpfile();
    for (int i = 1; i <= n; i++) fputc(i == at ? '@' : 'x', f);
    fclose(f);
    Diag d = {DIAG_REMARK, SC_CARRIED, {name, 1, at}, "something"};
    diag_print(out, &d, true);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = 0;
    fclose(out);
    unlink(name);
    return text;
}

static void test_lines(void **state) {
    (void)state;
    for (int n = 80; n < 130; n++)
        for (int at = 1; at <= n; at += 9) {
            char *text = strstr(shown(n, at), "    1 | "), *below = strchr(text, '\n') + 1;
            assert_true((strstr(text, "...") != NULL) == (n > 92));
            assert_true(below - text <= 101);
            assert_int_equal(strchr(text, '@') - text, strchr(below, '^') - below);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_said_once), cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
