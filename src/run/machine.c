// SPDX-License-Identifier: MIT
// machine.c -- the device in use as the model's machine: what its driver says, and its file.
#include "run/machine.h"

MachineSeen machine_seen(const DeviceInfo *i) {
    return (MachineSeen){.name = i->name,
                         .kind = i->target,
                         .compute = i->compute,
                         .sms = i->sms,
                         .max_threads = i->max_threads,
                         .shared = i->shared,
                         .shared_optin = i->shared_optin,
                         .warp = str_eq(i->target, "cpu") ? 0 : i->warp,
                         .memory = i->memory,
                         .clock_khz = i->clock_khz,
                         .l2 = i->l2,
                         .dram = i->dram,
                         .threads_sm = i->threads_sm,
                         .registers_sm = i->registers_sm,
                         .shared_sm = i->shared_sm,
                         .shared_reserved = i->shared_reserved,
                         .blocks_sm = i->blocks_sm};
}

const Machine *machine_as(Arena *a, const DeviceInfo **of, const char *name, const char **why) {
    *why = "its kind is not the device's";
    Machine *m = machine_find(a, name, why);
    if (!m || !str_eq(m->kind, (*of)->target)) return NULL;
    DeviceInfo *info = NEW_AS(a, DeviceInfo, **of);
    info->name = arena_printf(a, "%s as %s", info->name, m->name);
    info->warp = m->warp;
    info->sms = m->sms;
    *of = info;
    return m;
}

Machine *machine_in_use(Arena *a, const DeviceInfo *i) {
    MachineSeen seen = machine_seen(i);
    return machine_of(a, &seen);
}
