// SPDX-License-Identifier: MIT
// search_test.c -- strategies on recorded logs in the place of a device: none measures a point twice, each
// ends, all find the best where they may see everything, and the model's prices help where they are right.
#include "tune/tuner.h"
#include "tune/child.h"
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { SIDE = 5, FAMILIES = 3, POINTS = SIDE * SIDE * FAMILIES };

// Families of a bowl each; some points are no candidates. off: how far prices are from the truth, as a
// factor.
static Space *bowls(Arena *a, double off, MeasuredVec *log) {
    Space *s = NEW(a, Space);
    Point *at = NEW_N(a, Point, POINTS);
    *s = (Space){.name = "bowls",
                 .catalogue = "0123456789abcdef0123456789abcdef",
                 .standard = "nest\n",
                 .price = 1,
                 .n = POINTS,
                 .at = at};
    s->key = (WiseKey){"0123456789abcdef0123456789abcdef", "H200", "sm_90", "nvidia", "gpu", "n=512", 16};
    for (int i = 0; i < POINTS; i++) {
        int f = i / (SIDE * SIDE), x = i / SIDE % SIDE, y = i % SIDE;
        double t = 0.5 + 0.2 * f + 0.1 * ((x - 3) * (x - 3) + (y - 1) * (y - 1));
        at[i] = (Point){
            .family = f, .ncoord = 2, .coord = {x, y}, .price = t * (1 + off * ((i * 7) % 5 - 2))};
        at[i].form = arena_printf(a, "strip i by=%d as=a%d,b%d\n", x + 1, y, f);
        at[i].digest = digest_text(a, digest_of(at[i].form, strlen(at[i].form)));
        Measured m = {i, i % 11 == 5 ? "wrong" : i % 13 == 5 ? "crashed" : "ok", 1e-3 * t, 1e-3};
        vec_push(a, log, m);
    }
    return s;
}

static void logs_are_read_back(void **state) {
    Arena *a = *state;
    const char *why = NULL;
    MeasuredVec log = {0}, back = {0};
    Space *s = bowls(a, 0, &log);
    Text t = text_new(a);
    text_put(&t, space_print(a, s));
    for (int i = 0; i < log.n; i++) text_put(&t, measured_print(a, &log.at[i]));
    Space *r = space_read(a, text_str(&t), &back, &why);
    assert_null(why);
    assert_string_equal(space_print(a, r), space_print(a, s));
    assert_int_equal(back.n, log.n);
    assert_string_equal(r->at[7].digest, s->at[7].digest);
    // A tuner that is killed leaves a log whose last line is cut: the rest counts.
    back.n = 0;
    r = space_read(a, arena_strndup(a, text_str(&t), t.n - 12), &back, &why);
    assert_non_null(r);
    assert_int_equal(back.n, log.n - 1);
    for (size_t n = 0; n < t.n; n += 97) { // no crash, whatever is left
        MeasuredVec some = {0};
        space_read(a, arena_strndup(a, text_str(&t), n), &some, &why);
    }
}

static void all_find_the_best(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0};
    Space *s = bowls(a, 0.1, &log);
    for (int k = 0; tactics[k]; k++)
        for (uint64_t seed = 1; seed < 20; seed++) {
            double best[POINTS + 1], alone;
            int n = tune_replay(a, s, &log, tactics[k], seed, 0, best, &alone);
            assert_true(n > 0 && n <= POINTS);
            for (int i = 1; i < n; i++) assert_true(best[i] >= best[i - 1]);
            if (best[n - 1] < 0.999) fail_msg("%s finds %g", tactics[k]->name, best[n - 1]);
            assert_int_equal(tune_replay(a, s, &log, tactics[k], seed, 7, best, &alone) <= 7,
                             1); // and ends when told
        }
}

static double after(Arena *a, const Space *s, const MeasuredVec *log, const char *name, int most) {
    double sum = 0, best[POINTS + 1], alone;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        int n = tune_replay(a, s, log, tactic_named(name), seed, most, best, &alone);
        sum += best[n - 1] / 40;
    }
    return sum;
}

