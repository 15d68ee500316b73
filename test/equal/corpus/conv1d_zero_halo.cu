// CHECK loops.c:conv1d_same --bind W=w --grid "(n + 127) / 128" --block 128
#define R 2
__constant__ float W[2 * R + 1];
__global__ void conv(const float *x, float *y, int n) {
    __shared__ float tile[128 + 2 * R];
    int i = blockIdx.x * 128 + threadIdx.x;
    tile[threadIdx.x + R] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < R) {
        int l = i - R;
        tile[threadIdx.x] = l >= 0 ? x[l] : 0.0f;
        int r = i + 128;
        tile[threadIdx.x + 128 + R] = r < n ? x[r] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        float s = 0.0f;
        for (int k = 0; k < 2 * R + 1; k++) s += tile[threadIdx.x + k] * W[k];
        y[i] = s;
    }
}
