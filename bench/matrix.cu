// matrix.cu -- does a matrix instruction of doubles add its terms in order, as a chain of fma does, bit for bit? And
// how fast is each? What is equal may be `ordered` in src/ir/matrix.c.
//   nvcc -O3 -arch=sm_90 -std=c++17 bench/matrix.cu -o matrix && ./matrix
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

typedef unsigned long long u64;

__host__ __device__ static inline u64 mix(u64 x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}
__device__ static double of_bits(u64 b) { return __longlong_as_double((long long)b); }
__device__ static u64 bits(double d) { return (u64)__double_as_longlong(d); }

// mode 0: about 1; 1: exponents within 2^+-40; 2: any bits; 3: small numbers whose products are denormal;
// 4: near overflow; 5: a table of special numbers among ordinary ones; 6: few bits, heavy cancellation; 7: NaN-free any exponent
__device__ static double value(int mode, u64 h) {
    u64 sign = h & 0x8000000000000000ull, frac = h & 0x000FFFFFFFFFFFFFull;
    u64 r = mix(h);
    switch (mode) {
        case 0: return of_bits(sign | (u64)(1023 - (r & 3)) << 52 | frac);
        case 1: return of_bits(sign | (u64)(1023 - 40 + r % 81) << 52 | frac);
        case 2: return of_bits(h);
        case 3: return of_bits(sign | (u64)(r % 8 == 0 ? 0 : 1023 - 520 + r % 24) << 52 | frac);
        case 4: return of_bits(sign | (u64)(1023 + 508 + r % 5) << 52 | frac);
        case 5: {
            const u64 table[] = {0, 0x8000000000000000ull, 0x7FF0000000000000ull, 0xFFF0000000000000ull,
                                 0x7FF8000000000000ull, 0xFFF8000000001234ull, 0x7FF0000000000001ull, 1,
                                 0x8000000000000001ull, 0x000FFFFFFFFFFFFFull, 0x0010000000000000ull,
                                 0x7FEFFFFFFFFFFFFFull, 0xFFEFFFFFFFFFFFFFull, 0x3FF0000000000000ull,
                                 0xBFF0000000000000ull, 0x3CB0000000000000ull};
            return r % 16 < 3 ? of_bits(table[(r >> 8) % 16])
                              : of_bits(sign | (u64)(1023 - 4 + (r >> 16) % 9) << 52 | frac);
        }
        case 6: return of_bits(sign | (u64)(1023 + (r % 3 ? 0 : 26)) << 52 | (frac & 0x000FC00000000003ull));
        default: return of_bits(sign | (u64)(r % 2047) << 52 | frac);
    }
}

