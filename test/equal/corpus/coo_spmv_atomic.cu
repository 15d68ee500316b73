// CHECK loops.c:coo_spmv --permit reassociate --grid "(nnz + 255) / 256" --block 256
__global__ void coo(int nnz, const int *row, const int *col, const float *val, const float *x, float *y) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < nnz) atomicAdd(&y[row[k]], val[k] * x[col[k]]);
}
