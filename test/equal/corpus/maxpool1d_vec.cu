// CHECK loops.c:maxpool1d --where "n % 4 == 0" --grid "(n / 4 + 255) / 256" --block 256
__global__ void pool(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 q = reinterpret_cast<const float4 *>(x)[i];
    y[i] = fmaxf(fmaxf(fmaxf(q.x, q.y), q.z), q.w);
}
