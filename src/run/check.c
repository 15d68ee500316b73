// SPDX-License-Identifier: MIT
// check.c -- SCULPT_CHECK: each call three ways, on the program's own data.
//
//   device        the nest, on the device            ┐ bit for bit, where no reassociation
//   as read       the region's text, interpreted     ┘ and no math function is involved
//   as compiled   the program's own loops            ─ against the device: integers equal,
//                 floats within 64 (1 + √(operations an element)) epsilon of the greatest; where the text,
//                 interpreted without contraction, is what was compiled, the device may differ by more
//
// What either writes beside the boxes that the nest names is found, too (watch.c): the device works on copies
// with margins, on the host's own processor as well. The program goes on with the results of its own loops.
#include "ir/interp.h"
#include "run/state.h"
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t STEPS = 200000000;           // the interpreter's budget for a call
static const size_t COPY_MAX = (size_t)1 << 30;   // bytes copied for it
// Calls of a region that are interpreted; more, within the budget of one, where only this tells what
// contraction does.
enum { INTERPRETED = 8 };

struct Stash {
    Unit *unit;
    const Variant *v;
    Box *boxes;             // [nfeet]
    unsigned char **device; // [nfeet]: the device's results, runs packed; NULL: not an output
    unsigned char **apart;  // [nfeet]: as interpreted without contraction; NULL: the region contracts nothing
    bool as_read;           // the device's results have the interpreted text's bits
    double bound;           // multiples of epsilon
    Watch *watch;           // of all else; NULL: not now
};

// ---- boxes packed ------------------------------------------------------------------------------
typedef struct Pack {
    unsigned char *at;
    intptr_t shift;         // where the box really is, relative to its addresses
    bool out;               // from `at` into the box
    const unsigned char *now; // what is in the box, packed: only what differs is written; NULL: all is
} Pack;

static bool pack_run(uintptr_t first, int64_t width, int64_t rows, int64_t pitch, void *arg) {
    (void)rows, (void)pitch;
    Pack *p = arg;
    void *there = (void *)(first + (uintptr_t)p->shift);
    if (p->out && p->now) {
        for (int64_t i = 0; i < width; i++)
            if (p->at[i] != p->now[i]) ((unsigned char *)there)[i] = p->at[i];
    } else if (p->out) {
        memcpy(there, p->at, (size_t)width);
    } else {
        memcpy(p->at, there, (size_t)width);
    }
    p->at += width;
    if (p->now) p->now += width;
    return true;
}

static unsigned char *pack(const Box *b, intptr_t shift) {
    unsigned char *copy = malloc((size_t)box_bytes(b) + 1);
    if (copy) box_each(b, false, pack_run, &(Pack){copy, shift, false, NULL});
    return copy;
}

// now: what is there, packed; NULL: not known.
static void unpack(const Box *b, unsigned char *copy, const unsigned char *now) {
    box_each(b, false, pack_run, &(Pack){copy, 0, true, now});
}

// ---- comparison --------------------------------------------------------------------------------
static double as_double(Type t, const unsigned char *p) {
    switch (t) {
    case T_BOOL: case T_U8: return *p;
    case T_I8: return *(const int8_t *)p;
    case T_I16: return *(const int16_t *)p;
    case T_U16: return *(const uint16_t *)p;
    case T_I32: return *(const int32_t *)p;
    case T_U32: return *(const uint32_t *)p;
    case T_I64: return (double)*(const int64_t *)p;
    case T_U64: return (double)*(const uint64_t *)p;
    case T_F32: return *(const float *)p;
    default: return *(const double *)p;
    }
}

static double largest(Type t, const unsigned char *p, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = fabs(as_double(t, p + i * type_size(t)));
        if (isfinite(v) && v > most) most = v;
    }
    return most;
}

static bool within(double d, double h, double scale, double tolerance, double *rel) {
    if (d == h || (isnan(d) && isnan(h))) return true;
    double base = fabs(h) > scale ? fabs(h) : scale;
    *rel = isfinite(d) && isfinite(h) ? fabs(d - h) / (base > 0 ? base : DBL_MIN) : HUGE_VAL;
    return *rel <= tolerance;
}

static bool is_rounding(const Expr *x) {
    return x->kind == E_CAST && type_is_int(x->type) && type_is_float(x->args[0]->type);
}

static bool is_fused_floats(const Expr *x) { return x->kind == E_OP && x->op == OP_FMA && x->type == T_F32; }

static bool is_contraction(const Expr *x) {
    return x->kind == E_OP && x->op == OP_FMA && type_is_float(x->type);
}

