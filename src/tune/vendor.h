// SPDX-License-Identifier: MIT
// vendor.h -- the library that a product is compared with: cuBLAS on an NVIDIA GPU, OpenBLAS (or
// whatever libblas is) on the CPU; opened when the program runs, by prototypes of our own.
#ifndef SCULPT_TUNE_VENDOR_H
#define SCULPT_TUNE_VENDOR_H
#include "tune/tune.h"

// NULL with a reason in *why; closed with a.
Vendor *vendor_open(Arena *a, Device *d, const char **why);
const char *vendor_name(const Vendor *v); // "cuBLAS 13.1"
// Does the region as a whole say a product of two matrices into a third? Then how the library
// would be called for it, with the values of the parameters.
bool product_match(const Case *c, Product *out);
// Queues the product on the device's memory. False: the library refused.
bool vendor_product(Vendor *v, const Case *c, const Product *p);
#endif
