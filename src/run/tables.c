// SPDX-License-Identifier: MIT
// tables.c -- tables of pointers to rows that lie anywhere: a call gets packed copies of the rows.
//
//   a ──► [0] ──► row 0 ........               packed   row 0 ........
//         [1] ──────────────────► row 1 ...             row 1 ........
//
// sculpt_rows looks where the rows are that loops use. At equal distances they are one array with a pitch, in
// the program's own memory. Else the pitch is 0, and the base is a key under which this thread keeps what the
// program said of the table. sculpt_enter then chooses a pitch, which the footprints' columns tell, copies
// the rows ahead of the kernels, and puts back what these wrote: a row's bytes that changed, or all of a box
// that is certainly written. Rows that may not be there are read by a call of the system's.
//
// Packed copies come and go with each call. What a device had of the rows comes home before that. Two rows
// that share memory, of which one is written, are left to the host.
#include "run/state.h"
#include "ir/span.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// Two subscripts and a column; a pitch where nothing lies behind the first row.
enum { DIMS = 3, FAR = 1 << 30 };

struct Table {
    Table *next;
    sculpt_table is;
    uintptr_t key;
};

typedef struct Span3 {
    int64_t lo[DIMS], hi[DIMS]; // the last is in it
} Span3;

typedef struct Packed {
    const sculpt_table *is;
    int object;
    const char **row;  // [tables][rows], as counted; NULL: not there
    PackRoom *room;
    char *base;        // of element 0 of row 0
    int64_t pitch[2];  // rows from table to table, 1 of one level; elements from row to row
    Span3 copied;      // of the box around all that is copied in
    bool copies, certain, noted; // is anything? is all of it there? does `old` hold it?
} Packed;

struct Packs {
    Unit *unit;
    int n;
    sculpt_arg *args;
    Packed at[];
};

// ---- where rows are ------------------------------------------------------------------------------
static int64_t count(const sculpt_table *t, int level) {
    return level >= t->levels ? 1 : t->hi[level] > t->lo[level] ? t->hi[level] - t->lo[level] : 0;
}

static const char *pointer_at(const char *at) {
    const char *p;
    memcpy(&p, at, sizeof p);
    return p;
}

static const char *first_of(const sculpt_table *t) {
    return (const char *)t->at + t->offset + t->lo[0] * t->stride;
}

static const char *row_of(const sculpt_table *t, int64_t i, int64_t j) {
    const char *p = pointer_at(first_of(t) + i * t->stride);
    return t->levels < 2 ? p : pointer_at(p + (t->lo[1] + j) * (int64_t)sizeof p);
}

// As much of it as there is memory for; the rest of `to` stays. False: the system doesn't say.
static bool read_there(void *to, const char *from, size_t bytes) {
    for (size_t done = 0, page = (size_t)sysconf(_SC_PAGESIZE); done < bytes;) {
        struct iovec here = {(char *)to + done, bytes - done}, there = {(void *)(from + done), bytes - done};
        ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        if (n < 0 && errno != EFAULT) return false;
        if (n > 0) done += (size_t)n;
        else done += page - ((uintptr_t)from + done) % page;
    }
    return true;
}

// [tables][rows], NULL where there is none. NULL: no memory, or the system doesn't say. Free it.
static const char **read_rows(const sculpt_table *t) {
    int64_t n = count(t, 0), m = count(t, 1);
    const char **row = calloc((size_t)(n * m) + 1, sizeof *row);
    if (!row) return NULL;
    for (int64_t i = 0; i < n && !t->unsure; i++)
        for (int64_t j = 0; j < m; j++) row[i * m + j] = row_of(t, i, j);
    for (int64_t i = 0; i < n && t->unsure; i++) {
        const char *p = NULL;
        bool ok = read_there(&p, first_of(t) + i * t->stride, sizeof p);
        const char *from = p && t->levels == 2 ? p + t->lo[1] * (int64_t)sizeof p : NULL;
        if (t->levels < 2) row[i] = p;
        else if (from && ok) ok = read_there(row + i * m, from, (size_t)m * sizeof p);
        if (!ok) return free(row), NULL;
    }
    return row;
}

