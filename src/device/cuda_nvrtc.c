// SPDX-License-Identifier: MIT
// cuda_nvrtc.c -- CUDA C++ to machine code through libnvrtc, opened when first needed.
#include "device/cuda_nvrtc.h"
#include "base/guest.h"
#include "device/driver.h"
#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

typedef struct Program_ *Program; // nvrtcProgram

// One row an entry point: RTC(name, parameters). Each returns 0 for success.
#define NVRTC_ENTRY_POINTS(RTC)                                                                    \
    RTC(nvrtcGetNumSupportedArchs, (int *n))                                                       \
    RTC(nvrtcGetSupportedArchs, (int *archs))                                                      \
    RTC(nvrtcCreateProgram, (Program * p, const char *source, const char *name, int headers,       \
                             const char *const *texts, const char *const *names))                  \
    RTC(nvrtcDestroyProgram, (Program * p))                                                        \
    RTC(nvrtcCompileProgram, (Program p, int n, const char *const *options))                       \
    RTC(nvrtcGetPTXSize, (Program p, size_t *size))                                                \
    RTC(nvrtcGetPTX, (Program p, char *text))                                                      \
    RTC(nvrtcGetCUBINSize, (Program p, size_t *size))                                              \
    RTC(nvrtcGetCUBIN, (Program p, char *bytes))                                                   \
    RTC(nvrtcGetProgramLogSize, (Program p, size_t *size))                                         \
    RTC(nvrtcGetProgramLog, (Program p, char *text))

struct Nvrtc {
    const char *file;     // what dlopen takes
    const char *identity; // file, size, date
    void *lib;            // NULL: not opened yet; never closed
#define RTC(name, parameters) int(*name) parameters;
    NVRTC_ENTRY_POINTS(RTC)
#undef RTC
};

// ---- finding -----------------------------------------------------------------------------

static void add_folders(Text *t, const char *root) {
    static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib",
                                        "targets/sbsa-linux/lib"};
    for (int i = 0; root && i < 4; i++) text_printf(t, ":%s/%s", root, below[i]);
}

// Where toolkits and distributions put the library, in the order of preference.
static const char *folders(Arena *a) {
    Text t = text_new(a);
    add_folders(&t, env_get("CUDA_PATH"));
    add_folders(&t, env_get("CUDA_HOME"));
    const char *own = env_get("LD_LIBRARY_PATH");
    if (own) text_printf(&t, ":%s", own);
    add_folders(&t, "/usr/local/cuda");
    glob_t g;
    if (glob("/usr/local/cuda-*", 0, NULL, &g) == 0) {
        for (size_t i = g.gl_pathc; i > 0; i--) add_folders(&t, g.gl_pathv[i - 1]);
        globfree(&g);
    }
    text_put(&t, ":/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:/usr/lib64:/usr/lib"
                 ":/opt/cuda/lib64:/usr/local/lib");
    return text_str(&t);
}

static char *find_release(Arena *a, const char *list, int release) {
    // Releases 11.0 to 11.2 carried the minor number in the name.
    if (release != 11) return path_find(a, list, arena_printf(a, "libnvrtc.so.%d", release));
    static const char *const names[] = {"libnvrtc.so.11", "libnvrtc.so.11.2", "libnvrtc.so.11.1",
                                        "libnvrtc.so.11.0"};
    char *file = NULL;
    for (int i = 0; i < 4 && !file; i++) file = path_find(a, list, names[i]);
    return file;
}

Nvrtc *nvrtc_find(Arena *a, int release) {
    enum { NEWEST = 20, OLDEST = 11 };
    const char *list = folders(a);
    char *file = release ? find_release(a, list, release) : NULL;
    // Older ones before newer ones: an older driver may refuse what a newer compiler makes.
    for (int r = release ? release - 1 : NEWEST; !file && r >= OLDEST; r--) file = find_release(a, list, r);
    for (int r = release + 1; !file && release && r <= NEWEST; r++) file = find_release(a, list, r);
    if (!file) return NULL;
    Nvrtc *n = NEW(a, Nvrtc);
    n->file = file;
    n->identity = path_identity(a, file);
    return n;
}

const char *nvrtc_identity(const Nvrtc *n) { return n->identity; }
const char *nvrtc_path(const Nvrtc *n) { return n->file; }

