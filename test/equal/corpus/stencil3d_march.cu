// CHECK loops.c:stencil3d --where "nx >= 3 && ny >= 3 && nz >= 3" --grid "(nx + 31) / 32, (ny + 3) / 4" --block "32,4"
__global__ void st3(float c0, float c1, const float *A, float *B, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i <= 0 || j <= 0 || i >= nx - 1 || j >= ny - 1) return;
    float bottom = A[j * nx + i], cur = A[nx * (ny + j) + i];
    for (int k = 1; k < nz - 1; k++) {
        float top = A[nx * (ny * (k + 1) + j) + i];
        B[nx * (ny * k + j) + i] = (A[nx * (ny * k + j) + i + 1] + A[nx * (ny * k + j) + i - 1] + A[nx * (ny * k + j + 1) + i]
            + A[nx * (ny * k + j - 1) + i] + top + bottom) * c1 - cur * c0;
        bottom = cur;
        cur = top;
    }
}
