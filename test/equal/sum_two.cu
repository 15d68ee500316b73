// CHECK loops.c:sum --permit reassociate
// FAULTS 7
// OPEN_FAULTS 7
#define THREADS 256
#define BLOCKS 64
__global__ void partial(const float *x, float *part, int n) {
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    float v = 0.0f;
#ifdef FAULT_1
    for (int i = blockIdx.x * THREADS + t; i < n; i += THREADS * (BLOCKS - 1)) v += x[i];
#else
    for (int i = blockIdx.x * THREADS + t; i < n; i += THREADS * BLOCKS) v += x[i];
#endif
    s[t] = v;
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
#ifdef FAULT_2
    if (t == 0) part[blockIdx.x / 2] = s[0];
#else
    if (t == 0) part[blockIdx.x] = s[0];
#endif
}
__global__ void total(const float *part, float *out) {
    __shared__ float s[BLOCKS];
    int t = threadIdx.x;
    s[t] = part[t];
#ifndef FAULT_3
    __syncthreads();
#endif
#ifdef FAULT_4
    for (int k = BLOCKS / 4; k > 0; k /= 2) {
#else
    for (int k = BLOCKS / 2; k > 0; k /= 2) {
#endif
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
void sum(const float *x, float *out, int n) {
    float *part;
    cudaMalloc(&part, BLOCKS * sizeof(float));
#ifdef FAULT_5
    partial<<<BLOCKS - 1, THREADS>>>(x, part, n);
#else
    partial<<<BLOCKS, THREADS>>>(x, part, n);
#endif
#ifdef FAULT_6
    total<<<1, BLOCKS / 2>>>(part, out);
#elif defined FAULT_7
    total<<<2, BLOCKS>>>(part, out);
#else
    total<<<1, BLOCKS>>>(part, out);
#endif
    cudaFree(part);
}
