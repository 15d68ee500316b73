// CHECK loops.c:top1 --where "cols >= 1" --grid "(rows+63)/64" --block 64 --kernel top1
__global__ void top1(const float *x, int *idx, float *val, int rows, int cols) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    const float *p = x + r * cols;
    int best = 0;
    float bv = p[0];
    for (int c = 1; c < cols; c++) {
        if (p[c] > bv) {
            bv = p[c];
            best = c;
        }
    }
    idx[r] = best;
    val[r] = bv;
}
