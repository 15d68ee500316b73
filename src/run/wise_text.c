// SPDX-License-Identifier: MIT
// wise_text.c -- rows of wisdom as text: what `sculpt wisdom export` prints and import reads.
//
//     sculpt wisdom 1
//     region 0123…                 one word and its value a line, in this order
//     …
//     recipe 2                     so many lines follow
//     grid i per=8
//     close asis=yes
//     error 0123…                  what prices of a region erred by, where that is known: device to catalogue
//     …                            as above, then what candidates wait for and the logarithm
//     errors 1                     so many; no line where there are none
//     total 1                      rows; nothing stands behind it
//
// Whoever reads believes nothing: every word, length and number is checked before a row is taken.
#include "run/wise.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 200, MOST_SIZES = 2000, MOST_RECIPE = 65536, MOST_LINES = 2000, MOST_ROWS = 100000 };

// ---- what a row may say -----------------------------------------------------------------------------
// Printable, of no great length; no control characters, so that a terminal can't be spoken to.
static bool is_text(const char *s, size_t most, bool lines) {
    if (!s || strlen(s) > most) return false;
    for (; *s; s++)
        if (((unsigned char)*s < ' ' && !(lines && *s == '\n')) || *s == 127) return false;
    return true;
}

static bool is_hex(const char *s) { return s && strlen(s) == 32 && strspn(s, "0123456789abcdef") == 32; }

static bool is_sizes(const char *s) {
    if (!is_text(s, MOST_SIZES, false)) return false;
    while (*s) {
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
        if (!n || isdigit((unsigned char)*s) || s[n] != '=') return false;
        s += n + 1;
        s += *s == '-';
        n = strspn(s, "0123456789");
        if (!n || n > 18 || (s[n] && s[n] != ' ')) return false;
        s += n + (s[n] == ' ');
    }
    return true;
}

static bool is_recipe(const char *s) {
    if (!is_text(s, MOST_RECIPE, true)) return false;
    if (str_has_prefix(s, "planned ")) return is_hex(s + strlen("planned "));
    int lines = 0;
    for (const char *at = s; *at; at++) lines += *at == '\n';
    return lines <= MOST_LINES && (!*s || str_has_suffix(s, "\n"));
}

static bool is_time(double s, bool needed) { return isfinite(s) && s < 1e9 && (needed ? s > 0 : s >= 0); }

static const char *key_wrong(const WiseKey *k, const char *catalogue) {
    if (!is_hex(k->region)) return "its region is no digest";
    if (!is_text(k->device, MOST_NAME, false) || !*k->device) return "its device has no name";
    if (!is_text(k->arch, MOST_NAME, false) || !is_text(k->vendor, MOST_NAME, false))
        return "its device has no kind";
    if (!k->target || !str_among(k->target, "gpu cpu")) return "its target is neither gpu nor cpu";
    if (!is_sizes(k->sizes)) return "its sizes are none";
    if (k->align < 1 || k->align > 4096 || (k->align & (k->align - 1))) return "its alignment is none";
    return is_hex(catalogue) ? NULL : "its catalogue is no digest";
}

const char *wise_error_wrong(const WiseError *e) {
    WiseKey k = e->key;
    k.arch = k.vendor = "";
    if (!is_text(e->bound, MOST_NAME, false) || !*e->bound) return "what it waits for has no name";
    return isfinite(e->error) && fabs(e->error) < 20 ? key_wrong(&k, e->catalogue) : "its logarithm is none";
}

const char *wise_wrong(const Wise *w) {
    const char *wrong = key_wrong(&w->key, w->catalogue);
    if (wrong) return wrong;
    if (!is_text(w->name, MOST_NAME, false)) return "its region's name is none";
    if (!is_recipe(w->recipe)) return "its recipe is none";
    if (!w->verdict || !str_among(w->verdict, "proved tested default")) return "its verdict is none";
    if (str_eq(w->verdict, "default") != !*w->recipe) return "its verdict is not that of its recipe";
    if (!is_time(w->seconds, true) || !is_time(w->base, true)) return "its times are none";
    return w->made < 0 ? "it was made before all time" : NULL;
}

// ---- printing -----------------------------------------------------------------------------------------
static int lines_of(const char *s) {
    int n = 0;
    for (; *s; s++) n += *s == '\n';
    return n;
}

char *wise_print(Arena *a, const WiseAll *all) {
    Text t = text_new(a);
    text_put(&t, "sculpt wisdom 1\n");
    for (int i = 0; i < all->rows.n; i++) {
        const Wise *w = &all->rows.at[i];
        bool planned = str_has_prefix(w->recipe, "planned ");
        text_printf(&t, "region %s\nname %s\ndevice %s\narch %s\nvendor %s\ntarget %s\n", w->key.region,
                    w->name, w->key.device, w->key.arch, w->key.vendor, w->key.target);
        text_printf(&t,
                    "sizes %s\nalign %lld\nverdict %s\ncatalogue %s\nseconds %.9g\nbase %.9g\nmade %lld\n",
                    w->key.sizes, (long long)w->key.align, w->verdict, w->catalogue, w->seconds, w->base,
                    (long long)w->made);
        if (planned) text_printf(&t, "recipe 1\n%s\n", w->recipe);
        else text_printf(&t, "recipe %d\n%s", lines_of(w->recipe), w->recipe);
    }
    for (int i = 0; i < all->errors.n; i++) {
        const WiseError *e = &all->errors.at[i];
        text_printf(&t, "error %s\ndevice %s\ntarget %s\nsizes %s\nalign %lld\ncatalogue %s\n", e->key.region,
                    e->key.device, e->key.target, e->key.sizes, (long long)e->key.align, e->catalogue);
        text_printf(&t, "waits %s\nlogarithm %.9g\n", e->bound, e->error);
    }
    if (all->errors.n) text_printf(&t, "errors %d\n", all->errors.n);
    text_printf(&t, "total %d\n", all->rows.n);
    return arena_strdup(a, text_str(&t));
}

