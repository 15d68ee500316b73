// SPDX-License-Identifier: MIT
// run.c -- both programs run on the same data, watched.
//
// The kernel's threads run one after another, phase by phase. Beside each word stand who wrote it last and
// who read it since: two threads of a block that meet in one phase, or blocks of one launch, are a race,
// whatever the values are. Memory of a block holds NaN until it is written.
#include "equal/run.h"
#include "equal/derive.h"
#include "ir/value.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

enum { NOBODY = -1, ALL = -2, SEVERAL = -3 }; // threads and blocks; else their numbers

typedef struct Plain { // the last write that was not atomic
    int launch, block, thread, phase, warp_phase;
} Plain;

typedef struct Word {
    const char *at; // NULL: the place is free
    Plain plain;
    int launch, block, thread, phase, warp_phase; // of the last write; block NOBODY: it was not written
    bool atomic;
    bool async; // it is of group number `group`, from 0
    int group;
    Loc loc;
    int rlaunch, rblock, rthread, rphase, rwarp_phase; // of the reads since
    int rwarp; // of several threads
    Loc rloc;
    const Origin *origin; // where that is asked for
} Word;

typedef struct Spot { // a node of the tree
    const Node *node;
    int level; // of a thread loop: how many stand around it in its phase
    int64_t weight;
    bool inside; // a thread loop, or in one
} Spot;

typedef struct Look {
    Pair *p;
    Arena *a; // of this run
    const Setting *set;
    bool kernel; // else the loops
    Word *word;
    size_t nwords, cap;
    Spot *place;
    size_t places; // a power of two
    int launch, block, phase;
    int warp_phase; // barriers of warps count, too
    int groups, landed; // of asynchronous copies of this block's threads: that have ended, that have landed…
    int landed_in; // …the last in which phase
    int64_t digit[16], weight[16];
    int level;
    int64_t (*rows)[2]; // of each array: the least and greatest first subscript of the loops
    bool *touched;
    bool busy; // the loops wrote something
    bool unknown; // lanes of a warp meet in a way that hangs on their running in step
    char old[8]; // of the word that is being written
    double most; // the largest float that was written
    int64_t writes;
    Derive *derive; // NULL: nobody asks
    Outcome *out;
} Look;

// ---- words -----------------------------------------------------------------------------------
static size_t slot_of(const Look *l, const char *p) {
    size_t h = (size_t)p * 0x9E3779B97F4A7C15u >> 20;
    for (h &= l->cap - 1; l->word[h].at && l->word[h].at != p;) h = (h + 1) & (l->cap - 1);
    return h;
}

static void grow(Look *l) {
    Word *old = l->word;
    size_t n = l->cap;
    l->cap = n ? 2 * n : 4096;
    l->word = NEW_N(l->a, Word, l->cap);
    for (size_t i = 0; i < n; i++)
        if (old[i].at) l->word[slot_of(l, old[i].at)] = old[i];
}

static Word *word_of(Look *l, const char *p) {
    if (2 * (l->nwords + 1) > l->cap) grow(l);
    Word *w = &l->word[slot_of(l, p)];
    if (!w->at) {
        *w = (Word){.at = p, .block = NOBODY, .rblock = NOBODY, .plain.block = NOBODY};
        l->nwords++;
    }
    return w;
}

// ---- places ------------------------------------------------------------------------------------
static Spot *place_of(const Look *l, const Node *n) {
    size_t h = ((size_t)n * 0x9E3779B97F4A7C15u >> 20) & (l->places - 1);
    while (l->place[h].node && l->place[h].node != n) h = (h + 1) & (l->places - 1);
    return &l->place[h];
}

