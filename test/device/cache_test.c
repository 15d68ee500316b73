// SPDX-License-Identifier: MIT
// cache_test.c -- the kernel cache among many processes, kills, damage and a full folder.
#include "run/run.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[64];

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/sculpt-cache-test-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    setenv("SCULPT_CACHE_DIR", folder, 1);
    unsetenv("SCULPT_CACHE_MAX");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    Arena *a = arena_new();
    int rc = process_run(a, (char *[]){"rm", "-rf", folder, NULL}, NULL, NULL);
    arena_free(a);
    return rc;
}

static Cache *open_(Arena *a) {
    const char *why = NULL;
    Cache *k = cache_open(a, &why);
    if (!k) fail_msg("%s", why);
    return k;
}

// The image of a key: its bytes and length follow from the key's hash.
static void image_of(Arena *a, const char *key, unsigned char **image, size_t *size) {
    uint64_t h = hash_bytes(key, strlen(key), 7);
    *size = 1000 + h % 9000;
    *image = arena_alloc(a, *size);
    for (size_t i = 0; i < *size; i++) (*image)[i] = (unsigned char)(h >> i % 8 * 8) + (unsigned char)i;
}

static void put(Cache *k, const char *key) {
    Arena *a = arena_new();
    unsigned char *image;
    size_t size;
    image_of(a, key, &image, &size);
    cache_put(k, key, image, size);
    arena_free(a);
}

// -1: what is there is wrong; 0: not there; 1: right.
static int look(Cache *k, const char *key) {
    Arena *a = arena_new();
    unsigned char *right;
    void *image;
    size_t n, size;
    image_of(a, key, &right, &n);
    int found = cache_get(k, a, key, &image, &size);
    if (found && (size != n || memcmp(image, right, n))) found = -1;
    arena_free(a);
    return found;
}

static void test_round_trip(void **state) {
    (void)state;
    Arena *a = arena_new();
    Cache *k = open_(a);
    assert_int_equal(look(k, "aa"), 0);
    put(k, "aa");
    put(k, "bb");
    put(k, "aa");
    assert_int_equal(look(k, "aa"), 1);
    arena_free(a);
    a = arena_new();
    k = open_(a);
    assert_int_equal(look(k, "aa"), 1);
    assert_int_equal(look(k, "bb"), 1);
    CacheStats s;
    assert_true(cache_stats(k, &s));
    assert_true(s.entries == 2 && s.hits == 3 && s.misses == 1 && s.bytes > 2000);
    assert_true(cache_clear(k) && cache_stats(k, &s));
    assert_true(s.entries == 0 && s.hits == 0 && s.bytes == 0);
    arena_free(a);
}

static void test_warm_open_is_fast(void **state) {
    (void)state;
    Arena *a = arena_new();
    put(open_(a), "aa");
    arena_free(a);
    double best = 1;
    for (int i = 0; i < 20; i++) {
        a = arena_new();
        double t = time_now();
        Cache *k = open_(a);
        assert_int_equal(look(k, "aa"), 1);
        t = time_now() - t;
        if (t < best) best = t;
        arena_free(a);
    }
    print_message("open and first hit: %.3f ms\n", 1e3 * best);
}

static void test_eviction(void **state) {
    (void)state;
    Arena *a = arena_new();
    setenv("SCULPT_CACHE_MAX", "1", 1);
    Cache *k = open_(a);
    char key[16];
    for (int i = 0; i < 400; i++) {
        snprintf(key, sizeof key, "%x", i);
        put(k, key);
        assert_int_equal(look(k, key), 1);
    }
    CacheStats s;
    assert_true(cache_stats(k, &s));
    assert_true(s.bytes <= 1 << 20 && s.bytes > (1 << 20) - 20000);
    assert_int_equal(look(k, "0"), 0);
    char *large = arena_alloc(a, 2 << 20);
    cache_put(k, "large", large, 2 << 20);
    assert_true(cache_stats(k, &s) && s.bytes > 0);
    setenv("SCULPT_CACHE_MAX", "0", 1);
    const char *why;
    assert_null(cache_open(a, &why));
    assert_string_equal(why, "");
    arena_free(a);
}

static void work(int seed, int rounds) {
    Arena *a = arena_new();
    const char *why;
    Cache *k = cache_open(a, &why);
    int bad = !k;
    char key[16];
    for (int i = 0; k && i < rounds; i++) {
        snprintf(key, sizeof key, "%x", (seed * 7 + i * 13) % 40);
        int found = look(k, key);
        if (found < 0) bad = 1;
        if (!found) put(k, key);
    }
    arena_free(a);
    _exit(bad);
}

