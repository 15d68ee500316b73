// SPDX-License-Identifier: MIT
// wise_store.c -- the file of wisdom: SQLite, for many processes at once.
//
// - In WAL mode a reader waits for nobody. Each row stands in the file when its put returns: a tuner that is
//   killed loses what it was measuring and no more.
// - A file that somebody else could have written to is not used; nor is a damaged one, and neither is
// touched.
// - What stands in a row is checked as text is (wise_wrong); the schema of a file is trusted for nothing.
// - The oldest trials and then rows go when the file grows beyond SCULPT_WISDOM_MAX.
#include "run/wise.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MS = 5000, BUSY_READ_MS = 500, LOOK_MS = 10, DEFAULT_MAX_MIB = 64, LONGEST = 1 << 20 };
enum { APPLICATION = 0x73637774, SCHEMA = 1 };

struct WiseStore {
    sqlite3 *db;
    const char *path;
};

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS wisdom(region TEXT NOT NULL, device TEXT NOT NULL, arch TEXT NOT NULL,"
    " vendor TEXT NOT NULL, target TEXT NOT NULL, sizes TEXT NOT NULL, align INTEGER NOT NULL,"
    " name TEXT NOT NULL, recipe TEXT NOT NULL, verdict TEXT NOT NULL, catalogue TEXT NOT NULL,"
    " seconds REAL NOT NULL, base REAL NOT NULL, made INTEGER NOT NULL,"
    " PRIMARY KEY(region, device, target, sizes, align));"
    "CREATE TABLE IF NOT EXISTS trial(region TEXT NOT NULL, device TEXT NOT NULL, target TEXT NOT NULL,"
    " sizes TEXT NOT NULL, align INTEGER NOT NULL, catalogue TEXT NOT NULL, candidate TEXT NOT NULL,"
    " outcome TEXT NOT NULL, seconds REAL NOT NULL, base REAL NOT NULL,"
    " PRIMARY KEY(region, device, target, sizes, align, catalogue, candidate));"
    "PRAGMA application_id = 0x73637774; PRAGMA user_version = 1;"
    "COMMIT;";

// ---- where --------------------------------------------------------------------------------------------
const char *wise_path(Arena *a, const char **why) {
    const char *own = env_get("SCULPT_WISDOM"), *xdg = env_get("XDG_DATA_HOME"), *home = env_get("HOME");
    *why = "";
    if (own) return own;
    if (xdg && *xdg == '/') return arena_printf(a, "%s/sculpt/wisdom-1.db", xdg);
    if (home) return arena_printf(a, "%s/.local/share/sculpt/wisdom-1.db", home);
    return *why = "there is no folder for wisdom: set SCULPT_WISDOM or HOME", NULL;
}

static char *folder_of(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash          ? arena_strdup(a, ".")
           : slash == path ? arena_strdup(a, "/")
                           : arena_strndup(a, path, (size_t)(slash - path));
}

// Could somebody else have put the file there, or can he change it? root may.
static const char *untrusted(Arena *a, const char *path) {
    const char *const at[] = {folder_of(a, path), path};
    for (int i = 0; i < 2; i++) {
        struct stat s;
        if (stat(at[i], &s)) {
            if (i && errno == ENOENT) return NULL;
            return arena_printf(a, "%s can't be looked at: %s", at[i], strerror(errno));
        }
        bool sticky = i == 0 && (s.st_mode & S_ISVTX);
        if (s.st_uid != geteuid() && s.st_uid != 0)
            return arena_printf(a, "%s belongs to user %ld, not to %ld", at[i], (long)s.st_uid,
                                (long)geteuid());
        if ((s.st_mode & (S_IWGRP | S_IWOTH)) && !sticky)
            return arena_printf(a, "others may write to %s", at[i]);
        if (i && !S_ISREG(s.st_mode)) return arena_printf(a, "%s is no file", path);
    }
    return NULL;
}

static int64_t max_pages(void) {
    enum { PAGE = 4096 };
    const char *s = env_get("SCULPT_WISDOM_MAX");
    char *end = NULL;
    long long mib = s ? strtoll(s, &end, 10) : DEFAULT_MAX_MIB;
    if ((end && *end) || mib < 1) mib = DEFAULT_MAX_MIB;
    return (mib > 4096 ? 4096 : mib) * ((1 << 20) / PAGE);
}

// ---- opening --------------------------------------------------------------------------------------------
static void close_(void *p) { sqlite3_close_v2(((WiseStore *)p)->db); }

static const char *told(Arena *a, const WiseStore *s, int rc) {
    int kind = rc & 0xff;
    if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB)
        return arena_printf(a,
                            "the wisdom in %s is damaged; move the file away, and what was exported can be "
                            "imported again",
                            s->path);
    const char *cure = kind == SQLITE_FULL ? " (SCULPT_WISDOM_MAX says how large it may become)" : "";
    int system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN ? sqlite3_system_errno(s->db) : 0;
    return arena_printf(a, "the wisdom in %s can't be used: %s%s%s%s", s->path, sqlite3_errstr(rc),
                        system ? ": " : "", system ? strerror(system) : "", cure);
}

