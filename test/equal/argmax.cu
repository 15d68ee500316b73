// CHECK loops.c:argmax --where "m >= 1" --grid n --block 128
// FAULTS 14
// SAYS 3 the kernel leaves another value than the loops
// The place of a row's greatest value, of equal ones the first, beside the value itself.
__device__ void better(float &v, int &i, float w, int j) {
#if defined FAULT_1
    if (w > v) { v = w; i = j; } // any of equal ones
#elif defined FAULT_2
    if (w > v || (w == v && j > i)) { v = w; i = j; } // the last
#elif defined FAULT_3
    if (w >= v) { v = w; i = j; }
#elif defined FAULT_4
    if (w > v || j < i) { v = w; i = j; }
#elif defined FAULT_5
    if (w > v) v = w;
    if (w > v || (w == v && j < i)) i = j; // v is another by now
#else
    if (w > v || (w == v && j < i)) { v = w; i = j; }
#endif
}

__global__ void argmax(const float *x, float *value, int *place, int n, int m) {
    __shared__ float values[4];
    __shared__ int places[4];
    const float *row = x + blockIdx.x * m;
    int t = threadIdx.x;
    float v = -INFINITY;
    int i = 0;
#ifdef FAULT_6
    v = 0;
#endif
    for (int j = t; j < m; j += 128)
#ifdef FAULT_7
        if (row[j] >= v) { v = row[j]; i = j; } // a thread keeps the last
#else
        if (row[j] > v) { v = row[j]; i = j; }
#endif
    for (int o = 16; o > 0; o /= 2) {
        float w = __shfl_down_sync(0xffffffff, v, o);
#ifdef FAULT_8
        int j = __shfl_down_sync(0xffffffff, i, o / 2); // another lane's place
#else
        int j = __shfl_down_sync(0xffffffff, i, o);
#endif
        better(v, i, w, j);
    }
    if (t % 32 == 0) {
        values[t / 32] = v;
#ifdef FAULT_9
        places[t / 32] = t; // its own place
#else
        places[t / 32] = i;
#endif
    }
#ifndef FAULT_10
    __syncthreads();
#endif
    if (t == 0) {
#if defined FAULT_11
        for (int w = 1; w < 3; w++) better(v, i, values[w], places[w]);
#elif defined FAULT_14
        for (int w = 1; w < 4; w++) // the last of them
            if (values[w] > v || (values[w] == v && places[w] > i)) { v = values[w]; i = places[w]; }
#elif defined FAULT_12
        for (int w = 3; w > 0; w--)
            if (values[w] > v) { v = values[w]; i = places[w]; } // lanes' rows are not one behind the other
#else
        for (int w = 1; w < 4; w++) better(v, i, values[w], places[w]);
#endif
#ifdef FAULT_13
        value[blockIdx.x] = (int)v;
#else
        value[blockIdx.x] = v;
#endif
        place[blockIdx.x] = i;
    }
}
