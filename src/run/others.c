// SPDX-License-Identifier: MIT
// others.c -- may somebody else store between the elements that a call writes?
//
//   for (i = 0; i < n; i++) p[2*i] = i;     while another thread stores into p[1], p[3], …
//
// A box comes home whole where nobody can. Somebody can where the program has other threads, or shares the
// memory with other processes: then only what a kernel changed comes home (Box.gaps).
//
// Threads of drivers and our own are none of the program's. They are those that begin during a call of the
// library while the program has one thread, for then nobody else can begin one. One that a driver begins at
// another time is taken for the program's; that costs time alone.
#include "run/state.h"
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

// The threads of this process. False: the system doesn't tell.
static bool list(Run *r, PidVec *out) {
    DIR *d = opendir("/proc/self/task");
    out->n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') vec_push(r->arena, out, (pid_t)atoi(e->d_name));
    if (d) closedir(d);
    return out->n > 0;
}

static bool is_known(const PidVec *known, pid_t thread) {
    for (int i = 0; i < known->n; i++)
        if (known->at[i] == thread) return true;
    return false;
}

// Once a call: what begins during it is known only afterwards.
void others_look(Run *r) {
    if (r->looked) return;
    r->looked = true;
    r->others = !list(r, &r->tasks);
    for (int i = 0; i < r->tasks.n && !r->others; i++)
        r->others = r->tasks.at[i] != gettid() && !is_known(&r->known, r->tasks.at[i]);
}

void others_leave(Run *r) {
    if (!r->looked || r->others || !list(r, &r->tasks)) return;
    r->known.n = 0;
    for (int i = 0; i < r->tasks.n; i++)
        if (r->tasks.at[i] != gettid()) vec_push(r->arena, &r->known, r->tasks.at[i]);
}

void others_between(Run *r, const Call *c) {
    for (int i = 0; r->memory && i < c->v->nest->nfeet; i++) {
        Box *b = &c->boxes[i];
        b->gaps = c->v->nest->feet[i].gaps && !box_is_empty(b) && !memory_held(r->memory, b);
        if (b->gaps) others_look(r);
        b->gaps = b->gaps && (r->others || !twice_is_private(r, b));
    }
}
