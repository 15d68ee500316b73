// flags: -fopenacc
// device 18
// copies.c -- variables that a directive, not the loop as it stands, says whose they are.
#include "../suite.h"
#define N 500
static int v[N], w[20][30], shared_counter = 3;

static void counters(int n) { // the directive's own: those outside keep what they hold
    int i = 7, j = 8, k = 9, l = 10, m = 11;
#pragma omp parallel for
    for (shared_counter = 0; shared_counter < n; shared_counter++) v[shared_counter] ^= shared_counter;
#pragma omp parallel for
    for (i = 0; i < n; i++) v[i] += i;
#pragma omp target teams distribute parallel for map(tofrom : v)
    for (j = 0; j < n; j++) v[j] += 2 * j;
#pragma omp parallel for collapse(2)
    for (k = 0; k < 20; k++)
        for (l = 0; l < 30; l++) w[k][l] += k * l;
#pragma acc parallel loop
    for (m = 0; m < n; m++) v[m] -= 5;
    printf("%d %d %d %d %d %d\n", shared_counter, i, j, k, l, m);
}
static void target(int n) { // scalars that no clause names, counters among them
    int i = 7, j = 8, k = 9, l = 10, m = 11, s = 3, t = 4;
#pragma omp target map(tofrom : v)
    for (i = 0; i < n; i++) {
        t = i;
        v[i] ^= t;
    }
#pragma omp target teams distribute map(tofrom : w)
    for (int q = 0; q < 20; q++)
        for (j = 0; j < 30; j++) w[q][j] -= q;
#pragma omp target simd map(tofrom : v)
    for (k = 0; k < 300; k++) v[k] += k;
#pragma omp target parallel map(tofrom : v)
    {
#pragma omp for
        for (l = 0; l < n; l++) v[l] *= 3;
    }
#pragma omp target data map(tofrom : s)
    {
#pragma omp target
        for (int q = 0; q < 3; q++) s += q;
    }
#pragma acc parallel copy(v)
    {
#pragma acc loop
        for (m = 0; m < n; m++) v[m] -= m;
    }
#pragma omp target defaultmap(tofrom : scalar)
    for (int q = 0; q < 9; q++) t += q;
    printf("%d %d %d %d %d %d %d\n", i, j, k, l, m, s, t);
}
static void kept(int n) { // what a clause, or simd, hands back
    int i = 7, j = 8;
#pragma omp parallel for lastprivate(i)
    for (i = 0; i < n; i++) v[i] += 3;
#pragma omp parallel for simd
    for (j = 0; j < n; j++) v[j] ^= 1;
    printf("%d %d\n", i, j);
}
static void scalars(int n) { // copies that begin with the value from outside and are lost
    int x = 3, y = 4, z = 5, s = 6, t = 7;
#pragma omp target teams distribute parallel for map(tofrom : v)
    for (int i = 0; i < n; i++) {
        if (i == 50) x = i;
        v[i] += i;
    }
#pragma omp target teams distribute parallel for map(tofrom : v, y)
    for (int i = 0; i < n; i++) {
        if (i == n - 1) y = i;
        v[i] -= 2;
    }
#pragma acc parallel loop copy(v)
    for (int i = 0; i < n; i++) {
        z = i * 2;
        v[i] += z;
    }
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
    for (int i = 0; i < n; i++) s += v[i] & 7;
#pragma acc parallel loop reduction(+ : t) copy(t)
    for (int i = 0; i < n; i++) t += v[i] & 3;
    printf("%d %d %d %d %d\n", x, y, z, s, t);
}
int main(void) {
    for (int i = 0; i < N; i++) v[i] = i * 7 % 100;
    counters(N);
    target(N);
    kept(N);
    scalars(N);
    int sum = 0;
    for (int i = 0; i < N; i++) sum = sum * 31 + v[i];
    printf("%d %d\n", sum & 0xffffff, w[19][29]);
}
