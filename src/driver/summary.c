// SPDX-License-Identifier: MIT
// summary.c -- one line about a file's loops, and its remarks with the costliest loops' first.
//
//   sculpt: a.c: 12 loops: 5 on a device, 2 would be with --permit reassociate, 5 stay on the host: …
//
// What a loop costs is not known before it runs; loops that stand deeper inside each other are taken to cost
// more. Of loops that nobody marked the remarks are counted by kind, unless --remarks asks for each.
#include "driver/driver.h"
#include <string.h>
#include <sys/utsname.h>

typedef struct Outcome {
    const FrontRegion *loops;
    int first, last;       // lines
    bool taken;
    const Diag *why;       // the remark about them; NULL: none
} Outcome;
typedef VEC(Outcome) Outcomes;

// ---- what became of each ------------------------------------------------------------------
static void add(Compile *c, int from, const Unit *u, const FrontRegion *loops, bool taken, Outcomes *all) {
    const FrontUnit *unit = u->front;
    Outcome o = {.loops = loops, .first = flat_place(unit->flat, loops->pragma_begin).line,
                 .last = flat_place(unit->flat, loops->reach).line, .taken = taken};
    for (int i = from; i < c->diags.n && !taken && !o.why; i++) {
        const Diag *d = &c->diags.at[i];
        bool inside = d->loc.file && str_eq(d->loc.file, loops->loc.file) && o.first <= d->loc.line &&
                      d->loc.line <= o.last;
        if (inside && d->level != DIAG_NOTE && d->code != SC_HINT) o.why = d;
    }
    vec_push(c->arena, all, o);
}

static Outcomes outcomes(Compile *c, int from, const Unit *u) {
    Outcomes all = {0};
    for (int i = 0; i < u->nparts; i++) add(c, from, u, u->parts[i].front, u->parts[i].taken, &all);
    for (int i = 0; i < u->front->nleft; i++) add(c, from, u, &u->front->left[i], false, &all);
    return all;
}

// ---- remarks in their order -----------------------------------------------------------------
// Those of marked loops, and whatever is worse than a remark, are always told.
static const Outcome *loops_of(const Outcomes *all, const Diag *d) {
    const Outcome *inner = NULL;
    for (int i = 0; i < all->n; i++) {
        const Outcome *o = &all->at[i];
        bool inside = d->loc.file && str_eq(d->loc.file, o->loops->loc.file) && o->first <= d->loc.line &&
                      d->loc.line <= o->last;
        if (inside && (!inner || o->loops->depth > inner->loops->depth)) inner = o;
    }
    return inner;
}

static int rank(const Outcomes *all, const Diag *d) {
    const Outcome *o = loops_of(all, d);
    return d->level >= DIAG_WARNING ? FRONT_DEEPEST + 1 : o ? o->loops->depth : 0;
}

// From number `from` on: first those that are folded, then the others, the deepest loops' first. Where the
// others begin.
static int arrange(Compile *c, int from, const Outcomes *all, bool fold) {
    VEC(Diag) out = {0};
    int first = from;
    for (int pass = 0; pass < 2; pass++)
        for (int depth = FRONT_DEEPEST + 1; depth >= 0; depth--)
            for (int i = from; i < c->diags.n; i++) {
                const Diag *d = &c->diags.at[i];
                const Outcome *o = loops_of(all, d);
                bool folded = fold && d->level < DIAG_WARNING && (!o || o->loops->marked == MARK_AUTO);
                if (folded == pass || rank(all, d) != depth) continue;
                vec_push(c->arena, &out, *d);
                first += folded;
            }
    if (out.n) memcpy(c->diags.at + from, out.at, sizeof *out.at * (size_t)out.n);
    return first;
}

// ---- the line -----------------------------------------------------------------------------------
typedef struct Kind {
    DiagCode code;
    const char *words;
} Kind;
static const Kind cures[] = {{SC_REASSOCIATE, "--permit reassociate"},
                             {SC_UNORDERED, "--permit unordered"},
                             {SC_MARK_UNKNOWN, "a mark that vouches for them"}};
static const Kind reasons[] = {
    {SC_CALL, "calls of functions that are not here"},
    {SC_NO_PARALLEL, "dependences"},
    {SC_CARRIED, "dependences"},
    {SC_MARK_DISPROVED, "dependences"},
    {SC_VOLATILE, "volatile or atomic variables"},
    {SC_CONTROL, "ways out of the loop"},
    {SC_LOOP_FORM, "their form"},
    {SC_ITER_WRITTEN, "their counters"},
    {SC_NOT_AFFINE, "subscripts without bounds"},
    {SC_POINTER, "pointers"},
    {SC_TYPE, "types"},
    {SC_EXTENT, "arrays without bounds"},
    {SC_LIVE_OUT, "values that are used behind them"},
    {SC_TOO_HARD, "too many dependences"},
    {SC_SPLICE, "their place in the text"},
    {SC_EXPRESSION, "their expressions"},
    {SC_GUARD, "conditions that are not seen to hold"},
    {SC_PRAGMA, "what their marks ask for"},
    {SC_CLANG, "errors of the C front end"},
};

