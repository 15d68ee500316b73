// device 13
// miniapps.c -- kernels of small applications: linearised 3D stencils, lattice gases, ELL matrices,
// random numbers, molecules, tables.
#include "../suite.h"
#define IDX(i, j, k) (((k) * ny + (j)) * nx + (i))

static void star7(int nx, int ny, int nz, const double *in, double *out, double c0, double c1) {
    int i, j, k;
#pragma omp parallel for private(i, j, k) collapse(3)
    for (k = 1; k < nz - 1; k++)
        for (j = 1; j < ny - 1; j++)
            for (i = 1; i < nx - 1; i++)
                out[IDX(i, j, k)] = c0 * in[IDX(i, j, k)] + c1 *
                    (in[IDX(i - 1, j, k)] + in[IDX(i + 1, j, k)] + in[IDX(i, j - 1, k)] +
                                                                   in[IDX(i, j + 1, k)] +
                                                                       in[IDX(i, j, k - 1)] +
                                                                       in[IDX(i, j, k + 1)]);
}
static void wide_star(int nx, int ny, int nz, const float *p, const float *v, float *q) { // 4 wide, leapfrog
    static const float w[5] = {-2.5f, 1.5f, -0.15f, 0.0125f, -0.0008f};
#pragma omp target teams distribute parallel for collapse(2)
    for (int k = 4; k < nz - 4; k++)
        for (int j = 4; j < ny - 4; j++)
            for (int i = 4; i < nx - 4; i++) {
                float s = 3.0f * w[0] * p[IDX(i, j, k)];
                for (int r = 1; r <= 4; r++)
                    s += w[r] * (p[IDX(i - r, j, k)] + p[IDX(i + r, j, k)] + p[IDX(i, j - r, k)] +
                                 p[IDX(i, j + r, k)] + p[IDX(i, j, k - r)] + p[IDX(i, j, k + r)]);
                q[IDX(i, j, k)] = 2.0f * p[IDX(i, j, k)] - q[IDX(i, j, k)] + v[IDX(i, j, k)] * s;
            }
}
// A lattice gas in two dimensions, nine directions, cells as arrays of struct members.
typedef struct {
    float f[9];
} Cell;
static const int lx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ly[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static void stream(int nx, int ny, const Cell *from, Cell *to) {
#pragma omp parallel for
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int d = 0; d < 9; d++) {
                int xs = (x - lx[d] + nx) % nx, ys = (y - ly[d] + ny) % ny;
                to[y * nx + x].f[d] = from[ys * nx + xs].f[d];
            }
}
static void collide(int n, Cell *cell, float omega) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float rho = 0, ux = 0, uy = 0;
        for (int d = 0; d < 9; d++) {
            rho += cell[i].f[d];
            ux += lx[d] * cell[i].f[d];
            uy += ly[d] * cell[i].f[d];
        }
        ux /= rho, uy /= rho;
        float uu = ux * ux + uy * uy;
        for (int d = 0; d < 9; d++) {
            float w = d == 0 ? 4.0f / 9.0f : d < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
            float cu = lx[d] * ux + ly[d] * uy;
            float eq = w * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * uu);
            cell[i].f[d] += omega * (eq - cell[i].f[d]);
        }
    }
}
static void ell_product(int n, int width, const int *col, const double *val, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < width; k++) {
            int c = col[k * n + i];
            if (c >= 0)
                s += val[k * n + i] * x[c];
        }
        y[i] = s;
    }
}
// Random numbers by multiplying modulo 2^31 - 1, a stretch a turn; annulus counts.
static long annuli(int streams, int each, long *q) {
    long accepted = 0;
    long q0 = 0, q1 = 0, q2 = 0;
#pragma omp parallel for reduction(+ : accepted, q0, q1, q2)
    for (int s = 0; s < streams; s++) {
        unsigned long seed = 271828183ul + 1013ul * (unsigned long)s;
        for (int k = 0; k < each; k++) {
            seed = (seed * 16807ul) % 2147483647ul;
            double x = 2.0 * ((double)seed / 2147483647.0) - 1.0;
            seed = (seed * 16807ul) % 2147483647ul;
            double y = 2.0 * ((double)seed / 2147483647.0) - 1.0;
            double t = x * x + y * y;
            if (t <= 1.0) {
                accepted++;
                if (t < 0.25)
                    q0++;
                else if (t < 0.5)
                    q1++;
                else
                    q2++;
            }
        }
    }
    q[0] = q0, q[1] = q1, q[2] = q2;
    return accepted;
}
// Molecules with neighbour lists, AoS.
typedef struct {
    double x[3], f[3];
    int type;
} Atom;
static double lennard(int n, Atom *atom, const int *first, const int *list, double cut2) {
    double energy = 0;
#pragma omp parallel for reduction(+ : energy)
    for (int i = 0; i < n; i++) {
        double f[3] = {0, 0, 0};
        for (int k = first[i]; k < first[i + 1]; k++) {
            int j = list[k];
            double d[3], r2 = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = atom[i].x[c] - atom[j].x[c];
                r2 += d[c] * d[c];
            }
            if (r2 < cut2) {
                double s = 1.0 / (r2 + 0.5), s3 = s * s * s, w = s3 * (s3 - 0.5) * s;
                for (int c = 0; c < 3; c++) f[c] += d[c] * w;
                energy += 4.0 * s3 * (s3 - 1.0);
            }
        }
        for (int c = 0; c < 3; c++) atom[i].f[c] = f[c];
    }
    return energy;
}
// Cross sections by binary search in a table: a while loop.
static void lookups(int n, int points, const double *grid, const double *xs, const double *at, double *out) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int lo = 0, hi = points - 1;
        while (hi - lo > 1) {
            int mid = lo + (hi - lo) / 2;
            if (grid[mid] > at[i])
                hi = mid;
            else
                lo = mid;
        }
        double f = (at[i] - grid[lo]) / (grid[lo + 1] - grid[lo]);
        out[i] = xs[lo] * (1 - f) + xs[lo + 1] * f;
    }
}
static void transpose(int n, int m, const float *restrict a, float *restrict b) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[(size_t)j * n + i] = a[(size_t)i * m + j];
}
// a picture; the loop in it stops by a test in its header
static void escape(int w, int h, int *out, int most) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cx = -2.0 + 3.0 * x / w, cy = -1.0 + 2.0 * y / h, zx = 0, zy = 0;
            int count = 0;
            for (int k = 0; k < most; k++) {
                double xx = zx * zx - zy * zy + cx, yy = 2 * zx * zy + cy;
                if (xx * xx + yy * yy < 4.0) {
                    zx = xx, zy = yy;
                    count++;
                }
            }
            out[y * w + x] = count > 0 && cx * cx + cy * cy < 0.05;
        }
}
static void wave(int n, int steps, double *u /* [3][n] */) { // three time levels in one array
#pragma scop
    for (int t = 2; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t % 3) * n + i] = 2.0 * u[((t + 2) % 3) * n + i] - u[((t + 1) % 3) * n + i] +
                                 0.1 * (u[((t + 2) % 3) * n + i - 1] - 2.0 * u[((t + 2) % 3) * n + i] +
                                        u[((t + 2) % 3) * n + i + 1]);
