// CHECK loops.c:adam --grid "(n + 255) / 256" --block 256
__global__ void adam_kernel(float *w, const float *g, float *m, float *v, float lr, float b1, float b2, float eps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float grad = g[i];
    float mi = b1 * m[i] + (1.0f - b1) * grad;
    float vi = b2 * v[i] + (1.0f - b2) * grad * grad;
    m[i] = mi;
    v[i] = vi;
    w[i] -= lr * mi / (sqrtf(vi) + eps);
}
