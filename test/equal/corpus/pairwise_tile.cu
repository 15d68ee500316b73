// CHECK loops.c:pairwise --grid "(n + 15) / 16, (n + 15) / 16" --block "16,16"
__global__ void pd(const float *x, float *dist, int n, int d) {
    __shared__ float xi[16][16], xj[16][16];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float s = 0.f;
    for (int k0 = 0; k0 < d; k0 += 16) {
        int k = k0 + threadIdx.x, jr = blockIdx.x * 16 + threadIdx.y;
        xi[threadIdx.y][threadIdx.x] = (i < n && k < d) ? x[i * d + k] : 0.f;
        xj[threadIdx.y][threadIdx.x] = (jr < n && k < d) ? x[jr * d + k] : 0.f;
        __syncthreads();
        int lim = min(16, d - k0);
        for (int q = 0; q < lim; q++) {
            float t = xi[threadIdx.y][q] - xj[threadIdx.x][q];
            s += t * t;
        }
        __syncthreads();
    }
    if (i < n && j < n) dist[i * n + j] = sqrtf(s);
}
