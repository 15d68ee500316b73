// CHECK loops.c:axpy4 --grid "(n / 4 + 255) / 256 + 1" --block 256 --where "n >= 0"
__global__ void axpy4(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n4 = n >> 2;
    if (i < n4) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        float4 w = reinterpret_cast<float4 *>(y)[i];
        w.x = a * v.x + w.x;
        w.y = a * v.y + w.y;
        w.z = a * v.z + w.z;
        w.w = a * v.w + w.w;
        reinterpret_cast<float4 *>(y)[i] = w;
    } else if (i < n4 + (n & 3)) {
        int k = 4 * n4 + (i - n4);
        y[k] = a * x[k] + y[k];
    }
}
