// cuda_stub.c -- libcuda and NVRTC of a machine without a GPU: kernels do nothing. As NVRTC's, its compiler
// is taken down at the process's end, by what its first compilation registered; who compiles then crashes. A
// compilation beside the program says so (in the file $STUB_SAYS) and takes a while.
#include "device/cuda_api.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef REST
#define CU(name, parameters)                                                                                 \
    __attribute__((weak)) CuResult name parameters {                                                         \
        return 0;                                                                                            \
    }
CUDA_ENTRY_POINTS(CU)
#else
// ---- what may not be called while a stream is captured: the test says when one is, and reads how often it
// was
int stub_captures, stub_disturbed, stub_launched, stub_copied;
const void *stub_owns; // an address of the device's own memory
size_t stub_owned;     // so many bytes
CuStream stub_met;     // the stream that was told to wait last
static CuResult quiet(void) { return stub_disturbed += stub_captures, 0; }
CuResult cuStreamIsCapturing(CuStream stream, int *status) {
    return *status = stub_captures, stream == (CuStream)-1;
}
CuResult cuStreamSynchronize(CuStream stream) { return quiet(); }
CuResult cuEventSynchronize(CuEvent event) { return quiet(); }
CuResult cuMemcpyHtoDAsync_v2(CuPtr to, const void *from, size_t bytes, CuStream stream) {
    return stub_copied++, quiet();
}
CuResult cuMemcpyDtoHAsync_v2(void *to, CuPtr from, size_t bytes, CuStream stream) {
    return stub_copied++, quiet();
}
CuResult cuLaunchKernel(CuFunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz,
                        unsigned shared, CuStream stream, void **args, void **extra) {
    return stub_launched++, 0;
}
#ifdef GRAPHS
CuResult cuGraphCreate(CuGraph *graph, unsigned flags) { return *graph = (CuGraph)graph, quiet(); }
CuResult cuGraphAddKernelNode(CuGraphNode *node, CuGraph graph, const CuGraphNode *after, size_t n,
                              const CuKernelNode *what) {
    return *node = (CuGraphNode)node, 0;
}
CuResult cuGraphExecKernelNodeSetParams(CuGraphExec exec, CuGraphNode node, const CuKernelNode *what) {
    return quiet();
}
CuResult cuStreamBeginCapture_v2(CuStream stream, int mode) { return quiet(); }
CuResult cuStreamEndCapture(CuStream stream, CuGraph *graph) { return *graph = (CuGraph)graph, quiet(); }
CuResult cuGraphInstantiateWithFlags(CuGraphExec *exec, CuGraph graph, unsigned long long flags) {
    return *exec = (CuGraphExec)exec, quiet();
}
CuResult cuGraphLaunch(CuGraphExec exec, CuStream stream) { return stub_launched++, quiet(); }
CuResult cuGraphExecDestroy(CuGraphExec exec) { return quiet(); }
CuResult cuGraphDestroy(CuGraph graph) { return quiet(); }
#endif

