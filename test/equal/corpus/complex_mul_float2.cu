// CHECK loops.c:complex_mul --grid "(n + 127) / 128" --block 128
__global__ void cmul(const float2 *a, const float2 *b, float2 *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 u = a[i], v = b[i], w;
        w.x = u.x * v.x - u.y * v.y;
        w.y = u.x * v.y + u.y * v.x;
        c[i] = w;
    }
}
