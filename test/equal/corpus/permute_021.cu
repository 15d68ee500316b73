// CHECK loops.c:permute_021 --grid "(c + 63) / 64, b, a" --block 64
__global__ void permute(const float *x, float *y, int a, int b, int c) {
    int k = blockIdx.x * 64 + threadIdx.x, j = blockIdx.y, i = blockIdx.z;
    if (k < c) y[(i * c + k) * b + j] = x[(i * b + j) * c + k];
}
