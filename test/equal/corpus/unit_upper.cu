// CHECK loops.c:lud_perimeter_like --grid "n" --block 64
__global__ void unit_upper(const float *a, float *b, int n) {
    int i = blockIdx.x;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        float v = 0.0f;
        if (j > i) v = a[i * n + j];
        else if (j == i) v = 1.0f;
        b[i * n + j] = v;
    }
}
