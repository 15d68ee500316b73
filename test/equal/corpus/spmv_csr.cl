// CHECK loops.c:spmv_csr --grid "(n + 63) / 64" --block 64
__kernel void spmv(const int n, __global const int *row, __global const int *col, __global const float *val, __global const float *x, __global float *y) {
    int i = get_global_id(0);
    if (i < n) {
        float t = 0.0f;
        int e = row[i + 1];
        for (int k = row[i]; k < e; k++) t = mad(val[k], x[col[k]], t);
        y[i] = t;
    }
}
