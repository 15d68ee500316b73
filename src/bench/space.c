// SPDX-License-Identifier: MIT
// space.c -- `bench space`: the candidates of a region at one size, all measured: a log to replay.
#include "bench/bench.h"
#include "tune/tuner.h"

int bench_space(Bench *b) {
    const char *why = "one region is needed (--source), and a file for its log (--out)";
    const char *text = b->sources.n == 1 && b->json ? b->region(b, b->sources.at[0], &why) : NULL;
    TuneResult x;
    if (!text) return fprintf(stderr, "bench: %s\n", why), 2;
    TuneOrder o = {.name = b->sources.at[0],
                   .text = text,
                   .device = b->device,
                   .nsettings = b->settings.n,
                   .settings = b->settings.at,
                   .effort = EFFORT_MEASURE,
                   .tactic = tactic_named("random"), // what time does not suffice for is missing at random
                   .budget = b->budget,
                   .seed = b->seed,
                   .pair_s = 0.1,
                   .log = b->json,
                   .only_log = true};
    bool ok = tune_region(b->a, &o, &x, &why);
    if (!ok) return fprintf(stderr, "bench: %s\n", why), 1;
    printf("%s at %s on %s: %d candidates, %d measured in %.1f s; %s\n", x.space->name, x.space->key.sizes,
           x.space->key.device, x.points, x.measured, x.seconds, x.ended);
    return 0;
}
