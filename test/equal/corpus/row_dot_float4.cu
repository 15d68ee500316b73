// CHECK loops.c:row_dot --permit reassociate --where "m % 4 == 0" --grid "(n + 3) / 4" --block 32,4
struct Args {
    const float *a, *b;
    float *y;
    int n, m;
};
__global__ void row_dot(const float *a, const float *b, float *y, int n, int m) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n) return;
    const float4 *pa = (const float4 *)(a + row * m), *pb = (const float4 *)(b + row * m);
    float s = 0.0f;
    for (int j = threadIdx.x; j < m / 4; j += 32) {
        float4 u = __ldg(&pa[j]), v = __ldg(&pb[j]);
        s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) y[row] = s;
}
