// CHECK loops.c:nll_gather --grid "(n + 255) / 256" --block 256
__global__ void nll_kernel(const float *logp, const int *t, float *loss, int n, int c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    loss[i] = -logp[i * c + t[i]];
}
