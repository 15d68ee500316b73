// SPDX-License-Identifier: MIT
// prelude.c -- what device code may name without including anything, as text for clang.
//
// Only names and types: what a function does is said where calls are read (front/accept_device.c). The
// host's part of a CUDA file is parsed too, so the names that launches need are here as well.
#include "parse/ast.h"

// The vector types of one element type, and make_float4 and its kin.
#define V(name, type)                                                                              \
    "struct " #name "1 { " #type " x; };\n"                        \
    "struct __attribute__((aligned(2 * sizeof(" #type ")))) " #name "2 { " #type " x, y; };\n"     \
    "struct " #name "3 { " #type " x, y, z; };\n"                  \
    "struct __attribute__((aligned(sizeof(" #type ") > 4 ? 16 : 4 * sizeof(" #type ")))) " #name    \
    "4 { " #type " x, y, z, w; };\n"                                                              \
    "__device__ __host__ inline " #name "1 make_" #name "1(" #type " x) { "                        \
    #name "1 v; v.x = x; return v; }\n"                                                            \
    "__device__ __host__ inline " #name "2 make_" #name "2(" #type " x, " #type " y) { "           \
    #name "2 v; v.x = x; v.y = y; return v; }\n"                                                   \
    "__device__ __host__ inline " #name "3 make_" #name "3(" #type " x, " #type " y, " #type       \
    " z) { " #name "3 v; v.x = x; v.y = y; v.z = z; return v; }\n"                                 \
    "__device__ __host__ inline " #name "4 make_" #name "4(" #type " x, " #type " y, " #type       \
    " z, " #type " w) { " #name "4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }\n"

// double f(double), float f(float), float ff(float)
#define MATH1(f)                                                                                   \
    "extern \"C\" __device__ __host__ double " #f "(double);\n"                                    \
    "extern \"C\" __device__ __host__ float " #f "f(float);\n"                                     \
    "__device__ __host__ float " #f "(float); __device__ __host__ double " #f "(int);\n"
#define MATH2(f)                                                                                   \
    "extern \"C\" __device__ __host__ double " #f "(double, double);\n"                            \
    "extern \"C\" __device__ __host__ float " #f "f(float, float);\n"                              \
    "__device__ __host__ float " #f "(float, float);\n"

#define ATOMIC(f)                                                                                  \
    "template <class T> __device__ T " #f "(T *, T);\n"                                            \
    "template <class T, class U> __device__ T " #f "(T *, U);\n"
#define SCOPED(f) ATOMIC(f##_block) ATOMIC(f##_system)

// Arithmetic with its rounding in its name: __fadd_rn and its kin.
#define ROUND2(p, f, t, r) "__device__ " #t " " #p #f #r "(" #t ", " #t ");\n"
#define ROUND1(p, f, t, r) "__device__ " #t " " #p #f #r "(" #t ");\n"
#define ROUNDS(M, p, f, t) M(p, f, t, _rn) M(p, f, t, _rd) M(p, f, t, _ru) M(p, f, t, _rz)
#define ROUNDED(p, t)                                                                              \
    ROUNDS(ROUND2, p, add, t) ROUNDS(ROUND2, p, sub, t)                                            \
    ROUNDS(ROUND2, p, mul, t) ROUNDS(ROUND2, p, div, t)                                            \
    ROUNDS(ROUND1, p, sqrt, t) ROUNDS(ROUND1, p, rcp, t)
// __float2int_rn and its kin: from and to as they are called, and the types
#define CONVERT1(f, ft, t, tt, r) "__device__ " #tt " __" #f "2" #t #r "(" #ft ");\n"
#define CONVERTED(f, ft, t, tt)                                                                    \
    CONVERT1(f, ft, t, tt, _rn) CONVERT1(f, ft, t, tt, _rd)                                        \
    CONVERT1(f, ft, t, tt, _ru) CONVERT1(f, ft, t, tt, _rz)
