// CHECK loops.c:block_sums --permit reassociate --grid n --block 128 --kernel reduce5<128>
template <unsigned int blockSize>
__global__ void reduce5(float *g_idata, float *g_odata) {
    __shared__ float sdata[blockSize];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    sdata[tid] = g_idata[i] + g_idata[i + blockSize];
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
    if (tid < 32) {
        volatile float *s = sdata;
        s[tid] += s[tid + 32]; __syncwarp();
        if (tid < 16) s[tid] += s[tid + 16]; __syncwarp();
        if (tid < 8) s[tid] += s[tid + 8]; __syncwarp();
        if (tid < 4) s[tid] += s[tid + 4]; __syncwarp();
        if (tid < 2) s[tid] += s[tid + 2]; __syncwarp();
        if (tid < 1) s[tid] += s[tid + 1];
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
