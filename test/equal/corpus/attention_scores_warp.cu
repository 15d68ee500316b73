// CHECK loops.c:attention_scores --permit reassociate --grid "n, n" --block 32
__global__ void qk_warp(const float *Q, const float *K, float *S, float scale, int n, int d) {
    int i = blockIdx.y, j = blockIdx.x;
    float s = 0.0f;
    for (int k = threadIdx.x; k < d; k += 32) s += Q[i * d + k] * K[j * d + k];
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) S[i * n + j] = s * scale;
}
