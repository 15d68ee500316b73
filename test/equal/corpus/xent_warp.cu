// CHECK loops.c:xent --permit reassociate --where "V >= 1" --grid rows --block 32 --kernel xent
__global__ void xent(const float *logits, const int *target, float *loss, int rows, int V) {
    int r = blockIdx.x, lane = threadIdx.x;
    float m = -INFINITY;
    for (int c = lane; c < V; c += 32) m = fmaxf(m, logits[r * V + c]);
    for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    float s = 0.f;
    for (int c = lane; c < V; c += 32)
        s += expf(logits[r * V + c] - m);
    for (int o = 16; o > 0; o >>= 1)
        s += __shfl_xor_sync(~0u, s, o);
    if (lane == 0) loss[r] = logf(s) - (logits[r * V + target[r]] - m);
}
