// SPDX-License-Identifier: MIT
// cubin.h -- what NVIDIA's compiler says of its kernels inside the machine code; needs no GPU.
#ifndef SCULPT_CUBIN_H
#define SCULPT_CUBIN_H
#include "device/device.h"

// Registers a thread and bytes of shared memory a block of a kernel in a cubin (an ELF file: the
// number of registers stands in its section's header and its attributes). False: it is no cubin,
// or holds no such kernel.
bool cubin_usage(const void *image, size_t size, const char *kernel, KernelUsage *out);
// The symbol of a kernel that the source calls so, "k" or "k<32>", if only one can be meant. NULL: none.
// Points into the image.
const char *cubin_symbol(const void *image, size_t size, const char *kernel);
#endif
