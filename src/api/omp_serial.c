// SPDX-License-Identifier: MIT
// omp_serial.c -- OpenMP's functions for a program that is compiled without -fopenmp: one thread outside of
// kernels.
//
// All are weak, so that what a program defines itself stays, and hidden: threads of a library beside it are
// its own. Arguments and results are those of <omp.h>.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((weak, visibility("hidden")))

API int omp_get_thread_num(void) { return 0; }
API int omp_get_num_threads(void) { return 1; }
API int omp_get_max_threads(void) { return 1; }
API int omp_get_thread_limit(void) { return 1; }
API int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
API void omp_set_num_threads(int n) { (void)n; }
API int omp_in_parallel(void) { return 0; }
API void omp_set_dynamic(int on) { (void)on; }
API int omp_get_dynamic(void) { return 0; }
API void omp_set_nested(int on) { (void)on; }
API int omp_get_nested(void) { return 0; }
API int omp_get_cancellation(void) { return 0; }
API void omp_set_schedule(int kind, int chunk) { (void)kind, (void)chunk; }
API void omp_get_schedule(int *kind, int *chunk) { *kind = 1, *chunk = 0; } // static
API void omp_set_max_active_levels(int n) { (void)n; }
API int omp_get_max_active_levels(void) { return 1; }
API int omp_get_supported_active_levels(void) { return 1; }
API int omp_get_level(void) { return 0; }
API int omp_get_active_level(void) { return 0; }
API int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
API int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
API int omp_in_final(void) { return 1; }
API int omp_get_proc_bind(void) { return 0; }
API int omp_get_num_places(void) { return 0; }
API int omp_get_place_num(void) { return -1; }
API int omp_get_num_teams(void) { return 1; }
API int omp_get_team_num(void) { return 0; }

API double omp_get_wtime(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
API double omp_get_wtick(void) { return 1e-9; }

// ---- locks: the first int of each counts how often it is held ----------------------------------------
API void omp_init_lock(int *lock) { *lock = 0; }
API void omp_init_lock_with_hint(int *lock, int hint) { *lock = 0, (void)hint; }
API void omp_destroy_lock(int *lock) { *lock = 0; }
API void omp_set_lock(int *lock) {
    if (*lock) abort(); // the only thread would wait for itself
    *lock = 1;
}
API void omp_unset_lock(int *lock) { *lock = 0; }
API int omp_test_lock(int *lock) { return *lock ? 0 : (*lock = 1); }
API void omp_init_nest_lock(int *lock) { *lock = 0; }
API void omp_init_nest_lock_with_hint(int *lock, int hint) { *lock = 0, (void)hint; }
API void omp_destroy_nest_lock(int *lock) { *lock = 0; }
API void omp_set_nest_lock(int *lock) { ++*lock; }
API void omp_unset_nest_lock(int *lock) { --*lock; }
API int omp_test_nest_lock(int *lock) { return ++*lock; }
