// SPDX-License-Identifier: MIT
// program_cuda.c -- host programs with CUDA's run-time calls.
#include "emit/program.h"

static void head(Printer *p, const Nest *n, const char *kernels) {
    put(p,
        "// %s: nvcc -O3 --fmad=false -o %s %s.cu\n"
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <cuda_runtime.h>\n\n"
        "%s\n"
        "static void sculpt_must(cudaError_t e)\n"
        "{\n"
        "    if (e != cudaSuccess) {\n"
        "        fprintf(stderr, \"CUDA: %%s\\n\", cudaGetErrorString(e));\n"
        "        exit(1);\n"
        "    }\n"
        "}\n\n",
        n->region->name, n->region->name, n->region->name, kernels);
}

static void setup(Printer *p, const Nest *n) {
    (void)n;
    put_line(p, "cudaEvent_t sculpt_begin, sculpt_end;");
    put_line(p, "sculpt_must(cudaEventCreate(&sculpt_begin));");
    put_line(p, "sculpt_must(cudaEventCreate(&sculpt_end));");
}

static void processors(Printer *p, const char *name) {
    put_line(p, "int sculpt_processors = 1;");
    put_line(p,
             "sculpt_must(cudaDeviceGetAttribute(&sculpt_processors, cudaDevAttrMultiProcessorCount, 0));");
    put_line(p, "const long long %s = sculpt_processors;", name);
}

static void array(Printer *p, const char *name, const char *type) {
    put_line(p, "%s *%s;", type, name);
    put_line(p, "sculpt_must(cudaMalloc((void **)&%s, sculpt_bytes_%s));", name, name);
    put_line(p, "sculpt_must(cudaMemcpy(%s, sculpt_host_%s, sculpt_bytes_%s, cudaMemcpyHostToDevice));",
             name, name, name);
}

static void temporary(Printer *p, const Array *a, bool begin) {
    const char *name = emit_name(p, a->name);
    if (begin) {
        put_line(p, "%s *%s;", emit_type(p, a->elem), name);
        put_line(p, "sculpt_must(cudaMalloc((void **)&%s, %s));", name, program_bytes(p, a));
    } else {
        put_line(p, "sculpt_must(cudaFree(%s));", name);
    }
}

static void start(Printer *p) {
    put_line(p, "sculpt_must(cudaEventRecord(sculpt_begin));");
}

static void launch(Printer *p, Node *kernel) {
    const char *size[6];
    program_grid(p, kernel, size);
    KernelSig *sig = ir_kernel_sig(p->a, kernel);
    put_line(p, "if ((long long)(%s) > 0 && (long long)(%s) > 0 && (long long)(%s) > 0) {", size[0],
             size[1], size[2]);
    p->indent++;
    int64_t shared = emit_launch_shared(p->a, kernel, DIALECT_CUDA);
    if (shared)
        put_line(p, "sculpt_must(cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                    "%lld));", kernel->name, (long long)shared);
    put_indent(p);
    put(p, "%s<<<dim3(%s, %s, %s), dim3(%s, %s, %s)%s>>>(", kernel->name, size[0], size[1], size[2],
        size[3], size[4], size[5], shared ? arena_printf(p->a, ", %lld", (long long)shared) : "");
    for (int k = 0; k < sig->narrays; k++) put(p, "%s%s", k ? ", " : "", object_name(p, sig->arrays[k]));
    for (int k = 0; k < sig->nsyms; k++)
        put(p, "%s%s", k || sig->narrays ? ", " : "", emit_sym(p, sig->syms[k]));
    put(p, ");\n");
    put_line(p, "sculpt_must(cudaGetLastError());");
    p->indent--;
    put_line(p, "}");
}

static void stop(Printer *p) {
    put_line(p, "float sculpt_ms = 0;");
    put_line(p, "sculpt_must(cudaEventRecord(sculpt_end));");
    put_line(p, "sculpt_must(cudaEventSynchronize(sculpt_end));");
    put_line(p, "sculpt_must(cudaEventElapsedTime(&sculpt_ms, sculpt_begin, sculpt_end));");
    put_line(p, "const double sculpt_seconds = 1e-3 * sculpt_ms;");
}

static void fetch(Printer *p, const char *name) {
    put_line(p, "sculpt_must(cudaMemcpy(sculpt_host_%s, %s, sculpt_bytes_%s, cudaMemcpyDeviceToHost));",
             name, name, name);
}

const ProgramOps program_cuda = {&dialect_cuda, head,  setup, processors, array, temporary,
                                 start,         launch, stop, fetch};