// ---- reading ------------------------------------------------------------------------------------------
typedef struct Reader {
    Arena *a;
    const char *s;
    int line;
    const char *why;
} Reader;

static bool fail(Reader *r, const char *why) {
    if (!r->why) r->why = arena_printf(r->a, "line %d: %s", r->line, why);
    return false;
}

// The next line without its end; NULL after fail: the text ends.
static const char *next_line(Reader *r) {
    const char *end = strchr(r->s, '\n');
    r->line++;
    if (!end) return fail(r, "the text ends in the middle"), NULL;
    const char *line = arena_strndup(r->a, r->s, (size_t)(end - r->s));
    r->s = end + 1;
    return line;
}

// The value of the next line, which begins with the word; "" behind a failure.
static const char *value(Reader *r, const char *word) {
    const char *line = r->why ? NULL : next_line(r);
    size_t n = strlen(word);
    if (!line) return "";
    if (strncmp(line, word, n) == 0 && line[n] == ' ') return line + n + 1;
    if (str_eq(line, word)) return "";
    fail(r, arena_printf(r->a, "'%s' should stand here", word));
    return "";
}

static int64_t whole(Reader *r, const char *word, int64_t most) {
    const char *v = value(r, word);
    char *end;
    errno = 0;
    long long x = strtoll(v, &end, 10);
    if (r->why) return 0;
    if (end == v || *end || errno || x < 0 || x > most || !isdigit((unsigned char)*v))
        return fail(r, arena_printf(r->a, "'%s' takes another number", word)), 0;
    return x;
}

static double number(Reader *r, const char *word) {
    const char *v = value(r, word);
    char *end;
    double x = strtod(v, &end);
    if (!r->why && (end == v || *end)) fail(r, arena_printf(r->a, "'%s' takes a number", word));
    return x;
}

static const char *recipe(Reader *r) {
    int64_t n = whole(r, "recipe", MOST_LINES);
    Text t = text_new(r->a);
    for (int64_t i = 0; i < n && !r->why; i++) {
        const char *line = next_line(r);
        if (line) text_printf(&t, "%s\n", line);
    }
    const char *s = arena_strdup(r->a, text_str(&t));
    return n == 1 && str_has_prefix(s, "planned ") ? arena_strndup(r->a, s, strlen(s) - 1) : s;
}

static bool row(Reader *r, WiseVec *out) {
    Wise w = {.key.region = value(r, "region")};
    w.name = value(r, "name");
    w.key.device = value(r, "device");
    w.key.arch = value(r, "arch");
    w.key.vendor = value(r, "vendor");
    w.key.target = value(r, "target");
    w.key.sizes = value(r, "sizes");
    w.key.align = whole(r, "align", 4096);
    w.verdict = value(r, "verdict");
    w.catalogue = value(r, "catalogue");
    w.seconds = number(r, "seconds");
    w.base = number(r, "base");
    w.made = whole(r, "made", INT64_MAX);
    w.recipe = recipe(r);
    const char *wrong = r->why ? NULL : wise_wrong(&w);
    if (wrong) fail(r, arena_printf(r->a, "the row that ends here is no good: %s", wrong));
    if (r->why) return false;
    vec_push(r->a, out, w);
    return true;
}

static bool error(Reader *r, WiseErrorVec *out) {
    WiseError e = {.key.region = value(r, "error")};
    e.key.device = value(r, "device");
    e.key.target = value(r, "target");
    e.key.sizes = value(r, "sizes");
    e.key.align = whole(r, "align", 4096);
    e.catalogue = value(r, "catalogue");
    e.bound = value(r, "waits");
    e.error = number(r, "logarithm");
    const char *wrong = r->why ? NULL : wise_error_wrong(&e);
    if (wrong) fail(r, arena_printf(r->a, "the error that ends here is no good: %s", wrong));
    if (r->why) return false;
    vec_push(r->a, out, e);
    return true;
}

bool wise_read(Arena *a, const char *text, size_t size, WiseAll *out, const char **why) {
    Reader r = {.a = a, .s = text};
    if (strlen(text) != size) return *why = "it is no text", false;
    if (!str_has_prefix(text, "sculpt wisdom 1\n"))
        return *why = "it does not begin with 'sculpt wisdom 1'", false;
    next_line(&r);
    while (!r.why && str_has_prefix(r.s, "region ") && out->rows.n < MOST_ROWS) row(&r, &out->rows);
    int before = out->errors.n;
    while (!r.why && str_has_prefix(r.s, "error ") && out->errors.n < MOST_ROWS) error(&r, &out->errors);
    int64_t errors = r.why || out->errors.n == before ? before : before + whole(&r, "errors", MOST_ROWS);
    if (!r.why && errors != out->errors.n) fail(&r, "there are more or fewer errors than it says");
    int64_t total = r.why ? 0 : whole(&r, "total", MOST_ROWS);
    if (!r.why && total != out->rows.n) fail(&r, "there are more or fewer rows than it says");
    if (!r.why && *r.s) fail(&r, "something stands behind the end");
    *why = r.why;
    return !r.why;
}
