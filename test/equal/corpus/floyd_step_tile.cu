// CHECK loops.c:floyd_step --where "k >= 0 && k < n" --grid "(n + 15) / 16, (n + 15) / 16" --block "16, 16"
__global__ void fw_step(const int *in, int *out, int n, int k) {
    __shared__ int col[16];
    __shared__ int row[16];
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (threadIdx.y == 0 && j < n) row[threadIdx.x] = in[k * n + j];
    if (threadIdx.x == 0 && i < n) col[threadIdx.y] = in[i * n + k];
    __syncthreads();
    if (i < n && j < n) {
        int through = col[threadIdx.y] + row[threadIdx.x];
        out[i * n + j] = min(in[i * n + j], through);
    }
}
