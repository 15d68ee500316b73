// CHECK loops.c:graph_sum --bind row=off --grid "(n + 127) / 128" --block 128
__global__ void agg(int n, const int *row, const int *nbr, const float *w, float *out) {
    int v = blockIdx.x * 128 + threadIdx.x;
    if (v < n) {
        float acc = 0;
        int e = row[v];
        const int stop = row[v + 1];
        while (e < stop) {
            acc += w[nbr[e]];
            e++;
        }
        out[v] = acc;
    }
}
