// CHECK loops.c:prefix_before
#define N 256
#define OFF(i) ((i) >> 5)
__global__ void prescan(const int *in, int *out, int *sums, int n) {
    __shared__ int temp[N + OFF(N)];
    int t = threadIdx.x, base = blockIdx.x * N;
    int ai = t, bi = t + N / 2;
    temp[ai + OFF(ai)] = base + ai < n ? in[base + ai] : 0;
    temp[bi + OFF(bi)] = base + bi < n ? in[base + bi] : 0;
    int offset = 1;
    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            a += OFF(a); b += OFF(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) { sums[blockIdx.x] = temp[N - 1 + OFF(N - 1)]; temp[N - 1 + OFF(N - 1)] = 0; }
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            a += OFF(a); b += OFF(b);
            int k = temp[a];
            temp[a] = temp[b];
            temp[b] += k;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[ai + OFF(ai)];
    if (base + bi < n) out[base + bi] = temp[bi + OFF(bi)];
}
__global__ void scan_sums(int *sums, int nb) {
    int s = 0;
    for (int b = 0; b < nb; b++) { int v = sums[b]; sums[b] = s; s += v; }
}
__global__ void add(int *out, const int *sums, int n) {
    int i = blockIdx.x * N + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}
void scan(int n, const int *in, int *out) {
    int nb = (n + N - 1) / N;
    int *sums;
    cudaMalloc(&sums, nb * sizeof(int));
    prescan<<<nb, N / 2>>>(in, out, sums, n);
    scan_sums<<<1, 1>>>(sums, nb);
    add<<<nb, N>>>(out, sums, n);
    cudaFree(sums);
}
