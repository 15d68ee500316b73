// SPDX-License-Identifier: MIT
// fault.c -- a device around another that fails when a test wants it to.
//
//     run/ ──▶ FaultDevice ──▶ the device itself
//                  │ counts calls; from the N-th on: false, and a sentence
//
// So the ways back to the original loops are tested without a broken machine.
#include "device/driver.h"
#include <stdlib.h>
#include <string.h>

typedef enum FaultAt {
    FAULT_OPEN, FAULT_ALLOC, FAULT_UPLOAD, FAULT_DOWNLOAD, FAULT_COMPILE, FAULT_LOAD,
    FAULT_LAUNCH, FAULT_SYNC, FAULT_QUEUE, FAULT_PIN, FAULT_GRAPH, FAULT_KINDS
} FaultAt;

static const char *const fault_names[FAULT_KINDS] = {"open",    "alloc", "upload", "download",
                                                     "compile", "load",  "launch", "sync",
                                                     "queue",   "pin",   "graph"};

static const char fault_list[] = "list"; // each call is told

typedef struct FaultDevice {
    Device base;
    Device *d;              // the one that does the work
    DeviceOps ops;          // of base: those of d, each behind the counter
    int from[FAULT_KINDS];  // the number of the first call that fails, from 1; 0: none does
    int calls[FAULT_KINDS]; // made so far
    bool list;              // each call is told on stderr
} FaultDevice;

// Reads "alloc:3,launch,list" into from[] and *list; a word that means nothing, or NULL.
static const char *plan_read(Arena *a, const char *plan, int from[FAULT_KINDS], bool *list) {
    memset(from, 0, FAULT_KINDS * sizeof *from);
    *list = false;
    for (const char *s = plan; s && *s;) {
        size_t n = strcspn(s, ","), len = strcspn(s, ",:");
        char *word = arena_strndup(a, s, n), *end = "";
        int at = 0;
        word[len] = 0;
        while (at < FAULT_KINDS && !str_eq(word, fault_names[at])) at++;
        bool all = at == FAULT_KINDS && n == len && str_eq(word, fault_list);
        if (all) *list = true;
        else if (at == FAULT_KINDS) return word;
        else from[at] = n == len ? 1 : (int)strtol(word + len + 1, &end, 10);
        if (*end || (!all && from[at] < 1)) return arena_strndup(a, s, n);
        s += n + (s[n] == ',');
    }
    return NULL;
}

const char *fault_open(Arena *a, const char *plan) {
    int from[FAULT_KINDS];
    bool list;
    const char *words[FAULT_KINDS + 2] = {fault_list}, *wrong = plan_read(a, plan, from, &list);
    memcpy(words + 1, fault_names, sizeof fault_names);
    if (wrong)
        return arena_printf(a, "SCULPT_FAULT=%s is not followed: '%s' is none of its words%s", plan, wrong,
                            word_meant(a, wrong, words));
    return from[FAULT_OPEN] > 0 ? "SCULPT_FAULT forbids to open a device" : NULL;
}

// Counts a call; true: it must fail.
static bool due(FaultDevice *f, FaultAt at) {
    f->calls[at]++;
    if (f->list) fprintf(stderr, "SCULPT_FAULT: %s number %d\n", fault_names[at], f->calls[at]);
    if (!f->from[at] || f->calls[at] < f->from[at]) return false;
    device_fail(&f->base, "SCULPT_FAULT: %s number %d fails", fault_names[at], f->calls[at]);
    return true;
}

// Passes a result on, with the sentence that belongs to a failure.
static bool pass(FaultDevice *f, bool ok) {
    if (!ok) memcpy(f->base.error, f->d->error, sizeof f->base.error);
    return ok;
}

// The same of a download.
static bool fetched(FaultDevice *f, bool ok) {
    f->base.fetched |= f->d->fetched;
    f->d->fetched = false;
    return pass(f, ok);
}

static FaultDevice *of(Device *d) { return (FaultDevice *)d; }

// What the device does itself; what it does unless it must fail.
#define NEXT(d, op, ...) of(d)->d->ops->op(of(d)->d, ##__VA_ARGS__)
#define MAY(d, at, ...) (!due(of(d), at) && pass(of(d), NEXT(d, __VA_ARGS__)))

static const DeviceInfo *info(Device *d) { return NEXT(d, info); }

static DevPtr alloc(Device *d, size_t bytes) {
    FaultDevice *f = of(d);
    if (due(f, FAULT_ALLOC)) return 0;
    DevPtr p = NEXT(d, alloc, bytes);
    pass(f, p != 0);
    return p;
}
static void free_(Device *d, DevPtr p) { NEXT(d, free, p); }

static bool upload(Device *d, DevPtr to, size_t offset, const void *from, size_t bytes) {
    return MAY(d, FAULT_UPLOAD, upload, to, offset, from, bytes);
}

static bool download(Device *d, void *to, DevPtr from, size_t offset, size_t bytes) {
    FaultDevice *f = of(d);
    return !due(f, FAULT_DOWNLOAD) && fetched(f, NEXT(d, download, to, from, offset, bytes));
}

static bool upload_rows(Device *d, DevPtr to, size_t offset, const void *from, size_t width,
                        size_t rows, size_t pitch) {
    return MAY(d, FAULT_UPLOAD, upload_rows, to, offset, from, width, rows, pitch);
}

static bool download_rows(Device *d, void *to, DevPtr from, size_t offset, size_t width,
                          size_t rows, size_t pitch) {
    FaultDevice *f = of(d);
    return !due(f, FAULT_DOWNLOAD) &&
           fetched(f, NEXT(d, download_rows, to, from, offset, width, rows, pitch));
}

