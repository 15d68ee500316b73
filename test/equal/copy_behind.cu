// CHECK loops.c:vadd
// FAULTS 1
// SAYS 1 written by a cudaMemset or cudaMemcpy of the host's code
// What the host's code copies behind the launch is what is left.
__global__ void add(int n, const float *a, const float *b, float *c) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void vadd(int n, const float *a, const float *b, float *c) {
#ifndef FAULT_1
    cudaMemcpy(c, a, n * sizeof(float), cudaMemcpyDeviceToDevice);
#endif
    add<<<(n + 255) / 256, 256>>>(n, a, b, c);
#ifdef FAULT_1
    cudaMemcpy(c, a, n * sizeof(float), cudaMemcpyDeviceToDevice);
#endif
}
