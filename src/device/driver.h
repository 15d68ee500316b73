// SPDX-License-Identifier: MIT
// driver.h -- what the driver files of this room share; nobody else includes it.
#ifndef SCULPT_DEVICE_DRIVER_H
#define SCULPT_DEVICE_DRIVER_H
#include "device/device.h"
#include <sys/types.h>

// Leaves the sentence in d->error. Returns false, so that failing is one statement.
bool device_fail(Device *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// True, with the reason in d->error, in a process that is not the one which opened d.
bool device_forked(Device *d, pid_t opener);
// Reads "kind[:A[.B]]" into a and b, -1 where absent. False: the text is not of that form.
bool device_spec_read(const char *spec, const char *kind, int *a, int *b);

// The words of an option list, NULL after the last.
typedef VEC(char *) Words;
void words_split(Arena *a, Words *w, const char *text, size_t n);
// Adds the words of the source's first line, if that reads "// options: …".
void words_of_source(Arena *a, Words *w, const char *source);
char *words_join(Arena *a, const Words *w);
bool words_have_prefix(const Words *w, const char *prefix);

// "PATH SIZE MTIME": changes when the file is replaced, and costs one stat.
char *path_identity(Arena *a, const char *path);

// noted.c: chains for devices without graphs (see DeviceOps).
void *noted_chain(Device *d, int n, const KernelCall *calls);
bool noted_chain_set(Device *d, void *graph, int i, const KernelCall *call);
bool noted_replay(Device *d, void *graph);
void noted_forget(Device *d, void *graph);

// Wraps d so that calls fail as SCULPT_FAULT's text says; d itself where it asks for none.
Device *fault_wrap(Arena *a, Device *d, const char *plan);
// Why no device is opened under that plan: it forbids to, or a word of it means nothing. NULL: one is.
const char *fault_open(Arena *a, const char *plan);
#endif
