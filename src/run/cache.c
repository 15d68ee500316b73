// SPDX-License-Identifier: MIT
// cache.c -- compiled kernels on disk: one SQLite file that many processes share.
//
//     kernel(key, sum, size, used, image)    counter(name, n)
//
// - Nothing here is fatal: what fails is a miss, or a kernel that isn't kept.
// - A row checks itself (hash of key and image), so a damaged file can cost time, never give
//   a wrong kernel; therefore no write waits for the disk. A process that is killed leaves a
//   journal, which the next one rolls back. The journal is a plain one, not SQLite's WAL:
//   home folders may lie on network file systems.
// - A hit only reads. Counters and times of last use are written with the next kernel that is
//   put, or when the cache is closed; a time of last use is renewed once an hour.
#include "run/run.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BUSY_MS = 2000,       // how long a reader or writer waits for another process
    BUSY_CLOSE_MS = 50,   // at the end of a program
    USED_STEP_S = 3600,   // precision of the times of last use
    DEFAULT_MAX_MIB = 512
};

struct Cache {
    pthread_mutex_t lock;
    sqlite3 *db;             // NULL: given up
    sqlite3_stmt *get;       // the one statement of a warm start
    char *path;              // of the file
    pid_t opener;            // SQLite's connections must not cross a fork
    int64_t max_bytes;       // of all images
    int64_t hits, misses;    // not yet written
    Arena *arena;            // its own, used under the lock
    VEC(char *) touched;     // keys whose time of last use is to be renewed
};

static const char schema[] =
    "PRAGMA auto_vacuum = INCREMENTAL;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS kernel(key TEXT PRIMARY KEY, sum INTEGER NOT NULL,"
    " size INTEGER NOT NULL, used INTEGER NOT NULL, image BLOB NOT NULL);"
    "CREATE INDEX IF NOT EXISTS kernel_used ON kernel(used, size);"
    "CREATE TABLE IF NOT EXISTS counter(name TEXT PRIMARY KEY, n INTEGER NOT NULL);"
    "INSERT OR IGNORE INTO counter VALUES('hits', 0), ('misses', 0);"
    "COMMIT;";
static const char get_sql[] = "SELECT sum, used, image FROM kernel WHERE key = ?";

// ---- opening ---------------------------------------------------------------------------

static void disconnect(Cache *k) {
    sqlite3_finalize(k->get);
    sqlite3_close(k->db);
    k->get = NULL;
    k->db = NULL;
}

// Leaves a connection with a prepared `get`, or none, and returns SQLite's code.
static int connect_(Cache *k) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int rc = sqlite3_open_v2(k->path, &k->db, flags, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(k->db, BUSY_MS);
        rc = sqlite3_exec(k->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(k->db, get_sql, -1, &k->get, NULL);
    if (rc == SQLITE_ERROR) { // no such table: a new file
        rc = sqlite3_exec(k->db, schema, NULL, NULL, NULL);
        if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(k->db, get_sql, -1, &k->get, NULL);
    }
    if (rc != SQLITE_OK) disconnect(k);
    return rc;
}

static bool is_damage(int rc) {
    rc &= 0xff;
    return rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB;
}

// Reads every page; true: all is well.
static bool sound(Cache *k) {
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(k->db, "PRAGMA quick_check(1)", -1, &s, NULL) == SQLITE_OK &&
              sqlite3_step(s) == SQLITE_ROW &&
              str_eq((const char *)sqlite3_column_text(s, 0), "ok");
    sqlite3_finalize(s);
    return ok;
}

// Moves a damaged file away and starts a new one. Others may be doing the same: whoever holds
// the lock looks once more, so that nobody moves the new file.
static int heal(Cache *k) {
    disconnect(k);
    char *lock = arena_printf(k->arena, "%s.lock", k->path);
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX)) {
        if (fd >= 0) close(fd);
        return SQLITE_CANTOPEN;
    }
    int rc = connect_(k);
    if (is_damage(rc) || (rc == SQLITE_OK && !sound(k))) {
        disconnect(k);
        rename(k->path, arena_printf(k->arena, "%s.damaged", k->path));
        unlink(arena_printf(k->arena, "%s-journal", k->path));
        rc = connect_(k);
    }
    close(fd);
    return rc;
}

