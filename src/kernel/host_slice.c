// SPDX-License-Identifier: MIT
// host_slice.c -- which of the host's statements say something about a launch.
//
//   for (i = 0; i < n; i++) a[i] = rand();     no launch asks for an element of a: left out
//   dim3 grid((n + 255) / 256);                written here, read by the launch: needed
//   if (n > max) return 1;                     on the way to it: needed, with its condition
//   k<<<grid, 256>>>(a, n);                    a launch: needed
//
// A piece is a statement without a body, or the head of one with a body. Needed are launches; pieces that
// write what a needed one reads, or call a function with needed ones; heads around them; and what leaves a
// function or a loop that holds a needed piece. Names count by their spelling in a function (or the file,
// where it declares them); elements apart from the array or pointer that they belong to, because launches are
// handed pointers, not elements.
#include "kernel/host_run.h"
#include <string.h>

typedef struct Piece {
    int from, to, func;
    int parent;              // the head around it; -1: none
    bool loop;               // a loop's head
    bool idle;               // …whose body is empty: its counter is what it is for
    bool leaves, needed;
    bool strong;             // a head: something other than a way out is needed below
} Piece;

// Names, as hashes of their spelling, function and kind.
typedef struct Names {
    uint64_t *at;
    size_t n, cap;
} Names;

typedef struct Slice {
    Host *h;
    VEC(Piece) pieces;
    int *callee;             // [tokens] the function called here; -1: none
    bool *live, *result;     // [functions] something in it is needed; its value is
    Names globals, read;
    bool changed;
} Slice;

static bool is(const Host *h, int at, const char *text) {
    return at >= 0 && at < h->n && h->t[at].kind != HT_TEXT && str_eq(h->t[at].text, text);
}

// ---- names -----------------------------------------------------------------------------------------
static bool holds(const Names *s, uint64_t x) {
    for (size_t i = s->cap ? x % s->cap : 0; s->cap && s->at[i]; i = (i + 1) % s->cap)
        if (s->at[i] == x) return true;
    return false;
}

static bool insert(Arena *a, Names *s, uint64_t x) {
    if (holds(s, x)) return false;
    if (2 * s->n >= s->cap) {
        Names more = {.at = NEW_N(a, uint64_t, 2 * s->cap + 256), .cap = 2 * s->cap + 256};
        for (size_t i = 0; i < s->cap; i++)
            if (s->at[i]) insert(a, &more, s->at[i]);
        *s = more;
    }
    size_t i = x % s->cap;
    while (s->at[i]) i = (i + 1) % s->cap;
    s->at[i] = x;
    s->n++;
    return true;
}

// A word may have its members with it: "grid.x".
static uint64_t name_of(const Slice *s, const char *word, int func, bool element) {
    uint64_t plain = hash_bytes(word, strcspn(word, "."), 2);
    if (holds(&s->globals, plain)) func = -1;
    return (plain ^ (uint64_t)(2 * func + element + 2) * 0x9e3779b97f4a7c15u) | 1;
}

// ---- words in a piece --------------------------------------------------------------------------------
typedef struct Word {
    int end;                 // behind its members and subscripts
    bool element, written;
} Word;

// A variable with its members and subscripts at k; false: no such thing stands here.
static bool word_at(const Host *h, int k, int end, Word *w) {
    if (h->t[k].kind != HT_WORD || is(h, k - 1, ".") || is(h, k - 1, "->")) return false;
    static const char *const sets[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
        "++", "--"};
    *w = (Word){.end = k + 1, .element = is(h, k - 1, "*")};
    for (;;) {
        bool member = (is(h, w->end, ".") || is(h, w->end, "->") || is(h, w->end, "::")) && w->end + 1 < end;
        if (member) w->end += 2;
        else if (is(h, w->end, "[") && w->end < end) w->element = true, w->end = host_closing(h, w->end, end);
        else break;
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets && w->end < end; i++)
        w->written |= is(h, w->end, sets[i]);
    w->written |= is(h, k - 1, "++") || is(h, k - 1, "--");
    bool handed = is(h, k - 1, "&") && (is(h, k - 2, "(") || is(h, k - 2, ",") || is(h, k - 2, ")"));
    w->written |= handed; // f(&n) may set n
    return true;
}

