// CHECK loops.c:butterfly --where "h >= 1" --grid "(h + 63) / 64, n" --block 64
__global__ void butterfly_kernel(float *re, const float *w, int h) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= h) return;
    int i0 = blockIdx.y * 2 * h + j, i1 = i0 + h;
    float a = re[i0], b = re[i1] * w[j];
    re[i0] = a + b;
    re[i1] = a - b;
}
