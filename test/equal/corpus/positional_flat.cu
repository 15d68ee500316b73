// CHECK loops.c:add_positional --grid "(C + 127) / 128, T, B" --block 128
__global__ void add_pe(const float *x, const float *pe, float *y, int T, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int t = blockIdx.y;
    int b = blockIdx.z;
    if (c < C) {
        long long idx = ((long long)b * T + t) * C + c;
        y[idx] = x[idx] + pe[t * C + c];
    }
}
