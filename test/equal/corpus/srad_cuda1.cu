// CHECK loops.c:srad_coeff --bind J_cuda=J,C_cuda=c --grid "cols / 16, rows / 16" --block 16,16 --where "rows % 16 == 0 && cols % 16 == 0 && rows >= 16 && cols >= 16"
#define BLOCK_SIZE 16
__global__ void srad_cuda_1(float *J_cuda, float *C_cuda, int cols, int rows, float q0sqr) {
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int index = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + tx;
    int index_n = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + tx - cols;
    int index_s = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * BLOCK_SIZE + tx;
    int index_w = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty - 1;
    int index_e = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + BLOCK_SIZE;
    float n, w, e, s, jc, g2, l, num, den, qsqr, c;
    __shared__ float temp[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float north[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float south[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float east[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float west[BLOCK_SIZE][BLOCK_SIZE];
    if (by > 0) north[ty][tx] = J_cuda[index_n];
    else north[ty][tx] = J_cuda[BLOCK_SIZE * bx + tx];
    if (by < gridDim.y - 1) south[ty][tx] = J_cuda[index_s];
    else south[ty][tx] = J_cuda[cols * BLOCK_SIZE * (gridDim.y - 1) + BLOCK_SIZE * bx + cols * (BLOCK_SIZE - 1) + tx];
    if (bx > 0) west[ty][tx] = J_cuda[index_w];
    else west[ty][tx] = J_cuda[cols * BLOCK_SIZE * by + cols * ty];
    if (bx < gridDim.x - 1) east[ty][tx] = J_cuda[index_e];
    else east[ty][tx] = J_cuda[cols * BLOCK_SIZE * by + BLOCK_SIZE * (gridDim.x - 1) + cols * ty + BLOCK_SIZE - 1];
    temp[ty][tx] = J_cuda[index];
    __syncthreads();
    jc = temp[ty][tx];
    if (ty == 0) n = north[ty][tx] - jc;
    else n = temp[ty - 1][tx] - jc;
    if (ty == BLOCK_SIZE - 1) s = south[ty][tx] - jc;
    else s = temp[ty + 1][tx] - jc;
    if (tx == 0) w = west[ty][tx] - jc;
    else w = temp[ty][tx - 1] - jc;
    if (tx == BLOCK_SIZE - 1) e = east[ty][tx] - jc;
    else e = temp[ty][tx + 1] - jc;
    g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
    l = (n + s + w + e) / jc;
    num = (0.5f * g2) - ((1.0f / 16.0f) * (l * l));
    den = 1 + (.25f * l);
    qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    c = 1.0f / (1.0f + den);
    if (c < 0) C_cuda[index] = 0;
    else if (c > 1) C_cuda[index] = 1;
    else C_cuda[index] = c;
}