static void prices_help(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0}, other = {0};
    Space *right = bowls(a, 0, &log), *rough = bowls(a, 0.1, &other);
    assert_true(after(a, right, &log, "model", 3) > 0.999);
    assert_true(after(a, rough, &other, "model", 10) > after(a, rough, &other, "random", 10));
    assert_true(after(a, rough, &other, "bayesian", 10) > after(a, rough, &other, "random", 10));
    assert_true(after(a, right, &log, "bayesian", 3) > 0.999);
    // By right prices it knows when to end.
    double best[POINTS + 1], alone;
    assert_true(tune_replay(a, right, &log, tactic_named("model"), 1, 0, best, &alone) < POINTS / 2);
}

// A family whose prices are four times too low hides the best; what other regions' measurements said of such
// prices finds it at once, and by those prices the search knows when to end and says so.
static void corrected_prices(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0};
    Space *s = bowls(a, 0, &log);
    Point *at = (Point *)s->at;
    double best[POINTS + 1], alone, raw, fixed;
    for (int i = 0; i < POINTS; i++)
        if (at[i].family == 2) at[i].price /= 4;
    tune_replay(a, s, &log, tactic_named("model"), 1, 3, best, &alone);
    raw = best[2];
    for (int i = 0; i < POINTS; i++)
        if (at[i].family == 2) at[i].fix = 4;
    tune_replay(a, s, &log, tactic_named("model"), 1, 3, best, &alone);
    fixed = best[2];
    if (!(raw < 0.9 && fixed > 0.999)) fail_msg("%g, corrected %g", raw, fixed);
}

// What the model takes for the same is measured once; then what costs a little more, and is the best.
static void the_same_once(void **state) {
    Arena *a = *state;
    enum { SAME = 12 };
    MeasuredVec log = {0};
    Space *s = bowls(a, 0, &log);
    Point *at = (Point *)s->at;
    double best[POINTS + 1], alone;
    log.n = 0;
    for (int i = 0; i < POINTS; i++) {
        at[i].family = i, at[i].price = i < SAME ? 1 : 1.02 + 0.001 * i;
        vec_push(a, &log, ((Measured){i, "ok", i == SAME ? 0.9e-3 : i < SAME ? 1e-3 : 1.1e-3, 1e-3}));
    }
    assert_true(tune_replay(a, s, &log, tactic_named("model"), 1, 3, best, &alone) == 3);
    assert_true(best[2] > 0.999);
}

static void neighbours(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0};
    Search s = {.a = a, .space = bowls(a, 0, &log)};
    int near[8];
    assert_int_equal(search_near(&s, 0, near, 8), 2);
    assert_int_equal(search_near(&s, SIDE + 1, near, 8), 4);
    assert_int_equal(search_near(&s, SIDE + 1, near, 3), 3);
}

// What wins must do so twice, clearly, and by more than the standard beside itself differs from itself.
static void winners(void **state) {
    (void)state;
    assert_true(tune_wins((double[]){1.2, 1.15}, (double[]){1.1, 1.05}, 0.1));
    assert_false(tune_wins((double[]){1.2, 0.95}, (double[]){1.1, 0.9}, 0.01)); // in one process alone
    assert_false(tune_wins((double[]){1.2, 1.08}, (double[]){1.1, 1.05}, 0.1)); // within the noise
    assert_false(tune_wins((double[]){1.2, 1.2}, (double[]){1.1, 0.99}, 0.01)); // not in each turn
    assert_false(tune_wins((double[]){1.01, 1.01}, (double[]){1.005, 1.005}, 0)); // hardly
}

