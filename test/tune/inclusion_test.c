// SPDX-License-Identifier: MIT
// inclusion_test.c -- optional steps are decided by measuring, once; the choice is found again.
#include "run/wise.h"
#include "tune/inclusion.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
// after those
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAIRS                                                                                         \
    "sculpt 1\nregion pairs @\"p.c\":3:5 sculpt {\n param n: i32 = \"n\"\n array x[n]: f32 = \"x\"\n" \
    " array o[n]: f32 = \"o\" live\n"                                                                 \
    " do { for i: i32 = 0 .. n { local s: f32 S0[i] for j: i32 = 0 .. n { S1[i, j] } S2[i] } }\n"     \
    " stmt S0[i]: s = 0.0\n stmt S1[i, j]: s += x[i] * x[j]\n stmt S2[i]: o[i] = s\n}\n"
// The second name never fits.
static const char recipe[] = "target cpu\n"
                             "maybe hoist: hoist x at=j\n"
                             "maybe same: unroll q\n"
                             "map block i\n";

typedef struct Fixture {
    Lab *lab;
    Cache *cache;
    char dir[64];
} Fixture;

static Case *make(Fixture *f, const char *settings) {
    SettingVec s = {0};
    assert_true(settings_read(f->lab->a, settings, &s));
    CaseOptions o = {.seed = 3, .samples = 50, .nsettings = s.n, .settings = s.at};
    const char *why = "";
    Case *c = case_new(f->lab, "pairs", PAIRS, &o, &why);
    if (!c) print_message("%s\n", why);
    assert_non_null(c);
    return c;
}

static const TrialOptions quick = {.pairs = 3, .budget_s = 0.05, .keep = 0.7};

static void decided_once(void **state) {
    Fixture *f = *state;
    Case *c = make(f, "n=300");
    Trial like = {.name = "r", .kind = TRIAL_RECIPE, .text = recipe, .judging = JUDGE_LAST};
    Inclusion x;
    assert_true(inclusion_decide(c, &like, &quick, f->cache, false, &x));
    assert_int_equal(x.n, 2);
    assert_false(x.remembered);
    assert_true(x.seconds > 0);
    assert_true(x.tried.n == 4);
    // The step that does not fit makes no difference: two ways are the same as others.
    int same = 0;
    for (int i = 0; i < x.tried.n; i++) same += x.tried.at[i].same >= 0;
    assert_int_equal(same, 2);
    const char *kept = x.without;
    Inclusion again;
    assert_true(inclusion_decide(c, &like, &quick, f->cache, false, &again));
    assert_true(again.remembered);
    assert_int_equal(again.tried.n, 0);
    assert_string_equal(again.without, kept);
    assert_int_equal(again.best, x.best);
    // Asked for, it is measured anew; other sizes and other recipes are other questions.
    assert_true(inclusion_decide(c, &like, &quick, f->cache, true, &again));
    assert_false(again.remembered);
    like.text = "target cpu\nmaybe hoist: hoist x at=j\nmap block i\n";
    assert_true(inclusion_decide(c, &like, &quick, f->cache, false, &again));
    assert_false(again.remembered);
    case_free(c);
    c = make(f, "n=301");
    like.text = recipe;
    assert_true(inclusion_decide(c, &like, &quick, f->cache, false, &again));
    assert_false(again.remembered);
    case_free(c);
}

// What no way makes right is no winner.
static void refused(void **state) {
    Fixture *f = *state;
    Case *c = make(f, "n=40");
    Trial like = {.name = "r", .kind = TRIAL_RECIPE,
                  .text = "target cpu\nmaybe a: hoist x at=j\nmap block j\n", .judging = JUDGE_LAST};
    Inclusion x;
    assert_false(inclusion_decide(c, &like, &quick, f->cache, false, &x));
    for (int i = 0; i < x.tried.n; i++) assert_true(x.tried.at[i].why || x.tried.at[i].same >= 0);
    case_free(c);
}

// The winner's steps are in the wisdom, under the region wherever its loops stand.
static void steps_are_kept(void **state) {
    Fixture *f = *state;
    Arena *a = arena_new();
    const char *why, *path = wise_path(a, &why);
    assert_string_equal(digest_text(a, wisdom_region("sculpt 1\nregion keep @\"a.c\":1:2 {\n x }\n")),
                        digest_text(a, wisdom_region("sculpt 1\nregion keep_77 @\"other.c\":77:1 { x }\n"
                                                     "nest \"cpu\" { old }\n")));
    Case *c = make(f, "n=300");
    Trial like = {.name = "r", .kind = TRIAL_RECIPE, .text = recipe, .judging = JUDGE_LAST};
    Inclusion x;
    assert_true(inclusion_decide(c, &like, &quick, f->cache, true, &x));
    WiseStore *s = wise_open(a, path, false, &why);
    WiseVec rows = {0};
    assert_non_null(s);
    assert_true(wise_rows(s, a, digest_text(a, wisdom_region(PAIRS)), &rows, NULL, &why));
    bool found = false;
    for (int i = 0; i < rows.n; i++)
        found |= str_eq(rows.at[i].key.sizes, "n=300") && strstr(rows.at[i].recipe, "map block i");
    assert_true(found);
    case_free(c);
    arena_free(a);
}

static int open_all(void **state) {
    static Fixture f;
    Arena *a = arena_new();
    const char *why = "";
    strcpy(f.dir, "/tmp/sculpt-inclusion-XXXXXX");
    if (!mkdtemp(f.dir)) return -1;
    setenv("SCULPT_CACHE_DIR", f.dir, 1);
    setenv("SCULPT_WISDOM", arena_printf(a, "%s/wisdom.db", f.dir), 1);
    f.lab = lab_open(a, "cpu", &why);
    f.cache = cache_open(a, &why);
    *state = &f;
    return f.lab && f.cache ? 0 : -1;
}

static int close_all(void **state) {
    Fixture *f = *state;
    Arena *a = f->lab->a;
    int rc = process_run(a, (char *[]){"rm", "-rf", f->dir, NULL}, NULL, NULL);
    arena_free(a);
    return rc;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(decided_once), cmocka_unit_test(refused),
                                       cmocka_unit_test(steps_are_kept)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
