// CHECK loops.c:hinge --permit reassociate
__global__ void hinge_kernel(const float *p, const float *t, float *out, int n) {
    float local = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        local += fmaxf(0.0f, 1.0f - p[i] * t[i]);
    for (int o = 16; o > 0; o >>= 1) local += __shfl_down_sync(0xffffffff, local, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, local);
}
__global__ void finish(float *out, int n) { *out /= n; }
void hinge(int n, const float *p, const float *t, float *out) {
    cudaMemset(out, 0, sizeof(float));
    hinge_kernel<<<64, 256>>>(p, t, out, n);
    finish<<<1, 1>>>(out, n);
}
