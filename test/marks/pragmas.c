// pragmas.c -- clauses: hints, unknown ones, malformed ones, directives left to the host.
void hints(int n, float *a) {
#pragma omp parallel for schedule(static, 8) num_threads(4)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
void unknown_clause(int n, float *a) {
#pragma acc parallel loop frobnicate(3)
    for (int i = 0; i < n; i++)
        a[i] = 2;
}
void odd_reduction(int n, float *a) {
    float s = 0;
#pragma acc parallel loop reduction(/: s)
    for (int i = 0; i < n; i++)
        s += a[i];
    a[0] = s;
}
void critical(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        a[0] += a[i];
    }
}
void capture(int n, int *a, int *count) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at;
#pragma omp atomic capture
        at = (*count)++;
        a[at] = i;
    }
}
void serial_word(int n, int m, float *a) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc loop seq
        for (int j = 0; j < m; j++)
            a[i * m + j] = i + j;
}
void unshared(int n, float *a) {
#pragma omp parallel
    {
        for (int i = 0; i < n; i++)
            a[i] = 4;
    }
}
enum { TWO = 2 };
void others(int n, float *a) {
#pragma omp parallel for collapse(TWO)
    for (int i = 0; i < n; i++)
        a[i] = 5;
#pragma omp taskloop
    for (int i = 0; i < n; i++)
        a[i] = 6;
}
#pragma sculpt
void behind(int n, float *a) {
    for (int i = 0; i < n; i++)
        a[i] = 7;
}
float collapsed(int n, float (*a)[n]) {
    float last = 0;
#pragma omp parallel for collapse(2) lastprivate(last)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = last = 2.0f * i + j;
    return last;
}
void modified(int n, float *a) {
#pragma omp target teams distribute parallel for map(iterator(k = 0:n), tofrom: a[k])
    for (int i = 0; i < n; i++)
        a[i] = 8;
#pragma omp target teams distribute parallel for map(mapper(mine), close, always, to: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 9;
#pragma omp target update from(present, mapper(default): a[0:n])
}
// flags: -fopenmp
// device 7
// warnings 5

// remark 3:1 clauses schedule, num_threads: a hint only
// warning 8:1 unknown clause frobnicate
// remark 14:1 reduction(/: s): an operator of
// remark 21:5 stays on the host: loop i carries a dependence on a, from a[0]
// remark 32:9 how far 'a' reaches depends on 'at', which is computed
// warning 72:1 modifier iterator of
// warning 75:1 modifier mapper of
// remark 43:1 no loop in this #pragma omp parallel is dealt to its threads
// warning 51:1 collapse(TWO): a number is expected
// remark 54:1 #pragma omp taskloop is left to the host
// warning 58:1 #pragma sculpt must stand before a for loop
