// CHECK loops.c:ema --where "t >= 1" --grid "(n + 255) / 256" --block 256
__global__ void k(int n, int t, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int k = 1; k < t; k++) s = a * x[k * n + i] + (1.0f - a) * s;
    y[i] = s;
}
