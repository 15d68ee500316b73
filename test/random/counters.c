// SPDX-License-Identifier: MIT
// counters.c -- random loops over counters of all types: directions, comparisons, steps, ranges.
//
//   static T f(T from, B to, S by, T m) { T i; for (i = from; i OP to; STEP) BODY return i; }
//
// T and the bound's type B are any integer types, STEP a constant, a parameter, or part of the condition
// (i-- > to, --i > to). The loop is a for, a while or a do, or ends by a break at its beginning or end; its
// bound may be a variable that comes nearer. A nest has an inner loop from 0, i or i + 1 up to m, i, i - 1 or
// m - i. Each function is called with ranges that are empty, of one iteration, in the middle, around zero and
// at both ends of the types, where counters wrap around, too. The generator runs the loop as C does, and
// drops ranges that overflow a signed type, run longer than MOST iterations, or leave the arrays.
#include "random.h"

__extension__ typedef __int128 Wide;
typedef struct Int {
    const char *name;
    int bits;
    bool sign;
} Int;

enum { MOST = 200, ROOM = 256, ROW = 16, CALLS = 6, TRIES = 60 };

static const Int types[] = {{"unsigned char", 8, false}, {"signed char", 8, true},
                            {"unsigned short", 16, false}, {"short", 16, true},
                            {"unsigned", 32, false}, {"int", 32, true}, {"unsigned long", 64, false},
                            {"long", 64, true},
                            {"size_t", 64, false}, {"ptrdiff_t", 64, true}, {"unsigned", 32, false},
                            {"int", 32, true}};
static const Int c_int = {"int", 32, true};

static Int a_type(void) { return types[pick(sizeof types / sizeof *types)]; }
static Wide most(Int t) { return ((Wide)1 << (t.bits - t.sign)) - 1; }
static Wide least(Int t) { return t.sign ? -most(t) - 1 : 0; }
static bool fits(Int t, Wide v) { return v >= least(t) && v <= most(t); }

static Wide wrap(Int t, Wide v) {
    v &= ((Wide)1 << t.bits) - 1;
    return v > most(t) ? v - ((Wide)1 << t.bits) : v;
}

// The type in which C computes with both.
static Int common(Int x, Int y) {
    if (x.bits < 32) x = c_int;
    if (y.bits < 32) y = c_int;
    if (x.bits != y.bits) return x.bits > y.bits ? x : y;
    return x.sign ? y : x;
}

// x + y in C; false: it overflows.
static bool sum(Int tx, Wide x, Int ty, Wide y, Wide *out) {
    Int t = common(tx, ty);
    *out = wrap(t, x) + wrap(t, y);
    bool ok = !t.sign || fits(t, *out);
    *out = wrap(t, *out);
    return ok;
}

typedef enum Cmp { LT, LE, GT, GE, NE } Cmp;
static const char *const cmps[] = {"<", "<=", ">", ">=", "!="};

static bool holds(Cmp c, Int tx, Wide x, Int ty, Wide y) {
    Int t = common(tx, ty);
    x = wrap(t, x);
    y = wrap(t, y);
    return c == LT ? x < y : c == LE ? x <= y : c == GT ? x > y : c == GE ? x >= y : x != y;
}

typedef enum Body { MASKED, DIRECT, SHIFTED, SUM, NESTED, BODIES } Body;
// EARLY: a while that begins with its step; FIRST, LAST: where a break stands
typedef enum Form { FOR, WHILE, EARLY, DO, FIRST, LAST, FORMS } Form;
typedef struct Loop {
    Int t, b;       // of the counter and of the bound
    Cmp cmp;
    int step;       // by: its sign
    int nearer;     // by how much the bound moves towards the counter
    bool by, behind, ahead, live, spelled;
    Form form;
    Body body;
    int from, to;   // of the inner loop: see inner_text
    Cmp inner;
} Loop;

static Loop a_loop(void) {
    Loop l = {.t = a_type(), .step = chance(50) ? 1 : 1 + (int)pick(7), .body = (Body)pick(BODIES)};
    l.b = chance(60) ? l.t : a_type();
    bool down = chance(50);
    l.cmp = chance(25) ? NE : down ? (chance(70) ? GT : GE) : (chance(70) ? LT : LE);
    if (down) l.step = -l.step;
    l.behind = chance(15);
    l.by = !l.behind && l.cmp != NE && chance(15);
    if (l.behind) l.step = l.step < 0 ? -1 : 1;
    if (down && !l.behind && !l.t.sign && chance(15)) l.cmp = LT; // it ends by wrapping around
    if (l.behind && chance(40)) l.behind = false, l.ahead = true;
    l.form = l.behind || l.ahead || chance(40) ? FOR : (Form)pick(FORMS);
    l.nearer = !l.behind && !l.ahead && chance(15) ? 1 + (int)pick(3) : 0;
    l.live = l.form != FOR || l.nearer || chance(25);
    l.spelled = chance(30);
    l.from = (int)pick(3);
    l.to = (int)pick(4);
    l.inner = chance(80) ? LT : chance(50) ? LE : NE;
    return l;
}

