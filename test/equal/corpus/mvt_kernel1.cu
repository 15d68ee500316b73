// CHECK loops.c:mvt1 --grid "(n+255)/256" --block 256 --kernel mvt_kernel1
typedef double DATA_TYPE;
__global__ void mvt_kernel1(DATA_TYPE *a, DATA_TYPE *x, DATA_TYPE *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        int j;
        for (j = 0; j < n; j++) x[i] += a[i * n + j] * y[j];
    }
}
