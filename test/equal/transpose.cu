// CHECK loops.c:transpose --grid "(m + 31) / 32, (n + 31) / 32" --block 32,8
// FAULTS 7
#define TILE 32
#define ROWS 8
__global__ void transpose(int n, int m, const float *a, float *b) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
#ifdef FAULT_1
        if (x < m) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * m + x];
#else
        if (x < m && y + j < n) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * m + x];
#endif
#ifndef FAULT_2
    __syncthreads();
#endif
#ifdef FAULT_3
    x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#else
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
#endif
    for (int j = 0; j < TILE; j += ROWS)
#if defined FAULT_4
        if (x < n && y + j < m) b[(y + j) * n + x] = tile[threadIdx.y + j][threadIdx.x];
#elif defined FAULT_5
        if (x < m && y + j < n) b[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
#elif defined FAULT_6
        if (x < n && y + j < m) b[(y + j) * m + x] = tile[threadIdx.x][threadIdx.y + j];
#elif defined FAULT_7
        if (x < n && y < m) b[y * n + x] = tile[threadIdx.x][threadIdx.y];
#else
        if (x < n && y + j < m) b[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
#endif
}
