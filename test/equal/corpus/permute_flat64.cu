// CHECK loops.c:permute --grid "(b * s * h * d + 255) / 256" --block 256
__global__ void permute(const float *x, float *y, int b, int s, int h, int d) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long n = (long long)b * s * h * d;
    if (i >= n) return;
    int e = i % d;
    int j = (i / d) % s;
    int k = (i / ((long long)d * s)) % h;
    int bb = i / ((long long)d * s * h);
    y[i] = x[((bb * s + j) * h + k) * d + e];
}
