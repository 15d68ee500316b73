// device 17
// solvers.c -- conjugate gradients, multigrid, LU, alignments, levels of a graph.
#include "../suite.h"
#define NA 400

static int rowstr[NA + 1], colidx[NA * 9];
static double values[NA * 9], x[NA + 2], z[NA + 2], p[NA + 2], q[NA + 2], r[NA + 2];

static double gradients(int n, int inner) {
    int j, k, cgit;
    double d, sum, rho, rho0, alpha, beta, rnorm;
    rho = 0.0;
#pragma omp parallel for
    for (j = 0; j < n + 1; j++) {
        q[j] = 0.0;
        z[j] = 0.0;
        r[j] = x[j];
        p[j] = r[j];
    }
#pragma omp parallel for reduction(+ : rho)
    for (j = 0; j < n; j++) rho = rho + r[j] * r[j];
    for (cgit = 1; cgit <= inner; cgit++) {
        rho0 = rho;
        d = 0.0;
        rho = 0.0;
#pragma omp parallel for private(sum, k)
        for (j = 0; j < n; j++) {
            sum = 0.0;
            for (k = rowstr[j]; k < rowstr[j + 1]; k++) sum = sum + values[k] * p[colidx[k]];
            q[j] = sum;
        }
#pragma omp parallel for reduction(+ : d)
        for (j = 0; j < n; j++) d = d + p[j] * q[j];
        alpha = rho0 / d;
#pragma omp parallel for reduction(+ : rho)
        for (j = 0; j < n; j++) {
            z[j] = z[j] + alpha * p[j];
            r[j] = r[j] - alpha * q[j];
            rho = rho + r[j] * r[j];
        }
        beta = rho / rho0;
#pragma omp parallel for
        for (j = 0; j < n; j++) p[j] = r[j] + beta * p[j];
    }
    sum = 0.0;
#pragma omp parallel for private(d) reduction(+ : sum)
    for (j = 0; j < n; j++) {
        d = x[j] - r[j];
        sum = sum + d * d;
    }
    rnorm = sqrt(sum);
    return rnorm;
}
static void cg(void) {
    int at = 0;
    for (int i = 0; i < NA; i++) {
        rowstr[i] = at;
        for (int k = -4; k <= 4; k++) {
            int col = (i + k * (1 + (k * k) % 5) + NA) % NA;
            if (k != 0 && (i * 7 + k * k) % 3 == 0) continue;
            colidx[at] = col;
            values[at++] = k == 0 ? 20.0 : 0.5;
        }
    }
    rowstr[NA] = at;
    for (int i = 0; i < NA + 1; i++) x[i] = 1.0 + 0.001 * (i % 10);
    printf("cg %.7e\n", gradients(NA, 8));
    show_doubles("z", z, NA);
}

// A residual and a smoother over void pointers cast to rows, as multigrid codes pass them.
static void residual(void *ou, void *ov, void *orr, int n1, int n2, int n3, double a[4]) {
    double(*u)[n2][n1] = (double(*)[n2][n1])ou;
    double(*v)[n2][n1] = (double(*)[n2][n1])ov;
    double(*rr)[n2][n1] = (double(*)[n2][n1])orr;
    int i3, i2, i1;
    double u1[40], u2[40];
#pragma omp parallel for private(i1, i2, i3, u1, u2)
    for (i3 = 1; i3 < n3 - 1; i3++) {
        for (i2 = 1; i2 < n2 - 1; i2++) {
            for (i1 = 0; i1 < n1; i1++) {
                u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
                u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] +
                    u[i3 + 1][i2 + 1][i1];
            }
            for (i1 = 1; i1 < n1 - 1; i1++) {
                rr[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] - a[2] *
                    (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) - a[3] * (u2[i1 - 1] + u2[i1 + 1]);
            }
        }
    }
}
static void coarser(int n1, int n2, int n3, double r1[n3][n2][n1], int m1, int m2, int m3,
                    double s[m3][m2][m1]) {
#pragma omp parallel for collapse(2)
    for (int j3 = 1; j3 < m3 - 1; j3++)
        for (int j2 = 1; j2 < m2 - 1; j2++)
            for (int j1 = 1; j1 < m1 - 1; j1++) {
                int i3 = 2 * j3 - 1, i2 = 2 * j2 - 1, i1 = 2 * j1 - 1;
                s[j3][j2][j1] = 0.5 * r1[i3][i2][i1] + 0.25 *
                    (r1[i3][i2][i1 - 1] + r1[i3][i2][i1 + 1] + r1[i3][i2 - 1][i1] + r1[i3][i2 + 1][i1]) +
                                0.125 * (r1[i3 - 1][i2][i1] + r1[i3 + 1][i2][i1]);
            }
}
static void mg(void) {
    enum { F = 18, C = 10 };
    static double u[F * F * F], v[F * F * F], rr[F * F * F], s[C * C * C];
    double a[4] = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};
    fill_doubles(u, F * F * F), fill_doubles(v, F * F * F);
    residual(u, v, rr, F, F, F, a);
    show_doubles("residual", rr, F * F * F);
    coarser(F, F, F, (double(*)[F][F])rr, C, C, C, (double(*)[C][C])s);
    show_doubles("coarser", s, C * C * C);
}

