// CHECK loops.c:avgpool2d --where "stride >= 1 && K >= 1" --grid "(OW + 15) / 16, (OH + 15) / 16, N * C" --block "16, 16"
__global__ void avg_pool(const float *x, float *y, int N, int C, int H, int W, int OH, int OW, int K, int stride) {
    int ow = blockIdx.x * blockDim.x + threadIdx.x, oh = blockIdx.y * blockDim.y + threadIdx.y, nc = blockIdx.z;
    if (ow >= OW || oh >= OH) return;
    float sum = 0.f;
    int h0 = oh * stride, w0 = ow * stride;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) sum += x[(nc * H + h0 + i) * W + w0 + j];
    y[(nc * OH + oh) * OW + ow] = sum / (K * K);
}
