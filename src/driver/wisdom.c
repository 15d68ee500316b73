// SPDX-License-Identifier: MIT
// wisdom.c -- `sculpt wisdom`: what measuring found out, looked at and carried from machine to machine.
#include "run/wise.h"
#include "driver/driver.h"
#include "run/wisdom.h"
#include "tune/tune.h"
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct Words {
    Compile *c;
    Arena *a;
    int n;
    const char *at[64];
    const char *device, *out;
    SettingVec args;
    bool json;
} Words;

static int wrong(const char *why) {
    say_error(SC_WISDOM, "%s", why);
    return 1;
}

// The user's file. NULL after a message; or in silence, with *none, where nothing was kept so far.
static WiseStore *store(Words *w, bool write, bool *none) {
    const char *why, *path = wise_path(w->a, &why);
    WiseStore *s = path ? wise_open(w->a, path, write, &why) : NULL;
    *none = !s && !*why;
    if (!s && *why) wrong(why);
    return s;
}

// ---- rows for people ------------------------------------------------------------------------------
static const char *gain(Arena *a, const Wise *r) {
    if (!*r->recipe) return "default";
    return arena_printf(a, "%.2fx", r->base / r->seconds);
}

static json_t *as_json(const Wise *r) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:f, s:f, s:I}", "region",
                     r->key.region, "name", r->name, "device", r->key.device, "arch", r->key.arch, "vendor",
                     r->key.vendor, "target", r->key.target, "sizes", r->key.sizes, "align",
                     (json_int_t)r->key.align, "recipe", r->recipe, "verdict", r->verdict, "catalogue",
                     r->catalogue, "seconds", r->seconds, "base_seconds", r->base, "made",
                     (json_int_t)r->made);
}

// What was learnt of prices on a device: of regions and sizes, those that wait for the same.
typedef struct Correction {
    const WiseKey *key;
    WiseFactorVec of;
} Correction;
typedef VEC(Correction) Corrections;

static Corrections corrections(Words *w, const WiseErrorVec *errors) {
    Corrections out = {0};
    bool none;
    const char *why;
    WiseStore *s = errors->n ? store(w, false, &none) : NULL;
    for (int i = 0; i < errors->n && s; i++) {
        const WiseError *e = &errors->at[i];
        int k = 0;
        while (k < i && !(str_eq(errors->at[k].key.device, e->key.device) &&
                          str_eq(errors->at[k].catalogue, e->catalogue) &&
                          str_eq(errors->at[k].key.target, e->key.target)))
            k++;
        Correction c = {.key = &e->key};
        if (k == i && wise_factors(s, w->a, &e->key, e->catalogue, &c.of, &why)) vec_push(w->a, &out, c);
    }
    return out;
}

