// device 1
// Choices between records: of elements, of literals, of one another.
#include <stdio.h>

typedef struct Pair {
    float x, y;
} Pair;

enum { N = 3000 };
static Pair a[N], b[N], c[N];

static Pair turned(Pair p) { return (Pair){p.y, p.x}; }

int main(void) {
    for (int i = 0; i < N; i++) a[i] = (Pair){i, 2 * i}, b[i] = (Pair){-i, 7};
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
        Pair p = i % 3 ? a[i] : b[N - 1 - i];
        c[i] = a[i].x > 1000 ? turned(p) : i % 2 ? p : (Pair){1, 2};
    }
    double s = 0, t = 0;
    for (int i = 0; i < N; i++) s += c[i].x * i, t += c[i].y * (N - i);
    printf("%g %g\n", s, t);
}
