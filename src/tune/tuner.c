// SPDX-License-Identifier: MIT
// tuner.c -- one region at one size, tuned.
#include "tune/tuner.h"
#include "tune/worker.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 5, CONFIRMED_PAIRS = 15, FINALISTS = 6, WINNERS = 2 };
static const double PLAN_S = 300;  // that planning may take before it counts as hung
static const double FIRST_S = 300; // and the standard beside itself
static const double LEAST_S = 30;  // and any other candidate, or so many times what the first took
static const double TIMES = 5;
static const double WORTH = 1.02;      // a gain that is less is none
static const double PLAN_SHARE = 0.25; // of the budget
static const double END_SHARE = 0.25;  // and what is kept for the end at most: that many times…
static const double END_TIMES = 5;     // …what the standard took, for the best are measured anew

typedef struct Tune {
    Arena *a;
    const TuneOrder *o;
    TuneResult *out;
    Space *space;
    double until;  // 0: no end
    double looks;  // of that: until when candidates are measured
    double limit;  // seconds of a candidate
    const char *why;
    const char *gone; // why nothing can be measured any more; NULL: it can
    Worker worker;
    Search search;
    TuneState state;
} Tune;

static void tell(Tune *t, const char *doing) {
    if (!t->o->tell) return;
    t->state.doing = doing;
    t->state.left = t->until > 0 ? t->until - time_now() : -1;
    t->o->tell(&t->state, t->o->arg);
}

static void plan(FILE *in, FILE *out, void *arg) {
    (void)in;
    Tune *t = arg;
    const char *why = "";
    Arena *a = arena_new();
    Case *k = worker_case(t->o, a, false, &why);
    double budget = t->o->budget > 0 ? t->o->budget * PLAN_SHARE : PLAN_S / 2;
    Space *s = k ? space_make(k, t->o->effort, budget, &why) : NULL;
    if (s) fputs(space_print(a, s), out);
    else fprintf(out, "no %s\n", why);
}

// ---- one candidate ---------------------------------------------------------------------------------------
static Outcome measured(Tune *t, const Asked *x, double limit) {
    Outcome o = worker_measure(&t->worker, x, limit);
    // Times of one turn belong together: others use the machine, too.
    if (x->point >= 0 && o.gain > 0) o.base = o.gain * o.seconds;
    if (str_eq(o.word, "gone")) t->gone = o.why;
    return o;
}

static void note(Tune *t, int point, const Outcome *x, bool fresh) {
    Measured m = {point, arena_strdup(t->a, x->word), x->seconds, x->base};
    const char *why;
    vec_push(t->a, &t->out->all, m);
    t->out->refused += str_eq(x->word, "refused");
    t->out->wrong += str_eq(x->word, "wrong");
    t->out->broken += str_among(x->word, "crashed hung failed");
    t->state.done++;
    if (str_eq(x->word, "ok") && x->base / x->seconds > t->state.best) t->state.best = x->base / x->seconds;
    t->state.ceiling = t->space->ceiling * t->state.best / t->out->row.base;
    if (t->o->log) fputs(measured_print(t->a, &m), t->o->log), fflush(t->o->log);
    if (!fresh || !t->o->store) return;
    WiseTrial w = {t->space->at[point].digest, m.outcome, m.seconds, m.base};
    if (!wise_put_trial(t->o->store, &t->space->key, t->space->catalogue, &w, &why)) t->out->kept = why;
}

static double value_of(const char *word, double seconds, double base) {
    return str_among(word, "ok slow") && seconds > 0 && base > 0 ? seconds / base : INFINITY;
}

static double measure(int point, void *arg) {
    Tune *t = arg;
    tell(t, "measuring");
    const Search *s = &t->search;
    Asked one = {point, PAIRS, t->o->pair_s, .until = t->looks, .nsoon = s->nsoon, .soon = s->soon};
    Outcome x = measured(t, &one, t->limit);
    if (t->gone || str_eq(x.word, "late")) return INFINITY;
    t->out->measured++;
    note(t, point, &x, true);
    tell(t, "measuring");
    return value_of(x.word, x.seconds, x.base);
}

static bool is_over(void *arg) {
    const Tune *t = arg;
    return t->gone || (t->looks > 0 && time_now() > t->looks);
}

