// CHECK loops.c:dropout --grid "(n + 255) / 256" --block 256
__global__ void dropout_forward(const float *x, const float *r, float *y, float p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bool keep = r[i] > p;
        y[i] = keep ? x[i] / (1.0f - p) : 0.0f;
    }
}
