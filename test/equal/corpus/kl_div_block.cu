// CHECK loops.c:kl_div --permit reassociate --grid n --block 256
__global__ void kl_rows(const float *logq, const float *p, float *out, int m) {
    __shared__ float buf[256];
    int row = blockIdx.x, tid = threadIdx.x;
    float s = 0.0f;
    for (int j = tid; j < m; j += 256) {
        float pv = p[row * m + j];
        if (pv > 0.0f) s += pv * (logf(pv) - logq[row * m + j]);
    }
    buf[tid] = s;
    __syncthreads();
    for (unsigned int k = 128; k > 0; k >>= 1) {
        if (tid < k) buf[tid] += buf[tid + k];
        __syncthreads();
    }
    if (tid == 0) out[row] = buf[0];
}
