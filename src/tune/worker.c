// SPDX-License-Identifier: MIT
// worker.c -- a process that measures candidates one after another.
#include "tune/worker.h"
#include "ir/watch.h"
#include "tune/hand.h"
#include "tune/images.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16, LINE = 512 };
static const double KEEP = 0.6; // of the standard's speed: what is slower is not timed further

Case *worker_case(const TuneOrder *o, Arena *a, bool whole, const char **why) {
    Lab *l = lab_bare(a, o->device, why);
    if (!l) return NULL;
    CaseOptions k = {.seed = o->seed,
                     .samples = SAMPLES,
                     .nsettings = o->nsettings,
                     .settings = o->settings,
                     .poison = true};
    if (whole) return case_new(l, o->name, o->text, &k, why);
    Compile *c = compile_new();
    Case *of = NEW_AS(a, Case, (Case){.lab = l, .a = c->arena, .c = c, .name = o->name, .text = o->text});
    IrFile *f = ir_parse(c, o->name, o->text);
    if (!f) return *why = "its text can't be read", NULL;
    of->region = f->region;
    of->dep = dep_analyze(c, f->region);
    if (of->dep->gave_up) return *why = "its dependences are too many to decide", NULL;
    if (space_follows_data(f->region))
        return *why = "its loops follow data: sizes alone say little of them", NULL;
    return case_values(of, &k, a, why) ? of : NULL;
}

// ---- in the process ------------------------------------------------------------------------------------
typedef struct Stand {
    const Worker *w;
    Arena *a;
    Case *k;
    Images *images;
    Standard *standard;
    Trial base, **ready; // ready: [points], built and not measured
    HandRun *hand;
    const char *why;     // there is no standard
} Stand;

static Trial trial_of(const Stand *s, int point, bool judge) {
    const Point *p = point >= 0 ? &s->w->space->at[point] : NULL;
    const char *nest = !p ? s->w->space->standard : p->nest;
    return (Trial){.name = s->w->o->name,
                   .kind = nest ? TRIAL_NEST : TRIAL_RECIPE,
                   .text = nest ? nest : p->form,
                   .judging = judge ? JUDGE_LAST : JUDGE_NONE,
                   .as_called = true,
                   .images = s->images};
}

static void set_up(Stand *s) {
    s->k = worker_case(s->w->o, s->a, true, &s->why);
    if (!s->k) return;
    s->images = images_new(s->a);
    images_keep(s->images, cache_open(s->a, &s->why), s->k->lab->info);
    s->ready = NEW_N(s->a, Trial *, s->w->space->n + 1);
    s->base = trial_of(s, -1, false);
    trial_build(s->k, &s->base, s->k->lab->d);
    s->standard = trial_standard(s->k, &s->base);
    s->why = s->base.why;
}

// The candidate, built together with as many of those that may be next as there are processors.
static Trial *built(Stand *s, const Asked *x) {
    if (x->point >= 0 && !x->judge && s->ready[x->point]) return s->ready[x->point];
    Trial *t = NEW_N(s->a, Trial, x->nsoon + 1);
    int n = 1, point[x->nsoon + 1];
    t[0] = trial_of(s, x->point, x->judge);
    for (int i = 0; i < x->nsoon && n < s->k->lab->threads; i++)
        if (!s->ready[x->soon[i]]) point[n] = x->soon[i], t[n++] = trial_of(s, x->soon[i], false);
    if (n > 1) trials_build(s->k, n, t);
    else trial_build(s->k, t, s->k->lab->d);
    for (int i = 1; i < n; i++) s->ready[point[i]] = &t[i];
    return t;
}

// False: this process may be broken.
static bool measured(Stand *s, const Asked *x, Outcome *out) {
    Trial *t = built(s, x);
    TrialOptions o = {.pairs = x->pairs, .budget_s = x->seconds, .keep = x->point < 0 ? 0 : KEEP};
    Duel d = {0};
    const char *word = "ok";
    bool runs = t->source && !t->why;
    if (runs && x->judge && t->kind == TRIAL_RECIPE && !t->proved)
        runs = false, t->why = "the judge does not prove it", word = "refused";
    else if (!runs) word = t->source ? "failed" : "refused";
    if (runs) trial_duel(s->standard, t, &o, &d);
    if (runs && t->why) word = t->right || !str_has_prefix(t->why, "wrong") ? "failed" : "wrong";
    else if (runs && t->skipped) word = "slow";
    *out = (Outcome){.seconds = d.seconds, .base = d.base, .gain = d.gain, .low = d.low};
    strcpy(out->word, word);
    out->why = t->why ? arena_strdup(s->a, t->why) : "";
    bool sound = !runs || !t->why;
    if (x->point >= 0) s->ready[x->point] = NULL;
    trial_free(t);
    return sound;
}

