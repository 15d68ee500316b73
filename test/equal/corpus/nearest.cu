// CHECK loops.c:nearest --grid "(n + 255) / 256" --block 256
__global__ void k(int n, int k, const float *x, const float *c, int *label) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float bd = 1e30f; int best = 0;
    for (int j = 0; j < k; ++j) {
        float d = x[i] - c[j];
        d = d * d;
        if (d < bd) { bd = d; best = j; }
    }
    label[i] = best;
}
