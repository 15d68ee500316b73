// SPDX-License-Identifier: MIT
// find.c -- sites that several rules look for: loops, loops inside loops, neighbours.
#include "rule/find.h"
#include "rule/loops.h"
#include <string.h>

// The pattern with the names in the places of %1 and %2, as a step.
static void tell(Finder *f, const char *pattern, const char *one, const char *two) {
    Text t = text_new(f->ch->a);
    for (const char *p = pattern; *p; p++) {
        if (p[0] == '%' && (p[1] == '1' || p[1] == '2')) text_put(&t, *++p == '1' ? one : two);
        else text_putn(&t, p, 1);
    }
    Step *step = step_parse(f->ch->c, (Loc){0}, text_str(&t));
    if (step) f->found(f->ch, step, f->arg);
}

void find_loops(Finder *f, LoopTest *fits, const char *pattern) {
    node_each(n, f->ch->nest->root)
        if (n->kind == N_FOR && (!fits || fits(n))) tell(f, pattern, n->iter->name, NULL);
}

void find_pairs(Finder *f, LoopTest *fits, const char *pattern) {
    node_each(n, f->ch->nest->root) {
        if (n->kind != N_FOR) continue;
        Node *in = n->body;
        while ((in->kind == N_SEQ && in->nkids == 1) || (in->kind == N_IF && !in->other))
            in = in->kind == N_IF ? in->then : in->kids[0];
        if (in->kind == N_FOR && (!fits || (fits(n) && fits(in))))
            tell(f, pattern, n->iter->name, in->iter->name);
    }
}

void find_neighbours(Finder *f, const char *pattern) {
    node_each(n, f->ch->nest->root)
        for (int i = 0; n->kind == N_SEQ && i + 1 < n->nkids; i++)
            if (n->kids[i]->kind == N_FOR && n->kids[i + 1]->kind == N_FOR)
                tell(f, pattern, n->kids[i]->iter->name, n->kids[i + 1]->iter->name);
}

void find_kernels(Finder *f, const char *pattern) {
    node_each(n, f->ch->nest->root)
        if (n->kind == N_KERNEL) tell(f, pattern, n->name, NULL);
}

// ---- one site after another ----------------------------------------------------------------------
static bool is_new(Finder *f, const char *text) {
    Arena *a = f->ch->a;
    if (2 * f->n >= f->size) {
        const char **old = f->seen;
        int n = f->size;
        f->size = n ? 2 * n : 32;
        f->seen = NEW_N(a, const char *, f->size);
        f->n = 0;
        for (int k = 0; k < n; k++)
            if (old[k]) is_new(f, old[k]);
    }
    int k = (int)(hash_bytes(text, strlen(text), 1) % (uint64_t)f->size);
    for (; f->seen[k]; k = (k + 1) % f->size)
        if (str_eq(f->seen[k], text)) return false;
    f->seen[k] = text;
    f->n++;
    return true;
}

static const char *formatted(Arena *a, const char *fmt, va_list ap) {
    Text t = text_new(a);
    text_vprintf(&t, fmt, ap);
    return text_str(&t);
}

void finder_site(Finder *f, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    const char *text = formatted(f->ch->a, fmt, ap);
    va_end(ap);
    Step *step = is_new(f, text) ? step_parse(f->ch->c, (Loc){0}, text) : NULL;
    if (step) f->found(f->ch, step, f->arg);
}

bool finder_asked(const Finder *f) { return f->ch->missed != NULL; }

void finder_miss(Finder *f, const char *what, const char *fmt, ...) {
    if (!finder_asked(f)) return;
    va_list ap;
    va_start(ap, fmt);
    const char *why = formatted(f->ch->a, fmt, ap);
    va_end(ap);
    if (is_new(f, arena_printf(f->ch->a, "%s: %s", what, why))) f->ch->missed(what, why, f->arg);
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

static bool is_if(const Node *n) { return n->kind == N_IF; }

bool loop_holds_conditions(Node *loop) { return loop->how == HOW_SERIAL && node_any(loop->body, is_if); }
