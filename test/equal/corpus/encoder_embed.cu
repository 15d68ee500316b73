// CHECK loops.c:embed_sum --grid "n" --block 128 --kernel encoder
__global__ void encoder(float *out, const int *tok, const float *wte, const float *wpe, int n, int d) {
    int t = blockIdx.x;
    __shared__ int id;
    if (threadIdx.x == 0) id = tok[t];
    __syncthreads();
    for (int c = threadIdx.x; c < d; c += blockDim.x) {
        out[t * d + c] = wte[id * d + c] + wpe[t * d + c];
    }
}
