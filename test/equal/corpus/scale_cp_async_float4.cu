// CHECK loops.c:vec_scale128 --where "n % 512 == 0" --grid "n / 512" --block 128
#include <cuda_pipeline.h>
__global__ void scale(const float *x, float *y, float a, int n) {
    __shared__ float4 s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    __pipeline_memcpy_async(&s[threadIdx.x], &x4[i], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    float4 v = s[threadIdx.x];
    v.x *= a; v.y *= a; v.z *= a; v.w *= a;
    reinterpret_cast<float4 *>(y)[i] = v;
}
