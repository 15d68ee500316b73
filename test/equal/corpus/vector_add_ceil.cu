// CHECK loops.c:vector_add
__global__ void vecAdd(const float *a, const float *b, float *c, int n) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void vector_add(int n, const float *a, const float *b, float *c) {
    vecAdd<<<ceil(n / 256.0), 256>>>(a, b, c, n);
}
