// CHECK loops.c:jacobi --grid "(m + 13) / 14, (n + 13) / 14" --block 16,16
// FAULTS 6
__global__ void jacobi_tiled(int n, int m, const float *a, float *b) {
    __shared__ float s[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int j = blockIdx.x * 14 + tx, i = blockIdx.y * 14 + ty;
#ifdef FAULT_1
    if (i < n && j <= m) s[ty][tx] = a[i * m + j];
#else
    if (i < n && j < m) s[ty][tx] = a[i * m + j];
#endif
#ifndef FAULT_2
    __syncthreads();
#endif
#ifdef FAULT_3
    bool inside = tx >= 0 && tx < 15 && ty > 0 && ty < 15;
#else
    bool inside = tx > 0 && tx < 15 && ty > 0 && ty < 15;
#endif
#ifdef FAULT_4
    if (inside && i < n && j < m - 1)
#else
    if (inside && i < n - 1 && j < m - 1)
#endif
#ifdef FAULT_5
        b[i * m + j] = 0.25f * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx]);
#elif defined FAULT_6
        b[i * m + j] = 0.25f * (a[(i - 1) * m + j] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1] + s[ty][tx]);
#else
        b[i * m + j] = 0.25f * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1]);
#endif
}
