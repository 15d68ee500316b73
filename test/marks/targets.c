// targets.c -- loops that the host's compiler makes for devices of its own: no call may stand there.
void called(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
void mixed(int n, float *a) {
#pragma omp target map(tofrom: a[0:n])
    {
        a[0] = 2;
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            a[i] = a[0];
        called(n, a);
    }
}
#pragma omp declare target
void declared(int n, float *a) {
#pragma omp simd
    for (int i = 0; i < n; i++)
        a[i] = 3;
}
#pragma omp end declare target
void whole(int n, float *a) {
#pragma omp target map(tofrom: a[0:n])
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = 4;
    }
}
#pragma acc routine seq
void routine(int n, float *a) {
#pragma acc loop
    for (int i = 0; i < n; i++)
        a[i] = 5;
}
// flags: -fopenmp -fopenacc
// device 1
// remark 4:5 which makes them for devices of its own (#pragma omp target)
// remark 12:9 which makes them for devices of its own (#pragma omp target)
// remark 20:5 which makes them for devices of its own (#pragma omp declare target)
// remark 35:5 which makes them for devices of its own (#pragma acc routine)