// Pitches with which all rows lie where they are: P[0] rows from table to table, P[1] elements from row to
// row.
static bool at_equal_distances(const sculpt_table *t, const char *const *row, int64_t P[2]) {
    int64_t n = count(t, 0), m = count(t, 1), last = t->levels - 1;
    P[0] = t->levels < 2 ? 1 : t->hi[1] > 0 ? t->hi[1] : 1, P[1] = FAR;
    if (n * m < 2) return true;
#define ROW(i, j) (intptr_t)(row ? row[(i) * m + (j)] : row_of(t, i, j))
    int64_t down = n > 1 ? ROW(1, 0) - ROW(0, 0) : 0, next = m > 1 ? ROW(0, 1) - ROW(0, 0) : 0;
    if (last == 0) P[1] = down / t->bytes;
    else if (m > 1) P[1] = next / t->bytes, P[0] = n > 1 && next > 0 ? down / next : P[0];
    else P[1] = down / t->bytes / P[0];
    if (P[0] <= 0 || P[1] <= 0) return false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            if (ROW(i, j) - ROW(0, 0) != (i * P[0] + j) * P[1] * t->bytes) return false;
#undef ROW
    return true;
}

static uintptr_t key_of(const sculpt_table *t) {
    long long said[10] = {(intptr_t)t->at, t->bytes, t->levels, t->unsure, t->stride, t->offset};
    for (int k = 0; k < t->levels; k++) said[6 + k] = t->lo[k], said[8 + k] = t->hi[k];
    // Aligned as rows are, and no address that a processor has.
    return (uintptr_t)(digest_of(said, sizeof said).word[0] >> 8 << 6 >> 2 | 1ull << 62);
}

// NULL: no memory.
static Table *keep_table(Thread *th, const sculpt_table *t) {
    uintptr_t key = key_of(t);
    for (Table *k = th->tables; k; k = k->next)
        if (k->key == key) return k;
    Table *k = malloc(sizeof *k);
    if (!k) return NULL;
    *k = (Table){th->tables, *t, key};
    return th->tables = k;
}

void *sculpt_rows(const sculpt_table *t, long long *pitch) {
    int64_t P[2] = {0, 0};
    uintptr_t base = (uintptr_t)t->at;
    bool within = run_within();
    const char **row = within || !t->unsure ? NULL : read_rows(t);
    bool equal = !within && (row || !t->unsure) && at_equal_distances(t, row, P);
    if (equal && count(t, 0) && count(t, 1)) {
        int64_t first = t->levels < 2 ? t->lo[0] : t->lo[0] * P[0] + t->lo[1];
        base = (uintptr_t)(row ? row[0] : row_of(t, 0, 0)) - (uintptr_t)(first * P[1] * t->bytes);
    } else if (!equal && !within) {
        Table *k = keep_table(run_thread(), t);
        if (k) base = k->key;
    }
    free(row);
    for (int k = 0; pitch && k < t->levels; k++) pitch[k] = equal ? P[2 - t->levels + k] : 0;
    return (void *)base;
}

// ---- a call's arguments ----------------------------------------------------------------------------
static int param_of(const Region *r, const Expr *x) {
    for (int i = 0; x && x->kind == E_SYM && i < r->nparams; i++)
        if (r->params[i] == x->sym) return i;
    return -1;
}

static bool foot_span(const Foot *f, SpanEnv *e, int levels, Span3 *out) {
    bool there = true;
    for (int d = 0; d < f->array->rank && d <= levels; d++) {
        int64_t *lo = &out->lo[d], *hi = &out->hi[d];
        if (!span_value(f->lo[d], e, lo) || !span_value(f->hi[d], e, hi)) return false;
        there &= *lo <= *hi;
    }
    return there;
}

