// CHECK loops.c:vec4_add --grid "(n + 255) / 256" --block 256
__global__ void add_vec4(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 va = reinterpret_cast<const float4 *>(a)[i];
        float4 vb = reinterpret_cast<const float4 *>(b)[i];
        float4 vc;
        vc.x = va.x + vb.x;
        vc.y = va.y + vb.y;
        vc.z = va.z + vb.z;
        vc.w = va.w + vb.w;
        reinterpret_cast<float4 *>(c)[i] = vc;
    }
}
