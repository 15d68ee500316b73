// SPDX-License-Identifier: MIT
// maps_test.c -- pictures of the model: words in their banks, sectors of a request, occupancy over a knob.
#include "h200.h"
#include "model/maps.h"

// Access `text` of a kernel that turns a tile of 32 x 32, or of 32 x `row`.
static const AccessCost *access_of(int row, const char *text) {
    char *nest = arena_printf(c->arena,
        "sculpt 1\nregion f sculpt { param n: i32 = \"n\"\narray a[?][n]: f32 = \"a\" "
        "array b[?][n]: f32 = \"b\" live\n"
        "do { for i: i32 = 0 .. n for j: i32 = 0 .. n { S0[i, j] } } stmt S0[i, j]: b[i][j] = a[j][i] }\n"
        "nest \"gpu\" { when 1 do { kernel k0 for ib: i32 = 0 .. fdiv(n, 32) block "
        "for jb: i32 = 0 .. fdiv(n, 32) block {\n"
        "shared t[32][%d]: f32\n"
        "for y: i32 = 0 .. 8 thread for x: i32 = 0 .. 32 thread for s: i32 = 0 .. 4 "
        "copy t[8 * s + y][x] = a[32 * jb + 8 * s + y][32 * ib + x]\n"
        "for y1: i32 = 0 .. 8 thread for x1: i32 = 0 .. 32 thread for s1: i32 = 0 .. 4 "
        "copy b[32 * ib + 8 * s1 + y1][32 * jb + x1] = t[x1][8 * s1 + y1]\n"
        "} } }\n", row);
    IrFile *f = ir_parse(c, "f.nest", nest);
    if (!f) fail_msg("%s", c->diags.n ? c->diags.at[c->diags.n - 1].text : "?");
    InterpVal val = {.sym = f->region->params[0], .i = 4096};
    NestCost *n = model_nest(c->arena, f->nests[0], 1, &val, h200);
    assert_null(n->kernels[0]->refused);
    for (int i = 0; i < n->kernels[0]->naccesses; i++)
        if (str_eq(n->kernels[0]->accesses[i]->text, text)) return n->kernels[0]->accesses[i];
    fail_msg("there is no access %s", text);
    return NULL;
}

static void columns_of_a_tile_meet(void **state) {
    const AccessCost *x = access_of(32, "t[x1][8 * s1 + y1]");
    (void)state;
    BankMap *b = model_banks(c->arena, h200, x, 0);
    assert_non_null(b);
    assert_int_equal(b->ways, 32);
    assert_int_equal(b->passes, 32);
    assert_int_equal(b->ideal, 1);
    assert_int_equal(b->nrows, 32);
    assert_int_equal(b->ncells, 32);
    for (int k = 0; k < b->ncells; k++) { // all in one bank, one lane a row, one after another
        assert_int_equal(b->cells[k].bank, b->cells[0].bank);
        assert_int_equal(b->cells[k].row, k);
        assert_int_equal(b->cells[k].lane, k);
        assert_int_equal(b->cells[k].pass, k);
    }
}

static void padding_parts_them(void **state) {
    const AccessCost *x = access_of(32, "t[x1][8 * s1 + y1]");
    (void)state;
    assert_int_equal(model_padding(h200, x), 1);
    BankMap *b = model_banks(c->arena, h200, x, 1);
    assert_int_equal(b->passes, 1);
    bool seen[32] = {false};
    for (int k = 0; k < b->ncells; k++) {
        assert_false(seen[b->cells[k].bank]);
        seen[b->cells[k].bank] = true;
    }
    // What a kernel has that is written with such rows.
    BankMap *same = model_banks(c->arena, h200, access_of(33, "t[x1][8 * s1 + y1]"), 0);
    assert_int_equal(same->passes, 1);
    assert_int_equal(same->ncells, 32);
    // Where there is no conflict the least padding tried is as good as none.
    BankMap *row = model_banks(c->arena, h200, access_of(32, "t[8 * s + y][x]"), 0);
    assert_int_equal(row->passes, 1);
    assert_int_equal(row->nrows, 1);
}

static void sectors_of_rows_and_columns(void **state) {
    (void)state;
    SectorMap *s = model_sectors(c->arena, h200, access_of(32, "a[32 * jb + 8 * s + y][32 * ib + x]"));
    assert_int_equal(s->n, 4);
    assert_int_equal(s->lines, 1);
    for (int k = 0; k < 4; k++) assert_int_equal(s->at[k], k), assert_int_equal(s->used[k], 32);
    assert_null(model_sectors(c->arena, h200, access_of(32, "t[x1][8 * s1 + y1]")));
    assert_null(model_banks(c->arena, h200, access_of(32, "a[32 * jb + 8 * s + y][32 * ib + x]"), 0));
}

// Each point of a curve is what the calculator says there.
static void curves(void **state) {
    OccupancyPoint p[MODEL_CURVE];
    (void)state;
    for (int knob = KNOB_THREADS; knob <= KNOB_SHARED; knob++) {
        int n = model_curve(h200, 256, 64, 40000, (OccupancyKnob)knob, p, MODEL_CURVE);
        assert_true(n > 8);
        for (int i = 0; i < n; i++) {
            Occupancy o = occupancy_of(h200, knob == KNOB_THREADS ? p[i].value : 256,
                                       knob == KNOB_REGISTERS ? p[i].value : 64,
                knob == KNOB_SHARED ? p[i].value : 40000);
            assert_int_equal(p[i].warps, o.warps);
            assert_int_equal(p[i].limit, o.limit);
            assert_true(i == 0 || p[i].value > p[i - 1].value);
        }
    }
    int n = model_curve(h200, 256, 64, 0, KNOB_THREADS, p, MODEL_CURVE);
    assert_int_equal(p[0].value, 32);
    assert_int_equal(p[n - 1].value, 1024);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_tile_meet),
        cmocka_unit_test(padding_parts_them),
        cmocka_unit_test(sectors_of_rows_and_columns),
        cmocka_unit_test(curves),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