static void include(Span3 *all, const Span3 *x, int dims, bool first) {
    for (int d = 0; d < dims; d++) {
        if (first || x->lo[d] < all->lo[d]) all->lo[d] = x->lo[d];
        if (first || x->hi[d] > all->hi[d]) all->hi[d] = x->hi[d];
    }
}

// Room for rows of so many elements, which begin at multiples of 64 bytes where they are long.
static bool make_room(Packed *p, int64_t columns) {
    const sculpt_table *t = p->is;
    enum { LINE = 64, PAGE = 4096, SHORT = 1024 };
    int64_t unit = columns * t->bytes < SHORT ? 1 : LINE, bytes;
    p->pitch[0] = t->levels < 2 ? 1 : t->hi[1], p->pitch[1] = (columns + unit - 1) / unit * unit;
    if (__builtin_mul_overflow(count(t, 0), p->pitch[0], &bytes) ||
        __builtin_mul_overflow(bytes, p->pitch[1], &bytes) || __builtin_mul_overflow(bytes, t->bytes, &bytes))
        return false;
    PackRoom *m = p->room;
    size_t need = ((size_t)bytes / PAGE + 1) * PAGE;
    if (m->bytes < need) {
        free(m->at), free(m->old);
        *m = (PackRoom){.at = aligned_alloc(PAGE, need)};
        if (!m->at) return false;
        m->bytes = need;
    }
    p->base = m->at - t->lo[0] * p->pitch[0] * p->pitch[1] * t->bytes;
    return true;
}

// Sets the table's arguments as its room will be. False: it can't be.
static bool set_args(Unit *u, Packed *p, sculpt_arg *args) {
    const Nest *n = u->ir->nests[0];
    const Region *r = u->region;
    int levels = p->is->levels, pitch[2] = {-1, -1};
    for (int i = 0; i < r->narrays; i++) {
        const Array *x = r->arrays[i];
        if (!str_eq(x->object, u->objects[p->object])) continue;
        if (!x->apart || x->rank <= levels) return false;
        for (int k = 0; k < levels; k++)
            if ((pitch[k] = param_of(r, x->extent[k + 1])) < 0) return false;
    }
    InterpVal *vals = calloc((size_t)r->nparams + 1, sizeof *vals);
    if (!vals) return false;
    for (int i = 0; i < r->nparams; i++) {
        vals[i] = (InterpVal){.sym = r->params[i]};
        if (type_is_float(r->params[i]->type)) vals[i].f = args[u->nobjects + i].f;
        else vals[i].i = args[u->nobjects + i].i;
    }
    for (int k = 0; k < levels; k++) vals[pitch[k]].i = FAR;
    SpanEnv e = {.nvals = r->nparams, .vals = vals};
    Span3 all = {{0}}, x;
    bool any = false;
    for (int i = 0; i < n->nfeet; i++) {
        const Foot *f = &n->feet[i];
        if (!str_eq(f->array->object, u->objects[p->object]) || !foot_span(f, &e, levels, &x)) continue;
        include(&all, &x, levels + 1, !any);
        any = true;
    }
    free(vals);
    if (!any || all.lo[levels] < 0 || !make_room(p, all.hi[levels] + 1)) return false;
    args[p->object].p = p->base;
    for (int k = 0; k < levels; k++) args[u->nobjects + pitch[k]].i = p->pitch[2 - levels + k];
    return true;
}

static const Table *table_of(const Thread *th, const void *key) {
    for (const Table *k = th->tables; k; k = k->next)
        if (k->key == (uintptr_t)key) return k;
    return NULL;
}

