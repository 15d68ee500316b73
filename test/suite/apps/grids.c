// device 6
// grids.c -- heat on a chip, speckle removal, shortest paths down a wall: grids behind bare pointers.
#include "../suite.h"

// One time step of a heat model: corners, edges and the inside each have their own neighbours.
static void heat_step(float *result, float *temp, float *power, int row, int col, float cap, float rx,
                      float ry, float rz, float step) {
    float delta;
    int r, c;
    float amb = 80.0f;
#pragma omp parallel for private(r, c, delta) shared(result, temp, power) schedule(static)
    for (r = 0; r < row; r++) {
        for (c = 0; c < col; c++) {
            float up = r > 0 ? temp[(r - 1) * col + c] : temp[r * col + c];
            float down = r < row - 1 ? temp[(r + 1) * col + c] : temp[r * col + c];
            float left = c > 0 ? temp[r * col + c - 1] : temp[r * col + c];
            float right = c < col - 1 ? temp[r * col + c + 1] : temp[r * col + c];
            delta = (step / cap) * (power[r * col + c] + (down + up - 2.0f * temp[r * col + c]) * ry +
                                    (right + left - 2.0f * temp[r * col + c]) * rx +
                                        (amb - temp[r * col + c]) * rz);
            result[r * col + c] = temp[r * col + c] + delta;
        }
    }
}
static void heat(int rows, int cols, int steps) {
    float *temp = malloc(sizeof(float) * rows * cols), *power = malloc(sizeof(float) * rows * cols);
    float *next = calloc(rows * cols, sizeof(float));
    fill_floats(temp, rows * cols), fill_floats(power, rows * cols);
    for (int i = 0; i < rows * cols; i++) temp[i] = temp[i] * 20 + 70;
    float *from = temp, *to = next;
    for (int t = 0; t < steps; t++) {
        heat_step(to, from, power, rows, cols, 0.5f, 0.1f, 0.1f, 0.0125f, 0.3f);
        float *swap = from;
        from = to;
        to = swap;
    }
    show_floats("heat", from, rows * cols);
    free(temp), free(power), free(next);
}

// Anisotropic diffusion with neighbour tables, as image codes keep them.
static void speckle(int rows, int cols, int rounds) {
    int size = rows * cols, i, j, k, iter;
    float *image = malloc(sizeof(float) * size), *c = malloc(sizeof(float) * size);
    float *dN = malloc(sizeof(float) * size), *dS = malloc(sizeof(float) * size);
    float *dW = malloc(sizeof(float) * size), *dE = malloc(sizeof(float) * size);
    int *iN = malloc(sizeof(int) * rows), *iS = malloc(sizeof(int) * rows), *jW = malloc(sizeof(int) * cols),
        *jE = malloc(sizeof(int) * cols);
    for (i = 0; i < rows; i++) iN[i] = i ? i - 1 : 0, iS[i] = i < rows - 1 ? i + 1 : i;
    for (j = 0; j < cols; j++) jW[j] = j ? j - 1 : 0, jE[j] = j < cols - 1 ? j + 1 : j;
    for (i = 0; i < size; i++) image[i] = (float)exp(suite_next());
    float sum, sum2, tmp, mean, var, q0, lambda = 0.5f;
    for (iter = 0; iter < rounds; iter++) {
        sum = 0, sum2 = 0;
#pragma omp parallel for collapse(2) private(tmp) reduction(+ : sum, sum2)
        for (i = 2; i < rows - 2; i++)
            for (j = 2; j < cols - 2; j++) {
                tmp = image[i * cols + j];
                sum += tmp;
                sum2 += tmp * tmp;
            }
        mean = sum / ((rows - 4) * (cols - 4));
        var = sum2 / ((rows - 4) * (cols - 4)) - mean * mean;
        q0 = var / (mean * mean);
        float Jc, G2, L, num, den, qsqr;
#pragma omp parallel for shared(image, dN, dS, dW, dE, c, rows, cols, iN, iS, jW, jE) \
    private(i, j, k, Jc, G2, L, num, den, qsqr)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                Jc = image[k];
                dN[k] = image[iN[i] * cols + j] - Jc;
                dS[k] = image[iS[i] * cols + j] - Jc;
                dW[k] = image[i * cols + jW[j]] - Jc;
                dE[k] = image[i * cols + jE[j]] - Jc;
                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
                den = 1 + (.25f * L);
                qsqr = num / (den * den);
                den = (qsqr - q0) / (q0 * (1 + q0));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0) {
                    c[k] = 0;
                } else if (c[k] > 1) {
                    c[k] = 1;
                }
            }
        }
        float cN, cS, cW, cE, D;
