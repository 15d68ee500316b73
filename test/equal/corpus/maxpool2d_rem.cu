// CHECK loops.c:maxpool2d --grid "(n * c * h * w + 127) / 128" --block 128
__global__ void maxpool(const float *__restrict__ x, float *__restrict__ y, int n, int c, int h, int w) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n * c * h * w) {
        int b = tid / (c * h * w);
        int rem = tid % (c * h * w);
        int k = rem / (h * w);
        rem = rem % (h * w);
        int i = rem / w;
        int j = rem - i * w;
        float m = -INFINITY;
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++) {
                int r = 2 * i + p, s = 2 * j + q;
                m = fmaxf(m, x[b * c * 2 * h * 2 * w + k * 2 * h * 2 * w + r * 2 * w + s]);
            }
        y[tid] = m;
    }
}
