// CHECK loops.c:hotspot_too
#define BLOCK_SIZE 16
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
__global__ void calculate_temp(const float *__restrict__ power, const float *__restrict__ temp_src, float *__restrict__ temp_dst,
                               int grid_cols, int grid_rows, float Cap, float Rx, float Ry, float Rz, float amb)
{
    __shared__ float on_chip[BLOCK_SIZE + 2][BLOCK_SIZE + 2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BLOCK_SIZE + tx, y = blockIdx.y * BLOCK_SIZE + ty;
    const int cx = min(x, grid_cols - 1), cy = min(y, grid_rows - 1);
    on_chip[ty + 1][tx + 1] = temp_src[cy * grid_cols + cx];
    if (tx == 0) on_chip[ty + 1][0] = temp_src[cy * grid_cols + max(cx - 1, 0)];
    if (tx == BLOCK_SIZE - 1) on_chip[ty + 1][BLOCK_SIZE + 1] = temp_src[cy * grid_cols + min(cx + 1, grid_cols - 1)];
    if (ty == 0) on_chip[0][tx + 1] = temp_src[max(cy - 1, 0) * grid_cols + cx];
    if (ty == BLOCK_SIZE - 1) on_chip[BLOCK_SIZE + 1][tx + 1] = temp_src[min(cy + 1, grid_rows - 1) * grid_cols + cx];
    __syncthreads();
    if (x >= grid_cols || y >= grid_rows) return;
    const float c = on_chip[ty + 1][tx + 1];
    const float n = on_chip[ty][tx + 1], s = on_chip[ty + 2][tx + 1];
    const float w = on_chip[ty + 1][tx], e = on_chip[ty + 1][tx + 2];
    temp_dst[y * grid_cols + x] = c + Cap * (power[y * grid_cols + x] + (s + n - 2.0f * c) * Ry + (e + w - 2.0f * c) * Rx + (amb - c) * Rz);
}
void hotspot_too(int rows, int cols, float cap, float rx, float ry, float rz, float amb, const float *temp, const float *power, float *out)
{
    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(DIV_UP(cols, BLOCK_SIZE), DIV_UP(rows, BLOCK_SIZE));
    calculate_temp<<<grid, block>>>(power, temp, out, cols, rows, cap, rx, ry, rz, amb);
}
