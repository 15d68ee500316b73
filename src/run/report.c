// SPDX-License-Identifier: MIT
// report.c -- what the user hears: warnings, times, checks, and the exit status.
#include "run/state.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_REQUIRE = 3 };

static void say(DiagLevel level, DiagCode code, const Unit *u, const char *text) {
    Diag d = {level, code, {u ? u->file : NULL, u ? u->line : 0, u ? 1 : 0}, text};
    diag_print(stderr, &d, false);
}

static bool is_news(Run *r, DiagCode code) {
    for (int i = 0; i < r->warned.n; i++)
        if (r->warned.at[i] == code) return false;
    vec_push(r->arena, &r->warned, code);
    return true;
}

void report_setting(const char *name, const char *value, const char *why, const char *const *words) {
    char text[300];
    Arena *a = arena_new();
    snprintf(text, sizeof text, "%s=%.80s is not followed: %s%s", name, value, why,
             words ? word_meant(a, value, words) : "");
    arena_free(a);
    say(DIAG_WARNING, SC_USAGE, NULL, text);
}

void report_misspelt(const char *name, const char *meant) {
    char text[200];
    snprintf(text, sizeof text, "nobody looks at %s (did you mean '%s'?)", name, meant);
    say(DIAG_WARNING, SC_USAGE, NULL, text);
}

void report_warning(Run *r, DiagCode code, const char *fmt, ...) {
    char *to = run_thread()->message;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(to, sizeof run_thread()->message, fmt, ap);
    va_end(ap);
    if (is_news(r, code)) say(DIAG_WARNING, code, NULL, to);
}

static bool is_failure(DiagCode c) {
    return c == SC_DEVICE_FAILED || c == SC_BUILD_FAILED || c == SC_OUT_OF_MEMORY;
}

void report_refusal(Run *r, Unit *u, DiagCode code, const char *fmt, ...) {
    Stats *s = &u->stats;
    if (!s->warned || s->why != code || is_failure(code)) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(s->reason, sizeof s->reason, fmt, ap);
        va_end(ap);
    }
    s->why = code;
    Thread *t = run_thread();
    snprintf(t->message, sizeof t->message, "%s:%d: %s [SC%04d]", u->file, u->line, s->reason, code);
    bool loud = is_failure(code) ? is_news(r, code) : r->set.verbose && !s->warned;
    if (!loud) return;
    char text[400];
    snprintf(text, sizeof text, "%s; the original loops run", s->reason);
    say(is_failure(code) ? DIAG_WARNING : DIAG_REMARK, code, u, text);
    s->warned = true;
}

_Noreturn void report_lost(const Unit *u, const char *why, const Array *torn) {
    char text[1024];
    if (torn)
        snprintf(text, sizeof text,
                 "%.600s; some new values of %s had come home, the others are lost, and the original loops "
                 "cannot start from the old ones",
                 why, torn->name);
    else snprintf(text, sizeof text, "%.600s; the device alone held results, which are lost", why);
    say(DIAG_ERROR, SC_DEVICE_FAILED, u, text);
    fflush(NULL);
    abort();
}

// ---- times -----------------------------------------------------------------------------------
static double rate(double work, double seconds) {
    return work > 0 && seconds > 0 ? work / seconds * 1e-9 : 0;
}

// What only some calls take time for. With compile, load, own, upload, kernel and download it is all of a
// call.
static const struct {
    const char *name;
    size_t at;
} parts[] = {{"locking", offsetof(Stats, locking)}, {"alloc", offsetof(Stats, alloc)},
             {"waiting", offsetof(Stats, waiting)}, {"looking", offsetof(Stats, looking)},
             {"opening", offsetof(Stats, opening)}, {"plan", offsetof(Stats, plan)}};

static double part_of(const Stats *s, size_t k) { return *(const double *)((const char *)s + parts[k].at); }

