// SPDX-License-Identifier: MIT
// state.c -- the one state of a process: its lock, its settings, its device.
#include "run/state.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static Run state;                 // everything below is guarded by `lock`
static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int threads;
// How often this thread is in the library, or waits to be: set before anything is touched.
static _Thread_local volatile sig_atomic_t inside;
static atomic_bool interrupted;   // some handler of a signal came back to it from there
static _Thread_local Thread self = {.index = -1};
static int little;                // what sculpt_little is once the thread is known
static const int all_count = 0;
__thread const int *sculpt_little = &all_count;

// On unless it is 0; other words than 1 are told.
static bool is_on(const char *name) {
    const char *v = env_get(name);
    if (v && !str_eq(v, "0") && !str_eq(v, "1"))
        report_setting(name, v, "it takes 0 or 1, and whatever is not 0 counts as 1", NULL);
    return v && !str_eq(v, "0");
}

// A number; -1 after a warning that the value is none.
static int64_t number_of(const char *name) {
    const char *s = env_get(name);
    char *end = NULL;
    long long n = s ? strtoll(s, &end, 10) : 0;
    if (s && (end == s || *end || n < 0)) return report_setting(name, s, "it takes a number", NULL), -1;
    return n;
}

// Which of the words it is, from 0; -1: none, after a warning unless it isn't set.
static int word_of(const char *name, const char *why, const char *const *words) {
    const char *v = env_get(name);
    for (int i = 0; v && words[i]; i++)
        if (str_eq(v, words[i])) return i;
    if (v) report_setting(name, v, why, words);
    return -1;
}

static void read_settings(Settings *s, Arena *a) {
    s->device = arena_strdup(a, env_get("SCULPT_DEVICE"));
    s->time_path = arena_strdup(a, env_get("SCULPT_TIME"));
    s->check_path = arena_strdup(a, env_get("SCULPT_CHECK_FILE"));
    s->check = is_on("SCULPT_CHECK");
    s->require = is_on("SCULPT_REQUIRE");
    s->sync = is_on("SCULPT_SYNC");
    s->plan_for = arena_strdup(a, env_get("SCULPT_PLAN_FOR"));
    const char *wrong;
    s->wise = wise_use(&wrong);
    if (wrong) report_setting("SCULPT_TUNE", wrong, "it takes off, read or write", wise_words);
    s->log = word_of("SCULPT_LOG", "it takes bench", (const char *const[]){"bench", NULL}) == 0;
    s->no_chains = env_get("SCULPT_CHAINS") && !is_on("SCULPT_CHAINS");
    s->verbose = is_on("SCULPT_VERBOSE");
    int64_t n = number_of("SCULPT_REPEAT");
    s->repeat = n > 0 && s->time_path ? n > INT_MAX ? INT_MAX : (int)n : 0;
    number_of("SCULPT_CACHE_MAX"); // the cache reads it when it is opened,
    number_of("SCULPT_WISDOM_MAX"); // and the store of wisdom this
    is_on("SCULPT_DEPENDENT_LAUNCH"); // the device
    static const Offload meant[] = {OFFLOAD_AUTO, OFFLOAD_ALWAYS, OFFLOAD_NEVER};
    int at = word_of("SCULPT_OFFLOAD", "it takes auto, always or never",
                     (const char *const[]){"auto", "always", "never", NULL});
    s->offload = at < 0 ? OFFLOAD_AUTO : meant[at];
    env_misspelt(report_misspelt);
}

static void make_lock(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &a);
    pthread_mutexattr_destroy(&a);
}

// ---- fork ----------------------------------------------------------------------------------
// The child gets the host's memory as the parent would see it after a flush. Drivers and
// their threads do not survive a fork, so a child of a process with an open device keeps to
// the original loops. A fork from inside the library only starts a compiler.
static void before_fork(void) {
    Run *r = run_lock();
    if (r->depth == 1 && r->memory && !r->dead && !memory_flush(r->memory, NULL))
        report_lost(NULL, "before a fork", NULL);
}

static void after_fork_parent(void) { run_unlock(&state); }

static void after_fork_child(void) {
    make_lock();
    state.depth = inside = 0;
    if (state.device) state.forked = true;
    state.memory = NULL;
    state.cache = NULL;
    state.cache_tried = true;
    state.cache_arena = NULL;
    state.wisdom = NULL, state.set.wise = WISE_OFF; // nor do SQLite's connections
    planned_forget(&state);
    for (int i = 0; i < state.units.n; i++) {
        memset(&state.units.at[i]->stats, 0, sizeof(Stats));
        memset(&state.units.at[i]->checked, 0, sizeof(Checked));
    }
}

