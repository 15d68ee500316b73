// required.c -- loops that run on a device whatever their sizes are: run.sh asks for it.
#include <stdio.h>
#include <stdlib.h>

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

// The last value is proved; that no two meet in `to` is the mark's word.
static int scattered(int n, int *to, const int *at) {
    int x = 0;
#pragma omp parallel for lastprivate(x)
    for (int i = 0; i < n; i++) {
        x = i * 3;
        to[at[i]] = x;
    }
    return x;
}

// As many elements as were allocated, whatever the record's own size is.
typedef struct {
    int n;
    double x[];
} Open;
static void ramp(Open *o) {
#pragma omp parallel for
    for (int i = 0; i < o->n; i++) o->x[i] = i * 0.25;
#pragma omp parallel for
    for (int i = 0; i < o->n - 1; i++) o->x[i] += (double)o->n;
}

int main(void) {
    static int at[100], to[100];
    for (int i = 0; i < 100; i++) at[i] = i * 7 % 100;
    int last = scattered(100, to, at);
    printf("%d %d\n", last, to[at[50]]);
    printf("%ld %ld\n", guarded(777, 700), guarded(5, 7));
    for (int i = 0; i < CITIES; i++)
        for (int j = 0; j < CITIES; j++) way[i][j] = i == j ? 0 : i * j * 7 % 23 + 1;
    shortest_ways();
    printf("%u\n", hash());
    Open *o = malloc(sizeof *o + 100 * sizeof o->x[0]);
    o->n = 100;
    ramp(o);
    printf("%g %g\n", o->x[98], o->x[99]);
    free(o);
    return 0;
}
