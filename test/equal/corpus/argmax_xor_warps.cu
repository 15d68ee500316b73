// CHECK loops.c:argmax_vi --where "m >= 1" --grid n --block 256
__global__ void argmax_xor(const float *__restrict__ x, float *__restrict__ val, int *__restrict__ idx, int n, int m) {
    __shared__ float s_val[8];
    __shared__ int s_idx[8];
    const float *row = x + (long)blockIdx.x * m;
    float v = -FLT_MAX;
    int id = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        float c = row[j];
        if (c > v) { v = c; id = j; }
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
        float ov = __shfl_xor_sync(0xffffffff, v, mask);
        int oi = __shfl_xor_sync(0xffffffff, id, mask);
        if (ov > v || (ov == v && oi < id)) { v = ov; id = oi; }
    }
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) { s_val[warp] = v; s_idx[warp] = id; }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) {
            if (s_val[w] > v || (s_val[w] == v && s_idx[w] < id)) { v = s_val[w]; id = s_idx[w]; }
        }
        val[blockIdx.x] = v;
        idx[blockIdx.x] = id;
    }
}
