// SPDX-License-Identifier: MIT
// cache.c -- `sculpt cache`: where compiled kernels are kept, how many, and what they save.
#include "driver/driver.h"
#include "run/run.h"
#include <inttypes.h>
#include <jansson.h>

static void show(const CacheStats *s, const char *path, bool json) {
    if (json) {
        json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "path", path,
                              "entries", (json_int_t)s->entries, "bytes", (json_int_t)s->bytes,
                              "max_bytes", (json_int_t)s->max_bytes, "hits", (json_int_t)s->hits,
                              "misses", (json_int_t)s->misses);
        json_dumpf(o, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(o);
        return;
    }
    int64_t asked = s->hits + s->misses;
    printf("path     %s\n", path);
    printf("entries  %" PRId64 "\n", s->entries);
    printf("size     %.1f of %.0f MiB\n", s->bytes / 1048576.0, s->max_bytes / 1048576.0);
    printf("hits     %" PRId64 " of %" PRId64 "%s\n", s->hits, asked, asked == 1 ? " look-up" : " look-ups");
}

int cache_main(int argc, char **argv) {
    bool json = false, clear = false;
    for (int i = 0; i < argc; i++) {
        if (str_eq(argv[i], "--json")) json = true;
        else if (str_eq(argv[i], "--clear")) clear = true;
        else return usage_error("cache", "'%s' is not known", argv[i]);
    }
    Arena *a = arena_new();
    const char *why = NULL;
    Cache *k = cache_open(a, &why);
    CacheStats s;
    bool ok = k && (!clear || cache_clear(k)) && cache_stats(k, &s);
    if (ok) show(&s, cache_path(k), json);
    else if (!k && why && !*why) puts("the cache is off (SCULPT_CACHE_MAX=0)"), ok = true;
    else say_error(SC_CACHE, "the kernel cache cannot be used%s%s", why && *why ? ": " : "",
                   why ? why : "");
    arena_free(a);
    return !ok;
}
