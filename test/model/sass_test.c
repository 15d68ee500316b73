// SPDX-License-Identifier: MIT
// sass_test.c -- instructions counted in disassembled machine code
#include "model/sass.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char text[] =
    "\n\t.section\t.text.other,\"ax\",@progbits\n.text.other:\n"
    "        /*0000*/                   DFMA R2, R2, R4, R6 ;\n"
    "\t.section\t.text.k,\"ax\",@progbits\n"
    ".text.k:\n"
    "        /*0000*/                   S2R R0, SR_TID.X ;\n"
    "        /*0010*/                   LDG.E.CONSTANT R6, desc[UR10][R4.64] ;\n"
    ".L_x_1:\n"
    "        /*0020*/                   LDS.128 R8, [R0] ;\n"
    "        /*0030*/                   LDS R12, [R0+0x10] ;\n"
    "        /*0040*/                   FFMA R6, R8, R12, R6 ;\n"
    "        /*0050*/                   FFMA R6, R9, R12, R6 ;\n"
    "        /*0060*/                   IADD3 R0, R0, 0x20, RZ ;\n"
    "        /*0070*/                   ISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
    "        /*0080*/               @P0 BRA `(.L_x_1) ;\n"
    ".L_x_2:\n"
    "        /*0090*/                   LDS R12, [R0+0x10] ;\n"
    "        /*00a0*/                   FFMA R6, R8, R12, R6 ;\n"
    "        /*00b0*/              @!P1 BRA `(.L_x_2) ;\n"
    "        /*00c0*/                   STG.E desc[UR10][R4.64], R6 ;\n"
    "        /*00d0*/                   EXIT ;\n"
    ".L_x_7:\n"
    "        /*00e0*/                   BRA `(.L_x_7);\n"
    ".L_x_9:\n"
    "\t.section\t.text.more,\"ax\",@progbits\n.text.more:\n        /*0000*/                   EXIT ;\n";

static void inner_loop(void **state) {
    Arena *a = arena_new();
    (void)state;
    SassMix m = sass_mix(a, text, "k");
    assert_true(m.known && m.loop);
    assert_int_equal((int)mix_total(&m.all), 15);
    assert_int_equal((int)mix_total(&m.inner), 7); // the loop of two multiply-adds, not its remainder
    assert_int_equal((int)m.inner.fp32, 2);
    assert_int_equal((int)m.inner.shared, 2);
    assert_int_equal((int)m.inner.control, 2);
    assert_int_equal((int)m.all.global, 2);
    assert_int_equal((int)m.all.fp64, 0); // another kernel's
    assert_int_equal(m.joined[0], 1);
    assert_int_equal(m.joined[2], 1);
    assert_true(mix_share(&m.inner) > 0.28 && mix_share(&m.inner) < 0.29);
    assert_false(sass_mix(a, text, "missing").known);
    assert_false(sass_mix(a, "", "k").known);
    arena_free(a);
}

static void without_loop(void **state) {
    Arena *a = arena_new();
    (void)state;
    SassMix m = sass_mix(a, text, "other");
    assert_true(m.known && !m.loop);
    assert_int_equal((int)m.inner.fp64, 1);
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inner_loop), cmocka_unit_test(without_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
