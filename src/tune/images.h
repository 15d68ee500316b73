// SPDX-License-Identifier: MIT
// images.h -- compiled kernels by their text: one recipe at many sizes is compiled once.
#ifndef SCULPT_TUNE_IMAGES_H
#define SCULPT_TUNE_IMAGES_H
#include "run/run.h"

typedef struct Images Images;
Images *images_new(Arena *a); // for one device; any thread may use it
// From now on they are kept on disk, too: under a key with the device's names. k NULL: they are not.
void images_keep(Images *s, Cache *k, const DeviceInfo *d);
// The image of a text; it lives as long as the store.
bool images_get(Images *s, const char *source, const void **image, size_t *size);
void images_put(Images *s, const char *source, const void *image, size_t size);
#endif
