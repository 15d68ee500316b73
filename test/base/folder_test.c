// SPDX-License-Identifier: MIT
// folder_test.c -- folders that others may write to, folders of killed processes, programs with more rights
// than their user.
#include "base/base.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char base[64];

static int set_up(void **state) {
    (void)state;
    strcpy(base, "/tmp/sculpt-folder-test-XXXXXX");
    if (!mkdtemp(base)) return -1;
    return setenv("TMPDIR", base, 1);
}

static int tear_down(void **state) {
    (void)state;
    Arena *a = arena_new();
    int rc = process_run(a, (char *[]){"rm", "-rf", base, NULL}, NULL, NULL);
    arena_free(a);
    return rc;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static void make_old(Arena *a, const char *path) {
    assert_int_equal(process_run(a, (char *[]){"touch", "-d", "2 hours ago", (char *)path, NULL}, NULL, NULL),
                     0);
}

static void test_removed_with_arena(void **state) {
    (void)state;
    Arena *a = arena_new(), *life = arena_new();
    const char *why, *path = temp_folder(life, &why), *copy = arena_strdup(a, path);
    assert_true(str_has_prefix(path, base) && str_eq(why, "") && !path_shared(a, path));
    assert_true(file_write(arena_printf(a, "%s/file", path), "x", 1));
    pid_t child = fork();
    if (child == 0) arena_free(life), _exit(0); // it is the parent's
    waitpid(child, NULL, 0);
    assert_true(exists(copy));
    arena_free(life);
    assert_false(exists(copy));
    arena_free(a);
}

// A child makes a folder and is killed, or waits.
static pid_t make_in_child(char *path, bool killed) {
    int end[2];
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    if (child == 0) {
        const char *why, *made = temp_folder(arena_new(), &why);
        if (write(end[1], made, 100) != 100) _exit(1);
        if (killed) kill(getpid(), SIGKILL);
        pause();
    }
    assert_int_equal(read(end[0], path, 100), 100);
    if (killed) waitpid(child, NULL, 0);
    return child;
}

static void test_abandoned(void **state) {
    (void)state;
    Arena *a = arena_new();
    char left[100], held[100];
    const char *why, *other = arena_printf(a, "%s/other", base);
    make_in_child(left, true);
    pid_t holder = make_in_child(held, false);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_true(exists(left) && exists(held));
    assert_non_null(temp_folder(a, &why));
    assert_true(exists(left)); // young: its process may be about to lock it
    make_old(a, left), make_old(a, held), make_old(a, other);
    assert_non_null(temp_folder(a, &why));
    assert_false(exists(left));
    assert_true(exists(held) && exists(other));
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    arena_free(a);
}

static void test_shared_base(void **state) {
    (void)state;
    Arena *a = arena_new();
    const char *why;
    assert_string_equal(temp_base(a, &why), base);
    assert_string_equal(why, "");
    assert_int_equal(chmod(base, 0777), 0);
    assert_non_null(path_shared(a, base));
    assert_string_not_equal(temp_base(a, &why), base);
    assert_non_null(strstr(why, base));
    assert_int_equal(chmod(base, 01777), 0); // as /tmp is
    assert_string_equal(temp_base(a, &why), base);
    assert_int_equal(chmod(base, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(base, 1, 1), 0);
        assert_non_null(strstr(path_shared(a, base), "belongs to user 1"));
        assert_string_not_equal(temp_base(a, &why), base);
        assert_int_equal(chown(base, 0, 0), 0);
    }
    arena_free(a);
}

// This program as another user's set-user-ID program: only root can start one that gains rights by it. Such a
// program hears of no ASAN_OPTIONS, and its sanitizer may not look at it for leaks.
static void test_more_rights(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    if (geteuid() != 0) skip();
    Arena *a = arena_new();
    char self[4096] = "", *out = NULL, *copy = arena_printf(a, "%s/program", base);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    assert_int_equal(process_run(a, (char *[]){"cp", self, copy, NULL}, NULL, NULL), 0);
    setenv("SCULPT_HOST_CC", "/tmp/mine", 1);
    process_run(a, (char *[]){copy, "what", NULL}, &out, NULL);
    assert_string_equal(out, "/tmp/mine");
    assert_int_equal(chmod(base, 0755) | chown(copy, 65534, 65534) | chmod(copy, 04755), 0);
    int rc = process_run(a, (char *[]){copy, "what", NULL}, &out, NULL);
    unsetenv("SCULPT_HOST_CC");
    if (rc == 5) skip(); // a file system without set-user-ID
    assert_int_equal(rc, 0);
    assert_string_equal(out, "none; child: none");
    arena_free(a);
}

// What the copy says about a variable that names a program, and what the programs that it starts see.
static int say(void) {
    Arena *a = arena_new();
    const char *v = env_get("SCULPT_HOST_CC");
    char *child = NULL;
    bool more = getuid() != geteuid();
    process_run(a, (char *[]){"sh", "-c", "echo ${SCULPT_HOST_CC:-none}", NULL}, &child, NULL);
    if (more) printf("%s; child: %.*s", v ? v : "none", (int)strcspn(child, "\n"), child);
    else printf("%s", v ? v : "none");
    arena_free(a);
    return more ? 0 : 5;
}

// A program that isn't there has printed nothing.
static void not_started(void **state) {
    (void)state;
    Arena *a = arena_new();
    char *out = NULL, *err = NULL;
    assert_int_equal(process_run(a, (char *[]){"/nonexistent/program", NULL}, &out, &err), 127);
    assert_string_equal(out, "");
    assert_string_equal(err, "");
    arena_free(a);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) return say();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_removed_with_arena, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandoned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_base, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_more_rights, set_up, tear_down),
        cmocka_unit_test(not_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