static bool computes(const Region *r, bool (*is)(const Expr *x)) {
    for (int i = 0; i < r->nstmts; i++)
        if (expr_any(r->stmts[i]->rhs, is)) return true;
    return false;
}

// Does the region make integers of floating-point values? Where these differ in their last
// bit (the program's own build need not contract as the region says), the integers may
// differ by one.
static bool rounds(const Region *r) { return computes(r, is_rounding); }

// Sums of doubles may have terms of floats, which the program's own build need not contract as the region
// says.
static double epsilon(const Region *r, Type t) {
    return t == T_F32 || computes(r, is_fused_floats) ? FLT_EPSILON : DBL_EPSILON;
}

// Device against the program's own loops. Other integers must agree.
static void compare(Unit *u, const Array *a, const unsigned char *dev, const unsigned char *host, int64_t n,
                    double bound) {
    Checked *k = &u->checked;
    Type t = a->elem;
    double scale = type_is_float(t) ? largest(t, host, n) : 0;
    double eps = epsilon(u->region, t), slack = !type_is_float(t) && rounds(u->region);
    k->elements += n;
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *d = dev + i * type_size(t), *h = host + i * type_size(t);
        if (memcmp(d, h, (size_t)type_size(t)) == 0) continue;
        double rel = type_is_float(t) ? 0 : fabs(as_double(t, d) - as_double(t, h));
        bool ok = type_is_float(t) ? within(as_double(t, d), as_double(t, h), scale, bound * eps, &rel)
                                   : rel > 0 && rel <= slack;
        if (rel > k->max_rel) k->max_rel = rel;
        if (ok) continue;
        if (!k->mismatches++)
            snprintf(k->first, sizeof k->first,
                     "%s, element %lld of those written: %.9g on the device, %.9g as compiled", a->name,
                     (long long)i, as_double(t, d), as_double(t, h));
    }
}

// NaNs differ in their bits between machines and count as equal.
static int64_t count_bits(Type t, const unsigned char *x, const unsigned char *y, int64_t n) {
    int64_t wrong = 0, size = type_size(t);
    for (int64_t i = 0; i < n; i++) {
        if (memcmp(x + i * size, y + i * size, (size_t)size) == 0) continue;
        if (type_is_float(t) && isnan(as_double(t, x + i * size)) && isnan(as_double(t, y + i * size)))
            continue;
        wrong++;
    }
    return wrong;
}

// ---- the region's text, interpreted on copies ------------------------------------------------------
typedef struct Copy {
    uintptr_t lo, hi;
    unsigned char *at;
} Copy;

// The interval of each object; objects whose intervals meet share one copy.
static int plan_copies(const Call *c, Copy *copy) {
    int n = 0;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        Copy x = {c->boxes[i].first, c->boxes[i].last, NULL};
        if (x.lo == x.hi) continue;
        for (int k = 0; k < n;) {
            if (copy[k].hi < x.lo || x.hi < copy[k].lo) {
                k++;
                continue;
            }
            if (copy[k].lo < x.lo) x.lo = copy[k].lo;
            if (copy[k].hi > x.hi) x.hi = copy[k].hi;
            copy[k] = copy[--n];
            k = 0;
        }
        copy[n++] = x;
    }
    return n;
}

static const Copy *copy_around(int n, const Copy *copy, const Box *b) {
    for (int i = 0; i < n; i++)
        if (copy[i].lo <= b->first && b->last <= copy[i].hi) return &copy[i];
    return NULL;
}

static void set_objects(const Unit *u, const Call *c, int n, const Copy *copy, InterpArg *objects) {
    for (int o = 0; o < u->nobjects; o++) objects[o] = (InterpArg){u->objects[o], c->args[o].p};
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Copy *k = box_is_empty(&c->boxes[i]) ? NULL : copy_around(n, copy, &c->boxes[i]);
        int o = c->v->foot_object[i];
        if (k) objects[o].base = (void *)((uintptr_t)c->args[o].p + ((uintptr_t)k->at - k->lo));
    }
}

static void compare_bits(Unit *u, const Call *c, int n, const Copy *copy, unsigned char *const *device) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        if (!device[i] || box_is_empty(b)) continue;
        const Copy *k = copy_around(n, copy, b);
        Type t = c->v->nest->feet[i].array->elem;
        unsigned char *read = pack(b, (intptr_t)((uintptr_t)k->at - k->lo));
        if (read) u->checked.bits_wrong += count_bits(t, device[i], read, box_bytes(b) / type_size(t));
        free(read);
    }
    u->checked.interpreted++;
}