static int run(WiseStore *s, const char *sql) { return sqlite3_exec(s->db, sql, NULL, NULL, NULL); }

// A number that a statement gives.
static int ask(WiseStore *s, const char *sql, int64_t *out) {
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(q);
    if (rc == SQLITE_ROW) *out = sqlite3_column_int64(q, 0), rc = SQLITE_OK;
    sqlite3_finalize(q);
    return rc;
}

static int connect_(Arena *a, WiseStore *s, int flags, bool frozen) {

    Text t = text_new(a);
    text_put(&t, "file:");
    for (const char *p = s->path; *p; p++)
        text_printf(&t, strchr("?#%", *p) ? "%%%02x" : "%c", (unsigned char)*p);
    if (frozen) text_put(&t, "?immutable=1");
    int rc = sqlite3_open_v2(text_str(&t), &s->db, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(s->db, flags & SQLITE_OPEN_READONLY ? BUSY_READ_MS : BUSY_MS);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
        sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, LONGEST);
        rc = run(s, "PRAGMA cell_size_check = ON");
    }
    return rc;
}

static void disconnect(WiseStore *s) {
    sqlite3_close_v2(s->db);
    s->db = NULL;
}

// Is it ours, of this schema? A file without tables is new.
static int look(WiseStore *s, bool *ours, bool *empty) {
    int64_t application = 0, version = 0, tables = 0;
    int rc = ask(s, "SELECT count(*) FROM sqlite_schema", &tables);
    if (rc == SQLITE_OK) rc = ask(s, "PRAGMA application_id", &application);
    if (rc == SQLITE_OK) rc = ask(s, "PRAGMA user_version", &version);
    *empty = tables == 0 && application == 0;
    *ours = application == APPLICATION && version == SCHEMA;
    return rc;
}

static int set_up(Arena *a, WiseStore *s, bool empty) {
    int rc = run(s, "PRAGMA journal_mode = WAL");
    if (rc == SQLITE_OK) rc = run(s, "PRAGMA synchronous = NORMAL");
    if (rc == SQLITE_OK) rc = run(s, arena_printf(a, "PRAGMA max_page_count = %lld", (long long)max_pages()));
    if (rc == SQLITE_OK && empty) rc = run(s, schema);
    if (rc != SQLITE_OK && !sqlite3_get_autocommit(s->db)) run(s, "ROLLBACK");
    return rc;
}

// SQLite's own patience does not cover a file that is just being made.
static const char *prepare(Arena *a, WiseStore *s, bool write) {
    bool ours = false, empty = false;
    int64_t rows;
    int rc = SQLITE_BUSY;
    for (int waited = 0; (rc & 0xff) == SQLITE_BUSY && waited < BUSY_MS; waited += LOOK_MS) {
        if (waited) sqlite3_sleep(LOOK_MS);
        rc = look(s, &ours, &empty);
        if (rc == SQLITE_OK && !ours && !empty)
            return arena_printf(a, "%s is no file of wisdom, or one of another version", s->path);
        if (rc == SQLITE_OK && empty && !write) return "";
        if (rc == SQLITE_OK && write) rc = set_up(a, s, empty);
        if (rc == SQLITE_OK) rc = ask(s, "SELECT count(*) FROM (SELECT 1 FROM wisdom, trial LIMIT 1)", &rows);
    }
    return rc == SQLITE_OK ? NULL : told(a, s, rc);
}

