// CHECK loops.c:fwt_stage --grid "n / 512" --block 256 --where "stride >= 1 && n % (2 * stride) == 0 && n % 512 == 0"
__global__ void fwt_kernel(const float *x, float *y, int n, int stride) {
    int pos = blockIdx.x * blockDim.x + threadIdx.x;
    int lo = pos % stride;
    int i0 = 2 * (pos - lo) + lo;
    int i1 = i0 + stride;
    float a = x[i0], b = x[i1];
    y[i0] = a + b;
    y[i1] = a - b;
}
