// CHECK loops.c:bicg_s --bind nx=n,ny=m --grid "(m + 255) / 256" --block 256
__global__ void bicg_kernel1(int nx, int ny, float *A, float *r, float *s) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        s[j] = 0.0f;
        int i;
        for (i = 0; i < nx; i++) {
            s[j] += r[i] * A[i * ny + j];
        }
    }
}
