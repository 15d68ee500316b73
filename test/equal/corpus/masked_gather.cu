// CHECK loops.c:masked_gather --grid "(n + 127) / 128" --block 128
__global__ void k(int n, const int *mask, const int *idx, const float *x, float *y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float v = 0.0f;
    if (mask[i] > 0) v = x[idx[i]];
    y[i] = v;
}