static const Node *next_thread(const Node *n) {
    n = n->body;
    while (n && n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    return n && n->kind == N_FOR && n->how == HOW_THREAD ? n : NULL;
}

static void note_places(Look *l, const Node *n, int level, bool inside) {
    if (!n) return;
    Spot *x = place_of(l, n);
    bool thread = n->kind == N_FOR && n->how == HOW_THREAD;
    *x = (Spot){n, level, 1, inside || thread};
    for (const Node *t = thread ? next_thread(n) : NULL; t; t = next_thread(t))
        x->weight *= t->hi->kind == E_INT ? t->hi->i : 1;
    for (int i = 0; i < n->nkids; i++) note_places(l, n->kids[i], level, inside);
    note_places(l, n->body, level + thread, inside || thread);
    note_places(l, n->then, level, inside);
    note_places(l, n->other, level, inside);
}

static void enter(void *arg, const Node *n, int64_t v) {
    Look *l = arg;
    if (n->kind == N_KERNEL) l->launch++, l->phase++, l->block++;
    if (n->kind == N_BARRIER && n->alone) {
        if (n->pending == COPIES_END) l->groups++;
        else if (l->groups - n->pending > l->landed)
            l->landed = l->groups - n->pending, l->landed_in = l->phase;
        return;
    }
    if (n->kind == N_BARRIER && !n->warp) l->phase++;
    if (n->kind == N_BARRIER) l->warp_phase++;
    if (n->kind == N_FOR && n->how == HOW_BLOCK) l->block++, l->phase++, l->groups = l->landed = 0;
    if (n->kind != N_FOR || n->how != HOW_THREAD || !l->kernel) return;
    const Spot *x = place_of(l, n);
    if (x->level >= 16) return;
    l->digit[x->level] = v;
    l->weight[x->level] = x->weight;
    l->level = x->level + 1;
}

static int thread_now(const Look *l, const Node *n) {
    if (!l->kernel || !n || !place_of(l, n)->inside) return ALL;
    int64_t t = 0;
    for (int i = 0; i < l->level; i++) t += l->digit[i] * l->weight[i];
    return (int)t;
}

// ---- text --------------------------------------------------------------------------------------
// As its author calls it: of memory between launches without the mark of that.
static const char *name_of(const Array *v) { return v->name + (v->name[0] == '@'); }

const char *equal_element(Arena *a, const Array *v, const int64_t *sub) {
    Text t = text_new(a);
    text_put(&t, name_of(v));
    for (int d = v->digits; d < v->rank; d++) text_printf(&t, "[%lld]", (long long)sub[d]);
    return text_str(&t);
}

static const char *value_text(Arena *a, Type t, const void *at) {
    int64_t i = 0;
    float f;
    double d;
    switch (t) {
    case T_F32: memcpy(&f, at, 4); return arena_printf(a, "%.9g", (double)f);
    case T_F64: memcpy(&d, at, 8); return arena_printf(a, "%.17g", d);
    default:
        memcpy(&i, at, (size_t)type_size(t));
        if (t == T_U64) return arena_printf(a, "%llu", (unsigned long long)i);
        return arena_printf(a, "%lld", (long long)value_wrap(t, i));
    }
}

static bool fails(Look *l, const InterpTouch *t, Loc from, const char *why) {
    *l->out = (Outcome){true, true, .why = why, .loc = t->loc, .from = from};
    return false;
}

// ---- bounds ------------------------------------------------------------------------------------
static int array_number(const Pair *p, const Array *v) {
    for (int i = 0; i < p->region->narrays; i++)
        if (p->region->arrays[i] == v) return i;
    return -1;
}

static bool note_touch(Look *l, int k, const InterpTouch *t) {
    const Array *v = t->array;
    const int64_t *n = l->set->extent[k];
    for (int d = 0; d < v->rank; d++)
        if (t->sub[d] < 0 || t->sub[d] >= n[d]) return false; // no such size: the loops themselves leave it
    if (!l->touched[k]) l->rows[k][0] = l->rows[k][1] = t->sub[0];
    l->touched[k] = true;
    if (t->sub[0] < l->rows[k][0]) l->rows[k][0] = t->sub[0];
    if (t->sub[0] > l->rows[k][1]) l->rows[k][1] = t->sub[0];
    return true;
}

// The number of the element, and the length of a row; flat subscripts need not be those of rows.
static int64_t number_of(const Look *l, int k, const InterpTouch *t, int64_t *row) {
    int64_t at = t->sub[0];
    *row = 1;
    for (int d = 1; d < t->array->rank; d++)
        at = at * l->set->extent[k][d] + t->sub[d], *row *= l->set->extent[k][d];
    return at;
}

// Is it in the memory that this run has?
static bool is_here(const Look *l, int k, const InterpTouch *t) {
    int64_t row, at = number_of(l, k, t, &row);
    return at >= 0 && at < l->set->extent[k][0] * row;
}

static bool is_inside(const Look *l, int k, const InterpTouch *t) {
    int64_t row, at = number_of(l, k, t, &row);
    int64_t lo = l->set->row[k][0], hi = l->set->row[k][1];
    bool none = lo > hi;
    if (l->touched[k] && (none || l->rows[k][0] < lo)) lo = l->rows[k][0];
    if (l->touched[k] && (none || l->rows[k][1] > hi)) hi = l->rows[k][1];
    return at >= lo * row && at < (hi + 1) * row;
}

// ---- order -------------------------------------------------------------------------------------
// Nobody else meets there, or whoever does is in order.
static bool is_private(const Array *v) {
    return v->place == PLACE_REGISTER || v->place == PLACE_LOCAL || v->lanes;
}

static bool differ(int x, int y) { return x != y || x == SEVERAL; }

static int warp_of(int thread) { return thread < 0 ? thread : thread / 32; }

// Does an access by this thread meet one that was made then?
static bool meets(const Look *l, int thread, int launch, int block, int other, int phase) {
    if (launch != l->launch || block == NOBODY) return false;
    if (differ(block, l->block)) return true;
    return phase == l->phase && differ(other, thread);
}

// Has the warp waited since, of which both are?
static bool waited(const Look *l, int thread, int warp, int warp_phase) {
    return thread >= 0 && warp == warp_of(thread) && warp_phase != l->warp_phase;
}

static const char *meeting(Look *l, const InterpTouch *t, bool other_writes, int block) {
    return arena_printf(l->p->a, "%s meet on %s: %s here, %s there, and %s",
                        differ(block, l->block) ? "blocks of one launch" : "threads of a block",
                        equal_element(l->p->a, t->array, t->sub), t->write ? "written" : "read",
                        other_writes ? "written" : "read",
                        differ(block, l->block) ? "nothing orders them" : "no barrier is between them");
}

// Threads of one warp, in a kernel whose author counts on lanes that run in step: what they do can't be told.
static bool step_alike(Look *l, int block, int warp, int thread) {
    bool alike = l->p->lockstep && !differ(block, l->block) && thread >= 0 && warp == warp_of(thread);
    l->unknown |= alike;
    return alike;
}

// An atomic update; which of two exchanges comes last, nobody knows.
static bool is_atomic(const Node *n) { return n->kind == N_COPY && n->atomic && n->op != OP_SET; }

static bool check_order(Look *l, const InterpTouch *t, Word *w, int thread) {
    bool atomic = t->write && is_atomic(t->node);
    bool clash = meets(l, thread, w->launch, w->block, w->thread, w->phase) && !(atomic && w->atomic);
    if (!differ(w->block, l->block) && waited(l, thread, warp_of(w->thread), w->warp_phase)) clash = false;
    if (clash && !t->write)
        return step_alike(l, w->block, warp_of(w->thread), thread) ||
               fails(l, t, w->loc, meeting(l, t, true, w->block));
    bool ordered = !differ(w->rblock, l->block) && waited(l, thread, w->rwarp, w->rwarp_phase);
    if (t->write && !ordered && meets(l, thread, w->rlaunch, w->rblock, w->rthread, w->rphase))
        return step_alike(l, w->rblock, w->rwarp, thread) ||
               fails(l, t, w->rloc, meeting(l, t, false, w->rblock));
    return true;
}

// Has the copy landed that brings the word, for this thread?
static bool check_landed(Look *l, const InterpTouch *t, const Word *w, int thread) {
    if (!w->async || w->launch != l->launch || w->block != l->block) return true;
    bool seen = w->group < l->landed, own = w->thread == thread;
    bool last =
        w->group == l->landed - 1 && l->landed_in == l->phase; // earlier ones: nobody knows since when
    if (seen && (own || !last)) return true;
    return fails(
        l, t, w->loc,
        arena_printf(l->p->a,
                     seen ? "%s is %s where no barrier is behind the wait of the thread that copies it"
                          : "%s is %s before the asynchronous copy to it is waited for",
                     equal_element(l->p->a, t->array, t->sub), t->write ? "written" : "read"));
}

static void note_read(Look *l, const InterpTouch *t, Word *w, int thread) {
    bool here = w->rblock != NOBODY && w->rlaunch == l->launch;
    bool same = here && w->rblock == l->block && w->rphase == l->phase;
    w->rwarp = same && w->rwarp != warp_of(thread) ? SEVERAL : warp_of(thread);
    w->rthread = same && w->rthread != thread ? SEVERAL : thread;
    w->rblock = here && w->rblock != l->block ? SEVERAL : l->block;
    w->rlaunch = l->launch;
    w->rphase = l->phase;
    w->rwarp_phase = l->warp_phase;
    w->rloc = t->loc;
}

static void note_write(Look *l, const InterpTouch *t, Word *w, int thread) {
    w->launch = l->launch, w->block = l->block, w->thread = thread, w->phase = l->phase;
    w->warp_phase = l->warp_phase;
    w->atomic = is_atomic(t->node);
    w->async = t->node->kind == N_COPY && t->node->async;
    w->group = l->groups;
    w->loc = t->loc;
    if (!w->atomic) w->plain = (Plain){l->launch, l->block, thread, l->phase, l->warp_phase};
    w->rblock = NOBODY;
}

static double float_at(Type t, const char *at) {
    float f;
    double d;
    if (t == T_F32) return memcpy(&f, at, 4), f;
    return t == T_F64 ? (memcpy(&d, at, 8), d) : 0;
}

// ---- the watch -----------------------------------------------------------------------------------
static bool written(Look *l, const InterpTouch *t) {
    Word *w = word_of(l, t->at);
    int thread = thread_now(l, t->node);
    bool same = !memcmp(l->old, t->at, (size_t)type_size(t->array->elem));
    bool atomic = is_atomic(t->node);
    bool clash = l->kernel && !is_private(t->array) && !same && !(atomic && w->atomic) &&
                 meets(l, thread, w->launch, w->block, w->thread, w->phase);
    const Plain *p = &w->plain;
    bool mixed = l->kernel && !is_private(t->array) && !same && atomic && w->atomic &&
                 meets(l, thread, p->launch, p->block, p->thread, p->phase) &&
                 (differ(p->block, l->block) || !waited(l, thread, warp_of(p->thread), p->warp_phase));
    if (mixed)
        return fails(l, t, w->loc, arena_printf(l->p->a, "a word of %s is set and added to in no order",
                                                name_of(t->array)));
    if (clash && !differ(w->block, l->block) && waited(l, thread, warp_of(w->thread), w->warp_phase))
        clash = false;
    if (clash && step_alike(l, w->block, warp_of(w->thread), thread)) clash = false;
    if (clash) {
        Loc there = w->loc;
        bool blocks = differ(w->block, l->block);
        return fails(l, t, there,
                     arena_printf(l->p->a, "%s write different values to one word of %s, and %s",
                                  blocks ? "blocks of one launch" : "threads of a block", name_of(t->array),
                                  blocks ? "nothing orders them" : "no barrier is between them"));
    }
    note_write(l, t, w, thread);
    if (l->derive) derive_write(l->derive, &w->origin, t);
    double d = fabs(float_at(t->array->elem, t->at));
    if (d > l->most && !isinf(d)) l->most = d;
    l->writes++;
    return true;
}

// An array in a layout of the kernel's: where that is beyond a row, nobody knows which element it is. True:
// it is one of the array's, or certainly outside.
static bool is_known_element(Look *l, int k, const InterpTouch *t) {
    for (int i = 0; i < l->p->laid.n; i++)
        for (int d = 0; l->p->laid.at[i] == t->array && d < t->array->rank; d++) {
            bool in = t->sub[d] >= 0 && t->sub[d] < l->set->extent[k][d];
            if (!in && d != l->p->slowest.at[i]) return false;
        }
    return true;
}

static bool touch(void *arg, const InterpTouch *t) {
    Look *l = arg;
    if (t->done) return written(l, t);
    int k = array_number(l->p, t->array);
    if (k >= 0 && l->kernel && !is_known_element(l, k, t)) return false;
    if (k >= 0 && !l->kernel && !note_touch(l, k, t)) return false;
    l->busy |= t->write && !l->kernel;
    bool inside = k < 0 || !l->kernel || is_inside(l, k, t);
    if (!inside && equal_rows(l->p, t->array)->unknown) { // nobody says how large it is
        if (!is_here(l, k, t)) return false;
    } else if (!inside)
        return fails(l, t, (Loc){0},
                     arena_printf(l->p->a, "%s %s, outside of what the loops touch",
                                  t->write ? "writes" : "reads", equal_element(l->p->a, t->array, t->sub)));
    if (!t->at)
        return l->kernel && fails(l, t, (Loc){0},
                                  arena_printf(l->p->a, "%s %s, outside of %s", t->write ? "writes" : "reads",
                                               equal_element(l->p->a, t->array, t->sub), name_of(t->array)));
    Word *w = word_of(l, t->at);
    int thread = thread_now(l, t->node);
    if (l->kernel && !is_private(t->array) && !check_order(l, t, w, thread)) return false;
    if (l->kernel && !check_landed(l, t, w, thread)) return false;
    if (!t->write) note_read(l, t, w, thread);
    if (!t->write && l->derive) derive_read(l->derive, &w->origin, t);
    if (t->write && l->derive) derive_target(l->derive, t);
    if (t->write) memcpy(l->old, t->at, (size_t)type_size(t->array->elem));
    return true;
}

static void fresh(void *arg, const Array *array, char *base, size_t bytes) {
    Look *l = arg;
    memset(base, 0xFF, bytes);
    size_t step = (size_t)type_size(array->elem); // fields of a record lie between
    for (size_t i = 0; i < bytes && l->cap; i += step) {
        Word *w = &l->word[slot_of(l, base + i)];
        if (w->at) w->block = w->rblock = w->plain.block = NOBODY, w->origin = NULL;
    }
}

// ---- the run -------------------------------------------------------------------------------------
static bool run(Look *l, Node *root, void *const *memory, int64_t max_steps) {
    const Region *r = l->p->region;
    InterpArg *arg = NEW_N(l->a, InterpArg, r->narrays + 1);
    for (int i = 0; i < r->narrays; i++) {
        const Array *v = r->arrays[i];
        arg[i] = (InterpArg){v->object ? v->object : v->name, (char *)memory[i] - v->offset};
    }
    size_t nodes = 0;
    node_each(n, root) nodes++;
    for (l->places = 64; l->places < 4 * nodes;) l->places *= 2;
    l->place = NEW_N(l->a, Spot, l->places);
    note_places(l, root, 0, false);
    InterpWatch w = {l, touch, fresh, enter};
    return interpret_watched(l->a, root, r->narrays, arg, l->set->nvals, l->set->val, max_steps, &w);
}

static int64_t size_of(const Pair *p, const Setting *s, int k) {
    int64_t n = 1;
    for (int d = 0; d < p->region->arrays[k]->rank; d++) n *= s->extent[k][d];
    return n;
}

static void *const *memory(Pair *p, Arena *a, const Setting *s, int seed) {
    void **m = NEW_N(a, void *, p->region->narrays + 1);
    for (int i = 0; i < p->region->narrays; i++) {
        m[i] = arena_alloc(a, (size_t)(size_of(p, s, i) * type_size(p->region->arrays[i]->elem) + 8));
        equal_fill(p, s, i, seed, m[i]);
    }
    return m;
}

// Sums of products of the data come out the same in any order; where there are divisions, functions or other
// constants, each addition may be off by a rounding of what is largest.
static bool close_to(Type t, const char *x, const char *y, double slack) {
    if (!memcmp(x, y, (size_t)type_size(t))) return true;
    if (!type_is_float(t)) return false;
    double d = float_at(t, x), e = float_at(t, y);
    if (d != d || e != e) return d != d && e != e;
    if (isinf(d) || isinf(e)) return d == e;
    double scale = fabs(d) > fabs(e) ? fabs(d) : fabs(e), step = t == T_F32 ? 1.2e-7 : 2.3e-16;
    return fabs(d - e) <= step * (64 * scale + slack);
}

static bool is_rounded(const Expr *x) {
    static const char *const exact = "fmaxf fmax fminf fmin fabsf fabs fmaf fma";
    bool sum = x->kind == E_OP && x->op != OP_DIV;
    bool plain =
        sum || x->kind == E_LOAD || x->kind == E_SYM || (x->kind == E_CALL && str_among(x->fn, exact));
    if (x->kind == E_FLOAT) plain = isinf(x->f) || x->f * 16 == rint(x->f * 16);
    if (x->kind == E_CAST)
        plain = !type_is_float(x->args[0]->type) || type_size(x->type) >= type_size(x->args[0]->type);
    return type_is_float(x->type) && !plain;
}

static bool rounds(const Node *n) { return n->src && expr_any(n->src, is_rounded); }

// How many roundings, and of what size, may differ in one element.
static double slack_of(const Pair *p, const Look *l, int64_t elements, int seed) {
    bool any = seed > 2 || node_any(p->loops, rounds) || node_any(p->kernel, rounds); // see equal_fill
    if (!any && l->most < 4096) return 0;
    double each = (double)l->writes / (double)(elements > 0 ? elements : 1);
    return (each + 8) * (l->most + 1);
}

// The loops again, each operation rounded up or down: what is that far apart differs by roundings alone,
// which a division by little, or one step after another, makes large. Its arrays; NULL: it did not run.
static void *const *rounded(Pair *p, Arena *a, const Setting *s, int seed, int64_t max_steps, int how) {
    Outcome ignored = {0};
    int n = p->region->narrays, before = fegetround();
    Look l = {.p = p, .a = a, .set = s, .out = &ignored};
    l.rows = arena_alloc(a, sizeof(int64_t[2]) * (size_t)(n + 1));
    l.touched = NEW_N(a, bool, n + 1);
    grow(&l);
    void *const *x = memory(p, a, s, seed);
    fesetround(how);
    bool ran = run(&l, p->loops, x, max_steps);
    fesetround(before);
    return ran ? x : NULL;
}

typedef struct Spread {
    Pair *p;
    Arena *a;
    const Setting *s;
    int seed;
    int64_t max_steps;
    bool asked;
    void *const *up, *const *down;
} Spread;

enum { SPREADS = 16 }; // so often the distance of both

static bool within_spread(Spread *r, int k, size_t at, Type t, const char *x, const char *y) {
    double d = float_at(t, x), e = float_at(t, y);
    if (!type_is_float(t) || d != d || e != e || fabs(d - e) > fabs(d) / 64) return false;
    if (!r->asked) {
        r->asked = true;
        r->up = rounded(r->p, r->a, r->s, r->seed, r->max_steps, FE_UPWARD);
        r->down = rounded(r->p, r->a, r->s, r->seed, r->max_steps, FE_DOWNWARD);
    }
    if (!r->up || !r->down) return false;
    double far = float_at(t, (const char *)r->up[k] + at) - float_at(t, (const char *)r->down[k] + at);
    return fabs(d - e) <= SPREADS * fabs(far);
}

static void compare(Pair *p, const Setting *s, const Look *loops, const Look *kernel, void *const *x,
                    void *const *y, int seed, int64_t max_steps, Outcome *out) {
    Spread spread = {p, loops->a, s, seed, max_steps, false, NULL, NULL};
    for (int k = 0; k < p->region->narrays; k++) {
        const Array *v = p->region->arrays[k];
        int64_t n = size_of(p, s, k), sub[32] = {0};
        size_t bytes = (size_t)type_size(v->elem);
        double slack = slack_of(p, loops, n, seed);
        for (int64_t i = 0; i < n; i++) {
            const char *at = (const char *)x[k] + (size_t)i * bytes,
                       *to = (const char *)y[k] + (size_t)i * bytes;
            if (close_to(v->elem, at, to, slack)) continue;
            if (within_spread(&spread, k, (size_t)i * bytes, v->elem, at, to)) continue;
            int64_t left = i;
            for (int d = v->rank - 1; d >= 0; d--) sub[d] = left % s->extent[k][d], left /= s->extent[k][d];
            const Word *w = &loops->word[slot_of(loops, at)], *z = &kernel->word[slot_of(kernel, to)];
            bool by = z->at && z->block != NOBODY, from = w->at && w->block != NOBODY;
            *out = (Outcome){true,
                             true,
                             .element = equal_element(p->a, v, sub),
                             .theirs = value_text(p->a, v->elem, at),
                             .ours = value_text(p->a, v->elem, to),
                             .loc = by ? z->loc : (Loc){0},
                             .from = from ? w->loc : (Loc){0}};
            out->why = by && from ? "the kernel leaves another value than the loops"
                       : from     ? "the kernel does not write what the loops write"
                                  : "the kernel writes what the loops leave alone";
            if (from) out->steps[0] = derive_steps(p->a, w->origin);
            if (by) out->steps[1] = derive_steps(p->a, z->origin);
            return;
        }
    }
}

Outcome equal_run(Pair *p, const int64_t *sizes, int seed, int64_t max_steps, bool derives) {
    Arena *a = arena_new();
    Outcome out = {0};
    Setting s;
    if (equal_setting(p, a, sizes, &s)) {
        int n = p->region->narrays;
        Derive derive = {.a = a};
        Look loops = {.p = p,
                      .a = a,
                      .set = &s,
                      .rows = arena_alloc(a, sizeof(int64_t[2]) * (size_t)(n + 1)),
                      .touched = NEW_N(a, bool, n + 1),
                      .derive = derives ? &derive : NULL,
                      .out = &out};
        grow(&loops);
        Look kernel = loops;
        kernel.kernel = true;
        kernel.word = NULL, kernel.cap = 0;
        grow(&kernel);
        void *const *x = memory(p, a, &s, seed), *const *y = memory(p, a, &s, seed);
        bool ran = run(&loops, p->loops, x, max_steps);
        if (ran && loops.busy && run(&kernel, p->kernel, y, 4 * max_steps + 2000000)) {
            out.ran = !kernel.unknown;
            if (kernel.unknown) p->unordered = "lanes of a warp meet as if they ran in step";
            else compare(p, &s, &loops, &kernel, x, y, seed, max_steps, &out);
        }
    }
    arena_free(a);
    return out;
}
