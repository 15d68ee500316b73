// CHECK loops.c:conv2d_same --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void convolution_2D(float *in, float *k, float *out, int h, int w) {
    int outCol = blockIdx.x * blockDim.x + threadIdx.x;
    int outRow = blockIdx.y * blockDim.y + threadIdx.y;
    if (outRow >= h || outCol >= w) return;
    float acc = 0.0f;
    for (int fRow = 0; fRow < 3; fRow++) {
        for (int fCol = 0; fCol < 3; fCol++) {
            int inRow = outRow - 1 + fRow;
            int inCol = outCol - 1 + fCol;
            if (inRow >= 0 && inRow < h && inCol >= 0 && inCol < w) acc += in[inRow * w + inCol] * k[fRow * 3 + fCol];
        }
    }
    out[outRow * w + outCol] = acc;
}
