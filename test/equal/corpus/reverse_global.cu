// CHECK loops.c:reverse --grid "(n + 255) / 256" --block 256 --bind in=x,out=y
__global__ void reverse(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - i - 1] = in[i];
}
