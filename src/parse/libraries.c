// SPDX-License-Identifier: MIT
// libraries.c -- what CUDA's headers bring to device code beyond the language: cooperative
// groups, 16-bit floats, random numbers. As text for clang, written in terms of the prelude's names.
//
// A 16-bit float lies in memory as it does there; what is computed with it goes through
// sculpt_from_half and sculpt_to_half, which the reader takes for conversions, and says so.
#include "parse/ast.h"

#define DEVICE "__device__ inline "

// The rank of a thread in its block, x fastest.
#define RANK "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"

// reduce(tile, v, plus<T>()): all lanes of the tile get the same
#define TURNED "__shfl_xor_sync(0xffffffffu, v, o, N)"
#define REDUCED(op, step)                                                                          \
    "template <class T> struct " op " {};\n"                                                       \
    "template <unsigned N, class P, class T, class U> " DEVICE                                      \
    "T reduce(const thread_block_tile<N, P> &, T v, " op "<U>) {\n"                               \
    " for (unsigned o = N / 2; o > 0; o /= 2) " step " return v; }\n"

static const char groups[] =
    "__device__ int sculpt_grid(int); __device__ int sculpt_coalesced(int);\n"
    "namespace cooperative_groups {\n"
    "struct thread_block {\n" DEVICE "void sync() const { __syncthreads(); }\n" DEVICE
    "unsigned thread_rank() const { return " RANK "; }\n" DEVICE
    "unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }\n" DEVICE
    "unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }\n" DEVICE
    "dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }\n" DEVICE
    "dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }\n" DEVICE
    "dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }\n"
    "};\n"
    "struct grid_group {\n" DEVICE "void sync() const { sculpt_grid(0); __syncthreads(); }\n" DEVICE
    "bool is_valid() const { return true; }\n" DEVICE
    "unsigned long long block_rank() const { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * "
    "blockIdx.z); }\n" DEVICE "unsigned long long thread_rank() const { return block_rank() * blockDim.x * "
                              "blockDim.y * blockDim.z + " RANK "; }\n" DEVICE
    "unsigned long long size() const { return gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * "
    "blockDim.z; }\n" DEVICE "unsigned long long num_threads() const { return gridDim.x * gridDim.y * "
                             "gridDim.z * blockDim.x * blockDim.y * blockDim.z; }\n"
    "};\n"
    "template <unsigned N, class P = void> struct thread_block_tile {\n" DEVICE
    "void sync() const { __syncwarp(); }\n" DEVICE "unsigned thread_rank() const { return " RANK
    " % N; }\n" DEVICE "unsigned meta_group_rank() const { return " RANK " / N; }\n" DEVICE
    "unsigned meta_group_size() const { return (blockDim.x * blockDim.y * blockDim.z + N - 1) / N; }\n" DEVICE
    "unsigned size() const { return N; }\n" DEVICE "unsigned num_threads() const { return N; }\n"
    "template <class T> " DEVICE "T shfl(T v, int k) const { return __shfl_sync(0xffffffffu, v, k, N); }\n"
    "template <class T> " DEVICE
    "T shfl_down(T v, unsigned k) const { return __shfl_down_sync(0xffffffffu, v, k, N); }\n"
    "template <class T> " DEVICE
    "T shfl_up(T v, unsigned k) const { return __shfl_up_sync(0xffffffffu, v, k, N); }\n"
    "template <class T> " DEVICE
    "T shfl_xor(T v, unsigned k) const { return __shfl_xor_sync(0xffffffffu, v, k, N); }\n" DEVICE
    "unsigned ballot(int p) const { return __ballot_sync(0xffffffffu, p); }\n" DEVICE
    "int any(int p) const { return __any_sync(0xffffffffu, p); }\n" DEVICE
    "int all(int p) const { return __all_sync(0xffffffffu, p); }\n"
    "};\n"
    "typedef thread_block_tile<32> coalesced_group; typedef thread_block thread_group;\n" DEVICE
    "thread_block this_thread_block() { thread_block b; return b; }\n" DEVICE
    "grid_group this_grid() { grid_group g; return g; }\n" DEVICE
    "coalesced_group coalesced_threads() { coalesced_group g; sculpt_coalesced(0); return g; }\n"
    "template <unsigned N, class G> " DEVICE
    "thread_block_tile<N> tiled_partition(const G &) { thread_block_tile<N> t; return t; }\n"
    "template <class T, class S> " DEVICE
    "void memcpy_async(const thread_block &b, T *to, const S *from, size_t n) {\n"
    " for (unsigned i = b.thread_rank(); i < n / sizeof(T); i += b.size()) "
    "__pipeline_memcpy_async(to + i, from + i, sizeof(T)); __pipeline_commit(); }\n"
    "template <class T, class S> " DEVICE
    "void memcpy_async(const thread_block &b, T *to, size_t, const S *from, size_t n) {\n"
    " for (unsigned i = b.thread_rank(); i < n; i += b.size()) "
    "__pipeline_memcpy_async(to + i, from + i, sizeof(T)); __pipeline_commit(); }\n" DEVICE
    "void wait(const thread_block &) { __pipeline_wait_prior(0); __syncthreads(); }\n"
    "template <unsigned N> " DEVICE
    "void wait_prior(const thread_block &) { __pipeline_wait_prior(N); __syncthreads(); }\n" DEVICE
    "void sync(const thread_block &) { __syncthreads(); }\n" DEVICE
    "void sync(const grid_group &) { sculpt_grid(0); __syncthreads(); }\n"
    "template <unsigned N, class P> " DEVICE "void sync(const thread_block_tile<N, P> &) { __syncwarp(); }\n"
    REDUCED("plus", "v += " TURNED ";") REDUCED("less", "v = min(v, " TURNED ");")
    REDUCED("greater", "v = max(v, " TURNED ");") REDUCED("bit_and", "v &= " TURNED ";")
    REDUCED("bit_or", "v |= " TURNED ";") REDUCED("bit_xor", "v ^= " TURNED ";")
    "}\n";