static bool contracts(const Region *r) {
    for (int i = 0; i < r->nstmts; i++)
        if (r->stmts[i]->fused) return true;
    return computes(r, is_contraction);
}

// The copies hold the region's results; now those that it has where products are rounded by themselves.
static void interpret_again(Stash *s, const Call *c, int n, const Copy *copy, const InterpArg *objects) {
    const Unit *u = s->unit;
    Arena *scratch = arena_new();
    for (int i = 0; i < n; i++) memcpy(copy[i].at, (void *)copy[i].lo, copy[i].hi - copy[i].lo);
    bool ok = interpret_apart(scratch, u->region->root, u->nobjects, objects, u->region->nparams, c->vals,
                              STEPS);
    if (ok) s->apart = calloc((size_t)c->v->nest->nfeet + 1, sizeof *s->apart);
    for (int i = 0; s->apart && i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        const Copy *k = s->device[i] && !box_is_empty(b) ? copy_around(n, copy, b) : NULL;
        if (k) s->apart[i] = pack(b, (intptr_t)((uintptr_t)k->at - k->lo));
    }
    arena_free(scratch);
}

static void interpret(Unit *u, const Call *c, Stash *s) {
    Checked *k = &u->checked;
    Copy copy[c->v->nest->nfeet + 1];
    InterpArg objects[u->nobjects + 1];
    size_t total = 0;
    int n = plan_copies(c, copy);
    for (int i = 0; i < n; i++) total += copy[i].hi - copy[i].lo;
    if (total > COPY_MAX || c->operations > (double)STEPS) {
        snprintf(k->skipped, sizeof k->skipped, "the region was too large to be interpreted");
        return;
    }
    bool ok = true;
    for (int i = 0; i < n; i++) {
        copy[i].at = malloc(copy[i].hi - copy[i].lo);
        if (copy[i].at) memcpy(copy[i].at, (void *)copy[i].lo, copy[i].hi - copy[i].lo);
        ok &= copy[i].at != NULL;
    }
    Arena *scratch = arena_new();
    if (ok) {
        set_objects(u, c, n, copy, objects);
        ok = ir_interpret(scratch, u->region->root, u->nobjects, objects, u->region->nparams, c->vals, STEPS);
        int64_t wrong = k->bits_wrong;
        if (ok) compare_bits(u, c, n, copy, s->device);
        s->as_read = ok && k->bits_wrong == wrong;
        if (ok && contracts(u->region)) interpret_again(s, c, n, copy, objects);
        if (!ok) snprintf(k->skipped, sizeof k->skipped, "the region was too long to be interpreted");
    }
    arena_free(scratch);
    for (int i = 0; i < n; i++) free(copy[i].at);
}

// ---- nests that end the program ----------------------------------------------------------------
static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { DEADLY = sizeof deadly / sizeof *deadly };
// What is said then; signal handlers have no other way to know.
static struct Last {
    char *text;
    const char *path; // NULL: standard error
} last;

