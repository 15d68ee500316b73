// CHECK loops.c:swiglu_too
__device__ __forceinline__ float silu(float v) { return v / (1.0f + expf(-v)); }
template <typename T, T (*ACT)(T)>
__global__ void act_and_mul(T *out, const T *in, int d)
{
    const int token = blockIdx.x;
    const int j = blockIdx.y * blockDim.x + threadIdx.x;
    if (j >= d) return;
    const T x = in[token * 2 * d + j];
    const T y = in[token * 2 * d + d + j];
    out[token * d + j] = ACT(x) * y;
}
void swiglu_too(int n, int d, const float *x, float *y)
{
    dim3 grid(n, (d + 127) / 128);
    act_and_mul<float, silu><<<grid, 128>>>(y, x, d);
}