#define HALF2(f, op)                                                                               \
    DEVICE "__half2 " f "(__half2 a, __half2 b) { "                                                \
    "__half2 r; r.x = a.x " op " b.x; r.y = a.y " op " b.y; return r; }\n"
#define HALF1(f, op) DEVICE "__half " f "(__half a, __half b) { return a " op " b; }\n"
#define HALF_OP(op)                                                                                \
    DEVICE "__half operator" op "(__half a, __half b) { __half r; "                                \
    "r.bits = sculpt_to_half(sculpt_from_half(a.bits) " op                                         \
    " sculpt_from_half(b.bits)); return r; }\n"

static const char halves[] =
    "__device__ float sculpt_from_half(unsigned short); __device__ unsigned short sculpt_to_half(float);\n"
    "struct __half { unsigned short bits; };\nstruct __attribute__((aligned(4))) __half2 { __half x, y; };\n"
    "typedef __half half; typedef __half2 half2; typedef __half __nv_bfloat16; typedef __half2 "
    "__nv_bfloat162;\n" DEVICE "float __half2float(__half h) { return sculpt_from_half(h.bits); }\n" DEVICE
    "__half __float2half(float f) { __half h; h.bits = sculpt_to_half(f); return h; }\n" DEVICE
    "__half __float2half_rn(float f) { __half h; h.bits = sculpt_to_half(f); return h; }\n" DEVICE
    "float __bfloat162float(__half h) { return sculpt_from_half(h.bits); }\n" DEVICE
    "__half __float2bfloat16(float f) { __half h; h.bits = sculpt_to_half(f); return h; }\n" DEVICE
    "__half __int2half_rn(int i) { return __float2half((float)i); }\n" DEVICE
    "__half2 __halves2half2(__half a, __half b) { __half2 r; r.x = a; r.y = b; return r; }\n" DEVICE
    "__half2 __half2half2(__half a) { __half2 r; r.x = a; r.y = a; return r; }\n" DEVICE
    "__half2 __float2half2_rn(float f) { return __half2half2(__float2half(f)); }\n" DEVICE
    "__half2 __floats2half2_rn(float f, float g) { return __halves2half2(__float2half(f), __float2half(g)); "
    "}\n" DEVICE "float __low2float(__half2 h) { return __half2float(h.x); }\n" DEVICE
    "float __high2float(__half2 h) { return __half2float(h.y); }\n" DEVICE
    "__half __low2half(__half2 h) { return h.x; }\n" DEVICE
    "__half __high2half(__half2 h) { return h.y; }\n" DEVICE
    "float2 __half22float2(__half2 h) { float2 r; r.x = __half2float(h.x); r.y = __half2float(h.y); return "
    "r; }\n" DEVICE
    "__half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }\n" HALF_OP("+") HALF_OP("-")
        HALF_OP("*") HALF_OP("/") HALF1("__hadd", "+") HALF1("__hsub", "-") HALF1("__hmul", "*")
            HALF1("__hdiv", "/") HALF2("__hadd2", "+") HALF2("__hsub2", "-") HALF2("__hmul2", "*")
                HALF2("__h2div", "/") HALF2("operator+", "+") HALF2("operator-", "-") HALF2("operator*", "*")
                    DEVICE
    "__half __hfma(__half a, __half b, __half c) { return a * b + c; }\n" DEVICE
    "__half2 __hfma2(__half2 a, __half2 b, __half2 c) { __half2 r; r.x = a.x * b.x + c.x; r.y = a.y * b.y + "
    "c.y; return r; }\n" DEVICE
    "bool __hgt(__half a, __half b) { return __half2float(a) > __half2float(b); }\n" DEVICE
    "bool __hlt(__half a, __half b) { return __half2float(a) < __half2float(b); }\n" DEVICE
    "__half __hmax(__half a, __half b) { return __float2half(fmaxf(__half2float(a), __half2float(b))); "
    "}\n" DEVICE "__half __hmin(__half a, __half b) { return __float2half(fminf(__half2float(a), "
                 "__half2float(b))); }\n" DEVICE
    "__half hexp(__half a) { return __float2half(expf(__half2float(a))); }\n" DEVICE
    "__half hsqrt(__half a) { return __float2half(sqrtf(__half2float(a))); }\n";

