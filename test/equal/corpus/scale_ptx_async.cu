// CHECK loops.c:vec_scale --where "n % 128 == 0" --grid "n / 128" --block 32
__global__ void scale_async(const float *__restrict__ x, float *__restrict__ y, float a) {
    __shared__ float buf[128];
    int t = threadIdx.x;
    unsigned dst = static_cast<unsigned>(__cvta_generic_to_shared(&buf[t * 4]));
    const float *src = x + blockIdx.x * 128 + t * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group 0;\n" ::);
    __syncthreads();
    for (int i = t; i < 128; i += 32) y[blockIdx.x * 128 + i] = a * buf[i];
}
