// recurrences.c -- what goes on with the element before: taken where its order is free, else told what would
// free it.
static float x[100], y[100];
static int p[100];

void in_order(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
}
void so_far(int n) {
    float s = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}
void whole(int n) {
#pragma sculpt
    for (int i = n - 2; i >= 0; i--) p[i] += p[i + 1];
}
void no_sum(int n) { // in OpenMP each iteration begins with no sum
    int s = 0;
#pragma omp simd reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s = p[i];
#pragma omp scan inclusive(s)
        p[i] = s;
    }
}
void no_product(int n) { // the clause's operator is another
    int s = 1;
#pragma omp simd reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s *= p[i];
#pragma omp scan inclusive(s)
        p[i] = s;
    }
}
void downward(int n) { // told in the source's names
#pragma sculpt
    for (int i = n - 2; i >= 0; i--) x[i] = y[i] - x[i] / x[i + 1];
}
void halo(float *f, int wide, int depth, int n) { // not disproved: it is true of halos that are two deep
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int j = 0; j < depth; j++) {
            f[1 - j + k * (wide + 4)] = f[2 + j + k * (wide + 4)];
            f[wide + 2 + j + k * (wide + 4)] = f[wide + 1 - j + k * (wide + 4)];
        }
}
void searching(int i) {
#pragma sculpt
    while (p[i] < 50) i++;
}
static int held[500];
int compacted(int n, int *a) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > 0) a[k++] = a[i];
    return k;
}
int compacted_here(int n) {
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (held[i] > 0) held[k++] = held[i];
    return k;
}
int unlike(int n) { // what was filled is found again
    int k = 0;
#pragma sculpt
    for (int i = 1; i < n; i++)
        if (held[i] != held[k]) held[++k] = held[i];
    return k;
}
void restarted(int n, const float *a, float *y) { // what is permitted already is not asked for
    float s = 0;
#pragma sculpt reassociate
    for (int i = 0; i < n; i++) {
        if (s > 9) s = 0;
        s += a[i];
        y[i] = s;
    }
}
void smoothed(int n, const float *a, float *y) { // told as the recurrence that it is
#pragma sculpt
    for (int i = 1; i < n; i++) y[i] = 0.1f * a[i] + 0.9f * y[i - 1];
}
// warnings 1
// warning 53:1 #pragma sculpt marks a loop that is not seen to count a variable to a bound
// remark 42:5 loop i carries a dependence on x, from x[i] at line 42 to x[i + 1] at line 42
// remarks 11
// remark 61:23 'a' is read in the loop that fills it, one element after the other by 'k'
// remark 67:5 loop i reads held, of which it fills one element after the other
// remark 74:5 from held[i] at line 75 to held[k] at line 75
// remark 8:5 each iteration of loop i uses y as all before it have left it (a prefix sum or product)
// remark 13:5 --permit reassociate, to free it
// remark 27:1 #pragma omp scan is left to the host
// remark 36:1 #pragma omp scan is left to the host
// remark 89:5 loop i goes on with y as the iteration before has left it (a linear recurrence)
// remark 81:5 each iteration of loop i needs s as the one before left it
