// device 12
// SPDX-License-Identifier: MIT
// elements.c -- elements with nodes of their own (four loops of which three are short, arrays of an
// iteration's own), gates of a recurrent cell, sorted windows, what rows add up to, histograms among other
// loops, long sums of few results.
#include "../suite.h"
enum { NE = 37, P = 4, ROWS = 29, COLS = 301, W = 45, H = 33, BATCH = 11, CELLS = 19, IN = 23, LONG = 70001 };
static double u[NE][P][P][P], r[NE][P][P][P], s[NE][P][P][P], D[P][P], g[NE];
static float z[ROWS][COLS], x[BATCH][IN], hid[BATCH][CELLS], cell[BATCH][CELLS], out[BATCH][CELLS];
static float wx[4][CELLS][IN], wh[4][CELLS][CELLS], bias[4][CELLS], tall[LONG * 3], gram[3 * 3];
static unsigned char image[H * W], sorted[H * W], table[256];
static int label[ROWS], count[256], at[ROWS];

static void derivatives(int ne, int p, const double u[ne][p][p][p], double r[ne][p][p][p],
                        double s[ne][p][p][p]) {
#pragma sculpt
    for (int e = 0; e < ne; e++)
        for (int k = 0; k < p; k++)
            for (int j = 0; j < p; j++)
                for (int i = 0; i < p; i++) {
                    double a = 0, b = 0;
                    for (int l = 0; l < p; l++) {
                        a += D[i][l] * u[e][k][j][l];
                        b += D[k][l] * u[e][l][j][i];
                    }
                    r[e][k][j][i] = a, s[e][k][j][i] = b;
                }
}
static void short_ones(int ne) {
#pragma omp parallel for collapse(4)
    for (int e = 0; e < ne; e++)
        for (int k = 0; k < P; k++)
            for (int j = 0; j < P; j++)
                for (int i = 0; i < P; i++) r[e][k][j][i] += u[e][i][j][k] * g[e];
}
static void stiffness(int ne, const double *restrict u, double *restrict w) {
#pragma omp parallel for
    for (int e = 0; e < ne; e++) {
        double ur[P * P], us[P * P];
        for (int j = 0; j < P; j++)
            for (int i = 0; i < P; i++) {
                double a = 0, b = 0;
                for (int l = 0; l < P; l++) {
                    a += D[i][l] * u[e * P * P + j * P + l];
                    b += D[j][l] * u[e * P * P + l * P + i];
                }
                ur[j * P + i] = a * g[e % NE], us[j * P + i] = b * g[e % NE];
            }
        for (int j = 0; j < P; j++)
            for (int i = 0; i < P; i++) {
                double a = 0;
                for (int l = 0; l < P; l++) a += D[l][i] * ur[j * P + l] + D[l][j] * us[l * P + i];
                w[e * P * P + j * P + i] = a;
            }
    }
}
static void gates(int batch, int cells, int in) {
#pragma omp parallel for collapse(2)
    for (int b = 0; b < batch; b++)
        for (int v = 0; v < cells; v++) {
            float t[4];
            for (int k = 0; k < 4; k++) {
                float sum = bias[k][v];
                for (int i = 0; i < in; i++) sum += wx[k][v][i] * x[b][i];
                for (int i = 0; i < cells; i++) sum += wh[k][v][i] * hid[b][i];
                t[k] = sum;
            }
            cell[b][v] = t[1] * cell[b][v] + t[0] * t[2];
            out[b][v] = t[3] * cell[b][v];
        }
}
static void median(int h, int w) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            unsigned char v[9];
            for (int k = 0; k < 3; k++)
                for (int c = 0; c < 3; c++) v[k * 3 + c] = image[(i + k - 1) * w + j + c - 1];
            for (int a = 0; a < 8; a++)
                for (int b = 0; b < 8 - a; b++)
                    if (v[b + 1] < v[b]) {
                        unsigned char t = v[b];
                        v[b] = v[b + 1];
                        v[b + 1] = t;
                    }
            sorted[i * w + j] = v[4];
        }
}
static float losses(int rows, int cols) {
    float loss = 0;
#pragma omp parallel for reduction(+ : loss)
    for (int i = 0; i < rows; i++) {
        float m = z[i][0], sum = 0;
        for (int k = 1; k < cols; k++) m = fmaxf(m, z[i][k]);
        for (int k = 0; k < cols; k++) sum += (z[i][k] - m) * 0.25f;
        loss += sum + m - z[i][label[i]];
    }
    return loss;
}
static float largest(int rows, int cols) {
    float norm = 0;
#pragma omp parallel for reduction(max : norm)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int k = 0; k < cols; k++) sum += fabsf(z[i][k]);
        norm = fmaxf(norm, sum);
    }
    return norm;
}
static void best_of_rows(int rows, int cols) {
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        int k = 0;
        float m = z[i][0];
        for (int j = 1; j < cols; j++)
            if (z[i][j] > m) m = z[i][j], k = j;
        at[i] = k;
    }
}
static int right_ones(int rows, int cols) {
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < rows; i++) {
        int k = 0;
        for (int j = 1; j < cols; j++)
            if (z[i][j] >= z[i][k]) k = j;
        n += k == label[i];
    }
    return n;
}
static void equalise(int n) {
#pragma scop
    for (int b = 0; b < 256; b++) count[b] = 0;
    for (int i = 0; i < n; i++) count[image[i]]++;
    for (int b = 1; b < 256; b++) count[b] += count[b - 1];
    for (int b = 0; b < 256; b++) table[b] = count[b] * 255ll / n;
    for (int i = 0; i < n; i++) image[i] = table[image[i]];
#pragma endscop
}
static void lookup(int n, const int *restrict key, double *restrict to) {
#pragma sculpt
    for (int i = 0; i < n; i++) to[i] = g[key[i] & 31];
}
static void long_sums(int n, int f) {
#pragma sculpt reassociate
    for (int j = 0; j < f; j++)
        for (int k = 0; k < f; k++) {
            float sum = 0;
            for (int i = 0; i < n; i++) sum += tall[i * f + j] * tall[i * f + k];
            gram[j * f + k] = sum;
        }
}

