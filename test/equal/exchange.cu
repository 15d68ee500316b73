// CHECK loops.c:accumulate --grid "(n + 127) / 128" --block 128 --permit reassociate
// FAULTS 5
// OPEN_FAULTS 3
// An exchange is no update; an update among the threads of a block is none among blocks.
__global__ void exchange(int n, const float *x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined FAULT_1
    if (i < n) atomicExch(&out[0], out[0] + x[i]);
#elif defined FAULT_2
    float s = out[0] + x[i < n ? i : 0];
    if (i < n) atomicExch(&out[0], s);
#elif defined FAULT_3
    if (i < n) atomicAdd_block(&out[0], x[i]);
#elif defined FAULT_4
    if (i < n) atomicExch(&out[0], x[i]);
#elif defined FAULT_5
    if (i < n - 1) atomicAdd_system(&out[0], x[i]);
#else
    if (i < n) atomicAdd_system(&out[0], x[i]);
#endif
}
