// What of complex numbers stays on the host, each with a remark that names it.
// device 2
// remarks 5
// remark 12:41 no device has the type 'long double'
// remark 14:41 no device has the type '_Complex int'
// remark 16:40 'ctan' of complex numbers is not taken
// remark 18:33 is volatile or atomic
// remark 23:5 is not seen to be the reduction that its mark names
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
void taken(int n, double complex *z, float complex *f) {
#pragma sculpt
    for (int i = 0; i < n; i++) z[i] *= 2i;
#pragma sculpt
    for (int i = 0; i < n; i++) f[i] = f[i] / (1 + I) + conjf(f[i]);
}
