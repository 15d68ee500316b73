// CHECK loops.c:halves
// FAULTS 6
// UNREAD_FAULTS 5 6
// SAYS 5 a pointer of the host's code is not understood
// SAYS 6 an argument of a launch is not understood
// Launches that are given arrays from some element on: the second half is another launch's.
__global__ void part(int n, const float *x, float *y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}
void halves(int n, const float *x, float *y) {
    int h = n / 2;
#ifdef FAULT_1
    part<<<(h + 127) / 128, 128>>>(h, x, y + 1);
#else
    part<<<(h + 127) / 128, 128>>>(h, x, y);
#endif
#ifdef FAULT_2
    const float *tail = x + n - h;
#elif defined FAULT_5
    const float *tail = &n + h;
#else
    const float *tail = x + h;
#endif
#ifdef FAULT_3
    part<<<(n - h + 127) / 128, 128>>>(n, tail, &y[h]);
#elif defined FAULT_4
    part<<<(n - h + 127) / 128, 128>>>(n - h, tail, y - h);
#elif defined FAULT_6
    part<<<(n - h + 127) / 128, 128>>>(n - h, tail, (float *)y + h);
#else
    part<<<(n - h + 127) / 128, 128>>>(n - h, tail, &y[h]);
#endif
}
