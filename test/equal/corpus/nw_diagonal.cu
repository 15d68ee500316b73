// CHECK loops.c:nw_diag --grid "(d + 127) / 128" --block 128 --where "d >= 1 && d < cols"
__device__ int maximum(int a, int b, int c) {
    int k;
    if (a <= b) k = b;
    else k = a;
    if (k <= c) return c;
    else return k;
}
__global__ void nw_diag(const int *ref, int *item, int cols, int penalty, int d) {
    int t = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (t >= d) return;
    int i = t, j = d - t;
    item[i * cols + j] = maximum(item[(i - 1) * cols + j - 1] + ref[i * cols + j], item[i * cols + j - 1] - penalty, item[(i - 1) * cols + j] - penalty);
}
