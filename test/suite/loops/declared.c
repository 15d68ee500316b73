// device 8
// declared.c -- reductions by operators that the program declares.
#include "loops.h"
typedef struct { double re, im; } Complex;
typedef struct { float most; int at; } Place;
static Complex z[N];
static Complex sum_of(Complex p, Complex q) { return (Complex){p.re + q.re, p.im + q.im}; }
static Place further(Place p, Place q) { return q.most > p.most ? q : p; }
#pragma omp declare reduction(csum : Complex : omp_out.re += omp_in.re, omp_out.im += omp_in.im) \
    initializer(omp_priv = (Complex){0, 0})
#pragma omp declare reduction(ccall : Complex : omp_out = sum_of(omp_out, omp_in)) \
    initializer(omp_priv = (Complex){0, 0})
#pragma omp declare reduction(isum : int : omp_out += omp_in)
#pragma omp declare reduction(prod : double, float : omp_out = omp_in * omp_out) initializer(omp_priv = 1)
#pragma omp declare reduction(most : float : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = -1e30f)
#pragma omp declare reduction(least : float : omp_out = fminf(omp_out, omp_in)) initializer(omp_priv = 1e30f)
#pragma omp declare reduction(bits : int : omp_out = (omp_out | omp_in)) initializer(omp_priv = 0)
#pragma omp declare reduction(far : Place : omp_out = further(omp_out, omp_in)) \
    initializer(omp_priv = (Place){-1, -1})

static double by_members(void) {
    Complex s = {1, 2};
#pragma omp parallel for reduction(csum : s)
    for (int i = 0; i < N; i++) s.re += z[i].re, s.im += z[i].im;
    return s.re * 3 + s.im;
}
static double by_call(void) { // its order may matter for all that is known
    Complex s = {1, 2};
#pragma omp parallel for reduction(ccall : s)
    for (int i = 0; i < N; i++) s = sum_of(s, z[i]);
    return s.re * 3 + s.im;
}
static double called_members(void) {
    Complex s = {1, 2};
#pragma omp parallel for reduction(csum : s)
    for (int i = 0; i < N; i++) s = sum_of(s, z[i]);
    return s.re * 3 + s.im;
}
static int whole(void) {
    int s = 5;
#pragma omp parallel for reduction(isum : s)
    for (int i = 0; i < N; i++) s += ii[i];
    return s;
}
static double product(void) {
    double p = 2;
#pragma omp parallel for reduction(prod : p)
    for (int i = 0; i < N; i++) p *= 1 + (i % 3 - 1) * 0.5;
    return p;
}
static double greatest(void) {
    float m = -1;
#pragma omp parallel for reduction(most : m)
    for (int i = 0; i < N; i++)
        if (a[i] > m) m = a[i];
    return m;
}
static double smallest(void) {
    float m = 1;
#pragma omp parallel for reduction(least : m)
    for (int i = 0; i < N; i++) m = fminf(m, a[i]);
    return m;
}
static int all_bits(void) {
    int s = 0;
#pragma omp parallel for reduction(bits : s)
    for (int i = 0; i < N; i++) s |= ii[i] & 0xf0;
    return s;
}
static int furthest(void) {
    Place p = {-1, -1};
#pragma omp parallel for reduction(far : p)
    for (int i = 0; i < N; i++) {
        Place q = {fabsf(a[i]), i};
        p = further(p, q);
    }
    return p.at;
}
static double nested(void) {
    Complex s = {0, 0};
#pragma omp parallel for collapse(2) reduction(csum : s)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) s.re += aa[i][j], s.im -= bb[i][j];
    return s.re + s.im;
}

int main(void) {
    for (int i = 0; i < N; i++) z[i].re = i * 0.5, z[i].im = 3 - i * 0.25;
    VALUE(by_members), VALUE(by_call), VALUE(called_members), VALUE(whole), VALUE(product), VALUE(greatest);
    VALUE(smallest), VALUE(all_bits), VALUE(furthest), VALUE(nested);
    suite_use();
    return 0;
}
