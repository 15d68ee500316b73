// CHECK loops.c:nbody_acc --grid "n / 256" --block 256 --where "n % 256 == 0"
__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj, float eps2) {
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
    float invDist = 1.0f / sqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}
__global__ void calculate_forces(const float4 *pos, float4 *acc, int n, float eps2) {
    __shared__ float4 shPosition[256];
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    float4 myPosition = pos[gtid];
    float3 a = {0.0f, 0.0f, 0.0f};
    for (int i = 0, tile = 0; i < n; i += 256, tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        shPosition[threadIdx.x] = pos[idx];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < blockDim.x; j++) a = bodyBodyInteraction(a, myPosition, shPosition[j], eps2);
        __syncthreads();
    }
    acc[gtid] = make_float4(a.x, a.y, a.z, 0.0f);
}
