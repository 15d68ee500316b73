// SPDX-License-Identifier: MIT
// kernel_prelude.c -- what device code may name without including anything, as text for clang.
//
// Only names and types: what a function does is said where calls are read (kernel_call.c). The
// host's part of a CUDA file is parsed too, so the names that launches need are here as well.
#include "front/ast.h"

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
    "#define INFINITY __builtin_inff()\n#define NAN __builtin_nanf(\"\")\n#define CUDART_INF_F __builtin_inff()\n"
    "#define assert(x) ((void)0)\n#define CHAR_BIT 8\n#define LONG_MAX 9223372036854775807l\n#define HUGE_VALF __builtin_inff()\n"
    "#define EXIT_FAILURE 1\n#define EXIT_SUCCESS 0\n#define RAND_MAX 2147483647\n"
    "#ifndef NULL\n#define NULL 0\n#endif\n"
    "typedef unsigned long size_t;\ntypedef signed char int8_t;\ntypedef unsigned char uint8_t;\n"
    "typedef short int16_t;\ntypedef unsigned short uint16_t;\ntypedef int int32_t;\n"
    "typedef unsigned int uint32_t;\ntypedef long int64_t;\ntypedef unsigned long uint64_t;\n"
    "typedef unsigned int uint;\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\n"
    "typedef unsigned long ulong;\n"
    V(char, char) V(uchar, unsigned char) V(short, short) V(ushort, unsigned short) V(int, int)
    V(uint, unsigned int) V(longlong, long long) V(ulonglong, unsigned long long)
    V(long, long) V(ulong, unsigned long) V(float, float) V(double, double)
    "struct dim3 { unsigned x, y, z; __device__ __host__ constexpr dim3(unsigned a = 1, unsigned b = 1,"
    " unsigned c = 1) : x(a), y(b), z(c) {} };\n"
    "struct sculpt_index { unsigned x, y, z; };\n"
    "extern const __device__ sculpt_index threadIdx, blockIdx, blockDim, gridDim;\n"
    "typedef int cudaError_t; typedef struct CUstream_st *cudaStream_t; typedef struct CUevent_st *cudaEvent_t;\n"
    "extern \"C\" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);\n"
    "extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);\n"
    "extern \"C\" __device__ int printf(const char *, ...);\n"
    "__device__ void __syncthreads(); __device__ int __syncthreads_count(int);\n"
    "__device__ int __syncthreads_or(int); __device__ int __syncthreads_and(int);\n"
    "__device__ void __syncwarp(unsigned = 0xffffffffu);\n"
    "__device__ void __threadfence(); __device__ void __threadfence_block(); __device__ void __threadfence_system();\n"
    "template <class T> __device__ T __ldg(const T *); template <class T> __device__ T __ldcg(const T *);\n"
    "template <class T> __device__ T __ldcs(const T *);\n"
    "template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);\n"
    "template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);\n"
    "template <class T> __device__ T __shfl(T, int, int = 32); template <class T> __device__ T __shfl_down(T, unsigned, int = 32);\n"
    "template <class T> __device__ T __shfl_up(T, unsigned, int = 32); template <class T> __device__ T __shfl_xor(T, int, int = 32);\n"
    "__device__ unsigned __ballot_sync(unsigned, int); __device__ int __any_sync(unsigned, int);\n"
    "__device__ int __all_sync(unsigned, int); __device__ unsigned __activemask();\n"
    "__device__ long long clock64(); __device__ int clock();\n"
    ATOMIC(atomicAdd) ATOMIC(atomicSub) ATOMIC(atomicMin) ATOMIC(atomicMax) ATOMIC(atomicExch)
    ATOMIC(atomicInc) ATOMIC(atomicDec) ATOMIC(atomicAnd) ATOMIC(atomicOr) ATOMIC(atomicXor)
    ATOMIC(atomicAdd_block)
    "template <class T, class U, class V> __device__ T atomicCAS(T *, U, V);\n"
    MATH1(acos) MATH1(acosh) MATH1(asin) MATH1(asinh) MATH1(atan) MATH1(atanh) MATH1(cbrt)
    MATH1(ceil) MATH1(cos) MATH1(cosh) MATH1(erf) MATH1(erfc) MATH1(exp) MATH1(exp2) MATH1(expm1)
    MATH1(fabs) MATH1(floor) MATH1(lgamma) MATH1(log) MATH1(log10) MATH1(log1p) MATH1(log2)
    MATH1(rint) MATH1(round) MATH1(sin) MATH1(sinh) MATH1(sqrt) MATH1(tan) MATH1(tanh) MATH1(tgamma)
    MATH1(trunc) MATH1(nearbyint) MATH1(rsqrt) MATH1(exp10)
    MATH1(normcdf) MATH1(normcdfinv) MATH1(erfinv) MATH1(erfcinv) MATH1(erfcx) MATH1(rcbrt) MATH1(sinpi) MATH1(cospi) MATH1(j0) MATH1(j1) MATH1(y0) MATH1(y1) MATH1(logb)
    MATH2(atan2) MATH2(copysign) MATH2(fdim) MATH2(fmax) MATH2(fmin) MATH2(fmod) MATH2(hypot) MATH2(pow)
    "__device__ float pow(float, int); __device__ double pow(double, int); __device__ double pow(int, int);\n"
    "__device__ double pow(float, double); __device__ double pow(double, float); __device__ double fmod(double, int);\n"
    "extern \"C\" __device__ double fma(double, double, double); extern \"C\" __device__ float fmaf(float, float, float);\n"
    "__device__ float fma(float, float, float);\n"
    "__device__ void sincosf(float, float *, float *); __device__ void sincos(double, double *, double *);\n"
    "__device__ void __sincosf(float, float *, float *);\n"
    "__device__ float __expf(float); __device__ float __exp10f(float); __device__ float __logf(float);\n"
    "__device__ float __log2f(float); __device__ float __log10f(float); __device__ float __sinf(float);\n"
    "__device__ float __cosf(float); __device__ float __tanf(float); __device__ float __powf(float, float);\n"
    "__device__ float __fdividef(float, float); __device__ float fdividef(float, float);\n"
    "__device__ float __fmaf_rn(float, float, float); __device__ float __fmul_rn(float, float);\n"
    "__device__ float __fadd_rn(float, float); __device__ float __fsub_rn(float, float); __device__ float __fdiv_rn(float, float);\n"
    "__device__ float __fsqrt_rn(float); __device__ float __frcp_rn(float); __device__ float __saturatef(float);\n"
    "__device__ double __dmul_rn(double, double); __device__ double __dadd_rn(double, double);\n"
    "__device__ int __mul24(int, int); __device__ unsigned __umul24(unsigned, unsigned);\n"
    "__device__ int __float2int_rn(float); __device__ int __float2int_rd(float); __device__ int __float2int_rz(float);\n"
    "__device__ float __int2float_rn(int); __device__ int __float_as_int(float); __device__ float __int_as_float(int);\n"
    "__device__ int __popc(unsigned); __device__ int __clz(int); __device__ int __ffs(int); __device__ unsigned __brev(unsigned);\n"
    "template <class T, class U> __device__ __host__ auto max(T a, U b) -> decltype(true ? a + 0 * b : b);\n"
    "template <class T, class U> __device__ __host__ auto min(T a, U b) -> decltype(true ? a + 0 * b : b);\n"
    "extern \"C\" __device__ __host__ int abs(int); __device__ __host__ float abs(float); __device__ __host__ double abs(double);\n"
    "__device__ __host__ long abs(long); __device__ bool isnan(float); __device__ bool isnan(double);\n"
    "__device__ bool isinf(float); __device__ bool isinf(double); __device__ bool isfinite(float); __device__ bool isfinite(double);\n"
    "enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };\n"
    "template <class T, int D = 1, int M = 0> struct __attribute__((device_builtin_texture_type)) texture { T none; };\n"
    "template <class T, int D, int M> __device__ T tex1Dfetch(texture<T, D, M>, int);\n"
    "template <class T, int D, int M> __device__ T tex1D(texture<T, D, M>, float);\n"
    "template <class T, int D, int M> __device__ T tex2D(texture<T, D, M>, float, float);\n"
    "template <class T, int D, int M> __device__ T tex3D(texture<T, D, M>, float, float, float);\n"
    "typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;\n"
    "template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);\n"
    "template <class T> __device__ T tex1D(cudaTextureObject_t, float);\n"
    "template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);\n"
    "template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);\n";

