// last.c -- last values and atomic writes: no race, and no reason to doubt the rest of the loop.
typedef struct {
    double x, y;
} Point;
int scattered(int n, int *a, const int *at) { // the mark vouches for a
    int x = 0;
#pragma omp parallel for lastprivate(x)
    for (int i = 0; i < n; i++) {
        x = i * 3;
        a[at[i]] = x;
    }
    return x;
}
int sometimes(int n, int *a, const int *at) {
    int x = 0;
#pragma omp parallel for lastprivate(x)
    for (int i = 0; i < n; i++) {
        a[at[i]] = i;
        if (at[i] > 7) x = a[at[i]];
    }
    return x;
}
double of_structs(int n, const double *a) {
    Point p = {0, 0};
#pragma omp parallel for lastprivate(p)
    for (int i = 0; i < n; i++) {
        if (a[i] > 1) p.x = a[i] + p.y;
        if (a[i] > 2) p.y = a[i];
    }
    return p.x + p.y;
}
double of_arrays(int n, const double *a) {
    double t[4] = {0, 0, 0, 0};
#pragma omp parallel for lastprivate(t)
    for (int i = 0; i < n; i++)
        if (a[i] > 1) t[i % 4] = a[i];
    return t[0] + t[3];
}
void flag(int n, const int *a, int *found) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i] == 7) {
#pragma omp atomic write
            *found = 1;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic write
        found[1] = 2;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) found[2] = i;
}
// flags: -fopenmp
// device 2
// warnings 1
// remark 17:5 stays on the host: each iteration of loop i needs x as
// remark 26:5 stays on the host: loop i goes on with p.x as the iteration before has left it
// remark 35:5 stays on the host: loop i carries a dependence on t
// remark 47:5 stays on the host: loop i carries a dependence on found
// warning 51:1 the mark says parallel, but iterations of loop i set the same found[2]
