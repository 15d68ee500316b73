// CHECK loops.c:cosine_of --permit reassociate --grid n --block 256
template <typename T, int N>
__device__ T block_sum(T v, T *smem) {
    int tid = threadIdx.x;
    smem[tid] = v;
    __syncthreads();
#pragma unroll
    for (int s = N / 2; s > 0; s >>= 1) {
        if (tid < s) smem[tid] += smem[tid + s];
        __syncthreads();
    }
    T r = smem[0];
    __syncthreads();
    return r;
}
__global__ void cosine_similarity(const float *a, const float *b, float *y, int n, int m) {
    __shared__ float smem[256];
    const int64_t row = blockIdx.x;
    float ab = 0.f, aa = 0.f, bb = 0.f;
    for (int64_t j = threadIdx.x; j < m; j += blockDim.x) {
        const float u = a[row * m + j], v = b[row * m + j];
        ab += u * v;
        aa += u * u;
        bb += v * v;
    }
    ab = block_sum<float, 256>(ab, smem);
    aa = block_sum<float, 256>(aa, smem);
    bb = block_sum<float, 256>(bb, smem);
    if (threadIdx.x == 0) y[row] = ab / (sqrtf(aa) * sqrtf(bb) + 1e-8f);
}
