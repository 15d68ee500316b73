// CHECK loops.c:transpose --grid "(m - 1) / blockDim.x + 1, (n - 1) / blockDim.y + 1" --where "n > 0 && m > 0"
__global__ void transpose(int n, int m, const float *in, float *out)
{
    unsigned col = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned row = threadIdx.y + blockIdx.y * blockDim.y;
    if (row >= n || col >= m) return;
    out[col * n + row] = in[row * m + col];
}
