// CHECK loops.c:doubled_and_one
// FAULTS 3
// UNREAD_FAULTS 1
// SAYS 1 nothing orders launches in two streams
// Two launches in one stream; a size that the command line may give.
#include <cstdlib>
__global__ void doubled(int n, float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * 2;
}
__global__ void and_one(int n, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_2
    if (i < n - 1) y[i] += 1;
#else
    if (i < n) y[i] += 1;
#endif
}
int main(int argc, char **argv) {
    int n = 50000;
    if (argc > 1) n = atoi(argv[1]);
    float *x, *y;
    size_t bytes = n * sizeof(float);
    float *h_x = (float *)malloc(bytes), *h_y = (float *)malloc(bytes);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMemcpy(x, h_x, bytes, cudaMemcpyHostToDevice);
    doubled<<<(n + 255) / 256, 256, 0, s>>>(n, y, x);
#if defined FAULT_1
    and_one<<<(n + 255) / 256, 256, 0, t>>>(n, y);
#elif !defined FAULT_3
    and_one<<<(n + 255) / 256, 256, 0, s>>>(n, y);
#endif
    cudaDeviceSynchronize();
    cudaMemcpy(h_y, y, bytes, cudaMemcpyDeviceToHost);
    return 0;
}