static void lu(float *a, int size) {
    int i, j, k;
    float sum;
    for (i = 0; i < size; i++) {
#pragma omp parallel for private(j, k, sum) shared(size, i, a)
        for (j = i; j < size; j++) {
            sum = a[i * size + j];
            for (k = 0; k < i; k++) sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }
#pragma omp parallel for private(j, k, sum) shared(size, i, a)
        for (j = i + 1; j < size; j++) {
            sum = a[j * size + i];
            for (k = 0; k < i; k++) sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}
static void elimination(float *m, float *a, float *b, int size) {
    int t, i, j;
    for (t = 0; t < (size - 1); t++) {
#pragma acc parallel loop
        for (i = 0; i < size - 1 - t; i++) m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] /
            a[size * t + t];
#pragma acc kernels
        for (i = 0; i < size - 1 - t; i++) {
            for (j = 0; j < size - t; j++)
                a[size * (i + 1 + t) + (j + t)] -= m[size * (i + 1 + t) + t] * a[size * t + (j + t)];
            b[i + 1 + t] -= m[size * (i + 1 + t) + t] * b[t];
        }
    }
}

static int largest_of(int a, int b, int c) {
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}
static void align(int rows, int cols, int penalty) { // diagonals of a table
    int *ref = malloc(sizeof(int) * rows * cols), *item = malloc(sizeof(int) * rows * cols), i, idx;
    fill_ints(ref, rows * cols, 20);
    for (i = 0; i < rows * cols; i++) ref[i] -= 10, item[i] = 0;
    for (i = 1; i < rows; i++) item[i * cols] = -i * penalty;
    for (i = 1; i < cols; i++) item[i] = -i * penalty;
    for (i = 0; i <= cols - 2; i++) {
#pragma omp parallel for shared(item) firstprivate(i, cols, penalty) private(idx)
        for (idx = 0; idx <= i; idx++) {
            int index = (idx + 1) * cols + (i + 1 - idx);
            item[index] = largest_of(item[index - 1 - cols] + ref[index], item[index - 1] - penalty,
                                     item[index - cols] - penalty);
        }
    }
    for (i = cols - 3; i >= 0; i--) {
#pragma omp parallel for
        for (idx = 0; idx <= i; idx++) {
            int index = (cols - idx - 2) * cols + idx + cols - i - 2;
            item[index] = largest_of(item[index - 1 - cols] + ref[index], item[index - 1] - penalty,
                                     item[index - cols] - penalty);
        }
    }
    show_ints("align", item, rows * cols);
    free(ref), free(item);
}

typedef struct {
    int starting, edges;
} GraphNode;
static void levels(int nodes, int degree) {
    GraphNode *node = malloc(sizeof(GraphNode) * nodes);
    int *edge = malloc(sizeof(int) * nodes * degree), *cost = malloc(sizeof(int) * nodes);
    int *mask = calloc(nodes, sizeof(int)), *next = calloc(nodes, sizeof(int)),
        *seen = calloc(nodes, sizeof(int));
    fill_ints(edge, nodes * degree, nodes);
    for (int i = 0; i < nodes; i++) node[i] = (GraphNode){i * degree, degree - i % 2}, cost[i] = -1;
    mask[0] = seen[0] = 1;
    cost[0] = 0;
    int stop, rounds = 0;
    do {
        stop = 0;
        // several nodes write the same value to one place: the mark asserts it
#pragma omp parallel for
        for (int tid = 0; tid < nodes; tid++) {
            if (mask[tid]) {
                mask[tid] = 0;
                for (int i = node[tid].starting; i < node[tid].edges + node[tid].starting; i++) {
                    int id = edge[i];
                    if (!seen[id]) {
                        cost[id] = rounds + 1;
                        next[id] = 1;
                    }
                }
            }
        }
#pragma omp parallel for reduction(| : stop)
        for (int tid = 0; tid < nodes; tid++) {
            if (next[tid] == 1) {
                mask[tid] = 1;
                seen[tid] = 1;
                stop |= 1;
                next[tid] = 0;
            }
        }
        rounds++;
    } while (stop);
    printf("rounds %d ", rounds);
    show_ints("levels", cost, nodes);
    free(node), free(edge), free(cost), free(mask), free(next), free(seen);
}
int main(void) {
    cg(), mg();
    enum { L = 40 };
    static float a[L * L], m[L * L], b[L];
    fill_floats(a, L * L);
    for (int i = 0; i < L; i++) a[i * L + i] += 30;
    lu(a, L);
    show_floats("lu", a, L * L);
    fill_floats(a, L * L), fill_floats(b, L);
    for (int i = 0; i < L; i++) a[i * L + i] += 30;
    elimination(m, a, b, L);
    show_floats("eliminated", a, L * L), show_floats("b", b, L);
    align(50, 50, 3), levels(300, 4);
    suite_use();
    return 0;
}