#pragma omp parallel for shared(image, c, rows, cols, lambda) private(i, j, k, D, cS, cN, cW, cE)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                cN = c[k];
                cS = c[iS[i] * cols + j];
                cW = c[k];
                cE = c[i * cols + jE[j]];
                D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                image[k] = image[k] + 0.25f * lambda * D;
            }
        }
    }
    show_floats("speckle", image, size);
    free(image), free(c), free(dN), free(dS), free(dW), free(dE), free(iN), free(iS), free(jW), free(jE);
}

#define LEAST(p, q) ((p) <= (q) ? (p) : (q))
static void wall(int cols, int rows) {
    int *data = malloc(sizeof(int) * rows * cols), **row = malloc(sizeof(int *) * rows);
    int *src = malloc(sizeof(int) * cols), *dst = malloc(sizeof(int) * cols), *temp, min;
    fill_ints(data, rows * cols, 10);
    for (int n = 0; n < rows; n++) row[n] = data + cols * n;
    for (int j = 0; j < cols; j++) dst[j] = row[0][j];
    for (int t = 0; t < rows - 1; t++) {
        temp = src;
        src = dst;
        dst = temp;
#pragma omp parallel for private(min)
        for (int n = 0; n < cols; n++) {
            min = src[n];
            if (n > 0)
                min = LEAST(min, src[n - 1]);
            if (n < cols - 1)
                min = LEAST(min, src[n + 1]);
            dst[n] = row[t + 1][n] + min;
        }
    }
    show_ints("wall", dst, cols);
    free(data), free(row), free(src), free(dst);
}

// The same heat model in three dimensions, with the neighbours' places as temporaries.
static void chip(float *in, float *power, float *out, int nx, int ny, int nz, float ce, float cw, float cn,
                 float cs, float ct, float cb, float cc) {
    int x, y, z;
#pragma omp parallel for
    for (z = 0; z < nz; z++) {
        int c, w, e, n, s, b, t;
        for (y = 0; y < ny; y++) {
            for (x = 0; x < nx; x++) {
                c = x + y * nx + z * nx * ny;
                w = (x == 0) ? c : c - 1;
                e = (x == nx - 1) ? c : c + 1;
                n = (y == 0) ? c : c - nx;
                s = (y == ny - 1) ? c : c + nx;
                b = (z == 0) ? c : c - nx * ny;
                t = (z == nz - 1) ? c : c + nx * ny;
                out[c] = in[c] * cc + in[n] * cn + in[s] * cs + in[e] * ce + in[w] * cw + in[t] * ct + in[b] *
                    cb + 0.1f * power[c] + ct * 80.0f;
            }
        }
    }
}

int main(void) {
    heat(45, 61, 4), heat(1, 1, 2), heat(1, 7, 2), speckle(40, 52, 3), wall(300, 12), wall(1, 3);
    enum { X = 19, Y = 17, Z = 9 };
    static float in[X * Y * Z], power[X * Y * Z], out[X * Y * Z];
    fill_floats(in, X * Y * Z), fill_floats(power, X * Y * Z);
    for (int t = 0; t < 3; t++) {
        chip(in, power, out, X, Y, Z, 0.1f, 0.1f, 0.12f, 0.12f, 0.05f, 0.05f, 0.4f);
        chip(out, power, in, X, Y, Z, 0.1f, 0.1f, 0.12f, 0.12f, 0.05f, 0.05f, 0.4f);
    }
    show_floats("chip", in, X * Y * Z);
    suite_use();
    return 0;
}
