// CHECK loops.c:gesummv_f --grid "(n + 255) / 256" --block 256
typedef float DATA_TYPE;
__kernel void gesummv_kernel(__global DATA_TYPE *a, __global DATA_TYPE *b, __global DATA_TYPE *x, __global DATA_TYPE *y, __global DATA_TYPE *tmp, DATA_TYPE alpha, DATA_TYPE beta, int n) {
    int i = get_global_id(0);
    if (i < n) {
        DATA_TYPE t = 0, s = 0;
        for (int j = 0; j < n; j++) {
            t = fma(a[i * n + j], x[j], t);
            s = fma(b[i * n + j], x[j], s);
        }
        y[i] = alpha * t + beta * s;
    }
}
