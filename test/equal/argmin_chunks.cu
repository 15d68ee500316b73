// CHECK loops.c:argmin --where "n >= 1"
// FAULTS 7
// The least of all and its place over two kernels. Blocks, and threads in them, have stretches one behind the
// other, so that a comparison which says nothing of equal values keeps the first place.
#define MOST 64
__global__ void part(int n, int each, const int *x, int *values, int *places) {
    __shared__ int v[64], p[64];
    int t = threadIdx.x, from = (blockIdx.x * 64 + t) * 4;
    int best = 2147483647, at = 0;
    for (int i = from; i < from + 4 && i < n; i++)
#ifdef FAULT_1
        if (x[i] <= best) { best = x[i]; at = i; }
#else
        if (x[i] < best) { best = x[i]; at = i; }
#endif
    v[t] = best;
    p[t] = at;
    __syncthreads();
#ifdef FAULT_2
    for (int o = 32; o > 0; o /= 2) { // those of the upper half are met before
        if (t < o && v[t + o] < v[t]) { v[t] = v[t + o]; p[t] = p[t + o]; }
#else
    for (int o = 1; o < 64; o *= 2) {
#ifdef FAULT_3
        if (t % (2 * o) == 0 && v[t + o] <= v[t]) { v[t] = v[t + o]; p[t] = p[t + o]; }
#else
        if (t % (2 * o) == 0 && v[t + o] < v[t]) { v[t] = v[t + o]; p[t] = p[t + o]; }
#endif
#endif
        __syncthreads();
    }
    if (t == 0) {
        values[blockIdx.x] = v[0];
#ifdef FAULT_4
        places[blockIdx.x] = p[0] - from;
#else
        places[blockIdx.x] = p[0];
#endif
    }
}

__global__ void whole(int parts, const int *values, const int *places, int *place) {
#ifdef FAULT_5
    int best = values[0], at = places[parts - 1];
#else
    int best = values[0], at = places[0];
#endif
#ifdef FAULT_6
    for (int b = 1; b < parts - 1; b++)
#else
    for (int b = 1; b < parts; b++)
#endif
#ifdef FAULT_7
        if (values[b] <= best) { best = values[b]; at = places[b]; }
#else
        if (values[b] < best) { best = values[b]; at = places[b]; }
#endif
    place[0] = at;
}

void argmin(int n, const int *x, int *place) {
    int parts = (n + 255) / 256;
    int *values, *places;
    cudaMalloc(&values, parts * sizeof(int));
    cudaMalloc(&places, parts * sizeof(int));
    part<<<parts, 64>>>(n, 4, x, values, places);
    whole<<<1, 1>>>(parts, values, places, place);
}