// Prices in the order of the times, and in the other.
static void ranks(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0};
    Space *s = bowls(a, 0, &log);
    TuneRank r = tune_rank(a, s, &log);
    assert_true(r.n > 0 && r.n < POINTS && r.correlation > 0.999 && r.first == 0);
    for (int i = 0; i < POINTS; i++) ((Point *)s->at)[i].price = 1 / s->at[i].price;
    r = tune_rank(a, s, &log);
    assert_true(r.correlation < -0.999 && r.first > POINTS / 2);
}

// ---- a process of its own -------------------------------------------------------------------------------
static void speaks(FILE *in, FILE *out, void *arg) { (void)in, fprintf(out, "%s", (const char *)arg); }
static void dies(FILE *in, FILE *out, void *arg) { speaks(in, out, arg), fflush(out), raise(SIGSEGV); }
static void hangs(FILE *in, FILE *out, void *arg) {
    (void)arg, (void)out, (void)in;
    for (;;) pause();
}

static void children(void **state) {
    Arena *a = *state;
    const char *text;
    assert_int_equal(child_run(a, 60, speaks, "hello", &text), CHILD_DONE);
    assert_string_equal(text, "hello");
    assert_int_equal(child_run(a, 60, dies, "half", &text), CHILD_CRASHED);
    double start = time_now();
    assert_int_equal(child_run(a, 0.2, hangs, NULL, &text), CHILD_HUNG);
    assert_true(time_now() - start < 50);
}

static void answers(FILE *in, FILE *out, void *arg) {
    char line[64];
    (void)arg;
    for (int n = 1; fgets(line, sizeof line, in) && line[0] != 'x'; n++)
        fprintf(out, "%d %s", n, line), fflush(out);
}

// One that stays: asked again and again, until it is gone.
static void a_child_that_is_asked(void **state) {
    Arena *a = *state;
    const char *text;
    Child c;
    assert_true(child_start(&c, answers, NULL));
    assert_int_equal(child_ask(&c, a, 60, "one\n", &text), CHILD_DONE);
    assert_int_equal(child_ask(&c, a, 60, "two\n", &text), CHILD_DONE);
    assert_string_equal(text, "2 two\n");
    assert_int_equal(child_ask(&c, a, 60, "x\n", &text), CHILD_CRASHED);
    assert_int_equal(c.pid, 0);
    assert_true(child_start(&c, hangs, NULL));
    assert_int_equal(child_ask(&c, a, 0.2, "one\n", &text), CHILD_HUNG);
    assert_int_equal(c.pid, 0);
    assert_true(child_start(&c, answers, NULL));
    kill(c.pid, SIGKILL);
    usleep(100000);
    assert_int_equal(child_ask(&c, a, 60, "one\n", &text), CHILD_CRASHED);
    child_end(&c);
}

// What may be next is the rest in order of its score, nothing that is known, no more than may be measured.
static void the_next_ones(void **state) {
    Arena *a = *state;
    MeasuredVec log = {0};
    Search s = {.a = a, .space = bowls(a, 0, &log), .most = 4};
    double score[POINTS];
    search_begin(&s);
    for (int i = 0; i < POINTS; i++) score[i] = (i * 7) % POINTS;
    search_knows(&s, 0, 1);
    assert_int_equal(search_least(&s, score), 43); // 43 * 7 = 4 * 75 + 1
    assert_int_equal(s.nsoon, 3);
    for (int i = 0; i < 3; i++) assert_true(score[s.soon[i]] == i + 2);
}

static int set_up(void **state) { return (*state = arena_new()) == NULL; }
static int tear_down(void **state) { return arena_free(*state), 0; }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(logs_are_read_back),
                                       cmocka_unit_test(all_find_the_best), cmocka_unit_test(prices_help),
                                       cmocka_unit_test(corrected_prices), cmocka_unit_test(the_same_once),
                                       cmocka_unit_test(winners),
                                       cmocka_unit_test(ranks),
                                       cmocka_unit_test(neighbours), cmocka_unit_test(children),
                                       cmocka_unit_test(a_child_that_is_asked),
                                       cmocka_unit_test(the_next_ones)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
