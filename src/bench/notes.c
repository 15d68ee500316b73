// SPDX-License-Identifier: MIT
// notes.c -- `sculpt bench notes`: the lecture notes' topics, each slow and cured, predicted and
// measured; or predicted beside times that were measured and kept, on a machine without the device.
//
// `work` is the part of the inner loop's instructions that is arithmetic, by the model.
#include "bench/notes.h"
#include "run/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Session {
    Bench *b;
    Lab *lab;                // NULL: kept times
    const Machine *m;        // of kept times: the last row's
    const char *date;
    NoteTimes kept;
    int changed;             // kept rows of nests that are others now
    NoteTally tally;
} Session;

// ---- one row ---------------------------------------------------------------------------------------
static void settings_of(Bench *b, const NoteRow *r, SettingVec *s) {
    settings_read(b->a, r->settings, s);
    for (int i = 0; i < b->settings.n; i++) vec_push(b->a, s, b->settings.at[i]);
}

static void put(Session *x, const Note *n, const NoteRow *r, const SettingVec *s, const NoteTime *t,
                const char *remark) {
    NoteCost cost = note_predict(x->b, n, r, s, t, x->m);
    note_put(x->b, n, r, t, &cost, remark);
    note_count(&x->tally, n, t, &cost);
}

static void measure_row(Session *x, const Note *n, const NoteRow *r) {
    Bench *b = x->b;
    const char *why = NULL;
    SettingVec s = {0};
    settings_of(b, r, &s);
    CaseOptions o = {.seed = b->seed ? b->seed : 1, .samples = 64, .nsettings = s.n, .settings = s.at};
    Case *k = case_new(x->lab, n->file, n->region, &o, &why);
    if (!k) return (void)(fprintf(stderr, "bench: %s: %s: %s\n", n->file, r->name, why), b->failed++);
    Trial t = {.name = r->name,
               .kind = TRIAL_NEST,
               .text = n->nests.at[r->nest],
               .file = n->file,
               .reassociate = true};
    TrialOptions timing = {.pairs = 11, .keep = 1, .calls = r->calls, .looks = r->looks, .unchecked = true};
    if (!trial_build(k, &t, x->lab->d) || !trial_run(k, &t, &timing)) b->failed++;
    NoteTime time = {.device = x->lab->info->name,
                     .date = x->date,
                     .text = note_text(b->a, n, r),
                     .seconds = t.why ? -1 : t.median_s,
                     .why = t.why};
    for (int i = 0; i < t.nkernels; i++)
        if (t.kernels[i].usage.registers)
            vec_push(b->a, &time.kernels,
                     ((NoteKernel){t.kernels[i].name, (int)t.kernels[i].usage.registers}));
    put(x, n, r, &s, &time, k->unsampled ? "  (not compared)" : "");
    trial_free(&t);
    case_free(k);
}

// A row that was measured before, at another time and on another machine than this.
static void against_row(Session *x, const Note *n, const NoteRow *r) {
    Bench *b = x->b;
    const NoteTime *kept = NULL;
    const char *why = NULL, *text = note_text(b->a, n, r);
    for (int i = 0; i < x->kept.n; i++)
        if (str_eq(x->kept.at[i].topic, n->topic) && str_eq(x->kept.at[i].row, r->name))
            kept = &x->kept.at[i];
    if (!kept || (kept->text && !str_eq(kept->text, text))) {
        x->changed += kept != NULL;
        if (!str_eq(b->out, "-"))
            printf("  %-48s %s\n", r->name,
                   kept ? "is another than the one that was measured" : "was not measured");
        return;
    }
    NoteTime t = *kept;
    SettingVec s = {0};
    t.text = text;
    if (!x->m || !str_eq(x->m->name, t.device)) x->m = t.device ? machine_find(b->a, t.device, &why) : NULL;
    if (!x->m)
        return (void)(fprintf(stderr, "bench: %s: %s\n", r->name,
                              why ? why : "nobody says where it was measured"),
                      b->failed++);
    settings_of(b, r, &s);
    if (!t.kernels.n) note_compile(b, n, r, x->m, &t);
    put(x, n, r, &s, &t, "");
}

