// CHECK loops.c:pathfinder_row_too --grid "(cols + 255) / 256" --block 256
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
__global__ void dynproc(int cols, const int *wall, const int *src, int *dst)
{
    __shared__ int prev[256];
    const int tx = threadIdx.x;
    const int x = blockIdx.x * blockDim.x + tx;
    if (x < cols) prev[tx] = src[x];
    __syncthreads();
    if (x >= cols) return;
    int left = tx > 0 ? prev[tx - 1] : (x > 0 ? src[x - 1] : prev[tx]);
    int right = (tx < 255 && x < cols - 1) ? prev[tx + 1] : (x < cols - 1 ? src[x + 1] : prev[tx]);
    int shortest = MIN(prev[tx], left);
    shortest = MIN(shortest, right);
    dst[x] = shortest + wall[x];
}
