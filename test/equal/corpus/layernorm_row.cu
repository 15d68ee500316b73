// CHECK loops.c:layernorm --grid "(n + 63) / 64" --block 64 --bind out=y,inp=x,weight=g,bias=b,N=n,C=m
__global__ void layernorm_forward1(float *out, const float *inp, const float *weight, const float *bias, int N, int C) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    float eps = 1e-5f;
    if (idx < N) {
        const float *x = inp + idx * C;
        float m = 0.0f;
        for (int i = 0; i < C; i++) m += x[i];
        m = m / C;
        float v = 0.0f;
        for (int i = 0; i < C; i++) {
            float xshift = x[i] - m;
            v += xshift * xshift;
        }
        v = v / C;
        float s = 1.0f / sqrtf(v + eps);
        float *o = out + idx * C;
        for (int i = 0; i < C; i++) {
            float nn = (s * (x[i] - m));
            o[i] = nn * weight[i] + bias[i];
        }
    }
}
