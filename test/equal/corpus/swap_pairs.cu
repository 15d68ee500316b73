// CHECK loops.c:swap_pairs --grid "(n + 127) / 128" --block 128
__global__ void c1(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int lo = a[2 * i], hi = a[2 * i + 1];
        if (lo > hi) {
            a[2 * i] = hi;
            a[2 * i + 1] = lo;
        }
    }
}
