// SPDX-License-Identifier: MIT
// opencl.h -- what open.c asks of opencl.c beyond the ops that every driver has.
#ifndef SCULPT_OPENCL_H
#define SCULPT_OPENCL_H
#include "device/device.h"

// Opens the first GPU of any platform, or with gpu = false the first device of another kind.
Device *opencl_open_best(Arena *a, bool gpu, const char **why);
#endif
