// CHECK loops.c:conv1x1 --permit reassociate
#define T 16
__global__ void pointwise_conv(const float *x, const float *w, const float *bias, float *y, int C, int K, int S) {
    __shared__ float ws[T][T];
    __shared__ float xs[T][T];
    int n = blockIdx.z;
    int k = blockIdx.y * T + threadIdx.y;
    int p = blockIdx.x * T + threadIdx.x;
    float acc = 0.0f;
    for (int c0 = 0; c0 < C; c0 += T) {
        ws[threadIdx.y][threadIdx.x] = (k < K && c0 + threadIdx.x < C) ? w[k * C + c0 + threadIdx.x] : 0.0f;
        xs[threadIdx.y][threadIdx.x] = (p < S && c0 + threadIdx.y < C) ? x[(n * C + c0 + threadIdx.y) * S + p] : 0.0f;
        __syncthreads();
        for (int c = 0; c < T; ++c) acc += ws[threadIdx.y][c] * xs[c][threadIdx.x];
        __syncthreads();
    }
    if (k < K && p < S) y[(n * K + k) * S + p] = acc + bias[k];
}
void conv1x1(int N, int C, int K, int S, const float *x, const float *w, const float *b, float *y) {
    pointwise_conv<<<dim3((S + T - 1) / T, (K + T - 1) / T, N), dim3(T, T)>>>(x, w, b, y, C, K, S);
}
