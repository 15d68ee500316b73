// CHECK loops.c:distances --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16
__global__ void pairwise(const float *a, const float *b, float *out, int n, int m, int d) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i < n && j < m) {
        float s = 0.0f;
        for (int k = 0; k < d; k++) {
            float diff = a[i * d + k] - b[j * d + k];
            s += diff * diff;
        }
        out[i * m + j] = s;
    }
}
