// CHECK loops.c:dequant_gemv --permit reassociate --where "K % 4 == 0" --grid "(N + 3) / 4" --block 32,4
__global__ void w8_gemv(const signed char *W, const float *scale, const float *x, float *y, int N, int K) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= N) return;
    const char4 *w = reinterpret_cast<const char4 *>(W + (size_t)row * K);
    const float4 *xv = reinterpret_cast<const float4 *>(x);
    float acc = 0.f;
    for (int k = threadIdx.x; k < K / 4; k += 32) {
        char4 q = w[k];
        float4 v = xv[k];
        acc += q.x * v.x + q.y * v.y + q.z * v.z + q.w * v.w;
    }
    for (int o = 16; o; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
    if (threadIdx.x == 0) y[row] = acc * scale[row];
}
