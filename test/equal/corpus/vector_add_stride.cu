// CHECK loops.c:vector_add --grid 80 --block 128
__global__ void add(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride) c[i] = a[i] + b[i];
}
