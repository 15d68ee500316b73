// In the manner of application suites: stencils, dynamic programming, image filters on grids.
// RUN --kernel seeded --grid 4 --block 64 --arg rounds=3
// REMARK this barrier orders nothing
// RUN --kernel hotspot --grid 10,10 --block 16,16 --arg iteration=2 --arg grid_cols=64 --arg grid_rows=64 --arg border_cols=2 --arg border_rows=2
// RUN --kernel dynproc --grid 8 --block 256 --arg iteration=4 --arg cols=1000 --arg rows=100 --arg startStep=0 --arg border=4
// RUN --kernel srad1 --grid 4,4 --block 16,16 --arg cols=64 --arg rows=64 --arg q0sqr=0.5
// REMARK this barrier orders nothing
// RUN --kernel srad2 --grid 4,4 --block 16,16 --arg cols=64 --arg rows=64 --arg q0sqr=0.5 --arg lambda=0.5
// RUN --kernel lud_diagonal --grid 1 --block 16 --arg matrix_dim=64 --arg offset=0
// RUN --kernel lud_perimeter --grid 3 --block 32 --arg matrix_dim=64 --arg offset=0
// RUN --kernel lud_internal --grid 3,3 --block 16,16 --arg matrix_dim=64 --arg offset=0
// RUN --kernel needle1 --grid 2 --block 16 --arg cols=65 --arg penalty=10 --arg i=2 --arg block_width=4
// REMARK this barrier orders nothing
// RUN --kernel stencil9 --grid 4,16 --block 64 --arg pitch=258 --arg wCenter=0.25 --arg wCardinal=0.15 --arg wDiagonal=0.05 --shared 4752
// RUN --kernel conv2d --grid 4,8 --block 32,8 --arg NI=64 --arg NJ=128
// RUN --kernel conv3d --grid 4,8 --block 32,8 --arg i=3 --arg NI=16 --arg NJ=64 --arg NK=128
// RUN --kernel fdtd_step1 --grid 4,8 --block 32,8 --arg nx=64 --arg ny=128 --arg t=3
// RUN --kernel convolve_rows --grid 4,16 --block 64,4 --arg w=256 --arg h=64
// RUN --kernel sobel --grid 4,4 --block 16,16 --arg w=64 --arg h=64
// RUN --kernel mandelbrot --grid 4,4 --block 16,16 --arg width=64 --arg height=64 --arg maxiter=100
#define BLOCK_SIZE 16
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define EXPAND_RATE 2

__global__ void hotspot(int iteration, float *power, float *temp_src, float *temp_dst, int grid_cols, int grid_rows,
                        int border_cols, int border_rows, float Cap, float Rx, float Ry, float Rz, float step)
{
    __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
    float amb_temp = 80.0;
    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    float step_div_Cap = step / Cap, Rx_1 = 1 / Rx, Ry_1 = 1 / Ry, Rz_1 = 1 / Rz;
    int small_block_rows = BLOCK_SIZE - iteration * 2;
    int small_block_cols = BLOCK_SIZE - iteration * 2;
    int blkY = small_block_rows * by - border_rows;
    int blkX = small_block_cols * bx - border_cols;
    int blkYmax = blkY + BLOCK_SIZE - 1, blkXmax = blkX + BLOCK_SIZE - 1;
    int yidx = blkY + ty, xidx = blkX + tx;
    int loadYidx = yidx, loadXidx = xidx;
    int index = grid_cols * loadYidx + loadXidx;
    if (IN_RANGE(loadYidx, 0, grid_rows - 1) && IN_RANGE(loadXidx, 0, grid_cols - 1)) {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    __syncthreads();
    int validYmin = (blkY < 0) ? -blkY : 0;
    int validYmax = (blkYmax > grid_rows - 1) ? BLOCK_SIZE - 1 - (blkYmax - grid_rows + 1) : BLOCK_SIZE - 1;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > grid_cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - grid_cols + 1) : BLOCK_SIZE - 1;
    int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
    N = (N < validYmin) ? validYmin : N;
    S = (S > validYmax) ? validYmax : S;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) &&
            IN_RANGE(tx, validXmin, validXmax) && IN_RANGE(ty, validYmin, validYmax)) {
            computed = true;
            temp_t[ty][tx] = temp_on_cuda[ty][tx] + step_div_Cap * (power_on_cuda[ty][tx] +
                (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0 * temp_on_cuda[ty][tx]) * Ry_1 +
                (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0 * temp_on_cuda[ty][tx]) * Rx_1 +
                (amb_temp - temp_on_cuda[ty][tx]) * Rz_1);
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on_cuda[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}

__global__ void dynproc(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows, int startStep, int border)
{
    __shared__ int prev[256];
    __shared__ int result[256];
    int bx = blockIdx.x, tx = threadIdx.x;
    int small_block_cols = 256 - iteration * 1 * 2;
    int blkX = small_block_cols * bx - border;
    int blkXmax = blkX + 256 - 1;
    int xidx = blkX + tx;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? 256 - 1 - (blkXmax - cols + 1) : 256 - 1;
    int W = tx - 1, E = tx + 1;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool isValid = IN_RANGE(tx, validXmin, validXmax);
    if (IN_RANGE(xidx, 0, cols - 1))
        prev[tx] = gpuSrc[xidx];
    __syncthreads();
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, 256 - i - 2) && isValid) {
            computed = true;
            int left = prev[W], up = prev[tx], right = prev[E];
            int shortest = MIN(left, up);
            shortest = MIN(shortest, right);
            int index = cols * (startStep + i) + xidx;
            result[tx] = shortest + gpuWall[index];
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed)
        gpuResults[xidx] = result[tx];
}

