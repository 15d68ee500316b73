// CHECK loops.c:widths --grid "(n + 63) / 64" --block 64
// FAULTS 13
// OPEN_FAULTS 8
// SAYS 1 at n = 3, m = 2147483647
// SAYS 4 m = 2147483647
// SAYS 5 u = 4294967295
// SAYS 6 big = 2147483648
// SAYS 8 limit * 2, which the kernel computes at line 42, may be no number of its type, i32
// Values and conditions in types in which they may be too large: a type's own arithmetic wraps. To the low bits
// of an int it is no matter how wide they were computed.
__global__ void widths(int n, int m, unsigned u, long big, int limit, const float *x, long *p, long *q, float *r,
                       float *s, int *t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#ifdef FAULT_1
    p[i] = n * m + (long)i * n;
#elif defined FAULT_2
    p[i] = (long)n * m + i * n;
#elif defined FAULT_3
    int sum = 0;
    for (int k = 0; k < n; k++) sum += m;
    p[i] = sum + (long)i * n;
#else
    p[i] = (long)m * n + (long)n * i;
#endif
#ifdef FAULT_4
    q[i] = (m + 1) / 2 + ((long)u + 1) % 7 + big;
#elif defined FAULT_5
    q[i] = ((long)m + 1) / 2 + (u + 1) % 7 + big;
#elif defined FAULT_6
    q[i] = ((long)m + 1) / 2 + ((long)u + 1) % 7 + (int)big;
#else
    q[i] = ((long)m + 1) / 2 + ((long)u + 1) % 7 + big;
#endif
#ifdef FAULT_7
    r[i] = (float)(m << 3) + (float)(m - limit);
#else
    r[i] = (float)((long)m * 8) + (float)(m - limit);
#endif
#ifdef FAULT_8
    if ((long)i * n < limit) s[i] = x[i];
    if (i < limit * 2) s[i] += x[i];
#elif defined FAULT_9
    if (i * n < limit) s[i] = x[i];
    if (i < (long)limit * 2) s[i] += x[i];
#else
    if ((long)i * n < limit) s[i] = x[i];
    if (i < (long)limit * 2) s[i] += x[i];
#endif
#ifdef FAULT_10
    t[i] = ((unsigned)m < 5) + m % 3 + n * m;
#elif defined FAULT_11
    t[i] = (m < 5) + (unsigned)m % 3 + n * m;
#elif defined FAULT_12
    t[i] = (m < 5) + m % 3 + n * (short)m;
#elif defined FAULT_13
    t[i] = (m + 1 < 6) + m % 3 + n * m;
#else
    t[i] = (m < 5) + m % 3 + n * m;
#endif
}
