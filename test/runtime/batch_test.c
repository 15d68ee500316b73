// SPDX-License-Identifier: MIT
// batch_test.c -- which sizes only tell how many there are of the rest
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <string.h>
#include "run/state.h"

#define HEAD                                                                                   \
    "sculpt 1\nregion f_1 @\"f.c\":1:1 sculpt {\nparam q: i64 = \"q\"\nparam n: i64 = \"n\"\n" \
    "param m: i64 = \"m\"\n"
#define ARRAYS(rows) "array a[?][" rows "][m]: f32 = \"a\" live\narray b[?][m]: f32 = \"b\" live\n"
#define LOOPS(end) \
    "do { for x: i64 = 0 .. q { for y: i64 = 0 .. " end " { for z: i64 = 0 .. m { S0[x, y, z] } } } }\n"

static void test_counts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool counts[3];
    } cases[] = {
        {HEAD ARRAYS("n") LOOPS("n") "stmt S0[x, y, z]: a[x][y][z] += b[x][z]\n}\n", {true, false, false}},
        // b is shared
        {HEAD ARRAYS("n") LOOPS("n") "stmt S0[x, y, z]: a[x][y][z] += b[y][z]\n}\n", {false, false, false}},
        // side by side
        {HEAD ARRAYS("n") LOOPS("n") "stmt S0[x, y, z]: a[z][y][x] += b[x][z]\n}\n", {false, false, false}},
        // a distance
        {HEAD ARRAYS("q") LOOPS("n") "stmt S0[x, y, z]: a[x][y][z] += b[x][z]\n}\n", {false, false, false}},
        // two loops, of n none
        {HEAD ARRAYS("m") LOOPS("q") "stmt S0[x, y, z]: a[x][y][z] += b[x][z]\n}\n", {false, true, false}},
        // a value
        {HEAD ARRAYS("m") LOOPS("n") "stmt S0[x, y, z]: a[x][y][z] += f32(q)\n}\n", {false, true, false}},
        {HEAD ARRAYS("9") LOOPS("n") "stmt S0[x, y, z]: a[x + y][y][z] += 1.0\n}\n", {true, true, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile *c = compile_new();
        IrFile *f = ir_parse(c, "f", cases[i].text);
        if (!f) fail_msg("case %d: %s", (int)i, c->diags.at[0].text);
        Unit u = {.c = c, .region = f->region};
        for (int p = 0; p < 3; p++)
            if (batch_counts(&u, p) != cases[i].counts[p]) fail_msg("case %d, parameter %d", (int)i, p);
        compile_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
