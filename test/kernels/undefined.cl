// Names that the program defines when it compiles its kernels, written anew.
// RUN --kernel clear --grid 4 --block 64
// REMARK not defined in this file: NBINS
// RUN --kernel clear --grid 4 --block 64 --arg NBINS=200
// RUN --kernel sums --grid 4 --block 64 --arg GROUP=64
// REMARK not defined in this file: COUNT
// RUN --kernel painted --grid 4,4 --block 16,4
// ERROR goes to images
// RUN --kernel masked --grid 4 --block 64
// RUN --kernel precise --grid 4 --block 64
// ERROR unknown type name 'REAL'
// REMARK this file defines 'REAL' under '#ifdef SINGLE'
// REMARK -D NAME=VALUE
#ifdef SINGLE
#define REAL float
#elif defined(TWICE)
#define REAL double
#endif

__kernel void clear(__global float *a)
{
    if (get_global_id(0) < NBINS)
        a[get_global_id(0)] = 0;
}

__kernel void sums(__global const float *a, __global float *b)
{
    __local float s[GROUP];
    float sum = 0;
    for (int i = get_global_id(0); i < COUNT; i += get_global_size(0))
        sum += a[i];
    s[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = GROUP / 2; d > 0; d >>= 1) {
        if (get_local_id(0) < d)
            s[get_local_id(0)] += s[get_local_id(0) + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0)
        b[get_group_id(0)] = s[0];
}

__kernel void painted(__read_only image2d_t in, __write_only image2d_t out)
{
    const sampler_t at_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, at_edge, at));
}

__kernel void masked(__global float4 *a, __global uint4 *m)
{
    int i = get_global_id(0);
    a[i] = shuffle(a[i], m[i] + (uint4)(1, 0, 3, 2));
}

__kernel void precise(__global REAL *a)
{
    a[get_global_id(0)] *= 2;
}