static bool has_references(const HostFunc *f) {
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i].by_reference) return true;
    return false;
}

// Where the counters of a `for` that its own head begins anew are written; no piece behind it waits for them.
static bool is_own_counter(const Host *h, const Piece *p, int k) {
    if (!p->loop || p->idle || !is(h, p->from, "for")) return false;
    int close = host_semicolon(h, p->from + 2, p->to - 1);
    for (int i = p->from + 2; i < close; i++)
        if (h->t[i].kind == HT_WORD && str_eq(h->t[i].text, h->t[k].text) && is(h, i + 1, "=")) return true;
    return false;
}

static bool writes_needed(const Slice *s, const Piece *p) {
    const Host *h = s->h;
    int name = p->to;
    bool declares = !p->loop && host_declares(h, p->from, p->to, &name), handed = false;
    for (int k = p->from; k < p->to; k++) {
        Word w;
        if (s->callee[k] >= 0) handed = handed || has_references(&h->funcs.at[s->callee[k]]);
        if (!word_at(h, k, p->to, &w)) continue;
        bool declared = declares && (k == name || (k > name && is(h, k - 1, ",")));
        if ((w.written || declared || handed) &&
            holds(&s->read, name_of(s, h->t[k].text, p->func, w.element)) && !is_own_counter(h, p, k))
            return true;
    }
    return false;
}

// ---- what is needed
// ----------------------------------------------------------------------------------------
static bool launches(const Host *h, const Piece *p) {
    for (int k = p->from; k < p->to; k++)
        if (is(h, k, "<<<") || (h->t[k].kind == HT_WORD && host_is_launcher(h->t[k].text))) return true;
    return false;
}

static void read(Slice *s, const char *word, int func, bool element) {
    s->changed |= insert(s->h->a, &s->read, name_of(s, word, func, element));
}

// All that stands in a piece is read, and what it calls is run.
static void read_all(Slice *s, const Piece *p) {
    const Host *h = s->h;
    for (int k = p->from; k < p->to; k++) {
        Word w;
        int f = s->callee[k];
        if (word_at(h, k, p->to, &w)) read(s, h->t[k].text, p->func, w.element);
        if (f < 0) continue;
        s->changed |= !s->result[f];
        s->result[f] = true;
        bool elements = false; // the function reads some of an array that it is given
        for (int i = 0; i < h->funcs.at[f].nparams; i++) {
            const HostParam *x = &h->funcs.at[f].params[i];
            elements |= holds(&s->read, name_of(s, x->name, f, true));
            if (x->by_reference) read(s, x->name, f, false);
        }
        for (int i = k + 1; elements && i < p->to; i++)
            if (h->t[i].kind == HT_WORD) read(s, h->t[i].text, p->func, true);
    }
}

// Heads around a piece decide about it. strong: it is more than a way out.
static void need(Slice *s, Piece *p, bool strong) {
    s->changed |= !p->needed || (strong && !s->live[p->func]);
    p->needed = true;
    p->strong |= strong;
    s->live[p->func] |= strong;
    for (int up = p->parent; up >= 0; up = s->pieces.at[up].parent) {
        Piece *q = &s->pieces.at[up];
        s->changed |= !q->needed || (strong && !q->strong);
        q->needed = true;
        q->strong |= strong;
    }
}

// A way out matters where something else in the loop, or else the function, does.
static bool leaves_needed(const Slice *s, const Piece *p) {
    if (!p->leaves) return false;
    for (int up = p->parent; up >= 0; up = s->pieces.at[up].parent)
        if (s->pieces.at[up].loop) return s->pieces.at[up].strong;
    return s->live[p->func];
}

static void look_at(Slice *s, Piece *p) {
    bool calls = false, gives = s->result[p->func] && is(s->h, p->from, "return");
    for (int k = p->from; k < p->to; k++) calls |= s->callee[k] >= 0 && s->live[s->callee[k]];
    if (calls || gives || launches(s->h, p) || writes_needed(s, p)) need(s, p, true);
    else if (leaves_needed(s, p)) need(s, p, false);
    if (p->needed) read_all(s, p);
}

