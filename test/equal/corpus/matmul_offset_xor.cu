// CHECK loops.c:matmul --where "n % 16 == 0" --grid "n / 16, n / 16" --block 16,16
__global__ void mm(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[2 * 256], sb[2 * 256];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float r = 0;
    int off = 0;
    sa[ty * 16 + tx] = a[i * n + tx];
    sb[ty * 16 + tx] = b[ty * n + j];
    for (int t = 0; t < n; t += 16) {
        __syncthreads();
        int next = off ^ 256;
        if (t + 16 < n) {
            sa[next + ty * 16 + tx] = a[i * n + t + 16 + tx];
            sb[next + ty * 16 + tx] = b[(t + 16 + ty) * n + j];
        }
        for (int k = 0; k < 16; k++) r += sa[off + ty * 16 + k] * sb[off + k * 16 + tx];
        off = next;
    }
    c[i * n + j] = r;
}
