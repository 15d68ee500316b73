// CHECK loops.c:kmeans_point --grid "(npoints + 255) / 256" --block 256
#define THREADS_PER_DIM 16
__global__ void kmeansPoint(float *feature, int nfeatures, int npoints, int nclusters, int *membership, float *clusters) {
    const unsigned int block_id = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned int point_id = block_id * blockDim.x * blockDim.y + threadIdx.x;
    int index = -1;
    if (point_id < npoints) {
        int i, j;
        float min_dist = 3.402823466e+38f;
        float dist;
        for (i = 0; i < nclusters; i++) {
            int cluster_base_index = i * nfeatures;
            float ans = 0.0;
            for (j = 0; j < nfeatures; j++) {
                int addr = point_id + j * npoints;
                float diff = feature[addr] - clusters[cluster_base_index + j];
                ans += diff * diff;
            }
            dist = ans;
            if (dist < min_dist) {
                min_dist = dist;
                index = i;
            }
        }
        membership[point_id] = index;
    }
}
