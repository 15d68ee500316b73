// SPDX-License-Identifier: MIT
// bench_notes.c -- `sculpt bench notes`: the lecture notes' topics, each slow and cured, predicted and
// measured.
//
// bench/notes/NAME.nest holds a region, its nests, and lines
//   //topic TITLE
//   //row NAME; nest K; n=4096 s=1        the K-th nest at these sizes
//   //row NAME; nest K; n=64; calls 64 looks 1
//                                         called so often, the host waits for a value behind every one
// `work` is the part of the inner loop's instructions that is arithmetic, by the model.
#include "driver/bench.h"
#include "model/findings.h"
#include "run/machine.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct NoteRow {
    const char *name, *settings;
    int nest, calls, looks;
} NoteRow;
typedef struct Note {
    const char *file, *topic, *region;
    Texts nests;                  // as text, each alone
    VEC(NoteRow) rows;
} Note;

// ---- reading ---------------------------------------------------------------------------------------
static const char *word_after(Arena *a, const char *line, const char *head, size_t n) {
    size_t skip = strlen(head);
    return n >= skip && !strncmp(line, head, skip) ? arena_strndup(a, line + skip, n - skip) : NULL;
}

static bool read_row(Arena *a, Note *n, char *text) {
    char *nest = strstr(text, "; nest "), *end = "";
    if (!nest) return false;
    *nest = 0;
    NoteRow r = {.name = text, .nest = (int)strtol(nest + 7, &end, 10)};
    if (*end != ';') return false;
    char *settings = end + 1, *calls = strchr(settings, ';');
    if (calls && sscanf(calls + 1, " calls %d looks %d", &r.calls, &r.looks) != 2) return false;
    if (calls) *calls = 0;
    r.settings = settings;
    vec_push(a, &n->rows, r);
    return true;
}

// "nest …" blocks one by one.
static void split_nests(Arena *a, const char *text, Texts *out) {
    while (text && *text) {
        const char *next = strstr(text + 1, "\nnest ");
        vec_push(a, out, next ? arena_strndup(a, text, (size_t)(next + 1 - text)) : text);
        text = next ? next + 1 : NULL;
    }
}

static const char *read_note(Bench *b, const char *path, Note *n) {
    const char *text = file_read(b->a, path, NULL), *nests = NULL;
    if (!text) return arena_printf(b->a, "cannot read %s", path);
    *n = (Note){.file = path, .topic = path};
    for (const char *line = text; *line;) {
        size_t len = strcspn(line, "\n");
        const char *topic = word_after(b->a, line, "//topic ", len), *row = word_after(b->a, line, "//row ", len);
        if (topic) n->topic = topic;
        if (row && !read_row(b->a, n, (char *)row)) return arena_printf(b->a, "%s: '%s' is no row", path, row);
        line += len + (line[len] == '\n');
    }
    n->region = bench_split(b->a, text, &nests);
    split_nests(b->a, nests, &n->nests);
    for (int i = 0; i < n->rows.n; i++)
        if (n->rows.at[i].nest < 0 || n->rows.at[i].nest >= n->nests.n) return arena_printf(b->a, "%s: there is no nest %d", path, n->rows.at[i].nest);
    return n->region ? NULL : arena_printf(b->a, "%s: it has no region", path);
}

// ---- one row ---------------------------------------------------------------------------------------
// What the model says of a row; registers as the device's compiler gave them.
static NestCost *predict(Arena *a, const Case *k, const char *nest, const NoteRow *r, const Trial *t, const Machine *m, Findings *out) {
    Compile *c = compile_new();
    arena_own(a, c, (void (*)(void *))compile_free);
    IrFile *f = ir_parse(c, k->name, arena_printf(c->arena, "%s%s", k->text, nest));
    if (!f || !f->nnests) return NULL;
    InterpVal *vals = NEW_N(c->arena, InterpVal, k->nvals + 1);
    for (int i = 0; i < k->nvals; i++) { // the same parameters, of another reading
        vals[i] = k->vals[i];
        for (int j = 0; j < f->region->nparams; j++)
            if (str_eq(f->region->params[j]->name, k->vals[i].sym->name)) vals[i].sym = f->region->params[j];
    }
    NestCost *n = model_nest(c->arena, f->nests[0], k->nvals, vals, m);
    if (r->calls > 0) model_calls(n, r->calls, r->looks, m);
    n->seconds = n->read_backs * model_wait(m);
    for (int i = 0; i < n->nkernels; i++) {
        int64_t registers = 0;
        for (int j = 0; j < t->nkernels; j++)
            if (str_eq(t->kernels[j].name, n->kernels[i]->name)) registers = t->kernels[j].usage.registers;
        n->times[i] = model_time(n->kernels[i], m, registers, NULL);
        n->seconds += n->times[i].all;
    }
    *out = model_findings(c->arena, f->nests[0], n, m);
    return n;
}

// Of the instructions in the inner loop that costs most; < 0: there is no loop.
static double work_of(const NestCost *n) {
    const KernelCost *most = NULL;
    for (int i = 0; n && i < n->nkernels; i++)
        if (n->kernels[i]->inner_loop && (!most || mix_total(&n->kernels[i]->inner) > mix_total(&most->inner))) most = n->kernels[i];
    double all = most ? mix_total(&most->inner) : 0;
    return all > 0 ? (most->inner.fp32 + most->inner.fp64 + most->inner.special) / all : -1;
}

