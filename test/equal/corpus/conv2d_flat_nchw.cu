// CHECK loops.c:conv2d_nchw_of --where "H >= 3 && W >= 3"
__global__ void conv2d_kernel(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ b, float *__restrict__ y, int N, int C, int H, int W, int K) {
    const int OH = H - 2, OW = W - 2;
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int nk = blockIdx.z;
    int n = nk / K, k = nk % K;
    if (ow >= OW || oh >= OH) return;
    float acc = b[k];
    for (int c = 0; c < C; ++c) {
#pragma unroll
        for (int p = 0; p < 3; ++p) {
#pragma unroll
            for (int q = 0; q < 3; ++q) {
                acc += x[((n * C + c) * H + (oh + p)) * W + (ow + q)] * w[((k * C + c) * 3 + p) * 3 + q];
            }
        }
    }
    y[((n * K + k) * OH + oh) * OW + ow] = acc;
}
void conv2d(const float *x, const float *w, const float *b, float *y, int N, int C, int H, int W, int K) {
    dim3 threads(16, 16);
    dim3 blocks((W - 2 + threads.x - 1) / threads.x, (H - 2 + threads.y - 1) / threads.y, N * K);
    conv2d_kernel<<<blocks, threads>>>(x, w, b, y, N, C, H, W, K);
}
