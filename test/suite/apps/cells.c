// device 4
// cells.c -- particles in cells: how many there are in each only the data tell, and what they are near to is
// computed where it is used.
#include "../suite.h"
enum { CELL = 16, CELLS = 60, NEAR = 5 };
typedef double Vector[3];
typedef struct Particles {
    int *count, **near;
    Vector *x, *v, *f;
    double *u;
} Particles;

static double forces(int n, const Particles *p, double reach) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int c = 0; c < n; c++) {
        int mine = p->count[c];
        for (int k = 0; k < NEAR; k++) {
            int d = p->near[c][k], theirs = p->count[d];
            for (int i = CELL * c; i < CELL * c + mine; i++)
                for (int j = CELL * d; j < CELL * d + theirs; j++) {
                    Vector by;
                    double r2 = 0;
                    for (int m = 0; m < 3; m++) by[m] = p->x[i][m] - p->x[j][m], r2 += by[m] * by[m];
                    if (r2 <= reach * reach && r2 > 0) {
                        r2 = 1 / (r2 + 0.5);
                        p->u[i] += r2;
                        sum += r2;
                        for (int m = 0; m < 3; m++) p->f[i][m] -= by[m] * r2;
                    }
                }
        }
    }
    return sum;
}
static void pushed(int n, const Particles *p, double t) {
#pragma omp parallel for
    for (int c = 0; c < n; c++)
        for (int i = CELL * c, k = 0; k < p->count[c]; k++, i++)
            p->v[i][0] += t * p->f[i][0], p->v[i][2] += t;
}
static void moved(int n, const Particles *p, double t) {
#pragma omp parallel for
    for (int c = 0; c < n; c++)
        for (int i = CELL * c, k = 0; k < p->count[c]; k++, i++)
            for (int m = 0; m < 3; m++) p->x[i][m] += t * p->v[i][m];
}
// Of what the condition keeps away there may be no memory.
static void seldom(int n, const int *count, const double *x, double *y, long far) {
#pragma omp parallel for
    for (int c = 0; c < n; c++)
        for (int i = CELL * c; i < CELL * c + count[c]; i++) {
            double t = x[i] * x[i];
            if (t < 0.1) y[i] += t;
            if (t > 1e6) y[i + far] = t;
        }
}

int main(void) {
    const int sizes[] = {0, 1, 7, CELLS};
    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        Particles p = {malloc((n + 1) * sizeof(int)), malloc((n + 1) * sizeof(int *))};
        // Not a byte more than there are particles: cells at the end are not full.
        long last = n ? CELL * (n - 1) + (n - 1) % 5 + 1 : 0;
        p.x = malloc(last * sizeof(Vector)), p.v = calloc(last, sizeof(Vector));
        p.f = calloc(last, sizeof(Vector));
        p.u = calloc(last, sizeof(double));
        fill_doubles(last ? p.x[0] : NULL, 3 * last);
        for (int c = 0; c < n; c++) {
            p.count[c] = c % 5 + 1, p.near[c] = malloc(NEAR * sizeof(int));
            for (int k = 0; k < NEAR; k++) p.near[c][k] = (c + k * k) % n;
        }
        for (int t = 0; t < 3; t++) {
            double sum = forces(n, &p, 0.6);
            pushed(n, &p, 0.01), moved(n, &p, 0.02);
            printf("%d cells: %.7e\n", n, sum);
            show_doubles("x", last ? p.x[0] : NULL, 3 * last), show_doubles("u", p.u, last);
        }
        for (long far = 1; far < 1L << 40; far <<= 13) seldom(n, p.count, last ? p.x[0] : NULL, p.u, far);
        show_doubles("seldom", p.u, last);
        for (int c = 0; c < n; c++) free(p.near[c]);
        free(p.count), free(p.near), free(p.x), free(p.v), free(p.f), free(p.u);
    }
    suite_use();
    return 0;
}