// The state as it lies in memory (48 bytes); its step is some step, no generator of anybody.
#define STEP "(s->d = s->d * 1664525u + 1013904223u)"
static const char numbers[] =
    "struct curandStateXORWOW { unsigned d, v[5]; int boxmuller_flag, boxmuller_flag_double; float "
    "boxmuller_extra; double boxmuller_extra_double; };\n"
    "typedef curandStateXORWOW curandState; typedef curandStateXORWOW curandState_t; typedef "
    "curandStateXORWOW curandStateXORWOW_t;\n"
    "__device__ unsigned sculpt_random(unsigned);\n" DEVICE
    "void curand_init(unsigned long long seed, unsigned long long n, unsigned long long o, curandState *s) "
    "{\n"
    " s->d = sculpt_random((unsigned)(seed + n + o)); for (int i = 0; i < 5; i++) s->v[i] = s->d + i; "
    "s->boxmuller_flag = 0;\n"
    " s->boxmuller_flag_double = 0; s->boxmuller_extra = 0; s->boxmuller_extra_double = 0; }\n" DEVICE
    "unsigned curand(curandState *s) { return sculpt_random(" STEP "); }\n" DEVICE
    "float curand_uniform(curandState *s) { return (float)sculpt_random(" STEP
    ") * 2.3283064e-10f; }\n" DEVICE
    "double curand_uniform_double(curandState *s) { return (double)sculpt_random(" STEP
    ") * 2.3283064e-10; }\n" DEVICE "float curand_normal(curandState *s) { return sqrtf(-2 * "
                                    "logf(curand_uniform(s))) * cosf(curand_uniform(s)); }\n" DEVICE
    "double curand_normal_double(curandState *s) { return sqrt(-2 * log(curand_uniform_double(s))) * "
    "cos(curand_uniform_double(s)); }\n" DEVICE "float2 curand_normal2(curandState *s) { float2 r; r.x = "
                                                "curand_normal(s); r.y = curand_normal(s); return r; }\n";

