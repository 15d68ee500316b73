// SPDX-License-Identifier: MIT
// devices.c -- `sculpt devices`: what this machine can run on, with limits.
#include "device/device.h"
#include "driver/bench.h"
#include "driver/driver.h"
#include <inttypes.h>
#include <jansson.h>

static json_t *device_json(const DeviceInfo *d, bool chosen) {
    json_t *grid = json_array();
    for (int i = 0; i < 3; i++) json_array_append_new(grid, json_integer(d->max_grid[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:o, s:b, s:b, s:b}",
                     "spec", d->spec, "name", d->name, "driver", d->driver, "dialect", d->dialect,
                     "target", d->target, "memory", (json_int_t)d->memory, "units", d->sms,
                     "max_threads", d->max_threads, "shared", d->shared, "warp", d->warp,
                     "max_grid", grid, "host_memory", d->host_memory, "fp64", d->fp64,
                     "default", chosen);
}

static void device_print(const DeviceInfo *d, bool chosen) {
    printf("%c %-12s %s\n", chosen ? '*' : ' ', d->spec, d->name);
    printf("               %s\n", d->driver);
    printf("               %.1f GiB%s, %d %s, %d threads a block, %.0f KiB shared, warps of %d%s\n",
           (double)d->memory / (1 << 30), d->host_memory ? " (the host's)" : "", d->sms,
           str_eq(d->target, "gpu") ? "multiprocessors" : "cores", d->max_threads,
           d->shared / 1024.0, d->warp, d->fp64 ? "" : ", no double precision");
}

// What can't be opened is told, too: a driver without a device is worth knowing of.
static void failure_add(json_t *list, bool json, const char *spec, const char *why) {
    if (json) json_array_append_new(list, json_pack("{s:s, s:s}", "spec", spec, "error", why));
    else printf("  %-12s cannot be used: %s\n", spec, why);
}

static int measure(int argc, char **argv) {
    const char *device = NULL;
    Arena *a = arena_new();
    int used = argc ? word_valued("--device", 0, argc, argv, &device) : 0;
    int status = used != argc ? usage_error("devices", "--measure takes --device D and nothing else") : devices_measure(device, bench_root(a));
    arena_free(a);
    return status;
}

int devices_main(int argc, char **argv) {
    bool json = argc == 1 && str_eq(argv[0], "--json");
    if (argc && str_eq(argv[0], "--measure")) return measure(argc - 1, argv + 1);
    if (argc > json) return usage_error("devices", "'%s' is not known", argv[json]);
    Arena *a = arena_new();
    const char *why = "no device";
    Device *best = device_open(a, NULL, &why);
    const char *chosen = best ? best->ops->info(best)->spec : "";
    json_t *list = json_array();
    int found = 0;
    for (int k = 0; k < 3; k++) {
        const DeviceOps *ops = device_kinds[k];
        for (int i = 0, n = ops->count(); i < n; i++) {
            const char *spec = ops->spec(a, i), *reason = "no reason given";
            Device *d = spec ? ops->open(a, spec, &reason) : NULL;
            const DeviceInfo *info = d ? ops->info(d) : NULL;
            found += info != NULL;
            bool mark = info && str_eq(info->spec, chosen);
            if (!info) failure_add(list, json, spec ? spec : ops->kind, reason);
            else if (json) json_array_append_new(list, device_json(info, mark));
            else device_print(info, mark);
        }
    }
    if (json) json_dumpf(list, stdout, JSON_INDENT(2)), putchar('\n');
    else if (!found) printf("no device can be used (%s); programs run their original loops\n", why);
    json_decref(list);
    arena_free(a);
    return 0;
}
