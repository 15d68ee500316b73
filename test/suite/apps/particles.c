// device 13
// particles.c -- particles in boxes, gravity, flow through faces, filters: structs by value and in arrays.
#include "../suite.h"

typedef struct {
    double v, x, y, z;
} Four;
typedef struct {
    double x, y, z;
} Three;
typedef struct {
    int x, y, z, number;
    long offset;
} Neighbour;
typedef struct {
    int x, y, z, number;
    long offset;
    int nn;
    Neighbour nei[26];
} Box;
typedef struct {
    int boxes1d;
    long boxes, elements;
} Dim;
typedef struct {
    double alpha;
} Param;
#define PER_BOX 10
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))

static void boxes_force(Param par, Dim dim, Box *box, Four *rv, double *qv, Four *fv) {
    double alpha, a2, r2, u2, fs, vij, fxij, fyij, fzij;
    Three d;
    int i, j, k, l, pointer;
    long first_i, first_j;
    Four *rA, *fA, *rB;
    double *qB;
    alpha = par.alpha;
    a2 = 2.0 * alpha * alpha;
#pragma omp parallel for private(i, j, k) private(first_i, rA, fA) private(pointer, first_j, rB, qB) \
    private(r2, u2, fs, vij, fxij, fyij, fzij, d)
    for (l = 0; l < dim.boxes; l = l + 1) {
        first_i = box[l].offset;
        rA = &rv[first_i];
        fA = &fv[first_i];
        for (k = 0; k < (1 + box[l].nn); k++) {
            if (k == 0) {
                pointer = l;
            } else {
                pointer = box[l].nei[k - 1].number;
            }
            first_j = box[pointer].offset;
            rB = &rv[first_j];
            qB = &qv[first_j];
            for (i = 0; i < PER_BOX; i = i + 1) {
                for (j = 0; j < PER_BOX; j = j + 1) {
                    r2 = rA[i].v + rB[j].v - DOT(rA[i], rB[j]);
                    u2 = a2 * r2;
                    vij = exp(-u2);
                    fs = 2. * vij;
                    d.x = rA[i].x - rB[j].x;
                    d.y = rA[i].y - rB[j].y;
                    d.z = rA[i].z - rB[j].z;
                    fxij = fs * d.x;
                    fyij = fs * d.y;
                    fzij = fs * d.z;
                    fA[i].v += qB[j] * vij;
                    fA[i].x += qB[j] * fxij;
                    fA[i].y += qB[j] * fyij;
                    fA[i].z += qB[j] * fzij;
                }
            }
        }
    }
}
static void lava(int n) {
    Dim dim = {n, (long)n * n * n, (long)n * n * n * PER_BOX};
    Box *box = calloc(dim.boxes, sizeof(Box));
    Four *rv = calloc(dim.elements, sizeof(Four)), *fv = calloc(dim.elements, sizeof(Four));
    double *qv = malloc(sizeof(double) * dim.elements);
    int at = 0;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++, at++) {
                box[at].x = x, box[at].y = y, box[at].z = z, box[at].number = at,
                    box[at].offset = (long)at * PER_BOX;
                for (int dz = -1; dz <= 1; dz++)
                    for (int dy = -1; dy <= 1; dy++)
                        for (int dx = -1; dx <= 1; dx++) {
                            if (z + dz < 0 || z + dz >= n || y + dy < 0 || y + dy >= n || x + dx < 0 ||
                                x + dx >= n || (!dx && !dy && !dz)) continue;
                            box[at].nei[box[at].nn++].number = ((z + dz) * n + y + dy) * n + x + dx;
                        }
            }
    fill_doubles((double *)rv, dim.elements * 4), fill_doubles(qv, dim.elements);
    boxes_force((Param){0.5}, dim, box, rv, qv, fv);
    show_doubles("boxes", (double *)fv, dim.elements * 4);
    free(box), free(rv), free(fv), free(qv);
}

typedef struct {
    double x, y, z, vx, vy, vz, m;
} Body;
static void gravity(Body *p, int n, double dt) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < n; j++) {
            double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            double d2 = dx * dx + dy * dy + dz * dz + 1e-3;
            double inv = 1.0 / sqrt(d2), inv3 = inv * inv * inv * p[j].m;
            fx += dx * inv3, fy += dy * inv3, fz += dz * inv3;
        }
        p[i].vx += dt * fx, p[i].vy += dt * fy, p[i].vz += dt * fz;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        p[i].x += p[i].vx * dt;
        p[i].y += p[i].vy * dt;
        p[i].z += p[i].vz * dt;
    }
}

