// CHECK loops.c:attention_p --permit reassociate --grid n --block 128 --where "n >= 1 && d >= 1"
#include <float.h>
__global__ void attention_row(const float *Q, const float *K, const float *V, float *P, float *O, int n, int d) {
    __shared__ float red[128];
    int row = blockIdx.x, t = threadIdx.x;
    float mx = -INFINITY;
    for (int j = t; j < n; j += blockDim.x) {
        float s = 0.0f;
        for (int k = 0; k < d; k++) s += Q[row * d + k] * K[j * d + k];
        P[row * n + j] = s;
        mx = fmaxf(mx, s);
    }
    red[t] = mx;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) red[t] = fmaxf(red[t], red[t + s]);
        __syncthreads();
    }
    mx = red[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j < n; j += blockDim.x) {
        float e = expf(P[row * n + j] - mx);
        P[row * n + j] = e;
        sum += e;
    }
    red[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) red[t] += red[t + s];
        __syncthreads();
    }
    sum = red[0];
    __syncthreads();
    for (int c = t; c < d; c += blockDim.x) {
        float o = 0.0f;
        for (int j = 0; j < n; j++) o += P[row * n + j] * V[j * d + c];
        O[row * d + c] = o / sum;
    }
}