const sculpt_arg *tables_begin(Run *r, Unit *u, const sculpt_arg *args, Thread *th) {
    int n = 0;
    for (int o = 0; th->tables && o < u->nobjects; o++) n += table_of(th, args[o].p) != NULL;
    if (!n || th->packs || u->packing || !unit_whole(r, u) || !u->ir->nnests) return NULL;
    Packs *k = calloc(1, sizeof *k + sizeof *k->at * (size_t)n);
    sculpt_arg *own = k ? malloc(sizeof *own * (size_t)(u->nargs + 1)) : NULL;
    if (!own) return free(k), NULL;
    memcpy(own, args, sizeof *own * (size_t)u->nargs);
    *k = (Packs){.unit = u, .args = own};
    th->packs = k;
    u->packing = PACKING_ROWS;
    if (!u->rooms) u->rooms = NEW_N(u->c->arena, PackRoom, u->nobjects + 1);
    for (int o = 0; o < u->nobjects; o++) {
        const Table *t = table_of(th, args[o].p);
        if (!t) continue;
        Packed *p = &k->at[k->n++];
        *p = (Packed){.is = &t->is, .object = o, .room = &u->rooms[o]};
        if (!(p->row = read_rows(p->is)) || !set_args(u, p, own)) return tables_end(th), NULL;
    }
    return own;
}

void tables_end(Thread *th) {
    Packs *k = th->packs;
    for (int i = 0; k && i < k->n; i++) free(k->at[i].row);
    if (k) k->unit->packing = PACKING_NOT, free(k->args);
    free(k);
    th->packs = NULL;
    for (Table *t = th->tables, *next; t; t = next) {
        next = t->next;
        free(t);
    }
    th->tables = NULL;
}

bool tables_have(const Thread *th, const Box *b) {
    for (int i = 0; th->packs && i < th->packs->n; i++) {
        uintptr_t lo = (uintptr_t)th->packs->at[i].room->at;
        if (lo <= b->first && b->first < lo + th->packs->at[i].room->bytes) return true;
    }
    return false;
}

// ---- rows in and out ---------------------------------------------------------------------------------
static char *place(const Packed *p, int64_t i, int64_t j, int64_t column) {
    return p->base + ((i * p->pitch[0] + j) * p->pitch[1] + column) * p->is->bytes;
}

typedef struct Part {
    char *packed;
    char *row;         // NULL: it is not there
    size_t bytes;
} Part;

typedef bool PartVisit(const Packed *p, const Part *x, void *arg);

// The columns of x in each of its rows. False: a visit says so, or rows are asked for that were not counted.
static bool each_part(const Packed *p, const Span3 *x, PartVisit *visit, void *arg) {
    const sculpt_table *t = p->is;
    bool two = t->levels == 2;
    int64_t lo = two ? x->lo[1] : 0, hi = two ? x->hi[1] : 0, from = x->lo[t->levels], to = x->hi[t->levels];
    if (x->lo[0] < t->lo[0] || x->hi[0] >= t->hi[0]) return false;
    if (two && (lo < t->lo[1] || hi >= t->hi[1])) return false;
    for (int64_t i = x->lo[0]; i <= x->hi[0]; i++)
        for (int64_t j = lo; j <= hi; j++) {
            const char *row = p->row[(i - t->lo[0]) * count(t, 1) + (two ? j - t->lo[1] : 0)];
            Part part = {place(p, i, j, from), row ? (char *)row + from * t->bytes : NULL,
                         (size_t)((to - from + 1) * t->bytes)};
            if (!visit(p, &part, arg)) return false;
        }
    return true;
}

static bool copy_in(const Packed *p, const Part *x, void *arg) {
    (void)arg;
    if (p->certain && x->row) return memcpy(x->packed, x->row, x->bytes), true;
    memset(x->packed, 0, x->bytes);
    return !x->row || read_there(x->packed, x->row, x->bytes);
}

static bool note_old(const Packed *p, const Part *x, void *arg) {
    (void)arg;
    memcpy(p->room->old + (x->packed - p->room->at), x->packed, x->bytes);
    return true;
}

static bool put_all(const Packed *p, const Part *x, void *arg) {
    (void)p, (void)arg;
    if (x->row) memcpy(x->row, x->packed, x->bytes);
    return true;
}

static bool put_changed(const Packed *p, const Part *x, void *arg) {
    (void)arg;
    enum { STEP = 64 };
    const char *old = p->room->old + (x->packed - p->room->at);
    for (size_t at = 0; x->row && at < x->bytes; at += STEP) {
        size_t n = x->bytes - at < STEP ? x->bytes - at : STEP;
        if (memcmp(old + at, x->packed + at, n) == 0) continue;
        for (size_t k = at; k < at + n; k++)
            if (old[k] != x->packed[k]) x->row[k] = x->packed[k];
    }
    return true;
}

