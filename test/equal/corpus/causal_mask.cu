// CHECK loops.c:causal_mask --grid "(n + 31) / 32, n" --block 32
__global__ void mask(float *S, int n) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y;
    if (j < n && j > i) S[i * n + j] = -INFINITY;
}
