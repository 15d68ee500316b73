// CHECK loops.c:dot_one --permit reassociate
__global__ void dot_kernel(const float *x, const float *y, float *out, int n) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 0.0f;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0.0f;
    while (i + 3 * stride < n) {
        acc += x[i] * y[i];
        acc += x[i + stride] * y[i + stride];
        acc += x[i + 2 * stride] * y[i + 2 * stride];
        acc += x[i + 3 * stride] * y[i + 3 * stride];
        i += 4 * stride;
    }
    while (i < n) { acc += x[i] * y[i]; i += stride; }
    atomicAdd(&s, acc);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, s);
}
void dot(int n, const float *x, const float *y, float *out) {
    cudaMemset(out, 0, sizeof(float));
    dot_kernel<<<120, 256>>>(x, y, out, n);
}
