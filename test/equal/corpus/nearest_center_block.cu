// CHECK loops.c:nearest_center --grid n --block 64
__global__ void nearest(int n, int k, const float *px, const float *py, const float *cx, const float *cy, int *lab) {
    __shared__ float sd[64];
    __shared__ int sc[64];
    int i = blockIdx.x, t = threadIdx.x;
    float best = FLT_MAX; int at = -1;
    for (int c = t; c < k; c += 64) {
        float dx = px[i] - cx[c], dy = py[i] - cy[c];
        float d = dx * dx + dy * dy;
        if (d < best) { best = d; at = c; }
    }
    sd[t] = best; sc[t] = at;
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o && (sd[t + o] < sd[t] || (sd[t + o] == sd[t] && sc[t + o] < sc[t]))) {
            sd[t] = sd[t + o]; sc[t] = sc[t + o];
        }
        __syncthreads();
    }
    if (t == 0) lab[i] = sc[0];
}