// ---- all ----------------------------------------------------------------------------------------------
static bool begin(Session *x) {
    Bench *b = x->b;
    if (b->against) {
        if (!b->kept_notes)
            return fprintf(stderr, "bench: kept results are read by sculpt, not here\n"), false;
        return b->kept_notes(b, &x->kept);
    }
    char day[16];
    x->lab = bench_lab(b, false);
    if (!x->lab) return false;
    MachineSeen seen = machine_seen(x->lab->info);
    const char *name = env_get("SCULPT_MACHINE"), *unknown = NULL;
    time_t now = time(NULL);
    struct tm tm;
    x->m = name && *name ? machine_find(b->a, name, &unknown) : machine_of(b->a, &seen);
    if (localtime_r(&now, &tm) && strftime(day, sizeof day, "%Y-%m-%d", &tm))
        x->date = arena_strdup(b->a, day);
    return x->m ||
           (fprintf(stderr, "bench: %s\n", unknown ? unknown : "nothing is known of this machine"), false);
}

static const char *place(const Session *x) {
    const NoteTime *t = x->kept.n ? &x->kept.at[0] : NULL;
    if (!t) return arena_printf(x->b->a, "on %s", x->lab->info->name);
    return arena_printf(x->b->a, "measured on %s on %s, and kept", t->device,
                        t->date ? t->date : "a day that nobody wrote down");
}

// The rows together, and against kept times the bars. False: one is missed.
static bool finish(const Session *x) {
    NoteSummary s = note_summary(x->b->a, &x->tally);
    bool all = !x->b->only, median_held = s.error <= NOTE_MEDIAN, rank_held = s.rank >= NOTE_RANK;
    if (!s.rows) return !x->b->against;
    if (!str_eq(x->b->out, "-")) {
        printf("\n%d rows in microseconds, %s; the predictions err by %.1f %% in the median", s.rows,
               place(x), 100 * s.error);
        if (s.assumed) printf(" (%.1f %% with the %d of which data decide)", 100 * s.error_all, s.assumed);
        printf(";\nrank correlation %.3f; %d of %d pairs of a topic in order\n", s.rank, s.in_order, s.pairs);
    }
    if (!x->b->against || !all) return true;
    if (!median_held) fprintf(stderr, "bench: the median error is above %.0f %%\n", 100 * NOTE_MEDIAN);
    if (!rank_held) fprintf(stderr, "bench: the rank correlation is below %.1f\n", NOTE_RANK);
    if (x->changed) fprintf(stderr, "bench: %d rows are others than those that were measured\n", x->changed);
    return median_held && rank_held && !x->changed;
}

int bench_notes(Bench *b) {
    Session *x = NEW(b->a, Session);
    Texts files = {0};
    x->b = b;
    if (!begin(x)) return 1;
    notes_find(b, &files);
    for (int f = 0; f < files.n; f++) {
        Note n;
        const char *why = note_read(b, bench_file(b, "bench/notes/%s", files.at[f]), &n);
        if (why) fprintf(stderr, "bench: %s\n", why), b->failed++;
        if (why || (b->only && !strstr(n.topic, b->only) && !strstr(files.at[f], b->only))) continue;
        if (!str_eq(b->out, "-"))
            printf("\n%s\n  %-48s %10s %10s %6s %5s\n", n.topic, "", "predicted", "measured", "ratio",
                   "work");
        for (int r = 0; r < n.rows.n && !bench_is_late(b); r++)
            (x->lab ? measure_row : against_row)(x, &n, &n.rows.at[r]);
    }
    return !finish(x) || b->failed > 0 || !files.n;
}
