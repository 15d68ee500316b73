// CHECK loops.c:saxpy --grid 40 --block 128
// FAULTS 5
__global__ void saxpy_stride(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
#if defined FAULT_1 // the stride forgets the blocks
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
#elif defined FAULT_2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * (gridDim.x + 1))
#elif defined FAULT_3
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n; i += blockDim.x * gridDim.x)
#elif defined FAULT_4 // one turn alone: fails from 5121 on
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 1 << 30)
#else
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
#endif
#ifdef FAULT_5
        y[i] = fmaf(a, y[i], x[i]);
#else
        y[i] = fmaf(a, x[i], y[i]);
#endif
}
