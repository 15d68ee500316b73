// CHECK loops.c:jacobi --grid "(m + 31) / 32, (n + 7) / 8" --block 32,8
// FAULTS 6
__global__ void jacobi_naive(int n, int m, const float *__restrict__ u, float *__restrict__ v) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
#if defined FAULT_1
    if (i > 0 && i < n && j > 0 && j < m - 1)
#elif defined FAULT_2
    if (i < n - 1 && j < m - 1)
#elif defined FAULT_3
    if (i > 0 && i < n - 1 && j > 0 && j < m - 2)
#else
    if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
#endif
#if defined FAULT_4
        v[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j - 1]);
#elif defined FAULT_5
        v[i * m + j] = 0.25f * (v[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
#elif defined FAULT_6
        v[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * n + j - 1] + u[i * m + j + 1]);
#else
        v[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
#endif
}
