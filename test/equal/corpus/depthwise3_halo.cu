// CHECK loops.c:depthwise3 --grid "(W + 15) / 16, (H + 15) / 16, C" --block 16,16
#define T 16
__global__ void depthwise(const float *x, const float *k, const float *b, float *y, int C, int H, int W) {
    __shared__ float s[T + 2][T + 2];
    const int c = blockIdx.z;
    const int tid = threadIdx.y * T + threadIdx.x;
    for (int e = tid; e < (T + 2) * (T + 2); e += T * T) {
        int r = e / (T + 2), q = e % (T + 2);
        int h = blockIdx.y * T + r - 1, w = blockIdx.x * T + q - 1;
        s[r][q] = (h >= 0 && h < H && w >= 0 && w < W) ? x[(c * H + h) * W + w] : 0.0f;
    }
    __syncthreads();
    int h = blockIdx.y * T + threadIdx.y, w = blockIdx.x * T + threadIdx.x;
    if (h >= H || w >= W) return;
    float acc = b[c];
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) acc += s[threadIdx.y + i][threadIdx.x + j] * k[c * 9 + i * 3 + j];
    y[(c * H + h) * W + w] = acc;
}
