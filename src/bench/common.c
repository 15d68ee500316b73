// SPDX-License-Identifier: MIT
// common.c -- devices, cases, ceilings: what every measuring verb needs.
#include "bench/bench.h"
#include "tune/vendor.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bench_say(const Bench *b, const char *fmt, ...) {
    if (b->quiet) return;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

const char *bench_file(Bench *b, const char *fmt, ...) {
    va_list ap;
    Text t = text_new(b->a);
    text_printf(&t, "%s/", b->root);
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    return text_str(&t);
}

double bench_rate(double work, double seconds) { return work > 0 && seconds > 0 ? work / seconds * 1e-9 : 0; }

bool bench_is_late(const Bench *b) { return b->limit > 0 && time_now() - b->start > b->limit; }

void bench_restart(Bench *b, const char *resume) {
    enum { WORDS = 256 };
    char *words[WORDS + 4], *line = NULL;
    size_t size = 0;
    int n = 0;
    FILE *f = fopen("/proc/self/cmdline", "r");
    for (bool skip = false; f && n < WORDS && getdelim(&line, &size, 0, f) > 0;) {
        bool option = str_eq(line, "--resume") || str_eq(line, "--limit");
        if (!skip && !option) words[n++] = arena_strdup(b->a, line);
        skip = option;
    }
    free(line);
    if (f) fclose(f);
    words[n++] = "--resume";
    words[n++] = arena_strdup(b->a, resume);
    if (b->limit > 0) {
        words[n++] = "--limit";
        words[n++] =
            arena_printf(b->a, "%.1f",
                         b->limit > time_now() - b->start ? b->limit - (time_now() - b->start) : 0.001);
    }
    words[n] = NULL;
    fflush(NULL);
    execv("/proc/self/exe", words);
}

Lab *bench_lab(Bench *b, bool cpu) {
    Lab **l = cpu ? &b->cpu : &b->lab;
    const char *why = "";
    if (*l) return *l;
    if (cpu && b->lab && b->lab->info->host_memory) {
        b->cpu_images = b->images;
        return *l = b->lab;
    }
    *l = lab_open(b->a, cpu ? "cpu" : b->device, &why);
    if (!*l) {
        fprintf(stderr, "bench: no device: %s\n", why);
        return NULL;
    }
    *(cpu ? &b->cpu_images : &b->images) = images_new(b->a);
    const DeviceInfo *i = (*l)->info;
    bench_say(b, "device %s: %s, %s; library: %s", i->spec, i->name, i->driver,
              (*l)->vendor ? vendor_name((*l)->vendor) : (*l)->no_vendor);
    return *l;
}

const char *bench_split(Arena *a, const char *text, const char **nests) {
    const char *s = strstr(text, "\nnest ");
    *nests = s ? s + 1 : NULL;
    return s ? arena_strndup(a, text, (size_t)(s + 1 - text)) : text;
}

Case *bench_case(Bench *b, Lab *l, const char *source, const char *size, const SettingVec *more,
                 const char **why) {
    const char *nests, *text = b->region(b, source, why);
    if (!text) return NULL;
    text = bench_split(b->a, text, &nests);
    SettingVec s = {0};
    if (size && !bench_size(b->a, size, &s)) return *why = arena_printf(b->a, "%s is no size", size), NULL;
    for (int i = 0; more && i < more->n; i++) vec_push(b->a, &s, more->at[i]);
    for (int i = 0; i < b->settings.n; i++) vec_push(b->a, &s, b->settings.at[i]);
    CaseOptions o = {
        .seed = b->seed, .samples = b->samples, .vendor = true, .nsettings = s.n, .settings = s.at};
    return case_new(l, source, text, &o, why);
}

TrialOptions bench_timing(const Bench *b) {
    return (TrialOptions){.pairs = b->pairs,
                          .budget_s = b->budget,
                          .keep = b->keep_ratio,
                          .host_to_host = b->host_to_host,
                          .host = b->host};
}

static void keep(Bench *b, const char *name, const char *end, const void *bytes, size_t n) {
    char *path = arena_printf(b->a, "%s/%s.%s", b->keep, name, end);
    for (char *s = path + strlen(b->keep) + 1; *s; s++)
        if (strchr("/ ,:", *s)) *s = '_';
    if (!file_write(path, bytes, n)) fprintf(stderr, "bench: cannot write %s\n", path);
}

void bench_keep(Bench *b, const Trial *t) {
    if (!b->keep || t->kind == TRIAL_VENDOR) return;
    if (t->nest) keep(b, t->name, "nest", t->nest, strlen(t->nest));
    if (t->source) keep(b, t->name, "kernel", t->source, strlen(t->source));
    if (t->image) keep(b, t->name, "image", t->image, t->image_size);
}

// ---- ceilings --------------------------------------------------------------------------------------
typedef struct Ceiling {
    const char *name, *gpu, *cpu;   // settings over sms
    bool flops;
    double per;                     // operations or bytes for each of n (times reps or m)
    const char *times;              // the second factor's name; NULL: none
} Ceiling;