// ---- as C runs it ------------------------------------------------------------------------------
static bool inside(const Loop *l, Wide i, Wide from) {
    switch (l->body) {
    case DIRECT: return i >= 0 && i < ROOM;
    case SHIFTED: return i - from >= 0 && i - from < ROOM;
    case NESTED: return i >= 0 && i < ROW;
    default: return true;
    }
}

static bool run_inner(const Loop *l, Wide i, Wide m) {
    Int t = l->t, te = t;
    Wide j = 0, end = m;
    if (l->from && !sum(t, i, c_int, l->from - 1, &j)) return false;
    if (l->to == 1) end = i;
    if (l->to == 2) te = common(t, c_int), sum(t, i, c_int, -1, &end);
    if (l->to == 3) te = common(t, t), sum(t, m, te, -i, &end);
    j = wrap(t, j);
    for (int n = 0; holds(l->inner, t, j, te, end); n++) {
        if (n > ROW || j < 0 || j >= ROW) return false;
        j = wrap(t, j + 1);
    }
    return true;
}

static bool ends(const Loop *l, Wide from, Wide to, int by, Wide m) {
    Wide i = from;
    int step = l->by ? (l->step < 0 ? -by : by) : l->step, nearer = l->step < 0 ? l->nearer : -l->nearer;
    bool asks_last = l->form == DO || l->form == LAST, sees_next = l->behind || l->ahead || l->form == EARLY;
    for (int n = 0;; n++) {
        Wide next, end;
        bool on = holds(l->cmp, l->t, i, l->b, to);
        if (!on && !l->behind && !l->ahead && (n || !asks_last)) return true;
        if (!sum(l->t, i, c_int, step, &next) || !sum(l->b, to, c_int, nearer, &end)) return false;
        next = wrap(l->t, next);
        if (l->ahead) on = holds(l->cmp, l->t, next, l->b, to);
        if (!on && (l->behind || l->ahead)) return true;
        Wide seen = sees_next ? next : i;
        if (n >= MOST || !inside(l, seen, from) ||
            (l->body == NESTED && !run_inner(l, seen, m))) return false;
        i = next;
        to = wrap(l->b, end);
    }
}

// ---- as text -------------------------------------------------------------------------------------
static const char *number(Int t, Wide v, char *out) {
    if (v == -most(types[7]) - 1) snprintf(out, 64, "(%s)(-9223372036854775807L - 1)", t.name);
    else if (v < 0) snprintf(out, 64, "(%s)%ldL", t.name, (long)v);
    else snprintf(out, 64, "(%s)%luUL", t.name, (unsigned long)v);
    return out;
}

static void put_body(FILE *f, const Loop *l) {
    static const char *const starts[] = {"0", "i", "i + 1"}, *const stops[] = {"m", "i", "i - 1", "m - i"};
    switch (l->body) {
    case MASKED: fprintf(f, "wa[i & 255] = wb[i & 255] + (int)(i & 1023);\n"); break;
    case DIRECT: fprintf(f, "wa[i] = wb[i] + 7;\n"); break;
    case SHIFTED: fprintf(f, "wa[i - from] = wb[i - from] + (int)i;\n"); break;
    case SUM: fprintf(f, "total += (unsigned)i * 3u + 1u;\n"); break;
    default:
        fprintf(f, "for (%s j = %s; j %s %s; j++) wa[i * %d + j] = wb[j] + (int)i;\n", l->t.name,
                starts[l->from], cmps[l->inner], stops[l->to], ROW);
    }
}

static void put_step(FILE *f, const Loop *l) {
    char sign = l->step < 0 ? '-' : '+';
    int s = l->step < 0 ? -l->step : l->step;
    if (l->by) fprintf(f, l->spelled ? "i = i %c by" : "i %c= by", sign);
    else if (s == 1) fprintf(f, l->spelled ? "%c%ci" : "i%c%c", sign, sign);
    else fprintf(f, l->spelled ? "i = i %c %d" : "i %c= %d", sign, s);
}

