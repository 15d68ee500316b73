// SPDX-License-Identifier: MIT
// convolution.cu -- a picture filtered: each point becomes the weighted sum of the 17 x 17 around it.
//
// A block brings the part of the picture that it needs into shared memory. A thread has tile_size_x by
// tile_size_y points, which stand a block's size apart. Macros are knobs: block_size_x, block_size_y,
// tile_size_x, tile_size_y, use_padding, read_only. convolution.json has their values and the sizes.
#define FILTER 17
#define PART_X (block_size_x * tile_size_x + FILTER - 1)
#define PART_Y (block_size_y * tile_size_y + FILTER - 1)
#if read_only
#define GET(p) __ldg(p)
#else
#define GET(p) (*(p))
#endif

extern "C" __global__ __launch_bounds__(block_size_x *block_size_y) void convolution(
    float *out, const float *in, const float *filter, int width, int height, int in_width, int in_height)
{
    __shared__ float part[PART_Y][PART_X + use_padding];
    const int left = blockIdx.x * (block_size_x * tile_size_x);
    const int top = blockIdx.y * (block_size_y * tile_size_y);
    float sum[tile_size_y][tile_size_x];

    for (int y = threadIdx.y; y < PART_Y; y += block_size_y)
        for (int x = threadIdx.x; x < PART_X; x += block_size_x)
            if (top + y < in_height && left + x < in_width)
                part[y][x] = GET(&in[(top + y) * in_width + left + x]);
    __syncthreads();

#pragma unroll
    for (int j = 0; j < tile_size_y; j++)
#pragma unroll
        for (int i = 0; i < tile_size_x; i++)
            sum[j][i] = 0;
    for (int fy = 0; fy < FILTER; fy++)
#pragma unroll
        for (int fx = 0; fx < FILTER; fx++) {
            const float w = GET(&filter[fy * FILTER + fx]);
#pragma unroll
            for (int j = 0; j < tile_size_y; j++)
#pragma unroll
                for (int i = 0; i < tile_size_x; i++)
                    sum[j][i] +=
                        w * part[threadIdx.y + j * block_size_y + fy][threadIdx.x + i * block_size_x + fx];
        }

#pragma unroll
    for (int j = 0; j < tile_size_y; j++)
#pragma unroll
        for (int i = 0; i < tile_size_x; i++) {
            const int x = left + threadIdx.x + i * block_size_x, y = top + threadIdx.y + j * block_size_y;
            if (x < width && y < height) out[y * width + x] = sum[j][i];
        }
}
