// SPDX-License-Identifier: MIT
// program_opencl.c -- host programs in C with OpenCL's calls; the kernels are a string in them.
#include "emit/program.h"

// Each line of the text as a string literal of its own.
static void put_quoted(Printer *p, const char *s) {
    put(p, "static const char sculpt_source[] =");
    bool open = false;
    for (; *s; s++) {
        put(p, "%s", open ? "" : "\n    \"");
        open = *s != '\n';
        if (*s == '\n')
            put(p, "\\n\"");
        else
            put(p, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
    }
    put(p, "%s;\n\n", open ? "\"" : "");
}

static void head(Printer *p, const Nest *n, const char *kernels) {
    const char *name = n->region->name;
    put(p,
        "// %s: cc -O2 -o %s %s.c -lOpenCL\n"
        "#define CL_TARGET_OPENCL_VERSION 120\n"
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
        "#include <CL/cl.h>\n\n", name, name, name);
    put_quoted(p, kernels);
    put(p, "%s",
        "static void sculpt_must(cl_int e)\n"
        "{\n"
        "    if (e != CL_SUCCESS) {\n"
        "        fprintf(stderr, \"OpenCL: error %d\\n\", (int)e);\n"
        "        exit(1);\n"
        "    }\n"
        "}\n\n"
        "static double sculpt_now(void)\n"
        "{\n"
        "    struct timespec t;\n"
        "    timespec_get(&t, TIME_UTC);\n"
        "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n"
        "}\n\n"
        "static cl_program sculpt_build(cl_context context, cl_device_id device)\n"
        "{\n"
        "    cl_int e;\n"
        "    const char *source = sculpt_source;\n"
        "    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);\n"
        "    sculpt_must(e);\n"
        "    if (clBuildProgram(program, 1, &device, \"\", NULL, NULL) != CL_SUCCESS) {\n"
        "        static char log[65536];\n"
        "        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);\n"
        "        fprintf(stderr, \"%s\\n\", log);\n"
        "        exit(1);\n"
        "    }\n"
        "    return program;\n"
        "}\n\n");
}

static void setup(Printer *p, const Nest *n) {
    put_line(p, "cl_int sculpt_error;");
    put_line(p, "cl_platform_id sculpt_platform;");
    put_line(p, "cl_device_id sculpt_device;");
    put_line(p, "const cl_long sculpt_zero = 0;");
    put_line(p, "sculpt_must(clGetPlatformIDs(1, &sculpt_platform, NULL));");
    put_line(p, "sculpt_must(clGetDeviceIDs(sculpt_platform, CL_DEVICE_TYPE_ALL, 1, "
                "&sculpt_device, NULL));");
    put_line(p, "cl_context sculpt_context =");
    put_line(p, "    clCreateContext(NULL, 1, &sculpt_device, NULL, NULL, &sculpt_error);");
    put_line(p, "sculpt_must(sculpt_error);");
    put_line(p, "cl_command_queue sculpt_queue =");
    put_line(p, "    clCreateCommandQueue(sculpt_context, sculpt_device, 0, &sculpt_error);");
    put_line(p, "sculpt_must(sculpt_error);");
    put_line(p, "cl_program sculpt_program = sculpt_build(sculpt_context, sculpt_device);");
    node_each(k, n->root) {
        if (k->kind != N_KERNEL) continue;
        put_line(p, "cl_kernel sculpt_kernel_%s = clCreateKernel(sculpt_program, \"%s\", &sculpt_error);",
                 k->name, k->name);
        put_line(p, "sculpt_must(sculpt_error);");
    }
}

static void processors(Printer *p, const char *name) {
    put_line(p, "cl_uint sculpt_processors = 1;");
    put_line(p, "sculpt_must(clGetDeviceInfo(sculpt_device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof "
                "sculpt_processors, &sculpt_processors, NULL));");
    put_line(p, "const long long %s = sculpt_processors;", name);
}

static void array(Printer *p, const char *name, const char *type) {
    (void)type;
    put_line(p, "cl_mem %s = clCreateBuffer(sculpt_context, CL_MEM_COPY_HOST_PTR, sculpt_bytes_%s, "
                "sculpt_host_%s, &sculpt_error);", name, name, name);
    put_line(p, "sculpt_must(sculpt_error);");
}

static void temporary(Printer *p, const Array *a, bool begin) {
    const char *name = emit_name(p, a->name);
    if (!begin) {
        put_line(p, "clReleaseMemObject(%s);", name);
        return;
    }
    put_line(p, "cl_mem %s = clCreateBuffer(sculpt_context, 0, %s, NULL, &sculpt_error);", name,
             program_bytes(p, a));
    put_line(p, "sculpt_must(sculpt_error);");
}

static void start(Printer *p) {
    put_line(p, "sculpt_must(clFinish(sculpt_queue));");
    put_line(p, "const double sculpt_begin = sculpt_now();");
}

static void launch(Printer *p, Node *kernel) {
    const char *size[6];
    int arg = 0;
    program_grid(p, kernel, size);
    KernelSig *sig = ir_kernel_sig(p->a, kernel);
    put_line(p, "if ((long long)(%s) > 0 && (long long)(%s) > 0 && (long long)(%s) > 0) {", size[0],
             size[1], size[2]);
    p->indent++;
    put_line(p, "const size_t sculpt_local[3] = {%s, %s, %s};", size[3], size[4], size[5]);
    put_line(p, "const size_t sculpt_global[3] = {sculpt_local[0] * (size_t)(%s), "
                "sculpt_local[1] * (size_t)(%s), sculpt_local[2] * (size_t)(%s)};",
             size[0], size[1], size[2]);
    for (int k = 0; k < sig->narrays; k++, arg += 2) {
        put_line(p, "sculpt_must(clSetKernelArg(sculpt_kernel_%s, %d, sizeof(cl_mem), &%s));",
                 kernel->name, arg, object_name(p, sig->arrays[k]));
        put_line(p, "sculpt_must(clSetKernelArg(sculpt_kernel_%s, %d, sizeof(cl_long), &sculpt_zero));",
                 kernel->name, arg + 1);
    }
    for (int k = 0; k < sig->nsyms; k++, arg++)
        put_line(p, "sculpt_must(clSetKernelArg(sculpt_kernel_%s, %d, sizeof(%s), &%s));", kernel->name,
                 arg, emit_type(p, sig->syms[k]->type), emit_sym(p, sig->syms[k]));
    put_line(p, "sculpt_must(clEnqueueNDRangeKernel(sculpt_queue, sculpt_kernel_%s, 3, NULL, "
                "sculpt_global, sculpt_local, 0, NULL, NULL));", kernel->name);
    p->indent--;
    put_line(p, "}");
}

static void stop(Printer *p) {
    put_line(p, "sculpt_must(clFinish(sculpt_queue));");
    put_line(p, "const double sculpt_seconds = sculpt_now() - sculpt_begin;");
}

static void fetch(Printer *p, const char *name) {
    put_line(p, "sculpt_must(clEnqueueReadBuffer(sculpt_queue, %s, CL_TRUE, 0, sculpt_bytes_%s, "
                "sculpt_host_%s, 0, NULL, NULL));", name, name, name);
}

const ProgramOps program_opencl = {&dialect_opencl, head,   setup, processors, array, temporary,
                                   start,           launch, stop,  fetch};
