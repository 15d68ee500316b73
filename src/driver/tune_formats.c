// SPDX-License-Identifier: MIT
// tune_formats.c -- logs of tuning in the forms of others, written and read: Kernel Tuner's cache file and
// the T4 results of the auto-tuning schemas.
//
// A point's parameters are its family and the choices of its recipe's numbers; what the steps are stands
// beside.
#include "driver/tune_formats.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The names and values of a point's parameters; a number as one.
typedef VEC(const char *) Names;
static json_t *value_of(const char *text) {
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end) return json_string(text);
    return v == (double)(json_int_t)v && !strpbrk(text, ".eE") ? json_integer((json_int_t)v) : json_real(v);
}

static Names names_of(Arena *a, const Space *s) {
    Names out = {0};
    int n = 0;
    if (space_by_hand(s)) {
        for (const char *p = s->at[0].form; *p; p += strcspn(p, "\n"), p += *p == '\n')
            vec_push(a, &out, (const char *)arena_strndup(a, p, strcspn(p, "=")));
        return out;
    }
    for (int i = 0; i < s->n; i++) n = s->at[i].ncoord > n ? s->at[i].ncoord : n;
    vec_push(a, &out, "family");
    for (int k = 0; k < n; k++) vec_push(a, &out, (const char *)arena_printf(a, "k%d", k));
    return out;
}

static json_t *parameter(Arena *a, const Space *s, const Point *p, int i) {
    const char *at = p->form;
    if (!space_by_hand(s)) return json_integer(!i ? p->family : i <= p->ncoord ? p->coord[i - 1] : 0);
    for (; i > 0; i--) at += strcspn(at, "\n") + 1;
    at += strcspn(at, "=") + 1;
    return value_of(arena_strndup(a, at, strcspn(at, "\n")));
}

static json_t *configuration(Arena *a, const Space *s, const Point *p, const Names *names) {
    json_t *o = json_object();
    for (int i = 0; i < names->n; i++) json_object_set_new(o, names->at[i], parameter(a, s, p, i));
    return o;
}

static const char *key_of(Arena *a, const Space *s, const Point *p, const Names *names) {
    Text t = text_new(a);
    for (int i = 0; i < names->n; i++) {
        json_t *v = parameter(a, s, p, i);
        char *text = json_is_string(v) ? NULL : json_dumps(v, JSON_ENCODE_ANY);
        text_printf(&t, "%s%s", i ? "," : "", text ? text : json_string_value(v));
        free(text), json_decref(v);
    }
    return text_str(&t);
}

static bool has_time(const Measured *m) { return str_among(m->outcome, "ok slow") && m->seconds > 0; }

// ---- Kernel Tuner's cache file --------------------------------------------------------------------------
static const char *failure(const Measured *m) {
    if (str_eq(m->outcome, "refused")) return "InvalidConfig";
    return str_among(m->outcome, "failed") ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

static json_t *problem(const Space *s) {
    json_t *list = json_array();
    for (const char *p = s->key.sizes; (p = strchr(p, '=')); p++)
        json_array_append_new(list, json_integer(atoll(p + 1)));
    return list;
}

static void add_choice(json_t *list, json_t *v) {
    size_t i;
    json_t *x;
    bool known = false;
    json_array_foreach(list, i, x) known |= json_equal(x, v);
    if (known)
        json_decref(v);
    else
        json_array_append_new(list, v);
}

static json_t *cache_file(Arena *a, const Space *s, const MeasuredVec *log) {
    Names names = names_of(a, s);
    json_t *keys = json_array(), *params = json_object(), *cache = json_object();
    for (int k = 0; k < names.n; k++) {
        json_t *list = json_array();
        json_array_append_new(keys, json_string(names.at[k]));
        for (int i = 0; i < s->n; i++) add_choice(list, parameter(a, s, &s->at[i], k));
        json_object_set_new(params, names.at[k], list);
    }
    for (int i = 0; i < log->n; i++) {
        const Measured *m = &log->at[i];
        json_t *o = configuration(a, s, &s->at[m->point], &names);
        json_object_set_new(o, "time", has_time(m) ? json_real(1e3 * m->seconds) : json_string(failure(m)));
        if (has_time(m)) json_object_set_new(o, "times", json_pack("[f]", 1e3 * m->seconds));
        static const char *const others[] = {"compile_time", "verification_time", "benchmark_time",
                                             "strategy_time", "framework_time"};
        for (int k = 0; k < 5; k++) json_object_set_new(o, others[k], json_real(0)); // they are not kept
        json_object_set_new(cache, key_of(a, s, &s->at[m->point], &names), o);
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s, s:o}", "device_name", s->key.device, "kernel_name",
                     s->name, "problem_size", problem(s), "tune_params_keys", keys, "tune_params", params,
                     "objective", "time", "cache", cache);
}