// Flow over an unstructured grid: variables by structure of arrays, functions by value.
#define NNB 4
#define NVAR 5
typedef struct {
    float x, y, z;
} F3;
static inline void velocity(float density, F3 momentum, F3 *v) {
    v->x = momentum.x / density;
    v->y = momentum.y / density;
    v->z = momentum.z / density;
}
static inline float speed2(F3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
static inline float pressure_of(float density, float energy,
                                float s2) { return (1.4f - 1.0f) * (energy - 0.5f * density * s2); }
static inline float sound(float density, float p) { return sqrtf(1.4f * p / density); }
static inline F3 scaled(F3 v, float s) {
    F3 r = {v.x * s, v.y * s, v.z * s};
    return r;
}
static void step_factor(int nelr, float *restrict variables, float *areas, float *restrict factors) {
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < nelr; i++) {
        float density = variables[NVAR * i + 0];
        F3 momentum;
        momentum.x = variables[NVAR * i + 1];
        momentum.y = variables[NVAR * i + 2];
        momentum.z = variables[NVAR * i + 3];
        float energy = variables[NVAR * i + 4];
        F3 vel;
        velocity(density, momentum, &vel);
        float s2 = speed2(vel);
        float pressure = pressure_of(density, energy, s2);
        float c = sound(density, pressure);
        factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(s2) + c));
    }
}
static void flux(int nelr, int *surrounding, float *normals, float *variables, float *fluxes) {
#pragma omp parallel for
    for (int i = 0; i < nelr; i++) {
        float density_i = variables[NVAR * i];
        F3 mom_i = {variables[NVAR * i + 1], variables[NVAR * i + 2], variables[NVAR * i + 3]}, vel_i;
        velocity(density_i, mom_i, &vel_i);
        float p_i = pressure_of(density_i, variables[NVAR * i + 4], speed2(vel_i));
        float fd = 0.0f, fe = 0.0f;
        F3 fm = {0, 0, 0};
        for (int j = 0; j < NNB; j++) {
            int nb = surrounding[i * NNB + j];
            F3 normal = {normals[(i * NNB + j) * 3], normals[(i * NNB + j) * 3 + 1],
                         normals[(i * NNB + j) * 3 + 2]};
            if (nb >= 0) {
                float density = variables[nb * NVAR];
                F3 mom, vel;
                mom.x = variables[nb * NVAR + 1];
                mom.y = variables[nb * NVAR + 2];
                mom.z = variables[nb * NVAR + 3];
                velocity(density, mom, &vel);
                float p = pressure_of(density, variables[nb * NVAR + 4], speed2(vel));
                F3 half = scaled(normal, 0.5f);
                fd += half.x * (mom.x + mom_i.x) + half.y * (mom.y + mom_i.y) + half.z * (mom.z + mom_i.z);
                fm.x += half.x * (p + p_i), fm.y += half.y * (p + p_i), fm.z += half.z * (p + p_i);
                fe += 0.25f * (p * vel.x + p_i * vel_i.x);
            } else if (nb == -1) {
                fm.x += normal.x * p_i;
                fm.y += normal.y * p_i;
                fm.z += normal.z * p_i;
            }
        }
        fluxes[NVAR * i] = fd;
        fluxes[NVAR * i + 1] = fm.x;
        fluxes[NVAR * i + 2] = fm.y;
        fluxes[NVAR * i + 3] = fm.z;
        fluxes[NVAR * i + 4] = fe;
    }
}
static void advance(int j, int nelr, float *old, float *variables, float *factors, float *fluxes) {
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < nelr; i++) {
        float factor = factors[i] / (float)(3 + 1 - j);
        variables[NVAR * i + 0] = old[NVAR * i + 0] + factor * fluxes[NVAR * i + 0];
        variables[NVAR * i + 1] = old[NVAR * i + 1] + factor * fluxes[NVAR * i + 1];
        variables[NVAR * i + 2] = old[NVAR * i + 2] + factor * fluxes[NVAR * i + 2];
        variables[NVAR * i + 3] = old[NVAR * i + 3] + factor * fluxes[NVAR * i + 3];
        variables[NVAR * i + 4] = old[NVAR * i + 4] + factor * fluxes[NVAR * i + 4];
    }
}
static void flow(int n) {
    float *areas = malloc(sizeof(float) * n), *normals = malloc(sizeof(float) * n * NNB * 3),
        *vars = malloc(sizeof(float) * n * NVAR);
    float *old = malloc(sizeof(float) * n * NVAR), *fluxes = malloc(sizeof(float) * n * NVAR),
        *factors = malloc(sizeof(float) * n);
    int *around = malloc(sizeof(int) * n * NNB);
    fill_floats(areas, n), fill_floats(normals, n * NNB * 3), fill_floats(vars, n * NVAR),
        fill_ints(around, n * NNB, n + 1);
    for (int i = 0; i < n; i++) areas[i] += 1, vars[NVAR * i] += 2, vars[NVAR * i + 4] += 5;
    for (int i = 0; i < n * NNB; i++) around[i]--;
    for (int round = 0; round < 2; round++) {
        memcpy(old, vars, sizeof(float) * n * NVAR);
        step_factor(n, vars, areas, factors);
        for (int j = 0; j < 3; j++) {
            flux(n, around, normals, vars, fluxes);
            advance(j, n, old, vars, factors, fluxes);
        }
    }
    show_floats("flow", vars, n * NVAR), show_floats("factors", factors, n);
    free(areas), free(normals), free(vars), free(old), free(fluxes), free(factors), free(around);
}