static void tell_last(int signal) {
    (void)signal;
    int to = last.path ? open(last.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : STDERR_FILENO;
    if (last.text && to >= 0 && write(to, last.text, strlen(last.text)) < 0) to = -1;
    _exit(EXIT_CHECK);
}

// From here to unguarded the end of the program is the nest's doing, and told as such.
static void guarded(const Run *r, Unit *u, struct sigaction *before) {
    Checked k = u->checked;
    struct sigaction mine = {.sa_handler = tell_last};
    u->checked.calls++, u->checked.mismatches++;
    snprintf(u->checked.first, sizeof u->checked.first,
             "the nest reaches outside of its data, which ended the program");
    last = (struct Last){report_check(u), r->set.check_path};
    u->checked = k;
    for (int i = 0; i < DEADLY; i++) sigaction(deadly[i], &mine, &before[i]);
}

static void unguarded(const struct sigaction *before) {
    for (int i = 0; i < DEADLY; i++) sigaction(deadly[i], &before[i], NULL);
    free(last.text);
    last.text = NULL;
}

// ---- enter and leave -------------------------------------------------------------------------------
// Sums of many terms lose more; the bound grows with the root of the work an element takes.
static double choose_bound(const Call *c) {
    double elements = 0;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (c->v->nest->feet[i].out)
            elements += (double)box_bytes(&c->boxes[i]) / type_size(c->v->nest->feet[i].array->elem);
    double work = c->flops > 0 && elements > 0 ? c->flops / elements : 1e4;
    return 64 * (1 + sqrt(work));
}

static void stash_free(Stash *s) {
    for (int i = 0; i < s->v->nest->nfeet; i++) {
        free(s->device[i]);
        if (s->apart) free(s->apart[i]);
    }
    free(s->apart);
    watch_free(s->watch);
    free(s->device);
    free(s->boxes);
    free(s);
}

static Stash *stash_new(Unit *u, const Call *c) {
    size_t n = (size_t)c->v->nest->nfeet + 1;
    Stash *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (Stash){u, c->v, malloc(n * sizeof(Box)), calloc(n, sizeof(void *)), .bound = choose_bound(c)};
    if (!s->boxes || !s->device) {
        free(s->boxes);
        free(s->device);
        free(s);
        return NULL;
    }
    memcpy(s->boxes, c->boxes, (n - 1) * sizeof(Box));
    return s;
}

static bool pack_outputs(const Call *c, unsigned char **to) {
    const Box *boxes = c->boxes;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (c->v->nest->feet[i].out && !box_is_empty(&boxes[i]) && !(to[i] = pack(&boxes[i], 0)))
            return false;
    return true;
}

static void note_strays(Checked *k, int64_t strays, const char *fmt, const char *name, int64_t at) {
    if (strays && !k->mismatches)
        snprintf(k->first, sizeof k->first, fmt, (long long)strays, name, (long long)at);
    k->mismatches += strays;
}

// Runs the device and puts everything back; afterwards memory is as it was.
void check_enter(Run *r, Unit *u, Call *c, Thread *t) {
    struct sigaction old[DEADLY];
    Stash *s = stash_new(u, c), *before = s ? stash_new(u, c) : NULL;
    guarded(r, u, old);
    bool ran = before && pack_outputs(c, before->device) &&
               execute(r, u, c, t, false) == OUTCOME_DONE;
    bool ok = ran && pack_outputs(c, s->device);
    if (ran)
        for (int i = 0; i < c->v->nest->nfeet; i++)
            if (before->device[i]) unpack(&c->boxes[i], before->device[i], s->device[i]);
    if (ran && r->memory) {
        int64_t strays = watch_device(r->memory, c->v->nest, c->boxes);
        note_strays(&u->checked, strays,
                    "%lld bytes written on the device outside of what %s says that it writes",
                    u->region->name, 0);
        memory_drop(r->memory);
    }
    if (ok) s->watch = watch_new(c);
    Checked *k = &u->checked;
    bool more = contracts(u->region) && k->work + c->operations < (double)STEPS;
    if (ok && u->exact && (k->calls < INTERPRETED || more)) {
        interpret(u, c, s);
        k->work += c->operations;
    }
    unguarded(old);
    if (ok && !u->exact)
        snprintf(u->checked.skipped, sizeof u->checked.skipped,
                 "reassociation or math functions: compared within a bound only");
    if (before) stash_free(before);
    if (t->stash) stash_free(t->stash);
    t->stash = ok ? s : NULL;
    if (s && !ok) stash_free(s);
}

void check_leave(Unit *u, Thread *t) {
    Stash *s = t->stash;
    if (!s || s->unit != u) return;
    const Array *array = NULL;
    bool differs = false;
    int64_t at = 0, strays = watch_strays(s->watch, s->v->nest, s->boxes, &array, &at);
    note_strays(
        &u->checked, strays,
        "%lld bytes written by the original loops alone, the first in %s, %lld bytes from its beginning",
        array ? array->name : "", at);
    bool other = strays > 0;
    Checked before = u->checked;
    for (int i = 0; i < s->v->nest->nfeet; i++) {
        if (!s->device[i]) continue;
        const Array *a = s->v->nest->feet[i].array;
        unsigned char *host = pack(&s->boxes[i], 0);
        int64_t n = box_bytes(&s->boxes[i]) / type_size(a->elem);
        if (host) compare(u, a, s->device[i], host, n, s->bound);
        if (host) differs |= count_bits(a->elem, s->device[i], host, n) > 0;
        if (host && s->apart && s->apart[i]) other |= count_bits(a->elem, s->apart[i], host, n) > 0;
        free(host);
    }
    if (s->apart && s->as_read && !other) { // the text says so, and uncontracted it is what the program does
        before.elements = u->checked.elements;
        u->checked = before;
    }
    if (differs) u->checked.contraction = s->apart && !other && u->checked.contraction >= 0 ? 1 : -1;
    u->checked.calls++;
    if (s->bound > u->checked.bound) u->checked.bound = s->bound;
    stash_free(s);
    t->stash = NULL;
}
