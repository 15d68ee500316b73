// CHECK loops.c:triad
// FAULTS 10
// UNREAD_FAULTS 5 6 7 8 9 10
// A program whose device pointers have names of their own: what is copied from or to the host tells which they are.
#include <cstdlib>
__global__ void k(const float *p, const float *q, float *r, float s, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FAULT_1
    if (i <= count) r[i] = p[i] + s * q[i];
#else
    if (i < count) r[i] = p[i] + s * q[i];
#endif
}
int main() {
    const int n = 1 << 20;
    const int threads = 256;
    float s = 1.5f;
    float *b = new float[n], *c = new float[n], *a = new float[n], *buf1, *buf2, *buf3;
    cudaMalloc(&buf1, n * sizeof(float));
    cudaMalloc(&buf2, n * sizeof(float));
    cudaMalloc(&buf3, n * sizeof(float));
#ifdef FAULT_5 // another array's pointer
    std::swap(buf1, buf3);
#elif defined FAULT_6 // too early
    cudaMemcpy(a, buf3, n * sizeof(float), cudaMemcpyDeviceToHost);
#elif defined FAULT_7
    cudaMemcpy(b, buf1, n * sizeof(float), cudaMemcpyHostToDevice);
#elif defined FAULT_8
    cudaMemcpy(buf1 + 1, b, n * sizeof(float), cudaMemcpyHostToDevice);
#elif defined FAULT_9
    buf1++;
#endif
#ifdef FAULT_2
    cudaMemcpy(buf1, c, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(buf2, b, n * sizeof(float), cudaMemcpyHostToDevice);
#else
    cudaMemcpy(buf1, b, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(buf2, c, n * sizeof(float), cudaMemcpyHostToDevice);
#endif
    int blocks = (n + threads - 1) / threads;
#ifdef FAULT_3
    k<<<blocks - 1, threads>>>(buf1, buf2, buf3, s, n);
#elif defined FAULT_4
    k<<<blocks, threads>>>(buf1, buf2, buf3, s, threads);
#elif defined FAULT_10 // of the host's memory
    k<<<blocks, threads>>>(b, buf2, buf3, s, n);
#else
    k<<<blocks, threads>>>(buf1, buf2, buf3, s, n);
#endif
    cudaMemcpy(a, buf3, n * sizeof(float), cudaMemcpyDeviceToHost);
    return 0;
}