// ---- pieces
// ------------------------------------------------------------------------------------------------
static int one(Slice *s, int at, int end, int func, int parent);

static void collect(Slice *s, int at, int end, int func, int parent) {
    while (at < end) at = one(s, at, end, func, parent);
}

static int put(Slice *s, Piece p) {
    vec_push(s->h->a, &s->pieces, p);
    return s->pieces.n - 1;
}

// A statement with a head; behind it.
static int headed(Slice *s, int at, int end, int func, int parent) {
    Host *h = s->h;
    int open = at + 1;
    while (open < end && !is(h, open, "(")) open++; // if constexpr (…)
    int close = host_closing(h, open, end);
    bool idle = is(h, close, ";") || (is(h, close, "{") && is(h, close + 1, "}"));
    int head = put(s, (Piece){at, close, func, parent, .loop = is(h, at, "for") || is(h, at, "while"),
                              .idle = idle});
    int next = one(s, close, end, func, head);
    return is(h, at, "if") && is(h, next, "else") ? one(s, next + 1, end, func, head) : next;
}

static int one(Slice *s, int at, int end, int func, int parent) {
    Host *h = s->h;
    if (at >= end) return end;
    if (is(h, at, "{")) {
        int close = host_closing(h, at, end);
        collect(s, at + 1, close - 1, func, parent);
        return close;
    }
    if (is(h, at, "if") || is(h, at, "for") || is(h, at, "while") || is(h, at, "switch"))
        return headed(s, at, end, func, parent);
    if (is(h, at, "do")) {
        int open = host_statement_end(h, at + 1, end) + 1,
            close = is(h, open, "(") ? host_closing(h, open, end) : open;
        one(s, at + 1, open - 1, func, put(s, (Piece){open, close, func, parent, .loop = true}));
        return host_semicolon(h, close, end) + 1;
    }
    if (is(h, at, "else") || is(h, at, "try")) return at + 1;
    if (is(h, at, "case") || is(h, at, "default")) {
        while (at < end && !is(h, at, ":")) at++;
        return at + 1;
    }
    int close = host_semicolon(h, at, end);
    bool leaves = is(h, at, "return") || is(h, at, "break") || is(h, at, "continue") || host_leaves(h, at);
    put(s, (Piece){at, close, func, parent, .leaves = leaves});
    return close + 1;
}

// ---- all
// -----------------------------------------------------------------------------------------------------
static void find_calls(Slice *s) {
    Host *h = s->h;
    s->callee = NEW_N(h->a, int, h->n + 1);
    for (int k = 0; k < h->n; k++) {
        bool call = h->t[k].kind == HT_WORD && (is(h, k + 1, "(") || is(h, k + 1, "<"));
        const char *dot = strrchr(h->t[k].text, '.'); // a method
        HostFunc *f = call ? host_find(h, dot ? dot + 1 : h->t[k].text) : NULL;
        s->callee[k] = f ? (int)(f - h->funcs.at) : -1;
    }
}

void host_slice(Host *h) {
    Slice s = {.h = h,
               .live = NEW_N(h->a, bool, h->funcs.n + 1),
               .result = NEW_N(h->a, bool, h->funcs.n + 1),
               .changed = true};
    find_calls(&s);
    for (int i = 0; i < h->globals.n; i++)
        insert(h->a, &s.globals, hash_bytes(h->globals.at[i].name, strcspn(h->globals.at[i].name, "."), 2));
    for (int f = 0; f < h->funcs.n; f++)
        if (!h->funcs.at[f].device) collect(&s, h->funcs.at[f].body, h->funcs.at[f].end, f, -1);
    while (s.changed) {
        s.changed = false;
        for (int i = s.pieces.n; i-- > 0;) look_at(&s, &s.pieces.at[i]);
    }
    for (int f = 0; f < h->funcs.n; f++) h->funcs.at[f].launches = s.live[f];
    h->needed = NEW_N(h->a, int, h->n + 2);
    for (int i = 0; i < s.pieces.n; i++) h->needed[s.pieces.at[i].from + 1] = s.pieces.at[i].needed;
    for (int k = 0; k <= h->n; k++) h->needed[k + 1] += h->needed[k];
}
