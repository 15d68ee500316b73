// CHECK loops.c:triplet_rows --permit reassociate --grid n --block 128
__global__ void triplet_loss(const float *a, const float *p, const float *q, float *out, int d, float margin) {
    __shared__ float sp[128], sn[128];
    int t = threadIdx.x, row = blockIdx.x;
    float dp = 0.f, dn = 0.f;
    for (int j = t; j < d; j += blockDim.x) {
        float av = a[row * d + j];
        float u = av - p[row * d + j], v = av - q[row * d + j];
        dp += u * u;
        dn += v * v;
    }
    sp[t] = dp;
    sn[t] = dn;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) {
            sp[t] += sp[t + s];
            sn[t] += sn[t + s];
        }
        __syncthreads();
    }
    if (t == 0) out[row] = fmaxf(sqrtf(sp[0]) - sqrtf(sn[0]) + margin, 0.0f);
}
