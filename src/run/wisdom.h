// SPDX-License-Identifier: MIT
// wisdom.h -- what stands for a region in the kernel cache and in the wisdom (wise.h).
#ifndef SCULPT_RUN_WISDOM_H
#define SCULPT_RUN_WISDOM_H
#include "run/run.h"

// Stands for a region's text without what changes when its loops stand elsewhere; what follows the region is
// not looked at.
Digest wisdom_region(const char *text);
// A key of the cache: a digest of what is asked, of the region and of the device.
char *wisdom_key(Arena *a, const char *what, Digest region, const DeviceInfo *d);
#endif
