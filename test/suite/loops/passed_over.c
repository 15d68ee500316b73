// Directives that the host's compiler passes over: what they call private is the plain loop's variable.
// flags: -fno-openmp
// device 5
#include <stdio.h>

typedef struct Point {
    float x, y;
} Point;

int main(void) {
    static int a[1000];
    int k = 3, q = 9, some[4] = {1, 2, 3, 4}, rest[4];
    struct {
        int n;
    } one = {3};
#pragma omp parallel for firstprivate(k)
    for (int i = 0; i < 1000; i++) k = i, a[i] = k * 2;
#pragma omp parallel for private(q)
    for (int i = 0; i < 1000; i++) q = i, a[i] += q;
#pragma omp parallel for firstprivate(one)
    for (int i = 0; i < 1000; i++) one.n = i, a[i] += one.n;
#pragma omp parallel for firstprivate(some) // stays: each reads what another set
    for (int i = 0; i < 1000; i++) {
        some[i & 3] = i;
        a[i] += some[(i + 1) & 3];
    }
#pragma omp parallel for private(rest)
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 4; j++) rest[j] = i * j;
        a[i] += rest[3] - rest[1];
    }
    printf("%d %d %d %d %d %d %d\n", k, q, one.n, some[0], some[3], rest[0], rest[3]);

    static float m[500][8], o[500];
    float row[8];
    Point p;
    for (int i = 0; i < 500; i++)
        for (int j = 0; j < 8; j++) m[i][j] = (float)((i * 7 + j * 3) % 11);
#pragma omp parallel for private(row, p) // of which nothing is read behind the loop
    for (int i = 0; i < 500; i++) {
        for (int j = 0; j < 8; j++) row[j] = m[i][7 - j];
        p.x = row[0], p.y = row[1];
        o[i] = p.x * p.y;
    }
    long sum = 0;
    for (int i = 0; i < 1000; i++) sum = sum * 31 % 1000003 + a[i];
    for (int i = 0; i < 500; i++) sum = sum * 31 % 1000003 + (long)o[i];
    printf("%ld\n", sum);
    return 0;
}
