// CHECK loops.c:hardswish --grid "(n + 1023) / 1024" --block 256
__device__ __forceinline__ float hs(float v) { return v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; }
__global__ void hardswish(const float *x, float *y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4 *>(&x[i]);
        v.x = hs(v.x), v.y = hs(v.y), v.z = hs(v.z), v.w = hs(v.w);
        *reinterpret_cast<float4 *>(&y[i]) = v;
    } else {
        for (int j = i; j < n; j++) y[j] = hs(x[j]);
    }
}
