// CHECK loops.c:triad_too --grid "n / blockDim.x" --bind A=b,B=c,C=a --where "n % 128 == 0 && blockDim.x == 128"
__global__ void triad(float *A, float *B, float *C, float s)
{
    int gid = threadIdx.x + (blockIdx.x * blockDim.x);
    C[gid] = A[gid] + s * B[gid];
}
