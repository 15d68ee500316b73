// SPDX-License-Identifier: MIT
// opencl_api.h -- OpenCL's entry points, found when the program runs.
#ifndef SCULPT_OPENCL_API_H
#define SCULPT_OPENCL_API_H
#include "base/base.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// All of OpenCL 1.2; one row an entry point.
#define OPENCL_ENTRY_POINTS(CL)                                                                    \
    CL(clGetPlatformIDs)                                                                           \
    CL(clGetPlatformInfo)                                                                          \
    CL(clGetDeviceIDs)                                                                             \
    CL(clGetDeviceInfo)                                                                            \
    CL(clCreateContext)                                                                            \
    CL(clReleaseContext)                                                                           \
    CL(clCreateCommandQueue)                                                                       \
    CL(clReleaseCommandQueue)                                                                      \
    CL(clCreateBuffer)                                                                             \
    CL(clReleaseMemObject)                                                                         \
    CL(clCreateProgramWithSource)                                                                  \
    CL(clCreateProgramWithBinary)                                                                  \
    CL(clBuildProgram)                                                                             \
    CL(clGetProgramInfo)                                                                           \
    CL(clGetProgramBuildInfo)                                                                      \
    CL(clReleaseProgram)                                                                           \
    CL(clCreateKernel)                                                                             \
    CL(clReleaseKernel)                                                                            \
    CL(clSetKernelArg)                                                                             \
    CL(clEnqueueWriteBuffer)                                                                       \
    CL(clEnqueueReadBuffer)                                                                        \
    CL(clEnqueueWriteBufferRect)                                                                   \
    CL(clEnqueueReadBufferRect)                                                                    \
    CL(clEnqueueNDRangeKernel)                                                                     \
    CL(clEnqueueMarkerWithWaitList)                                                                \
    CL(clEnqueueBarrierWithWaitList)                                                               \
    CL(clWaitForEvents)                                                                            \
    CL(clGetEventProfilingInfo)                                                                    \
    CL(clReleaseEvent)                                                                             \
    CL(clFlush)                                                                                    \
    CL(clFinish)

typedef struct OpenclApi {
#define CL(name) __typeof__(name) *name;
    OPENCL_ENTRY_POINTS(CL)
#undef CL
    VEC(cl_platform_id) platforms; // those of the loader, then NVIDIA's if it had to be fetched
} OpenclApi;

// Opens the loader (libOpenCL.so.1) and lists the platforms. NULL with a reason in *why.
const OpenclApi *opencl_api_open(Arena *a, const char **why);
// The devices of a platform, those of `type` only; their number.
int opencl_devices(Arena *a, const OpenclApi *cl, cl_platform_id p, cl_device_type type,
                   cl_device_id **out);
char *opencl_platform_text(Arena *a, const OpenclApi *cl, cl_platform_id p, cl_platform_info what);
char *opencl_device_text(Arena *a, const OpenclApi *cl, cl_device_id d, cl_device_info what);
// A value of `size` bytes, zero where the device doesn't know it.
void opencl_device_value(const OpenclApi *cl, cl_device_id d, cl_device_info what, void *value,
                         size_t size);
// "CL_OUT_OF_RESOURCES", or the number as text for a rare one.
char *opencl_error(Arena *a, cl_int rc);
#endif
