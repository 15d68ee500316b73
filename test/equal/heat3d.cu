// CHECK loops.c:heat3d --grid "(n + 7) / 8, (n + 7) / 8, (n + 3) / 4" --block 8,8,4
// FAULTS 5
#define AT(i, j, k) (((i) * n + (j)) * n + (k))
__global__ void heat3d(int n, const float *a, float *b) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z * blockDim.z + threadIdx.z;
#if defined FAULT_1
    if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k > n - 1) return;
#elif defined FAULT_2
    if (i < 1 || j < 1 || k < 2 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
#else
    if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
#endif
#if defined FAULT_3
    b[AT(i, j, k)] = 0.4f * a[AT(i, j, k)] + 0.1f * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] +
                     a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k)]);
#elif defined FAULT_4
    b[AT(i, k, j)] = 0.4f * a[AT(i, j, k)] + 0.1f * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] +
                     a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k + 1)]);
#elif defined FAULT_5
    b[AT(i, j, k)] = 0.5f * a[AT(i, j, k)] + 0.1f * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] +
                     a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k + 1)]);
#else
    b[AT(i, j, k)] = 0.4f * a[AT(i, j, k)] + 0.1f * (a[AT(i - 1, j, k)] + a[AT(i + 1, j, k)] + a[AT(i, j - 1, k)] +
                     a[AT(i, j + 1, k)] + a[AT(i, j, k - 1)] + a[AT(i, j, k + 1)]);
#endif
}