// two 16-bit or four 8-bit numbers in a word
#define SIMD(f)                                                                                    \
    "__device__ unsigned " #f "2(unsigned, unsigned); "                                            \
    "__device__ unsigned " #f "4(unsigned, unsigned);\n"

static const char cuda[] =
    "#define __CUDACC__ 1\n#define __CUDA_ARCH__ 700\n#define CUDART_VERSION 12000\n"
    "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n"
    "#define __host__ __attribute__((host))\n#define __shared__ __attribute__((shared))\n"
    "#define __constant__ __attribute__((constant))\n#define __managed__\n"
    "#define __forceinline__ inline\n#define __noinline__\n#define __grid_constant__\n"
    "#define __launch_bounds__(...)\n#define __align__(n) __attribute__((aligned(n)))\n"
    "#define warpSize 32\n#define M_PI 3.14159265358979323846\n#define FLT_MAX 3.402823466e+38f\n"
    "#define DBL_MAX 1.7976931348623158e+308\n#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX-1)\n"
    "#define UINT_MAX 4294967295u\n#define FLT_MIN 1.175494351e-38f\n#define FLT_EPSILON 1.19209290e-07f\n"
    "#define INFINITY __builtin_inff()\n#define NAN __builtin_nanf(\"\")\n#define CUDART_INF_F "
    "__builtin_inff()\n"
    "#define assert(x) sculpt_assert()\n#define CHAR_BIT 8\n#define LONG_MAX 9223372036854775807l\n#define "
    "HUGE_VALF __builtin_inff()\n"
    "#define EXIT_FAILURE 1\n#define EXIT_SUCCESS 0\n#define RAND_MAX 2147483647\n"
    "#ifndef NULL\n#define NULL 0\n#endif\n"
    "typedef unsigned long size_t;\ntypedef signed char int8_t;\ntypedef unsigned char uint8_t;\n"
    "typedef short int16_t;\ntypedef unsigned short uint16_t;\ntypedef int int32_t;\n"
    "typedef unsigned int uint32_t;\ntypedef long int64_t;\ntypedef unsigned long uint64_t;\n"
    "typedef unsigned int uint;\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\n"
    "typedef unsigned long ulong;\n"
    V(char, char) V(uchar, unsigned char) V(short, short) V(ushort, unsigned short) V(int, int)
    V(uint, unsigned int) V(longlong, long long) V(ulonglong, unsigned long long) V(long, long)
    V(ulong, unsigned long) V(float, float) V(double, double)
    "struct dim3 { unsigned x, y, z; __device__ __host__ constexpr dim3(unsigned a = 1, "
    "unsigned b = 1,"
    " unsigned c = 1) : x(a), y(b), z(c) {} };\n"
    "struct sculpt_index { unsigned x, y, z; };\n"
    "extern const __device__ sculpt_index threadIdx, blockIdx, blockDim, gridDim;\n"
    "typedef int cudaError_t; typedef struct CUstream_st *cudaStream_t; typedef struct "
    "CUevent_st *cudaEvent_t;\n"
    "extern \"C\" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);\n"
    "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);\n"
    "extern \"C\" __device__ int printf(const char *, ...);\n"
    "__host__ __device__ constexpr void sculpt_assert() {}\n"
    "__device__ void __syncthreads(); __device__ int __syncthreads_count(int);\n"
    "__device__ int __syncthreads_or(int); __device__ int __syncthreads_and(int);\n"
    "__device__ void __syncwarp(unsigned = 0xffffffffu);\n"
    "__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0); "
    "__device__ void __pipeline_commit(); __device__ void __pipeline_wait_prior(size_t);\n"
    "__device__ size_t __cvta_generic_to_shared(const void *);\n"
    "__device__ void __threadfence(); __device__ void __threadfence_block(); __device__ void "
    "__threadfence_system();\n"
    "template <class T> __device__ T __ldg(const T *); template <class T> __device__ T "
    "__ldcg(const T *);\n"
    "template <class T> __device__ T __ldcs(const T *);\n"
    "template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);\n"
    "template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);\n"
    "template <class T> __device__ T __shfl(T, int, int = 32); template <class T> __device__ "
    "T __shfl_down(T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_up(T, unsigned, int = 32); template <class T> "
    "__device__ T __shfl_xor(T, int, int = 32);\n"
    "__device__ unsigned __ballot_sync(unsigned, int); __device__ int __any_sync(unsigned, "
    "int);\n"
    "__device__ int __all_sync(unsigned, int); __device__ unsigned __activemask();\n"
    "__device__ long long clock64(); __device__ int clock();\n"
    ATOMIC(atomicAdd) ATOMIC(atomicSub) ATOMIC(atomicMin) ATOMIC(atomicMax) ATOMIC(atomicExch)
    ATOMIC(atomicInc) ATOMIC(atomicDec) ATOMIC(atomicAnd) ATOMIC(atomicOr) ATOMIC(atomicXor)
    SCOPED(atomicAdd) SCOPED(atomicSub) SCOPED(atomicMin) SCOPED(atomicMax) SCOPED(atomicExch)
    SCOPED(atomicInc) SCOPED(atomicDec) SCOPED(atomicAnd) SCOPED(atomicOr) SCOPED(atomicXor)
    "template <class T, class U, class V> __device__ T "
    "atomicCAS(T *, U, V);\n"
    MATH1(acos) MATH1(acosh) MATH1(asin) MATH1(asinh) MATH1(atan) MATH1(atanh) MATH1(cbrt) MATH1(ceil)
    MATH1(cos) MATH1(cosh) MATH1(erf) MATH1(erfc) MATH1(exp) MATH1(exp2) MATH1(expm1) MATH1(fabs) MATH1(floor)
    MATH1(lgamma) MATH1(log) MATH1(log10) MATH1(log1p) MATH1(log2) MATH1(rint) MATH1(round) MATH1(sin)
    MATH1(sinh) MATH1(sqrt) MATH1(tan) MATH1(tanh) MATH1(tgamma) MATH1(trunc) MATH1(nearbyint) MATH1(rsqrt)
    MATH1(exp10) MATH1(normcdf) MATH1(normcdfinv) MATH1(erfinv) MATH1(erfcinv) MATH1(erfcx) MATH1(rcbrt)
    MATH1(sinpi) MATH1(cospi) MATH1(j0) MATH1(j1) MATH1(y0) MATH1(y1) MATH1(logb) MATH2(atan2) MATH2(copysign)
    MATH2(fdim) MATH2(fmax) MATH2(fmin) MATH2(fmod) MATH2(hypot) MATH2(pow)
    "__device__ float pow(float, int); __device__ double pow(double, int); __device__ double pow(int, int);\n"
    "__device__ double pow(float, double); __device__ double pow(double, float); "
    "__device__ double fmod(double, int);\n"
    "extern \"C\" __device__ double fma(double, double, double); "
    "extern \"C\" __device__ float fmaf(float, float, float);\n"
    "__device__ float fma(float, float, float);\n"
    "__device__ void sincosf(float, float *, float *); __device__ void sincos(double, double *, double *);\n"
    "__device__ void __sincosf(float, float *, float *);\n"
    "__device__ float __expf(float); __device__ float __exp10f(float); __device__ float __logf(float);\n"
    "__device__ float __log2f(float); __device__ float __log10f(float); __device__ float __sinf(float);\n"
    "__device__ float __cosf(float); __device__ float __tanf(float); __device__ float __powf(float, float);\n"
    "__device__ float __fdividef(float, float); __device__ float fdividef(float, float);\n"
    "__device__ float __fmaf_rn(float, float, float); __device__ float __saturatef(float);\n"
    ROUNDED(__f, float) ROUNDED(__d, double)
    "__device__ float __frsqrt_rn(float); __device__ float __fmaf_rd(float, float, float); "
    "__device__ float __fmaf_ru(float, float, float); __device__ float __fmaf_rz(float, float, float);\n"
    "__device__ double __fma_rn(double, double, double); __device__ double __fma_rd(double, double, double); "
    "__device__ double __fma_ru(double, double, double); __device__ double __fma_rz(double, double, "
    "double);\n"
    "__device__ int __mul24(int, int); __device__ unsigned __umul24(unsigned, unsigned);\n"
    CONVERTED(float, float, int, int) CONVERTED(float, float, uint, unsigned)
    CONVERTED(float, float, ll, long long) CONVERTED(float, float, ull, unsigned long long)
    CONVERTED(double, double, int, int) CONVERTED(double, double, uint, unsigned)
    CONVERTED(double, double, ll, long long) CONVERTED(double, double, ull, unsigned long long)
    CONVERTED(double, double, float, float) CONVERTED(int, int, float, float)
    CONVERTED(uint, unsigned, float, float) CONVERTED(ll, long long, float, float)
    CONVERTED(ull, unsigned long long, float, float) CONVERTED(ll, long long, double, double)
    CONVERTED(ull, unsigned long long, double, double)
    "__device__ double __int2double_rn(int); __device__ double __uint2double_rn(unsigned);\n"
    "__device__ int __float_as_int(float); __device__ float __int_as_float(int); "
    "__device__ unsigned __float_as_uint(float);\n"
    "__device__ float __uint_as_float(unsigned); __device__ long long __double_as_longlong(double); "
    "__device__ double __longlong_as_double(long long);\n"
    "__device__ int __double2hiint(double); __device__ int __double2loint(double); "
    "__device__ double __hiloint2double(int, int);\n"
    "__device__ int __popc(unsigned); __device__ int __popcll(unsigned long long); "
    "__device__ int __clz(int); __device__ int __clzll(long long);\n"
    "__device__ int __ffs(int); __device__ int __ffsll(long long); __device__ unsigned __brev(unsigned); "
    "__device__ unsigned long long __brevll(unsigned long long);\n"
    "__device__ int __mulhi(int, int); __device__ unsigned __umulhi(unsigned, unsigned); "
    "__device__ long long __mul64hi(long long, long long);\n"
    "__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long); "
    "__device__ int __hadd(int, int); __device__ int __rhadd(int, int);\n"
    "__device__ unsigned __byte_perm(unsigned, unsigned, unsigned); "
    "__device__ unsigned __funnelshift_l(unsigned, unsigned, unsigned);\n"
    "__device__ unsigned __funnelshift_r(unsigned, unsigned, unsigned); "
    "__device__ unsigned __funnelshift_lc(unsigned, unsigned, unsigned);\n"
    "__device__ unsigned __funnelshift_rc(unsigned, unsigned, unsigned); "
    "__device__ unsigned __sad(int, int, unsigned); __device__ unsigned __usad(unsigned, unsigned, "
    "unsigned);\n"
    "template <class A, class B, class C> __device__ C __dp4a(A, B, C); "
    "template <class A, class B, class C> __device__ C __dp2a_lo(A, B, C);\n"
    SIMD(__vadd) SIMD(__vsub) SIMD(__vmins) SIMD(__vmaxs) SIMD(__vminu) SIMD(__vmaxu) SIMD(__vcmpeq)
    SIMD(__vsads) SIMD(__vsubss) SIMD(__vabsdiffu) SIMD(__vcmpgtu) SIMD(__vcmpltu) SIMD(__vcmpne)
    SIMD(__vavgu) SIMD(__vaddus) "template <class T> __device__ T __reduce_add_sync(unsigned, T); "
    "template <class T> __device__ T __reduce_min_sync(unsigned, T);\n"
    "template <class T> __device__ T __reduce_max_sync(unsigned, T); "
    "template <class T> __device__ T __reduce_and_sync(unsigned, T);\n"
    "template <class T> __device__ T __reduce_or_sync(unsigned, T); "
    "template <class T> __device__ T __reduce_xor_sync(unsigned, T);\n"
    "template <class T> __device__ unsigned __match_any_sync(unsigned, T); "
    "__device__ unsigned __ballot(int); __device__ int __any(int); __device__ int __all(int);\n"
    "template <class T> __device__ T __ldlu(const T *); template <class T> __device__ T __ldcv(const T *); "
    "template <class T> __device__ T __ldca(const T *);\n"
    "template <class T> __device__ void __stcs(T *, T); template <class T> __device__ void __stcg(T *, T); "
    "template <class T> __device__ void __stwt(T *, T);\n"
    "template <class T> __device__ void __stwb(T *, T); __device__ void __nanosleep(unsigned); "
    "__device__ void __trap(); __device__ unsigned __nvvm_get_smem_pointer(void *);\n"
    "__device__ float norm3df(float, float, float); __device__ double norm3d(double, double, double); "
    "__device__ float rnorm3df(float, float, float);\n"
    "__device__ float rhypotf(float, float); __device__ double rhypot(double, double); "
    "__device__ void sincospif(float, float *, float *); __device__ void sincospi(double, double *, double "
    "*);\n"
    "__device__ long long clock_rate(); __device__ unsigned __lane_id();\n"
    "template <class T, class U> __device__ __host__ auto max(T a, U b) -> decltype(true ? a + 0 * b : b);\n"
    "template <class T, class U> __device__ __host__ auto min(T a, U b) -> decltype(true ? a + 0 * b : b);\n"
    "extern \"C\" __device__ __host__ int abs(int); __device__ __host__ float abs(float); "
    "__device__ __host__ double abs(double);\n"
    "__device__ __host__ long abs(long); __device__ bool isnan(float); __device__ bool isnan(double);\n"
    "__device__ bool isinf(float); __device__ bool isinf(double); __device__ bool isfinite(float); "
    "__device__ bool isfinite(double);\n"
    "#define cudaTextureType1D 1\n#define cudaTextureType2D 2\n#define cudaTextureType3D 3\n#define "
    "cudaTextureTypeCubemap 12\n"
    "#define cudaTextureType1DLayered 241\n#define cudaTextureType2DLayered 242\n"
    "enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };\n"
    "template <class T, int D = 1, int M = 0> struct __attribute__((device_builtin_texture_type)) texture { "
    "T none; };\n"
    "template <class T, int D, int M> __device__ T tex1Dfetch(texture<T, D, M>, int);\n"
    "template <class T, int D, int M> __device__ T tex1D(texture<T, D, M>, float);\n"
    "template <class T, int D, int M> __device__ T tex2D(texture<T, D, M>, float, float);\n"
    "template <class T, int D, int M> __device__ T tex3D(texture<T, D, M>, float, float, float);\n"
    "typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;\n"
    "template <class T, int D, int M> __device__ T tex1DLayered(texture<T, D, M>, float, int); "
    "template <class T> __device__ T tex1DLayered(cudaTextureObject_t, float, int);\n"
    "template <class T, int D, int M> __device__ T tex2DLayered(texture<T, D, M>, float, float, int); "
    "template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float, float, int);\n"
    "template <class T> __device__ T tex1DLod(cudaTextureObject_t, float, float); "
    "template <class T> __device__ T tex2DLod(cudaTextureObject_t, float, float, float);\n"
    "template <class T> __device__ T tex3DLod(cudaTextureObject_t, float, float, float, float); "
    "template <class T, int D, int M> __device__ T tex2DLod(texture<T, D, M>, float, float, float);\n"
    "template <class T> __device__ T surf1Dread(cudaSurfaceObject_t, int); "
    "template <class T> __device__ T surf2Dread(cudaSurfaceObject_t, int, int);\n"
    "template <class T> __device__ T surf3Dread(cudaSurfaceObject_t, int, int, int); "
    "template <class T> __device__ void surf1Dwrite(T, cudaSurfaceObject_t, int);\n"
    "template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int); "
    "template <class T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int);\n"
    "template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);\n"
    "template <class T> __device__ T tex1D(cudaTextureObject_t, float);\n"
    "template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);\n"
    "template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);\n";

