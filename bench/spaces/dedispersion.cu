// SPDX-License-Identifier: MIT
// dedispersion.cu -- a radio signal in channels, summed along the delays that each of many dispersions has.
//
// Lower channels arrive later: out[dm][t] is the sum over channels of in[channel][t + delay[channel] * dm].
// A thread has tile_size_x samples of tile_size_y dispersions; with tile_stride_x or _y these stand a
// block's size apart, else side by side. Macros are knobs: block_size_x, block_size_y, tile_size_x,
// tile_size_y, tile_stride_x, tile_stride_y, unroll_channel. dedispersion.json has their values and the sizes.
#if tile_stride_x
#define STEP_X block_size_x
#define FIRST_X threadIdx.x
#else
#define STEP_X 1
#define FIRST_X (threadIdx.x * tile_size_x)
#endif
#if tile_stride_y
#define STEP_Y block_size_y
#define FIRST_Y threadIdx.y
#else
#define STEP_Y 1
#define FIRST_Y (threadIdx.y * tile_size_y)
#endif

extern "C" __global__ __launch_bounds__(block_size_x *block_size_y) void dedispersion(
    float *out, const unsigned char *in, const float *delay, int channels, int samples, int dms, int in_width)
{
    const int t = blockIdx.x * (block_size_x * tile_size_x) + FIRST_X;
    const int dm = blockIdx.y * (block_size_y * tile_size_y) + FIRST_Y;
    float sum[tile_size_y][tile_size_x];

#pragma unroll
    for (int j = 0; j < tile_size_y; j++)
#pragma unroll
        for (int i = 0; i < tile_size_x; i++)
            sum[j][i] = 0;
#pragma unroll unroll_channel
    for (int c = 0; c < channels; c++) {
        const float d = delay[c];
#pragma unroll
        for (int j = 0; j < tile_size_y; j++) {
            const int shift = (int)(d * (float)(dm + j * STEP_Y));
#pragma unroll
            for (int i = 0; i < tile_size_x; i++)
                sum[j][i] += in[c * in_width + t + i * STEP_X + shift];
        }
    }

#pragma unroll
    for (int j = 0; j < tile_size_y; j++)
#pragma unroll
        for (int i = 0; i < tile_size_x; i++)
            if (t + i * STEP_X < samples && dm + j * STEP_Y < dms)
                out[(dm + j * STEP_Y) * samples + t + i * STEP_X] = sum[j][i];
}
