// CHECK loops.c:conv1d_same --grid "(n + 255) / 256" --block 256 --bind N=x,M=w,P=y,Width=n
__global__ void convolution_1D_basic_kernel(float *N, float *M, float *P, int Width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= Width) return;
    float Pvalue = 0;
    int N_start_point = i - (5 / 2);
    for (int j = 0; j < 5; j++) {
        if (N_start_point + j >= 0 && N_start_point + j < Width) Pvalue += N[N_start_point + j] * M[j];
    }
    P[i] = Pvalue;
}
