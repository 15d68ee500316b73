// CHECK loops.c:pgain_cost --bind coord_d=coord --grid "(num + 511) / 512" --block 512 --where "x >= 0 && x < num"
__device__ float d_dist(int p1, int p2, int num, int dim, float *coord_d) {
    float retval = 0.0;
    for (int i = 0; i < dim; i++) {
        float tmp = coord_d[(i * num) + p1] - coord_d[(i * num) + p2];
        retval += tmp * tmp;
    }
    return retval;
}
__global__ void kernel_compute_cost(int num, int dim, int x, float *weight, float *cost, float *coord_d, float *gain) {
    const int bid = blockIdx.x + gridDim.x * blockIdx.y;
    const int tid = blockDim.x * bid + threadIdx.x;
    if (tid < num) {
        float x_cost = d_dist(tid, x, num, dim, coord_d) * weight[tid];
        float current = cost[tid];
        if (x_cost < current) gain[tid] = x_cost - current;
        else gain[tid] = 0.0f;
    }
}
