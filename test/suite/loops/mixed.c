// device 21
// mixed.c -- loops whose parts run in different ways: locals that outlive a part, reductions next
// to recurrences, conditions around loops, sums into elements, several results at once.
#include "loops.h"

static void local_rows(int times) { // a local array between two inner loops, time around
#pragma scop
    for (int t = 0; t < times; t++)
        for (int i = 0; i < M; i++) {
            float row[M];
            for (int j = 0; j < M; j++)
                row[j] = aa[i][j] * 0.5f + bb[j][i];
            for (int j = 0; j < M; j++)
                aa[i][j] = row[M - 1 - j];
        }
#pragma endscop
}
static void local_in_time(int times) { // the local array's life is one time step
#pragma scop
    for (int t = 0; t < times; t++) {
        float old[N];
        for (int i = 0; i < N; i++)
            old[i] = a[i];
        for (int i = 1; i < N - 1; i++)
            a[i] = old[i - 1] * 0.25f + old[i] * 0.5f + old[i + 1] * 0.25f;
    }
#pragma endscop
}
static void scalar_in_time(int times) {
    float mean;
#pragma scop
    for (int t = 0; t < times; t++) {
        mean = 0.0f;
        for (int i = 0; i < N; i++)
            mean += a[i];
        mean /= N;
        for (int i = 0; i < N; i++)
            a[i] = (a[i] - mean) * 0.9f;
    }
#pragma endscop
}
static float norms(void) { // two results a row, one over all
    float all = 0;
#pragma omp parallel for reduction(max : all)
    for (int i = 0; i < M; i++) {
        float s = 0, m = 0;
        for (int j = 0; j < M; j++) {
            s += fabsf(aa[i][j]);
            if (fabsf(bb[i][j]) > m)
                m = fabsf(bb[i][j]);
        }
        a[i] = s;
        b[i] = m;
        if (s + m > all)
            all = s + m;
    }
    return all;
}
static void recurrence_beside(void) { // c is serial, the rest is not
#pragma scop
    for (int i = 1; i < N; i++) {
        a[i] = b[i] * 2.0f;
        c[i] = c[i - 1] * 0.5f + a[i];
        d[i] = c[i] + e[i];
    }
#pragma endscop
}
static int counts(void) { // integer sums, free to be split
    int low = 0, high = 0, sum = 0;
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            if (aa[i][j] < 0.0f)
                low++;
            else if (aa[i][j] > 0.5f)
                high += 2;
            sum += (i * j) % 7;
        }
#pragma endscop
    return low * 10000 + high * 10 + sum % 10;
}
static void histogram_rows(void) { // conflicts in the columns only
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            ii[i * 10 + jp[j] % 10] += j;
#pragma endscop
}
static void condition_around(int how) {
#pragma scop
    for (int i = 0; i < M; i++) {
        if (how > i) {
            for (int j = 0; j < M; j++)
                aa[i][j] += 1.0f;
        } else if (a[i] > 0.0f) {
            for (int j = i; j < M; j++)
                aa[i][j] -= b[j];
        }
        c[i] = aa[i][i];
    }
#pragma endscop
}
static void old_and_new(void) { // the second loop reads what the first left, shifted
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 1.0f;
    for (int i = 0; i < N - 3; i++)
        b[i] = a[i + 3] * 2.0f;
    for (int i = 3; i < N; i++)
        a[i] = b[i - 3] - a[i];
#pragma endscop
}
static void sums_into_elements(void) {
#pragma scop
    for (int i = 0; i < M; i++) {
        a[i] = 0.0f;
        for (int j = 0; j < M; j++) {
            b[j] = b[j] + aa[i][j] * c[i];
            a[i] = a[i] + aa[i][j] * d[j];
        }
    }
#pragma endscop
}
static void moving_window(void) { // a window of three values handed on
    float p = x[0], q = x[1], r;
#pragma sculpt
    for (int i = 2; i < N; i++) {
        r = x[i];
        a[i - 1] = p + q + r;
        p = q;
        q = r;
    }
    b[0] = p, b[1] = q;
}
static void lower_upper(void) { // symmetric: both triangles at once
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int k = 0; k < M; k++)
                s += bb[i][k] * bb[j][k];
            aa[i][j] = s;
            aa[j][i] = s;
        }
#pragma endscop
}
static void two_iterations(int n) { // n may be 0, 1, 2
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            aa[i][j + 1] = aa[i][j] + bb[n - 1 - i][j];
#pragma endscop
}
static void private_by_clause(void) {
    float t[8], s;
    int k;
#pragma acc parallel loop private(t, s, k)
    for (int i = 0; i < N - 8; i++) {
        for (k = 0; k < 8; k++)
            t[k] = a[i + k];
        s = 0;
        for (k = 7; k >= 1; k--)
            s += t[k] * t[k - 1];
        b[i] = s;
    }
}
static float first_private(void) {
    float t = 2.0f, u = 3.0f;
#pragma omp parallel for firstprivate(t) lastprivate(u)
    for (int i = 0; i < N; i++) {
        u = t * a[i];
        b[i] = u + t;
    }
    return t + u;
}
static float last_collapsed(void) {
    float last = 0;
#pragma omp parallel for collapse(2) lastprivate(last)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            last = aa[i][j] * 2.0f + i;
            bb[i][j] = last + j;
        }
    return last;
}
static void min_of_neighbours(void) {
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            float m = aa[i][j];
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (i + di >= 0 && i + di < M && j + dj >= 0 && j + dj < M)
                        m = aa[i + di][j + dj] < m ? aa[i + di][j + dj] : m;
            bb[i][j] = m;
        }
#pragma endscop
}
static void bubble(void) { // odd-even transposition
#pragma scop
    for (int t = 0; t < 20; t++) {
        for (int i = t % 2; i < N - 1; i += 2)
            if (a[i] > a[i + 1]) {
                float s = a[i];
                a[i] = a[i + 1];
                a[i + 1] = s;
            }
    }
#pragma endscop
}
static void binomials(int n) { // in place, downwards
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = i; j >= 1; j--)
            ii[j] = (ii[j] + ii[j - 1]) % 10007;
#pragma endscop
}
static void powers(void) { // a loop whose body's loop depends on data
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int n = ii[i] % 13, r = 1;
        for (int k = 0; k < n; k++)
            r = r * 3 % 1009;
        ii[i] = r;
    }
}
static void scan_2d(void) { // sums of rectangles
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 1; j < M; j++)
            aa[i][j] += aa[i][j - 1];
    for (int i = 1; i < M; i++)
        for (int j = 0; j < M; j++)
            aa[i][j] += aa[i - 1][j];
#pragma endscop
}

int main(void) {
    RUN(local_rows, 3), RUN(local_in_time, 4), RUN(scalar_in_time, 3), VALUE(norms), RUN(recurrence_beside),
        COUNT(counts);
    RUN(histogram_rows), RUN(condition_around, 5), RUN(condition_around, 0), RUN(condition_around, 99),
        RUN(old_and_new);
    RUN(sums_into_elements), RUN(moving_window), RUN(lower_upper), RUN(two_iterations, 0),
        RUN(two_iterations, 1);
    RUN(two_iterations, 2), RUN(two_iterations, M), RUN(private_by_clause), VALUE(first_private),
        VALUE(last_collapsed), RUN(min_of_neighbours);
    RUN(bubble), RUN(binomials, 40), RUN(powers), RUN(scan_2d);
    suite_use();
    return 0;
}