static void put_times(FILE *f, const Run *r) {
    fprintf(f, "%-28s %7s %9s %9s %9s %9s %9s %9s %9s %9s  %s\n", "region", "calls", "compile", "load",
            "own", "upload", "kernel", "download", "GFLOP/s", "GB/s", "(times in ms)");
    for (int i = 0; i < r->units.n; i++) {
        const Unit *u = r->units.at[i];
        const Stats *s = &u->stats;
        if (!s->calls) continue;
        char place[256];
        const char *base = strrchr(u->file, '/');
        snprintf(place, sizeof place, "%s:%d", base ? base + 1 : u->file, u->line);
        fprintf(f, "%-28s %7lld %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.2f %9.2f", place, (long long)s->calls,
                s->compile * 1e3, s->load * 1e3, s->own * 1e3, s->upload * 1e3, s->kernel * 1e3,
                s->download * 1e3, rate(s->flops, s->kernel), rate(s->bytes, s->kernel));
        if (s->repeated) fprintf(f, "  again: %.3f", s->median * 1e3);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (part_of(s, k) > 0) fprintf(f, "  %s: %.3f", parts[k].name, part_of(s, k) * 1e3);
        if (s->host_calls) fprintf(f, "  %lld on the host: %s", (long long)s->host_calls, s->reason);
        fputc('\n', f);
    }
    fprintf(f, "device: %s\n", r->info ? r->info->spec : "host");
}

static void report_json_string(FILE *f, const char *s) {
    fputc('"', f);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') fprintf(f, "\\%c", c);
        else if (c < 32) fprintf(f, "\\u%04x", c);
        else fputc(c, f);
    }
    fputc('"', f);
}

static void put_place(FILE *f, const Unit *u) {
    fputs("{\"file\": ", f);
    report_json_string(f, u->file);
    fprintf(f, ", \"line\": %d, \"region\": ", u->line);
    report_json_string(f, u->region ? u->region->name : "");
}

static void put_times_json(FILE *f, const Run *r) {
    for (int i = 0; i < r->units.n; i++) {
        const Unit *u = r->units.at[i];
        const Stats *s = &u->stats;
        if (!s->calls) continue;
        put_place(f, u);
        fputs(", \"device\": ", f);
        report_json_string(f, r->info ? r->info->spec : "host");
        fprintf(f, ", \"calls\": %lld, \"device_calls\": %lld, \"host_calls\": %lld", (long long)s->calls,
                (long long)s->device_calls, (long long)s->host_calls);
        fprintf(f, ", \"compile\": %.9f, \"load\": %.9f, \"own\": %.9f, \"upload\": %.9f, \"kernel\": %.9f, "
                   "\"download\": %.9f",
                s->compile, s->load, s->own, s->upload, s->kernel, s->download);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (part_of(s, k) > 0) fprintf(f, ", \"%s\": %.9f", parts[k].name, part_of(s, k));
        fprintf(f, ", \"bytes_up\": %.0f, \"bytes_down\": %.0f", s->bytes_up, s->bytes_down);
        if (s->repeated)
            fprintf(f, ", \"kernel_median_s\": %.9f, \"repeated\": %lld", s->median, (long long)s->repeated);
        if (s->kept) fprintf(f, ", \"kept\": %lld", (long long)s->kept);
        if (s->measured) fprintf(f, ", \"measured\": %lld", (long long)s->measured);
        // all their time is under kernel
        if (s->streamed) fprintf(f, ", \"streamed\": %lld", (long long)s->streamed);
        if (s->replayed) fprintf(f, ", \"replayed\": %lld", (long long)s->replayed);
        if (s->flops > 0)
            fprintf(f, ", \"flops\": %.17g, \"gflops\": %.6g", s->flops, rate(s->flops, s->kernel));
        if (s->bytes > 0)
            fprintf(f, ", \"bytes\": %.17g, \"gbps\": %.6g", s->bytes, rate(s->bytes, s->kernel));
        if (s->why) {
            fprintf(f, ", \"code\": \"SC%04d\", \"reason\": ", s->why);
            report_json_string(f, s->reason);
        }
        fputs("}\n", f);
    }
}