#define COMPLEX(name, real, two, f)                                                                \
    "typedef " two " " name ";\n"                                                                   \
    DEVICE name " make_" name "(" real " x, " real " y) { " name " r; r.x = x; r.y = y; return r; }\n" \
    DEVICE real " cuCreal" f "(" name " a) { return a.x; }\n"                                      \
    DEVICE real " cuCimag" f "(" name " a) { return a.y; }\n"                                      \
    DEVICE name " cuConj" f "(" name " a) { return make_" name "(a.x, -a.y); }\n"                  \
    DEVICE name " cuCadd" f "(" name " a, " name " b) { return make_" name "(a.x + b.x, a.y + b.y); }\n" \
    DEVICE name " cuCsub" f "(" name " a, " name " b) { return make_" name "(a.x - b.x, a.y - b.y); }\n" \
    DEVICE name " cuCmul" f "(" name " a, " name " b) { "                                          \
    "return make_" name "(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n"                      \
    DEVICE name " cuCdiv" f "(" name " a, " name " b) { " real " d = b.x * b.x + b.y * b.y;"        \
    " return make_" name "((a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d); }\n"         \
    DEVICE name " cuCfma" f "(" name " a, " name " b, " name " c) { "                              \
    "return cuCadd" f "(cuCmul" f "(a, b), c); }\n"                                                \
    DEVICE real " cuCabs" f "(" name " a) { return sqrt(a.x * a.x + a.y * a.y); }\n"
static const char complexes[] =
    COMPLEX("cuFloatComplex", "float", "float2", "f") COMPLEX("cuDoubleComplex", "double", "double2", "")
    "typedef cuFloatComplex cuComplex;\n"
    DEVICE "cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }\n";

// A pipeline of a thread. What a wait without a number waits for hangs on all before: it is not here.
static const char pipelines[] =
    "namespace cuda {\n"
    "enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, "
    "thread_scope_thread };\n"
    "template <thread_scope S> struct pipeline {\n" DEVICE "void producer_acquire() {}\n" DEVICE
    "void producer_commit() { __pipeline_commit(); }\n" DEVICE "void consumer_release() {}\n};\n" DEVICE
    "pipeline<thread_scope_thread> make_pipeline() { pipeline<thread_scope_thread> p; return p; }\n"
    "template <class T, class S> " DEVICE
    "void memcpy_async(T *to, const S *from, size_t n, pipeline<thread_scope_thread> &) {\n"
    " for (unsigned i = 0; i < n / sizeof(T); i++) __pipeline_memcpy_async(to + i, from + i, sizeof(T)); }\n"
    "template <unsigned N> " DEVICE
    "void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) { __pipeline_wait_prior(N); }\n"
    "}\n";

// cudaMemset(p, 0, n * sizeof(T)) and cudaMemcpy, as kernels of their own
static const char zero[] =
    "template <class T> __global__ void sculpt_zero(T *p, unsigned long long n) {\n"
    " unsigned long long i = blockIdx.x * 256ull + threadIdx.x; if (i < n) p[i] = 0; }\n"
    "template <class T> __global__ void sculpt_copy(T *p, const T *q, unsigned long long n) {\n"
    " unsigned long long i = blockIdx.x * 256ull + threadIdx.x; if (i < n) p[i] = q[i]; }\n";

const char *prelude_libraries(Arena *a) {
    return arena_printf(a, "%s%s%s%s%s%s", zero, pipelines, groups, halves, numbers, complexes);
}
