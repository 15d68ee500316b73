// SPDX-License-Identifier: MIT
// knobs_test.c -- expressions of tuning spaces: what Python makes of them is what they are; nonsense is told.
#include "tune/formula.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static bool named(void *arg, const char *name, Value *out) {
    static double x = 48, sizes[] = {4096, 512};
    (void)arg;
    if (str_eq(name, "x")) return *out = (Value){.n = 1, .at = &x}, true;
    if (str_eq(name, "ProblemSize")) return *out = (Value){.list = true, .n = 2, .at = sizes}, true;
    return false;
}

static void numbers(void **state) {
    static const struct {
        const char *text;
        double is;
    } rows[] = {{"1 + 2 * 3", 7},
                {"(1 + 2) * 3", 9},
                {"7 // 2", 3},
                {"-7 // 2", -4},
                {"7 / 2", 3.5},
                {"-7 % 3", 2},
                {"2 ** 3 ** 2", 512},
                {"-2 ** 2", -4},
                {"x * 2 <= 96", 1},
                {"x % 32 != 0 and x < 64", 1},
                {"x == 32 || x == 64", 0},
                {"not x == 48", 0},
                {"!(x == 47)", 1},
                {"1 < 2 < 3", 1},
                {"3 > 2 > 2", 0},
                {"x in [16, 48]", 1},
                {"x in (16, 32)", 0},
                {"max(ProblemSize) - 1", 4095},
                {"min(3, x, 5)", 3},
                {"ProblemSize[1] // 2", 256},
                {"ceil(7 / 2)", 4},
                {"int(7 / 2)", 3},
                {"True and False", 0},
                {"'half' == \"half\"", 1},
                {"len(range(3, 35, 2))", 16},
                {"1e3", 1000},
                {"-(-10 // 3)", 4},
                {"2*-3", -6},
                {"xor_ == 1 or 1", NAN},
                {"1 +", NAN},
                {"(1", NAN},
                {"y", NAN},
                {"1 / 0", NAN},
                {"1 2", NAN},
                {"", NAN},
                {"ProblemSize[2]", NAN},
                {"ProblemSize + 1", NAN},
                {"\"open", NAN},
                {"range(0, 1, 0)", NAN},
                {"f(1)", NAN},
                {"range(10 ** 9)", NAN},
                {"[1, 2", NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = NAN;
        const char *why = NULL;
        bool ok = formula_number(*state, rows[i].text, named, NULL, &v, &why);
        if (ok != !isnan(rows[i].is) || (ok && v != rows[i].is) || (!ok && !why))
            fail_msg("%s is %g (%s)", rows[i].text, v, why ? why : "");
    }
}

static void lists(void **state) {
    static const struct {
        const char *text, *is;
    } rows[] = {{"[1, 2, 4]", "1 2 4"},
                {"[i for i in range(3, 9, 2)]", "3 5 7"},
                {"[16*i for i in range(1,4)]", "16 32 48"},
                {"[2**i for i in range(4)]", "1 2 4 8"},
                {"[max(i, 2) for i in [1, 3]]", "2 3"},
                {"list(range(3))", "0 1 2"},
                {"[8, range(2), 9]", "8 0 1 9"},
                {"(4, 5)", "4 5"},
                {"['a', 'b']", "nan nan"},
                {"[]", ""},
                {"[[i * 2 for i in [j + 1 for j in range(2)]]]", "2 4"}};
    Arena *a = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value v;
        const char *why = "";
        Text t = text_new(a);
        bool ok = formula_value(a, rows[i].text, NULL, NULL, &v, &why);
        for (int k = 0; ok && k < v.n; k++) text_printf(&t, "%s%s", k ? " " : "", formula_print(a, v.at[k]));
        if (!ok || strcmp(text_str(&t), rows[i].is))
            fail_msg("%s is %s (%s)", rows[i].text, text_str(&t), why);
    }
}

// No text takes its reader along.
static void nonsense(void **state) {
    static const char *const bits[] = {"(", ")", "[",    "]", "for ", " in ", "x", ",",
                                       "1", "-", "not ", "*", "//",   "\"",   "i"};
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        Arena *a = arena_new();
        Text t = text_new(a);
        Value v;
        const char *why;
        for (int k = 0; k < 14; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text_put(&t, bits[(seed >> 33) % (sizeof bits / sizeof *bits)]);
        }
        formula_value(a, text_str(&t), named, NULL, &v, &why);
        arena_free(a);
    }
    char deep[5000];
    memset(deep, '(', sizeof deep - 1), deep[sizeof deep - 1] = 0;
    Value v;
    const char *why = NULL;
    assert_false(formula_value(*state, deep, NULL, NULL, &v, &why));
    memset(deep, '-', sizeof deep - 1);
    assert_false(formula_value(*state, deep, NULL, NULL, &v, &why));
}

static int open_arena(void **state) { return *state = arena_new(), 0; }
static int close_arena(void **state) { return arena_free(*state), 0; }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(lists, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(nonsense, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