WiseStore *wise_open(Arena *a, const char *path, bool write, const char **why) {
    WiseStore *s = NEW(a, WiseStore);
    char *folder = folder_of(a, path);
    s->path = arena_strdup(a, path);
    *why = "";
    if (!write && access(path, F_OK)) return NULL;
    if (write && !folder_make(folder))
        return *why = arena_printf(a, "the folder %s can't be made: %s", folder, strerror(errno)), NULL;
    if ((*why = untrusted(a, path))) return NULL;
    *why = "";
    if (write && access(path, F_OK) == 0 && access(path, W_OK))
        return *why = arena_printf(a, "%s can't be written: %s", path, strerror(errno)), NULL;
    if (write && access(folder, W_OK))
        return *why = arena_printf(a, "nothing can be written in %s: %s", folder, strerror(errno)), NULL;
    // A file in a folder where nothing can be written has no writers either.
    bool frozen = !write && access(folder, W_OK);
    int flags = write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    // The user's alone, and so are the files that SQLite puts beside it. One that is there may be in use:
    // closing it here would drop this process's locks.
    int made = write ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (made >= 0) close(made);
    int rc = connect_(a, s, flags, frozen);
    *why = rc == SQLITE_OK ? prepare(a, s, write) : told(a, s, rc);
    if (*why) return disconnect(s), NULL;
    *why = "";
    return arena_own(a, s, close_);
}

// ---- rows -------------------------------------------------------------------------------------------------
#define COLUMNS                                                                                              \
    "region, device, arch, vendor, target, sizes, align, name, recipe, verdict, catalogue, seconds, base, "  \
    "made"

static const char *text_at(Arena *a, sqlite3_stmt *q, int i) {
    const char *s = (const char *)sqlite3_column_text(q, i);
    return s && (size_t)sqlite3_column_bytes(q, i) == strlen(s) ? arena_strdup(a, s) : NULL;
}

static Wise row_at(Arena *a, sqlite3_stmt *q) {
    Wise w = {.key = {text_at(a, q, 0), text_at(a, q, 1), text_at(a, q, 2), text_at(a, q, 3),
                      text_at(a, q, 4), text_at(a, q, 5), sqlite3_column_int64(q, 6)},
              .name = text_at(a, q, 7),
              .recipe = text_at(a, q, 8),
              .verdict = text_at(a, q, 9),
              .catalogue = text_at(a, q, 10),
              .seconds = sqlite3_column_double(q, 11),
              .base = sqlite3_column_double(q, 12),
              .made = sqlite3_column_int64(q, 13)};
    return w;
}

bool wise_rows(WiseStore *s, Arena *a, const char *region, WiseVec *out, int *bad, const char **why) {
    static const char one[] = "SELECT " COLUMNS " FROM wisdom WHERE region = ? ORDER BY device, sizes, align",
                      all[] = "SELECT " COLUMNS " FROM wisdom ORDER BY region, device, sizes, align";
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, region ? one : all, -1, &q, NULL), before = out->n;
    if (rc == SQLITE_OK && region) sqlite3_bind_text(q, 1, region, -1, SQLITE_STATIC);
    if (bad) *bad = 0;
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        Wise w = row_at(a, q);
        if (!wise_wrong(&w)) vec_push(a, out, w);
        else if (bad) ++*bad;
        rc = SQLITE_OK;
    }
    sqlite3_finalize(q);
    if (rc == SQLITE_DONE || rc == SQLITE_OK) return true;
    out->n = before;
    return *why = told(a, s, rc), false;
}

enum { MOST_FILES = 9 };
struct WiseFiles {
    int n;
    WiseStore *at[MOST_FILES]; // the user's first
};

static void add_file(WiseFiles *f, WiseStore *s) {
    if (s) f->at[f->n++] = s;
}