static const char *words_for(const Kind *kinds, size_t n, const Diag *d) {
    for (size_t i = 0; d && i < n; i++)
        if (kinds[i].code == d->code) return kinds[i].words;
    return NULL;
}
// Loops inside of one whose mark is not kept are counted apart.
static bool is_left(const Outcome *o) { return !o->taken && !o->loops->inside; }
static const char *cure_of(const Outcome *o) {
    return is_left(o) ? words_for(cures, sizeof cures / sizeof *cures, o->why) : NULL;
}
static const char *reason_of(const Outcome *o) {
    const char *words = words_for(reasons, sizeof reasons / sizeof *reasons, o->why);
    return !is_left(o) || cure_of(o) ? NULL : words ? words : "other reasons";
}

// ", 2 would be with X (1) or Y (1)": by the words that `of` gives, the most frequent first; none where it is
// NULL.
static int count(Text *t, const Outcomes *all, const char *(*of)(const Outcome *), const char *one,
                 const char *head, const char *between) {
    int sum = 0, kinds = 0, last = INT32_MAX;
    for (int i = 0; i < all->n; i++) sum += of(&all->at[i]) != NULL;
    if (sum) text_printf(t, ", %d %s", sum, sum == 1 ? one : head);
    while (sum) {
        int most = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < all->n; i++) {
                const char *w = of(&all->at[i]);
                int n = 0, first = -1;
                for (int j = 0; w && j < all->n; j++)
                    if (of(&all->at[j]) && str_eq(of(&all->at[j]), w)) n++, first = first < 0 ? j : first;
                if (!w || first != i || n >= last) continue;
                if (!pass) most = n > most ? n : most;
                else if (n == most)
                    text_printf(t, "%s%s%s", kinds++ ? between : "", w,
                                n < sum ? arena_printf(t->arena, " (%d)", n) : "");
            }
        if (!most) break;
        last = most;
    }
    return sum;
}

// Is a sum of a product rounded once on a device, and twice by the host's compiler for this machine?
static bool rounds_once(const Unit *u, const Flags *f) {
    struct utsname host;
    bool fused = false;
    if (f->host_fma || uname(&host) != 0 || !str_has_prefix(host.machine, "x86")) return false;
    for (int i = 0; i < u->nparts && !fused; i++) {
        const Region *r = u->parts[i].taken ? u->parts[i].front->region : NULL;
        fused = r && r->contracted;
    }
    return fused;
}

void summary_show(Compile *c, int from, const Flags *f, const Unit *u) {
    Outcomes all = outcomes(c, from, u);
    Text t = text_new(c->arena);
    int n = 0, taken = 0, unmarked = 0, inside = 0;
    for (int i = 0; i < all.n; i++) {
        const FrontRegion *r = all.at[i].loops;
        if (!r->inside) n += r->loops;
        if (!r->inside && all.at[i].taken) taken += r->loops;
        inside += r->inside && all.at[i].taken;
        unmarked += r->marked == MARK_AUTO;
    }
    text_printf(&t, "sculpt: %s: %d %sloop%s: %d on a device", u->front->file, n, unmarked ? "" : "marked ",
                n == 1 ? "" : "s", taken);
    int would = count(&t, &all, cure_of, "would be with ", "would be with ", " or ");
    int stay = count(&t, &all, reason_of, "stays on the host for ", "stay on the host for ", ", ");
    if (inside) text_printf(&t, "; %d loop%s inside of these %s on a device", inside, inside == 1 ? "" : "s",
                            inside == 1 ? "is" : "are");
    if (rounds_once(u, f))
        text_put(&t, "; there a*b + c is rounded once (-ffp-contract=off: twice, as here)");
    bool fold = f->auto_mark && !f->all_remarks;
    int first = arrange(c, from, &all, fold);
    diags_show(c, first, f, false);
    bool interest = taken || would || unmarked < n || (f->all_remarks && stay);
    if (!interest || f->quiet || f->no_remarks) return;
    fprintf(stderr, "%s%s\n", text_str(&t), fold && stay && unmarked ? " (--remarks says where)" : "");
}