static void put_steps(FILE *f, const Loop *l, const char *between) {
    put_step(f, l);
    if (l->nearer) fprintf(f, "%sto %c= %d", between, l->step < 0 ? '+' : '-', l->nearer);
}

static void put_header(FILE *f, const Loop *l) {
    const char *cmp = cmps[l->cmp], *step = l->step < 0 ? "--" : "++";
    fprintf(f, "for (%s%si = from; ", l->live ? "" : l->t.name, l->live ? "" : " ");
    if (l->behind) fprintf(f, "i%s %s to;", step, cmp);
    else if (l->ahead) fprintf(f, "%si %s to;", step, cmp);
    else fprintf(f, "i %s to; ", cmp), put_steps(f, l, ", ");
    fprintf(f, ") ");
    put_body(f, l);
}

// The other forms: first the step or the break, then the body, then the rest.
static void put_form(FILE *f, const Loop *l) {
    const char *cmp = cmps[l->cmp];
    if (l->form == WHILE || l->form == EARLY) fprintf(f, "while (i %s to) {\n        ", cmp);
    else fprintf(f, l->form == DO ? "do {\n        " : "for (;;) {\n        ");
    if (l->form == FIRST) fprintf(f, "if (!(i %s to)) break;\n        ", cmp);
    if (l->form == EARLY) put_steps(f, l, "; "), fprintf(f, ";\n        ");
    put_body(f, l);
    if (l->form != EARLY) fprintf(f, "        "), put_steps(f, l, "; "), fprintf(f, ";\n");
    if (l->form == LAST) fprintf(f, "        if (!(i %s to)) break;\n", cmp);
    if (l->form == DO) fprintf(f, "    } while (i %s to);\n", cmp);
    else fprintf(f, "    }\n");
}

static void put_loop(FILE *f, const Loop *l, int number) {
    const char *t = l->t.name;
    fprintf(f, "static %s f%d(%s from, %s to, int by, %s m) {\n", t, number, t, l->b.name, t);
    fprintf(f, "    unsigned total = 0;\n");
    if (l->live) fprintf(f, "    %s i%s;\n", l->t.name, l->form == FOR ? "" : " = from");
    fprintf(f, "#pragma sculpt\n    ");
    if (l->form == FOR) put_header(f, l);
    else put_form(f, l);
    fprintf(f, "    ws = ws * 31 + total;\n    return %s;\n}\n", l->live ? "i" : "0");
}

// A value to begin or end with.
static Wide a_value(Int t, bool small) {
    if (small) return (Wide)pick(ROW + 2) - (t.sign ? pick(3) : 0);
    switch (pick(5)) {
    case 0: return most(t) - pick(60);
    case 1: return least(t) + pick(60);
    case 2: return wrap(t, (Wide)pick(120) - 60);
    default: return wrap(t, pick(250));
    }
}

// Ranges that end; where a type has none of these the function is not called at all.
static int put_calls(FILE *f, const Loop *l, int at) {
    char x[4][64];
    int calls = 0;
    for (int k = 0; k < TRIES && calls < CALLS; k++) {
        bool small = l->body == NESTED;
        Wide from = a_value(l->t, small), to = chance(50) ? a_value(l->b, small)
            : wrap(l->b, from + (l->step < 0 ? -1 : 1) * (Wide)pick(small ? ROW : MOST));
        Wide m = (Wide)pick(ROW + 1);
        int by = 1 + (int)pick(5);
        from = wrap(l->t, from);
        to = wrap(l->b, to);
        if (!ends(l, from, to, by, m)) continue;
        fprintf(f, "    last = (long)f%d(%s, %s, %d, %s);\n"
                "    printf(\"%d.%d %%ld %%u %%016llx\\n\", last, ws, hash(wa, sizeof wa));\n",
                at, number(l->t, from, x[0]), number(l->b, to, x[1]), by, number(l->t, m, x[2]), at, calls);
        calls++;
    }
    return calls;
}

void random_counters(FILE *f, int number) {
    Loop l = a_loop();
    put_loop(f, &l, number);
    fprintf(f, "static void call%d(void) {\n    long last = 0;\n", number);
    fprintf(f, "    for (int k = 0; k < %d; k++) wa[k] = 0, wb[k] = fill(k + %d);\n    (void)last;\n", ROOM,
            number);
    put_calls(f, &l, number);
    fprintf(f, "}\n\n");
}