#pragma endscop
}
// many small products
static void batches(int n, int k, const float *restrict A, const float *restrict B, float *restrict C) {
#pragma acc parallel loop gang
    for (int b = 0; b < n; b++) {
#pragma acc loop vector collapse(2)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++) {
                float s = 0;
#pragma acc loop seq
                for (int l = 0; l < k; l++) s += A[(b * k + i) * k + l] * B[(b * k + l) * k + j];
                C[(b * k + i) * k + j] = s;
            }
    }
}
static void option(int n, const float *price, const float *strike, const float *years, float *call) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float root = sqrtf(years[i]), d1 = (logf(price[i] / strike[i]) + 0.06f * years[i]) / (0.3f * root),
            d2 = d1 - 0.3f * root;
        float k1 = 1.0f / (1.0f + 0.2316419f * fabsf(d1)), k2 = 1.0f / (1.0f + 0.2316419f * fabsf(d2));
        float c1 = 0.3989423f * expf(-0.5f * d1 * d1) *
            (k1 * (0.3193815f + k1 * (-0.3565638f + k1 * 1.781478f)));
        float c2 = 0.3989423f * expf(-0.5f * d2 * d2) *
            (k2 * (0.3193815f + k2 * (-0.3565638f + k2 * 1.781478f)));
        if (d1 > 0) c1 = 1.0f - c1;
        if (d2 > 0) c2 = 1.0f - c2;
        call[i] = price[i] * c1 - strike[i] * expf(-0.02f * years[i]) * c2;
    }
}
int main(void) {
    enum { X = 20, Y = 17, Z = 15, V = X * Y * Z, L = 300, W = 5 };
    static double in[V], out[V], val[L * W], x[L], y[L], grid[64], xs[64], at[L], u[3 * L];
    static float p[V], q[V], v[V], t[V];
    static int col[L * W], first[L + 1], list[L * 8], image[40 * 30];
    static Cell cell[12 * 11], moved[12 * 11];
    static Atom atom[L];
    fill_doubles(in, V), fill_floats(p, V), fill_floats(q, V), fill_floats(v, V);
    star7(X, Y, Z, in, out, 0.5, 0.08), star7(X, Y, Z, out, in, 0.5, 0.08), star7(2, 2, 2, in, out, 1, 1);
    show_doubles("star7", in, V);
    wide_star(X, Y, Z, p, v, q);
    show_floats("wide", q, V);
    fill_floats(&cell[0].f[0], 12 * 11 * 9);
    for (int i = 0; i < 12 * 11; i++)
        for (int d = 0; d < 9; d++) cell[i].f[d] += 1.0f;
    for (int r = 0; r < 3; r++) stream(12, 11, cell, moved), collide(12 * 11, moved, 0.6f),
        memcpy(cell, moved, sizeof cell);
    show_floats("lattice", &cell[0].f[0], 12 * 11 * 9);
    fill_ints(col, L * W, L + 20), fill_doubles(val, L * W), fill_doubles(x, L);
    for (int i = 0; i < L * W; i++) col[i] = col[i] >= L ? -1 : col[i];
    ell_product(L, W, col, val, x, y);
    show_doubles("ell", y, L);
    long annulus[3];
    printf("annuli %ld", annuli(40, 50, annulus));
    printf(" %ld %ld %ld\n", annulus[0], annulus[1], annulus[2]);
    for (int i = 0; i < L; i++) {
        for (int c = 0; c < 3; c++) atom[i].x[c] = suite_next() * 3, atom[i].f[c] = 0;
        first[i] = i * 8 - (i + 2) / 3, atom[i].type = i;
    }
    first[0] = 0, first[L] = first[L - 1] + 5;
    fill_ints(list, L * 8, L);
    printf("energy %.6e\n", lennard(L, atom, first, list, 2.0));
    double s = 0;
    for (int i = 0; i < L; i++) s += atom[i].f[0] * 2 + atom[i].f[1] * 3 + atom[i].f[2] * (1 + i % 7) +
        atom[i].type;
    printf("force %.6e\n", s);
    for (int i = 0; i < 64; i++) grid[i] = i / 63.0;
    fill_doubles(xs, 64);
    for (int i = 0; i < L; i++) at[i] = suite_next();
    lookups(L, 64, grid, xs, at, y);
    show_doubles("lookups", y, L);
    transpose(X * Y, Z, p, t);
    show_floats("transposed", t, V);
    escape(40, 30, image, 12);
    show_ints("picture", image, 1200);
    fill_doubles(u, 3 * L), wave(L, 20, u), wave(1, 20, u);
    show_doubles("wave", u, 3 * L);
    batches(12, 6, p, q, t);
    show_floats("batches", t, 12 * 36);
    for (int i = 0; i < V; i++) p[i] += 10, q[i] += 10, v[i] += 1;
    option(V, p, q, v, t);
    show_floats("calls", t, V);
    suite_use();
    return 0;
}