static bool open_(Arena *a, Nvrtc *n, char **log) {
    if (n->lib) return true;
    void *lib = library_open(n->file, RTLD_LAZY | RTLD_LOCAL);
    if (!lib) {
        const char *why = dlerror();
        *log = arena_printf(a, "%s can't be loaded: %s", n->file, why ? why : "?");
        return false;
    }
    struct {
        const char *name; // as the library exports it
        void **at;        // where the address goes
    } points[] = {
#define RTC(name, parameters) {#name, (void **)&n->name},
        NVRTC_ENTRY_POINTS(RTC)
#undef RTC
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        *points[i].at = dlsym(lib, points[i].name);
        if (*points[i].at) continue;
        *log = arena_printf(a, "%s is too old: it has no %s", n->file, points[i].name);
        return false;
    }
    n->lib = lib;
    return true;
}

// ---- compiling ---------------------------------------------------------------------------

// The highest architecture that the library knows and that the device can run code for.
static int known_arch(Arena *a, Nvrtc *n, int arch) {
    int count = 0, best = 0;
    if (n->nvrtcGetNumSupportedArchs(&count) || count <= 0) return arch;
    int *archs = NEW_N(a, int, count);
    if (n->nvrtcGetSupportedArchs(archs)) return arch;
    for (int i = 0; i < count; i++)
        if (archs[i] <= arch && archs[i] > best) best = archs[i];
    return best ? best : arch;
}

static bool fetch(Arena *a, Nvrtc *n, Program p, bool cubin, void **image, size_t *size) {
    if (cubin ? n->nvrtcGetCUBINSize(p, size) : n->nvrtcGetPTXSize(p, size)) return false;
    if (*size == 0) return false;
    *image = arena_alloc(a, *size);
    return !(cubin ? n->nvrtcGetCUBIN(p, *image) : n->nvrtcGetPTX(p, *image));
}

static char *log_of(Arena *a, Nvrtc *n, Program p) {
    size_t size = 0;
    if (n->nvrtcGetProgramLogSize(p, &size) || size <= 1) return arena_strdup(a, "");
    char *text = arena_alloc(a, size + 1);
    return n->nvrtcGetProgramLog(p, text) ? arena_strdup(a, "") : text;
}

// Nothing is contracted: the text says fma where it means it. Denormals are kept, division and
// square root are correctly rounded, unless the text's own options ask for less.
static void options(Arena *a, Words *w, int arch, bool cubin, const char *source) {
    static const char common[] = "--std=c++17 -default-device";
    static const char exact[] = "--fmad=false --prec-div=true --prec-sqrt=true --ftz=false";
    vec_push(a, w, arena_printf(a, "--gpu-architecture=%s_%d", cubin ? "sm" : "compute", arch));
    words_split(a, w, common, sizeof common - 1);
    Words asked = {0};
    words_of_source(a, &asked, source);
    if (!words_have_prefix(&asked, "--use_fast_math") && !words_have_prefix(&asked, "-use_fast_math") &&
        !words_have_prefix(&asked, "--fmad"))
        words_split(a, w, exact, sizeof exact - 1);
    for (int i = 0; i < asked.n; i++) vec_push(a, w, asked.at[i]);
}

bool nvrtc_compile(Arena *a, Nvrtc *n, int arch, const char *source, void **image, size_t *size,
                   char **log) {
    if (!open_(a, n, log)) return false;
    int known = known_arch(a, n, arch);
    bool cubin = known == arch;
    Words w = {0};
    options(a, &w, known, cubin, source);
    Program p = NULL;
    if (n->nvrtcCreateProgram(&p, source, "kernels.cu", 0, NULL, NULL)) {
        *log = arena_strdup(a, "nvrtcCreateProgram failed");
        return false;
    }
    int rc = n->nvrtcCompileProgram(p, w.n, (const char *const *)w.at);
    *log = log_of(a, n, p);
    bool ok = rc == 0 && fetch(a, n, p, cubin, image, size);
    if (!ok && !**log) *log = arena_printf(a, "NVRTC failed with %d, options: %s", rc, words_join(a, &w));
    n->nvrtcDestroyProgram(&p);
    return ok;
}
