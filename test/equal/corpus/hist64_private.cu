// CHECK loops.c:hist64 --permit reassociate --grid "(n + 1023) / 1024" --block 64
__global__ void h64(const unsigned char *x, const float *w, float *h, int n) {
    __shared__ float s[64];
    s[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * 1024 + k * 64 + threadIdx.x;
        if (i < n) atomicAdd(&s[x[i] >> 2], w[i]);
    }
    __syncthreads();
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
