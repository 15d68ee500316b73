// CHECK loops.c:saxpy --grid "(n + 1023) / 1024" --block 256
#define ITEMS 4
__global__ void saxpy4(int n, float alpha, const float *x, float *y) {
    int base = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int i = base + k * blockDim.x;
        if (i < n) y[i] = fmaf(alpha, x[i], y[i]);
    }
}
