// CHECK loops.c:transpose --grid "(m + 15) / 16, (n + 15) / 16" --block 16,16 --bind odata=out,idata=in
__global__ void transposeNaive(float *odata, const float *idata, int n, int m) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < m && y < n) odata[x * n + y] = idata[y * m + x];
}
