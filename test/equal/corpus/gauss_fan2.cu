// CHECK loops.c:gauss_fan --bind Size=n --where "t >= 0 && t < n" --grid "(n - t + 15) / 16, (n - t + 15) / 16" --block 16,16
__global__ void Fan2(const float *m, float *a, int Size, int t) {
    int xidx = blockIdx.x * blockDim.x + threadIdx.x;
    int yidx = blockIdx.y * blockDim.y + threadIdx.y;
    if (xidx >= Size - 1 - t) return;
    if (yidx >= Size - t) return;
    a[Size * (xidx + 1 + t) + (yidx + t)] -= m[xidx + 1 + t] * a[Size * t + (yidx + t)];
}