// Is all of the box certainly written, each element as a whole?
static bool is_whole(const Packed *p, const Foot *f, const Box *b) {
    return f->exact && !f->first && !b->loose && !b->gaps && type_size(f->array->elem) == p->is->bytes &&
           !p->is->unsure;
}

static bool is_of(const Unit *u, const Packed *p, const Foot *f) {
    return str_eq(f->array->object, u->objects[p->object]);
}

static void plan_copies(const Unit *u, const Call *c, Packed *p) {
    SpanEnv e = {.nvals = c->nvals, .vals = c->vals};
    bool checked = u->packing == PACKING_CHECKED;
    int dims = p->is->levels + 1;
    p->certain = !p->is->unsure;
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Foot *f = &c->v->nest->feet[i];
        const Box *b = &c->boxes[i];
        Span3 x;
        if (!is_of(u, p, f) || box_is_empty(b) || !foot_span(f, &e, p->is->levels, &x)) continue;
        bool whole = f->out && is_whole(p, f, b);
        p->noted |= f->out && !whole;
        if (!f->in && !(f->out && !whole) && !checked) continue;
        Span3 before = p->copied;
        include(&p->copied, &x, dims, !p->copies);
        p->certain &= !f->sparse && !b->loose && !f->first &&
                      (!p->copies || memcmp(&before, &p->copied, sizeof before) == 0) && (f->in || !checked);
        p->copies = true;
    }
}

// ---- do rows share memory? --------------------------------------------------------------------------
typedef struct Extent {
    uintptr_t lo, hi;
    bool written;
} Extent;

typedef struct Extents {
    Extent *at;
    int64_t n;
    bool written; // of those that are noted next
} Extents;

static bool note_extent(const Packed *p, const Part *x, void *arg) {
    (void)p;
    Extents *v = arg;
    if (x->row) v->at[v->n++] = (Extent){(uintptr_t)x->row, (uintptr_t)x->row + x->bytes, v->written};
    return true;
}

