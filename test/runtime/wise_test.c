// SPDX-License-Identifier: MIT
// wise_test.c -- the file of wisdom: what is kept and found, by which key; damage, hostile texts, a full
// file, kills and many processes.
#include "run/wise.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[64];
#define REGION "0123456789abcdef0123456789abcdef"

static int set_up(void **state) {
    *state = arena_new();
    strcpy(folder, "/tmp/sculpt-wise-test-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    setenv("SCULPT_WISDOM", arena_printf(*state, "%s/w.db", folder), 1);
    unsetenv("SCULPT_WISDOM_MAX");
    return 0;
}

static int tear_down(void **state) {
    int rc = process_run(*state, (char *[]){"rm", "-rf", folder, NULL}, NULL, NULL);
    arena_free(*state);
    return rc;
}

static Wise row(const char *device, const char *sizes, int64_t made) {
    return (Wise){.key = {REGION, device, "sm_90", "nvidia", "gpu", sizes, 16},
                  .name = "matmul_9",
                  .recipe = "strip i by=8\nclose as=k\n",
                  .verdict = "proved",
                  .catalogue = REGION,
                  .seconds = 1e-3,
                  .base = 2e-3,
                  .made = made};
}

static WiseStore *open_(Arena *a, bool write) {
    const char *why, *path = wise_path(a, &why);
    WiseStore *s = wise_open(a, path, write, &why);
    if (!s) fail_msg("%s", why);
    return s;
}

static int count(Arena *a) {
    WiseVec rows = {0};
    const char *why = "";
    wise_all(wise_files(a, &why), a, NULL, &rows, &why);
    assert_string_equal(why, "");
    return rows.n;
}

static void rows_come_back(void **state) {
    Arena *a = *state;
    const char *why = "";
    assert_int_equal(count(a), 0);
    assert_int_not_equal(access(wise_path(a, &why), F_OK), 0); // reading makes no file
    WiseStore *s = open_(a, true);
    Wise w = row("H200", "n=512", 5);
    assert_true(wise_put(s, &w, &why));
    w.made = 4, w.recipe = "", w.verdict = "default"; // an earlier one does not replace it
    assert_true(wise_put(s, &w, &why));
    WiseVec rows = {0};
    assert_true(wise_rows(s, a, REGION, &rows, NULL, &why));
    assert_int_equal(rows.n, 1);
    assert_string_equal(rows.at[0].recipe, "strip i by=8\nclose as=k\n");
    assert_string_equal(rows.at[0].key.sizes, "n=512");
    struct stat st;
    assert_int_equal(stat(wise_path(a, &why), &st), 0);
    assert_int_equal(st.st_mode & 077, 0);
    // Trials of the same key and catalogue alone.
    WiseTrial t = {REGION, "crashed", 0, 0};
    assert_true(wise_put_trial(s, &w.key, REGION, &t, &why));
    WiseTrialVec found = {0};
    assert_true(wise_trials(s, a, &w.key, REGION, &found, &why));
    assert_int_equal(found.n, 1);
    assert_string_equal(found.at[0].outcome, "crashed");
    assert_true(wise_trials(s, a, &w.key, "f123456789abcdef0123456789abcdef", &found, &why));
    assert_int_equal(found.n, 1);
    assert_int_equal(wise_forget(s, "mat", &why), 1);
    assert_int_equal(count(a), 0);
}

static void text_is_all_or_nothing(void **state) {
    Arena *a = *state;
    const char *why = NULL;
    Wise w[] = {row("H200", "n=512", 5), row("A100", "n=-3 m=7", 5), row("H200", "n=7", 5)};
    w[2].recipe = "planned " REGION;
    WiseError e[] = {{w[0].key, w[0].catalogue, "device-memory", 0.25},
                     {w[1].key, w[1].catalogue, "issue", -1}};
    WiseAll all = {{.n = 3, .at = w}, {.n = 2, .at = e}}, rows = {0};
    char *text = wise_print(a, &all);
    assert_true(wise_read(a, text, strlen(text), &rows, &why));
    assert_int_equal(rows.rows.n, 3);
    assert_int_equal(rows.errors.n, 2);
    assert_string_equal(rows.rows.at[2].recipe, w[2].recipe);
    assert_string_equal(wise_print(a, &rows), text);
    // Cut anywhere, or with any byte changed to a control character: refused, or all that it was.
    for (size_t n = 0; n < strlen(text); n++) {
        WiseAll some = {0};
        assert_false(wise_read(a, arena_strndup(a, text, n), n, &some, &why));
        assert_non_null(why);
        char *bad = arena_strdup(a, text);
        bad[n] = '\033';
        some = (WiseAll){0};
        assert_false(wise_read(a, bad, strlen(bad), &some, &why));
    }
    static const char *const slips[][2] = {{"n=512", "n=512;x"},
                                           {"align 16", "align 17"},
                                           {"gpu", "tpu"},
                                           {"0.001", "nan"},
                                           {"0.001", "-1"},
                                           {"proved", "vouched"},
                                           {"recipe 2", "recipe 99999999"},
                                           {"total 3", "total 4"},
                                           {"proved", "default"},
                                           {"made 5", "made -5"},
                                           {"logarithm 0.25", "logarithm 25"},
                                           {"logarithm 0.25", "logarithm nan"},
                                           {"errors 2", "errors 1"},
                                           {"errors 2\n", ""},
                                           {"waits issue", "waits "}};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const char *at = strstr(text, slips[i][0]);
        assert_non_null(at);
        char *bad = arena_printf(a, "%.*s%s%s", (int)(at - text), text, slips[i][1],
                                 at + strlen(slips[i][0]));
        WiseAll some = {0};
        assert_false(wise_read(a, bad, strlen(bad), &some, &why));
    }
    w[1].name = "\033[2J";
    WiseStore *s = open_(a, true);
    assert_int_equal(wise_put_all(s, &all, &why), -1);
    assert_int_equal(count(a), 0);
    // What prices erred by is carried, too, and forgotten with its region.
    WiseErrorVec found = {0};
    WiseFactorVec factors = {0};
    all.rows.n = 1;
    assert_int_equal(wise_put_all(s, &all, &why), 1);
    assert_true(wise_errors(s, a, NULL, &found, &why) && found.n == 2);
    assert_true(wise_factors(s, a, &w[0].key, w[0].catalogue, &factors, &why) && factors.n == 1);
    e[1].error = NAN;
    assert_int_equal(wise_put_all(s, &all, &why), -1);
    assert_int_equal(wise_forget(s, "", &why), 1);
    found.n = 0;
    assert_true(wise_errors(s, a, NULL, &found, &why) && found.n == 0);
}