int main(void) {
    suite_use();
    fill_doubles(u[0][0][0], NE * P * P * P), fill_doubles(D[0], P * P), fill_doubles(g, NE);
    derivatives(NE, P, u, r, s);
    short_ones(NE);
    show_doubles("r", r[0][0][0], NE * P * P * P), show_doubles("s", s[0][0][0], NE * P * P * P);
    stiffness(NE * P, u[0][0][0], s[0][0][0]);
    show_doubles("w", s[0][0][0], NE * P * P * P);
    fill_floats(wx[0][0], 4 * CELLS * IN), fill_floats(wh[0][0], 4 * CELLS * CELLS);
    fill_floats(x[0], BATCH * IN);
    fill_floats(hid[0], BATCH * CELLS), fill_floats(cell[0], BATCH * CELLS), fill_floats(bias[0], 4 * CELLS);
    gates(BATCH, CELLS, IN);
    show_floats("cell", cell[0], BATCH * CELLS), show_floats("out", out[0], BATCH * CELLS);
    for (int i = 0; i < H * W; i++) image[i] = (unsigned char)(suite_next() * 256);
    median(H, W);
    long sum = 0;
    for (int i = 0; i < H * W; i++) sum += sorted[i] * (1 + i % 17);
    equalise(H * W);
    for (int i = 0; i < H * W; i++) sum += image[i] * (1 + i % 13);
    printf("images %ld\n", sum);
    for (int i = 0; i < ROWS; i++) label[i] = i * 7 % COLS;
    for (int i = 0; i < ROWS * COLS; i++) // sums are exact
        z[i / COLS][i % COLS] = (int)(suite_next() * 64) / 16.0f - 2;
    printf("loss %.4f norm %.4f\n", losses(ROWS, COLS), largest(ROWS, COLS));
    z[3][7] = NAN, z[4][0] = NAN, z[5][COLS - 1] = 9;
    for (int k = 0; k < COLS; k++) z[6][k] = k % 2 ? 0.0f : -0.0f;
    best_of_rows(ROWS, COLS);
    show_ints("best", at, ROWS);
    best_of_rows(ROWS, 1);
    show_ints("one", at, ROWS);
    for (int i = 0; i < ROWS; i += 3) label[i] = at[i];
    printf("right %d\n", right_ones(ROWS, COLS));
    for (int i = 0; i < ROWS; i++) at[i] = i * 11;
    lookup(ROWS, at, u[0][0][0]);
    show_doubles("looked up", u[0][0][0], ROWS);
    for (int i = 0; i < LONG * 3; i++) tall[i] = (float)(i * 37 % 5 - 2);
    long_sums(LONG, 3);
    show_floats("gram", gram, 9);
    return 0;
}
