// CHECK loops.c:scale --where "n % 128 == 0" --grid "n / 128" --block 32
// FAULTS 6
__device__ void copy16(float *to, const float *from) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
#ifdef FAULT_1
    asm volatile("cp.async.cg.shared.global [%0], [%1], 8;\n" ::"r"(at), "l"(from));
#else
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n"
                 ::"r"(at), "l"(from), "n"(16) : "memory");
#endif
}

__global__ void scale_async(const float *x, float *y, float a) {
    __shared__ float buf[128];
    int t = threadIdx.x;
    copy16(buf + 4 * t, x + blockIdx.x * 128 + t * 4);
#ifndef FAULT_2
    asm volatile("cp.async.commit_group;\n");
#endif
#if defined FAULT_3
    asm volatile("cp.async.wait_group 1;\n");
#elif !defined FAULT_4
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
#endif
#ifndef FAULT_5
    __syncthreads();
#endif
#ifdef FAULT_6
    for (int i = t + 1; i < 128; i += 32) y[blockIdx.x * 128 + i] = a * buf[i];
#else
    for (int i = t; i < 128; i += 32) y[blockIdx.x * 128 + i] = a * buf[i];
#endif
}
