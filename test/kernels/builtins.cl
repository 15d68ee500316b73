// OpenCL's builtins as files of others use them, written anew.
// RUN --kernel vectors --grid 4 --block 64
// RUN --kernel permutes --grid 4 --block 64
// RUN --kernel images --grid 4,4 --block 16,4 --arg w=60 --arg h=16
// RUN --kernel volume --grid 4,4 --block 16,4
// RUN --kernel copies --grid 4 --block 64 --arg tile=256
// REMARK orders nothing
// RUN --kernel copies_early --grid 4 --block 64 --arg tile=256
// ERROR and no barrier is between them
// REMARK orders nothing
// RUN --kernel halves --grid 4 --block 64
// RUN --kernel subgroups --grid 4 --block 64
// RUN --kernel groups --grid 4 --block 64
// RUN --kernel bits --grid 4 --block 64
// RUN --kernel whole_numbers --grid 4 --block 64
// RUN --kernel records --grid 4 --block 64

__kernel void vectors(__global float *a, __global uchar4 *pixels)
{
    int i = get_global_id(0);
    float4 v = vload4(i, a);
    float4 p = convert_float4(pixels[i]);
    v = mix(v, p, 0.5f) + clamp(p, 0.0f, 1.0f) * smoothstep(0.0f, 1.0f, v);
    v.xyz = cross(v.xyz, p.xyz) + normalize(p.xyz);
    v.w = dot(v, p) + length(v) + distance(v.xy, p.xy);
    if (any(isgreater(v, p)))
        v = select(v, p, v < p);
    vstore4(v, i, a);
    pixels[i] = convert_uchar4_sat_rte(v * 255.0f);
}

__kernel void permutes(__global float4 *a, __global uint4 *order)
{
    int i = get_global_id(0);
    float4 v = a[i];
    v = shuffle(v, (uint4)(3, 2, 1, 0));
    v += shuffle(v, order[i]);
    v += shuffle2(v, v.wzyx, (uint4)(0, 4, 1, 5));
    a[i] = v;
}

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float4 texel(__read_only image2d_t im, int x, int y) { return read_imagef(im, nearest, (int2)(x, y)); }

__kernel void images(__read_only image2d_t in, __write_only image2d_t out, __global float *sums, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float4 v = texel(in, x, y) + texel(in, x + 1, y);
    if (v.x > 0.5f)
        v *= 2.0f;
    write_imagef(out, (int2)(x, y), v);
    sums[y * w + x] = v.x + v.y;
}

__kernel void volume(__read_only image3d_t in, __global float *sums)
{
    float sum = 0;
    for (int z = 0; z < get_image_depth(in); z++)
        sum += read_imagef(in, nearest, (int4)(get_global_id(0), get_global_id(1), z, 0)).x;
    sums[get_global_id(1) * get_image_width(in) + get_global_id(0)] = sum;
}

__kernel void copies(__global const float *in, __global float *out, __local float *tile)
{
    event_t e = async_work_group_copy(tile, in + get_group_id(0) * 256, 256, 0);
    wait_group_events(1, &e);
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += tile[(get_local_id(0) * 4 + k + 64) % 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}

// The events are waited for too late.
__kernel void copies_early(__global const float *in, __global float *out, __local float *tile)
{
    event_t e = async_work_group_copy(tile, in + get_group_id(0) * 256, 256, 0);
    float sum = tile[(get_local_id(0) * 4 + 64) % 256];
    wait_group_events(1, &e);
    out[get_global_id(0)] = sum;
}

__kernel void halves(__global const half *h, __global half *g, __global half *to, __global float *f)
{
    int i = get_global_id(0);
    float4 v = vload_half4(i, h);
    f[i] = v.x + v.y + v.z + v.w + vload_half(i, h);
    g[i] = (half)2.0f * h[i] + exp(h[i]);
    vstore_half4(v, i, to);
}

__kernel void subgroups(__global const float *a, __global float *sums)
{
    float s = sub_group_reduce_add(a[get_global_id(0)]);
    s += sub_group_broadcast(s, 0);
    if (get_sub_group_local_id() == 0)
        sums[get_group_id(0) * get_num_sub_groups() + get_sub_group_id()] = s;
}

__kernel void groups(__global const int *a, __global int *sums)
{
    int s = work_group_reduce_add(a[get_global_linear_id()]);
    if (get_local_linear_id() == 0)
        sums[get_group_id(0)] = s;
}

__kernel void bits(__global float *a, __global int *b, __global uint4 *c)
{
    int i = get_global_id(0);
    float whole;
    float part = fract(a[i], &whole), cosine;
    float sine = sincos(part, &cosine);
    b[i] = as_int(a[i]) ^ popcount(b[i]) ^ rotate(b[i], 3) ^ bitselect(b[i], 7, 12);
    ushort8 s = as_ushort8(c[i]);
    a[i] = whole + sine + cosine + s.s0 + s.s7 + as_float(c[i].x) + fma(sine, cosine, whole);
}

__kernel void whole_numbers(__global int *a, __global uchar *b)
{
    int i = get_global_id(0);
    a[i] = mad24(a[i], 3, 1) + mul_hi(a[i], 7) + max(a[i], 3) + hadd(a[i], 5) + abs_diff(a[i], 9) + clz(a[i]);
    b[i] = convert_uchar_sat(a[i]) + add_sat(b[i], (uchar)3);
    prefetch(a + i, 1);
}

typedef struct __attribute__((packed)) {
    half d;
    uchar q[16];
} Record;
__kernel void records(__global const char *bytes, ulong offset, __global float *out)
{
    __global const Record *r = (__global const Record *)(bytes + offset) + get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += r->d * r->q[k];
    *((__global float *)((__global char *)out + 4 * get_global_id(0))) = sum;
}