// A configuration by hand, built together with those that may be next.
static bool measured_by_hand(Stand *s, const Asked *x, Outcome *out) {
    const Point *at = s->w->space->at;
    const char *form[x->nsoon + 1];
    form[0] = x->point >= 0 ? at[x->point].form : NULL;
    for (int i = 0; i < x->nsoon; i++) form[i + 1] = at[x->soon[i]].form;
    if (form[0] && x->nsoon) hand_build(s->hand, x->nsoon + 1, form);
    return hand_measure(s->hand, form[0], x, out);
}

static void answer(Stand *s, const Asked *x, FILE *out) {
    Outcome o = {.word = "gone", .why = s->why};
    bool sound = s->hand ? measured_by_hand(s, x, &o) : s->standard && measured(s, x, &o);
    const char *why = o.why && *o.why ? arena_strndup(s->a, o.why, strcspn(o.why, "\n")) : "-";
    fprintf(out, "%s %d %.9g %.9g %.9g %.9g %.400s\n", o.word, !sound, o.seconds, o.base, o.gain, o.low, why);
}

static void serve(FILE *in, FILE *out, void *arg) {
    Stand s = {.w = arg, .a = arena_new()};
    char line[LINE];
    const TuneOrder *o = s.w->o;
    s.why = "";
    if (o->hand) s.hand = hand_begin(s.a, o->hand, o->device, o->seed, &s.why);
    else set_up(&s);
    while (fgets(line, sizeof line, in)) {
        Asked x = {0};
        int judge = 0, at = 0, soon[LINE];
        sscanf(line, "%d %d %lf %d%n", &x.point, &x.pairs, &x.seconds, &judge, &at);
        x.judge = judge, x.soon = soon;
        for (char *p = line + at, *end; x.nsoon < LINE; p = end) {
            soon[x.nsoon] = (int)strtol(p, &end, 10);
            if (end == p) break;
            x.nsoon++;
        }
        answer(&s, &x, out);
        fflush(out);
    }
}

// ---- outside it ----------------------------------------------------------------------------------------
static const char *request(const Worker *w, const Asked *x) {
    Text t = text_new(w->a);
    text_printf(&t, "%d %d %.9g %d", x->point, x->pairs, x->seconds, x->judge);
    for (int i = 0; i < x->nsoon && t.n < LINE - 16; i++) text_printf(&t, " %d", x->soon[i]);
    text_put(&t, "\n");
    return text_str(&t);
}

static double time_for(const Asked *x, double limit) {
    double left = x->until > 0 ? fmax(x->until - time_now(), 0) : limit;
    return fmin(left, limit);
}

// Once; *again: another may have been the cause of what happened.
static Outcome ask(Worker *w, const Asked *x, double limit, bool *again) {
    const char *text = "";
    Outcome o = {.word = "gone", .why = "no process can be started"};
    int at = 0, broken = 1;
    *again = w->child.pid || x->nsoon;
    if (!w->child.pid && !child_start(&w->child, serve, w)) return *again = false, o;
    ChildEnd end = child_ask(&w->child, w->a, time_for(x, limit), request(w, x), &text);
    bool read = end == CHILD_DONE && sscanf(text, "%15s %d %lf %lf %lf %lf %n", o.word, &broken, &o.seconds,
                                            &o.base, &o.gain, &o.low, &at) == 6;
    if (read) {
        o.why = arena_strndup(w->a, text + at, strcspn(text + at, "\n"));
    } else {
        o = (Outcome){.why = end == CHILD_HUNG ? "it takes too long" : "its process died"};
        bool late = end == CHILD_HUNG && time_for(x, limit) <= 0;
        strcpy(o.word, late ? "late" : end == CHILD_HUNG ? "hung" : "crashed");
    }
    *again = *again && broken && !str_among(o.word, "gone late") && (x->nsoon || !str_eq(o.word, "hung"));
    if (broken) child_end(&w->child);
    return o;
}

Outcome worker_measure(Worker *w, const Asked *x, double limit) {
    bool again;
    Asked alone = *x;
    alone.nsoon = 0;
    Outcome o = ask(w, x, limit, &again);
    if (again) o = ask(w, &alone, limit, &again);
    return o;
}

void worker_end(Worker *w) { child_end(&w->child); }
