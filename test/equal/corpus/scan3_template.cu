// CHECK loops.c:prefix_sums
// block scans are read from the first block's end by one block per stretch, three kernels, templates
template <int B> __device__ int block_inclusive(int v) {
    __shared__ int warps[B / 32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    for (int o = 1; o < 32; o <<= 1) {
        int u = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += u;
    }
    if (lane == 31) warps[w] = v;
    __syncthreads();
    int add = 0;
    for (int i = 0; i < B / 32; i++)
        if (i < w) add += warps[i];
    __syncthreads();
    return v + add;
}
template <int B> __global__ void scan_blocks(int n, const int *x, int *y, int *ends) {
    int i = blockIdx.x * B + threadIdx.x;
    int v = i < n ? x[i] : 0;
    v = block_inclusive<B>(v);
    if (i < n) y[i] = v;
    if (threadIdx.x == B - 1) ends[blockIdx.x] = v;
}
template <int B> __global__ void add_ends(int n, int *y, const int *ends) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        int s = 0;
        for (int b = 0; b < blockIdx.x; b++) s += ends[b];
        before = s;
    }
    __syncthreads();
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) y[i] += before;
}
void scan(int n, const int *x, int *y) {
    int nb = (n + 255) / 256;
    int *ends;
    cudaMalloc(&ends, nb * sizeof(int));
    scan_blocks<256><<<nb, 256>>>(n, x, y, ends);
    add_ends<256><<<nb, 256>>>(n, y, ends);
    cudaFree(ends);
}
