// SPDX-License-Identifier: MIT
// cuda_api.h -- the entry points of NVIDIA's driver that are used, found when the program runs.
//
// No header of the CUDA toolkit is needed to build. Names with _v2 are the 64-bit forms that
// every driver since CUDA 4 exports; their meaning is NVIDIA's Driver API reference.
#ifndef SCULPT_CUDA_API_H
#define SCULPT_CUDA_API_H
#include "base/base.h"

typedef int CuResult; // 0: success
typedef int CuDev;
typedef uint64_t CuPtr;
typedef struct CUctx_st *CuContext;
typedef struct CUmod_st *CuModule;
typedef struct CUfunc_st *CuFunction;
typedef struct CUevent_st *CuEvent;
typedef struct CUstream_st *CuStream;
typedef struct CUgraph_st *CuGraph;
typedef struct CUgraphExec_st *CuGraphExec;
typedef struct CUgraphNode_st *CuGraphNode;

enum {
    CU_MAX_THREADS_PER_BLOCK = 1,
    CU_MAX_GRID_X = 5,
    CU_MAX_GRID_Y = 6,
    CU_MAX_GRID_Z = 7,
    CU_SHARED_PER_BLOCK = 8,
    CU_WARP_SIZE = 10,
    CU_MAX_PITCH = 11,
    CU_MULTIPROCESSORS = 16,
    CU_COMPUTE_MODE = 20,
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_CLOCK_RATE = 13,
    CU_MEMORY_KHZ = 36,
    CU_MEMORY_BITS = 37,
    CU_L2_BYTES = 38,
    CU_THREADS_PER_SM = 39,
    CU_SHARED_PER_SM = 81,
    CU_REGISTERS_PER_SM = 82,
    CU_BLOCKS_PER_SM = 106,
    CU_SHARED_RESERVED = 111,
    CU_SHARED_PER_BLOCK_OPTIN = 97, // attributes
    CU_FUNCTION_SHARED = 1,
    CU_FUNCTION_LOCAL = 3,
    CU_FUNCTION_REGISTERS = 4,
    CU_FUNCTION_PTX_VERSION = 5,
    CU_FUNCTION_DYNAMIC_SHARED = 8,
    CU_FUNCTION_CARVEOUT = 9,
    CU_PROGRAMMATIC_SERIALIZATION = 6, // attribute of a launch
    CU_PORT_PROGRAMMATIC = 1,
    CU_EDGE_PROGRAMMATIC = 1, // of an edge in a graph
    CU_MODE_PROHIBITED = 2,
    CU_MEMORY_HOST = 1,
    CU_MEMORY_DEVICE = 2,
    CU_POINTER_MEMORY_TYPE = 2,
    CU_STREAM_NON_BLOCKING_ = 1,
    CU_EVENT_TIMED = 0,
    CU_EVENT_UNTIMED = 2,
    CU_HOST_PORTABLE = 1,
    CU_ATTACH_GLOBAL = 1, // managed memory for host and device
    CU_CAPTURE_THREAD_LOCAL = 1,
    CU_OUT_OF_MEMORY = 2
};

// CUDA_MEMCPY2D: a rectangle in a linear memory to one in another.
typedef struct CuCopy2D {
    size_t src_x, src_y;
    int src_type; // CU_MEMORY_…
    const void *src_host;
    CuPtr src_device;
    void *src_array;
    size_t src_pitch;
    size_t dst_x, dst_y;
    int dst_type;
    void *dst_host;
    CuPtr dst_device;
    void *dst_array;
    size_t dst_pitch;
    size_t width, height; // bytes, rows
} CuCopy2D;

// CUDA_KERNEL_NODE_PARAMS, as the entry points without a version's suffix have it.
typedef struct CuKernelNode {
    CuFunction function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    void **args, **extra;
} CuKernelNode;

// CUlaunchAttribute.
typedef struct CuAttribute {
    int id, pad;
    union {
        int number;
        uint64_t all[8];
    } value;
} CuAttribute;

// CUlaunchConfig.
typedef struct CuLaunch {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    CuStream stream;
    CuAttribute *attributes;
    unsigned nattributes;
} CuLaunch;

// CUgraphEdgeData: all zero is the plain edge, which waits for the end of `from`.
typedef struct CuEdge {
    unsigned char from_port, to_port, type, reserved[5];
} CuEdge;

