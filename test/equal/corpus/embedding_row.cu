// CHECK loops.c:embedding --grid n --block 128
__global__ void embedding_lookup(const float *table, const int *token, float *out, int d) {
    int row = token[blockIdx.x];
    for (int j = threadIdx.x; j < d; j += blockDim.x) out[blockIdx.x * d + j] = table[row * d + j];
}
