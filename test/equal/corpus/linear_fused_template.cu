// CHECK loops.c:linear_bias_relu_res --permit reassociate
template <int TILE>
__global__ void fused_linear(const float *X, const float *W, const float *bias, const float *R, float *Y,
                             int M, int N, int K) {
    __shared__ float sx[TILE][TILE + 1], sw[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.f;
    const int tiles = (K + TILE - 1) / TILE;
    for (int t = 0; t < tiles; t++) {
        const int kx = t * TILE + tx;
        sx[ty][tx] = row < M && kx < K ? X[row * K + kx] : 0.f;
        const int wrow = blockIdx.x * TILE + ty;
        sw[ty][tx] = wrow < N && kx < K ? W[wrow * K + kx] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) acc += sx[ty][k] * sw[tx][k];
        __syncthreads();
    }
    if (row < M && col < N) {
        float v = acc + bias[col];
        v = v > 0.f ? v : 0.f;
        Y[row * N + col] = v + R[row * N + col];
    }
}
void linear_bias_relu_res(int M, int N, int K, const float *X, const float *W, const float *b, const float *R,
                          float *Y) {
    const int tile = 16;
    dim3 threads(tile, tile);
    dim3 blocks((N + tile - 1) / tile, (M + tile - 1) / tile);
    fused_linear<tile><<<blocks, threads>>>(X, W, b, R, Y, M, N, K);
}
