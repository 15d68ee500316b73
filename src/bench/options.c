// SPDX-License-Identifier: MIT
// options.c -- the command line of `sculpt bench` and bench/measure.
#include "bench/bench.h"
#include <stdlib.h>
#include <string.h>

// Options with a value, and where it goes.
typedef struct Option {
    const char *name;
    const char **text;
    int *number;
    double *real;
    Texts *list;
} Option;

static bool take(Bench *b, const Option *o, const char *value) {
    char *end = "";
    if (o->text) *o->text = value;
    if (o->number) *o->number = (int)strtol(value, &end, 10);
    if (o->real) *o->real = strtod(value, &end);
    if (o->list) vec_push(b->a, o->list, value);
    return !*end;
}

static const char *flag(Bench *b, const char *word) {
    if (str_eq(word, "--automatic")) b->automatic = true;
    else if (str_eq(word, "--shapes")) b->shapes = true;
    else if (str_eq(word, "--host-to-host")) b->host_to_host = true;
    else if (str_eq(word, "--pageable")) b->host = HOST_PAGEABLE;
    else if (str_eq(word, "--again")) b->again = true;
    else if (str_eq(word, "--quiet")) b->quiet = true;
    else if (str_eq(word, "--json")) b->out = "-";
    else return arena_printf(b->a, "there is no option %s", word);
    return NULL;
}

static const char *finish(Bench *b, const char *judge, const Texts *permits, const Texts *sets,
                          const char *seed) {
    for (int i = 0; i < permits->n; i++) {
        if (str_eq(permits->at[i], "reassociate")) b->reassociate = true;
        else if (str_eq(permits->at[i], "fast-math")) b->fast_math = true;
        else if (str_eq(permits->at[i], "approximate")) b->approximate = true;
        else return "--permit takes reassociate, approximate or fast-math";
    }
    for (int i = 0; i < sets->n; i++)
        if (!settings_read(b->a, sets->at[i], &b->settings)) return "--set takes NAME=VALUE";
    if (judge && !str_eq(judge, "each") && !str_eq(judge, "last") && !str_eq(judge, "none"))
        return "--judge takes each, last or none";
    b->judging = !judge || str_eq(judge, "last") ? JUDGE_LAST
                 : str_eq(judge, "each")         ? JUDGE_EACH
                                                 : JUDGE_NONE;
    b->seed = seed ? strtoull(seed, NULL, 10) : 1;
    if (b->pairs < 1 || b->pairs > 400) return "--pairs takes 1 to 400";
    if (b->target && !str_eq(b->target, "gpu") && !str_eq(b->target, "cpu"))
        return "--target takes gpu or cpu";
    if (!b->verb) return "what is to be measured?";
    return NULL;
}

const char *bench_options(Bench *b, int argc, char **argv) {
    const char *judge = NULL, *seed = NULL;
    Texts permits = {0}, sets = {0}, sizes = {0}, sources = {0};
    b->start = time_now();
    b->pairs = 0, b->samples = 2000, b->keep_ratio = 0.8, b->regret = 0.005, b->root = ".";
    const Option options[] = {
        {"--device", .text = &b->device}, {"-n", .list = &sizes}, {"--source", .list = &sources},
        {"--recipe", .list = &b->recipes}, {"--variants", .text = &b->variants}, {"--set", .list = &sets},
        {"--permit", .list = &permits}, {"--judge", .text = &judge}, {"--only", .text = &b->only},
        {"--target", .text = &b->target}, {"--from", .list = &b->from}, {"--against", .text = &b->against},
        {"--pairs", .number = &b->pairs}, {"--budget", .real = &b->budget},
        {"--keep-ratio", .real = &b->keep_ratio},
        {"--regret", .real = &b->regret},
        {"--samples", .number = &b->samples}, {"--seed", .text = &seed}, {"--out", .text = &b->out},
        {"--limit", .real = &b->limit}, {"--resume", .text = &b->resume}, {"--keep", .text = &b->keep},
        {"--root", .text = &b->root}, {"--regions", .text = &b->regions}};
    for (int i = 0; i < argc; i++) {
        const Option *o = NULL;
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if (str_eq(options[k].name, argv[i])) o = &options[k];
        if (o) {
            if (i + 1 == argc || !take(b, o, argv[++i]))
                return arena_printf(b->a, "%s needs another value", o->name);
        } else if (argv[i][0] == '-') {
            const char *why = flag(b, argv[i]);
            if (why) return why;
        } else if (!b->verb) {
            b->verb = argv[i];
        } else {
            vec_push(b->a, &b->words, argv[i]);
        }
    }
    for (int i = 0; i < sizes.n; i++) bench_sizes(b->a, sizes.at[i], &b->sizes);
    for (int i = 0; i < sources.n; i++) bench_sizes(b->a, sources.at[i], &b->sources);
    if (!b->pairs) b->pairs = str_eq(b->verb, "sgemm") || str_eq(b->verb, "try") ? 20 : 7;
    return finish(b, judge, &permits, &sets, seed);
}

// ---- sizes ---------------------------------------------------------------------------------------
void bench_sizes(Arena *a, const char *text, Texts *out) {
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, ",");
        const char *part = arena_strndup(a, s, n), *dots = strstr(part, "..");
        long lo = dots ? strtol(part, NULL, 10) : 0, hi = dots ? strtol(dots + 2, NULL, 10) : 0;
        if (!dots && n) vec_push(a, out, part);
        for (long v = lo; dots && v <= hi; v++) vec_push(a, out, arena_printf(a, "%ld", v));
        s += n + (s[n] == ',');
    }
}

bool bench_size(Arena *a, const char *size, SettingVec *out) {
    long v[3];
    char *end;
    v[0] = v[1] = v[2] = strtol(size, &end, 10);
    for (int i = 1; i < 3 && *end == 'x'; i++) v[i] = strtol(end + 1, &end, 10);
    if (*end || end == size) return false;
    return settings_read(a, arena_printf(a, "n=%ld m=%ld p=%ld rows=n columns=m inner=p", v[0], v[1], v[2]),
                         out);
}