// One row an entry point: CU(name, parameters).
#define CUDA_ENTRY_POINTS(CU)                                                                      \
    CU(cuInit, (unsigned flags))                                                                   \
    CU(cuDriverGetVersion, (int *version))                                                         \
    CU(cuGetErrorName, (CuResult error, const char **text))                                        \
    CU(cuGetErrorString, (CuResult error, const char **text))                                      \
    CU(cuDeviceGetCount, (int *n))                                                                 \
    CU(cuDeviceGet, (CuDev *dev, int ordinal))                                                     \
    CU(cuDeviceGetName, (char *name, int len, CuDev dev))                                          \
    CU(cuDeviceGetAttribute, (int *value, int attribute, CuDev dev))                               \
    CU(cuDeviceTotalMem_v2, (size_t *bytes, CuDev dev))                                            \
    CU(cuDevicePrimaryCtxRetain, (CuContext *ctx, CuDev dev))                                      \
    CU(cuDevicePrimaryCtxRelease_v2, (CuDev dev))                                                  \
    CU(cuCtxPushCurrent_v2, (CuContext ctx))                                                       \
    CU(cuCtxPopCurrent_v2, (CuContext *ctx))                                                       \
    CU(cuModuleLoadData, (CuModule *module, const void *image))                                    \
    CU(cuModuleUnload, (CuModule module))                                                          \
    CU(cuModuleGetFunction, (CuFunction *function, CuModule module, const char *name))             \
    CU(cuFuncSetAttribute, (CuFunction function, int attribute, int value))                        \
    CU(cuFuncGetAttribute, (int *value, int attribute, CuFunction function))                       \
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessor,                                                \
       (int *blocks, CuFunction function, int threads, size_t shared))                             \
    CU(cuLaunchKernel,                                                                             \
       (CuFunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,      \
        unsigned bz, unsigned shared, CuStream stream, void **args, void **extra))                 \
    CU(cuMemAlloc_v2, (CuPtr *p, size_t bytes))                                                    \
    CU(cuMemFree_v2, (CuPtr p))                                                                    \
    CU(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags))                                   \
    CU(cuMemFreeHost, (void *p))                                                                   \
    CU(cuPointerGetAttribute, (void *value, int attribute, CuPtr p))                               \
    CU(cuMemcpyHtoDAsync_v2, (CuPtr to, const void *from, size_t bytes, CuStream stream))          \
    CU(cuMemcpyDtoHAsync_v2, (void *to, CuPtr from, size_t bytes, CuStream stream))                \
    CU(cuMemcpy2DAsync_v2, (const CuCopy2D *copy, CuStream stream))                                \
    CU(cuStreamCreate, (CuStream *stream, unsigned flags))                                         \
    CU(cuStreamSynchronize, (CuStream stream))                                                     \
    CU(cuStreamDestroy_v2, (CuStream stream))                                                      \
    CU(cuEventCreate, (CuEvent *event, unsigned flags))                                            \
    CU(cuEventRecord, (CuEvent event, CuStream stream))                                            \
    CU(cuEventSynchronize, (CuEvent event))                                                        \
    CU(cuEventElapsedTime, (float *ms, CuEvent from, CuEvent to))                                  \
    CU(cuEventDestroy_v2, (CuEvent event))                                                         \
    CU(cuStreamWaitEvent, (CuStream stream, CuEvent event, unsigned flags))                        \
    CU(cuMemHostRegister_v2, (void *p, size_t bytes, unsigned flags))                              \
    CU(cuMemHostUnregister, (void *p))                                                             \
    CU(cuMemAllocManaged, (CuPtr *p, size_t bytes, unsigned flags))

// Those that older drivers lack: graphs came with CUDA 11.4, launches with attributes with 11.8, edges with
// data with 12.3. NULL where they are absent.
#define CUDA_LATER_ENTRY_POINTS(CU)                                                                    \
    CU(cuStreamIsCapturing, (CuStream stream, int *status))                                            \
    CU(cuStreamBeginCapture_v2, (CuStream stream, int mode))                                           \
    CU(cuStreamEndCapture, (CuStream stream, CuGraph *graph))                                          \
    CU(cuGraphInstantiateWithFlags, (CuGraphExec *exec, CuGraph graph, unsigned long long flags))      \
    CU(cuGraphLaunch, (CuGraphExec exec, CuStream stream))                                             \
    CU(cuGraphExecDestroy, (CuGraphExec exec))                                                         \
    CU(cuGraphDestroy, (CuGraph graph))                                                                \
    CU(cuGraphCreate, (CuGraph *graph, unsigned flags))                                                \
    CU(cuGraphAddKernelNode,                                                                           \
       (CuGraphNode *node, CuGraph graph, const CuGraphNode *after, size_t nafter,                     \
        const CuKernelNode *what))                                                                     \
    CU(cuGraphExecKernelNodeSetParams, (CuGraphExec exec, CuGraphNode node, const CuKernelNode *what)) \
    CU(cuGraphAddDependencies_v2,                                                                      \
       (CuGraph graph, const CuGraphNode *from, const CuGraphNode *to, const CuEdge *edge, size_t n))  \
    CU(cuLaunchKernelEx, (const CuLaunch *launch, CuFunction function, void **args, void **extra))

typedef struct CudaApi {
#define CU(name, parameters) CuResult(*name) parameters;
    CUDA_ENTRY_POINTS(CU)
    CUDA_LATER_ENTRY_POINTS(CU)
#undef CU
} CudaApi;

// Opens the driver's library and calls cuInit. NULL with a reason in *why.
const CudaApi *cuda_api_open(Arena *a, const char **why);
#endif
