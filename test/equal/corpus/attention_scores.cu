// CHECK loops.c:attention_scores --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void qk(const float *Q, const float *K, float *S, float scale, int n, int d) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float s = 0.0f;
        for (int k = 0; k < d; k++) s += Q[i * d + k] * K[j * d + k];
        S[i * n + j] = s * scale;
    }
}
