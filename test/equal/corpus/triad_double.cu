// CHECK loops.c:triad --grid "(n + 191) / 192" --block 192
__global__ void STREAM_Triad(double *a, double *b, double *c, double scalar, int len) {
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < len) a[idx] = b[idx] + scalar * c[idx];
}
