// SPDX-License-Identifier: MIT
// acc.c -- OpenACC's functions: the device is the one that libsculpt uses, and what they say of data are
// libsculpt's data calls. Device memory is the host's: libsculpt moves what kernels need.
//
// These stand in the place of libgomp's, which know no device of ours. All are weak, so that what a program
// defines itself stays, and hidden: what is linked beside has its own. Arguments and results are those of
// <openacc.h>.
#include "sculpt/sculpt.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((weak, visibility("hidden")))

// of gcc's acc_device_t
enum { TYPE_NONE = 0, TYPE_DEFAULT = 1, TYPE_HOST = 2, TYPE_NOT_HOST = 4, TYPE_NVIDIA = 5 };
enum { PROPERTY_STRING = 0x10000, PROPERTY_NAME = 0x10001, PROPERTY_VENDOR, PROPERTY_DRIVER };

// ---- devices -----------------------------------------------------------------------------------------
static int device_type(void) {
    const char *name = sculpt_device_name();
    if (strcmp(name, "host") == 0) return TYPE_HOST;
    return strncmp(name, "cuda", 4) == 0 ? TYPE_NVIDIA : TYPE_NOT_HOST;
}

API int acc_get_num_devices(int type) {
    int have = device_type();
    if (type == TYPE_NONE) return 0;
    if (type == TYPE_HOST || type == TYPE_DEFAULT) return 1;
    return type == TYPE_NOT_HOST ? have != TYPE_HOST : type == have;
}
API int acc_get_device_type(void) { return device_type(); }
API void acc_set_device_type(int type) { (void)type; } // SCULPT_DEVICE chooses
API int acc_get_device_num(int type) { return (void)type, 0; }
API void acc_set_device_num(int n, int type) { (void)n, (void)type; }
API void acc_init(int type) { (void)type, (void)sculpt_device_name(); }
API void acc_shutdown(int type) { (void)type, sculpt_flush(); }
API int acc_on_device(int type) { return type == TYPE_HOST; } // who asks runs on the host
API size_t acc_get_property(int n, int type, int property) { return (void)n, (void)type, (void)property, 0; }
API const char *acc_get_property_string(int n, int type, int property) {
    (void)n, (void)type;
    return property == PROPERTY_NAME ? sculpt_device_name() : property > PROPERTY_STRING ? "" : NULL;
}

// ---- queues: a call is done when it returns ------------------------------------------------------------
API int acc_async_test(int queue) { return (void)queue, 1; }
API int acc_async_test_all(void) { return 1; }
API void acc_wait(int queue) { (void)queue; }
API void acc_async_wait(int queue) { (void)queue; }
API void acc_wait_all(void) {}
API void acc_async_wait_all(void) {}
API void acc_wait_async(int queue, int by) { (void)queue, (void)by; }
API void acc_wait_all_async(int by) { (void)by; }
API int acc_get_default_async(void) { return -1; }
API void acc_set_default_async(int queue) { (void)queue; }

// ---- data ------------------------------------------------------------------------------------------------
static void *enter(void *p, size_t bytes, int how) {
    sculpt_data_enter(p, bytes, how);
    return p;
}

