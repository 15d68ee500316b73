// threads.c -- variables that each thread has for itself: their values pass from iteration to
// iteration of a thread, which is no contradiction to the mark.
static _Thread_local float kept;
void own(int n, float *a, float *b) {
    float x, s = 0;
    int i;
#pragma omp parallel private(x, i) firstprivate(s)
    {
#pragma omp for
        for (i = 0; i < n; i++) {
            x = a[i];
            b[i] = x * x;
        }
#pragma omp for
        for (i = 0; i < n; i++) {
            s = s * 0.5f + a[i];
            b[i] = s;
        }
    }
#pragma omp parallel for
    for (i = 0; i < n; i++) {
        kept = kept * 0.5f + a[i];
        b[i] = kept;
    }
}
void shared(int n, float *a, float *b) {
    float s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        s = s * 0.5f + a[i];
        b[i] = s;
    }
}
static int brought(void) { return kept > 0 ? 1 : 2; }
void along(int n, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = brought();
#pragma omp parallel for copyin(kept)
    for (int i = 0; i < n; i++)
        a[i] += kept > 0;
}
// flags: -fopenmp
// device 2
// remark 15:9 stays on the host: loop i goes on with s as the iteration before has left it
// remark 20:1 each thread has a 'kept' of its own, whose value it brings along
// remark 36:1 each thread has a 'kept' of its own, whose value it brings along
// warning 28:1 the mark says parallel, but iterations of loop i set the same s at line 30
// warnings 1
