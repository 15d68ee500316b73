// CHECK loops.c:saxpy --grid "(short)((n + 63) / 64)" --block 64
// FAULTS 0
// UNREAD_FAULTS 0
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
