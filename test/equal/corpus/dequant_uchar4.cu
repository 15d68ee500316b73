// CHECK loops.c:dequant --where "cols % 4 == 0" --grid "(cols/4+63)/64,rows" --block 64 --kernel dq
__global__ void dq(const uchar4 *q, const float *scale, const float *zero, float4 *y, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c >= cols / 4) return;
    uchar4 v = q[r * (cols / 4) + c];
    float s = scale[r], z = zero[r];
    y[r * (cols / 4) + c] = make_float4(((float)v.x - z) * s, ((float)v.y - z) * s, ((float)v.z - z) * s, ((float)v.w - z) * s);
}