API void *acc_copyin(void *p, size_t n) { return enter(p, n, SCULPT_COPYIN); }
API void *acc_present_or_copyin(void *p, size_t n) { return enter(p, n, SCULPT_COPYIN); }
API void *acc_pcopyin(void *p, size_t n) { return enter(p, n, SCULPT_COPYIN); }
API void acc_copyin_async(void *p, size_t n, int queue) { (void)queue, enter(p, n, SCULPT_COPYIN); }
API void *acc_create(void *p, size_t n) { return enter(p, n, SCULPT_CREATE); }
API void *acc_present_or_create(void *p, size_t n) { return enter(p, n, SCULPT_CREATE); }
API void *acc_pcreate(void *p, size_t n) { return enter(p, n, SCULPT_CREATE); }
API void acc_create_async(void *p, size_t n, int queue) { (void)queue, enter(p, n, SCULPT_CREATE); }
API void acc_copyout(void *p, size_t n) { sculpt_data_exit(p, n, SCULPT_COPYOUT); }
API void acc_copyout_finalize(void *p, size_t n) {
    sculpt_data_exit(p, n, SCULPT_COPYOUT | SCULPT_FINALIZE);
}
API void acc_copyout_async(void *p, size_t n, int queue) {
    (void)queue, sculpt_data_exit(p, n, SCULPT_COPYOUT);
}
API void acc_delete(void *p, size_t n) { sculpt_data_exit(p, n, 0); }
API void acc_delete_finalize(void *p, size_t n) { sculpt_data_exit(p, n, SCULPT_FINALIZE); }
API void acc_delete_async(void *p, size_t n, int queue) { (void)queue, sculpt_data_exit(p, n, 0); }
API void acc_update_device(void *p, size_t n) { sculpt_update_device(p, n); }
API void acc_update_device_async(void *p, size_t n, int queue) { (void)queue, sculpt_update_device(p, n); }
API void acc_update_self(void *p, size_t n) { sculpt_update_host(p, n); }
API void acc_update_self_async(void *p, size_t n, int queue) { (void)queue, sculpt_update_host(p, n); }
API void *acc_deviceptr(void *p) { return p; }
API void *acc_hostptr(void *p) { return p; }
API void acc_copyout_finalize_async(void *p, size_t n, int queue) {
    (void)queue, sculpt_data_exit(p, n, SCULPT_COPYOUT | SCULPT_FINALIZE);
}
API void acc_delete_finalize_async(void *p, size_t n, int queue) {
    (void)queue, sculpt_data_exit(p, n, SCULPT_FINALIZE);
}
API void acc_attach(void **p) { (void)p; }
API void acc_attach_async(void **p, int queue) { (void)p, (void)queue; }
API void acc_detach(void **p) { (void)p; }
API void acc_detach_async(void **p, int queue) { (void)p, (void)queue; }
API void acc_detach_finalize(void **p) { (void)p; }
API void acc_detach_finalize_async(void **p, int queue) { (void)p, (void)queue; }

// ---- memory ----------------------------------------------------------------------------------------------
// Kernels of ours work on a program's own array, also where the program has given it memory of the device:
// what that memory holds by OpenACC's rules stands in the array as long as the two are mapped. What it held
// before is taken to be what the array holds, or to be overwritten.
typedef struct Mapped {
    char *host, *there;
    size_t size;
    struct Mapped *next;
} Mapped;
static Mapped *all_mapped;
static pthread_mutex_t mapping = PTHREAD_MUTEX_INITIALIZER;

static char *where_it_stands(const void *p) {
    char *at = (char *)p;
    pthread_mutex_lock(&mapping);
    for (const Mapped *m = all_mapped; m; m = m->next)
        if ((uintptr_t)at - (uintptr_t)m->there < m->size) {
            at = m->host + (at - m->there);
            break;
        }
    pthread_mutex_unlock(&mapping);
    return at;
}

static void copy(void *to, const void *from, size_t n) {
    to = where_it_stands(to);
    sculpt_flush();
    memmove(to, where_it_stands(from), n);
    sculpt_update_device(to, n);
}

static bool is_mapped(const void *p) {
    bool found = false;
    pthread_mutex_lock(&mapping);
    for (const Mapped *m = all_mapped; m && !found; m = m->next)
        found = (uintptr_t)p - (uintptr_t)m->host < m->size;
    pthread_mutex_unlock(&mapping);
    return found;
}

API int acc_is_present(void *p, size_t n) { return is_mapped(p) || sculpt_is_present(p, n); }

// Without memory for the note the two stay apart, as nothing here may fail.
API void acc_map_data(void *p, void *there, size_t n) {
    Mapped *m = malloc(sizeof *m);
    if (!m) return;
    pthread_mutex_lock(&mapping);
    *m = (Mapped){p, there, n, all_mapped};
    all_mapped = m;
    pthread_mutex_unlock(&mapping);
}
API void acc_unmap_data(void *p) {
    pthread_mutex_lock(&mapping);
    Mapped **at = &all_mapped, *m;
    while (*at && (*at)->host != p) at = &(*at)->next;
    if ((m = *at)) *at = m->next;
    pthread_mutex_unlock(&mapping);
    if (m) copy(m->there, m->host, m->size);
    free(m);
}

API void *acc_malloc(size_t n) { return n ? sculpt_malloc(n) : NULL; }
API void acc_free(void *p) { sculpt_free(p); }
API void acc_memcpy_to_device_async(void *to, void *from, size_t n, int queue) {
    (void)queue, copy(to, from, n);
}
API void acc_memcpy_from_device_async(void *to, void *from, size_t n, int queue) {
    (void)queue, copy(to, from, n);
}
API void acc_memcpy_to_device(void *to, void *from, size_t n) { copy(to, from, n); }
API void acc_memcpy_from_device(void *to, void *from, size_t n) { copy(to, from, n); }
API void acc_memcpy_device(void *to, void *from, size_t n) { copy(to, from, n); }
