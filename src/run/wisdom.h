// SPDX-License-Identifier: MIT
// wisdom.h -- nests that measuring chose for a region on a device, kept beside the compiled kernels.
//
// They are nests as text, each with the sizes that it was chosen for; their conditions (`when`) ask
// for these sizes. A program that carries the region takes them before its own nests.
#ifndef SCULPT_RUN_WISDOM_H
#define SCULPT_RUN_WISDOM_H
#include "run/run.h"

enum { WISDOM_SIZES = 8 };   // the latest so many are kept for a region and a device
// The nests' text for a region; NULL: none.
char *wisdom_nests(Cache *k, Arena *a, Digest region, const DeviceInfo *d);
// Keeps one more, in the place of what was kept for these sizes. sizes: one line, "n=4096 m=64".
void wisdom_keep(Cache *k, Digest region, const DeviceInfo *d, const char *sizes, const char *nest);
// Forgets what was chosen for these sizes.
void wisdom_drop(Cache *k, Digest region, const DeviceInfo *d, const char *sizes);
// Stands for a region's text without what changes when its loops stand elsewhere; what follows the region is
// not looked at.
Digest wisdom_region(const char *text);
// A key of the cache: a digest of what is asked, of the region and of the device.
char *wisdom_key(Arena *a, const char *what, Digest region, const DeviceInfo *d);
#endif
