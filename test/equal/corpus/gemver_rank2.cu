// CHECK loops.c:gemver_a --grid "(n + 31) / 32, (n + 7) / 8" --block 32,8
#define DATA_TYPE double
__global__ void gemver_kernel1(int n, DATA_TYPE *a, DATA_TYPE *v1, DATA_TYPE *v2, DATA_TYPE *u1, DATA_TYPE *u2) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < n) && (j < n)) {
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
    }
}
