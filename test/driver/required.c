// required.c -- loops that run on a device whatever their sizes are: run.sh asks for it.
#include <stdio.h>

// A sum under a condition that few iterations fulfil, or none.
static long guarded(int n, int from) {
    long p = 1, s = 0;
#pragma acc parallel loop reduction(* : p)
    for (int i = 0; i < n; i++)
        if (i % 200 == 1) p *= i;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        if (i >= from) s += i;
    return p + s;
}

// Rows and columns meet row k: that one, those before it and those behind it.
enum { CITIES = 40 };
static int way[CITIES][CITIES];
static void shortest_ways(void) {
    for (int k = 0; k < CITIES; k++) {
#pragma omp parallel for
        for (int i = 0; i < CITIES; i++)
            for (int j = 0; j < CITIES; j++)
                way[i][j] = way[i][j] < way[i][k] + way[k][j] ? way[i][j] : way[i][k] + way[k][j];
    }
}

static unsigned hash(void) {
    unsigned h = 0;
    for (int i = 0; i < CITIES; i++)
        for (int j = 0; j < CITIES; j++) h = h * 31 + (unsigned)way[i][j];
    return h;
}

int main(void) {
    printf("%ld %ld\n", guarded(777, 700), guarded(5, 7));
    for (int i = 0; i < CITIES; i++)
        for (int j = 0; j < CITIES; j++) way[i][j] = i == j ? 0 : i * j * 7 % 23 + 1;
    shortest_ways();
    printf("%u\n", hash());
    return 0;
}
