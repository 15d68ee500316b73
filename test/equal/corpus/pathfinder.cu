// CHECK loops.c:pathfinder_row --grid "(n + 253) / 254" --block 256
#define BLOCK_SIZE 256
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
__global__ void dynproc_step(int n, const int *wall, const int *src, int *dst) {
    __shared__ int prev[BLOCK_SIZE];
    int bx = blockIdx.x, tx = threadIdx.x;
    int small = BLOCK_SIZE - 2;
    int xidx = small * bx - 1 + tx;
    if (IN_RANGE(xidx, 0, n - 1)) prev[tx] = src[xidx];
    __syncthreads();
    if (IN_RANGE(tx, 1, BLOCK_SIZE - 2) && IN_RANGE(xidx, 0, n - 1)) {
        int W = xidx == 0 ? tx : tx - 1;
        int E = xidx == n - 1 ? tx : tx + 1;
        int shortest = MIN(prev[W], prev[tx]);
        shortest = MIN(shortest, prev[E]);
        dst[xidx] = shortest + wall[xidx];
    }
}