static const Ceiling ceilings[] = {
    {"fma", "n=sms*32768 reps=8192 q=0.5 s=0.25", "n=sms*4096 reps=65536 q=0.5 s=0.25", true, 2, "reps"},
    {"copy", "n=sms*1048576", "n=sms*16777216", false, 8, NULL},
    {"read", "n=sms*8192 m=512", "n=sms*8192 m=1024", false, 4, "m"},
    {"write", "n=sms*2097152 s=0.5", "n=sms*16777216 s=0.5", false, 4, NULL},
};

static double measure(Bench *b, Lab *l, const Ceiling *c, const char **why) {
    const char *nests, *path = bench_file(b, "bench/ceilings/%s.nest", c->name);
    const char *file = file_read(b->a, path, NULL);
    if (!file) return *why = arena_printf(b->a, "cannot read %s", path), 0;
    const char *region = bench_split(b->a, file, &nests);
    // A GPU's sizes are much for OpenCL on a processor.
    bool small = l->info->host_memory || l->info->sms < 8;
    SettingVec s = {0};
    settings_read(b->a, arena_printf(b->a, "sms=%d %s", l->info->sms, small ? c->cpu : c->gpu), &s);
    if (small && !l->info->host_memory) settings_read(b->a, "reps=512 m=128", &s);
    if (small && !l->info->host_memory && !c->times) settings_read(b->a, "n=sms*1048576", &s);
    CaseOptions o = {.seed = 1, .samples = 32, .nsettings = s.n, .settings = s.at};
    Case *k = case_new(l, c->name, region, &o, why);
    if (!k) return 0;
    Trial t = {.name = c->name, .kind = TRIAL_NEST, .text = nests ? nests : "", .file = path};
    TrialOptions timing = {.pairs = 11, .keep = 1};
    double seconds = 0;
    if (trial_build(k, &t, l->d) && trial_run(k, &t, &timing)) seconds = t.median_s;
    if (t.why) *why = arena_strdup(b->a, t.why);
    int64_t n = 0, times = 1;
    setting_value(b->a, s.n, s.at, "n", &n);
    if (c->times) setting_value(b->a, s.n, s.at, c->times, &times);
    trial_free(&t);
    case_free(k);
    return bench_rate(c->per * (double)n * (double)times, seconds);
}

const Ceilings *bench_ceilings(Bench *b, bool cpu) {
    bool same = b->lab && b->lab->info->host_memory;
    Ceilings *out = cpu && !same ? &b->cpu_ceilings : &b->ceilings;
    double *to[] = {&out->fma, &out->copy, &out->read, &out->write};
    if (out->tried) return out;
    Lab *l = bench_lab(b, cpu);
    if (!l) return out;
    out->tried = true;
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        const char *why = NULL;
        *to[i] = measure(b, l, &ceilings[i], &why);
        if (*to[i] <= 0)
            fprintf(stderr, "bench: no ceiling '%s': %s\n", ceilings[i].name, why ? why : "?"), b->failed++;
        Text t = json_open(b->a);
        json_text(&t, "kind", "ceiling");
        json_text(&t, "device", l->info->name);
        json_text(&t, "what", ceilings[i].name);
        json_text(&t, "unit", ceilings[i].flops ? "GFLOP/s" : "GB/s");
        json_number(&t, "value", *to[i] > 0 ? *to[i] : -1);
        json_text(&t, "why", *to[i] > 0 ? NULL : why);
        json_close(b, &t);
    }
    return out;
}

static int bench_ceilings_verb(Bench *b) {
    if (!bench_lab(b, false)) return 1;
    const Ceilings *c = bench_ceilings(b, false);
    if (!str_eq(b->out, "-"))
        printf("multiply-adds %.1f GFLOP/s, copy %.1f GB/s, read %.1f GB/s, write %.1f GB/s\n", c->fma,
               c->copy, c->read, c->write);
    return b->failed > 0;
}

int bench_run(Bench *b) {
    static const struct {
        const char *name;
        int (*run)(Bench *b);
    } verbs[] = {{"ladder", bench_ladder}, {"talk", bench_ladder}, {"edges", bench_ladder}, {"overlap",
        bench_ladder}, {"batch", bench_ladder}, {"try", bench_try},
                 {"sgemm", bench_try}, {"inclusion", bench_inclusion}, {"ceilings", bench_ceilings_verb},
                 {"notes", bench_notes}, {"prices", bench_prices}, {"machine", bench_machine},
                 {"space", bench_space}, {"tuned", bench_tuned}};
    b->json = !b->out ? NULL : str_eq(b->out, "-") ? stdout : fopen(b->out, "a");
    if (b->out && !b->json) return fprintf(stderr, "bench: cannot write %s\n", b->out), 1;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (str_eq(verbs[i].name, b->verb)) {
            int status = verbs[i].run(b);
            if (b->json && b->json != stdout) fclose(b->json);
            return status;
        }
    fprintf(stderr, "bench: nothing is called '%s'; 'sculpt help bench' lists what there is\n", b->verb);
    return 2;
}
