// CHECK loops.c:nbody_soa --permit approximate --grid "(n + 127) / 128" --block 128
__global__ void forces(int n, float eps, const float *x, const float *y, const float *z, const float *m, float *ax, float *ay, float *az) {
    __shared__ float4 sp[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float3 p = i < n ? make_float3(x[i], y[i], z[i]) : make_float3(0.f, 0.f, 0.f);
    float3 f = make_float3(0.f, 0.f, 0.f);
    for (int t = 0; t < n; t += 128) {
        int k = t + threadIdx.x;
        if (k < n) sp[threadIdx.x] = make_float4(x[k], y[k], z[k], m[k]);
        __syncthreads();
        int lim = min(128, n - t);
        for (int j = 0; j < lim; j++) {
            float dx = sp[j].x - p.x, dy = sp[j].y - p.y, dz = sp[j].z - p.z;
            float d = dx * dx + dy * dy + dz * dz + eps;
            float inv = rsqrtf(d);
            float s = sp[j].w * inv * inv * inv;
            f.x += s * dx;
            f.y += s * dy;
            f.z += s * dz;
        }
        __syncthreads();
    }
    if (i < n) { ax[i] = f.x; ay[i] = f.y; az[i] = f.z; }
}
