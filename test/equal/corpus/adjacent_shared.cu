// CHECK loops.c:adj_diff --grid "(n + 127) / 128" --block 128 --bind result=y,input=x
__global__ void adj_diff_shared(int *result, const int *input, int n) {
    __shared__ int s[128];
    unsigned int tx = threadIdx.x;
    unsigned int i = blockIdx.x * 128 + tx;
    if (i < n) s[tx] = input[i];
    __syncthreads();
    if (i >= n) return;
    if (tx > 0) result[i] = s[tx] - s[tx - 1];
    else if (i > 0) result[i] = s[tx] - input[i - 1];
    else result[i] = s[0];
}
