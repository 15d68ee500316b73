// The second rung of the first document: a strip of c in shared memory, one element of a a thread.
#define W 32
extern "C" __global__ void k2(float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c,
                              int n, int m, int p)
{
    __shared__ float cb[W];
    int tx = threadIdx.x;
    int i = blockIdx.x * W + tx;
    int j = blockIdx.y;
    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += W) {
        cb[tx] = c[ks + tx + pitch_c * j];
        __syncthreads();
        for (int k = ks; k < ks + W; ++k)
            sum += b[i + pitch_b * k] * cb[k - ks];
        __syncthreads();
    }
    a[i + pitch_a * j] = sum;
}
