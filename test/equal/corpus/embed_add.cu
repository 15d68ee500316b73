// CHECK loops.c:embed_add --grid n --block 128
__global__ void embed(int d, const int *__restrict__ id, const float *__restrict__ tok, const float *__restrict__ pos, float *__restrict__ y)
{
    int t = blockIdx.x;
    const int w = __ldg(&id[t]);
    for (int j = threadIdx.x; j < d; j += blockDim.x) y[t * d + j] = __ldg(tok + (long)w * d + j) + pos[t * d + j];
}
