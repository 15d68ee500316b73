// SPDX-License-Identifier: MIT
// machine.c -- machines as data: reading, printing, ceilings.
#include "model/machine.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum Kind { TEXT, COUNT, BYTES, RATE, CAPABILITY } Kind;
typedef struct Field {
    Kind kind;
    const char *name;
    size_t offset;
} Field;

static const Field fields[] = {
#define FIELD(kind, name, meaning) {kind, #name, offsetof(Machine, name)},
#include "model/machine.def"
#undef FIELD
};
enum { NFIELDS = sizeof fields / sizeof *fields, MAX_BASES = 4, MOST_BANKS = 256 };

// ---- reading -------------------------------------------------------------------------------
static bool read_count(const char *s, bool bytes, int64_t *out) {
    char *end;
    double v = strtod(s, &end), unit = 1;
    while (*end == ' ') end++;
    if (bytes && str_eq(end, "KiB")) unit = 1024, end += 3;
    else if (bytes && str_eq(end, "MiB")) unit = 1 << 20, end += 3;
    else if (bytes && str_eq(end, "GiB")) unit = 1 << 30, end += 3;
    *out = (int64_t)(v * unit);
    return end != s && !*end && v >= 0 && v * unit < 9e18 && (double)*out == v * unit;
}

static bool read_field(Arena *a, Machine *m, const Field *f, const char *value) {
    void *at = (char *)m + f->offset;
    char *end;
    switch (f->kind) {
    case TEXT: return *(const char **)at = arena_strdup(a, value), *value != 0;
    case COUNT: return read_count(value, false, at);
    case BYTES: return read_count(value, true, at);
    case RATE:
        *(double *)at = strtod(value, &end);
        return end != value && !*end && *(double *)at >= 0;
    default: {
        long major = strtol(value, &end, 10);
        if (end == value || *end != '.' || !isdigit((unsigned char)end[1])) return false;
        long minor = strtol(end + 1, &end, 10);
        *(int *)at = (int)(10 * major + minor);
        return !*end && major >= 0 && major < 100 && minor < 10;
    }
    }
}

// A line without its comment and the blanks around it.
static char *line_of(Arena *a, const char *text, size_t n) {
    const char *comment = memchr(text, '#', n);
    if (comment) n = (size_t)(comment - text);
    while (n && isspace((unsigned char)*text)) text++, n--;
    while (n && isspace((unsigned char)text[n - 1])) n--;
    return arena_strndup(a, text, n);
}

static bool read_into(Arena *a, Machine *m, const char *name, const char *text, int depth, const char **why);

static bool read_line(Arena *a, Machine *m, const char *name, int number, char *line, int depth,
                      const char **why) {
    char *value = line + strcspn(line, " \t");
    if (*value) *value++ = 0;
    value += strspn(value, " \t");
    if (str_eq(line, "base")) {
        const char *reason = "no such file";
        Machine *base = depth < MAX_BASES ? machine_find(a, value, &reason) : NULL;
        if (!base) return *why = arena_printf(a, "%s:%d: base %s: %s", name, number, value, reason), false;
        *m = *base;
        m->name = m->match = NULL;
        return true;
    }
    for (int i = 0; i < NFIELDS; i++) {
        if (!str_eq(fields[i].name, line)) continue;
        if (read_field(a, m, &fields[i], value)) return true;
        return *why = arena_printf(a, "%s:%d: '%s' is no value of %s", name, number, value, line), false;
    }
    return *why = arena_printf(a, "%s:%d: there is no field '%s'", name, number, line), false;
}

static bool read_into(Arena *a, Machine *m, const char *name, const char *text, int depth, const char **why) {
    for (int number = 1; *text; number++) {
        size_t n = strcspn(text, "\n");
        char *line = line_of(a, text, n);
        if (*line && !read_line(a, m, name, number, line, depth, why)) return false;
        text += n + (text[n] == '\n');
    }
    return true;
}

static void fill(int64_t *field, int64_t usual) {
    if (*field <= 0) *field = usual;
}

// What the analysis divides by has a value, said or not.
static void complete(Machine *m) {
    fill(&m->schedulers, 1);
    fill(&m->fp32, m->warp);
    fill(&m->sector, 32);
    fill(&m->line, m->sector > 128 ? m->sector : 128);
    fill(&m->load_granule, m->sector);
    fill(&m->request_lanes, m->warp);
    fill(&m->banks, 32);
    fill(&m->bank_bytes, 4);
    if (m->clock <= 0) m->clock = 1000;
    if (m->overlap < 1) m->overlap = 4;
}