static const Wise *found(int n, const Wise *rows, const char *device, const char *arch, const char *vendor,
                         const char *sizes, int64_t align, WiseLevel level) {
    WiseKey k = {REGION, device, arch, vendor, "gpu", sizes, align};
    WiseHit h = wise_match(n, rows, &k);
    if (h.row) assert_int_equal(h.level, level);
    return h.row;
}

static void the_nearest_row(void **state) {
    (void)state;
    Wise w[] = {row("H200", "n=512 m=8", 1), row("H200", "n=1024 m=8", 1), row("A100", "n=700 m=8", 1)};
    w[2].key.arch = "sm_80";
    assert_ptr_equal(found(3, w, "H200", "sm_90", "nvidia", "n=512 m=8", 16, WISE_DEVICE), &w[0]);
    assert_ptr_equal(found(3, w, "H200", "sm_90", "nvidia", "n=900 m=8", 16, WISE_DEVICE), &w[1]);
    assert_ptr_equal(found(3, w, "H200", "sm_90", "nvidia", "n=700 m=8", 16, WISE_DEVICE), &w[0]);
    assert_ptr_equal(found(3, w, "A40", "sm_80", "nvidia", "n=512 m=8", 16, WISE_ARCH), &w[2]);
    assert_ptr_equal(found(2, w, "A40", "sm_80", "nvidia", "n=512 m=8", 16, WISE_VENDOR), &w[0]);
    assert_ptr_equal(found(2, w, "MI300", "opencl", "amd", "n=512 m=8", 16, WISE_ANY), &w[0]);
    assert_null(
        found(3, w, "H200", "sm_90", "nvidia", "n=512 m=9", 16, WISE_DEVICE)); // small ones are themselves
    assert_null(found(3, w, "H200", "sm_90", "nvidia", "n=16384 m=8", 16, WISE_DEVICE)); // too far
    assert_null(found(3, w, "H200", "sm_90", "nvidia", "n=512", 16, WISE_DEVICE));       // other parameters
    assert_null(found(3, w, "H200", "sm_90", "nvidia", "n=512 m=8", 4, WISE_DEVICE)); // arrays lie otherwise
    w[0].key.align = 4;
    assert_ptr_equal(found(3, w, "H200", "sm_90", "nvidia", "n=512 m=8", 4, WISE_DEVICE), &w[0]);
}

