// device 10
// gathered.c -- index arrays that stay on the device: what they reach is found once, and again whenever they
// changed; products in coordinates, in rows of one length, and of masked rows.
#include "../suite.h"

enum { N = 3000, M = 2100, W = 5 };
static int col[N], row[N + 1], all[N * W], mask[N], at[N];
static double x[M], y[N], a[N * W];

static void gather(int n, const int *c, const double *v, double *out) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) out[i] = v[c[i]] + 1;
}
static void spread(int n, const int *c, double *out) { // nobody vouches for it: it is looked at
#pragma sculpt
    for (int i = 0; i < n; i++) out[c[i]] = 3 * i;
}

// Lists with room for `most` entries each, of which the data say how many there are.
static void neighbours(int n, const int *count, const int *list, int most, const double *p, double *f) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < count[i]; k++) {
            double d = p[list[i * most + k]] - p[i];
            sum += d * d * d;
        }
        f[i] = sum;
    }
}
static void listed(int n, const int *count, int most, int *list) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++) list[i * most + k] = (i * 3 + k * k) % n;
}

int main(void) {
    suite_use();
    int n = N, m = M, w = N * W;
    for (int i = 0; i < m; i++) x[i] = suite_next();
    fill_ints(col, n, 100);
    // Only col is held: x comes anew with each call, as far as col reaches.
#pragma acc enter data copyin(col[0 : n])
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < m; i++) x[i] += round;
        if (round == 2 || round == 4) {
#pragma acc parallel loop
            for (int i = 0; i < n; i++) col[i] = (i * 7 + 11 * round) % (m / 6 * round);
        }
        if (round == 3) {
#pragma acc update self(col[0 : n])
            for (int i = 0; i < n; i += 3) col[i] = m - 1 - i % 50;
#pragma acc update device(col[0 : n])
        }
        gather(n, col, x, y);
        show_doubles("gather", y, n);
        gather(n - round, col + round, x, y);
        show_doubles("of a part", y, n);
    }
#pragma acc exit data copyout(col[0 : n])
    for (int i = 0; i < n; i++) col[i] = i % (m - 7);
    gather(n, col, x, y);
    show_doubles("on the host again", y, n);

    // Values that are to be distinct, and at last are not.
    for (int i = 0; i < n; i++) at[i] = (i * 7 + 3) % n;
#pragma acc enter data copyin(at[0 : n], y[0 : n])
    for (int round = 0; round < 4; round++) {
        if (round == 2) {
#pragma acc parallel loop
            for (int i = 0; i < n; i++) at[i] = n - 1 - i;
        }
        if (round == 3) {
            for (int i = 0; i < n; i++) at[i] = i / 2;
#pragma acc update device(at[0 : n])
        }
        spread(n, at, y);
#pragma acc update self(y[0 : n])
        show_doubles("spread", y, n);
    }
#pragma acc exit data delete(at[0 : n], y[0 : n])

    // Rows of one length, rows under a mask, and coordinates.
    fill_ints(all, w, m);
    fill_ints(mask, n, 2);
    fill_doubles(a, w);
    for (int i = 0; i < n; i++) row[i + 1] = row[i] + i % (2 * W - 1) / 2;
#pragma acc data copyin(all[0 : w], a[0 : w], mask[0 : n], row[0 : n + 1]) copy(y[0 : n])
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < m; i++) x[i] -= 0.5 * round;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < W; k++) sum += a[k * N + i] * x[all[k * N + i]];
            y[i] = sum;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            if (mask[i])
                for (int k = row[i]; k < row[i + 1]; k++) y[i] += a[k] * x[all[k]];
#pragma acc parallel loop
        for (int i = 0; i < n; i++) mask[i] = !mask[i];
    }
    show_doubles("products", y, n);
    for (int k = 0; k < w; k++) all[k] = all[k] % n;
    for (int round = 0; round < 2; round++) {
#pragma omp parallel for
        for (int k = 0; k < w; k++) {
#pragma omp atomic
            y[all[k]] += 0.25 * (k % 8);
        }
    }
    show_doubles("scattered sums", y, n);

    int half = m / 2, most = 9, *list = malloc((size_t)half * (size_t)most * sizeof *list);
    for (int i = 0; i < half; i++) mask[i] = i % (most + 1);
    for (int i = 0; i < half * most; i++) list[i] = -1;
    listed(half, mask, most, list);
    show_ints("lists", list, half * most);
    for (int round = 0; round < 3; round++) {
        neighbours(half, mask, list, most, x, y);
        show_doubles("neighbours", y, half);
        for (int i = 0; i < half; i++) mask[i] = (mask[i] + 3) % 4 * (mask[i] > 3);
    }
    free(list);
    return 0;
}
