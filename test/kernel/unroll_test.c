// SPDX-License-Identifier: MIT
// unroll_test.c -- what #pragma unroll says of a hand-written kernel's loops stands at the nest's.
#include "kernel/kernel.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char text[] =
    "__global__ void k(const float *a, float *b, int n) {\n"
    "    for (int whole = 0; whole < n; whole++)\n"                  // nothing is said of it
    "        b[whole] += a[whole];\n"
    "#pragma unroll\n"
    "    for (int eight = 0; eight < 16; eight += 2) b[eight] += 1;\n"
    "  # pragma unroll (4)\n"
    "\n"
    "    for (int four = 0; four < n; four++) b[four] += 1;\n"
    "#pragma unroll 1\n"
    "    for (int rolled = 0; rolled < 16; rolled++) b[rolled] += 1;\n"
    "#pragma nounroll\n"
    "    for (int left = 0; left < 16; left++) b[left] += 1;\n"
    "#pragma unroll\n"
    "    for (int open = 0; open < n; open++) b[open] += 1;\n"       // whole, but nobody knows how often
    "}\n"
    "int main() { float *a, *b; k<<<1, 32>>>(a, b, 77); }\n";

static const struct {
    const char *iter;
    int unroll;
} want[] = {{"whole", 0}, {"eight", 8}, {"four", 4}, {"rolled", 1}, {"left", 1}, {"open", 0}};
enum { WANT = sizeof want / sizeof *want };

static void look(Node *n, void *met) {
    for (int k = 0; n->kind == N_FOR && k < WANT; k++) {
        if (!str_eq(n->iter->name, want[k].iter)) continue;
        if (n->unroll != want[k].unroll) fail_msg("%s: unroll %d, not %d", want[k].iter, n->unroll,
                                                  want[k].unroll);
        ++*(int *)met;
    }
}

static void pragmas(void **state) {
    (void)state;
    Compile *c = compile_new();
    char name[] = "/tmp/sculpt-unroll-XXXXXX.cu";
    int fd = mkstemps(name, 3), met = 0;
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    KernelLaunch launch = {0};
    KernelNest *k = front_read_kernel(c, front_kernel_file(c, name, 0, NULL), &launch);
    unlink(name);
    if (!k) fail_msg("%s", c->diags.n ? c->diags.at[0].text : "no nest");
    node_walk(k->nest->root, look, &met);
    assert_int_equal(met, WANT);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pragmas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
