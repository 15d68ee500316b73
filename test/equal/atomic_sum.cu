// CHECK loops.c:accumulate --grid "(n + 255) / 256" --block 256 --permit reassociate
// FAULTS 5
__global__ void atomic_sum(int n, const float *x, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
#if defined FAULT_1
    if (i < n) out[0] += x[i];
#elif defined FAULT_2
    atomicAdd(out, x[i]);
#elif defined FAULT_3
    if (i < n) atomicAdd(out, i == 0 ? 0.0f : x[i]);
#elif defined FAULT_4
    if (i < n) atomicAdd(out + i / 256, x[i]);
#elif defined FAULT_5
    if (i < n) atomicAdd(out, fabsf(x[i]));
#else
    if (i < n) atomicAdd(out, x[i]);
#endif
}
