// CHECK loops.c:sgemm_rect --permit reassociate --where "K % 4 == 0"
#define S 4
__global__ void part(const float *A, const float *B, float *ws, int M, int N, int K) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y, z = blockIdx.z;
    if (i >= M || j >= N) return;
    int len = K / S;
    float acc = 0;
    for (int k = z * len; k < (z + 1) * len; k++)
        acc += A[i * K + k] * B[k * N + j];
    ws[(z * M + i) * N + j] = acc;
}
__global__ void combine(const float *ws, float *C, int M, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < M * N) {
        float s = 0;
        for (int z = 0; z < S; z++) s += ws[z * M * N + idx];
        C[idx] = s;
    }
}
int main(int argc, char **argv) {
    int M = atoi(argv[1]), N = atoi(argv[2]), K = atoi(argv[3]);
    float *A, *B, *C, *ws;
    cudaMalloc(&A, M * K * 4); cudaMalloc(&B, K * N * 4); cudaMalloc(&C, M * N * 4); cudaMalloc(&ws, S * M * N * 4);
    dim3 grid((N + 15) / 16, (M + 15) / 16, S), block(16, 16);
    part<<<grid, block>>>(A, B, ws, M, N, K);
    combine<<<(M * N + 255) / 256, 256>>>(ws, C, M, N);
}