// ---- OpenCL C -------------------------------------------------------------------------------
// Its functions are clang's own declarations (-fdeclare-opencl-builtins: every overload of every builtin,
// made when it is asked for); what they need is here: types, names of numbers, and which optional parts there
// are.
#define CLV(type, name)                                                                            \
    "typedef " #type " " #name "2 __attribute__((ext_vector_type(2)));\n"                          \
    "typedef " #type " " #name "3 __attribute__((ext_vector_type(3)));\n"                          \
    "typedef " #type " " #name "4 __attribute__((ext_vector_type(4)));\n"                          \
    "typedef " #type " " #name "8 __attribute__((ext_vector_type(8)));\n"                          \
    "typedef " #type " " #name "16 __attribute__((ext_vector_type(16)));\n"
#define OVER "__attribute__((overloadable)) "
#define HAS(name) "#undef " name "\n#define " name " 1\n"
// as_float4(x): the same bits
#define AS1(t) "#define as_" t "(x) __builtin_astype((x), " t ")\n"
#define AS(t) AS1(t) AS1(t "2") AS1(t "3") AS1(t "4") AS1(t "8") AS1(t "16")
// Intel's names of what lanes of a subgroup hand each other, and its reads of blocks.
#define SHUFFLES(t)                                                                                          \
    t " " OVER "intel_sub_group_shuffle(" t ", uint); " t " " OVER "intel_sub_group_shuffle_xor(" t          \
      ", uint);\n" t " " OVER "intel_sub_group_shuffle_down(" t ", " t ", uint); " t " " OVER                \
      "intel_sub_group_shuffle_up(" t ", " t ", uint);\n"

