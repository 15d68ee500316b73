// device 6
// bodies.c -- particles: forces of all pairs, boxes that repeat, charges on a grid and back, densities.
#include "../suite.h"
typedef struct { float x, y, z, vx, vy, vz, m; } Body;
static void forces(int n, Body *p, float dt) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        float fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            float d2 = dx * dx + dy * dy + dz * dz + 1e-3f;
            float inv = 1.0f / sqrtf(d2);
            float inv3 = inv * inv * inv * p[j].m;
            fx += dx * inv3; fy += dy * inv3; fz += dz * inv3;
        }
        p[i].vx += dt * fx; p[i].vy += dt * fy; p[i].vz += dt * fz;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) { p[i].x += p[i].vx * dt; p[i].y += p[i].vy * dt; p[i].z += p[i].vz * dt; }
}
static double lj(int n, double box, double rc, const double (*r)[3], double (*f)[3]) {
    double e = 0, rc2 = rc * rc;
#pragma omp parallel for reduction(+:e)
    for (int i = 0; i < n; i++) {
        double acc[3] = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = r[i][k] - r[j][k];
                if (d[k] > 0.5 * box) d[k] -= box;
                else if (d[k] < -0.5 * box) d[k] += box;
                r2 += d[k] * d[k];
            }
            if (r2 < rc2) {
                double i2 = 1 / r2, i6 = i2 * i2 * i2;
                double ff = 48 * i2 * i6 * (i6 - 0.5);
                for (int k = 0; k < 3; k++) acc[k] += ff * d[k];
                e += 2 * i6 * (i6 - 1);
            }
        }
        for (int k = 0; k < 3; k++) f[i][k] = acc[k];
    }
    return e;
}
static void deposit(int np, int ng, double dx, const double *x, double *rho) {
    for (int i = 0; i < ng; i++) rho[i] = 0;
#pragma acc parallel loop
    for (int p = 0; p < np; p++) {
        int c = (int)(x[p] / dx);
        double w = x[p] / dx - c;
#pragma acc atomic update
        rho[c] += 1 - w;
#pragma acc atomic update
        rho[c + 1] += w;
    }
}
static void push(int np, double dx, double dt, double len, double *x, double *v, const double *E) {
#pragma omp parallel for
    for (int p = 0; p < np; p++) {
        int c = (int)(x[p] / dx);
        double w = x[p] / dx - c;
        v[p] += dt * ((1 - w) * E[c] + w * E[c + 1]);
        x[p] += dt * v[p];
        if (x[p] < 0) x[p] += len;
        else if (x[p] >= len) x[p] -= len;
    }
}
static void bin(int n, int nc, const float *x, int *cell, int *count) {
    for (int c = 0; c < nc; c++) count[c] = 0;
    for (int i = 0; i < n; i++) {
        cell[i] = (int)(x[i] * nc);
        count[cell[i]]++;
    }
}
static void density(int n, float h, const float *x, const float *y, const float *m, float *rho) {
    const float k = 4.0f / (3.14159265f * h * h * h * h * h * h * h * h), h2 = h * h;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++) {
            const float dx = x[i] - x[j], dy = y[i] - y[j], r2 = dx * dx + dy * dy;
            if (r2 < h2) {
                const float t = h2 - r2;
                s += m[j] * k * t * t * t;
            }
        }
        rho[i] = s;
    }
}
int main(void) {
    suite_use();
    Body p[70];
    for (int i = 0; i < 70; i++) p[i] = (Body){suite_next(), suite_next(), suite_next(), 0, 0, 0,
                                               1 + suite_next()};
    for (int t = 0; t < 3; t++) forces(70, p, 0.001f);
    show_floats("nbody", &p[0].x, 70 * 7);
    static double r[90][3], f[90][3];
    for (int i = 0; i < 90; i++) r[i][0] = i % 5 + 0.1 * suite_next(),
        r[i][1] = i / 5 % 5 + 0.1 * suite_next(), r[i][2] = i / 25 + 0.1 * suite_next();
    printf("lj %.6e\n", lj(90, 5.0, 2.4, (const double (*)[3])r, f)); show_doubles("lj", &f[0][0], 270);
    double x[200], v[200], rho[33], E[33];
    for (int i = 0; i < 200; i++) x[i] = suite_next() * 31.9, v[i] = suite_next() - 0.5;
    for (int i = 0; i < 33; i++) E[i] = 0.1 * (i % 7 - 3);
    deposit(200, 33, 1.0, x, rho); show_doubles("rho", rho, 33);
    push(200, 1.0, 0.1, 32.0, x, v, E); show_doubles("push", x, 200);
    float fx[100], fy[100], fm[100], fr[100]; int cell[100], count[10];
    for (int i = 0; i < 100; i++) fx[i] = suite_next(), fy[i] = suite_next(), fm[i] = 1;
    bin(100, 10, fx, cell, count); show_ints("bin", cell, 100); show_ints("bin", count, 10);
    density(100, 0.2f, fx, fy, fm, fr); show_floats("sph", fr, 100);
    return 0;
}
