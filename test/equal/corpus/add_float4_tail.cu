// CHECK loops.c:vector_add --grid "(n + 1023) / 1024" --block 256
#define FLOAT4(v) (reinterpret_cast<float4 *>(&(v))[0])
__global__ void elementwise_add_f32x4(float *a, float *b, float *c, int N) {
    int idx = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if ((idx + 3) < N) {
        float4 reg_a = FLOAT4(a[idx]);
        float4 reg_b = FLOAT4(b[idx]);
        float4 reg_c;
        reg_c.x = reg_a.x + reg_b.x;
        reg_c.y = reg_a.y + reg_b.y;
        reg_c.z = reg_a.z + reg_b.z;
        reg_c.w = reg_a.w + reg_b.w;
        FLOAT4(c[idx]) = reg_c;
    } else {
        for (int i = idx; i < N; i++) c[i] = a[i] + b[i];
    }
}
