// CHECK loops.c:matmul --grid "n / 16, n / 16" --block 16,16 --where "n % 16 == 0"
// FAULTS 6
__global__ void matmul_double(int n, const float *a, const float *b, float *c) {
    __shared__ float sa[2][16][16], sb[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    float s = 0.0f;
#ifndef FAULT_1
    sa[0][ty][tx] = a[i * n + tx];
    sb[0][ty][tx] = b[ty * n + j];
#endif
    __syncthreads();
    int tiles = n / 16;
    for (int t = 0; t < tiles; t++) {
        int now = t % 2, next = (t + 1) % 2;
#ifdef FAULT_2
        if (t + 2 < tiles) {
#else
        if (t + 1 < tiles) {
#endif
            sa[next][ty][tx] = a[i * n + (t + 1) * 16 + tx];
            sb[next][ty][tx] = b[((t + 1) * 16 + ty) * n + j];
        }
#ifdef FAULT_3
        for (int k = 0; k < 16; k++) s += sa[next][ty][k] * sb[next][k][tx];
#elif defined FAULT_4
        for (int k = 0; k < 16; k++) s += sa[now][ty][k] * sb[0][k][tx];
#else
        for (int k = 0; k < 16; k++) s += sa[now][ty][k] * sb[now][k][tx];
#endif
#ifndef FAULT_5
        __syncthreads();
#endif
    }
#ifdef FAULT_6
    c[i * n + j] += s;
#else
    c[i * n + j] = s;
#endif
}
