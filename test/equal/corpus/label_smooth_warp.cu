// CHECK loops.c:label_smooth --permit reassociate --grid n --block 32
__global__ void smooth_ce(const float *logp, const int *target, float *out, float eps, int m) {
    int row = blockIdx.x, lane = threadIdx.x;
    float s = 0.0f;
    for (int j = lane; j < m; j += 32) s += logp[row * m + j];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (lane == 0) out[row] = -(1.0f - eps) * logp[row * m + target[row]] - eps * s / m;
}
