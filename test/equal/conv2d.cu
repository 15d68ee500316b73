// CHECK loops.c:conv2d --grid "(m + 13) / 16, (n + 13) / 16" --block 16,16
// FAULTS 5
__constant__ float unused[9];
__global__ void conv2d(int n, int m, const float *x, const float *w, float *y) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FAULT_1
    if (i >= n - 2 && j >= m - 2) return;
#elif defined FAULT_2
    if (i >= n - 2 || j >= m - 1) return;
#else
    if (i >= n - 2 || j >= m - 2) return;
#endif
    float s = 0.0f;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
#ifdef FAULT_3
            s += x[(i + q) * m + j + p] * w[p * 3 + q];
#elif defined FAULT_4
            s += x[(i + p) * n + j + q] * w[p * 3 + q];
#elif defined FAULT_5
            s += x[(i + p) * m + j + q] * w[p + q];
#else
            s += x[(i + p) * m + j + q] * w[p * 3 + q];
#endif
    y[i * m + j] = s;
}
