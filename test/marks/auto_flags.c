// flags: --auto
#include <fenv.h>
int divides(int n, double *restrict a, const double *restrict b) {
    feclearexcept(FE_DIVBYZERO);
    for (int i = 0; i < n; i++) a[i] = 1 / b[i];
    return fetestexcept(FE_DIVBYZERO);
}
void counts(int n, int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) a[i] = b[i] / 3;
}
// remark 5:5 the file asks for fetestexcept, which floating-point arithmetic may set and no device does
// device 1
