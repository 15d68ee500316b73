// CHECK loops.c:hotspot_step --where "rows >= 3 && cols >= 3" --grid "(cols+13)/14,(rows+13)/14" --block 16,16 --kernel calculate_temp
#define BS 16
__global__ void calculate_temp(const float *p, const float *t, float *o, int cols, int rows, float cap, float rx, float ry, float rz, float amb)
{
    __shared__ float ts[BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * (BS - 2) + tx - 1, y = blockIdx.y * (BS - 2) + ty - 1;
    bool in = x >= 0 && x < cols && y >= 0 && y < rows;
    if (in) ts[ty][tx] = t[y * cols + x];
    __syncthreads();
    bool work = tx > 0 && tx < BS - 1 && ty > 0 && ty < BS - 1;
    if (work && x > 0 && x < cols - 1 && y > 0 && y < rows - 1)
        o[y * cols + x] = ts[ty][tx] + cap * (p[y * cols + x] + (ts[ty + 1][tx] + ts[ty - 1][tx] - 2.0f * ts[ty][tx]) * ry + (ts[ty][tx + 1] + ts[ty][tx - 1] - 2.0f * ts[ty][tx]) * rx + (amb - ts[ty][tx]) * rz);
}