static void put_row(Bench *b, const Note *n, const NoteRow *r, const Case *k, const Trial *t, const NestCost *cost, const Findings *f) {
    Text j = json_open(b->a);
    const char *first = f->n ? f->at[0].text : NULL;
    json_text(&j, "kind", "note");
    json_text(&j, "device", k->lab->info->name);
    json_text(&j, "topic", n->topic);
    json_text(&j, "row", r->name);
    json_number(&j, "predicted_s", cost ? cost->seconds : -1);
    json_number(&j, "measured_s", t->why ? -1 : t->median_s);
    json_bool(&j, "assumed", cost && cost->assumed);
    if (work_of(cost) >= 0) json_number(&j, "work", work_of(cost));
    json_text(&j, "finding", first);
    json_text(&j, "why", t->why);
    json_close(b, &j);
    if (str_eq(b->out, "-")) return;
    if (t->why) return (void)printf("  %-44s %s\n", r->name, t->why);
    const char *work = work_of(cost) >= 0 ? arena_printf(b->a, "%3.0f %%", 100 * work_of(cost)) : "";
    const char *ratio = cost && t->median_s > 0 ? arena_printf(b->a, "%.2f%s", cost->seconds / t->median_s, cost->assumed ? "?" : "") : "";
    printf("  %-48s %10.2f %10.2f %6s %5s%s%s\n", r->name, cost ? 1e6 * cost->seconds : 0, 1e6 * t->median_s, ratio, work, k->unsampled ? "  (not compared)" : "", f->n ? arena_printf(b->a, "  %s", finding_name(f->at[0].kind)) : "");
    fflush(stdout);
}

static void run_row(Bench *b, Lab *l, const Note *n, const NoteRow *r, const Machine *m, double errors[], int *nerrors) {
    const char *why = NULL, *nest = n->nests.at[r->nest];
    Settings_ s = {0};
    settings_read(b->a, r->settings, &s);
    for (int i = 0; i < b->settings.n; i++) vec_push(b->a, &s, b->settings.at[i]);
    CaseOptions o = {.seed = b->seed ? b->seed : 1, .samples = 64, .nsettings = s.n, .settings = s.at};
    Case *k = case_new(l, n->file, n->region, &o, &why);
    if (!k) return (void)(fprintf(stderr, "bench: %s: %s: %s\n", n->file, r->name, why), b->failed++);
    Trial t = {.name = r->name, .kind = TRIAL_NEST, .text = nest, .file = n->file, .reassociate = true};
    TrialOptions timing = {.pairs = 11, .keep = 1, .calls = r->calls, .looks = r->looks, .unchecked = true};
    if (!trial_build(k, &t, l->d) || !trial_run(k, &t, &timing)) b->failed++;
    Findings f = {0};
    NestCost *cost = predict(b->a, k, nest, r, &t, m, &f);
    put_row(b, n, r, k, &t, cost, &f);
    if (cost && !cost->assumed && !t.why && t.median_s > 0) errors[(*nerrors)++] = fabs(cost->seconds / t.median_s - 1);
    trial_free(&t);
    case_free(k);
}

// ---- all ----------------------------------------------------------------------------------------------
static int by_name(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static void find_notes(Bench *b, Texts *out) {
    DIR *d = opendir(bench_file(b, "bench/notes"));
    for (struct dirent *e; d && (e = readdir(d));)
        if (str_has_suffix(e->d_name, ".nest")) vec_push(b->a, out, arena_strdup(b->a, e->d_name));
    if (d) closedir(d);
    if (out->n) qsort(out->at, (size_t)out->n, sizeof *out->at, by_name);
}

int bench_notes(Bench *b) {
    Lab *l = bench_lab(b, false);
    if (!l) return 1;
    Texts files = {0};
    find_notes(b, &files);
    const DeviceInfo *i = l->info;
    MachineSeen seen = machine_seen(i);
    const char *name = getenv("SCULPT_MACHINE"), *unknown = NULL;
    Machine *m = name && *name ? machine_find(b->a, name, &unknown) : machine_of(b->a, &seen);
    if (!m) return fprintf(stderr, "bench: %s\n", unknown ? unknown : "nothing is known of this machine"), 1;
    double errors[512];
    int nerrors = 0;
    for (int f = 0; f < files.n; f++) {
        Note n;
        const char *why = read_note(b, bench_file(b, "bench/notes/%s", files.at[f]), &n);
        if (why) fprintf(stderr, "bench: %s\n", why), b->failed++;
        if (why || (b->only && !strstr(n.topic, b->only) && !strstr(files.at[f], b->only))) continue;
        if (!str_eq(b->out, "-")) printf("\n%s\n  %-48s %10s %10s %6s %5s\n", n.topic, "", "predicted", "measured", "ratio", "work");
        for (int r = 0; r < n.rows.n && nerrors < 512 && !bench_is_late(b); r++) run_row(b, l, &n, &n.rows.at[r], m, errors, &nerrors);
    }
    if (nerrors && !str_eq(b->out, "-")) printf("\n%d rows in microseconds on %s; the predictions err by %.0f %% in the median\n", nerrors, i->name, 100 * median(nerrors, errors));
    return b->failed > 0 || !files.n;
}
