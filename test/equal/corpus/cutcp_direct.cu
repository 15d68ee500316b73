// CHECK loops.c:coulomb_cutoff --grid "(nx + 15) / 16, (ny + 7) / 8" --block 16,8 --bind atominfo=atoms
__global__ void cutoff_potential(int nx, int ny, int natoms, float z, float h, const float4 *__restrict__ atominfo, float *e) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    float cx = h * (float)i, cy = h * (float)j;
    float energy = 0.f;
    for (int base = 0; base < natoms; base += 128) {
        int count = min(128, natoms - base);
        if (tid < count) tile[tid] = atominfo[base + tid];
        __syncthreads();
        for (int a = 0; a < count; a++) {
            float dx = cx - tile[a].x, dy = cy - tile[a].y, dz = z - tile[a].z;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 144.f) {
                float s = (1.f - r2 * (1.f / 144.f));
                energy += tile[a].w * (1.0f / sqrtf(r2)) * s * s;
            }
        }
        __syncthreads();
    }
    if (i < nx && j < ny) e[j * nx + i] += energy;
}
