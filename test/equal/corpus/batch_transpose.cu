// CHECK loops.c:batch_transpose --grid "(m + 15) / 16, (n + 15) / 16, b" --block 16,16
__global__ void batch_transpose(const float *in, float *out, int n, int m) {
    __shared__ float t[16][17];
    const float *src = in + blockIdx.z * n * m;
    float *dst = out + blockIdx.z * n * m;
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < m) t[threadIdx.y][threadIdx.x] = src[i * m + j];
    __syncthreads();
    int oj = blockIdx.y * 16 + threadIdx.x, oi = blockIdx.x * 16 + threadIdx.y;
    if (oi < m && oj < n) dst[oi * n + oj] = t[threadIdx.x][threadIdx.y];
}
