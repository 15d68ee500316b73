// CHECK loops.c:blur_clamped --grid "(n + 127) / 128" --block 128
__global__ void blur_shared(const float *x, float *y, int n) {
    __shared__ float s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < n) s[t + 1] = x[i];
    if (t == 0) s[0] = x[max(i - 1, 0)];
    if (i < n && (t == 127 || i == n - 1)) s[t + 2] = x[min(i + 1, n - 1)];
    __syncthreads();
    if (i < n) y[i] = (s[t] + s[t + 1] + s[t + 2]) / 3.0f;
}
