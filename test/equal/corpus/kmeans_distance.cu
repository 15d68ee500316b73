// CHECK loops.c:kmeans_dist --bind npoints=n,nclusters=k,nfeatures=d --grid "(n + 127) / 128" --block 128 --bind "features=p,clusters=c"
__global__ void kmeansPoint(const float *features, int nfeatures, int npoints, int nclusters, const float *clusters, float *out) {
    const unsigned int point_id = blockIdx.x * blockDim.x + threadIdx.x;
    if (point_id < npoints) {
        for (int i = 0; i < nclusters; i++) {
            int cluster_base_index = i * nfeatures;
            float ans = 0.0f;
            for (int j = 0; j < nfeatures; j++) {
                int addr = point_id + j * npoints;
                float diff = features[addr] - clusters[cluster_base_index + j];
                ans += diff * diff;
            }
            out[point_id * nclusters + i] = ans;
        }
    }
}