// ---- OpenCL C -------------------------------------------------------------------------------
#define CLV(type, name)                                                                            \
    "typedef " #type " " #name "2 __attribute__((ext_vector_type(2)));\n"                          \
    "typedef " #type " " #name "3 __attribute__((ext_vector_type(3)));\n"                          \
    "typedef " #type " " #name "4 __attribute__((ext_vector_type(4)));\n"                          \
    "typedef " #type " " #name "8 __attribute__((ext_vector_type(8)));\n"                          \
    "typedef " #type " " #name "16 __attribute__((ext_vector_type(16)));\n"
#define OVER "__attribute__((overloadable)) "
#define CL1(f, t) t " " OVER f "(" t ");\n"
#define CL2(f, t) t " " OVER f "(" t ", " t ");\n"
#define CL3(f, t) t " " OVER f "(" t ", " t ", " t ");\n"
#define FLOATS(M, f)                                                                               \
    M(f, "float") M(f, "float2") M(f, "float3") M(f, "float4") M(f, "float8") M(f, "float16")      \
    M(f, "double") M(f, "double2") M(f, "double4")
#define INTS(M, f)                                                                                 \
    M(f, "int") M(f, "uint") M(f, "long") M(f, "ulong") M(f, "short") M(f, "ushort") M(f, "char")  \
    M(f, "uchar") M(f, "int2") M(f, "int4") M(f, "uint4")
