// CHECK loops.c:matmul
// FAULTS 5
// SAYS 2 it is right with n % 16 == 0
// The host's part is a program: d_a, b_d and dev_c are the loops' a, b and c; n is any size, whatever it says here.
#include <cstdio>
#include <cstdlib>
#define T 16
__global__ void product(const float *x, const float *y, float *z, int size) {
    __shared__ float xs[T][T], ys[T][T];
    int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < size; t += T) {
        xs[threadIdx.y][threadIdx.x] = row < size && t + threadIdx.x < size ? x[row * size + t + threadIdx.x] : 0.0f;
        ys[threadIdx.y][threadIdx.x] = col < size && t + threadIdx.y < size ? y[(t + threadIdx.y) * size + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += xs[threadIdx.y][k] * ys[k][threadIdx.x];
#ifndef FAULT_1
        __syncthreads();
#endif
    }
    if (row < size && col < size) z[row * size + col] = sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    size_t bytes = sizeof(float) * n * n;
    float *h_a = (float *)malloc(bytes), *h_b = (float *)malloc(bytes), *h_c = (float *)malloc(bytes);
    float *d_a, *b_d, *dev_c;
    for (int i = 0; i < n * n; i++) {
        h_a[i] = rand() / (float)RAND_MAX;
        h_b[i] = rand() / (float)RAND_MAX;
    }
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&b_d, bytes);
    cudaMalloc((void **)&dev_c, bytes);
    cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b_d, h_b, bytes, cudaMemcpyHostToDevice);
    dim3 block(T, T);
#ifdef FAULT_2
    dim3 grid(n / T, n / T);
#else
    dim3 grid((n + T - 1) / T, (n + T - 1) / T);
#endif
#ifdef FAULT_3
    product<<<grid, block>>>(b_d, d_a, dev_c, n);
#elif defined FAULT_4
    product<<<grid, block>>>(d_a, b_d, dev_c, n - 1);
#else
    product<<<grid, block>>>(d_a, b_d, dev_c, n);
#endif
#ifdef FAULT_5
    product<<<grid, block>>>(d_a, dev_c, b_d, n);
#endif
    cudaMemcpy(h_c, dev_c, bytes, cudaMemcpyDeviceToHost);
    printf("%f\n", h_c[0]);
    free(h_a);
    cudaFree(d_a);
    return 0;
}
