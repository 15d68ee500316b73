// CHECK loops.c:scale
template <typename T, int BLOCK>
__global__ void scale_kernel(T *x, T alpha, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) x[i] *= alpha;
}
void scale(int n, float alpha, float *x) {
    const int block = 256;
    scale_kernel<float, 256><<<(n + block - 1) / block, block>>>(x, alpha, n);
}