// The folder that the user chose, or the one of XDG's rules; NULL: there is no home.
static char *folder(Arena *a) {
    const char *own = env_get("SCULPT_CACHE_DIR"), *xdg = env_get("XDG_CACHE_HOME"), *home = env_get("HOME");
    if (own) return arena_strdup(a, own);
    if (xdg && *xdg == '/') return arena_printf(a, "%s/sculpt", xdg);
    return home ? arena_printf(a, "%s/.cache/sculpt", home) : NULL;
}

static int64_t limit(void) {
    const char *s = env_get("SCULPT_CACHE_MAX");
    char *end = NULL;
    long long mib = s ? strtoll(s, &end, 10) : DEFAULT_MAX_MIB;
    if (end && (*end || mib < 0)) mib = DEFAULT_MAX_MIB;
    return (mib > (1 << 30) ? (int64_t)1 << 30 : mib) << 20;
}

static void flush(Cache *k);

static void close_(void *p) {
    Cache *k = p;
    if (k->opener != getpid()) return; // the parent's connection: not this process's to close
    if (k->db && (k->hits || k->misses || k->touched.n)) {
        sqlite3_busy_timeout(k->db, BUSY_CLOSE_MS);
        flush(k);
    }
    disconnect(k);
    pthread_mutex_destroy(&k->lock);
    arena_free(k->arena);
}

// The file of kernels in a folder; where others could have written to either, one in a temporary folder of
// `life`, and *why says why.
static char *own_file(Arena *a, Arena *life, const char *dir, const char **why) {
    char *path = arena_printf(a, "%s/kernels-1.db", dir); // 1: of this schema
    const char *shared = path_shared(a, dir), *none;
    if (!shared && access(path, F_OK) == 0) shared = path_shared(a, path);
    if (!shared) return path;
    *why = arena_printf(a, "%s, so kernels are kept for this process alone", shared);
    const char *temp = temp_folder(life, &none);
    if (!temp) *why = arena_printf(a, "%s, and %s", shared, none);
    return temp ? arena_printf(a, "%s/kernels-1.db", temp) : NULL;
}

Cache *cache_open(Arena *a, const char **why) {
    *why = "";
    int64_t max_bytes = limit();
    if (max_bytes == 0) return NULL;
    char *dir = folder(a);
    if (!dir) {
        *why = "there is no folder for the kernel cache: set SCULPT_CACHE_DIR or HOME";
        return NULL;
    }
    if (!folder_make(dir)) {
        *why = arena_printf(a, "the cache folder %s can't be made: %s", dir, strerror(errno));
        return NULL;
    }
    Cache *k = NEW(a, Cache);
    k->arena = arena_new();
    k->path = own_file(a, k->arena, dir, why);
    if (!k->path) return arena_free(k->arena), NULL;
    k->opener = getpid();
    k->max_bytes = max_bytes;
    int rc = connect_(k);
    if (is_damage(rc)) rc = heal(k);
    if (rc != SQLITE_OK) {
        *why = arena_printf(a, "the kernel cache %s can't be used: %s", k->path, sqlite3_errstr(rc));
        arena_free(k->arena);
        return NULL;
    }
    pthread_mutex_init(&k->lock, NULL);
    return arena_own(a, k, close_);
}

// ---- statements --------------------------------------------------------------------------

// Each public function works between enter and leave; false: there is no cache (any more).
static bool enter(Cache *k) {
    if (!k || k->opener != getpid()) return false;
    pthread_mutex_lock(&k->lock);
    if (k->db) return true;
    pthread_mutex_unlock(&k->lock);
    return false;
}

