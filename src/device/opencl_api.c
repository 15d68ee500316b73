// SPDX-License-Identifier: MIT
// opencl_api.c -- opens OpenCL's loader and lists what it finds.
#include "device/opencl_api.h"
#include "base/guest.h"
#include <dlfcn.h>
#include <string.h>

char *opencl_platform_text(Arena *a, const OpenclApi *cl, cl_platform_id p, cl_platform_info what) {
    size_t n = 0;
    if (cl->clGetPlatformInfo(p, what, 0, NULL, &n) || n == 0) return arena_strdup(a, "");
    char *s = arena_alloc(a, n + 1);
    return cl->clGetPlatformInfo(p, what, n, s, NULL) ? arena_strdup(a, "") : s;
}

char *opencl_device_text(Arena *a, const OpenclApi *cl, cl_device_id d, cl_device_info what) {
    size_t n = 0;
    if (cl->clGetDeviceInfo(d, what, 0, NULL, &n) || n == 0) return arena_strdup(a, "");
    char *s = arena_alloc(a, n + 1);
    return cl->clGetDeviceInfo(d, what, n, s, NULL) ? arena_strdup(a, "") : s;
}

void opencl_device_value(const OpenclApi *cl, cl_device_id d, cl_device_info what, void *value,
                         size_t size) {
    memset(value, 0, size);
    if (cl->clGetDeviceInfo(d, what, size, value, NULL)) memset(value, 0, size);
}

// Debian's and NVIDIA's packages don't always leave a vendor file for the loader. NVIDIA's
// library can be asked for its platforms by the same function that the loader calls; the
// loader's entry points work on them, since each object carries its vendor's own table.
static void add_nvidia(Arena *a, OpenclApi *cl) {
    for (int i = 0; i < cl->platforms.n; i++)
        if (strstr(opencl_platform_text(a, cl, cl->platforms.at[i], CL_PLATFORM_VENDOR), "NVIDIA")) return;
    void *lib = library_open("libnvidia-opencl.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!lib) return;
    void *(*function)(const char *) =
        (void *(*)(const char *))dlsym(lib, "clGetExtensionFunctionAddress");
    if (!function) return;
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) =
        (cl_int(*)(cl_uint, cl_platform_id *, cl_uint *))function("clIcdGetPlatformIDsKHR");
    cl_platform_id p[4];
    cl_uint n = 0;
    if (!list || list(4, p, &n)) return;
    for (cl_uint i = 0; i < n && i < 4; i++) vec_push(a, &cl->platforms, p[i]);
}

static void list_platforms(Arena *a, OpenclApi *cl) {
    cl_uint n = 0;
    if (cl->clGetPlatformIDs(0, NULL, &n) == CL_SUCCESS && n > 0) {
        cl_platform_id *p = NEW_N(a, cl_platform_id, n);
        if (cl->clGetPlatformIDs(n, p, NULL) == CL_SUCCESS)
            for (cl_uint i = 0; i < n; i++) vec_push(a, &cl->platforms, p[i]);
    }
    add_nvidia(a, cl);
}

// Neither the loader nor what it loads is ever closed: they have threads and exit handlers.
const OpenclApi *opencl_api_open(Arena *a, const char **why) {
    void *lib = library_open("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        *why = "no OpenCL loader (libOpenCL.so.1)";
        return NULL;
    }
    OpenclApi *cl = NEW(a, OpenclApi);
    struct {
        const char *name; // as the library exports it
        void **at;        // where the address goes
    } points[] = {
#define CL(name) {#name, (void **)&cl->name},
        OPENCL_ENTRY_POINTS(CL)
#undef CL
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        *points[i].at = dlsym(lib, points[i].name);
        if (*points[i].at) continue;
        *why = arena_printf(a, "the OpenCL loader is too old: it has no %s", points[i].name);
        return NULL;
    }
    list_platforms(a, cl);
    if (cl->platforms.n == 0) {
        *why = "OpenCL has no platform here (no vendor's driver is installed)";
        return NULL;
    }
    return cl;
}

int opencl_devices(Arena *a, const OpenclApi *cl, cl_platform_id p, cl_device_type type,
                   cl_device_id **out) {
    cl_uint n = 0;
    *out = NULL;
    if (cl->clGetDeviceIDs(p, type, 0, NULL, &n) != CL_SUCCESS || n == 0) return 0;
    *out = NEW_N(a, cl_device_id, n);
    return cl->clGetDeviceIDs(p, type, n, *out, NULL) == CL_SUCCESS ? (int)n : 0;
}

char *opencl_error(Arena *a, cl_int rc) {
    static const struct {
        cl_int rc;
        const char *name;
    } names[] = {
#define E(x) {x, #x}
        E(CL_DEVICE_NOT_AVAILABLE), E(CL_COMPILER_NOT_AVAILABLE),
        E(CL_MEM_OBJECT_ALLOCATION_FAILURE), E(CL_OUT_OF_RESOURCES), E(CL_OUT_OF_HOST_MEMORY),
        E(CL_PROFILING_INFO_NOT_AVAILABLE), E(CL_BUILD_PROGRAM_FAILURE), E(CL_INVALID_VALUE),
        E(CL_INVALID_DEVICE), E(CL_INVALID_MEM_OBJECT), E(CL_INVALID_BINARY),
        E(CL_INVALID_BUILD_OPTIONS), E(CL_INVALID_KERNEL_NAME), E(CL_INVALID_ARG_INDEX),
        E(CL_INVALID_ARG_VALUE), E(CL_INVALID_ARG_SIZE), E(CL_INVALID_KERNEL_ARGS),
        E(CL_INVALID_WORK_GROUP_SIZE), E(CL_INVALID_WORK_ITEM_SIZE),
        E(CL_INVALID_GLOBAL_WORK_SIZE), E(CL_INVALID_BUFFER_SIZE)
#undef E
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].rc == rc) return arena_strdup(a, names[i].name);
    return arena_printf(a, "OpenCL error %d", (int)rc);
}