#define GEN1(f) FLOATS(CL1, f)
#define GEN2(f) FLOATS(CL2, f)
#define DOTS(f) "float " OVER f "(float, float); float " OVER f "(float2, float2); float " OVER f  \
    "(float3, float3); float " OVER f "(float4, float4); double " OVER f "(double, double);\n"
#define LENGTHS(f) "float " OVER f "(float); float " OVER f "(float2); float " OVER f              \
    "(float3); float " OVER f "(float4);\n"
#define CLATOMIC2(f)                                                                               \
    "int " OVER f "(volatile __global int *, int); uint " OVER f "(volatile __global uint *, uint);\n" \
    "int " OVER f "(volatile __local int *, int); uint " OVER f "(volatile __local uint *, uint);\n"
#define CLATOMIC1(f)                                                                               \
    "int " OVER f "(volatile __global int *); uint " OVER f "(volatile __global uint *);\n"        \
    "int " OVER f "(volatile __local int *); uint " OVER f "(volatile __local uint *);\n"
#define CLATOMIC3(f)                                                                               \
    "int " OVER f "(volatile __global int *, int, int); uint " OVER f "(volatile __global uint *, uint, uint);\n" \
    "int " OVER f "(volatile __local int *, int, int); uint " OVER f "(volatile __local uint *, uint, uint);\n"
#define VLOAD(t, n)                                                                                \
    #t #n " " OVER "vload" #n "(size_t, const __global " #t " *); "                                \
    #t #n " " OVER "vload" #n "(size_t, const __local " #t " *); "                                 \
    "void " OVER "vstore" #n "(" #t #n ", size_t, __global " #t " *); "                            \
    "void " OVER "vstore" #n "(" #t #n ", size_t, __local " #t " *);\n"
#define CONVERT(t) t " " OVER "convert_" t "(float); " t " " OVER "convert_" t "(int); " t " " OVER "convert_" t "(uint); " \
    t " " OVER "convert_" t "_sat(int); " t " " OVER "convert_" t "_rtz(float);\n"
#define NATIVE(f) CL1("native_" f, "float") CL1("half_" f, "float") CL1("native_" f, "float4")

