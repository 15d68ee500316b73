// flags: -std=c99
// asserts.c -- an assert in a marked loop, whatever its condition is and its header makes of it.
#include <assert.h>
#include <stdlib.h>
static double x[100], y[100];
static int at[100];
void counter(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        assert(i >= 0);
        y[i] = x[i];
    }
}
void message(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        assert(at[i] >= 0 && at[i] < 100 && "a place");
        y[i] = x[at[i]];
    }
}
void pointer(const double *p) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        assert(p);
        y[i] = p[i];
    }
}
static double root(double v) {
    assert(v > 0);
    return v;
}
void called(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++) y[i] = root(x[i]);
}
void never(void) {
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        if (x[i] < 0) assert(0);
        y[i] = x[i];
    }
}
void constant(void) { // says nothing of the program's run
    _Static_assert(sizeof x == 800, "");
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        _Static_assert(sizeof(int) == 4, "");
        y[i] = x[i];
    }
}
// remark 10:9 an assert ends the program
// remark 17:9 an assert ends the program
// remark 24:9 an assert ends the program
// remark 29:5 an assert ends the program
// remark 39:23 an assert ends the program
// remarks 5
// device 1
