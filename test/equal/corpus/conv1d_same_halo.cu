// CHECK loops.c:conv1d_same --grid "(n + 127) / 128" --block 128
#define T 128
#define R 2
__global__ void conv1d_halo(const float *x, const float *w, float *y, int n) {
    __shared__ float tile[T + 2 * R];
    int i = blockIdx.x * T + threadIdx.x;
    tile[threadIdx.x + R] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < R) {
        int left = i - R;
        tile[threadIdx.x] = left >= 0 && left < n ? x[left] : 0.0f;
        int right = i + T;
        tile[threadIdx.x + T + R] = right < n ? x[right] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        float s = 0.0f;
        for (int k = 0; k < 2 * R + 1; k++)
            if (i + k - R >= 0 && i + k - R < n) s += tile[threadIdx.x + k] * w[k];
        y[i] = s;
    }
}
