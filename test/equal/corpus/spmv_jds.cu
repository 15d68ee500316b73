// CHECK loops.c:spmv_jds --bind d_data=data,d_index=index,d_perm=perm,x_vec=x,dst_vector=dst,jds_ptr_int=start,sh_zcnt_int=nzcnt --grid "(dim + 255) / 256" --block 256
__global__ void spmv_jds_naive(float *dst_vector, const float *d_data, const int *d_index, const int *d_perm, const float *x_vec, const int dim, const int *jds_ptr_int, const int *sh_zcnt_int) {
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int warp_id = ix >> 5;
    if (ix < dim) {
        float sum = 0.0f;
        int bound = sh_zcnt_int[warp_id];
        for (int k = 0; k < bound; k++) {
            int j = jds_ptr_int[k] + ix;
            int in = d_index[j];
            float d = d_data[j];
            float t = x_vec[in];
            sum += d * t;
        }
        dst_vector[d_perm[ix]] = sum;
    }
}
