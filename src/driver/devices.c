// SPDX-License-Identifier: MIT
// devices.c -- `sculpt devices`: what this machine can run on, with limits.
#include "device/device.h"
#include "bench/bench.h"
#include "driver/driver.h"
#include "run/machine.h"
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
    Bench b = {.a = a, .root = bench_root(a), .device = device, .samples = 8, .seed = 1, .quiet = true};
    int status = used != argc ? usage_error("devices", "--measure takes --device D and nothing else")
                              : bench_machine(&b);
    arena_free(a);
    return status;
}

// A machine's file, as --measure writes it, beside what is known of that machine.
static int compare(int argc, char **argv) {
    bool json = argc == 2 && str_eq(argv[1], "--json");
    if (argc != 1 + json) return usage_error("devices", "--compare takes FILE.dev and --json");
    Arena *a = arena_new();
    const char *text = file_read(a, argv[0], NULL), *why = "it cannot be read";
    Machine *here = text ? machine_read(a, argv[0], text, &why) : NULL,
            *known = here ? machine_find(a, here->name, &why) : NULL;
    MachineNumber *x;
    int n = known ? machine_compare(a, here, known, &x) : 0;
    json_t *list = json_array();
    if (known && !json)
        printf("%s: %s beside %s\n%-17s %12s %12s %7s\n", here->name, argv[0], known->file, "", "here",
               "known", "ratio");
    for (int i = 0; i < n; i++) {
        if (json)
            json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "field", x[i].field, "measured", x[i].x,
                                                  "known", x[i].y));
        else printf("%-17s %12.6g %12.6g %7.3f\n", x[i].field, x[i].x, x[i].y, x[i].x / x[i].y);
    }
    if (known && json) {
        json_t *all = json_pack("{s:s, s:o}", "machine", here->name, "numbers", json_incref(list));
        json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(all);
    }
    if (!known) fprintf(stderr, "devices: %s: %s\n", argv[0], why);
    json_decref(list);
    arena_free(a);
    return known ? 0 : 1;
}

int devices_main(int argc, char **argv) {
    bool json = argc == 1 && str_eq(argv[0], "--json");
    if (argc && str_eq(argv[0], "--measure")) return measure(argc - 1, argv + 1);
    if (argc && str_eq(argv[0], "--compare")) return compare(argc - 1, argv + 1);
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