// ---- the whole
// ---------------------------------------------------------------------------------------------
static bool knows_space(Tune *t, Space *s, const char *text) {
    if (!s) return false;
    if (t->o->log) fputs(text, t->o->log);
    t->out->space = t->space = s;
    t->state.points = t->out->points = s->n;
    t->state.sizes = s->key.sizes;
    return true;
}

static bool plan_it(Tune *t) {
    const char *text;
    if (t->o->space) return knows_space(t, t->o->space, space_print(t->a, t->o->space));
    tell(t, "planning");
    ChildEnd end = child_run(t->a, PLAN_S, plan, t, &text);
    if (end != CHILD_DONE)
        return t->why = end == CHILD_HUNG ? "planning takes too long" : "planning failed", false;
    if (str_has_prefix(text, "no "))
        return t->why = arena_strndup(t->a, text + 3, strcspn(text + 3, "\n")), false;
    return knows_space(t, space_read(t->a, text, NULL, &t->why), text);
}

// The standard beside itself says that it runs, how long a candidate may take, and what noise is here.
static bool know_the_standard(Tune *t) {
    Asked one = {.point = -1, .pairs = PAIRS, .seconds = t->o->pair_s};
    double start = time_now();
    t->worker = (Worker){.a = t->a, .o = t->o, .space = t->space};
    Outcome x = measured(t, &one, FIRST_S);
    if (!str_eq(x.word, "ok"))
        return t->why = arena_printf(t->a, "what runs without wisdom can't be measured: %s", x.why), false;
    double took = time_now() - start, budget = t->o->budget;
    t->limit = fmax(LEAST_S, TIMES * took);
    t->looks = t->o->only_log ? t->until : t->until - fmin(END_SHARE * budget, END_TIMES * took);
    t->out->noise = fabs(x.gain - 1);
    t->out->row.seconds = t->out->row.base = x.base;
    return true;
}

static void recall(Tune *t, Search *s) {
    WiseTrialVec all = {0};
    const char *why;
    if (!t->o->store || t->o->again ||
        !wise_trials(t->o->store, t->a, &t->space->key, t->space->catalogue, &all, &why))
        return;
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < t->space->n; k++) {
            const WiseTrial *w = &all.at[i];
            if (!str_eq(t->space->at[k].digest, w->candidate) || !isnan(s->value[k])) continue;
            Outcome x = {.seconds = w->seconds, .base = w->base, .why = ""};
            snprintf(x.word, sizeof x.word, "%s", w->outcome);
            search_knows(s, k, value_of(w->outcome, w->seconds, w->base));
            note(t, k, &x, false);
            t->out->known++;
        }
}

// ---- what prices err by on this device ------------------------------------------------------------------
// Others' mean error of candidates that wait for the same, drawn to that of all where few say so.
static void correct(Tune *t) {
    WiseFactorVec all = {0};
    const char *why;
    double sum = 0, n = 0;
    Point *at = (Point *)t->space->at;
    const Space *s = t->space;
    if (!t->o->store || !wise_factors(t->o->store, t->a, &s->key, s->catalogue, &all, &why)) return;
    for (int i = 0; i < all.n; i++) sum += all.at[i].mean * all.at[i].n, n += all.at[i].n;
    for (int i = 0; i < t->space->n; i++)
        for (int f = 0; f < all.n; f++) {
            const WiseFactor *w = &all.at[f];
            if (at[i].price <= 0 || !str_eq(at[i].bound, w->bound)) continue;
            double sure = w->n / (w->n + 1 + 4 * w->spread * w->spread), mean = sum / n;
            at[i].fix = exp(mean + sure * (w->mean - mean));
            t->out->corrected++;
        }
}

static void learn(const Tune *t) {
    const MeasuredVec *all = &t->out->all;
    for (int i = 0; i < all->n; i++) {
        const char *bound = t->space->at[all->at[i].point].bound, *why;
        double sum = 0;
        int n = 0, first = -1;
        for (int k = 0; k < all->n; k++) {
            const Measured *m = &all->at[k];
            const Point *p = &t->space->at[m->point];
            bool timed = str_among(m->outcome, "ok slow") && m->seconds > 0 && p->price > 0;
            if (!timed || !str_eq(p->bound, bound)) continue;
            if (first < 0) first = k;
            sum += log(m->seconds / p->price), n++;
        }
        if (first == i && *bound)
            wise_put_factor(t->o->store, &t->space->key, t->space->catalogue, bound, sum / n, &why);
    }
}

