// SPDX-License-Identifier: MIT
// advice_code.c -- the advisor and machine code: registers as the compiler gave them, instructions as the
// disassembler prints them.
#include "device/cubin.h"
#include "device/cuda_nvrtc.h"
#include "driver/explain.h"
#include <stdlib.h>

// The kernels' machine code by NVRTC; NULL with a reason.
static void *compile_nest(Compile *c, const Advice *d, Advised *v, size_t *size) {
    Arena *a = c->arena;
    EmitOptions e = {.dialect = DIALECT_CUDA, .fast_math = c->fast_math};
    int diags = c->diags.n;
    Nvrtc *rtc = d->m->compute ? nvrtc_find(a, 0) : NULL;
    char *source = rtc ? emit_kernels(c, v->nest, &e) : NULL, *log = NULL;
    void *image = NULL;
    diag_forget(c, diags);
    v->compiler = !rtc ? "there is no NVRTC here" : !source ? "these kernels have no text" : NULL;
    if (v->compiler || nvrtc_compile(a, rtc, d->m->compute, source, &image, size, &log)) return image;
    v->compiler = log;
    return NULL;
}

const char *advice_tool(Arena *a, const char *name) {
    const char *home = env_get("CUDA_HOME"), *other = env_get("CUDA_PATH");
    const char *list = arena_printf(a, "%s:%s/bin:%s/bin:/usr/local/cuda/bin:/opt/cuda/bin", env_path(),
                                    home ? home : "", other ? other : "");
    return path_find(a, list, name);
}

static const char *disassemble(Arena *a, const void *image, size_t size, const char **why) {
    const char *tool = advice_tool(a, "nvdisasm");
    *why = "there is no nvdisasm here";
    const char *folder = tool ? temp_folder(a, why) : NULL;
    if (!folder) return NULL;
    char *name = arena_printf(a, "%s/image", folder), *text = NULL;
    char *const argv[] = {(char *)tool, (char *)"-c", name, NULL};
    *why = "the disassembler does not take it";
    return file_write(name, image, size) && process_run(a, argv, &text, NULL) == 0 ? text : NULL;
}

static void look_at(Compile *c, const Advice *d, Advised *v, const void *image, size_t size) {
    Arena *a = c->arena;
    const char *text = disassemble(a, image, size, &v->code_why);
    if (text) v->code = NEW_N(a, SassMix, v->cost->nkernels + 1);
    v->cost->seconds = v->cost->read_backs * model_wait(d->m);
    for (int k = 0; k < v->cost->nkernels; k++) {
        KernelUsage u = {0};
        const char *name = v->cost->kernels[k]->name, *symbol = cubin_symbol(image, size, name);
        bool known = symbol && cubin_usage(image, size, symbol, &u);
        if (known && u.local > v->cost->kernels[k]->local)
            v->cost->kernels[k]->spilled = u.local - v->cost->kernels[k]->local;
        if (known) v->cost->times[k] = model_time(v->cost->kernels[k], d->m, u.registers, NULL);
        else
            v->compiler = arena_printf(a, "there is no %s in the machine code for compute capability %d.%d",
                                       name, d->m->compute / 10, d->m->compute % 10);
        if (v->code && symbol) v->code[k] = sass_mix(a, text, symbol);
        v->cost->seconds += v->cost->times[k].all;
    }
}

void advice_compile(Compile *c, const Advice *d, Advised *v) {
    size_t size = 0;
    void *image = d->cubin ? file_read(c->arena, d->cubin, &size) : compile_nest(c, d, v, &size);
    bool all = image != NULL;
    for (int k = 0; k < v->cost->nkernels && all; k++)
        all = cubin_symbol(image, size, v->cost->kernels[k]->name) != NULL;
    // a template that the file itself never makes
    if (d->cubin && d->compile && !all) image = compile_nest(c, d, v, &size);
    if (image) look_at(c, d, v, image, size);
    else if (d->cubin) v->compiler = arena_printf(c->arena, "cannot read %s", d->cubin);
}

void advice_registers(const Advice *d, Advised *v) {
    v->cost->seconds = v->cost->read_backs * model_wait(d->m);
    for (int k = 0; k < v->cost->nkernels; k++) {
        for (int i = 0; i < d->registers.n; i++)
            if (str_eq(d->registers.at[i].name, v->cost->kernels[k]->name))
                v->cost->times[k] =
                    model_time(v->cost->kernels[k], d->m, strtoll(d->registers.at[i].value, NULL, 10), NULL);
        v->cost->seconds += v->cost->times[k].all;
    }
}

bool advice_compile_file(Arena *a, Advice *d, const char *file, int nflags, const char *const *flags) {
    const char *nvcc = d->m->compute ? advice_tool(a, "nvcc") : NULL;
    const char *why, *folder = nvcc && str_has_suffix(file, ".cu") ? temp_folder(a, &why) : NULL;
    char *name = arena_printf(a, "%s/image", folder ? folder : ""), *err = NULL;
    int n = 0;
    if (!folder) return false;
    const char **argv = NEW_N(a, const char *, nflags + 8);
    argv[n++] = nvcc, argv[n++] = "-w", argv[n++] = "-cubin";
    argv[n++] = arena_printf(a, "-arch=sm_%d", d->m->compute);
    argv[n++] = "-o", argv[n++] = name;
    for (int k = 0; k < nflags; k++) argv[n++] = flags[k];
    argv[n] = file;
    if (process_run(a, (char *const *)argv, NULL, &err) == 0) return d->cubin = name, true;
    return false; // kernels that were read are printed and compiled instead
}
