// SPDX-License-Identifier: MIT
// machine.h -- a device that is open, as a machine of the model (model/machine.h).
#ifndef SCULPT_RUN_MACHINE_H
#define SCULPT_RUN_MACHINE_H
#include "device/device.h"
#include "model/model.h"

// What a device's driver says of it, for machine_of.
MachineSeen machine_seen(const DeviceInfo *i);
// The file that suits it, with that put in. NULL: none does.
Machine *machine_in_use(Arena *a, const DeviceInfo *i);
// Nests are planned as for another machine, and run here: what a GPU would get can be tried on any device.
// *of becomes the device with that machine's name and width. NULL with *why.
const Machine *machine_as(Arena *a, const DeviceInfo **of, const char *name, const char **why);
#endif
