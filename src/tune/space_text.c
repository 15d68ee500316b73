// SPDX-License-Identifier: MIT
// space_text.c -- a space and what was measured of it, as text.
//
//     sculpt tuning 1
//     region matmul_9 0123…
//     device NAME|ARCH|VENDOR|TARGET
//     sizes n=512
//     align 16
//     catalogue 89ab…
//     standard 40 0.0092 0.0018    so many lines of a nest's text, its price, the ceiling
//     point 0 0.0092 2,3 31 0 device-memory   family, price, coordinates; lines of its form, and of its nest;
//                                  what it waits for
//     …
//     measured 3 ok 0.0012 0.0013  a point, its time, the time of what runs without wisdom beside it
#include "tune/space.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int lines_of(const char *s) {
    int n = 0;
    for (; *s; s++) n += *s == '\n' || !s[1];
    return n;
}

static void put_lines(Text *t, const char *s) {
    text_put(t, s);
    if (*s && !str_has_suffix(s, "\n")) text_put(t, "\n");
}

bool space_by_hand(const Space *s) { return str_has_prefix(s->standard, "by hand "); }

char *measured_print(Arena *a, const Measured *m) {
    return arena_printf(a, "measured %d %s %.9g %.9g\n", m->point, m->outcome, m->seconds, m->base);
}

char *space_print(Arena *a, const Space *s) {
    Text t = text_new(a);
    const WiseKey *k = &s->key;
    text_printf(&t, "sculpt tuning 1\nregion %s %s\ndevice %s|%s|%s|%s\nsizes %s\nalign %lld\ncatalogue %s\n",
                s->name, k->region, k->device, k->arch, k->vendor, k->target, k->sizes, (long long)k->align,
                s->catalogue);
    text_printf(&t, "standard %d %.9g %.9g\n", lines_of(s->standard), s->price, s->ceiling);
    put_lines(&t, s->standard);
    for (int i = 0; i < s->n; i++) {
        const Point *p = &s->at[i];
        text_printf(&t, "point %d %.9g ", p->family, p->price);
        for (int c = 0; c < p->ncoord; c++) text_printf(&t, "%s%d", c ? "," : "", p->coord[c]);
        text_printf(&t, "%s %d %d %s\n", p->ncoord ? "" : "-", lines_of(p->form),
                    p->nest ? lines_of(p->nest) : 0, p->bound ? p->bound : "");
        put_lines(&t, p->form);
        if (p->nest) put_lines(&t, p->nest);
    }
    return arena_strdup(a, text_str(&t));
}

// ---- reading
// ------------------------------------------------------------------------------------------------
typedef struct Reader {
    Arena *a;
    const char *s, *why;
    int line;
} Reader;

static const char *next(Reader *r) {
    size_t n = strcspn(r->s, "\n");
    const char *line = arena_strndup(r->a, r->s, n);
    r->s += n + (r->s[n] == '\n');
    r->line++;
    return line;
}

static bool fail(Reader *r, const char *why) {
    if (!r->why) r->why = arena_printf(r->a, "line %d: %s", r->line, why);
    return false;
}

static const char *value(Reader *r, const char *word) {
    const char *line = next(r);
    size_t n = strlen(word);
    if (strncmp(line, word, n) == 0 && (line[n] == ' ' || !line[n])) return line[n] ? line + n + 1 : "";
    fail(r, arena_printf(r->a, "'%s' should stand here", word));
    return "";
}

// So many lines as one text; a single one without its end.
static const char *take(Reader *r, int n) {
    Text t = text_new(r->a);
    for (int i = 0; i < n && *r->s; i++) text_printf(&t, "%s\n", next(r));
    const char *s = text_str(&t);
    return n == 1 && str_has_prefix(s, "planned ") ? arena_strndup(r->a, s, strlen(s) - 1)
                                                   : arena_strdup(r->a, s);
}

static const char *part(Reader *r, const char **s, char end) {
    const char *at = strchr(*s, end), *out = *s;
    if (!at) return fail(r, "a part is missing"), "";
    *s = at + 1;
    return arena_strndup(r->a, out, (size_t)(at - out));
}

static void head(Reader *r, Space *s) {
    if (!str_eq(next(r), "sculpt tuning 1")) fail(r, "it does not begin with 'sculpt tuning 1'");
    const char *v = value(r, "region");
    s->name = part(r, &v, ' '), s->key.region = v;
    v = value(r, "device");
    s->key.device = part(r, &v, '|'), s->key.arch = part(r, &v, '|'), s->key.vendor = part(r, &v, '|');
    s->key.target = v;
    s->key.sizes = value(r, "sizes");
    s->key.align = atoll(value(r, "align"));
    s->catalogue = value(r, "catalogue");
    int n = 0;
    if (sscanf(value(r, "standard"), "%d %lf %lf", &n, &s->price, &s->ceiling) < 2)
        fail(r, "it has no lines and price");
    s->standard = take(r, n);
}

static bool coordinates(const char *s, Point *p) {
    if (*s == '-') return true;
    for (p->ncoord = 0; *s && p->ncoord < SPACE_KNOBS; s += *s == ',') {
        char *end;
        p->coord[p->ncoord++] = (int)strtol(s, &end, 10);
        if (end == s) return false;
        s = end;
    }
    return !*s;
}

static Point point(Reader *r, const char *line) {
    Point p = {0};
    char coords[256], bound[64] = "";
    int lines, nest;
    if (sscanf(line, "point %d %lf %255s %d %d %63s", &p.family, &p.price, coords, &lines, &nest,
               bound) < 5 ||
        !coordinates(coords, &p))
        return fail(r, "it is no point"), p;
    p.bound = arena_strdup(r->a, bound);
    p.form = take(r, lines);
    p.nest = nest > 0 ? take(r, nest) : NULL;
    p.digest = digest_text(r->a, digest_of(p.form, strlen(p.form)));
    return p;
}

Space *space_read(Arena *a, const char *text, MeasuredVec *measured, const char **why) {
    Reader r = {.a = a, .s = text};
    Space *s = NEW(a, Space);
    VEC(Point) all = {0};
    head(&r, s);
    while (!r.why && *r.s) {
        const char *line = next(&r);
        Measured m = {0};
        char outcome[16];
        if (str_has_prefix(line, "point ")) {
            vec_push(a, &all, point(&r, line));
        } else if (sscanf(line, "measured %d %15s %lf %lf", &m.point, outcome, &m.seconds, &m.base) == 4 &&
                   m.point >= 0 && m.point < all.n) {
            m.outcome = arena_strdup(a, outcome);
            if (measured) vec_push(a, measured, m);
        } else if (*r.s) { // a last line may be cut
            fail(&r, "it is neither a point nor measured");
        }
    }
    s->n = all.n, s->at = all.at;
    if (!r.why && !all.n) fail(&r, "there is no point");
    *why = r.why;
    return r.why ? NULL : s;
}