static const char opencl[] =
    "#define CLK_LOCAL_MEM_FENCE 1\n#define CLK_GLOBAL_MEM_FENCE 2\n#define INFINITY __builtin_inff()\n"
    "#define NAN __builtin_nanf(\"\")\n#define M_PI 3.14159265358979323846\n#define M_PI_F 3.14159274101257f\n"
    "#define FLT_MAX 3.402823466e+38f\n#define FLT_MIN 1.175494351e-38f\n#define FLT_EPSILON 1.19209290e-07f\n#define INT_MAX 2147483647\n"
    "#define INT_MIN (-INT_MAX-1)\n#define UINT_MAX 4294967295u\n#define MAXFLOAT FLT_MAX\n#define DBL_MAX 1.7976931348623158e+308\n"
    "#define __OPENCL_VERSION__ 200\n#define NULL 0\n"
    "#define __kernel __attribute__((annotate(\"sculpt_kernel\"))) __kernel\n#define kernel __kernel\n"
    "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint;\n"
    "typedef unsigned long ulong; typedef unsigned long size_t; typedef long ptrdiff_t; typedef long intptr_t;\n"
    "typedef unsigned int cl_mem_fence_flags;\n"
    CLV(char, char) CLV(unsigned char, uchar) CLV(short, short) CLV(unsigned short, ushort) CLV(int, int)
    CLV(unsigned int, uint) CLV(long, long) CLV(unsigned long, ulong) CLV(float, float) CLV(double, double)
    "size_t get_global_id(uint); size_t get_local_id(uint); size_t get_group_id(uint);\n"
    "size_t get_global_size(uint); size_t get_local_size(uint); size_t get_num_groups(uint);\n"
    "size_t get_global_offset(uint); uint get_work_dim(void); size_t get_enqueued_local_size(uint);\n"
    "void barrier(cl_mem_fence_flags); void work_group_barrier(cl_mem_fence_flags);\n"
    "void mem_fence(cl_mem_fence_flags); void read_mem_fence(cl_mem_fence_flags); void write_mem_fence(cl_mem_fence_flags);\n"
    "int printf(__constant const char *, ...);\n"
    GEN1("acos") GEN1("acosh") GEN1("asin") GEN1("asinh") GEN1("atan") GEN1("atanh") GEN1("cbrt")
    GEN1("ceil") GEN1("cos") GEN1("cosh") GEN1("erf") GEN1("erfc") GEN1("exp") GEN1("exp2")
    GEN1("exp10") GEN1("expm1") GEN1("fabs") GEN1("floor") GEN1("log") GEN1("log10") GEN1("log1p")
    GEN1("log2") GEN1("rint") GEN1("round") GEN1("rsqrt") GEN1("sin") GEN1("sinh") GEN1("sqrt")
    GEN1("tan") GEN1("tanh") GEN1("trunc") GEN1("lgamma") GEN1("tgamma") GEN1("normalize")
    GEN1("sinpi") GEN1("cospi") GEN1("degrees") GEN1("radians") GEN1("sign")
    GEN2("atan2") GEN2("copysign") GEN2("fdim") GEN2("fmax") GEN2("fmin") GEN2("fmod") GEN2("hypot")
    GEN2("pow") GEN2("max") GEN2("min") GEN2("step") FLOATS(CL3, "fma") FLOATS(CL3, "mad") FLOATS(CL3, "clamp")
    FLOATS(CL3, "mix")
    "float " OVER "powr(float, float); float " OVER "pown(float, int); float " OVER "native_powr(float, float);\n"
    "float " OVER "native_divide(float, float); float " OVER "half_divide(float, float);\n"
    NATIVE("exp") NATIVE("exp2") NATIVE("log") NATIVE("log2") NATIVE("sin") NATIVE("cos") NATIVE("tan")
    NATIVE("sqrt") NATIVE("rsqrt") NATIVE("recip") NATIVE("exp10") NATIVE("log10")
    INTS(CL2, "max") INTS(CL2, "min") INTS(CL3, "clamp") INTS(CL1, "abs") INTS(CL2, "mul24") INTS(CL2, "mul_hi")
    INTS(CL3, "mad24") INTS(CL1, "popcount") INTS(CL1, "clz") INTS(CL2, "rotate")
    DOTS("dot") DOTS("distance") LENGTHS("length") DOTS("fast_distance") LENGTHS("fast_length")
    "int " OVER "isnan(float); int " OVER "isinf(float); int " OVER "isnan(double); int " OVER "isinf(double);\n"
    "int " OVER "isfinite(float); int " OVER "isfinite(double);\n"
    "float " OVER "convert_float(int); float " OVER "convert_float(uint); int " OVER "convert_int(float);\n"
    "float " OVER "convert_float(uchar); uchar " OVER "convert_uchar_sat(float); uchar " OVER "convert_uchar(float);\n"
    "float4 " OVER "convert_float4(uchar4); float4 " OVER "convert_float4(int4); int4 " OVER "convert_int4(float4); uchar4 " OVER "convert_uchar4_sat(float4);\n"
    "int " OVER "as_int(float); float " OVER "as_float(int); uint " OVER "as_uint(float); float " OVER "as_float(uint);\n"
    VLOAD(float, 2) VLOAD(float, 4) VLOAD(float, 8) VLOAD(float, 16) VLOAD(int, 2) VLOAD(int, 4) VLOAD(uint, 4) VLOAD(double, 2) VLOAD(double, 4)
    CLATOMIC2("atomic_add") CLATOMIC2("atomic_sub") CLATOMIC2("atomic_xchg") CLATOMIC2("atomic_min")
    CLATOMIC2("atomic_max") CLATOMIC2("atomic_and") CLATOMIC2("atomic_or") CLATOMIC2("atomic_xor")
    CLATOMIC1("atomic_inc") CLATOMIC1("atomic_dec") CLATOMIC3("atomic_cmpxchg")
    CLATOMIC2("atom_add") CLATOMIC2("atom_sub") CLATOMIC2("atom_xchg") CLATOMIC2("atom_min")
    CLATOMIC2("atom_max") CLATOMIC1("atom_inc") CLATOMIC1("atom_dec") CLATOMIC3("atom_cmpxchg")
    "#define CLK_NORMALIZED_COORDS_FALSE 0\n#define CLK_NORMALIZED_COORDS_TRUE 1\n#define CLK_ADDRESS_NONE 0\n"
    "#define CLK_ADDRESS_CLAMP 4\n#define CLK_ADDRESS_CLAMP_TO_EDGE 2\n#define CLK_ADDRESS_REPEAT 6\n#define CLK_ADDRESS_MIRRORED_REPEAT 8\n"
    "#define CLK_FILTER_NEAREST 0x10\n#define CLK_FILTER_LINEAR 0x20\n"
    "int " OVER "get_image_width(read_only image2d_t); int " OVER "get_image_height(read_only image2d_t);\n"
    "int " OVER "get_image_width(read_only image3d_t); int " OVER "get_image_height(read_only image3d_t);\n"
    "int " OVER "get_image_depth(read_only image3d_t); float4 " OVER "read_imagef(read_only image3d_t, sampler_t, int4);\n"
    "float4 " OVER "read_imagef(read_only image3d_t, sampler_t, float4); uint4 " OVER "read_imageui(read_only image3d_t, sampler_t, int4);\n"
    "uint4 " OVER "read_imageui(read_only image3d_t, sampler_t, float4);\n"
    CONVERT("char") CONVERT("uchar") CONVERT("short") CONVERT("ushort") CONVERT("uint") CONVERT("long") CONVERT("ulong") CONVERT("double")
    "int " OVER "convert_int(uint); int " OVER "convert_int(long); int " OVER "convert_int(uchar); int " OVER "convert_int(double); int " OVER "convert_int_rtp(float);\n"
    "int " OVER "convert_int_rtn(float); int " OVER "convert_int_rte(float); int " OVER "convert_int_rtz(float); int " OVER "convert_int_sat(float);\n"
    "float " OVER "convert_float(double); float " OVER "convert_float(short); float " OVER "convert_float(ushort); float " OVER "convert_float(long);\n"
    "ulong " OVER "as_ulong(double); ulong " OVER "as_ulong(long); long " OVER "as_long(double); double " OVER "as_double(long); double " OVER "as_double(ulong);\n"
    "char " OVER "as_char(uchar); uchar " OVER "as_uchar(char); short " OVER "as_short(ushort); ushort " OVER "as_ushort(short); int " OVER "as_int(uint); uint " OVER "as_uint(int);\n"
    "typedef struct { int none; } sculpt_sampler;\n"
    "float4 " OVER "read_imagef(read_only image2d_t, sampler_t, int2); float4 " OVER "read_imagef(read_only image2d_t, sampler_t, float2);\n"
    "float4 " OVER "read_imagef(read_only image2d_t, int2); uint4 " OVER "read_imageui(read_only image2d_t, sampler_t, int2);\n"
    "int4 " OVER "read_imagei(read_only image2d_t, sampler_t, int2); void " OVER "write_imagef(write_only image2d_t, int2, float4);\n";

bool is_prelude(const char *file) { return file && str_eq(file, PRELUDE_PATH); }
const char *prelude_cuda(void) { return cuda; }
const char *prelude_opencl(void) { return opencl; }
