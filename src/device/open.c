// SPDX-License-Identifier: MIT
// open.c -- which device: the one that is named, else the best one present.
#include "base/guest.h"
#include "device/driver.h"
#include "device/opencl.h"
#include <stdlib.h>
#include <string.h>

const DeviceOps *const device_kinds[3] = {&device_cuda, &device_opencl, &device_cpu};

// "opencl:0.1" belongs to device_opencl; NULL: to none.
static const DeviceOps *kind_of(const char *spec) {
    int a, b;
    for (int i = 0; i < 3; i++)
        if (device_spec_read(spec, device_kinds[i]->kind, &a, &b)) return device_kinds[i];
    return NULL;
}

static bool is_host(const char *spec) { return str_eq(spec, "host") || str_eq(spec, "none"); }

const char *device_misnamed(Arena *a, const char *spec) {
    const char *words[] = {"cuda", "opencl", "cpu", "host", NULL};
    if (!spec || !*spec || is_host(spec) || kind_of(spec)) return NULL;
    return arena_printf(a, "'%s' is no device: cuda[:N], opencl[:P[.D]], cpu or host%s", spec,
                        word_meant(a, arena_strndup(a, spec, strcspn(spec, ":")), words));
}

static Device *open_named(Arena *a, const char *spec, const char **why) {
    *why = is_host(spec) ? "the host was asked for" : device_misnamed(a, spec);
    return *why ? NULL : kind_of(spec)->open(a, spec, why);
}

// The reasons are collected, so that a machine without any device says why for each.
static Device *open_best(Arena *a, const char **why) {
    const char *cuda = "", *gpu = "", *cpu = "", *cl = "";
    Device *d = device_cuda.open(a, "cuda", &cuda);
    if (!d) d = opencl_open_best(a, true, &gpu);
    if (!d) d = device_cpu.open(a, "cpu", &cpu);
    if (!d) d = opencl_open_best(a, false, &cl);
    if (!d) *why = arena_printf(a, "no device: cuda: %s; opencl: %s; cpu: %s", cuda, cl, cpu);
    return d;
}

const char *device_forbidden(Arena *a) { return fault_open(a, env_get("SCULPT_FAULT")); }

Device *device_open(Arena *a, const char *spec, const char **why) {
    const char *ignored;
    if (!why) why = &ignored;
    *why = NULL;
    const char *plan = env_get("SCULPT_FAULT");
    if ((*why = device_forbidden(a))) return NULL;
    if (!spec || !*spec) spec = env_get("SCULPT_DEVICE");
    Signals s;
    signals_hold(&s);
    Device *d = spec && *spec ? open_named(a, spec, why) : open_best(a, why);
    signals_give_back(&s);
    return d ? fault_wrap(a, d, plan) : NULL;
}
