// CHECK loops.c:masked_fill --grid "(B * H * T * T + 255) / 256" --block 256
__global__ void masked_fill_kernel(const float *scores, const int *mask, float *out, int B, int H, int T) {
    long long idx = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long total = (long long)B * H * T * T;
    if (idx < total) {
        int j = idx % T;
        int b = idx / ((long long)H * T * T);
        out[idx] = mask[b * T + j] == 0 ? -1e9f : scores[idx];
    }
}