static void test_many_processes(void **state) {
    (void)state;
    enum { N = 8 };
    pid_t pid[N];
    for (int i = 0; i < N; i++)
        if ((pid[i] = fork()) == 0) work(i, 60);
    for (int i = 0; i < N; i++) {
        int status;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    Arena *a = arena_new();
    CacheStats s;
    Cache *k = open_(a);
    assert_true(cache_stats(k, &s) && s.entries > 0);
    print_message("%lld entries, %lld hits, %lld misses\n", (long long)s.entries,
                  (long long)s.hits, (long long)s.misses);
    arena_free(a);
}

static void test_kill(void **state) {
    (void)state;
    for (int i = 0; i < 30; i++) {
        pid_t pid = fork();
        if (pid == 0) work(i, 1 << 30);
        usleep(2000 + (useconds_t)(i * 977 % 9000));
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        Arena *a = arena_new();
        Cache *k = open_(a);
        char key[16];
        for (int j = 0; j < 40; j++) {
            snprintf(key, sizeof key, "%x", j);
            assert_true(look(k, key) >= 0);
        }
        put(k, "after");
        assert_int_equal(look(k, "after"), 1);
        if (i % 5 == 0) assert_true(cache_clear(k));
        arena_free(a);
    }
}

static void damage(const char *path, long at, const char *with, size_t n) {
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    fwrite(with, 1, n, f);
    fclose(f);
}

static void test_damage(void **state) {
    (void)state;
    char junk[20000];
    memset(junk, 0xa5, sizeof junk);
    static const long places[] = {0, 100, 4096, 8192, 16384, 30000};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Arena *a = arena_new();
        Cache *k = open_(a);
        char key[16], path[128];
        snprintf(path, sizeof path, "%s", cache_path(k));
        for (int j = 0; j < 20; j++) snprintf(key, sizeof key, "%x", j), put(k, key);
        arena_free(a);
        damage(path, places[i], junk, sizeof junk);
        a = arena_new();
        k = open_(a);
        for (int j = 0; j < 20; j++) {
            snprintf(key, sizeof key, "%x", j);
            assert_true(look(k, key) >= 0);
        }
        for (int j = 0; j < 20; j++) snprintf(key, sizeof key, "%x", j), put(k, key);
        for (int j = 0; j < 3; j++) put(k, "after");
        assert_int_equal(look(k, "after"), 1);
        arena_free(a);
    }
}

static void test_no_folder(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why = NULL;
    setenv("SCULPT_CACHE_DIR", "/dev/null/sculpt", 1);
    assert_null(cache_open(a, &why));
    assert_true(why && strstr(why, "/dev/null/sculpt"));
    assert_false(cache_get(NULL, a, "aa", &(void *){0}, &(size_t){0}));
    cache_put(NULL, "aa", "x", 1);
    unsetenv("SCULPT_CACHE_DIR");
    setenv("XDG_CACHE_HOME", arena_printf(a, "%s/a/b", folder), 1);
    put(open_(a), "aa");
    assert_int_equal(access(arena_printf(a, "%s/a/b/sculpt/kernels-1.db", folder), F_OK), 0);
    unsetenv("XDG_CACHE_HOME");
    arena_free(a);
}

// Kernels are programs: what others may have put there is not run.
static void others(Arena *a, const char *path, mode_t mode, mode_t restored) {
    const char *why = "";
    assert_int_equal(chmod(path, mode), 0);
    Arena *life = arena_new();
    Cache *k = cache_open(life, &why);
    assert_non_null(strstr(why, path));
    assert_int_equal(look(k, "aa"), 0); // what is there is not seen
    put(k, "bb");
    assert_int_equal(look(k, "bb"), 1);
    const char *own = arena_strdup(a, cache_path(k));
    assert_null(strstr(own, folder));
    arena_free(life);
    assert_int_not_equal(access(own, F_OK), 0);
    assert_int_equal(chmod(path, restored), 0);
}

static void test_others_write(void **state) {
    (void)state;
    Arena *a = arena_new(), *first = arena_new();
    put(open_(first), "aa");
    arena_free(first);
    others(a, folder, 0777, 0700);
    others(a, folder, 01777, 0700);
    others(a, folder, 0770, 0700);
    others(a, arena_printf(a, "%s/kernels-1.db", folder), 0666, 0600);
    Cache *k = open_(a);
    assert_int_equal(look(k, "aa"), 1);
    assert_int_equal(look(k, "bb"), 0);
    arena_free(a);
}

static void test_fork(void **state) {
    (void)state;
    Arena *a = arena_new();
    Cache *k = open_(a);
    put(k, "aa");
    pid_t pid = fork();
    if (pid == 0) {
        int found = look(k, "aa");
        arena_free(a);
        _exit(found);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(look(k, "aa"), 1);
    arena_free(a);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip), TEST(test_warm_open_is_fast), TEST(test_eviction),
        TEST(test_many_processes), TEST(test_kill), TEST(test_damage), TEST(test_no_folder),
        TEST(test_others_write), TEST(test_fork)};
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
