// device 2
// classified.c -- what isinf and signbit give is kept as a number, of which C says only whether it is 0.
#include "../suite.h"
enum { N = 6 };
int main(void) {
    const double x[N] = {1, -INFINITY, INFINITY, NAN, -0.0, -2};
    const float y[N] = {1, -INFINITY, INFINITY, 0, -0.0f, -2};
    int ends[N], signs[N], more[N], less[N];
    suite_use();
#pragma omp parallel for
    for (int i = 0; i < N; i++) ends[i] = isinf(x[i]), signs[i] = !!signbit(x[i]);
#pragma omp parallel for
    for (int i = 0; i < N; i++) more[i] = isinf(y[i]), less[i] = signbit(y[i]);
    signs[3] = 0; // a NaN has either
    for (int i = 0; i < N; i++) printf("%d %d %d %d\n", ends[i], signs[i], more[i], less[i]);
    return 0;
}
