// CHECK loops.c:depthwise --grid "(w + 15) / 16, (h + 15) / 16, c" --block 16,16
__global__ void depthwise(const float *x, const float *f, float *y, int c, int h, int w) {
    __shared__ float filter[9];
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, k = blockIdx.z;
    int t = threadIdx.y * 16 + threadIdx.x;
    if (t < 9) filter[t] = f[k * 9 + t];
    __syncthreads();
    if (i < h - 2 && j < w - 2) {
        float s = 0.0f;
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) s += x[(k * h + i + p) * w + j + q] * filter[p * 3 + q];
        y[(k * (h - 2) + i) * (w - 2) + j] = s;
    }
}
