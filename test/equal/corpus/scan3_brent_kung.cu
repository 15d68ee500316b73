// CHECK loops.c:prefix_sums_float --permit reassociate
// Brent-Kung, two elements a thread, of any number of blocks
#define SECTION 512
__global__ void brent_kung(const float *X, float *Y, float *S, int n) {
    __shared__ float XY[SECTION];
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = i < n ? X[i] : 0.0f;
    XY[threadIdx.x + blockDim.x] = i + blockDim.x < n ? X[i + blockDim.x] : 0.0f;
    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < SECTION) XY[index] += XY[index - stride];
    }
    for (int stride = SECTION / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < SECTION) XY[index + stride] += XY[index];
    }
    __syncthreads();
    if (i < n) Y[i] = XY[threadIdx.x];
    if (i + blockDim.x < n) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
    if (threadIdx.x == 0) S[blockIdx.x] = XY[SECTION - 1];
}
__global__ void scan_sums(float *S, int m) {
    float s = 0.0f;
    for (int i = 0; i < m; i++) { s += S[i]; S[i] = s; }
}
__global__ void add(float *Y, const float *S, int n) {
    int i = blockIdx.x * SECTION + threadIdx.x;
    if (blockIdx.x > 0 && i < n) Y[i] += S[blockIdx.x - 1];
}
void scan(int n, const float *X, float *Y) {
    int blocks = (n + SECTION - 1) / SECTION;
    float *S;
    cudaMalloc(&S, blocks * sizeof(float));
    brent_kung<<<blocks, SECTION / 2>>>(X, Y, S, n);
    scan_sums<<<1, 1>>>(S, blocks);
    add<<<blocks, SECTION>>>(Y, S, n);
    cudaFree(S);
}
