// CHECK loops.c:forces --grid "(n + 127) / 128" --block 128
__global__ void forces(const float *x, const float *m, float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float xi = x[i], s = 0.0f;
        for (int j = 0; j < n; j++) {
            float d = x[j] - xi;
            s += m[j] * d / sqrtf(d * d + 0.01f);
        }
        f[i] = s;
    }
}
