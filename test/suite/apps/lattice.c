// device 7
// lattice.c -- grids: lattice Boltzmann, shallow water, waves of three fields, cells that live.
#include "../suite.h"
#define NX 24
#define NY 20
static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1},
    opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double wt[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static void lbm(double f[NX][NY][9], double g[NX][NY][9], char solid[NX][NY], double omega) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            double rho = 0, ux = 0, uy = 0;
            for (int k = 0; k < 9; k++) {
                rho += f[i][j][k];
                ux += cx[k] * f[i][j][k];
                uy += cy[k] * f[i][j][k];
            }
            ux /= rho; uy /= rho;
            double u2 = ux * ux + uy * uy;
            for (int k = 0; k < 9; k++) {
                double cu = cx[k] * ux + cy[k] * uy;
                double eq = wt[k] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * u2);
                int x = (i + cx[k] + NX) % NX, y = (j + cy[k] + NY) % NY;
                if (solid[x][y]) g[i][j][opp[k]] = f[i][j][k];
                else g[x][y][k] = f[i][j][k] + omega * (eq - f[i][j][k]);
            }
        }
}
typedef struct { int nx, ny; double *h, *hu, *hv; } Water;
#define AT(i, j) ((i) * w->ny + (j))
static void water(Water *w, Water *o, double g, double dt, double dx) {
#pragma omp parallel for
    for (int i = 1; i < w->nx - 1; i++) {
        for (int j = 1; j < w->ny - 1; j++) {
            double hl = w->h[AT(i - 1, j)], hr = w->h[AT(i + 1, j)], hd = w->h[AT(i, j - 1)],
                hu = w->h[AT(i, j + 1)];
            o->h[AT(i, j)] = 0.25 * (hl + hr + hd + hu) - dt / (2 * dx) *
                (w->hu[AT(i + 1, j)] - w->hu[AT(i - 1, j)] + w->hv[AT(i, j + 1)] - w->hv[AT(i, j - 1)]);
            o->hu[AT(i, j)] = w->hu[AT(i, j)] - dt * g * w->h[AT(i, j)] * (hr - hl) / (2 * dx);
            o->hv[AT(i, j)] = w->hv[AT(i, j)] - dt * g * w->h[AT(i, j)] * (hu - hd) / (2 * dx);
        }
    }
}
struct grid { int nx, ny, nz; float *ex, *ey, *ez, *hx, *hy, *hz; };
#define I3(g, i, j, k) (((i) * (g)->ny + (j)) * (g)->nz + (k))
static void fdtd3(struct grid *g, float c) {
    int nx = g->nx, ny = g->ny, nz = g->nz;
#pragma omp target teams distribute parallel for collapse(3)
    for (int i = 0; i < nx - 1; i++)
        for (int j = 0; j < ny - 1; j++)
            for (int k = 0; k < nz - 1; k++) {
                g->hx[I3(g, i, j, k)] += c * ((g->ey[I3(g, i, j, k + 1)] - g->ey[I3(g, i, j, k)]) -
                                              (g->ez[I3(g, i, j + 1, k)] - g->ez[I3(g, i, j, k)]));
                g->hy[I3(g, i, j, k)] += c * ((g->ez[I3(g, i + 1, j, k)] - g->ez[I3(g, i, j, k)]) -
                                              (g->ex[I3(g, i, j, k + 1)] - g->ex[I3(g, i, j, k)]));
                g->hz[I3(g, i, j, k)] += c * ((g->ex[I3(g, i, j + 1, k)] - g->ex[I3(g, i, j, k)]) -
                                              (g->ey[I3(g, i + 1, j, k)] - g->ey[I3(g, i, j, k)]));
            }
}
static void wave(int nt, int n, double u[3][n], double c2) {
#pragma scop
    for (int t = 1; t < nt; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 3][i] = 2 * u[t % 3][i] - u[(t - 1) % 3][i] + c2 *
                (u[t % 3][i + 1] - 2 * u[t % 3][i] + u[t % 3][i - 1]);
#pragma endscop
}
static void life(int n, int m, const unsigned char *a, unsigned char *b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (di || dj) s += a[(i + di + n) % n * m + (j + dj + m) % m];
            b[i * m + j] = s == 3 || (s == 2 && a[i * m + j]);
        }
}
static void gray_scott(int n, float (*u)[n], float (*v)[n], float (*un)[n], float (*vn)[n], float F,
                       float k) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int im = i == 0 ? n - 1 : i - 1, ip = i == n - 1 ? 0 : i + 1;
        for (int j = 0; j < n; j++) {
            int jm = j == 0 ? n - 1 : j - 1, jp = j == n - 1 ? 0 : j + 1;
            float lu = u[im][j] + u[ip][j] + u[i][jm] + u[i][jp] - 4 * u[i][j];
            float lv = v[im][j] + v[ip][j] + v[i][jm] + v[i][jp] - 4 * v[i][j];
            float r = u[i][j] * v[i][j] * v[i][j];
            un[i][j] = u[i][j] + 0.16f * lu - r + F * (1 - u[i][j]);
            vn[i][j] = v[i][j] + 0.08f * lv + r - (F + k) * v[i][j];
        }
    }
}
static void sor(int n, double u[n][n], const double f[n][n], double om) {
    for (int color = 0; color < 2; color++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
                u[i][j] = (1 - om) * u[i][j] + om * 0.25 *
                    (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
    }
}
int main(void) {
    suite_use();
    static double f[NX][NY][9], g[NX][NY][9];
    static char solid[NX][NY];
    for (int i = 0; i < NX * NY * 9; i++) (&f[0][0][0])[i] = 0.1 + 0.01 * suite_next();
    solid[5][5] = solid[6][5] = solid[5][6] = 1;
    for (int t = 0; t < 3; t++) { lbm(f, g, solid, 1.2); memcpy(f, g, sizeof f); }
    show_doubles("lbm", &f[0][0][0], NX * NY * 9);
    static double w1[3][400], w2[3][400];
    fill_doubles(&w1[0][0], 1200);
    Water a = {20, 20, w1[0], w1[1], w1[2]}, b = {20, 20, w2[0], w2[1], w2[2]};
    water(&a, &b, 9.81, 0.01, 1); show_doubles("water", &w2[0][0], 1200);
    static float e[6][9 * 10 * 11];
    fill_floats(&e[0][0], 6 * 990);
    struct grid G = {9, 10, 11, e[0], e[1], e[2], e[3], e[4], e[5]};
    fdtd3(&G, 0.4f); show_floats("fdtd3", &e[0][0], 6 * 990);
    static double u[3][64];
    fill_doubles(&u[0][0], 192); wave(9, 64, u, 0.3); show_doubles("wave", &u[0][0], 192);
    static unsigned char la[30 * 40], lb[30 * 40];
    for (int i = 0; i < 1200; i++) la[i] = suite_next() < 0.4;
    life(30, 40, la, lb); int alive = 0; for (int i = 0; i < 1200; i++) alive += lb[i] * (i % 7 + 1);
    printf("life %d\n", alive);
    static float gs[4][32][32];
    fill_floats(&gs[0][0][0], 2048); gray_scott(32, gs[0], gs[1], gs[2], gs[3], 0.03f, 0.06f);
    show_floats("gs", &gs[2][0][0], 2048);
    static double su[400], sf[400];
    fill_doubles(su, 400); fill_doubles(sf, 400);
    sor(20, (void *)su, (void *)sf, 1.5); show_doubles("sor", su, 400);
    return 0;
}
