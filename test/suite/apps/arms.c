// Marks in the arms of a switch, behind labels and in branches; the compiler of the host reads them, too.
// device 6
#include <stdio.h>
enum { N = 300 };
static double q[N];

static void arms(int n, int k) {
    switch (k) {
    case 1:
#pragma omp parallel for
        for (int i = 0; i < n; i++) q[i] += 1;
        break;
    case 2:;
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; i++) q[i] *= 3;
        // falls through
    case 3: {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            while (q[i] > 100) q[i] -= 50;
        break;
    }
    default:
        for (int i = 1; i < n; i++) q[i] += q[i - 1];
    }
}

static void branches(int n, int k) {
    int again = 2;
here:
#pragma omp parallel for
    for (int i = 0; i < n; i++) q[i] -= 0.5;
    if (--again) goto here;
    if (k & 1)
#pragma omp parallel for
        for (int i = 0; i < n; i++) q[i] *= 1.25;
    else
#pragma omp parallel for
        for (int i = 0; i < n; i++) q[i] *= 1.5;
}

int main(void) {
    for (int i = 0; i < N; i++) q[i] = i % 17;
    for (int k = 0; k < 9; k++) {
        arms(N, k % 5);
        branches(N, k);
    }
    for (int i = 0; i < N; i += 23) printf("%.17g\n", q[i]);
}
