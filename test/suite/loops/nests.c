// device 24
// nests.c -- two and three loops: orders, triangles, wavefronts, statements between the loops.
#include "loops.h"

static void add_2d(void) { // parallel
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            aa[i][j] = aa[i][j] + bb[i][j] * cc[i][j];
#pragma endscop
}
static void columns_first(void) { // parallel
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            aa[j][i] = bb[j][i] * cc[i][j];
#pragma endscop
}
static void down_columns(void) { // parallel over j
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 1; j < M; j++)
            aa[j][i] = aa[j - 1][i] + bb[j][i];
#pragma endscop
}
static void along_rows(void) { // parallel over i
#pragma scop
    for (int j = 1; j < M; j++)
        for (int i = 0; i < M; i++)
            aa[i][j] = aa[i][j - 1] * 0.5f + cc[i][j];
#pragma endscop
}
static void triangle_upper(void) { // parallel
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = i; j < M; j++)
            aa[i][j] = bb[i][j] + 1.0f;
#pragma endscop
}
static void triangle_lower(void) { // parallel
#pragma scop
    for (int i = 1; i < M; i++)
        for (int j = 0; j < i; j++)
            aa[i][j] = aa[j][i] + bb[i][j];
#pragma endscop
}
static void wavefront(void) { // serial loops: only diagonals are parallel
#pragma sculpt
    for (int i = 1; i < M; i++)
        for (int j = 1; j < M; j++)
            aa[i][j] = aa[i - 1][j] * 0.5f + aa[i][j - 1] * 0.25f;
}
static void diagonal(void) { // parallel
#pragma scop
    for (int i = 0; i < M; i++)
        aa[i][i] += bb[i][i] * 2.0f;
#pragma endscop
}
static void skewed(void) { // parallel over j
#pragma scop
    for (int i = 1; i < M; i++)
        for (int j = 0; j < M - i; j++)
            flat[(i + 1) * M + j] = flat[i * M + j] * 0.5f + aa[i][j];
#pragma endscop
}
static void between(void) { // parallel over i: b[i] changes between the inner loops
#pragma scop
    for (int i = 0; i < M; i++) {
        b[i] += a[i] * 2.0f;
        for (int j = 1; j < M; j++)
            aa[i][j] = aa[i][j - 1] + b[i] * cc[i][j];
        c[i] = aa[i][M - 1];
    }
#pragma endscop
}
static void between_columns(void) { // parallel over j in the inner loop
#pragma scop
    for (int i = 1; i < M; i++) {
        a[i] = b[i] * 2.0f;
        for (int j = 0; j < M; j++)
            aa[i][j] = aa[i - 1][j] + a[i];
    }
#pragma endscop
}
static void flat_2d(int n) { // parallel: one row after the other in one array
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            flat[i * n + j] = aa[i][j] - bb[j][i];
#pragma endscop
}
static void flat_transposed(int n) { // parallel
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            flat[j * n + i] = aa[i][j];
#pragma endscop
}
static void flat_pitched(int n, int pitch) { // parallel when the rows fit
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            flat[i * pitch + j] += aa[j][i];
#pragma endscop
}
static void product(void) { // parallel over i and j
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M; k++)
                aa[i][j] += bb[i][k] * cc[k][j];
#pragma endscop
}
static void product_ikj(void) { // parallel over i and j
#pragma scop
    for (int k = 0; k < M; k++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                aa[i][j] = aa[i][j] + bb[i][k] * cc[k][j];
#pragma endscop
}
static void outer_vector(void) { // parallel over i
#pragma omp parallel for
    for (int i = 0; i < M; i++) {
        float s = 0;
        for (int j = 0; j <= i; j++)
            s += aa[j][i] * b[j];
        a[i] = s;
    }
}
static void repeated(int times) { // serial outside, parallel inside
#pragma scop
    for (int t = 0; t < times; t++)
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i - 1] * 0.5f + b[i + 1] * 0.5f + a[i] * 0.5f;
#pragma endscop
}
static void ping_pong(int times) { // serial outside, two kernels inside
#pragma scop
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < N - 1; i++)
            a[i] = (b[i - 1] + b[i] + b[i + 1]) * 0.333f;
        for (int i = 1; i < N - 1; i++)
            b[i] = a[i];
    }
#pragma endscop
}
static void invariant_store(void) { // parallel over i: each turn of j writes the same place
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            a[i] = aa[i][j] + bb[j][i];
#pragma endscop
}
static void solve_down(void) { // parallel over columns of right-hand sides
#pragma scop
    for (int j = 0; j < M; j++)
        for (int i = 0; i < M; i++)
            for (int k = 0; k < i; k++)
                bb[i][j] -= aa[i][k] * bb[k][j] * 0.01f;
#pragma endscop
}
static void minmax_bounds(int w) { // parallel: band matrix
#pragma scop
    for (int i = 0; i < M; i++) {
        int lo = i - w < 0 ? 0 : i - w, hi = i + w < M - 1 ? i + w : M - 1;
        for (int j = lo; j <= hi; j++)
            a[i] += aa[i][j] * b[j];
    }
#pragma endscop
}
static void by_index_2d(int n) { // parallel: quotients and rests
#pragma scop
    for (int k = 0; k < n * 1; k++)
        flat[k] = (float)(k / 7) * 0.5f + (float)(k % 7);
#pragma endscop
}
static void tiled_by_hand(void) { // parallel
#pragma scop
    for (int i0 = 0; i0 < M; i0 += 8)
        for (int j0 = 0; j0 < M; j0 += 8)
            for (int i = i0; i < (i0 + 8 < M ? i0 + 8 : M); i++)
                for (int j = j0; j < (j0 + 8 < M ? j0 + 8 : M); j++)
                    aa[i][j] = bb[j][i];
#pragma endscop
}

int main(void) {
    RUN(add_2d), RUN(columns_first), RUN(down_columns), RUN(along_rows), RUN(triangle_upper),
        RUN(triangle_lower), RUN(wavefront);
    RUN(diagonal), RUN(skewed), RUN(between), RUN(between_columns), RUN(flat_2d, M), RUN(flat_2d, 0),
        RUN(flat_2d, 1);
    RUN(flat_transposed, M), RUN(flat_pitched, M, M), RUN(flat_pitched, 20, 30), RUN(flat_pitched, 20, 10),
        RUN(flat_pitched, 20, 1);
    RUN(product), RUN(product_ikj), RUN(outer_vector), RUN(repeated, 5), RUN(repeated, 0), RUN(ping_pong, 6),
        RUN(invariant_store);
    RUN(solve_down), RUN(minmax_bounds, 3), RUN(minmax_bounds, 0), RUN(minmax_bounds, 100),
        RUN(by_index_2d, 900), RUN(tiled_by_hand);
    suite_use();
    return 0;
}