// ---- T4 ---------------------------------------------------------------------------------------------------
static const char *invalidity(const Measured *m) {
    static const char *const words[][2] = {
        {"ok", "correct"},      {"slow", "correct"},   {"wrong", "correctness"},  {"hung", "timeout"},
        {"crashed", "runtime"}, {"failed", "compile"}, {"refused", "constraints"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(words[i][0], m->outcome)) return words[i][1];
    return "runtime";
}

static json_t *t4(Arena *a, const Space *s, const MeasuredVec *log) {
    Names names = names_of(a, s);
    json_t *results = json_array();
    for (int i = 0; i < log->n; i++) {
        const Measured *m = &log->at[i];
        json_t *runs = json_array(), *values = json_array();
        if (has_time(m)) {
            json_array_append_new(runs, json_real(1e3 * m->seconds));
            json_array_append_new(values, json_pack("{s:s, s:f, s:s}", "name", "time", "value",
                                                    1e3 * m->seconds, "unit", "ms"));
        }
        json_t *o = json_pack("{s:o, s:[s], s:{s:o}, s:s, s:i, s:o}", "configuration",
                              configuration(a, s, &s->at[m->point], &names), "objectives", "time", "times",
                              "runtimes", runs, "invalidity", invalidity(m), "correctness", has_time(m),
                              "measurements", values);
        json_array_append_new(results, o);
    }
    return json_pack("{s:s, s:o}", "schema_version", "1.0.0", "results", results);
}

bool tune_export(Arena *a, const char *form, const Space *s, const MeasuredVec *log) {
    bool kt = str_eq(form, "kernel-tuner");
    if (str_eq(form, "log")) {
        fputs(space_print(a, s), stdout);
        for (int i = 0; i < log->n; i++) fputs(measured_print(a, &log->at[i]), stdout);
        return true;
    }
    if (!kt && !str_eq(form, "t4")) return false;
    json_t *o = kt ? cache_file(a, s, log) : t4(a, s, log);
    json_dumpf(o, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(o);
    return true;
}

// ---- a cache file as a log
// ---------------------------------------------------------------------------------- The place of a value
// among a parameter's; -1: it is none of them.
static int place_of(const json_t *list, const json_t *v) {
    size_t i;
    json_t *x;
    json_array_foreach(list, i, x) if (json_equal(x, v)) return (int)i;
    return -1;
}

static bool read_entry(Arena *a, const json_t *keys, const json_t *params, const char *key, const json_t *o,
                       Point *p, Measured *m) {
    size_t i;
    json_t *k;
    *p = (Point){.form = arena_strdup(a, key), .digest = digest_text(a, digest_of(key, strlen(key)))};
    json_array_foreach(keys, i, k) {
        const char *name = json_string_value(k);
        int at = name ? place_of(json_object_get(params, name), json_object_get(o, name)) : -1;
        if (at < 0) return false;
        if (p->ncoord < SPACE_KNOBS) p->coord[p->ncoord++] = at;
    }
    const json_t *time = json_object_get(o, "time");
    double ms = json_is_number(time) ? json_number_value(time) : 0;
    bool ok = isfinite(ms) && ms > 0 && ms < 1e12;
    *m = (Measured){.outcome = ok ? "ok" : "failed", .seconds = ok ? 1e-3 * ms : 0, .base = ok};
    return ok || json_is_string(time);
}

// An entry's values by the names of the space's own kernel, in their order, a number as one; NULL: one lacks.
static const char *place_by(Arena *a, const Names *names, const json_t *o) {
    Text t = text_new(a);
    for (int i = 0; i < names->n; i++) {
        const json_t *v = json_object_get(o, names->at[i]);
        if (!v) return NULL;
        if (json_is_string(v)) text_printf(&t, "%s,", json_string_value(v));
        else text_printf(&t, "%.17g,", json_is_number(v) ? json_number_value(v) : json_is_true(v));
    }
    return text_str(&t);
}

static json_t *places_of(Arena *a, const Space *s, const Names *names) {
    json_t *all = json_object();
    for (int i = 0; i < s->n; i++) {
        json_t *o = configuration(a, s, &s->at[i], names);
        json_object_set_new(all, place_by(a, names, o), json_integer(i));
        json_decref(o);
    }
    return all;
}

// ---- T4 as a cache file ---------------------------------------------------------------------------------
static double in_ms(const char *unit) {
    return !unit ? 1 : str_eq(unit, "s") ? 1e3 : str_eq(unit, "us") ? 1e-3 : str_eq(unit, "ns") ? 1e-6 : 1;
}

// The result's time in milliseconds, or in what way it is none.
static json_t *time_of_t4(const json_t *r) {
    const char *wrong = json_string_value(json_object_get(r, "invalidity"));
    const json_t *runs = json_object_get(json_object_get(r, "times"), "runtimes"), *x;
    double sum = 0;
    size_t i;
    if (wrong && !str_eq(wrong, "correct")) return json_string(wrong);
    json_array_foreach(json_object_get(r, "measurements"), i, x) {
        const char *name = json_string_value(json_object_get(x, "name"));
        const json_t *v = json_object_get(x, "value");
        if (name && str_eq(name, "time") && json_is_number(v))
            return json_real(json_number_value(v) * in_ms(json_string_value(json_object_get(x, "unit"))));
    }
    json_array_foreach(runs, i, x) sum += json_number_value(x);
    return i ? json_real(sum / (double)i) : json_string("no time");
}

// Its parameters are those of the first result. NULL: it is none.
static json_t *cache_of_t4(Arena *a, const json_t *t4) {
    const json_t *results = json_object_get(t4, "results"), *r;
    json_t *first = json_object_get(json_array_get(results, 0), "configuration"), *v;
    if (!json_is_string(json_object_get(t4, "schema_version")) || !json_is_object(first)) return NULL;
    json_t *keys = json_array(), *params = json_object(), *cache = json_object();
    const char *name;
    size_t i;
    json_object_foreach(first, name, v) {
        json_t *list = json_array();
        json_array_append_new(keys, json_string(name));
        json_array_foreach(results, i, r) {
            json_t *x = json_object_get(json_object_get(r, "configuration"), name);
            if (x) add_choice(list, json_incref(x));
        }
        json_object_set_new(params, name, list);
    }
    json_array_foreach(results, i, r) {
        json_t *o = json_copy(json_object_get(r, "configuration"));
        if (o) json_object_set_new(o, "time", time_of_t4(r));
        json_object_set_new(cache, arena_printf(a, "result %zu", i), o ? o : json_null());
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "device_name", "some device", "kernel_name", "T4",
                     "tune_params_keys", keys, "tune_params", params, "cache", cache);
}

Space *tune_foreign(Arena *a, const char *text, Space *known, MeasuredVec *log, const char **why) {
    json_error_t e;
    json_t *all = json_loads(text, 0, &e), *o, *t4 = all ? cache_of_t4(a, all) : NULL;
    if (t4) json_decref(all), all = t4;
    const char *key, *device = json_string_value(json_object_get(all, "device_name")),
                     *name = json_string_value(json_object_get(all, "kernel_name"));
    const json_t *keys = json_object_get(all, "tune_params_keys"),
                 *params = json_object_get(all, "tune_params");
    json_t *cache = json_object_get(all, "cache");
    Space *s = NEW(a, Space);
    VEC(Point) points = {0};
    Names names = {0};
    if (known) names = names_of(a, known);
    json_t *places = known ? places_of(a, known, &names) : NULL;
    *why = all ? NULL : arena_printf(a, "line %d: %s", e.line, e.text);
    if (all &&
        (!device || !name || !json_is_array(keys) || !json_is_object(params) || !json_is_object(cache)))
        *why = "it is neither a cache file of Kernel Tuner's nor T4";
    if (!*why) json_object_foreach(cache, key, o) {
            Point p;
            Measured m;
            if (!read_entry(a, keys, params, key, o, &p, &m)) {
                *why = arena_printf(a, "entry %s does not fit the file's parameters", key);
                break;
            }
            const char *place = known ? place_by(a, &names, o) : NULL;
            const json_t *at = place ? json_object_get(places, place) : NULL;
            m.point = !known ? points.n : at ? (int)json_integer_value(at) : -1;
            vec_push(a, &points, p);
            if (m.point >= 0) vec_push(a, log, m);
        }
    json_decref(places);
    if (!*why && known && !log->n) *why = "no entry of it is a configuration of this kernel";
    if (!*why && known) return json_decref(all), known->key.device = arena_strdup(a, device), known;
    if (!*why && !points.n) *why = "nothing was measured";
    if (!*why)
        *s = (Space){.name = arena_strdup(a, name),
                     .catalogue = "",
                     .standard = "",
                     .n = points.n,
                     .at = points.at,
                     .key = {.device = arena_strdup(a, device), .sizes = "its size"}};
    json_decref(all);
    return *why ? NULL : s;
}
