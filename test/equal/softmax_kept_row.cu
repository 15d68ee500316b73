// CHECK loops.c:softmax --permit reassociate
// FAULTS 5
// SAYS 0 m * 4 <= 48640
// SAYS 3 outside of row
// SAYS 4 outside of row
// A row waits in as much shared memory as the launch says.
__global__ void kept(int m, const float *x, float *y) {
    extern __shared__ float row[];
    __shared__ float red[128];
    int t = threadIdx.x;
    float top = -INFINITY, s = 0;
    for (int j = t; j < m; j += 128) {
        row[j] = x[blockIdx.x * m + j];
        top = fmaxf(top, row[j]);
    }
    red[t] = top;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) red[t] = fmaxf(red[t], red[t + k]);
        __syncthreads();
    }
    top = red[0];
#ifndef FAULT_1
    __syncthreads();
#endif
    for (int j = t; j < m; j += 128) {
        row[j] = expf(row[j] - top);
        s += row[j];
    }
    red[t] = s;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (t < k) red[t] += red[t + k];
        __syncthreads();
    }
#ifdef FAULT_2
    for (int j = t; j < m; j += 128) y[blockIdx.x * m + j] = row[m - 1 - j] / red[0];
#elif defined FAULT_3
    for (int j = t; j < m; j += 128) y[blockIdx.x * m + j] = row[j + 1] / red[0];
#else
    for (int j = t; j < m; j += 128) y[blockIdx.x * m + j] = row[j] / red[0];
#endif
}
void softmax(int n, int m, const float *x, float *y) {
#ifdef FAULT_4
    kept<<<n, 128, (m - 1) * sizeof(float)>>>(m, x, y);
#elif defined FAULT_5
    kept<<<n, 128, m>>>(m, x, y);
#else
    kept<<<n, 128, m * sizeof(float)>>>(m, x, y);
#endif
}
