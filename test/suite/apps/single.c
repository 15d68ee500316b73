// device 4
// Loops that one thread runs by their mark, and what only an order of iterations gives.
#include "../suite.h"
#include <stdbool.h>
#define N 4000
#define M 64

static int a[M], x[N];
static void show(const char *name) {
    unsigned h = 0;
    for (int i = 0; i < M; i++) h = h * 31 + (unsigned)a[i], a[i] = 0;
    printf("%s %u\n", name, h);
}
static void last_place(void) {
    int last = -1;
#pragma omp parallel for lastprivate(conditional : last)
    for (int i = 0; i < N; i++)
        if (x[i] < 7) last = i;
    printf("%d\n", last);
}
static void truths(void) {
    bool any = false, all = true, odd = false;
#pragma omp parallel for reduction(| : any)
    for (int i = 0; i < N; i++) any |= x[i] > 62;
#pragma omp parallel for reduction(& : all)
    for (int i = 0; i < N; i++) all &= x[i] < 63;
#pragma omp parallel for reduction(^ : odd)
    for (int i = 0; i < N; i++) odd ^= x[i] & 1;
    printf("%d %d %d\n", any, all, odd);
}
int main(void) {
    int j = 0, divided = 1 << 20;
    for (int i = 0; i < N; i++) x[i] = (int)(i * 7919u % M);
#pragma omp for
    for (int i = 0; i < N; i++) a[x[i]] = i;
    show("orphan");
#pragma omp parallel for if (0)
    for (int i = 0; i < N; i++) a[x[i]] = i;
    show("if");
#pragma omp parallel num_threads(1)
#pragma omp for
    for (int i = 0; i < N; i++) a[x[i]] = i;
    show("block");
#pragma omp teams distribute num_teams(1)
    for (int i = 0; i < N; i++) a[x[i]] = i;
    show("teams");
#pragma omp parallel for firstprivate(j) num_threads(1)
    for (int i = 0; i < M; i++) {
        j += i;
        a[i] = j;
    }
    show("first");
#pragma omp parallel for
    for (int i = 0; i < 5; i++) {
#pragma omp atomic
        divided /= 2;
    }
    printf("%d\n", divided);
    last_place();
    truths();
    return 0;
}
