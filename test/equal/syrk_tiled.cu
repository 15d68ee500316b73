// CHECK loops.c:syrk --grid "(n + 15) / 16, (n + 15) / 16" --block 16,16
// FAULTS 5
__global__ void syrk_tiled(int n, int k, const float *a, float *c) {
    __shared__ float s[16][17], t[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float acc = 0;
    for (int p0 = 0; p0 < k; p0 += 16) {
        s[ty][tx] = i < n && p0 + tx < k ? a[i * k + p0 + tx] : 0.0f;
#ifdef FAULT_1
        t[ty][tx] = blockIdx.x * 16 + ty <= n && p0 + tx < k ? a[(blockIdx.x * 16 + ty) * k + p0 + tx] : 0.0f;
#else
        t[ty][tx] = blockIdx.x * 16 + ty < n && p0 + tx < k ? a[(blockIdx.x * 16 + ty) * k + p0 + tx] : 0.0f;
#endif
        __syncthreads();
#ifdef FAULT_2
        for (int p = 0; p < 16; p++) acc += s[ty][p] * t[p][tx];
#else
        for (int p = 0; p < 16; p++) acc += s[ty][p] * t[tx][p];
#endif
#ifndef FAULT_3
        __syncthreads();
#endif
    }
#if defined FAULT_4
    if (i < n && j < i) c[i * n + j] = acc;
#elif defined FAULT_5
    if (i < n && j < n) c[i * n + j] = acc;
#else
    if (i < n && j <= i) c[i * n + j] = acc;
#endif
}