static const char opencl[] =
    "#define CLK_LOCAL_MEM_FENCE 1\n#define CLK_GLOBAL_MEM_FENCE 2\n#define CLK_IMAGE_MEM_FENCE 4\n#define "
    "INFINITY (1e38f * 1e38f)\n"
    "#define NAN (INFINITY - INFINITY)\n#define HUGE_VALF INFINITY\n#define HUGE_VAL (1e308 * 1e308)\n"
    "#define M_PI 3.14159265358979323846\n#define M_PI_2 1.57079632679489661923\n#define M_PI_4 "
    "0.78539816339744830962\n"
    "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n#define M_E "
    "2.71828182845904523536\n"
    "#define M_SQRT2 1.41421356237309504880\n#define M_SQRT1_2 0.70710678118654752440\n#define M_LN2 "
    "0.69314718055994530942\n"
    "#define M_LN10 2.30258509299404568402\n#define M_LOG2E 1.44269504088896340736\n#define M_LOG10E "
    "0.43429448190325182765\n"
    "#define M_2_SQRTPI 1.12837916709551257390\n"
    "#define M_PI_F 3.14159274101257f\n#define M_PI_2_F 1.57079637050629f\n#define M_PI_4_F "
    "0.78539818525314f\n"
    "#define M_1_PI_F 0.31830987334251f\n#define M_2_PI_F 0.63661974668503f\n#define M_E_F "
    "2.71828174591064f\n"
    "#define M_SQRT2_F 1.41421353816986f\n#define M_SQRT1_2_F 0.70710676908493f\n#define M_LN2_F "
    "0.69314718246460f\n"
    "#define M_LN10_F 2.30258512496948f\n#define M_LOG2E_F 1.44269502162933f\n#define M_LOG10E_F "
    "0.43429449200630f\n#define M_2_SQRTPI_F 1.12837922573090f\n"
    "#define FLT_MAX 3.402823466e+38f\n#define FLT_MIN 1.175494351e-38f\n#define FLT_EPSILON "
    "1.19209290e-07f\n#define FLT_DIG 6\n#define FLT_MANT_DIG 24\n"
    "#define CHAR_BIT 8\n#define CHAR_MAX 127\n#define CHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define "
    "SCHAR_MIN (-128)\n#define UCHAR_MAX 255\n"
    "#define SHRT_MAX 32767\n#define SHRT_MIN (-32768)\n#define USHRT_MAX 65535\n#define INT_MAX 2147483647\n"
    "#define INT_MIN (-INT_MAX-1)\n#define UINT_MAX 4294967295u\n#define LONG_MAX "
    "9223372036854775807l\n#define LONG_MIN (-LONG_MAX-1)\n"
    "#define ULONG_MAX 18446744073709551615ul\n#define MAXFLOAT FLT_MAX\n#define DBL_MAX "
    "1.7976931348623158e+308\n#define DBL_MIN 2.2250738585072014e-308\n"
    "#define DBL_EPSILON 2.2204460492503131e-16\n#define __OPENCL_VERSION__ 200\n#define NULL 0\n"
    "#define __kernel __attribute__((annotate(\"sculpt_kernel\"))) __kernel\n#define kernel __kernel\n" HAS(
        "__opencl_c_named_address_space_builtins") HAS("__opencl_c_generic_address_space")
        HAS("__opencl_subgroup_builtins") HAS("__opencl_c_work_group_collective_functions") HAS(
            "__opencl_c_atomic_order_acq_rel") HAS("__opencl_c_atomic_order_seq_cst")
            HAS("__opencl_c_atomic_scope_device") HAS("__opencl_c_read_write_images") HAS("cl_khr_fp16") HAS(
                "cl_khr_fp64") HAS("cl_khr_subgroups") HAS("cl_khr_subgroup_shuffle") HAS("cl_khr_subgroup_"
                                                                                          "shuffle_relative")
                HAS("cl_khr_subgroup_ballot") HAS("cl_khr_subgroup_non_uniform_arithmetic") HAS(
                    "cl_khr_subgroup_clustered_reduce") "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                                        "typedef unsigned char uchar; typedef unsigned short "
                                                        "ushort; typedef unsigned int uint;\n"
                                                        "typedef unsigned long ulong; typedef unsigned long "
                                                        "size_t; typedef long ptrdiff_t; typedef long "
                                                        "intptr_t; typedef unsigned long uintptr_t;\n"
                                                        "typedef unsigned int cl_mem_fence_flags;\n"
                                                        "typedef enum memory_order { memory_order_relaxed = "
                                                        "0, memory_order_acquire = 2, memory_order_release = "
                                                        "3, memory_order_acq_rel = 4, memory_order_seq_cst = "
                                                        "5 } memory_order;\n"
                                                        "typedef enum memory_scope { memory_scope_work_item, "
                                                        "memory_scope_work_group, memory_scope_device, "
                                                        "memory_scope_all_svm_devices, "
                                                        "memory_scope_sub_group } memory_scope;\n" CLV(
                                                            char,
                                                            char) CLV(unsigned char,
                                                                      uchar) CLV(short,
                                                                                 short) CLV(unsigned short,
                                                                                            ushort) CLV(int,
                                                                                                        int)
                                                            CLV(unsigned int, uint) CLV(long, long) CLV(
                                                                unsigned long,
                                                                ulong) CLV(float, float) CLV(double, double)
                                                                CLV(half, half) AS("char") AS("uchar") AS(
                                                                    "short") AS("ushort") AS("int") AS("uint")
                                                                    AS("long") AS("ulong") AS("float") AS(
                                                                        "double")
                                                                        AS("half") "int printf(__constant "
                                                                                   "const char *, "
                                                                                   "...);\n" SHUFFLES(
                                                                                       "int") SHUFFLES("uint")
                                                                                       SHUFFLES("float")
                                                                                           SHUFFLES(
                                                                                               "half") "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "NORMA"
                                                                                                       "LIZED"
                                                                                                       "_COOR"
                                                                                                       "DS_"
                                                                                                       "FALSE"
                                                                                                       " 0\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "NORMA"
                                                                                                       "LIZED"
                                                                                                       "_COOR"
                                                                                                       "DS_"
                                                                                                       "TRUE "
                                                                                                       "1\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "ADDRE"
                                                                                                       "SS_"
                                                                                                       "NONE "
                                                                                                       "0\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "ADDRE"
                                                                                                       "SS_"
                                                                                                       "CLAMP"
                                                                                                       " 4\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "ADDRE"
                                                                                                       "SS_"
                                                                                                       "CLAMP"
                                                                                                       "_TO_"
                                                                                                       "EDGE "
                                                                                                       "2\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "ADDRE"
                                                                                                       "SS_"
                                                                                                       "REPEA"
                                                                                                       "T "
                                                                                                       "6\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "ADDRE"
                                                                                                       "SS_"
                                                                                                       "MIRRO"
                                                                                                       "RED_"
                                                                                                       "REPEA"
                                                                                                       "T 8\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "FILTE"
                                                                                                       "R_"
                                                                                                       "NEARE"
                                                                                                       "ST "
                                                                                                       "0x10"
                                                                                                       "\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "FILTE"
                                                                                                       "R_"
                                                                                                       "LINEA"
                                                                                                       "R "
                                                                                                       "0x20"
                                                                                                       "\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "R "
                                                                                                       "0x10B"
                                                                                                       "0\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "A "
                                                                                                       "0x10B"
                                                                                                       "1\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "RG "
                                                                                                       "0x10B"
                                                                                                       "2\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "RA "
                                                                                                       "0x10B"
                                                                                                       "3\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "RGB "
                                                                                                       "0x10B"
                                                                                                       "4\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "RGBA "
                                                                                                       "0x10B"
                                                                                                       "5\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "BGRA "
                                                                                                       "0x10B"
                                                                                                       "6\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "ARGB "
                                                                                                       "0x10B"
                                                                                                       "7\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "INTEN"
                                                                                                       "SITY "
                                                                                                       "0x10B"
                                                                                                       "8\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "LUMIN"
                                                                                                       "ANCE "
                                                                                                       "0x10B"
                                                                                                       "9\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "SNORM"
                                                                                                       "_INT8"
                                                                                                       " 0x10"
                                                                                                       "D0\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "SNORM"
                                                                                                       "_INT1"
                                                                                                       "6 "
                                                                                                       "0x10D"
                                                                                                       "1\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "UNORM"
                                                                                                       "_INT8"
                                                                                                       " 0x10"
                                                                                                       "D2\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "UNORM"
                                                                                                       "_INT1"
                                                                                                       "6 "
                                                                                                       "0x10D"
                                                                                                       "3\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "SIGNE"
                                                                                                       "D_"
                                                                                                       "INT8 "
                                                                                                       "0x10D"
                                                                                                       "7\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "SIGNE"
                                                                                                       "D_"
                                                                                                       "INT16"
                                                                                                       " 0x10"
                                                                                                       "D8\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "SIGNE"
                                                                                                       "D_"
                                                                                                       "INT32"
                                                                                                       " 0x10"
                                                                                                       "D9\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "UNSIG"
                                                                                                       "NED_"
                                                                                                       "INT8 "
                                                                                                       "0x10D"
                                                                                                       "A\n"
                                                                                                       "#defi"
                                                                                                       "ne "
                                                                                                       "CLK_"
                                                                                                       "UNSIG"
                                                                                                       "NED_"
                                                                                                       "INT16"
                                                                                                       " 0x10"
                                                                                                       "DB\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "UNSIG"
                                                                                                       "NED_"
                                                                                                       "INT32"
                                                                                                       " 0x10"
                                                                                                       "DC\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "HALF_"
                                                                                                       "FLOAT"
                                                                                                       " 0x10"
                                                                                                       "DD\n#"
                                                                                                       "defin"
                                                                                                       "e "
                                                                                                       "CLK_"
                                                                                                       "FLOAT"
                                                                                                       " 0x10"
                                                                                                       "DE\n";

bool is_prelude(const char *file) { return file && str_eq(file, PRELUDE_PATH); }
const char *prelude_cuda(void) { return cuda; }
const char *prelude_opencl(void) { return opencl; }