// ---- checks ------------------------------------------------------------------------------------
static void put_check(FILE *f, const Unit *u) {
    const Checked *k = &u->checked;
    put_place(f, u);
    fprintf(
        f,
        ", \"calls\": %lld, \"elements\": %lld, \"mismatches\": %lld, \"max_rel\": %.6g, \"bound_eps\": %.6g",
        (long long)k->calls, (long long)k->elements, (long long)k->mismatches,
        isfinite(k->max_rel) ? k->max_rel : 1e300, k->bound);
    bool told = u->exact && k->interpreted;
    fprintf(f, ", \"bits_equal\": %s, \"interpreted\": %lld",
            told ? k->bits_wrong ? "false" : "true" : "null", (long long)k->interpreted);
    if (k->contraction > 0) fputs(", \"contraction\": true", f);
    if (*k->first) fputs(", \"first\": ", f), report_json_string(f, k->first);
    if (*k->skipped) fputs(", \"note\": ", f), report_json_string(f, k->skipped);
    if (!k->calls) {
        fputs(", \"reason\": ", f);
        report_json_string(f, u->stats.reason);
    }
    fputs("}\n", f);
}

char *report_check(const Unit *u) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    put_check(f, u);
    fclose(f);
    return text;
}

static bool put_checks(const Run *r) {
    FILE *f = r->set.check_path ? fopen(r->set.check_path, "a") : stderr;
    if (!f) report_setting("SCULPT_CHECK_FILE", r->set.check_path, strerror(errno), NULL);
    bool bad = false;
    for (int i = 0; i < r->units.n; i++) {
        const Unit *u = r->units.at[i];
        if (!u->stats.calls) continue;
        if (f) put_check(f, u);
        bad |= u->checked.mismatches > 0 || (u->exact && u->checked.bits_wrong > 0);
    }
    if (f && f != stderr) fclose(f);
    return bad;
}

// ---- the end -----------------------------------------------------------------------------------
static bool put_required(const Run *r) {
    bool bad = false;
    for (int i = 0; i < r->units.n; i++) {
        const Unit *u = r->units.at[i];
        if (!u->stats.host_calls || (r->set.check && u->checked.calls)) continue;
        char text[400];
        snprintf(text, sizeof text, "ran on the host %lld of %lld times: %s", (long long)u->stats.host_calls,
                 (long long)u->stats.calls, u->stats.reason);
        say(DIAG_ERROR, u->stats.why ? u->stats.why : SC_NO_DEVICE, u, text);
        bad = true;
    }
    return bad;
}

// Its message belongs to the call that was interrupted, so nothing was said then.
static void put_interrupted(const Run *r) {
    if (r->set.verbose || r->set.require)
        say(r->set.require ? DIAG_ERROR : DIAG_REMARK, SC_GUARD, NULL,
            "a handler of a signal came while a call was under way, and its loops ran on the host");
}

void report_at_exit(void) {
    Run *r = run_lock();
    int status = 0;
    if (run_interrupted()) put_interrupted(r);
    if (str_eq(r->set.time_path, "-")) {
        fflush(stdout);
        put_times(stderr, r);
    } else if (r->set.time_path) {
        FILE *f = fopen(r->set.time_path, "a");
        if (f) put_times_json(f, r), fclose(f);
        else report_setting("SCULPT_TIME", r->set.time_path, strerror(errno), NULL);
    }
    if (r->set.require && (put_required(r) || run_interrupted())) status = EXIT_REQUIRE;
    if (r->set.check && put_checks(r)) status = EXIT_CHECK;
    kept_write(r);
    arena_free(r->cache_arena); // the cache writes its statistics
    r->cache_arena = NULL;
    r->cache = NULL;
    r->cache_tried = true;
    run_unlock(r);
    if (!status) return;
    fflush(NULL);
    _exit(status);
}
