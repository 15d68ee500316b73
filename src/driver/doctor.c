// SPDX-License-Identifier: MIT
// doctor.c -- `sculpt doctor`: what is here, what lacks, and how to get it.
#include "device/cuda_nvrtc.h"
#include "device/device.h"
#include "driver/driver.h"
#include "run/run.h"

// found: what stands there; NULL: it lacks, and `cure` says what to do.
static bool tell(const char *what, const char *found, const char *why, const char *cure) {
    printf("%-9s %-18s %s\n", found ? "here" : "not here", what, found ? found : why);
    if (!found && *cure) printf("%-28s %s\n", "", cure);
    return found != NULL;
}

static bool look_at_compiler(Arena *a) {
    Strings words = {0};
    bool any = host_compiler(a, &words);
    const char *path = any ? path_find(a, env_path(), words.at[0]) : NULL;
    return tell("C compiler", path ? path : any ? words.at[0] : NULL, "no gcc, cc or clang in PATH",
                "apt-get install gcc, or SCULPT_CC=COMPILER");
}

// True: at least one of that kind can be used.
static bool look_at_devices(Arena *a, const DeviceOps *ops, const char *cure) {
    const char *why = "none is found";
    bool any = false;
    for (int i = 0, n = ops->count(); i < n; i++) {
        const char *spec = ops->spec(a, i);
        Device *d = spec ? ops->open(a, spec, &why) : NULL;
        if (d) any = tell(spec, ops->info(d)->name, "", "");
    }
    if (!any) ops->open(a, ops->kind, &why);
    return any || tell(ops->kind, NULL, why, cure);
}

static void look_at_cache(Arena *a) {
    const char *why = "";
    Cache *k = cache_open(a, &why);
    if (k && !*why) tell("kernel cache", cache_path(k), "", "");
    else if (!*why) tell("kernel cache", NULL, "it is switched off", "unset SCULPT_CACHE_MAX");
    else
        tell("kernel cache", NULL, why,
             "SCULPT_CACHE_DIR=FOLDER, one that is yours alone (chmod 700); until then kernels are compiled "
             "in each run");
}

static void look_at_folder(Arena *a) {
    const char *why, *base = temp_base(a, &why);
    tell("temporary files", *why ? NULL : base, why,
         base ? arena_printf(a, "%s is used", base) : "TMPDIR=FOLDER, one that is yours alone");
}

static void look_at_tools(Arena *a) {
    Nvrtc *rtc = nvrtc_find(a, 0);
    tell("NVRTC", rtc ? nvrtc_path(rtc) : NULL,
         "no libnvrtc.so in CUDA_HOME, LD_LIBRARY_PATH or the usual folders",
         "only for NVIDIA's GPUs: CUDA's toolkit, or its package cuda-nvrtc; without it OpenCL is used");
    tell("nvdisasm", advice_tool(a, "nvdisasm"), "not in PATH",
         "only for 'explain --registers': CUDA's toolkit");
}

int doctor_main(int argc, char **argv) {
    if (argc) return usage_error("doctor", "'%s' is not known", argv[0]);
    Arena *a = arena_new();
    const char *library = host_library_dir(a);
    bool ready = look_at_compiler(a);
    if (!tell("libsculpt", library, "not beside this program", "make, or make install PREFIX=FOLDER"))
        ready = false;
    bool cuda = look_at_devices(a, device_kinds[0],
                                "NVIDIA's driver (apt-get install nvidia-driver), where there is such a GPU");
    bool opencl =
        look_at_devices(a, device_kinds[1],
                        "the vendor's OpenCL driver; for processors apt-get install pocl-opencl-icd");
    bool cpu = look_at_devices(a, device_kinds[2], "apt-get install gcc, or SCULPT_HOST_CC=COMPILER");
    look_at_cache(a);
    look_at_folder(a);
    look_at_tools(a);
    ready = ready && (cuda || opencl || cpu);
    puts(ready ? "\nPrograms can be compiled, and their marked loops have a device."
               : "\nSomething that sculpt needs lacks.");
    arena_free(a);
    return !ready;
}