static int by_place(const void *x, const void *y) {
    const Extent *a = x, *b = y;
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static bool rows_overlap(Extents *v) {
    uintptr_t end = 0, end_written = 0; // how far rows reach that begin before, and those that are written
    qsort(v->at, (size_t)v->n, sizeof *v->at, by_place);
    for (int64_t i = 0; i < v->n; i++) {
        const Extent *x = &v->at[i];
        if (x->lo < end_written || (x->written && x->lo < end)) return true;
        if (x->hi > end) end = x->hi;
        if (x->written && x->hi > end_written) end_written = x->hi;
    }
    return false;
}

static bool meets_box(const Extents *v, const Foot *f, const Box *b) {
    for (int64_t i = 0; i < v->n && !box_is_empty(b); i++) {
        Box x = box_interval(v->at[i].lo, v->at[i].hi);
        bool set = v->at[i].written || f->out;
        if (set && x.first < b->last && b->first < x.last && !box_disjoint(&x, b)) return true;
    }
    return false;
}

// The extents of all rows, of each its columns that are used; at is NULL: no memory, or rows that nobody
// counted. Free it.
static Extents extents(const Unit *u, const Call *c, const Packs *k) {
    Extents v = {0};
    SpanEnv e = {.nvals = c->nvals, .vals = c->vals};
    int64_t most = 1;
    for (int i = 0; i < k->n; i++) most += count(k->at[i].is, 0) * count(k->at[i].is, 1);
    v.at = malloc(sizeof *v.at * (size_t)most);
    for (int i = 0; v.at && i < k->n; i++) {
        const Packed *p = &k->at[i];
        Span3 all = {{0}}, x;
        bool any = false;
        v.written = false;
        for (int j = 0; j < c->v->nest->nfeet; j++) {
            const Foot *f = &c->v->nest->feet[j];
            if (!is_of(u, p, f) || !foot_span(f, &e, p->is->levels, &x)) continue;
            include(&all, &x, p->is->levels + 1, !any);
            any = true;
            v.written |= f->out;
        }
        if (any && !each_part(p, &all, note_extent, &v)) free(v.at), v.at = NULL;
    }
    return v;
}

static const Array *shared(const Unit *u, const Call *c, const Thread *th, Extents *v) {
    if (rows_overlap(v)) {
        for (int i = 0; i < c->v->nest->nfeet; i++)
            if (is_of(u, &th->packs->at[0], &c->v->nest->feet[i])) return c->v->nest->feet[i].array;
    }
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (!tables_have(th, &c->boxes[i]) && meets_box(v, &c->v->nest->feet[i], &c->boxes[i]))
            return c->v->nest->feet[i].array;
    return NULL;
}

// What a device has of rows comes home, and isn't to be trusted where they're written. False: it can't.
static bool bring_home(Run *r, const Extents *v) {
    Memory *m = r->memory;
    for (int64_t i = 0; m && m->slabs && i < v->n; i++) {
        Box b = box_interval(v->at[i].lo, v->at[i].hi);
        if (!memory_flush(m, &b)) return false;
        if (v->at[i].written) memory_forget_all(m, &b);
    }
    return true;
}

static bool copy_rows(Packed *p) {
    if (!p->copies) return true;
    if (!each_part(p, &p->copied, copy_in, NULL)) return false;
    if (p->noted && !p->room->old && !(p->room->old = malloc(p->room->bytes))) return false;
    return !p->noted || each_part(p, &p->copied, note_old, NULL);
}

bool tables_pack(Run *r, Unit *u, const Call *c, Thread *th) {
    Packs *k = th->packs;
    double t = time_now();
    if (r->set.check) u->packing = PACKING_CHECKED;
    Extents v = extents(u, c, k);
    const Array *twice = v.at ? shared(u, c, th, &v) : NULL;
    bool ok = v.at && !twice && bring_home(r, &v);
    free(v.at);
    for (int i = 0; ok && i < k->n; i++) {
        plan_copies(u, c, &k->at[i]);
        ok = copy_rows(&k->at[i]);
    }
    u->stats.upload += time_now() - t;
    r->away += time_now() - t;
    if (twice) report_refusal(r, u, SC_ALIAS, "rows of %s share memory with others", twice->name);
    else if (!ok) report_refusal(r, u, SC_GUARD, "rows that lie at unequal distances can't be packed");
    if (ok && r->set.verbose && !u->told_packing)
        fprintf(stderr, "sculpt: %s:%d: rows of %s lie at unequal distances: packed for each call\n", u->file,
                u->line, u->objects[k->at[0].object]);
    u->told_packing |= ok;
    return ok;
}

void tables_unpack(Run *r, Unit *u, const Call *c, Thread *th) {
    double t = time_now();
    SpanEnv e = {.nvals = c->nvals, .vals = c->vals};
    for (int k = 0; k < th->packs->n; k++) {
        const Packed *p = &th->packs->at[k];
        for (int i = 0; i < c->v->nest->nfeet; i++) {
            const Foot *f = &c->v->nest->feet[i];
            Span3 x;
            if (!f->out || !is_of(u, p, f) || box_is_empty(&c->boxes[i]) ||
                !foot_span(f, &e, p->is->levels, &x))
                continue;
            each_part(p, &x, is_whole(p, f, &c->boxes[i]) ? put_all : put_changed, NULL);
        }
    }
    u->stats.download += time_now() - t;
    r->away += time_now() - t;
}

void tables_read_again(Thread *th) {
    for (int i = 0; th->packs && i < th->packs->n; i++)
        if (th->packs->at[i].copies) each_part(&th->packs->at[i], &th->packs->at[i].copied, copy_in, NULL);
}

bool tables_are_of_another(const Thread *th, const Unit *u) { return th->packs && th->packs->unit != u; }
