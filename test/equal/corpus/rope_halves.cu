// CHECK loops.c:rope_half --where "dim % 2 == 0" --grid "tokens,heads" --block 64 --kernel rope
__global__ void rope(float *q, const float *cs, const float *sn, int tokens, int heads, int dim)
{
    int t = blockIdx.x, h = blockIdx.y;
    int half = dim / 2;
    float *head = q + (t * heads + h) * dim;
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        float c = cs[t * half + i], s = sn[t * half + i];
        float a = head[i];
        float b = head[i + half];
        head[i] = a * c - b * s;
        head[i + half] = a * s + b * c;
    }
}
