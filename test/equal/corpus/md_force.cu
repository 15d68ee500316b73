// CHECK loops.c:md_force --grid "(n + 63) / 64" --block 64
template <class T>
__device__ __forceinline__ T sq(T v) { return v * v; }
__global__ void compute_force(int n, float cutsq, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z, float *__restrict__ fx)
{
    const unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;
    const float px = x[idx], py = y[idx], pz = z[idx];
    float f = 0.0f;
    for (int j = 0; j < n; ++j) {
        const float dx = px - x[j], dy = py - y[j], dz = pz - z[j];
        const float r2 = sq(dx) + sq(dy) + sq(dz);
        if (r2 < cutsq && j != idx) f += dx * r2;
    }
    fx[idx] = f;
}
