// SPDX-License-Identifier: MIT
// machine.c -- `sculpt devices --measure`, `measure machine`: the file of the machine that is here.
//
// What the driver says is put into the file of the device's family; copy, read, write and
// multiply-adds come from bench/ceilings, as do launches and the waits of a chain of loads.
#include "bench/bench.h"
#include "run/machine.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Seconds of one nest of bench/ceilings at the settings given, called so often with so many looks at a
// result; 0 after a message.
static double seconds_of_calls(Bench *b, Lab *l, const char *name, const char *settings, int calls,
                               int looks) {
    const char *nests, *why = NULL, *path = bench_file(b, "bench/ceilings/%s.nest", name),
                       *text = file_read(b->a, path, NULL);
    if (!text) return fprintf(stderr, "devices: cannot read %s\n", path), 0;
    const char *region = bench_split(b->a, text, &nests);
    SettingVec s = {0};
    settings_read(b->a, settings, &s);
    CaseOptions o = {.seed = 1, .samples = 8, .nsettings = s.n, .settings = s.at};
    Case *k = case_new(l, name, region, &o, &why);
    double seconds = 0;
    if (k) {
        Trial t = {.name = name, .kind = TRIAL_NEST, .text = nests ? nests : "", .file = path};
        TrialOptions timing = {.pairs = 9, .keep = 1, .unchecked = true, .calls = calls, .looks = looks};
        if (trial_build(k, &t, l->d) && trial_run(k, &t, &timing)) seconds = t.median_s;
        else why = arena_strdup(b->a, t.why ? t.why : "?");
        trial_free(&t);
    }
    case_free(k);
    if (why) fprintf(stderr, "devices: %s: %s\n", name, why);
    return seconds;
}

static double seconds_of(Bench *b, Lab *l, const char *name, const char *settings) {
    return seconds_of_calls(b, l, name, settings, 1, 0);
}

// Cycles from load to load in so many words.
static double latency(Bench *b, Lab *l, const Machine *m, int64_t words, int64_t stride) {
    enum { SHORT = 1024, LONG = 65536 + 1024 };
    double t[2];
    for (int k = 0; k < 2; k++) {
        t[k] = seconds_of(b, l, "latency",
                          arena_printf(b->a, "n=%lld s=%lld reps=%d", (long long)words, (long long)stride,
                                       k ? LONG : SHORT));
        if (t[k] <= 0) return 0;
    }
    return (t[1] - t[0]) / (LONG - SHORT) * m->clock * 1e6;
}

// Cycles of one more round of a nest of bench/ceilings whose only size is their number.
static double each(Bench *b, Lab *l, const Machine *m, const char *name) {
    enum { SHORT = 1024, LONG = 65536 + 1024 };
    const char *size = str_eq(name, "blocks") ? "n" : "reps";
    const char *also = str_eq(name, "chain") ? " q=0.5 s=0.25" : "";
    double less = seconds_of(b, l, name, arena_printf(b->a, "%s=%d%s", size, SHORT, also)),
           more = seconds_of(b, l, name, arena_printf(b->a, "%s=%d%s", size, LONG, also));
    return less > 0 && more > less ? (more - less) / (LONG - SHORT) * m->clock * 1e6 : 0;
}

// Microseconds of a launch: behind others, replayed, waited for, its result read.
static void launches(Bench *b, Lab *l, Machine *m) {
    enum { LAUNCHES = 257, CALLS = 64 }; // a graph is replayed behind a first launch, 64 at a time
    double launch = seconds_of(b, l, "launch", arena_printf(b->a, "n=32 steps=%d", LAUNCHES));
    if (launch > 0) m->launch = 1e6 * launch / LAUNCHES;
    if (l->info->host_memory) return; // nothing is sent, nothing fetched
    double graph = seconds_of(b, l, "replay", arena_printf(b->a, "n=32 steps=%d", LAUNCHES));
    double wait = seconds_of_calls(b, l, "launch", "n=32 steps=1", CALLS, -1),
           read = seconds_of_calls(b, l, "launch", "n=32 steps=1", CALLS, 1);
    if (graph > 0) m->launch_graph = 1e6 * graph / LAUNCHES;
    if (wait > 0) m->launch_wait = 1e6 * wait / CALLS;
    if (read > 0) m->read_back = 1e6 * read / CALLS;
}

static void measure(Bench *b, Lab *l, Machine *m) {
    const Ceilings *c = bench_ceilings(b, false);
    bool gpu = str_eq(l->info->target, "gpu") && l->info->warp > 1;
    m->fma = c->fma > 0 ? c->fma : m->fma;
    m->copy = c->copy > 0 ? c->copy : m->copy;
    m->read = c->read > 0 ? c->read : m->read;
    m->write = c->write > 0 ? c->write : m->write;
    launches(b, l, m);
    if (!gpu || m->clock <= 0) return;
    double fma = each(b, l, m, "chain"), shared = each(b, l, m, "shared"), root = each(b, l, m, "root");
    double round = each(b, l, m, "barrier"), block = each(b, l, m, "blocks");
    enum { ROOT_INSTRUCTIONS = 9 }; // and the addition between two of them
    if (fma > 0) m->latency_fma = fma;
    if (shared > 0) m->latency_shared = shared;
    if (root > 0 && fma > 0) m->latency_special = root - ROOT_INSTRUCTIONS * fma;
    if (round > 0 && shared > 0 && round / 2 > shared) m->barrier = round / 2 - shared;
    if (block > 0) m->block_rate = 1 / block;
    double l1 = latency(b, l, m, 4096, 33),
           l2 = m->l2 ? latency(b, l, m, m->l2 / 8 / 4 / 256 * 256, 4129) : 0;
    double dram = latency(b, l, m, (m->l2 ? m->l2 : 1 << 24) * 4 / 256 * 256, 1048579);
    if (l1 > 0) m->latency_l1 = l1;
    if (l2 > 0) m->latency_l2 = l2;
    if (dram > 0) m->latency_dram = dram;
}

int bench_machine(Bench *b) {
    Lab *l = bench_lab(b, false);
    if (!l) return 1;
    MachineSeen seen = machine_seen(l->info);
    MachineSeen bare = {.name = seen.name, .kind = seen.kind, .compute = seen.compute, .warp = seen.warp};
    Machine *from = machine_of(b->a, &bare), *m = machine_of(b->a, &seen);
    char day[16] = "";
    time_t now = time(NULL);
    struct tm tm;
    if (localtime_r(&now, &tm)) strftime(day, sizeof day, "%Y-%m-%d", &tm);
    if (m) measure(b, l, m);
    if (m)
        fputs(machine_print(b->a, m, from,
                            arena_printf(b->a, "measured here or said by its driver, %s", day)),
              stdout);
    return !m || b->failed;
}
