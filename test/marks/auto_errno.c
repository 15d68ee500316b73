// flags: --auto
// A loop that nobody marked may not leave out what the file asks for; a mark permits that.
#include <errno.h>
#include <math.h>
int unmarked(int n, double *restrict a, const double *restrict b) {
    errno = 0;
    for (int i = 0; i < n; i++) a[i] = log(b[i]);
    return errno;
}
int marked(int n, double *restrict a, const double *restrict b) {
    errno = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = log(b[i]);
    return errno;
}
void leaves_it_alone(int n, double *restrict a, const double *restrict b) {
    for (int i = 0; i < n; i++) a[i] = fabs(floor(b[i])) / 2;
}
// remark 7:5 the file asks for errno, which log may set and no device does
// device 2
