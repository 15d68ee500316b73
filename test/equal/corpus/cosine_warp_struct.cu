// CHECK loops.c:cosine --permit reassociate --grid n --block 32
struct Acc { float ab, aa, bb; };
__device__ inline Acc operator+(const Acc &l, const Acc &r) { return Acc{l.ab + r.ab, l.aa + r.aa, l.bb + r.bb}; }
__global__ void cos_sim(const float *a, const float *b, float *y, int n, int m) {
    Acc s{0.f, 0.f, 0.f};
    int row = blockIdx.x;
    for (int j = threadIdx.x; j < m; j += 32) {
        float p = a[row * m + j], q = b[row * m + j];
        s = s + Acc{p * q, p * p, q * q};
    }
    for (int o = 16; o > 0; o >>= 1) {
        s.ab += __shfl_down_sync(0xffffffff, s.ab, o);
        s.aa += __shfl_down_sync(0xffffffff, s.aa, o);
        s.bb += __shfl_down_sync(0xffffffff, s.bb, o);
    }
    if (threadIdx.x == 0) y[row] = s.ab / (sqrtf(s.aa) * sqrtf(s.bb) + 1e-8f);
}