// The quickest few, the quickest first.
static int finalists(const Search *s, int *out) {
    int n = 0;
    for (int i = 0; i < s->space->n; i++) {
        if (!isfinite(s->value[i]) || s->value[i] * WORTH > 1 || i == 0) continue;
        int at = n < FINALISTS ? n++ : s->value[i] < s->value[out[n - 1]] ? n - 1 : -1;
        if (at < 0) continue;
        for (; at > 0 && s->value[out[at - 1]] > s->value[i]; at--) out[at] = out[at - 1];
        out[at] = i;
    }
    return n;
}

bool tune_wins(const double gain[2], const double low[2], double noise) {
    for (int i = 0; i < 2; i++)
        if (!(gain[i] >= fmax(WORTH, 1 + noise) && low[i] > 1)) return false;
    return true;
}

// What the machine is at now, by the standard beside itself.
static void listen_for_noise(Tune *t) {
    Asked one = {-1, CONFIRMED_PAIRS, 2 * t->o->pair_s};
    Outcome x = measured(t, &one, 2 * t->limit);
    if (x.gain > 0) t->out->noise = fmax(t->out->noise, fabs(x.gain - 1));
}

// Judged, and measured twice more, in turns with the standard: one that does not win clearly is no winner,
// and the standard stays, which loses nothing. Where a process finds its memory makes a difference, so each
// time has one of its own.
// The judge is asked here alone: he takes longer than a measurement, and most candidates lose. Where the
// budget is spent none but the first is asked for.
static void confirm(Tune *t, const Search *s) {
    int last[FINALISTS], n = finalists(s, last);
    Wise *w = &t->out->row;
    t->out->gain = 1;
    tell(t, "confirming");
    worker_end(&t->worker); // what ran so far has no say in this
    if (n) listen_for_noise(t);
    for (int i = 0, winners = 0; i < n && winners < WINNERS; i++) {
        if (t->out->gain > 1 && 1 / s->value[last[i]] < t->out->gain) continue; // it promised less than that
        if (i && t->until > 0 && time_now() > t->until) break;
        Asked one = {last[i], CONFIRMED_PAIRS, 2 * t->o->pair_s, .judge = true};
        Outcome x = measured(t, &one, 2 * t->limit);
        t->out->refused += str_eq(x.word, "refused");
        winners += str_eq(x.word, "ok");
        if (!str_eq(x.word, "ok") || x.gain <= t->out->gain) continue;
        worker_end(&t->worker);
        one.judge = false;
        Outcome again = measured(t, &one, 2 * t->limit);
        double gain[2] = {x.gain, again.gain}, low[2] = {x.low, again.low};
        if (!str_eq(again.word, "ok") || !tune_wins(gain, low, t->out->noise)) continue;
        if (again.gain < x.gain) x = again;
        if (x.gain <= t->out->gain) continue;
        const Point *p = &t->space->at[last[i]];
        t->out->gain = x.gain;
        w->recipe = p->form, w->verdict = p->nest || t->o->hand ? "tested" : "proved";
        w->seconds = x.seconds, w->base = x.base;
    }
}

static void keep(Tune *t) {
    Wise *w = &t->out->row;
    const char *why;
    w->made = (int64_t)time(NULL);
    if (t->o->store && !wise_put(t->o->store, w, &why)) t->out->kept = why;
    if (t->o->store) learn(t);
}

bool tune_region(Arena *a, const TuneOrder *o, TuneResult *out, const char **why) {
    Tune t = {.a = a, .o = o, .out = out, .state = {.name = o->name, .sizes = "", .best = 1}};
    double start = time_now();
    *out = (TuneResult){.gain = 1};
    t.until = o->budget > 0 ? start + o->budget : 0;
    if (!plan_it(&t) || !know_the_standard(&t)) return worker_end(&t.worker), *why = t.why, false;
    out->row = (Wise){.key = t.space->key,
                      .name = t.space->name,
                      .recipe = "",
                      .verdict = "default",
                      .catalogue = t.space->catalogue,
                      .seconds = out->row.seconds,
                      .base = out->row.base};
    Search *s = &t.search;
    *s = (Search){.a = a,
                  .space = t.space,
                  .seed = o->seed,
                  .most = o->most,
                  .measure = measure,
                  .over = is_over,
                  .arg = &t};
    search_begin(s);
    search_knows(s, 0, 1);
    Outcome own = {.word = "ok", .seconds = out->row.base, .base = out->row.base};
    if (o->hand) note(&t, 0, &own, false); // a configuration like others
    recall(&t, s);
    correct(&t);
    o->tactic->run(s);
    out->ended = s->ended                                ? s->ended
                 : is_over(&t)                           ? "the budget is spent"
                 : o->most > 0 && s->measured >= o->most ? "that many were asked for"
                                                         : "all were measured";
    if (!o->only_log) confirm(&t, s);
    worker_end(&t.worker);
    if (t.gone)
        return *why = arena_printf(a, "nothing can be measured any more: %s", t.gone), false;
    keep(&t);
    out->seconds = time_now() - start;
    return true;
}

