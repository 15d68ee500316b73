// SPDX-License-Identifier: MIT
// predefined.c -- the host compiler's own macros for clang.
//
// Programs ask `#if __GNUC__ >= 5 && !defined __clang__` around loops, and the host's compiler answers. So
// clang gets the host's answers before everything else. Headers of the system then show what they keep for
// that compiler: types and attributes that clang spells in another way.
#include "parse/reader.h"
#include "parse/lex.h"
#include <string.h>

static const char own[] =
    "#undef __clang__\n#undef __clang_major__\n#undef __clang_minor__\n#undef __clang_patchlevel__\n"
    "#undef __clang_version__\n#undef __llvm__\n";

// What headers show to gcc alone.
static const char adapted[] =
    "#ifndef __clang__\n"
    "#define __malloc__(...) __malloc__\n" // of whom memory that a function gives is freed
    "#define _Float32 float\n#define _Float64 double\n#define _Float32x double\n#define _Float64x long "
    "double\n"
    "#if __LDBL_MANT_DIG__ == 113\n#define _Float128 long double\n#else\n#define _Float128 "
    "__float128\n#endif\n"
    "#define scalar_storage_order(order) annotate(\"order \" order)\n" // which clang doesn't know
    "#define __scalar_storage_order__(order) annotate(\"order \" order)\n"
    "#undef _FORTIFY_SOURCE\n" // checks of lengths, in functions that only gcc has the words for
    "#endif\n";

// gcc's operations on atomic objects take what is _Atomic, clang's do not; here each is a call that may do
// anything with what it is given, and a value of the object's type.
#define VALUE(name)                                                                                          \
    "#define __atomic_" name "(p, ...) (" ATOMIC_CALL "(p, __VA_ARGS__), (__typeof__(((void)0, *(p))))0)\n"
#define EFFECT(name) "#define __atomic_" name "(...) " ATOMIC_CALL "(__VA_ARGS__)\n"
#define ARITHMETIC(op) VALUE("fetch_" op) VALUE(op "_fetch")
static const char atomics[] =
    "#ifndef __clang__\n"
    "_Bool " ATOMIC_CALL "(const volatile void *, ...);\n" ARITHMETIC("add") ARITHMETIC("sub")
        ARITHMETIC("and") ARITHMETIC("or") ARITHMETIC("xor") ARITHMETIC("nand") VALUE("exchange_n")
            VALUE("load_n") EFFECT("load") EFFECT("store") EFFECT("store_n") EFFECT("exchange")
                EFFECT("compare_exchange") EFFECT("compare_exchange_n") EFFECT("test_and_set")
                    EFFECT("clear") "#endif\n";

// Who the compiler is; of other macros those count that clang has itself.
static bool is_name_of_compiler(const char *name) {
    static const char *const begins[] = {"__GNUC_", "__clang_", "__VERSION__ ", "__llvm__ ", "_OPENMP ",
        "_OPENACC ", NULL};
    for (int i = 0; begins[i]; i++)
        if (str_has_prefix(name, begins[i])) return true;
    return false;
}

const char *clang_predefined(Arena *a, const char *defines) {
    static const char word[] = "#define ";
    Text t = text_new(a);
    if (!defines) return complex_library(a);
    text_put(&t, own);
    for (const char *at = defines, *end; (at = strstr(at, word)); at = end) {
        const char *name = at + strlen(word);
        int n = 0, line = (int)strcspn(at, "\n");
        while (lex_word_char(name[n])) n++;
        end = at + line;
        if (is_name_of_compiler(name)) text_printf(&t, "#undef %.*s\n%.*s\n", n, name, line, at);
        else if (str_has_prefix(name, "__"))
            text_printf(&t, "#ifndef %.*s\n%.*s\n#endif\n", n, name, line, at);
    }
    text_put(&t, adapted);
    text_put(&t, atomics);
    text_put(&t, complex_library(a));
    return text_str(&t);
}