static void write_file(const char *path, const char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static void damage_is_told(void **state) {
    Arena *a = *state;
    const char *why = "", *path = wise_path(a, &why);
    char noise[8192];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (char)(i * 37 + 11);
    write_file(path, noise, sizeof noise);
    chmod(path, 0600);
    for (int write = 0; write < 2; write++) {
        assert_null(wise_open(a, path, write, &why));
        assert_non_null(strstr(why, "damaged"));
    }
    unlink(path);
    // A sound file with bytes changed here and there: an error or other rows, never a crash.
    WiseStore *s = open_(a, true);
    for (int i = 0; i < 40; i++) {
        Wise w = row("H200", arena_printf(a, "n=%d", 100 + i), 1);
        assert_true(wise_put(s, &w, &why));
    }
    Arena *b = arena_new();
    size_t size;
    const char *copy = arena_printf(a, "%s/copy.db", folder);
    assert_int_equal(process_run(b, (char *[]){"cp", (char *)path, (char *)copy, NULL}, NULL, NULL), 0);
    char *bytes = file_read(b, copy, &size);
    for (unsigned seed = 1; seed < 60; seed++) {
        char *bad = arena_alloc(b, size + 1);
        memcpy(bad, bytes, size);
        for (unsigned k = 0; k < 20; k++)
            bad[(seed * 7919u + k * 104729u * seed) % size] ^= (char)(1 + seed % 255);
        write_file(copy, bad, size);
        chmod(copy, 0600);
        Arena *each = arena_new();
        WiseVec rows = {0};
        int none;
        WiseStore *t = wise_open(each, copy, seed % 2, &why);
        if (t) wise_rows(t, each, NULL, &rows, &none, &why);
        for (int i = 0; i < rows.n; i++) assert_null(wise_wrong(&rows.at[i]));
        arena_free(each);
    }
    arena_free(b);
    // Another program's file is none of ours.
    unlink(copy);
    assert_int_equal(process_run(a, (char *[]){"cp", (char *)path, (char *)copy, NULL}, NULL, NULL), 0);
    int fd = open(copy, O_WRONLY);
    assert_int_equal(pwrite(fd, "\0\0\0\1", 4, 68), 4); // application_id
    close(fd);
    assert_null(wise_open(a, copy, true, &why));
    assert_non_null(strstr(why, "no file of wisdom"));
}

static void others_may_not_write(void **state) {
    Arena *a = *state;
    const char *why = "", *path = wise_path(a, &why);
    Wise w = row("H200", "n=1", 1);
    {
        Arena *b = arena_new();
        assert_true(wise_put(open_(b, true), &w, &why));
        arena_free(b);
    }
    chmod(path, 0666);
    assert_null(wise_open(a, path, false, &why));
    assert_non_null(strstr(why, "others may write"));
    chmod(path, 0600);
    chmod(folder, 0777);
    assert_null(wise_open(a, path, true, &why));
    chmod(folder, 0500); // nothing can be written: what stands there is read all the same
    if (geteuid() != 0) {
        assert_int_equal(count(a), 1);
        assert_null(wise_open(a, path, true, &why));
        assert_non_null(strstr(why, "written"));
    }
    chmod(folder, 0700);
    assert_int_equal(count(a), 1);
}

static void it_stays_small(void **state) {
    Arena *a = *state;
    const char *why = "", *path = wise_path(a, &why);
    setenv("SCULPT_WISDOM_MAX", "1", 1);
    WiseStore *s = open_(a, true);
    char *long_recipe = arena_alloc(a, 20001);
    memset(long_recipe, 'x', 20000);
    long_recipe[19999] = '\n';
    for (int i = 0; i < 150; i++) {
        Wise w = row("H200", arena_printf(a, "n=%d", i), i + 1);
        w.recipe = long_recipe;
        if (!wise_put(s, &w, &why)) fail_msg("%s", why);
    }
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= 1 << 20);
    WiseVec rows = {0};
    assert_true(wise_rows(s, a, NULL, &rows, NULL, &why));
    assert_true(rows.n > 10 && rows.n < 60);
    for (int i = 0; i < rows.n; i++) assert_true(rows.at[i].made > 60); // the oldest went
}

