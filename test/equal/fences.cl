// CHECK loops.c:reverse_blocks --grid n --block 128
// FAULTS 3
// OPEN_FAULTS 1 2
// UNREAD_FAULTS 3
// SAYS 1 threads may meet on s with no barrier between that orders this memory
// A barrier orders the memory that its flags say; a group has the size that the kernel's head says.
#if defined FAULT_1
#define FENCE CLK_GLOBAL_MEM_FENCE
#elif defined FAULT_2
#define FENCE 0
#else
#define FENCE CLK_LOCAL_MEM_FENCE
#endif
#ifdef FAULT_3
#define SIZE 64
#else
#define SIZE 128
#endif
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void fences(const int n, __global const float *x,
                                                                       __global float *y) {
    __local float s[128];
    const int t = get_local_id(0), b = get_group_id(0) * 128;
    s[t] = x[b + t];
    barrier(FENCE);
    y[b + t] = s[127 - t];
}
