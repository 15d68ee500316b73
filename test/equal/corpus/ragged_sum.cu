// CHECK loops.c:ragged_len_sum --grid "(n + 127) / 128" --block 128
__global__ void k(int n, int m, const int *len, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int l = len[i];
        float s = 0;
        for (int j = 0; j < l; j++) s += x[i * m + j];
        y[i] = s;
    }
}
