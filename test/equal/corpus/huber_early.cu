// CHECK loops.c:huber --grid "(n + 255) / 256" --block 256
__global__ __launch_bounds__(256) void huber_loss(const float *__restrict__ p, const float *__restrict__ t, float *__restrict__ l, float d, int n) {
    const int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx >= n) return;
    const float e = fabsf(__ldg(p + idx) - __ldg(t + idx));
    if (e <= d) {
        l[idx] = 0.5f * e * e;
        return;
    }
    l[idx] = d * (e - 0.5f * d);
}