// What a statement met decides whether the file must be replaced.
static void leave(Cache *k, int rc) {
    if (is_damage(rc)) heal(k);
    pthread_mutex_unlock(&k->lock);
}

static int run(Cache *k, const char *sql) { return sqlite3_exec(k->db, sql, NULL, NULL, NULL); }

// One statement with up to one text and one integer, for its effect.
static int run_with(Cache *k, const char *sql, const char *text, int64_t value) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(k->db, sql, -1, &s, NULL);
    if (rc != SQLITE_OK) return rc;
    sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, value);
    rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

// The first row's integers, of a statement with up to one text.
static int query(Cache *k, const char *sql, const char *text, int64_t *out, int n) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(k->db, sql, -1, &s, NULL);
    if (rc != SQLITE_OK) return rc;
    sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    rc = sqlite3_step(s);
    for (int i = 0; rc == SQLITE_ROW && i < n; i++) out[i] = sqlite3_column_int64(s, i);
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? SQLITE_OK : rc == SQLITE_DONE ? SQLITE_EMPTY : rc;
}

// Ends a transaction as its statements deserve.
static int finish(Cache *k, int rc) {
    if (rc == SQLITE_OK) rc = run(k, "COMMIT");
    if (rc != SQLITE_OK) run(k, "ROLLBACK");
    return rc;
}

// ---- counters and times of last use --------------------------------------------------------

// Inside a transaction: what was only remembered so far.
static int flush_in(Cache *k) {
    static const char add[] = "INSERT INTO counter(name, n) VALUES(?1, ?2)"
                              " ON CONFLICT(name) DO UPDATE SET n = n + ?2";
    int rc = k->hits ? run_with(k, add, "hits", k->hits) : SQLITE_OK;
    if (rc == SQLITE_OK && k->misses) rc = run_with(k, add, "misses", k->misses);
    for (int i = 0; rc == SQLITE_OK && i < k->touched.n; i++)
        rc = run_with(k, "UPDATE kernel SET used = ?2 WHERE key = ?1", k->touched.at[i],
                      (int64_t)time(NULL));
    return rc;
}

static void flushed(Cache *k) {
    k->hits = k->misses = 0;
    k->touched.n = 0;
}

static void flush(Cache *k) {
    if (run(k, "BEGIN IMMEDIATE") != SQLITE_OK) return;
    if (finish(k, flush_in(k)) == SQLITE_OK) flushed(k);
}

// ---- kernels ---------------------------------------------------------------------------------

static int64_t checksum(const char *key, const void *image, size_t size) {
    return (int64_t)(digest_of(image, size).word[0] ^ digest_of(key, strlen(key)).word[1]);
}

// Copies the row that `get` stands on; false: the row is damaged.
static bool take(Cache *k, Arena *a, const char *key, void **image, size_t *size) {
    const void *bytes = sqlite3_column_blob(k->get, 2);
    size_t n = (size_t)sqlite3_column_bytes(k->get, 2);
    if (!bytes || sqlite3_column_int64(k->get, 0) != checksum(key, bytes, n)) return false;
    *image = memcpy(arena_alloc(a, n), bytes, n);
    *size = n;
    if (time(NULL) - sqlite3_column_int64(k->get, 1) > USED_STEP_S)
        vec_push(k->arena, &k->touched, arena_strdup(k->arena, key));
    return true;
}

static bool get(Cache *k, Arena *a, const char *key, bool counted, void **image, size_t *size) {
    if (!enter(k)) return false;
    sqlite3_bind_text(k->get, 1, key, -1, SQLITE_STATIC);
    int rc = sqlite3_step(k->get);
    bool found = rc == SQLITE_ROW, hit = found && take(k, a, key, image, size);
    sqlite3_reset(k->get);
    sqlite3_clear_bindings(k->get);
    if (found && !hit) rc = run_with(k, "DELETE FROM kernel WHERE key = ?1", key, 0);
    if (counted) *(hit ? &k->hits : &k->misses) += 1;
    leave(k, rc);
    return hit;
}

