// CHECK loops.c:box3x3 --grid "(w + 15) / 16, (h + 15) / 16" --block 16,16
__global__ void blurKernel(float *in, float *out, int w, int h) {
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    if (Col < w - 1 && Row < h - 1 && Col > 0 && Row > 0) {
        float pixVal = 0;
        for (int blurRow = -1; blurRow < 2; ++blurRow)
            for (int blurCol = -1; blurCol < 2; ++blurCol) {
                int curRow = Row + blurRow;
                int curCol = Col + blurCol;
                pixVal += in[curRow * w + curCol];
            }
        out[Row * w + Col] = pixVal / 9.0f;
    }
}
