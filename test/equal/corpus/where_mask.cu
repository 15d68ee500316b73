// CHECK loops.c:where --grid "(n + 255) / 256" --block 256
__global__ void select(const int *mask, const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (mask[i]) c[i] = a[i];
        else c[i] = b[i];
    }
}