// ---- the driver
CuResult cuDriverGetVersion(int *version) {
    return *version = 13000, 0;
}
CuResult cuGetErrorName(CuResult error, const char **text) {
    return *text = "STUB", error == 0;
}
CuResult cuGetErrorString(CuResult error, const char **text) {
    return *text = "a stub", error == 0;
}
CuResult cuDeviceGetCount(int *n) {
    return *n = 1, 0;
}
CuResult cuDeviceGetName(char *name, int len, CuDev dev) {
    return strncpy(name, "NVIDIA H200", len), dev;
}
CuResult cuDeviceGetAttribute(int *value, int attribute, CuDev dev) {
    static const int values[][2] = {{CU_MAX_THREADS_PER_BLOCK, 1024}, {CU_MAX_GRID_X, 1 << 30},
                                    {CU_MAX_GRID_Y, 65535},           {CU_MAX_GRID_Z, 65535},
                                    {CU_SHARED_PER_BLOCK, 49152},     {CU_WARP_SIZE, 32},
                                    {CU_MULTIPROCESSORS, 132},        {CU_CAPABILITY_MAJOR, 9},
                                    {CU_THREADS_PER_SM, 2048},        {CU_SHARED_PER_SM, 233472},
                                    {CU_REGISTERS_PER_SM, 65536},     {CU_BLOCKS_PER_SM, 32},
                                    {CU_SHARED_RESERVED, 1024},       {CU_SHARED_PER_BLOCK_OPTIN, 232448},
                                    {CU_MAX_PITCH, 1 << 30}};
    *value = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i][0] == attribute) *value = values[i][1];
    return dev;
}
CuResult cuDeviceTotalMem_v2(size_t *bytes, CuDev dev) {
    return *bytes = (size_t)1 << 37, dev;
}
CuResult cuDeviceGet(CuDev *dev, int ordinal) {
    return *dev = ordinal;
}
CuResult cuDevicePrimaryCtxRetain(CuContext *ctx, CuDev dev) {
    return *ctx = (CuContext)ctx, dev;
}
CuResult cuModuleLoadData(CuModule *module, const void *image) {
    return *module = (CuModule)image, quiet();
}
CuResult cuModuleGetFunction(CuFunction *function, CuModule module, const char *name) {
    return *function = (CuFunction)name, module == NULL;
}
CuResult cuFuncGetAttribute(int *value, int attribute, CuFunction f) {
    return *value = 0, attribute < 0 || !f;
}
CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CuFunction f, int threads, size_t shared) {
    return *blocks = 1, !f || threads < 0 || shared > 1 << 20;
}
CuResult cuMemAlloc_v2(CuPtr *p, size_t bytes) {
    return *p = (CuPtr)(uintptr_t)malloc(bytes), quiet();
}
CuResult cuMemFree_v2(CuPtr p) {
    return free((void *)(uintptr_t)p), quiet();
}
CuResult cuMemHostAlloc(void **p, size_t bytes, unsigned flags) {
    return *p = malloc(bytes), flags > 99;
}
CuResult cuMemFreeHost(void *p) {
    return free(p), 0;
}
CuResult cuPointerGetAttribute(void *value, int attribute, CuPtr p) {
    *(unsigned *)value = attribute == CU_POINTER_MEMORY_TYPE ? CU_MEMORY_DEVICE : 0;
    return p - (CuPtr)(uintptr_t)stub_owns >= stub_owned;
}
CuResult cuStreamWaitEvent(CuStream stream, CuEvent event, unsigned flags) {
    return stub_met = stream, flags;
}
CuResult cuStreamCreate(CuStream *s, unsigned flags) {
    return *s = (CuStream)s, flags > 99;
}
CuResult cuEventCreate(CuEvent *e, unsigned flags) {
    return *e = (CuEvent)e, flags > 99;
}
CuResult cuEventElapsedTime(float *ms, CuEvent from, CuEvent to) {
    return *ms = 0, !from || !to;
}

// ---- NVRTC
static volatile int compiling, over;
static pid_t first;
static void take_down(void) {
    over = 1;
    if (compiling) abort();
}
int nvrtcGetNumSupportedArchs(int *n) {
    return *n = 1, 0;
}
int nvrtcGetSupportedArchs(int *archs) {
    return *archs = 90, 0;
}
int nvrtcCreateProgram(void **p, const char *source, const char *name, int n, const char *const *texts,
                       const char *const *names) {
    return *p = (void *)source, !name || texts || names || n;
}
int nvrtcDestroyProgram(void **p) {
    return *p = NULL, 0;
}
int nvrtcCompileProgram(void *p, int n, const char *const *options) {
    if (over) abort();
    if (!first) first = gettid(), atexit(take_down);
    if (gettid() != first) {
        compiling = 1;
        close(open(getenv("STUB_SAYS"), O_CREAT | O_WRONLY, 0600));
        usleep(300000);
        compiling = 0;
    }
    return !p || n < 0 || !options;
}
static const char text[] = "cubin";
int nvrtcGetPTXSize(void *p, size_t *size) {
    return *size = sizeof text, !p;
}
int nvrtcGetPTX(void *p, char *to) {
    return memcpy(to, text, sizeof text), !p;
}
int nvrtcGetCUBINSize(void *p, size_t *size) {
    return *size = sizeof text, !p;
}
int nvrtcGetCUBIN(void *p, char *to) {
    return memcpy(to, text, sizeof text), !p;
}
int nvrtcGetProgramLogSize(void *p, size_t *size) {
    return *size = 0, !p;
}
int nvrtcGetProgramLog(void *p, char *to) {
    return !p || !to;
}
#endif
