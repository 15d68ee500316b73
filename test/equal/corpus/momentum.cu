// CHECK loops.c:sgd_momentum --grid "(n + 255) / 256" --block 256
__global__ void sgd_step(float *w, float *v, const float *g, float lr, float mu, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float vel = mu * v[i] + g[i];
        v[i] = vel;
        w[i] = w[i] - lr * vel;
    }
}