static void put_json(const WiseVec *rows, const Corrections *c) {
    json_t *all = json_array();
    for (int i = 0; i < rows->n; i++) json_array_append_new(all, as_json(&rows->at[i]));
    for (int i = 0; i < c->n; i++)
        for (int f = 0; f < c->at[i].of.n; f++) {
            const WiseFactor *x = &c->at[i].of.at[f];
            const WiseKey *k = c->at[i].key;
            json_t *o = json_pack("{s:s, s:s, s:s, s:f, s:f, s:i}", "device", k->device, "target", k->target,
                                  "waits_for", x->bound, "factor", exp(x->mean), "spread", exp(x->spread),
                                  "of", x->n);
            json_array_append_new(all, o);
        }
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static void put_list(Words *w, const WiseVec *rows) {
    if (rows->n)
        printf("%-8s  %-24s %-28s %-24s %9s %8s\n", "region", "name", "device", "sizes", "ms", "gain");
    for (int i = 0; i < rows->n; i++) {
        const Wise *r = &rows->at[i];
        printf("%.8s  %-24s %-28s %-24s %9.4g %8s\n", r->key.region, r->name, r->key.device, r->key.sizes,
               1e3 * r->seconds, gain(w->a, r));
    }
}

static void put_corrections(const Corrections *c) {
    for (int i = 0; i < c->n; i++) {
        const WiseKey *k = c->at[i].key;
        printf("\nwhat is measured on %s (%s) beyond the model's prices\n", k->device, k->target);
        for (int f = 0; f < c->at[i].of.n; f++) {
            const WiseFactor *x = &c->at[i].of.at[f];
            printf("  %-24s %.2f times", x->bound, exp(x->mean));
            if (x->n > 1) printf(", give or take a factor of %.2f", exp(x->spread));
            printf(" (%d region%s and size%s)\n", x->n, x->n > 1 ? "s" : "", x->n > 1 ? "s" : "");
        }
    }
}

static void put_whole(Words *w, const Wise *r) {
    char day[32] = "";
    time_t made = (time_t)r->made;
    struct tm tm;
    if (gmtime_r(&made, &tm)) strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", &tm);
    bool stale = !str_eq(r->catalogue, plan_catalogue(w->a));
    printf("%s  %s\n  device     %s, %s, %s\n  sizes      %s, arrays on %lld bytes\n", r->key.region, r->name,
           r->key.device, r->key.arch, r->key.vendor, r->key.sizes, (long long)r->key.align);
    printf("  time       %.4g ms; the planner's choice %.4g ms (%s)\n  made       %s%s\n", 1e3 * r->seconds,
           1e3 * r->base, gain(w->a, r), day, stale ? ", by another catalogue: it is judged anew" : "");
    printf("  verdict    %s\n", r->verdict);
    for (const char *s = r->recipe; *s; s += strcspn(s, "\n"), s += *s == '\n')
        printf("    %.*s\n", (int)strcspn(s, "\n"), s);
}

static bool is_meant(const Words *w, const Wise *r) {
    for (int i = 0; i < w->n; i++)
        if (str_has_prefix(r->key.region, w->at[i]) || str_has_prefix(r->name, w->at[i])) return true;
    return !w->n;
}

// The user's rows that the words mean, and what prices of these regions erred by. False after a message.
static bool rows_meant(Words *w, WiseAll *out) {
    WiseVec all = {0};
    WiseErrorVec errors = {0};
    const char *why = "";
    bool none;
    int bad = 0;
    WiseStore *s = store(w, false, &none);
    if (!s) return none;
    if (!wise_rows(s, w->a, NULL, &all, &bad, &why)) return wrong(why), false;
    if (bad) fprintf(stderr, "sculpt: warning: %d rows of the wisdom say nonsense and are left out\n", bad);
    for (int i = 0; i < all.n; i++)
        if (is_meant(w, &all.at[i])) vec_push(w->a, &out->rows, all.at[i]);
    if (!wise_errors(s, w->a, NULL, &errors, &why)) return wrong(why), false;
    for (int i = 0; i < errors.n; i++) {
        bool meant = !w->n;
        for (int k = 0; k < out->rows.n; k++)
            meant |= str_eq(out->rows.at[k].key.region, errors.at[i].key.region);
        if (meant) vec_push(w->a, &out->errors, errors.at[i]);
    }
    return true;
}

static int list(Words *w, bool whole) {
    WiseAll all = {0};
    if (!rows_meant(w, &all)) return 1;
    WiseVec rows = all.rows;
    Corrections known = corrections(w, &all.errors);
    if (w->json) return put_json(&rows, &known), 0;
    if (!rows.n) puts(w->n ? "nothing of that is known" : "nothing was kept so far; 'sculpt tune' measures");
    for (int i = 0; whole && i < rows.n; i++) put_whole(w, &rows.at[i]);
    if (!whole) put_list(w, &rows);
    put_corrections(&known);
    return 0;
}

static const char *counted(const Words *w, int n) {
    return arena_printf(w->a, "%d row%s", n, n == 1 ? "" : "s");
}

// ---- from file to file -------------------------------------------------------------------------------
static int export_(Words *w) {
    WiseAll all = {0};
    if (!rows_meant(w, &all)) return 1;
    const char *text = wise_print(w->a, &all);
    bool to_file = w->out && !str_eq(w->out, "-");
    if (!to_file) return fputs(text, stdout), 0;
    if (!file_write(w->out, text, strlen(text)))
        return wrong(arena_printf(w->a, "%s can't be written: %s", w->out, strerror(errno)));
    fprintf(stderr, "%s\n", counted(w, all.rows.n));
    return 0;
}

static bool read_text(Words *w, const char *file, WiseAll *all) {
    size_t size;
    const char *why, *text = file_read(w->a, str_eq(file, "-") ? "/dev/stdin" : file, &size);
    if (!text) return wrong(arena_printf(w->a, "%s can't be read: %s", file, strerror(errno))), false;
    if (str_has_prefix(text, "SQLite format"))
        return wrong(arena_printf(w->a, "%s is no text: 'sculpt wisdom merge' takes it", file)), false;
    if (wise_read(w->a, text, size, all, &why)) return true;
    return wrong(arena_printf(w->a, "%s is not imported: %s", file, why)), false;
}

static bool read_store(Words *w, const char *file, WiseAll *all) {
    const char *why;
    int bad;
    struct stat st;
    WiseStore *s = wise_open(w->a, file, false, &why);
    const char *text = !s && stat(file, &st) == 0 && S_ISREG(st.st_mode) ? file_read(w->a, file, NULL) : NULL;
    if (text && str_has_prefix(text, "sculpt wisdom"))
        return wrong(arena_printf(w->a, "%s is a text: 'sculpt wisdom import' takes it", file)), false;
    if (!s) return wrong(*why ? why : arena_printf(w->a, "there is no wisdom in %s", file)), false;
    if (!wise_rows(s, w->a, NULL, &all->rows, &bad, &why) || !wise_errors(s, w->a, NULL, &all->errors, &why))
        return wrong(why), false;
    if (!bad) return true;
    return wrong(arena_printf(w->a, "%s is not taken: %d of its rows say nonsense", file, bad)), false;
}

// import: texts; merge: files of wisdom. All of them or nothing.
static int take(Words *w, bool (*read)(Words *w, const char *file, WiseAll *all)) {
    WiseAll all = {0};
    bool none;
    const char *why;
    if (!w->n) return usage_error("wisdom", "a file is needed");
    for (int i = 0; i < w->n; i++)
        if (!read(w, w->at[i], &all)) return 1;
    WiseStore *s = store(w, true, &none);
    if (!s) return 1;
    if (wise_put_all(s, &all, &why) < 0) return wrong(why);
    fprintf(stderr, "%s\n", counted(w, all.rows.n));
    return 0;
}

static int forget(Words *w) {
    bool none;
    const char *why;
    int all = 0;
    if (!w->n) return usage_error("wisdom", "forget what? A region, the beginning of a name, or 'all'");
    WiseStore *s = store(w, false, &none); // nothing is made where nothing is
    if (!s && !none) return 1;
    s = s ? store(w, true, &none) : NULL;
    for (int i = 0; s && i < w->n; i++) {
        int n = wise_forget(s, str_eq(w->at[i], "all") ? "" : w->at[i], &why);
        if (n < 0) return wrong(why);
        all += n;
    }
    fprintf(stderr, "%s forgotten\n", counted(w, all));
    return 0;
}

// ---- what a call would take ----------------------------------------------------------------------------
static const char *sizes_of(Words *w, const Region *r) {
    Text t = text_new(w->a);
    for (int i = 0; i < r->nparams; i++) {
        const Sym *s = r->params[i];
        int64_t v = 0;
        int k = w->args.n - 1;
        while (k >= 0 && !str_eq(w->args.at[k].name, s->name)) k--;
        if (!type_is_int(s->type)) continue;
        if (k < 0 || !setting_value(w->a, k, w->args.at, w->args.at[k].value, &v)) {
            if (s->source) return arena_printf(w->a, "?%s", s->name);
            continue;
        }
        text_printf(&t, "%s%s=%lld", t.n ? " " : "", s->name, (long long)v);
    }
    return arena_strdup(w->a, text_str(&t));
}

static void explain_one(Words *w, const Region *r, WiseKey k) {
    WiseVec rows = {0};
    const char *why;
    k.region = digest_text(w->a, wisdom_region(pipeline_text(w->a, r, 0, NULL)));
    k.sizes = sizes_of(w, r);
    const WiseFiles *files = wise_files(w->a, &why);
    if (*why) printf("  %s\n", why);
    wise_all(files, w->a, k.region, &rows, &why);
    printf("%s: region %s\n", show_loc(w->a, r->loc), k.region);
    if (*why) printf("  %s\n", why);
    printf("  key: %s, %s, %s; %s; arrays on %lld bytes\n", k.device, k.arch, k.vendor, k.sizes,
           (long long)k.align);
    if (*k.sizes == '?') return (void)printf("  miss: the size %s is not given (--arg)\n", k.sizes + 1);
    WiseHit h = wise_match(rows.n, rows.at, &k);
    if (!h.row)
        return (void)printf("  miss: %s of this region, none near; the model chooses\n", counted(w, rows.n));
    printf("  %s: %s, %s%s%s\n", *h.row->recipe ? "hit" : "hit, and the planner's choice is the best",
           wise_level_word(h.level),
           h.distance == 0 ? "these sizes" : "near sizes: ", h.distance == 0 ? "" : h.row->key.sizes,
           str_eq(h.row->catalogue, plan_catalogue(w->a)) ? "" : "; by another catalogue, so judged anew");
    put_whole(w, h.row);
}

static int explain(Words *w) {
    const char *why = "";
    if (!w->n) return usage_error("wisdom", "a C file is needed");
    Lab *l = lab_open(w->a, w->device, &why);
    if (!l) return wrong(why);
    WiseKey k = {.align = 16};
    wise_device(w->a, l->info, &k);
    char *none[] = {NULL};
    Flags *f = flags_parse(w->a, 0, none, &why);
    for (int i = 0; i < w->n; i++) {
        FrontUnit *u = pipeline_front(w->c, w->at[i], f);
        for (int n = 0; u && n < u->nregions; n++)
            if (u->regions[n].region) explain_one(w, u->regions[n].region, k);
    }
    diags_show(w->c, 0, f, true);
    return w->c->errors > 0;
}

// ---- the verb --------------------------------------------------------------------------------------------
static const char *read_words(Words *w, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        const char *text = NULL;
        int used = word_valued("--device", i, argc, argv, &w->device);
        if (!used) used = word_valued("--out", i, argc, argv, &w->out);
        if (!used && (used = word_valued("--arg", i, argc, argv, &text)) > 0 &&
            !settings_read(w->a, text, &w->args))
            return arena_printf(w->a, "--arg takes NAME=VALUE, not '%s'", text);
        if (used < 0) return arena_printf(w->a, "%s needs a value", argv[i]);
        if (used) i += used - 1;
        else if (str_eq(argv[i], "--json")) w->json = true;
        else if (*argv[i] == '-' && argv[i][1]) return argv[i];
        else if (w->n < 64) w->at[w->n++] = argv[i];
    }
    return NULL;
}

static int does(Words *w, const char *what) {
    if (str_eq(what, "list")) return list(w, false);
    if (str_eq(what, "show")) return list(w, true);
    if (str_eq(what, "export")) return export_(w);
    if (str_eq(what, "import")) return take(w, read_text);
    if (str_eq(what, "merge")) return take(w, read_store);
    if (str_eq(what, "forget")) return forget(w);
    if (str_eq(what, "explain")) return explain(w);
    static const char *const known[] = {"list",  "show",   "export",  "import",
                                        "merge", "forget", "explain", NULL};
    return usage_error("wisdom", "'%s' is not known%s", what, word_meant(w->a, what, known));
}

int wisdom_main(int argc, char **argv) {
    Compile *c = compile_new();
    Words w = {.c = c, .a = c->arena};
    bool named = argc > 0 && *argv[0] != '-';
    const char *stray = read_words(&w, argc - named, argv + named);
    int status = stray && *stray == '-' && !strchr(stray, ' ') ? usage_stray("wisdom", stray)
                 : stray                                       ? usage_error("wisdom", "%s", stray)
                                                               : does(&w, named ? argv[0] : "list");
    compile_free(c);
    return status;
}
