// CHECK loops.c:dot --permit reassociate
const int threadsPerBlock = 256;
const int blocksPerGrid = 32;
__global__ void dot_kernel(int N, const float *a, const float *b, float *c) {
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}
__global__ void finish(const float *c, float *out) {
    float s = 0;
    for (int i = 0; i < blocksPerGrid; i++) s += c[i];
    out[0] = s;
}
void dot(int n, const float *a, const float *b, float *out) {
    float *part;
    cudaMalloc(&part, 32 * sizeof(float));
    dot_kernel<<<32, 256>>>(n, a, b, part);
    finish<<<1, 1>>>(part, out);
}