// ---- from a log
// ----------------------------------------------------------------------------------------------
typedef struct Replay {
    const double *value;
    double *best, least;
    int n;
} Replay;

static double look_up(int point, void *arg) {
    Replay *r = arg;
    double v = r->value[point];
    if (v < r->least) r->least = v;
    r->best[r->n++] = r->least;
    return v;
}

typedef struct Both {
    double price, time, rank; // rank: of the time
} Both;

static int by_time(const void *x, const void *y) {
    const Both *p = x, *q = y;
    return (p->time > q->time) - (p->time < q->time);
}

static int by_price(const void *x, const void *y) {
    const Both *p = x, *q = y;
    return (p->price > q->price) - (p->price < q->price);
}

// Equals share the mean of their ranks.
static double rank_in(const Both *at, int n, int i, int (*compare)(const void *, const void *)) {
    int lo = i, hi = i;
    while (lo > 0 && !compare(&at[lo - 1], &at[i])) lo--;
    while (hi + 1 < n && !compare(&at[hi + 1], &at[i])) hi++;
    return 0.5 * (lo + hi);
}

TuneRank tune_rank(Arena *a, const Space *s, const MeasuredVec *log) {
    Both *at = NEW_N(a, Both, log->n + 1);
    TuneRank out = {0};
    double sum = 0, x2 = 0, y2 = 0;
    for (int i = 0; i < log->n; i++) {
        double v = value_of(log->at[i].outcome, log->at[i].seconds, log->at[i].base);
        double price = s->at[log->at[i].point].price;
        if (isfinite(v) && price > 0) at[out.n++] = (Both){price, v, 0};
    }
    qsort(at, (size_t)out.n, sizeof *at, by_time);
    double best = out.n ? at[0].price : 0;
    for (int i = 0; i < out.n; i++)
        at[i].rank = rank_in(at, out.n, i, by_time), out.first += at[i].price < best;
    qsort(at, (size_t)out.n, sizeof *at, by_price);
    for (int i = 0; i < out.n; i++) out.quicker += at[i].time < at[0].time;
    for (int i = 0; i < out.n; i++) {
        double x = rank_in(at, out.n, i, by_price) - 0.5 * (out.n - 1), y = at[i].rank - 0.5 * (out.n - 1);
        sum += x * y, x2 += x * x, y2 += y * y;
    }
    out.correlation = x2 > 0 && y2 > 0 ? sum / sqrt(x2 * y2) : 0;
    return out;
}

int tune_replay(Arena *a, const Space *s, const MeasuredVec *log, const Tactic *tactic, uint64_t seed,
                int most, double *best, double *alone) {
    double *value = NEW_N(a, double, s->n + 1), least = INFINITY;
    for (int i = 0; i < s->n; i++) value[i] = INFINITY;
    for (int i = 0; i < log->n; i++) {
        const Measured *m = &log->at[i];
        double v = value_of(m->outcome, m->seconds, m->base);
        value[m->point] = v;
        if (v < least) least = v;
    }
    Replay r = {value, best, INFINITY, 0};
    Search k = {.a = a, .space = s, .seed = seed, .most = most, .measure = look_up, .arg = &r};
    search_begin(&k);
    if (*s->standard && !isfinite(value[0])) // our own logs: what all are measured beside
        search_knows(&k, 0, value[0] = r.least = 1), least = fmin(least, 1);
    int first = 0;
    for (int i = 1; i < s->n && (space_by_hand(s) || !*s->standard); i++)
        if (s->at[i].price > 0 && !(s->at[first].price <= s->at[i].price && s->at[first].price > 0))
            first = i;
    *alone = isfinite(value[first]) ? least / value[first] : 0;
    tactic->run(&k);
    for (int i = 0; i < r.n; i++) best[i] = isfinite(best[i]) ? least / best[i] : 0;
    return r.n;
}
