// CHECK loops.c:atax_first --grid "(n + 255) / 256" --block 256 --bind nx=n,ny=m
__global__ void atax_kernel1(int nx, int ny, double *A, double *x, double *tmp) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        tmp[i] = 0;
        int j;
        for (j = 0; j < ny; j++) {
            tmp[i] += A[i * ny + j] * x[j];
        }
    }
}