// Processes that put rows and are killed at some moment: what was put stays, and the file is sound.
static void killed_and_crowded(void **state) {
    Arena *a = *state;
    enum { PROCESSES = 4, EACH = 25, KILLS = 12 };
    pid_t child[PROCESSES + KILLS];
    for (int p = 0; p < PROCESSES + KILLS; p++) {
        if ((child[p] = fork())) continue;
        Arena *b = arena_new();
        const char *why = "", *path = wise_path(b, &why);
        WiseStore *s = wise_open(b, path, true, &why);
        for (int i = 0; s && (i < EACH || p >= PROCESSES); i++) {
            Wise w = row("H200", arena_printf(b, "n=%d m=%d", p, i), 1);
            if (!wise_put(s, &w, &why)) fprintf(stderr, "%s\n", why), _exit(2);
        }
        if (!s) fprintf(stderr, "%s\n", why);
        _exit(!s);
    }
    for (int k = 0; k < KILLS; k++) usleep(3000), kill(child[PROCESSES + k], SIGKILL);
    for (int p = 0, status; p < PROCESSES + KILLS; p++) {
        waitpid(child[p], &status, 0);
        if (p < PROCESSES) assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_true(count(a) >= PROCESSES * EACH);
}

// What prices err by: a figure a region and size, of this device and catalogue alone.
static void factors(void **state) {
    Arena *a = *state;
    const char *why = "", *catalogue = "0123456789abcdef0123456789abcdef";
    WiseStore *s = open_(a, true);
    Wise w = row("H200", "n=1", 1), other = row("H200", "n=2", 1), far = row("H100", "n=1", 1);
    WiseFactorVec all = {0};
    assert_true(wise_factors(s, a, &w.key, catalogue, &all, &why)); // a file in which there are none
    assert_int_equal(all.n, 0);
    for (int again = 0; again < 2; again++)
        assert_true(wise_put_factor(s, &w.key, catalogue, "device-memory", again ? 1.0 : 7.0, &why));
    assert_true(wise_put_factor(s, &other.key, catalogue, "device-memory", 2.0, &why));
    assert_true(wise_put_factor(s, &far.key, catalogue, "device-memory", 9.0, &why));
    assert_true(wise_put_factor(s, &w.key, catalogue, "latency", -1.0, &why));
    assert_true(wise_factors(s, a, &w.key, catalogue, &all, &why));
    assert_int_equal(all.n, 2);
    assert_string_equal(all.at[0].bound, "device-memory");
    assert_int_equal(all.at[0].n, 2);
    assert_true(fabs(all.at[0].mean - 1.5) < 1e-9 && fabs(all.at[0].spread - sqrt(0.5)) < 1e-9);
    assert_true(all.at[1].n == 1 && all.at[1].mean == -1 && all.at[1].spread == 0);
    all.n = 0;
    assert_true(wise_factors(s, a, &w.key, "another", &all, &why));
    assert_int_equal(all.n, 0);
}

static void setting(void **state) {
    (void)state;
    const char *wrong;
    static const struct {
        const char *value;
        WiseUse use;
        bool wrong;
    } all[] = {{"off", WISE_OFF, false},
               {"read", WISE_READ, false},
               {"write", WISE_WRITE, false},
               {"x", WISE_READ, true}};
    for (int i = 0; i < 4; i++) {
        setenv("SCULPT_TUNE", all[i].value, 1);
        assert_int_equal(wise_use(&wrong), all[i].use);
        assert_int_equal(wrong != NULL, all[i].wrong);
    }
    unsetenv("SCULPT_TUNE");
    assert_int_equal(wise_use(&wrong), WISE_WRITE);
}

int main(void) {
#define EACH(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {EACH(rows_come_back),
                                       EACH(text_is_all_or_nothing),
                                       EACH(damage_is_told),
                                       EACH(others_may_not_write),
                                       EACH(it_stays_small),
                                       EACH(killed_and_crowded), EACH(factors),
                                       cmocka_unit_test(the_nearest_row),
                                       cmocka_unit_test(setting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
