// SPDX-License-Identifier: MIT
// omp_device.c -- OpenMP's functions about devices: the one that libsculpt uses is device 0, the host is
// device 1 (0 where there is none). These stand in the place of libgomp's, which know no device of ours.
//
// Memory is the host's everywhere: libsculpt moves what kernels need. All are weak, so that what a program
// defines itself stays, and hidden: what is linked beside has its own. Arguments and results are those of
// <omp.h>.
#include "sculpt/sculpt.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((weak, visibility("hidden")))

static int devices(void) { return strcmp(sculpt_device_name(), "host") != 0; }

API int omp_get_num_devices(void) { return devices(); }
API int omp_get_initial_device(void) { return devices(); }
API int omp_get_default_device(void) { return 0; }
API void omp_set_default_device(int device) { (void)device; }
API int omp_get_device_num(void) { return devices(); } // of the code that asks: the host's
API int omp_is_initial_device(void) { return 1; }

API void *omp_target_alloc(size_t bytes, int device) {
    (void)device;
    return sculpt_malloc(bytes);
}
API void omp_target_free(void *p, int device) {
    (void)device;
    sculpt_free(p);
}
API int omp_target_is_present(const void *p, int device) {
    return device == devices() ? p != NULL : sculpt_is_present(p, 1);
}
API void *omp_get_mapped_ptr(const void *p, int device) {
    return omp_target_is_present(p, device) ? (void *)(uintptr_t)p : NULL;
}
API int omp_target_is_accessible(const void *p, size_t bytes, int device) {
    (void)bytes, (void)device;
    return p != NULL;
}
API int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_at, size_t from_at,
                          int to_device, int from_device) {
    (void)to_device, (void)from_device;
    sculpt_flush();
    memmove((char *)to + to_at, (const char *)from + from_at, bytes);
    sculpt_update_device((char *)to + to_at, bytes);
    return 0;
}
API int omp_target_associate_ptr(const void *host, const void *there, size_t bytes, size_t at, int device) {
    (void)host, (void)there, (void)bytes, (void)at, (void)device;
    return 1; // not taken: two memories are one here
}
API int omp_target_disassociate_ptr(const void *p, int device) {
    (void)p, (void)device;
    return 1;
}
