// CHECK loops.c:causal_softmax --grid "(n + 31) / 32" --block 32
__global__ void causal_softmax(const float *S, float *P, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float top = -INFINITY, s = 0.0f;
    for (int j = 0; j <= i; j++) top = fmaxf(top, S[i * n + j]);
    for (int j = 0; j <= i; j++) s += expf(S[i * n + j] - top);
    for (int j = 0; j <= i; j++) P[i * n + j] = expf(S[i * n + j] - top) / s;
    for (int j = i + 1; j < n; j++) P[i * n + j] = 0.0f;
}