bool cache_get(Cache *k, Arena *a, const char *key, void **image, size_t *size) {
    return get(k, a, key, true, image, size);
}
bool cache_look(Cache *k, Arena *a, const char *key, void **image, size_t *size) {
    return get(k, a, key, false, image, size);
}

static int insert(Cache *k, const char *key, const void *image, size_t size) {
    static const char sql[] = "INSERT OR REPLACE INTO kernel(key, sum, size, used, image)"
                              " VALUES(?, ?, ?, ?, ?)";
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(k->db, sql, -1, &s, NULL);
    if (rc != SQLITE_OK) return rc;
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum(key, image, size));
    sqlite3_bind_int64(s, 3, (int64_t)size);
    sqlite3_bind_int64(s, 4, (int64_t)time(NULL));
    sqlite3_bind_blob64(s, 5, image, size, SQLITE_STATIC);
    rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

// Deletes what was used least lately, until all images together fit; `key` stays.
static int evict(Cache *k, const char *key) {
    int64_t total = 0, oldest[2];
    int rc = query(k, "SELECT coalesce(sum(size), 0) FROM kernel", NULL, &total, 1);
    bool any = false;
    while (rc == SQLITE_OK && total > k->max_bytes) {
        rc = query(k,
                   "SELECT rowid, size FROM kernel WHERE key <> ?1 ORDER BY used, rowid LIMIT 1",
                   key, oldest, 2);
        if (rc != SQLITE_OK) break;
        rc = run_with(k, "DELETE FROM kernel WHERE rowid = ?2", NULL, oldest[0]);
        total -= oldest[1];
        any = true;
    }
    if (rc == SQLITE_OK && any) rc = run(k, "PRAGMA incremental_vacuum");
    return rc == SQLITE_EMPTY ? SQLITE_OK : rc;
}

void cache_put(Cache *k, const char *key, const void *image, size_t size) {
    if (!enter(k)) return;
    int rc = SQLITE_TOOBIG;
    if (size > 0 && (int64_t)size <= k->max_bytes) rc = run(k, "BEGIN IMMEDIATE");
    if (rc == SQLITE_OK) {
        rc = insert(k, key, image, size);
        if (rc == SQLITE_OK) rc = evict(k, key);
        if (rc == SQLITE_OK) rc = flush_in(k);
        rc = finish(k, rc);
        if (rc == SQLITE_OK) flushed(k);
    }
    leave(k, rc);
}

bool cache_stats(Cache *k, CacheStats *out) {
    *out = (CacheStats){0};
    if (!enter(k)) return false;
    int64_t v[4] = {0};
    int rc = query(k,
                   "SELECT count(*), coalesce(sum(size), 0),"
                   " coalesce((SELECT n FROM counter WHERE name = 'hits'), 0),"
                   " coalesce((SELECT n FROM counter WHERE name = 'misses'), 0) FROM kernel",
                   NULL, v, 4);
    *out = (CacheStats){v[0], v[1], v[2] + k->hits, v[3] + k->misses, k->max_bytes};
    leave(k, rc);
    return rc == SQLITE_OK;
}

bool cache_clear(Cache *k) {
    if (!enter(k)) return false;
    int rc = run(k, "BEGIN IMMEDIATE");
    if (rc == SQLITE_OK) {
        rc = run(k, "DELETE FROM kernel; UPDATE counter SET n = 0");
        rc = finish(k, rc);
        if (rc == SQLITE_OK) flushed(k);
        if (rc == SQLITE_OK) rc = run(k, "PRAGMA incremental_vacuum");
    }
    leave(k, rc);
    return rc == SQLITE_OK;
}

const char *cache_path(Cache *k) { return k->path; }
