// CHECK loops.c:sum_onto --permit reassociate --where "n % 4 == 0" --grid 80 --block 256
__global__ void sum4(const float *x, float *y, int n) {
    float s = 0.f;
    const float4 *x4 = (const float4 *)x;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n / 4; i += 256 * gridDim.x) {
        float4 v = x4[i];
        s += (v.x + v.y) + (v.z + v.w);
    }
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x % 32 == 0) atomicAdd(y, s);
}