Machine *machine_read(Arena *a, const char *name, const char *text, const char **why) {
    Machine *m = NEW(a, Machine);
    if (!read_into(a, m, name, text, 0, why)) return NULL;
    m->file = arena_strdup(a, name);
    m->measured = m->copy > 0 && m->fma > 0;
    if (!m->name) return *why = arena_printf(a, "%s: it gives no name", name), NULL;
    if (!m->kind || (!str_eq(m->kind, "gpu") && !str_eq(m->kind, "cpu")))
        return *why = arena_printf(a, "%s: its kind is neither gpu nor cpu", name), NULL;
    if (m->sms < 1 || m->warp < 1 || m->warp > 64)
        return *why = arena_printf(a, "%s: no multiprocessors or warps", name), NULL;
    if (m->banks > MOST_BANKS || m->request_lanes > m->warp)
        return *why = arena_printf(a, "%s: more banks or lanes than there are", name), NULL;
    complete(m);
    return m;
}

// ---- printing ------------------------------------------------------------------------------
static const char *bytes_text(Arena *a, int64_t v) {
    static const char *const units[] = {"", " KiB", " MiB", " GiB"};
    int u = 0;
    while (u < 3 && v >= 1024 && v % 1024 == 0) v /= 1024, u++;
    return arena_printf(a, "%lld%s", (long long)v, units[u]);
}

static const char *value_text(Arena *a, const Machine *m, const Field *f) {
    const void *at = (const char *)m + f->offset;
    switch (f->kind) {
    case TEXT: return *(const char *const *)at;
    case COUNT: return *(const int64_t *)at ? arena_printf(a, "%lld", (long long)*(const int64_t *)at) : NULL;
    case BYTES: return *(const int64_t *)at ? bytes_text(a, *(const int64_t *)at) : NULL;
    case RATE: return *(const double *)at > 0 ? arena_printf(a, "%.6g", *(const double *)at) : NULL;
    default:
        return *(const int *)at ? arena_printf(a, "%d.%d", *(const int *)at / 10, *(const int *)at % 10)
                                : NULL;
    }
}

char *machine_print(Arena *a, const Machine *m, const Machine *from, const char *source) {
    Text t = text_new(a);
    text_printf(&t, "# %s\n", m->name);
    for (int i = 0; i < NFIELDS; i++) {
        const char *value = value_text(a, m, &fields[i]);
        const char *old = from ? value_text(a, from, &fields[i]) : NULL;
        if (!value) continue;
        text_printf(&t, "%-17s%-25s # %s\n", fields[i].name, value,
                    old && str_eq(old, value) ? arena_printf(a, "as in %s", from->file) : source);
    }
    return (char *)text_str(&t);
}

// ---- ceilings ------------------------------------------------------------------------------
double machine_flops(const Machine *m, bool f64) {
    double measured = f64 ? m->fma64 : m->fma;
    if (measured > 0) return measured;
    return 2e-3 * (double)m->sms * (double)(f64 ? m->fp64 : m->fp32) * m->clock;
}

double machine_matrix_flops(const Machine *m) {
    return 2e-3 * (double)m->sms * (double)m->matrix64 * m->clock;
}

double machine_bandwidth(const Machine *m) { return m->copy > 0 ? m->copy : m->dram; }

double machine_link(const Machine *m, bool pinned) {
    static const double usual = 10; // third generation of PCI express, 16 lanes, less what is lost
    double slower = m->to_device > 0 && m->to_device < m->to_host ? m->to_device : m->to_host;
    if (slower <= 0) slower = usual;
    return pinned ? slower : m->pageable > 0 ? m->pageable : 0.5 * slower;
}

static double number_of(const Machine *m, const Field *f) {
    const void *at = (const char *)m + f->offset;
    if (f->kind == RATE) return *(const double *)at;
    return f->kind == COUNT || f->kind == BYTES ? (double)*(const int64_t *)at : 0;
}

int machine_compare(Arena *a, const Machine *x, const Machine *y, MachineNumber **out) {
    int n = 0;
    *out = NEW_N(a, MachineNumber, NFIELDS);
    for (int k = 0; k < NFIELDS; k++) {
        double p = number_of(x, &fields[k]), q = number_of(y, &fields[k]);
        if (p > 0 && q > 0 && p != q) (*out)[n++] = (MachineNumber){fields[k].name, p, q};
    }
    return n;
}