// ---- the end of the process -------------------------------------------------------------------
// A driver takes itself down among the functions that run at exit, before all that were registered ahead of
// it. Loops of such functions run as they were written, and see what the device had.
static void leave(void) {
    Run *r = run_lock();
    if (r->device && !r->forked) {
        if (r->memory && !r->dead && !memory_flush(r->memory, NULL))
            report_lost(NULL, "at the program's end", NULL);
        r->memory = NULL;
        r->left = true;
        run_set_little(r);
    }
    run_unlock(r);
}

// Told also where no loop is worth a device.
static void look_at_names(Run *r) {
    const char *wrong = device_misnamed(r->arena, r->set.device);
    if (!wrong) wrong = device_forbidden(r->arena);
    if (wrong) report_warning(r, SC_NO_DEVICE, "%s; the original loops run", wrong);
}

static void start(void) {
    make_lock();
    state.arena = arena_new();
    read_settings(&state.set, state.arena);
    look_at_names(&state);
    pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    atexit(report_at_exit);
    run_set_little(&state);
}

// ---- the lock --------------------------------------------------------------------------------
Run *run_lock(void) {
    int before = errno; // the program's own, to whom no call of the library is seen
    inside++;
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    if (state.depth++ == 0) state.before = before;
    return &state;
}

void run_unlock(Run *r) {
    int before = r->before;
    bool last = --r->depth == 0;
    pthread_mutex_unlock(&lock);
    inside--;
    if (last) errno = before;
}

bool run_within(void) {
    if (inside) atomic_store(&interrupted, true);
    return inside;
}

bool run_interrupted(void) { return atomic_load(&interrupted); }

Thread *run_thread(void) {
    if (self.index < 0) {
        self.index = atomic_fetch_add(&threads, 1);
        sculpt_little = &little;
    }
    return &self;
}

void run_hear_all(bool all) {
    run_thread();
    sculpt_little = all ? &all_count : &little;
}

void run_set_little(const Run *r) {
    const Settings *s = &r->set;
    bool all = s->offload == OFFLOAD_ALWAYS || s->check || s->require || s->verbose || s->time_path;
    bool away = r->scopes || (r->memory && r->memory->holds);
    little = all || away ? 0 : run_on_host(r) || (r->tried && !r->device) ? INT_MAX : LITTLE_WORK;
}

// Of OpenMP's run-time library, where the program has it.
extern int omp_in_parallel(void) __attribute__((weak));

bool run_others(void) { return omp_in_parallel ? omp_in_parallel() : atomic_load(&threads) > 1; }

// ---- what is opened on first use ---------------------------------------------------------------
bool run_on_host(const Run *r) {
    return r->set.offload == OFFLOAD_NEVER || r->forked || r->dead || r->left ||
           str_eq(r->set.device, "host") || str_eq(r->set.device, "none");
}

static void plan_for(Run *r) {
    const char *why;
    const Machine *m = machine_as(r->arena, &r->info, r->set.plan_for, &why);
    if (m) r->machine = m;
    else report_setting("SCULPT_PLAN_FOR", r->set.plan_for, why, NULL);
}

Device *run_device(Run *r) {
    if (run_on_host(r)) return NULL;
    if (r->tried) return r->device;
    r->tried = true;
    double t = time_now();
    const char *why = NULL;
    others_look(r);
    r->device = device_open(r->arena, r->set.device, &why);
    others_leave(r);
    r->opening = time_now() - t;
    r->away += r->opening;
    if (!r->device) {
        report_warning(r, SC_NO_DEVICE, "%s; the original loops run", why ? why : "no device");
        run_set_little(r);
        return NULL;
    }
    atexit(leave); // behind what the driver registered
    r->info = r->device->ops->info(r->device);
    if (r->set.plan_for) plan_for(r);
    if (!r->info->host_memory || r->set.check) r->memory = memory_new(r->arena, r->device, r->set.check);
    return r->device;
}

Cache *run_cache(Run *r) {
    if (r->cache_tried) return r->cache;
    r->cache_tried = true;
    const char *why = "";
    r->cache_arena = arena_new();
    r->cache = cache_open(r->cache_arena, &why);
    if (*why) report_warning(r, SC_CACHE, "%s", why);
    temp_base(r->cache_arena, &why);
    if (*why) report_warning(r, SC_FILE_IO, "TMPDIR is not used: %s", why);
    return r->cache;
}