// A particle filter's steps: likelihoods, weights, running sums, resampling.
static int place_in(const double *cdf, int n, double value) {
    for (int x = 0; x < n; x++)
        if (cdf[x] >= value) return x;
    return n - 1;
}
static void filter(int n, int frames) {
    double *weight = malloc(sizeof(double) * n), *like = malloc(sizeof(double) * n),
        *ax = malloc(sizeof(double) * n), *ay = malloc(sizeof(double) * n);
    double *cdf = malloc(sizeof(double) * n), *u = malloc(sizeof(double) * n),
        *xj = malloc(sizeof(double) * n), *yj = malloc(sizeof(double) * n);
    double *noise = malloc(sizeof(double) * 2 * n);
    int x;
    for (x = 0; x < n; x++) weight[x] = 1 / ((double)n), ax[x] = 64, ay[x] = 64;
    for (int k = 1; k < frames; k++) {
        fill_doubles(noise, 2 * n);
#pragma omp parallel for shared(ax, ay, n, noise) private(x)
        for (x = 0; x < n; x++) {
            ax[x] += 1 + 5 * noise[x];
            ay[x] += -2 + 2 * noise[x + n];
        }
#pragma omp parallel for private(x)
        for (x = 0; x < n; x++) {
            like[x] = 0;
            for (int y = 0; y < 9; y++) {
                double dx = ax[x] - 64 - y, dy = ay[x] - 60 + y;
                like[x] += (dx * dx - dy * dy) / 500.0;
            }
            like[x] = like[x] / 9;
            weight[x] = weight[x] * exp(like[x]);
        }
        double sum = 0;
#pragma omp parallel for private(x) reduction(+ : sum)
        for (x = 0; x < n; x++) sum += weight[x];
#pragma omp parallel for shared(sum, weight) private(x)
        for (x = 0; x < n; x++) weight[x] = weight[x] / sum;
        double xe = 0, ye = 0;
#pragma omp parallel for private(x) reduction(+ : xe, ye)
        for (x = 0; x < n; x++) {
            xe += ax[x] * weight[x];
            ye += ay[x] * weight[x];
        }
        printf("at %.5e %.5e\n", xe, ye);
        cdf[0] = weight[0];
        for (x = 1; x < n; x++) cdf[x] = weight[x] + cdf[x - 1];
        double u1 = 1 / ((double)(n)) * 0.37;
#pragma omp parallel for shared(u, u1, n) private(x)
        for (x = 0; x < n; x++) u[x] = u1 + x / ((double)(n));
        int i;
#pragma omp parallel for private(i, x)
        for (x = 0; x < n; x++) { // a search that returns early
            i = place_in(cdf, n, u[x]);
            xj[x] = ax[i];
            yj[x] = ay[i];
        }
        for (x = 0; x < n; x++) ax[x] = xj[x], ay[x] = yj[x], weight[x] = 1 / ((double)n);
    }
    free(weight), free(like), free(ax), free(ay), free(cdf), free(u), free(xj), free(yj), free(noise);
}
int main(void) {
    lava(3);
    Body p[90];
    fill_doubles((double *)p, 90 * 7);
    for (int t = 0; t < 3; t++) gravity(p, 90, 0.01);
    show_doubles("bodies", (double *)p, 90 * 7);
    flow(150), filter(200, 4);
    suite_use();
    return 0;
}
