// SPDX-License-Identifier: MIT
// h200.h -- one compilation and the machine that the model's tests ask about
#ifndef SCULPT_TEST_H200_H
#define SCULPT_TEST_H200_H
#include "model/machine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static Compile *c;
static Machine *h200;

static int setup(void **state) {
    const char *why;
    (void)state;
    c = compile_new();
    h200 = machine_find(c->arena, "H200", &why);
    return !h200;
}
static int teardown(void **state) {
    (void)state;
    compile_free(c);
    return 0;
}
#endif
