// CHECK loops.c:rope_too --grid s --block 64
__global__ void rope(int s, int d, float *q, const float *cs, const float *sn)
{
    float *row = q + (size_t)blockIdx.x * 2 * d;
    for (int j = threadIdx.x; j < d; j += blockDim.x) {
        float c = cs[blockIdx.x * d + j], t = sn[blockIdx.x * d + j];
        float a = row[j], b = row[d + j];
        row[j] = a * c - b * t;
        row[d + j] = b * c + a * t;
    }
}
