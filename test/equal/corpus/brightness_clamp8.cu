// CHECK loops.c:brighten --grid "(n + 255) / 256" --block 256
__device__ __forceinline__ unsigned char clamp8(int v) { return (unsigned char)min(255, max(0, v)); }
__global__ void brighten(const unsigned char *in, unsigned char *out, int n, int delta) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = clamp8(in[i] + delta);
}
