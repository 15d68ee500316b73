// steps.c -- a host loop of short launches, a sum with temporaries, and a block in the middle of a matrix.
#include "faults.h"

enum { N = 60, STEPS = 4 };
static double u[N][N], v[N][N];

__attribute__((noinline)) static void steps(int n, int times) {
#pragma scop
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) v[i][j] = 0.25 *
                (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) u[i][j] = v[i][j];
    }
#pragma endscop
}
__attribute__((noinline)) static int total(int n) {
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += (int)(16 * v[i][i]);
    return s;
}
__attribute__((noinline)) static void block(int n) {
#pragma sculpt
    for (int i = 5; i < n - 5; i++)
        for (int j = 7; j < n - 7; j++) u[i][j] += 0.5 * v[j][i];
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) u[i][j] = v[i][j] = (i * 7 + j * 3) % 16;
    scope_begin(argc);
    for (int k = 0; k < 2; k++) steps(N, STEPS), block(N), note(total(N));
    scope_end(argc);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) note(u[i][j]), note(v[i][j]);
    return tell();
}
