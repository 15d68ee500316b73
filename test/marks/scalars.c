// scalars.c -- values that would have to leave the loop, sizes that can't be told.
int kept(int n, int *a) {
    int last = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = i;
        last = i * 2;
    }
#pragma endscop
    return last;
}
int declared_inside(int n, int *a) {
#pragma scop
    int t = n;
    for (int i = 0; i < n; i++)
        a[i] = t;
#pragma endscop
    return t;
}
void remembers(int n, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        static int seen = 0;
        a[i] = ++seen;
    }
}
void sized_by_data(int n, const int *m, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int t[m[i] + 1];
        for (int j = 0; j <= m[i]; j++)
            t[j] = j;
        a[i] = t[m[i]];
    }
}

// remark 14:9 't' is declared inside the marked region and used behind it
// remark 23:20 'seen' keeps its value between iterations
// remark 30:13 the size of the local array 't' changes in the loops
