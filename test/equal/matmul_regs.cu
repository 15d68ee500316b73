// CHECK loops.c:matmul --grid "n / 32, n / 32" --block 16,16 --where "n % 32 == 0"
// FAULTS 6
// OPEN_FAULTS 3
__global__ void matmul_regs(int n, const float *a, const float *b, float *c) {
    __shared__ float sa[32][16], sb[16][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;
    float acc[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    for (int k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
        for (int r = 0; r < 2; r++) {
            sa[ty + 16 * r][tx] = a[(row + ty + 16 * r) * n + k0 + tx];
#ifdef FAULT_1
            sb[ty][tx + 16 * r] = b[(k0 + ty) * n + col + tx];
#else
            sb[ty][tx + 16 * r] = b[(k0 + ty) * n + col + tx + 16 * r];
#endif
        }
#ifndef FAULT_2
        __syncthreads();
#endif
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
#ifdef FAULT_3
                    acc[i][j] += sa[2 * ty + i][k] * sb[k][2 * tx + j] * (k0 == 4096 ? 0.0f : 1.0f);
#else
                    acc[i][j] += sa[2 * ty + i][k] * sb[k][2 * tx + j];
#endif
#ifndef FAULT_4
        __syncthreads();
#endif
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
#if defined FAULT_5
            c[(row + 2 * ty + j) * n + col + 2 * tx + i] = acc[i][j];
#elif defined FAULT_6
            c[(row + 2 * ty + i) * n + col + 2 * tx + 1] = acc[i][j];
#else
            c[(row + 2 * ty + i) * n + col + 2 * tx + j] = acc[i][j];
#endif
}