template <int M, int K> __device__ void mma(double *c, const double *a, const double *b);
template <> __device__ void mma<8, 4>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
}
template <> __device__ void mma<16, 4>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3]) : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}
template <> __device__ void mma<16, 8>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
template <> __device__ void mma<16, 16>(double *c, const double *a, const double *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
                 "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                   "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

enum { FORWARD, BACKWARD, PAIRS, ZERO_START, HYPOTHESES };
// order of the chain under each hypothesis
template <int K> __device__ static double chain(int how, const double *a, const double *b, double c) {
    double s = c;
    if (how == FORWARD)
        for (int k = 0; k < K; k++) s = __fma_rn(a[k], b[k], s);
    else if (how == BACKWARD)
        for (int k = K - 1; k >= 0; k--) s = __fma_rn(a[k], b[k], s);
    else if (how == PAIRS)                        // k = t, t + 4, t + 8 … then the next t
        for (int t = 0; t < 4; t++)
            for (int k = t; k < K; k += 4) s = __fma_rn(a[k], b[k], s);
    else {                                        // sum of products first, then c
        s = a[0] * b[0];
        for (int k = 1; k < K; k++) s = __fma_rn(a[k], b[k], s);
        s = s + c;
    }
    return s;
}

__device__ static u64 cases[4], differ[HYPOTHESES], payload, shown;

template <int M, int K> __global__ void check(int mode, u64 seed, int rounds) {
    __shared__ double a[M][K], b[8][K], c[M][8];  // b is held by columns
    int lane = threadIdx.x, g = lane >> 2, t = lane & 3;
    for (int round = 0; round < rounds; round++) {
        u64 base = mix(seed + 1315423911ull * (blockIdx.x * (u64)rounds + round));
        for (int i = lane; i < M * K; i += 32) a[i / K][i % K] = value(mode, mix(base + i));
        for (int i = lane; i < 8 * K; i += 32) b[i / K][i % K] = value(mode, mix(base + 1000 + i));
        for (int i = lane; i < M * 8; i += 32) {
            double v = value(mode, mix(base + 2000 + i));
            // in mode 6 and every third round, c nearly cancels the sum
            c[i / 8][i % 8] = v;
        }
        __syncwarp();
        if (mode == 6 || round % 3 == 2) {
            for (int i = lane; i < M * 8; i += 32) {
                double s = 0;
                for (int k = 0; k < K; k++) s = __fma_rn(a[i / 8][k], b[i % 8][k], s);
                if (mode != 2 && mode != 5) c[i / 8][i % 8] = -s;
            }
            __syncwarp();
        }
        double fa[M * K / 32], fb[K / 4], fc[M / 4];
        for (int i = 0; i < M * K / 32; i++)
            fa[i] = M == 8 ? a[g][t + 4 * i] : a[g + 8 * (i & 1)][t + 4 * (i >> 1)];
        for (int i = 0; i < K / 4; i++) fb[i] = b[g][t + 4 * i];
        for (int i = 0; i < M / 4; i++) fc[i] = c[g + 8 * (i >> 1)][2 * t + (i & 1)];
        mma<M, K>(fc, fa, fb);
        for (int i = 0; i < M / 4; i++) {
            int row = g + 8 * (i >> 1), col = 2 * t + (i & 1);
            atomicAdd(&cases[0], 1ull);
            for (int how = 0; how < HYPOTHESES; how++) {
                double want = chain<K>(how, a[row], b[col], c[row][col]);
                bool nan = want != want && fc[i] != fc[i];
                if (nan && bits(want) != bits(fc[i]) && how == FORWARD) atomicAdd(&payload, 1ull);
                if (!nan && bits(want) != bits(fc[i])) {
                    atomicAdd(&differ[how], 1ull);
                    if (how == FORWARD && atomicAdd(&shown, 1ull) < 3) {
                        printf("    m%dn8k%d mode %d row %d col %d: mma %016llx chain %016llx c %016llx\n", M, K, mode,
                               row, col, bits(fc[i]), bits(want), bits(c[row][col]));
                        for (int k = 0; k < K; k++)
                            printf("      k %d a %016llx b %016llx\n", k, bits(a[row][k]), bits(b[col][k]));
                    }
                }
            }
        }
        __syncwarp();
    }
}

template <int M, int K, int CHAINS> __global__ void __launch_bounds__(256) speed(double *out, int rounds, double x) {
    double fa[2][M * K / 32], fb[K / 4], fc[CHAINS][M / 4];
    for (int i = 0; i < M * K / 32; i++) fa[0][i] = x + threadIdx.x + i, fa[1][i] = x - i;
    for (int i = 0; i < K / 4; i++) fb[i] = x * threadIdx.x + i;
    for (int j = 0; j < CHAINS; j++)
        for (int i = 0; i < M / 4; i++) fc[j][i] = j + i;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int j = 0; j < CHAINS; j++) mma<M, K>(fc[j], fa[j & 1], fb);
    double s = 0;
    for (int j = 0; j < CHAINS; j++)
        for (int i = 0; i < M / 4; i++) s += fc[j][i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void __launch_bounds__(256) speed_fma(double *out, int rounds, double x) {
    double c[16];
    for (int i = 0; i < 16; i++) c[i] = x + i;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < 16; i++) c[i] = __fma_rn(c[i], x, x);
    double s = 0;
    for (int i = 0; i < 16; i++) s += c[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

static int sms;
static double *buffer;
template <typename F> static void timed(const char *name, F launch, double flops) {
    cudaEvent_t e0, e1;
    cudaEventCreate(&e0), cudaEventCreate(&e1);
    launch();
    float best = 1e30f;
    for (int i = 0; i < 5; i++) {
        cudaEventRecord(e0), launch(), cudaEventRecord(e1), cudaEventSynchronize(e1);
        float ms;
        cudaEventElapsedTime(&ms, e0, e1);
        if (ms < best) best = ms;
    }
    printf("  %-34s %8.3f ms  %7.2f TFLOP/s\n", name, best, flops / best / 1e9);
}

template <int M, int K, int CHAINS> static void speeds(int threads, int blocks) {
    int rounds = 16384 / K;
    double flops = 2.0 * M * 8 * K * CHAINS * rounds * (threads / 32) * (double)blocks * sms;
    char name[80];
    snprintf(name, sizeof name, "m%dn8k%d %d chains %d x %d threads", M, K, CHAINS, blocks, threads);
    timed(name, [=] { speed<M, K, CHAINS><<<sms * blocks, threads>>>(buffer, rounds, 1e-300); }, flops);
}

template <int M, int K> static void shape() {
    printf("m%dn8k%d\n", M, K);
    u64 zero[HYPOTHESES] = {0};
    bool equal = true;
    for (int mode = 0; mode < 8; mode++) {
        cudaMemcpyToSymbol(cases, zero, sizeof zero), cudaMemcpyToSymbol(differ, zero, sizeof zero);
        cudaMemcpyToSymbol(payload, zero, sizeof(u64)), cudaMemcpyToSymbol(shown, zero, sizeof(u64));
        check<M, K><<<1024, 32>>>(mode, 77 + mode, 1000000 / 1024 / (M * 8) + 16);
        cudaError_t error = cudaDeviceSynchronize();
        u64 n[4], d[HYPOTHESES], p;
        cudaMemcpyFromSymbol(n, cases, sizeof n), cudaMemcpyFromSymbol(d, differ, sizeof d);
        cudaMemcpyFromSymbol(&p, payload, sizeof p);
        printf("  mode %d: %llu cases, differ from: chain in k order %llu, backwards %llu, t first %llu, products "
               "then c %llu; other NaN bits %llu (%s)\n", mode, n[0], d[0], d[1], d[2], d[3], p, cudaGetErrorString(error));
        if (d[0] || error) equal = false;
    }
    printf("  EQUAL to the fma chain in k order: %s\n", equal ? "yes" : "NO");
}

int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    sms = p.multiProcessorCount;
    cudaMalloc(&buffer, sizeof(double) * sms * 8 * 1024);
    printf("%s, %d SMs\n", p.name, sms);
    shape<8, 4>(), shape<16, 4>(), shape<16, 8>(), shape<16, 16>();

    timed("fma 16 chains 8 x 256 threads", [] { speed_fma<<<sms * 8, 256>>>(buffer, 4096, 1e-300); },
          2.0 * 16 * 4096 * 256 * 8 * sms);
    speeds<8, 4, 8>(256, 1), speeds<8, 4, 8>(256, 2), speeds<8, 4, 16>(128, 1), speeds<8, 4, 16>(256, 1);
    speeds<16, 4, 8>(256, 1), speeds<16, 4, 8>(256, 2), speeds<16, 4, 16>(128, 1), speeds<16, 4, 16>(256, 1);
    speeds<16, 8, 8>(256, 1), speeds<16, 8, 8>(256, 2), speeds<16, 8, 16>(128, 1), speeds<16, 8, 16>(256, 1);
    speeds<16, 16, 8>(256, 1), speeds<16, 16, 8>(256, 2), speeds<16, 16, 16>(128, 1), speeds<16, 16, 16>(256, 1);
    return cudaDeviceSynchronize() != cudaSuccess;
}
