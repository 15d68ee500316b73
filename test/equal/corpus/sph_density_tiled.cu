// CHECK loops.c:sph_density --permit reassociate --grid "(n + 127) / 128" --block 128
__global__ void density(const float *px, const float *py, const float *pz, float *rho, float h2, float mass, int n) {
    __shared__ float sx[128], sy[128], sz[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float x = 0, y = 0, z = 0;
    if (i < n) { x = px[i]; y = py[i]; z = pz[i]; }
    float sum = 0.0f;
    for (int base = 0; base < n; base += 128) {
        int j = base + threadIdx.x;
        if (j < n) { sx[threadIdx.x] = px[j]; sy[threadIdx.x] = py[j]; sz[threadIdx.x] = pz[j]; }
        __syncthreads();
        int cnt = min(128, n - base);
        for (int k = 0; k < cnt; k++) {
            float dx = x - sx[k], dy = y - sy[k], dz = z - sz[k];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < h2) { float t = h2 - r2; sum += mass * t * t * t; }
        }
        __syncthreads();
    }
    if (i < n) rho[i] = sum;
}
