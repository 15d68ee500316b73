// CHECK loops.c:conv3d --bind nz=n --grid "(n + 31) / 32, (n + 7) / 8" --block 32,8
__global__ void convolution3D(int nz, const float *A, float *B) {
    int k = blockIdx.x * 32 + threadIdx.x;
    int j = blockIdx.y * 8 + threadIdx.y;
    if (k == 0 || j == 0 || k >= nz - 1 || j >= nz - 1) return;
    const int plane = nz * nz;
    const int at = j * nz + k;
    for (int i = 1; i < nz - 1; ++i) {
        const float back = A[(i - 1) * plane + at - nz - 1];
        const float here = A[i * plane + at];
        const float front = A[(i + 1) * plane + at + nz + 1];
        B[i * plane + at] = 0.2f * back + 0.5f * here - 0.8f * front;
    }
}
