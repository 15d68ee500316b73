// What of complex numbers stays on the host, each with a remark that names it.
// device 4
// remarks 7
// remark 14:41 no device has the type 'long double'
// remark 16:41 no device has the type '_Complex int'
// remark 18:40 'ctan' of complex numbers is not taken
// remark 20:33 is volatile or atomic
// remark 25:5 products of complex numbers, as p in loop i, are computed in their order
// remark 35:5 carries a dependence on s->z, from s[i].z at line 35 to s[i - 1].z at line 35
// remark 48:9 how far 'out' reaches depends on 'r', which is computed in the region
#include <complex.h>
void other(int n, long double complex *l, _Complex int *c, double complex *z, volatile double complex *v) {
#pragma sculpt
    for (int i = 0; i < n; i++) l[i] *= 2;
#pragma sculpt
    for (int i = 0; i < n; i++) c[i] += 2;
#pragma sculpt
    for (int i = 0; i < n; i++) z[i] = ctan(z[i]);
#pragma sculpt
    for (int i = 0; i < n; i++) v[i] = z[i];
}
double complex product(int n, const double complex *z) {
    double complex p = 1;
#pragma omp parallel for reduction(* : p)
    for (int i = 0; i < n; i++) p *= z[i];
    return p;
}
void bins(int n, int b, double complex *h, const double complex *z) {
#pragma omp parallel for reduction(+ : h[:b])
    for (int i = 0; i < n; i++) h[(int)(cabs(z[i]) * 7) % b] += z[i];
}
typedef struct { double complex z; int k; } Step;
void powers(int n, const double complex *z, Step *s) {
#pragma sculpt
    for (int i = 1; i < n; i++) s[i].z = s[i - 1].z * z[i];
}
void taken(int n, double complex *z, float complex *f) {
#pragma sculpt
    for (int i = 0; i < n; i++) z[i] *= 2i;
#pragma sculpt
    for (int i = 0; i < n; i++) f[i] = f[i] / (1 + I) + conjf(f[i]);
}
void turned(int lg, const double complex *in, double complex *out) {
#pragma omp parallel for
    for (int i = 0; i < 1 << lg; i++) {
        unsigned r = 0;
        for (int b = 0; b < lg; b++) r |= ((i >> b) & 1u) << (lg - 1 - b);
        out[r] = in[i];
    }
}
