// CHECK loops.c:mvt2_too --grid "(n + 255) / 256" --block 256,1
__global__ void mvt_kernel2(int n, float *a, float *x2, float *y_2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j;
        for (j = 0; j < n; j++) { x2[i] += a[j * n + i] * y_2[j]; }
    }
}
