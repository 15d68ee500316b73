// SPDX-License-Identifier: MIT
// find.c -- sites that several rules look for: loops, loops inside loops, neighbours.
#include "rule/find.h"
#include "rule/loops.h"

typedef struct Sites {
    Change *ch;
    Found *found;
    void *arg;
    const char *pattern;
    LoopTest *fits;
} Sites;

// The pattern with the names in the places of %1 and %2, as a step.
static void tell(Sites *s, const char *one, const char *two) {
    Text t = text_new(s->ch->a);
    for (const char *p = s->pattern; *p; p++) {
        if (p[0] == '%' && (p[1] == '1' || p[1] == '2')) text_put(&t, *++p == '1' ? one : two);
        else text_putn(&t, p, 1);
    }
    Step *step = step_parse(s->ch->c, (Loc){0}, text_str(&t));
    if (step) s->found(s->ch, step, s->arg);
}

static void each_loop(Node *n, void *arg) {
    Sites *s = arg;
    if (n->kind == N_FOR && (!s->fits || s->fits(n))) tell(s, n->iter->name, NULL);
}

void find_loops(Change *ch, Found *found, void *arg, LoopTest *fits, const char *pattern) {
    Sites s = {ch, found, arg, pattern, fits};
    node_walk(ch->nest->root, each_loop, &s);
}

static void each_pair(Node *n, void *arg) {
    Sites *s = arg;
    if (n->kind != N_FOR) return;
    Node *in = n->body;
    while ((in->kind == N_SEQ && in->nkids == 1) || (in->kind == N_IF && !in->other)) in = in->kind == N_IF ? in->then : in->kids[0];
    if (in->kind == N_FOR && (!s->fits || (s->fits(n) && s->fits(in)))) tell(s, n->iter->name, in->iter->name);
}

void find_pairs(Change *ch, Found *found, void *arg, LoopTest *fits, const char *pattern) {
    Sites s = {ch, found, arg, pattern, fits};
    node_walk(ch->nest->root, each_pair, &s);
}

static void each_neighbour(Node *n, void *arg) {
    for (int i = 0; n->kind == N_SEQ && i + 1 < n->nkids; i++)
        if (n->kids[i]->kind == N_FOR && n->kids[i + 1]->kind == N_FOR)
            tell(arg, n->kids[i]->iter->name, n->kids[i + 1]->iter->name);
}

void find_neighbours(Change *ch, Found *found, void *arg, const char *pattern) {
    Sites s = {ch, found, arg, pattern, NULL};
    node_walk(ch->nest->root, each_neighbour, &s);
}

static void each_kernel(Node *n, void *arg) {
    if (n->kind == N_KERNEL) tell(arg, n->name, NULL);
}

void find_kernels(Change *ch, Found *found, void *arg, const char *pattern) {
    Sites s = {ch, found, arg, pattern, NULL};
    node_walk(ch->nest->root, each_kernel, &s);
}

// ---- what loops may be ----------------------------------------------------------------------------
bool loop_is_serial(Node *loop) { return loop->how == HOW_SERIAL; }
bool loop_is_block(Node *loop) { return loop->how == HOW_BLOCK; }
bool loop_is_innermost(Node *loop) { return loop->how == HOW_SERIAL && !has_loops(loop->body); }
bool loop_holds_loops(Node *loop) { return loop->how == HOW_SERIAL && has_loops(loop->body); }

bool loop_holds_several(Node *loop) {
    Node *n = loop->body;
    while (n->kind == N_SEQ && n->nkids == 1) n = n->kids[0];
    return n->kind == N_SEQ && n->nkids > 1;
}

static void find_if(Node *n, void *found) {
    if (n->kind == N_IF) *(bool *)found = true;
}

bool loop_holds_conditions(Node *loop) {
    bool found = false;
    node_walk(loop->body, find_if, &found);
    return found && loop->how == HOW_SERIAL;
}