WiseFiles *wise_files(Arena *a, const char **why) {
    const char *path = wise_path(a, why), *dirs = env_get("XDG_DATA_DIRS");
    WiseFiles *f = NEW(a, WiseFiles);
    if (path) add_file(f, wise_open(a, path, false, why));
    if (env_get("SCULPT_WISDOM")) return f;
    for (const char *d = dirs ? dirs : "/usr/local/share:/usr/share"; *d && f->n < MOST_FILES;) {
        size_t n = strcspn(d, ":");
        const char *none, *file = arena_printf(a, "%.*s/sculpt/wisdom-1.db", (int)n, d);
        struct stat st;
        if (*d == '/' && stat(file, &st) == 0 && st.st_uid == 0)
            add_file(f, wise_open(a, file, false, &none));
        d += n + (d[n] == ':');
    }
    return f;
}

void wise_all(const WiseFiles *f, Arena *a, const char *region, WiseVec *out, const char **why) {
    *why = "";
    for (int i = 0; i < f->n; i++) wise_rows(f->at[i], a, region, out, NULL, why);
}

// ---- putting
// ------------------------------------------------------------------------------------------------
static void bind_key(sqlite3_stmt *q, const WiseKey *k) {
    const char *const text[] = {k->region, k->device, k->target, k->sizes};
    for (int i = 0; i < 4; i++) sqlite3_bind_text(q, i + 1, text[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(q, 5, k->align);
}

static int step_once(sqlite3_stmt *q) {
    int rc = sqlite3_step(q);
    sqlite3_finalize(q);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

// A later row for the same key stays.
static int insert(WiseStore *s, const Wise *w) {
    static const char sql[] =
        "INSERT INTO wisdom(region, device, target, sizes, align, arch, vendor, name, recipe, verdict,"
        " catalogue, seconds, base, made) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)"
        " ON CONFLICT DO UPDATE SET arch=?6, vendor=?7, name=?8, recipe=?9, verdict=?10, catalogue=?11,"
        " seconds=?12, base=?13, made=?14 WHERE made <= ?14";
    const char *const text[] = {w->key.arch, w->key.vendor, w->name, w->recipe, w->verdict, w->catalogue};
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (rc != SQLITE_OK) return rc;
    bind_key(q, &w->key);
    for (int i = 0; i < 6; i++) sqlite3_bind_text(q, 6 + i, text[i], -1, SQLITE_STATIC);
    sqlite3_bind_double(q, 12, w->seconds);
    sqlite3_bind_double(q, 13, w->base);
    sqlite3_bind_int64(q, 14, w->made);
    return step_once(q);
}

// What is oldest goes: trials first, then rows. False: it is the disk that is full.
static bool make_room(WiseStore *s) {
    int64_t n = 0, pages = 0;
    if (ask(s, "PRAGMA page_count", &pages) != SQLITE_OK || pages < max_pages() / 2) return false;
    const char *from = ask(s, "SELECT count(*) FROM trial", &n) == SQLITE_OK && n > 1 ? "trial" : "wisdom";
    char *sql = sqlite3_mprintf("DELETE FROM %s WHERE rowid IN (SELECT rowid FROM %s ORDER BY %s LIMIT"
                                " (SELECT count(*) / 4 + 1 FROM %s))",
                                from, from, str_eq(from, "trial") ? "rowid" : "made", from);
    bool ok = sql && run(s, sql) == SQLITE_OK;
    sqlite3_free(sql);
    return ok;
}

// All that `put` does happens, or nothing of it.
typedef int Put(WiseStore *s, const void *arg);
static bool together(WiseStore *s, Put *put, const void *arg, const char **why) {
    static _Thread_local char word[600];
    int rc = SQLITE_OK;
    for (int round = 0; round < 8; round++) {
        rc = run(s, "BEGIN IMMEDIATE");
        if (rc == SQLITE_OK) rc = put(s, arg);
        if (rc == SQLITE_OK) rc = run(s, "COMMIT");
        if (rc == SQLITE_OK) return true;
        run(s, "ROLLBACK");
        if ((rc & 0xff) != SQLITE_FULL || !make_room(s)) break;
    }
    Arena *a = arena_new();
    snprintf(word, sizeof word, "%s", told(a, s, rc));
    arena_free(a);
    return *why = word, false;
}

static int put_error(WiseStore *s, const WiseError *e);

static int put_all(WiseStore *s, const void *arg) {
    const WiseAll *all = arg;
    int rc = SQLITE_OK;
    for (int i = 0; i < all->rows.n && rc == SQLITE_OK; i++) rc = insert(s, &all->rows.at[i]);
    for (int i = 0; i < all->errors.n && rc == SQLITE_OK; i++) rc = put_error(s, &all->errors.at[i]);
    return rc;
}

int wise_put_all(WiseStore *s, const WiseAll *all, const char **why) {
    for (int i = 0; i < all->rows.n; i++)
        if ((*why = wise_wrong(&all->rows.at[i]))) return -1;
    for (int i = 0; i < all->errors.n; i++)
        if ((*why = wise_error_wrong(&all->errors.at[i]))) return -1;
    return together(s, put_all, all, why) ? all->rows.n : -1;
}

bool wise_put(WiseStore *s, const Wise *w, const char **why) {
    return wise_put_all(s, &(WiseAll){.rows = {.n = 1, .at = (Wise *)w}}, why) == 1;
}

typedef struct OneTrial {
    const WiseKey *k;
    const char *catalogue;
    const WiseTrial *t;
} OneTrial;

static int put_trial(WiseStore *s, const void *arg) {
    const OneTrial *o = arg;
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db,
                                "INSERT OR REPLACE INTO trial(region, device, target, sizes, align,"
                                " catalogue, candidate, outcome, seconds, base) VALUES(?,?,?,?,?,?,?,?,?,?)",
                                -1, &q, NULL);
    if (rc != SQLITE_OK) return rc;
    bind_key(q, o->k);
    sqlite3_bind_text(q, 6, o->catalogue, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 7, o->t->candidate, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 8, o->t->outcome, -1, SQLITE_STATIC);
    sqlite3_bind_double(q, 9, o->t->seconds);
    sqlite3_bind_double(q, 10, o->t->base);
    return step_once(q);
}

bool wise_put_trial(WiseStore *s, const WiseKey *k, const char *catalogue, const WiseTrial *t,
                    const char **why) {
    return together(s, put_trial, &(OneTrial){k, catalogue, t}, why);
}

bool wise_trials(WiseStore *s, Arena *a, const WiseKey *k, const char *catalogue, WiseTrialVec *out,
                 const char **why) {
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db,
                                "SELECT candidate, outcome, seconds, base FROM trial WHERE region = ? AND"
                                " device = ? AND target = ? AND sizes = ? AND align = ? AND catalogue = ?",
                                -1, &q, NULL);
    if (rc == SQLITE_OK) bind_key(q, k), sqlite3_bind_text(q, 6, catalogue, -1, SQLITE_STATIC);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        WiseTrial t = {text_at(a, q, 0), text_at(a, q, 1), sqlite3_column_double(q, 2),
                       sqlite3_column_double(q, 3)};
        if (t.candidate && t.outcome) vec_push(a, out, t);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || (*why = told(a, s, rc), false);
}

// ---- what prices erred by ---------------------------------------------------------------------------------
static int put_error(WiseStore *s, const WiseError *e) {
    sqlite3_stmt *q = NULL;
    int rc = run(s, "CREATE TABLE IF NOT EXISTS factor(region TEXT NOT NULL, device TEXT NOT NULL,"
                    " target TEXT NOT NULL, sizes TEXT NOT NULL, align INTEGER NOT NULL,"
                    " catalogue TEXT NOT NULL, bound TEXT NOT NULL, error REAL NOT NULL,"
                    " PRIMARY KEY(device, target, region, sizes, align, bound))");
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(s->db, "INSERT OR REPLACE INTO factor(region, device, target, sizes, align,"
                                " catalogue, bound, error) VALUES(?,?,?,?,?,?,?,?)", -1, &q, NULL);
    if (rc != SQLITE_OK) return rc;
    bind_key(q, &e->key);
    sqlite3_bind_text(q, 6, e->catalogue, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 7, e->bound, -1, SQLITE_STATIC);
    sqlite3_bind_double(q, 8, e->error);
    return step_once(q);
}

bool wise_put_factor(WiseStore *s, const WiseKey *k, const char *catalogue, const char *bound, double error,
                     const char **why) {
    WiseError e = {*k, catalogue, bound, error};
    return together(s, put_all, &(WiseAll){.errors = {.n = 1, .at = &e}}, why);
}

static bool has_factors(WiseStore *s, int *rc) {
    int64_t there = 0;
    *rc = ask(s, "SELECT count(*) FROM sqlite_schema WHERE name = 'factor' AND type = 'table'", &there);
    return *rc == SQLITE_OK && there;
}

bool wise_errors(WiseStore *s, Arena *a, const char *region, WiseErrorVec *out, const char **why) {
    sqlite3_stmt *q = NULL;
    int rc;
    if (!has_factors(s, &rc)) return rc == SQLITE_OK || (*why = told(a, s, rc), false);
    rc = sqlite3_prepare_v2(s->db, "SELECT region, device, target, sizes, align, catalogue, bound, error"
                            " FROM factor WHERE ?1 IS NULL OR region = ?1"
                            " ORDER BY device, region, sizes, align, bound",
                            -1, &q, NULL);
    if (rc == SQLITE_OK && region) sqlite3_bind_text(q, 1, region, -1, SQLITE_STATIC);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        WiseKey k = {.region = text_at(a, q, 0), .device = text_at(a, q, 1), .target = text_at(a, q, 2),
                     .sizes = text_at(a, q, 3), .align = sqlite3_column_int64(q, 4)};
        WiseError e = {k, text_at(a, q, 5), text_at(a, q, 6), sqlite3_column_double(q, 7)};
        if (!wise_error_wrong(&e)) vec_push(a, out, e);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || (*why = told(a, s, rc), false);
}

bool wise_factors(WiseStore *s, Arena *a, const WiseKey *k, const char *catalogue, WiseFactorVec *out,
                  const char **why) {
    sqlite3_stmt *q = NULL;
    int rc;
    if (!has_factors(s, &rc) && rc == SQLITE_OK) return true;
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(s->db, "SELECT bound, avg(error), avg(error * error), count(*) FROM factor"
                                " WHERE device = ? AND target = ? AND catalogue = ? AND abs(error) < 20"
                                " GROUP BY bound ORDER BY bound", -1, &q, NULL);
    const char *const text[] = {k->device, k->target, catalogue};
    for (int i = 0; rc == SQLITE_OK && i < 3; i++) sqlite3_bind_text(q, i + 1, text[i], -1, SQLITE_STATIC);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        WiseFactor f = {text_at(a, q, 0), sqlite3_column_double(q, 1), 0, sqlite3_column_int(q, 3)};
        double v = sqlite3_column_double(q, 2) - f.mean * f.mean;
        if (f.n > 1 && v > 0) f.spread = sqrt(v * f.n / (f.n - 1));
        if (f.bound) vec_push(a, out, f);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || (*why = told(a, s, rc), false);
}

typedef struct Forget {
    const char *word;
    int n;
} Forget;

static int forget(WiseStore *s, const void *arg) {
    Forget *f = (Forget *)arg;
    static const char *const sql[] = {
        "DELETE FROM factor WHERE region IN (SELECT region FROM wisdom WHERE substr(region, 1, length(?1)) = "
        "?1 OR substr(name, 1, length(?1)) = ?1) OR substr(region, 1, length(?1)) = ?1",
        "DELETE FROM trial WHERE region IN (SELECT region FROM wisdom WHERE substr(region, 1, length(?1)) = "
        "?1"
        " OR substr(name, 1, length(?1)) = ?1) OR substr(region, 1, length(?1)) = ?1",
        "DELETE FROM wisdom WHERE substr(region, 1, length(?1)) = ?1 OR substr(name, 1, length(?1)) = ?1"};
    int rc, first = !has_factors(s, &rc);
    for (int i = first; i < 3 && rc == SQLITE_OK; i++) {
        sqlite3_stmt *q = NULL;
        rc = sqlite3_prepare_v2(s->db, sql[i], -1, &q, NULL);
        if (rc != SQLITE_OK) return rc;
        sqlite3_bind_text(q, 1, f->word, -1, SQLITE_STATIC);
        rc = step_once(q);
        f->n = sqlite3_changes(s->db);
    }
    return rc;
}

int wise_forget(WiseStore *s, const char *word, const char **why) {
    Forget f = {word, 0};
    return together(s, forget, &f, why) ? f.n : -1;
}
