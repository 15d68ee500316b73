// SPDX-License-Identifier: MIT
// wise_match.c -- which row of wisdom a call takes.
#include "run/wise.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 2; // powers of two that a size may be off
enum { SMALL_SIZE = 32 };    // sizes up to here are compiled in, and another one is another loop

const char *wise_level_word(WiseLevel l) {
    static const char *const words[] = {"this device", "its architecture", "its vendor", "any device"};
    return words[l];
}

static const char *arch_of(Arena *a, const DeviceInfo *d) {
    if (d->compute) return arena_printf(a, "sm_%d", d->compute);
    return str_eq(d->dialect, "c") ? "host" : "opencl";
}

static bool names(const char *name, const char *part) {
    size_t n = strlen(part);
    for (; *name; name++)
        if (strncasecmp(name, part, n) == 0) return true;
    return false;
}

static const char *vendor_of(const DeviceInfo *d) {
    static const char *const known[] = {"nvidia", "amd", "intel", "arm", "apple", "qualcomm", NULL};
    if (str_eq(d->dialect, "cuda")) return known[0];
    for (int i = 0; known[i]; i++)
        if (names(d->name, known[i])) return known[i];
    return "unknown";
}

void wise_device(Arena *a, const DeviceInfo *d, WiseKey *k) {
    char *name = arena_strdup(a, d->name);
    for (char *s = name; *s; s++)
        if ((unsigned char)*s < ' ') *s = ' ';
    k->device = arena_printf(a, "%s (%s)", name, d->dialect);
    k->arch = arch_of(a, d);
    k->vendor = vendor_of(d);
    k->target = d->target;
}

const char *wise_sizes(Arena *a, int n, const InterpVal *vals) {
    Text t = text_new(a);
    for (int i = 0; i < n; i++)
        if (type_is_int(vals[i].sym->type))
            text_printf(&t, "%s%s=%lld", t.n ? " " : "", vals[i].sym->name, (long long)vals[i].i);
    return arena_strdup(a, text_str(&t));
}

const char *const wise_words[] = {"off", "read", "write", NULL};

WiseUse wise_use(const char **wrong) {
    const char *v = env_get("SCULPT_TUNE");
    *wrong = NULL;
    if (!v || str_eq(v, "write")) return WISE_WRITE;
    if (str_eq(v, "off")) return WISE_OFF;
    if (!str_eq(v, "read")) *wrong = v;
    return WISE_READ;
}

// ---- matching ---------------------------------------------------------------------------------------
static WiseLevel level_of(const WiseKey *x, const WiseKey *y) {
    if (str_eq(x->device, y->device)) return WISE_DEVICE;
    if (str_eq(x->vendor, y->vendor)) return str_eq(x->arch, y->arch) ? WISE_ARCH : WISE_VENDOR;
    return WISE_ANY;
}

// The next "NAME=NUMBER" of sizes; false: there is none.
static bool next_size(const char **s, const char **name, size_t *n, int64_t *v) {
    *s += strspn(*s, " ");
    if (!**s) return false;
    *name = *s;
    *n = strcspn(*s, "=");
    char *end = (char *)*s + *n;
    *v = *end ? strtoll(end + 1, &end, 10) : 0;
    *s = end;
    return true;
}

// INFINITY: other parameters, or too far.
static double distance_of(const char *x, const char *y) {
    double far = 0;
    for (;;) {
        const char *nx, *ny;
        size_t lx, ly;
        int64_t vx, vy;
        bool more = next_size(&x, &nx, &lx, &vx);
        if (more != next_size(&y, &ny, &ly, &vy)) return INFINITY;
        if (!more) return far;
        if (lx != ly || strncmp(nx, ny, lx)) return INFINITY;
        if (vx == vy) continue;
        if (vx <= SMALL_SIZE || vy <= SMALL_SIZE) return INFINITY;
        double one = fabs(log2((double)vx / (double)vy));
        if (one > FAR) return INFINITY;
        far += one;
    }
}

WiseHit wise_match(int n, const Wise *rows, const WiseKey *k) {
    WiseHit best = {NULL, WISE_LEVELS, INFINITY};
    for (int i = 0; i < n; i++) {
        const WiseKey *x = &rows[i].key;
        if (!str_eq(x->target, k->target) || x->align > k->align) continue;
        WiseHit hit = {&rows[i], level_of(x, k), distance_of(x->sizes, k->sizes)};
        if (!isfinite(hit.distance)) continue;
        bool nearer = hit.level < best.level || (hit.level == best.level && hit.distance < best.distance);
        bool same = hit.level == best.level && hit.distance == best.distance;
        if (nearer || (same && x->align > best.row->key.align)) best = hit;
    }
    return best;
}
