// CHECK loops.c:black_scholes --grid 60 --block 128 --bind d_Call=call,d_S=s,d_X=x,d_T=t,R=r,V=v,optN=n
__device__ float d_one(float S, float X, float T, float R, float V) {
    return (logf(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtf(T));
}
__global__ void BlackScholesGPU(float *d_Call, const float *d_S, const float *d_X, const float *d_T, float R, float V, int optN) {
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    const int THREAD_N = blockDim.x * gridDim.x;
    for (int opt = tid; opt < optN; opt += THREAD_N) {
        float S = d_S[opt], X = d_X[opt], T = d_T[opt];
        float d1 = d_one(S, X, T, R, V);
        float d2 = d1 - V * sqrtf(T);
        d_Call[opt] = S * (0.5f * (1.0f + erff(d1 * 0.70710678f))) - X * expf(-R * T) * (0.5f * (1.0f + erff(d2 * 0.70710678f)));
    }
}
