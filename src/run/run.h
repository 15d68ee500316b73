// SPDX-License-Identifier: MIT
// run.h -- executing a nest: guards, data movement, kernels, the cache; sculpt.h's functions.
//
// Settings come from the environment once, at the first call:
//   SCULPT_DEVICE      which device ("cuda:0", "opencl", "cpu", "host": none)
//   SCULPT_OFFLOAD     auto | always | never
//   SCULPT_CACHE_DIR   the kernel cache's folder (default: XDG cache folder)/sculpt
//   SCULPT_CACHE_MAX   its size in MiB (default 512)
//   SCULPT_TIME        a file to append one JSON object a region to at exit, "-": stderr table
//   SCULPT_REPEAT      N: after each finished call on a device with memory of its own, launch
//                      its kernels N times more, only to time them: kernel_median_s of
//                      SCULPT_TIME. Nothing of that reaches the host; skipped while the
//                      device holds data for later calls
//   SCULPT_CHECK       1: run each region on the device and as written, and compare
//   SCULPT_CHECK_FILE  a file to append one JSON object a checked region to (default: stderr)
//   SCULPT_SYNC        1: a call waits for the nest that is planned for it
//   SCULPT_PLAN_FOR    a machine's name: nests are planned as for that, and run on the device that is here
//   SCULPT_REQUIRE     1: exit status 3 at exit if any region ran on the host
//   SCULPT_VERBOSE     1: say on stderr why a region stayed on the host
//   SCULPT_WISDOM      the file of wisdom (wise.h); SCULPT_TUNE: off | read | write
//   SCULPT_LOG         bench: for each new kind of call the line of `sculpt tune` for it, on stderr
#ifndef SCULPT_RUN_H
#define SCULPT_RUN_H
#include "device/device.h"
#include "ir/ir.h"

// ---- kernel cache: one SQLite file ---------------------------------------------------
typedef struct Cache Cache;
typedef struct CacheStats {
    int64_t entries, bytes, hits, misses, max_bytes;
} CacheStats;
// Opens the cache of this user; closed with a, and then the statistics are written. NULL: no
// cache can be had; *why is "" where the user wants none (SCULPT_CACHE_MAX=0), else the
// reason, for a warning. Where others may write to the folder or its file, that is *why, and
// the cache is one of this process alone. One cache may be used by many threads and many processes.
Cache *cache_open(Arena *a, const char **why);
// key: hex text. The image is copied into a; false: not there.
bool cache_get(Cache *k, Arena *a, const char *key, void **image, size_t *size);
// The same without being counted as a hit or a miss.
bool cache_look(Cache *k, Arena *a, const char *key, void **image, size_t *size);
// Best effort: what can't be kept is forgotten.
void cache_put(Cache *k, const char *key, const void *image, size_t size);
bool cache_stats(Cache *k, CacheStats *out);
bool cache_clear(Cache *k);
const char *cache_path(Cache *k);
#endif
