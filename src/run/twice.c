// SPDX-License-Identifier: MIT
// twice.c -- memory that the program has at two addresses.
//
//   m = mmap(NULL, 2 * n, …);  mmap(m, n, …, MAP_SHARED | MAP_FIXED, fd, 0);  mmap(m + n, … the same)
//
// A ring buffer that goes on behind its end: m[i + n] is m[i]. On a device with memory of its own they would
// be two. The system tells of what file and where in it each mapping is. Only shared ones can be there twice;
// ranges that were seen to be private are not looked up again.
#include "run/state.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 256 };

typedef struct Part {
    uintptr_t lo, hi;        // of a box, in one mapping
    const Foot *foot;
    unsigned long long file; // device and inode
    uint64_t at;             // lo's place in that
} Part;

typedef struct Parts {
    int n;
    Part at[PARTS_MAX];
} Parts;

bool twice_is_private(const Run *r, const Box *b) {
    int n = r->nplain < PLAIN_MAX ? r->nplain : PLAIN_MAX;
    for (int i = 0; i < n; i++)
        if (r->plain[i].lo <= b->first && b->last <= r->plain[i].hi) return true;
    return false;
}

static bool is_touched(const Call *c, uintptr_t lo, uintptr_t hi) {
    for (int i = 0; i < c->v->nest->nfeet; i++)
        if (!box_is_empty(&c->boxes[i]) && c->boxes[i].first < hi && lo < c->boxes[i].last) return true;
    return false;
}

// Another mapping that some box touches.
static void add(Run *r, const Call *c, Part map, bool shared, Parts *out) {
    for (int i = 0; i < c->v->nest->nfeet; i++) {
        const Box *b = &c->boxes[i];
        Part p = {b->first > map.lo ? b->first : map.lo, b->last < map.hi ? b->last : map.hi,
                  &c->v->nest->feet[i], map.file, 0};
        if (box_is_empty(b) || p.lo >= p.hi) continue;
        p.at = map.at + (p.lo - map.lo);
        if (shared && out->n < PARTS_MAX) out->at[out->n++] = p;
    }
    if (shared) return;
    Range *last = &r->plain[(r->nplain + PLAIN_MAX - 1) % PLAIN_MAX]; // neighbours are one
    if (last->hi == map.lo) last->hi = map.hi;
    else r->plain[r->nplain++ % PLAIN_MAX] = (Range){map.lo, map.hi};
}

// There are hundreds of mappings, of which a call touches a few.
static bool look_up(Run *r, const Call *c, Parts *out) {
    FILE *f = fopen("/proc/self/maps", "re");
    char line[512], how[5], *end;
    unsigned long long at, inode;
    unsigned major, minor;
    bool rest = false; // of a long line, in which nothing is told
    while (f && fgets(line, sizeof line, f)) {
        bool begins = !rest;
        rest = !strchr(line, '\n');
        if (!begins) continue;
        uintptr_t lo = strtoul(line, &end, 16), hi = *end == '-' ? strtoul(end + 1, &end, 16) : 0;
        if (!is_touched(c, lo, hi) ||
            sscanf(end, "%4s %llx %x:%x %llu", how, &at, &major, &minor, &inode) != 5)
            continue;
        unsigned long long device = (unsigned long long)major << 52 ^ (unsigned long long)minor << 40;
        add(r, c, (Part){lo, hi, NULL, inode ^ device, at}, how[3] == 's', out);
    }
    if (f) fclose(f);
    return f;
}

// Where the same bytes have one address alone, addresses and places in the file differ by the same.
static bool are_same(const Part *x, const Part *y) {
    return x->file == y->file && x->at < y->at + (y->hi - y->lo) && y->at < x->at + (x->hi - x->lo) &&
           x->lo - x->at != y->lo - y->at;
}

const Array *twice_mapped(Run *r, const Call *c) {
    bool plain = true;
    for (int i = 0; i < c->v->nest->nfeet; i++)
        plain = plain && (box_is_empty(&c->boxes[i]) || twice_is_private(r, &c->boxes[i]));
    if (plain || (r->info->host_memory && !r->set.check)) return NULL;
    Parts *p = calloc(1, sizeof *p);
    const Array *found = NULL;
    bool told = p && look_up(r, c, p);
    for (int i = 0; told && i < p->n && !found; i++)
        for (int k = 0; k < i && !found; k++)
            if ((p->at[i].foot->out || p->at[k].foot->out) && are_same(&p->at[i], &p->at[k]))
                found = p->at[i].foot->array;
    free(p);
    return found;
}
