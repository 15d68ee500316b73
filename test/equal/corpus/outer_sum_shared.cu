// CHECK loops.c:outer_sum --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void outer_sum(int n, int m, const float *a, const float *b, float *c) {
    __shared__ float sa[16], sb[16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    if (tx == 0 && row < n) sa[ty] = a[row];
    if (ty == 0 && col < m) sb[tx] = b[col];
    __syncthreads();
    if (row < n && col < m) c[row * m + col] = sa[ty] + sb[tx];
}
