// CHECK loops.c:rgb_yuv --grid "(n + 255) / 256" --block 256
__global__ void rgb2yuv(const uchar3 *rgb, float3 *yuv, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar3 p = rgb[i];
    float r = p.x, g = p.y, b = p.z;
    yuv[i] = make_float3(0.299f * r + 0.587f * g + 0.114f * b, -0.147f * r - 0.289f * g + 0.436f * b,
                         0.615f * r - 0.515f * g - 0.1f * b);
}