__global__ void srad1(float *E_C, float *W_C, float *N_C, float *S_C, float *J_cuda, float *C_cuda, int cols, int rows, float q0sqr)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + tx;
    int index_n = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + tx - cols;
    int index_s = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * BLOCK_SIZE + tx;
    int index_w = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty - 1;
    int index_e = cols * BLOCK_SIZE * by + BLOCK_SIZE * bx + cols * ty + BLOCK_SIZE;
    float n, w, e, s, jc, g2, l, num, den, qsqr, c;
    __shared__ float temp[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float temp_result[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float north[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float south[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float east[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float west[BLOCK_SIZE][BLOCK_SIZE];
    north[ty][tx] = J_cuda[index_n];
    south[ty][tx] = J_cuda[index_s];
    if (by == 0) {
        north[ty][tx] = J_cuda[BLOCK_SIZE * bx + tx];
    } else if (by == gridDim.y - 1) {
        south[ty][tx] = J_cuda[cols * BLOCK_SIZE * (gridDim.y - 1) + BLOCK_SIZE * bx + cols * (BLOCK_SIZE - 1) + tx];
    }
    __syncthreads();
    west[ty][tx] = J_cuda[index_w];
    east[ty][tx] = J_cuda[index_e];
    if (bx == 0) {
        west[ty][tx] = J_cuda[cols * BLOCK_SIZE * by + cols * ty];
    } else if (bx == gridDim.x - 1) {
        east[ty][tx] = J_cuda[cols * BLOCK_SIZE * by + BLOCK_SIZE * (gridDim.x - 1) + cols * ty + BLOCK_SIZE - 1];
    }
    __syncthreads();
    temp[ty][tx] = J_cuda[index];
    __syncthreads();
    jc = temp[ty][tx];
    if (ty == 0 && tx == 0) {
        n = north[ty][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = west[ty][tx] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (ty == BLOCK_SIZE - 1 && tx == BLOCK_SIZE - 1) {
        n = temp[ty - 1][tx] - jc;
        s = south[ty][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = east[ty][tx] - jc;
    } else if (ty == BLOCK_SIZE - 1 || tx == BLOCK_SIZE - 1 || ty == 0 || tx == 0) {
        n = s = w = e = 0.0f;
    } else {
        n = temp[ty - 1][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = temp[ty][tx + 1] - jc;
    }
    g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
    l = (n + s + w + e) / jc;
    num = (0.5 * g2) - ((1.0 / 16.0) * (l * l));
    den = 1 + (.25 * l);
    qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    c = 1.0 / (1.0 + den);
    if (c < 0)
        temp_result[ty][tx] = 0;
    else if (c > 1)
        temp_result[ty][tx] = 1;
    else
        temp_result[ty][tx] = c;
    __syncthreads();
    C_cuda[index] = temp_result[ty][tx];
    E_C[index] = e;
    W_C[index] = w;
    S_C[index] = s;
    N_C[index] = n;
}

__global__ void srad2(float *J, const float *E, const float *W, const float *N, const float *S, const float *C, int cols, int rows, float lambda, float q0sqr)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = y * cols + x;
    if (x >= cols || y >= rows) return;
    float cc = C[i], cs = y + 1 < rows ? C[i + cols] : cc, ce = x + 1 < cols ? C[i + 1] : cc;
    float d = cc * N[i] + cs * S[i] + cc * W[i] + ce * E[i];
    J[i] = J[i] + 0.25f * lambda * d;
}

__global__ void lud_diagonal(float *m, int matrix_dim, int offset)
{
    int i, j;
    __shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
    int array_offset = offset * matrix_dim + offset;
    for (i = 0; i < BLOCK_SIZE; i++) {
        shadow[i][threadIdx.x] = m[array_offset + threadIdx.x];
        array_offset += matrix_dim;
    }
    __syncthreads();
    for (i = 0; i < BLOCK_SIZE - 1; i++) {
        if (threadIdx.x > i) {
            for (j = 0; j < i; j++)
                shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i) {
            for (j = 0; j < i + 1; j++)
                shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        }
        __syncthreads();
    }
    array_offset = (offset + 1) * matrix_dim + offset;
    for (i = 1; i < BLOCK_SIZE; i++) {
        m[array_offset + threadIdx.x] = shadow[i][threadIdx.x];
        array_offset += matrix_dim;
    }
}

__global__ void lud_perimeter(float *m, int matrix_dim, int offset)
{
    __shared__ float dia[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int i, j, array_offset, idx;
    if (threadIdx.x < BLOCK_SIZE) {
        idx = threadIdx.x;
        array_offset = offset * matrix_dim + offset;
        for (i = 0; i < BLOCK_SIZE / 2; i++) {
            dia[i][idx] = m[array_offset + idx];
            array_offset += matrix_dim;
        }
        array_offset = offset * matrix_dim + offset;
        for (i = 0; i < BLOCK_SIZE; i++) {
            peri_row[i][idx] = m[array_offset + (blockIdx.x + 1) * BLOCK_SIZE + idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = threadIdx.x - BLOCK_SIZE;
        array_offset = (offset + BLOCK_SIZE / 2) * matrix_dim + offset;
        for (i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++) {
            dia[i][idx] = m[array_offset + idx];
            array_offset += matrix_dim;
        }
        array_offset = (offset + (blockIdx.x + 1) * BLOCK_SIZE) * matrix_dim + offset;
        for (i = 0; i < BLOCK_SIZE; i++) {
            peri_col[i][idx] = m[array_offset + idx];
            array_offset += matrix_dim;
        }
    }
    __syncthreads();
    if (threadIdx.x < BLOCK_SIZE) {
        idx = threadIdx.x;
        for (i = 1; i < BLOCK_SIZE; i++)
            for (j = 0; j < i; j++)
                peri_row[i][idx] -= dia[i][j] * peri_row[j][idx];
    } else {
        idx = threadIdx.x - BLOCK_SIZE;
        for (i = 0; i < BLOCK_SIZE; i++) {
            for (j = 0; j < i; j++)
                peri_col[idx][i] -= peri_col[idx][j] * dia[j][i];
            peri_col[idx][i] /= dia[i][i];
        }
    }
    __syncthreads();
    if (threadIdx.x < BLOCK_SIZE) {
        idx = threadIdx.x;
        array_offset = (offset + 1) * matrix_dim + offset;
        for (i = 1; i < BLOCK_SIZE; i++) {
            m[array_offset + (blockIdx.x + 1) * BLOCK_SIZE + idx] = peri_row[i][idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = threadIdx.x - BLOCK_SIZE;
        array_offset = (offset + (blockIdx.x + 1) * BLOCK_SIZE) * matrix_dim + offset;
        for (i = 0; i < BLOCK_SIZE; i++) {
            m[array_offset + idx] = peri_col[i][idx];
            array_offset += matrix_dim;
        }
    }
}

__global__ void lud_internal(float *m, int matrix_dim, int offset)
{
    __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int i;
    float sum;
    int global_row_id = offset + (blockIdx.y + 1) * BLOCK_SIZE;
    int global_col_id = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    peri_row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x];
    peri_col[threadIdx.y][threadIdx.x] = m[(global_row_id + threadIdx.y) * matrix_dim + offset + threadIdx.x];
    __syncthreads();
    sum = 0;
    for (i = 0; i < BLOCK_SIZE; i++)
        sum += peri_col[threadIdx.y][i] * peri_row[i][threadIdx.x];
    m[(global_row_id + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x] -= sum;
}

__device__ __host__ int maximum(int a, int b, int c)
{
    int k;
    if (a <= b)
        k = b;
    else
        k = a;
    if (k <= c)
        return (c);
    else
        return (k);
}

__global__ void needle1(int *referrence, int *matrix_cuda, int cols, int penalty, int i, int block_width)
{
    int bx = blockIdx.x, tx = threadIdx.x;
    int b_index_x = bx, b_index_y = i - 1 - bx;
    int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);
    int index_n = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (1);
    int index_w = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + (cols);
    int index_nw = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;
    __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
    if (tx == 0)
        temp[tx][0] = matrix_cuda[index_nw];
    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        ref[ty][tx] = referrence[index + cols * ty];
    __syncthreads();
    temp[tx + 1][0] = matrix_cuda[index_w + cols * tx];
    __syncthreads();
    temp[0][tx + 1] = matrix_cuda[index_n];
    __syncthreads();
    for (int m = 0; m < BLOCK_SIZE; m++) {
        if (tx <= m) {
            int t_index_x = tx + 1;
            int t_index_y = m - tx + 1;
            temp[t_index_y][t_index_x] = maximum(temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1],
                                                 temp[t_index_y][t_index_x - 1] - penalty,
                                                 temp[t_index_y - 1][t_index_x] - penalty);
        }
        __syncthreads();
    }
    for (int m = BLOCK_SIZE - 2; m >= 0; m--) {
        if (tx <= m) {
            int t_index_x = tx + BLOCK_SIZE - m;
            int t_index_y = BLOCK_SIZE - tx;
            temp[t_index_y][t_index_x] = maximum(temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1],
                                                 temp[t_index_y][t_index_x - 1] - penalty,
                                                 temp[t_index_y - 1][t_index_x] - penalty);
        }
        __syncthreads();
    }
    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        matrix_cuda[index + ty * cols] = temp[ty + 1][tx + 1];
}

extern __shared__ char sh[];
template <class T>
__device__ int flat(int padded, int pitch, int halo, T dummy) { return pitch * padded + halo; }
__global__ void stencil9(const float *data, float *newData, unsigned int pitch, float wCenter, float wCardinal, float wDiagonal)
{
    float *tile = (float *)sh;
    const int local_rows = 16, cols = 66;
    int gid = blockIdx.y * local_rows, gc = blockIdx.x * 64 + threadIdx.x;
    for (int r = 0; r < local_rows + 2; r++) {
        tile[r * cols + threadIdx.x + 1] = data[(gid + r) * pitch + gc + 1];
        if (threadIdx.x == 0) {
            tile[r * cols] = data[(gid + r) * pitch + gc];
            tile[r * cols + 65] = data[(gid + r) * pitch + gc + 65];
        }
    }
    __syncthreads();
    for (int r = 0; r < local_rows; r++) {
        int cidx = (r + 1) * cols + threadIdx.x + 1;
        float center = tile[cidx];
        float cardinal = tile[cidx - cols] + tile[cidx + cols] + tile[cidx - 1] + tile[cidx + 1];
        float diagonal = tile[cidx - cols - 1] + tile[cidx - cols + 1] + tile[cidx + cols - 1] + tile[cidx + cols + 1];
        newData[(gid + r + 1) * pitch + gc + 1] = wCenter * center + wCardinal * cardinal + wDiagonal * diagonal;
    }
}

__global__ void conv2d(float *A, float *B, int NI, int NJ)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    float c11 = +0.2, c21 = +0.5, c31 = -0.8, c12 = -0.3, c22 = +0.6, c32 = -0.9, c13 = +0.4, c23 = +0.7, c33 = +0.10;
    if ((i < NI - 1) && (j < NJ - 1) && (i > 0) && (j > 0)) {
        B[i * NJ + j] = c11 * A[(i - 1) * NJ + (j - 1)] + c21 * A[(i - 1) * NJ + (j + 0)] + c31 * A[(i - 1) * NJ + (j + 1)] +
                        c12 * A[(i + 0) * NJ + (j - 1)] + c22 * A[(i + 0) * NJ + (j + 0)] + c32 * A[(i + 0) * NJ + (j + 1)] +
                        c13 * A[(i + 1) * NJ + (j - 1)] + c23 * A[(i + 1) * NJ + (j + 0)] + c33 * A[(i + 1) * NJ + (j + 1)];
    }
}

__global__ void conv3d(float *A, float *B, int i, int NI, int NJ, int NK)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < (NI - 1)) && (j < (NJ - 1)) && (k < (NK - 1)) && (i > 0) && (j > 0) && (k > 0))
        B[i * (NK * NJ) + j * NK + k] = 2 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] + 4 * A[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
            5 * A[(i + 0) * (NK * NJ) + (j + 1) * NK + (k + 0)] - 8 * A[(i + 1) * (NK * NJ) + (j + 1) * NK + (k + 1)];
}

__global__ void fdtd_step1(float *_fict_, float *ex, float *ey, float *hz, int nx, int ny, int t)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < nx) && (j < ny)) {
        if (i == 0)
            ey[i * ny + j] = _fict_[t];
        else
            ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
}

#define RADIUS 4
__constant__ float c_kernel[2 * RADIUS + 1];
__global__ void convolve_rows(float *dst, const float *src, int w, int h)
{
    __shared__ float s[4][64 + 2 * RADIUS];
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    s[threadIdx.y][threadIdx.x + RADIUS] = src[y * w + x];
    if (threadIdx.x < RADIUS) {
        s[threadIdx.y][threadIdx.x] = x >= RADIUS ? src[y * w + x - RADIUS] : 0.0f;
        s[threadIdx.y][threadIdx.x + 64 + RADIUS] = x + 64 < w ? src[y * w + x + 64] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += c_kernel[RADIUS - k] * s[threadIdx.y][threadIdx.x + RADIUS + k];
    dst[y * w + x] = sum;
}

__global__ void sobel(unsigned char *out, const unsigned char *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    int sx = 0, sy = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            sx += gx[i + 1][j + 1] * in[(y + i) * w + x + j];
            sy += gx[j + 1][i + 1] * in[(y + i) * w + x + j];
        }
    float mag = sqrtf((float)(sx * sx + sy * sy));
    out[y * w + x] = mag > 255 ? 255 : (unsigned char)mag;
}

__global__ void mandelbrot(int *out, int width, int height, int maxiter, float x0, float y0, float dx, float dy)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cr = x0 + px * dx, ci = y0 + py * dy, zr = 0, zi = 0;
    int it = 0;
    while (zr * zr + zi * zi < 4.0f && it < maxiter) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        it++;
    }
    out[py * width + px] = it;
}

// A round's last reads and the next round's first write have the barriers of a function between them.
__device__ float shifted(float x, float *s)
{
    s[threadIdx.x] = x;
    __syncthreads();
    float y = s[(threadIdx.x + 1) % 64];
    __syncthreads();
    return y;
}
extern "C" __global__ void seeded(float *out, const float *in, int rounds)
{
    __shared__ float s[64], last;
    float seed = 0;
    int at = blockIdx.x * 64 * rounds + threadIdx.x, end = at + 64 * rounds;
    while (at < end) {
        float x = shifted(in[at], s) + seed;
        out[at] = x;
        if (threadIdx.x == 63) last = x;
        __syncthreads();
        seed = last;
        at += 64;
    }
}
