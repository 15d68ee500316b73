// SPDX-License-Identifier: MIT
// tune_formats.h -- logs of tuning in the forms of others.
#ifndef SCULPT_DRIVER_TUNE_FORMATS_H
#define SCULPT_DRIVER_TUNE_FORMATS_H
#include "tune/space.h"

// To stdout: "kernel-tuner" (a cache file) or "t4" (results). False: there is no such form.
bool tune_export(Arena *a, const char *form, const Space *s, const MeasuredVec *log);
// A cache file of Kernel Tuner's. NULL with *why. Where the space of the kernel is known (may be NULL), its
// entries are that space's points.
Space *tune_foreign(Arena *a, const char *text, Space *known, MeasuredVec *log, const char **why);
#endif
