// CHECK loops.c:gauss_fan1 --kernel Fan1 --bind Size=size,a_cuda=a,m_cuda=m --grid "(size + 511) / 512" --block 512 --where "t >= 0 && t < size"
__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t) {
    if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
    *(m_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
        *(a_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a_cuda + Size * t + t);
}
