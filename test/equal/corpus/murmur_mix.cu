// CHECK loops.c:murmur_mix --grid "(n+127)/128" --block 128 --kernel murmur
__global__ void murmur(const unsigned *x, unsigned *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned h = x[i];
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        y[i] = h;
    }
}
