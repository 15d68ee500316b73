// CHECK loops.c:moving_average --where "w >= 1 && w <= 1000000000 && n <= 1000000000" --grid "(n + 127) / 128" --block 128
__global__ void moving_average(const float *x, float *y, int n, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + w > n) return;
    float s = 0.0f;
    for (int k = 0; k < w; k++) s += x[i + k];
    y[i] = s / w;
}