static bool compile(Device *d, Arena *a, const char *source, void **image, size_t *size,
                    char **log) {
    FaultDevice *f = of(d);
    if (due(f, FAULT_COMPILE)) {
        if (log) *log = arena_strdup(a, d->error);
        return false;
    }
    return pass(f, NEXT(d, compile, a, source, image, size, log));
}

static Module *load(Device *d, Arena *a, const void *image, size_t size) {
    FaultDevice *f = of(d);
    if (due(f, FAULT_LOAD)) return NULL;
    Module *m = NEXT(d, load, a, image, size);
    pass(f, m != NULL);
    return m;
}

static bool launch(Device *d, const KernelCall *call) {
    return MAY(d, FAULT_LAUNCH, launch, call);
}

static bool sync_(Device *d) {
    return MAY(d, FAULT_SYNC, sync);
}

static void mark(Device *d, int which) { NEXT(d, mark, which); }
static double elapsed(Device *d) { return NEXT(d, elapsed); }
static void *pin_alloc(Device *d, size_t bytes) {
    return due(of(d), FAULT_PIN) ? NULL : NEXT(d, pin_alloc, bytes);
}
static void pin_free(Device *d, void *p) { NEXT(d, pin_free, p); }

static bool usage(Device *d, Module *m, const char *name, int threads, int64_t shared,
                  KernelUsage *out) {
    return NEXT(d, usage, m, name, threads, shared, out);
}
static bool lend(Device *d, bool (*use)(void *stream, void *arg), void *arg) {
    return NEXT(d, lend, use, arg);
}

static bool meet(Device *d, void *stream, bool ours_waits) {
    return NEXT(d, meet, stream, ours_waits);
}

static bool use(Device *d, Queue q) {
    // Back to the first queue is what everybody does who has failed.
    return (q == QUEUE_RUN || !due(of(d), FAULT_QUEUE)) && pass(of(d), NEXT(d, use, q));
}
static bool after(Device *d, Queue q, Queue other) {
    return MAY(d, FAULT_QUEUE, after, q, other);
}
static int point(Device *d, Queue q) {
    if (due(of(d), FAULT_QUEUE)) return -1;
    int at = NEXT(d, point, q);
    pass(of(d), at >= 0);
    return at;
}
static bool after_point(Device *d, Queue q, Queue other, int at) {
    return MAY(d, FAULT_QUEUE, after_point, q, other, at);
}
static bool pin(Device *d, void *p, size_t bytes) {
    return MAY(d, FAULT_PIN, pin, p, bytes);
}
static void unpin(Device *d, void *p) { NEXT(d, unpin, p); }
static Whose whose(Device *d, const void *p) { return NEXT(d, whose, p); }
static DevPtr managed(Device *d, size_t bytes) {
    return due(of(d), FAULT_ALLOC) ? 0 : NEXT(d, managed, bytes);
}
static bool record(Device *d) {
    return MAY(d, FAULT_GRAPH, record);
}
static void *recorded(Device *d) { // the recording ends in any case
    void *graph = NEXT(d, recorded);
    if (due(of(d), FAULT_GRAPH)) {
        if (graph) NEXT(d, forget, graph);
        return NULL;
    }
    pass(of(d), graph != NULL);
    return graph;
}
static bool replay(Device *d, void *graph) {
    return MAY(d, FAULT_LAUNCH, replay, graph);
}
static void forget(Device *d, void *graph) { NEXT(d, forget, graph); }
static void *chain(Device *d, int n, const KernelCall *calls) {
    if (due(of(d), FAULT_GRAPH)) return NULL;
    void *graph = NEXT(d, chain, n, calls);
    pass(of(d), graph != NULL);
    return graph;
}
static bool chain_set(Device *d, void *graph, int i, const KernelCall *call) {
    return MAY(d, FAULT_GRAPH, chain_set, graph, i, call);
}

Device *fault_wrap(Arena *a, Device *d, const char *plan) {
    if (!plan || !*plan) return d;
    FaultDevice *f = NEW(a, FaultDevice);
    f->d = d;
    f->ops = (DeviceOps){
        .kind = d->ops->kind, .count = d->ops->count, .spec = d->ops->spec, .open = d->ops->open,
        .info = info, .alloc = alloc, .free = free_, .upload = upload, .download = download,
        .upload_rows = upload_rows, .download_rows = download_rows, .compile = compile,
        .load = load, .launch = launch, .sync = sync_, .mark = mark, .elapsed = elapsed,
        .pin_alloc = d->ops->pin_alloc ? pin_alloc : NULL,
        .pin_free = d->ops->pin_free ? pin_free : NULL,
        .usage = d->ops->usage ? usage : NULL, .lend = d->ops->lend ? lend : NULL,
        .meet = d->ops->meet ? meet : NULL,
        .use = d->ops->use ? use : NULL, .after = d->ops->after ? after : NULL,
        .point = d->ops->point ? point : NULL, .after_point = d->ops->after_point ? after_point : NULL,
        .pin = d->ops->pin ? pin : NULL, .unpin = d->ops->unpin ? unpin : NULL,
        .whose = d->ops->whose ? whose : NULL,
        .managed = d->ops->managed ? managed : NULL, .record = d->ops->record ? record : NULL,
        .recorded = d->ops->recorded ? recorded : NULL, .replay = d->ops->replay ? replay : NULL,
        .forget = d->ops->forget ? forget : NULL,
        .chain = d->ops->chain ? chain : NULL, .chain_set = d->ops->chain_set ? chain_set : NULL};
    f->base.ops = &f->ops;
    plan_read(a, plan, f->from, &f->list);
    return &f->base;
}
