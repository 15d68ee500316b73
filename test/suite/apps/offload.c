// device 24
// offload.c -- directives that name devices, data scopes, atomic updates, combined constructs.
#include "../suite.h"

static double dot(int n, const double *x, const double *y) {
    double s = 0;
#pragma omp target teams distribute parallel for map(to : x[0 : n], y[0 : n]) map(tofrom : s) reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
static void axpy(int n, double a, const double *restrict x, double *restrict y) {
#pragma omp target teams distribute parallel for simd map(to : x[0 : n]) map(tofrom : y[0 : n])
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static void axpy_acc(int n, double a, const double *restrict x, double *restrict y) {
#pragma acc parallel loop gang vector vector_length(128) copyin(x[0 : n]) copy(y[0 : n])
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static void simd_only(int n, const float *x, float *y) {
#pragma omp parallel for simd aligned(x, y : 4) simdlen(8)
    for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i] + y[i];
}

// Jacobi with its error, the arrays staying on the device.
static int relax(int n, int m, double *A, double *New, double tol, int most) {
    double error = 1.0;
    int iter = 0;
#pragma acc data copy(A[0 : n * m]) create(New[0 : n * m])
    {
        while (error > tol && iter < most) {
            error = 0.0;
#pragma acc parallel loop collapse(2) reduction(max : error)
            for (int j = 1; j < n - 1; j++)
                for (int i = 1; i < m - 1; i++) {
                    New[j * m + i] = 0.25 * (A[j * m + i + 1] + A[j * m + i - 1] + A[(j - 1) * m + i] +
                                             A[(j + 1) * m + i]);
                    error = fmax(error, fabs(New[j * m + i] - A[j * m + i]));
                }
#pragma acc parallel loop collapse(2)
            for (int j = 1; j < n - 1; j++)
                for (int i = 1; i < m - 1; i++) A[j * m + i] = New[j * m + i];
            iter++;
        }
    }
    return iter;
}
static void target_data(int n, double *u, double *v, int rounds) {
#pragma omp target data map(tofrom : u[0 : n]) map(alloc : v[0 : n])
    {
        for (int t = 0; t < rounds; t++) {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) v[i] = i == 0 || i == n - 1 ? u[i] : 0.5 * (u[i - 1] + u[i + 1]);
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) u[i] = v[i];
        }
    }
}
static double enter_exit(int n, double *w) {
    double s = 0;
#pragma omp target enter data map(to : w[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) w[i] = w[i] * 2.0 + 1.0;
#pragma omp target update from(w[0 : n])
    for (int i = 0; i < n; i++) s += w[i]; // on the host
    for (int i = 0; i < n; i++) w[i] = s;
#pragma omp target update to(w[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) w[i] += i;
#pragma omp target exit data map(from : w[0 : n])
    return s;
}
static double updates(int n, double *restrict w) {
    double first;
#pragma acc enter data copyin(w[0 : n])
#pragma acc parallel loop present(w[0 : n])
    for (int i = 0; i < n; i++) w[i] += 3.0;
#pragma acc update self(w[0 : 1])
    first = w[0];
    w[0] = -1.0;
#pragma acc update device(w[0 : 1])
#pragma acc parallel loop present(w[0 : n])
    for (int i = 0; i < n; i++) w[i] *= 2.0;
#pragma acc exit data copyout(w[0 : n])
    return first;
}
static void kernels_block(int n, float *restrict a, float *restrict b) {
#pragma acc kernels copyin(a[0 : n]) copyout(b[0 : n])
    {
        for (int i = 0; i < n; i++) b[i] = a[i] * a[i];
        for (int i = 1; i < n; i++) b[i - 1] += 1.0f;
    }
}
static void parallel_block(int n, float *restrict a, float *restrict b) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) b[i] = a[i] + 1.0f;
#pragma omp for nowait
        for (int i = 0; i < n; i++) a[i] = b[i] * 0.5f;
    }
}
static void gangs_and_vectors(int n, int m, const float *a, float *b) {
#pragma acc parallel loop gang num_gangs(16)
    for (int i = 0; i < n; i++) {
        float s = 0;
#pragma acc loop vector reduction(+ : s)
        for (int j = 0; j < m; j++) s += a[i * m + j];
        b[i] = s;
    }
}
static void histogram(int n, const int *key, int *bin, int nbins) {
#pragma omp parallel for
    for (int i = 0; i < nbins; i++) bin[i] = 0;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        bin[key[i] % nbins]++;
    }
}
static void atomic_sums(int n, const int *key, const double *w, double *sum) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sum[key[i] % 8] += w[i];
    }
}
static void only_sometimes(int n, float *a, int how) {
#pragma omp parallel for if (how > 1) schedule(guided, 4) num_threads(4)
    for (int i = 0; i < n; i++) a[i] += (float)how;
}
static float last_of(int n, const float *a, float *b) {
    float t = 0;
    int i;
#pragma omp parallel for lastprivate(t, i)
    for (i = 0; i < n; i++) {
        t = a[i] * 3.0f;
        b[i] = t;
    }
    return t + (float)i;
}
static void shifted(int n, float *a) {
    float base = a[0];
    int shift = 3;
#pragma omp parallel for firstprivate(base, shift)
    for (int i = 0; i < n; i++) a[i] = a[i] * base + (float)shift;
}
#if defined(_OPENMP) && _OPENMP > 200000
#define HAVE_OMP 1
#endif
static void pragma_apart(int n, float *a) { // an #if between the mark and its loop
#pragma omp parallel for
#if HAVE_OMP
    for (int i = 0; i < n; i++)
#else
    for (int i = 0; i < n; i += 1)
#endif
        a[i] *= 0.5f;
}

int main(void) {
    enum { N = 1000, R = 24, C = 31 };
    static double x[N], y[N], v[N], A[R * C], New[R * C];
    static float a[N], b[N];
    static int key[N], bin[16];
    double sum[8] = {0};
    fill_doubles(x, N), fill_doubles(y, N), fill_doubles(A, R * C), fill_floats(a, N), fill_floats(b, N),
        fill_ints(key, N, 5000);
    axpy(N, 0.5, x, y), axpy_acc(N, -0.25, x, y);
    printf("dot %.7e\n", dot(N, x, y));
    printf("none %.7e\n", dot(0, x, y));
    simd_only(N, a, b);
    show_floats("simd", b, N);
    printf("relax %d\n", relax(R, C, A, New, 1e-9, 7));
    show_doubles("A", A, R * C);
    target_data(N, x, v, 5); // v lives on the device alone: it is not looked at
    show_doubles("u", x, N);
    printf("sum %.7e\n", enter_exit(N, x));
    show_doubles("w", x, N);
    printf("first %.7e\n", updates(N, y));
    show_doubles("w", y, N);
    kernels_block(N, a, b);
    show_floats("kernels", b, N);
    parallel_block(N, a, b);
    show_floats("parallel", a, N);
    gangs_and_vectors(20, 50, a, b);
    show_floats("gangs", b, 20);
    histogram(N, key, bin, 16);
    show_ints("bins", bin, 16);
    atomic_sums(N, key, y, sum);
    printf("atomic %.6e %.6e\n", sum[0], sum[7]);
    only_sometimes(N, a, 1), only_sometimes(N, a, 2);
    printf("last %.5e\n", (double)last_of(N, a, b));
    shifted(N, a), pragma_apart(N, a);
    show_floats("a", a, N), show_floats("b", b, N);
    suite_use();
    return 0;
}
