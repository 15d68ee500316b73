// CHECK loops.c:aos_to_soa --grid "(n + 127) / 128" --block 128
struct Point { float x, y, z; };
__global__ void split(const float *p, float *x, float *y, float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = p[3 * i];
        y[i] = p[3 * i + 1];
        z[i] = p[3 * i + 2];
    }
}
