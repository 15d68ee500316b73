// device 9
// graphs.c -- tables along diagonals, knapsacks, levels of graphs, ranks, clusters.
#include "../suite.h"
static int max2(int a, int b) { return a > b ? a : b; }
static int smith(int n, int m, const char *a, const char *b, int *H) {
    int best = 0;
    for (int d = 2; d <= n + m; d++) {
        int lo = d - m > 1 ? d - m : 1, hi = d - 1 < n ? d - 1 : n;
#pragma omp parallel for reduction(max:best)
        for (int i = lo; i <= hi; i++) {
            int j = d - i;
            int s = H[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 3 : -1);
            s = max2(s, H[(i - 1) * (m + 1) + j] - 2);
            s = max2(s, H[i * (m + 1) + j - 1] - 2);
            s = max2(s, 0);
            H[i * (m + 1) + j] = s;
            best = max2(best, s);
        }
    }
    return best;
}
static int lcs(int n, int m, const char *a, const char *b, int L[n + 1][m + 1]) {
#pragma scop
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            if (i == 0 || j == 0) L[i][j] = 0;
            else if (a[i - 1] == b[j - 1]) L[i][j] = L[i - 1][j - 1] + 1;
            else L[i][j] = L[i - 1][j] > L[i][j - 1] ? L[i - 1][j] : L[i][j - 1];
#pragma endscop
    return L[n][m];
}
static int knapsack(int n, int W, const int *w, const int *v, int *dp, int *next) {
    for (int c = 0; c <= W; c++) dp[c] = 0;
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int c = 0; c <= W; c++) next[c] = c >= w[i] ? max2(dp[c], dp[c - w[i]] + v[i]) : dp[c];
#pragma omp parallel for
        for (int c = 0; c <= W; c++) dp[c] = next[c];
    }
    return dp[W];
}
static int bellman(int n, int m, const int *u, const int *v, const float *w, float *d) {
    for (int i = 0; i < n; i++) d[i] = 1e30f;
    d[0] = 0;
    int round, changed = 1;
    for (round = 0; round < n && changed; round++) {
        changed = 0;
        for (int e = 0; e < m; e++)
            if (d[u[e]] + w[e] < d[v[e]]) { d[v[e]] = d[u[e]] + w[e]; changed = 1; }
    }
    return changed;
}
static int bfs(int n, const int *row, const int *col, int *level) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) level[i] = i == 0 ? 0 : -1;
    int depth = 0, more = 1;
    while (more) {
        more = 0;
#pragma omp parallel for reduction(|:more)
        for (int v = 0; v < n; v++) {
            if (level[v] != -1) continue;
            for (int e = row[v]; e < row[v + 1]; e++)
                if (level[col[e]] == depth) { level[v] = depth + 1; more |= 1; break; }
        }
        depth++;
    }
    return depth;
}
static void pagerank(int n, const int *row, const int *col, const int *deg, double *r, double *next,
                     int iters) {
    const double d = 0.85;
    for (int it = 0; it < iters; it++) {
        double dangling = 0;
#pragma omp parallel for reduction(+:dangling)
        for (int v = 0; v < n; v++) if (deg[v] == 0) dangling += r[v];
#pragma omp parallel for
        for (int v = 0; v < n; v++) {
            double s = 0;
            for (int e = row[v]; e < row[v + 1]; e++) s += r[col[e]] / deg[col[e]];
            next[v] = (1 - d) / n + d * (s + dangling / n);
        }
        double *t = r; r = next; next = t;
    }
}
static int kmeans(int n, int k, int dim, const float *x, float *c, int *owner, int *count, float *sum) {
    int moved = 0;
#pragma omp parallel for reduction(+:moved)
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = 3.4e38f;
        for (int j = 0; j < k; j++) {
            float d = 0;
            for (int q = 0; q < dim; q++) {
                float t = x[i * dim + q] - c[j * dim + q];
                d += t * t;
            }
            if (d < least) { least = d; best = j; }
        }
        if (owner[i] != best) moved++;
        owner[i] = best;
    }
    for (int j = 0; j < k; j++) { count[j] = 0; for (int q = 0; q < dim; q++) sum[j * dim + q] = 0; }
    for (int i = 0; i < n; i++) {
        count[owner[i]]++;
        for (int q = 0; q < dim; q++) sum[owner[i] * dim + q] += x[i * dim + q];
    }
    for (int j = 0; j < k; j++) if (count[j]) for (int q = 0; q < dim; q++) c[j * dim + q] = sum[j * dim +
        q] / count[j];
    return moved;
}
static void cosine(int n, int m, int dim, float A[n][dim], float B[m][dim], float S[n][m]) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float ab = 0, aa = 0, bb = 0;
            for (int k = 0; k < dim; k++) { ab += A[i][k] * B[j][k]; aa += A[i][k] * A[i][k];
                bb += B[j][k] * B[j][k]; }
            S[i][j] = ab / (sqrtf(aa) * sqrtf(bb) + 1e-9f);
        }
}
int main(void) {
    suite_use();
    char a[41], b[51];
    for (int i = 0; i < 40; i++) a[i] = "ACGT"[(int)(suite_next() * 4)];
    for (int i = 0; i < 50; i++) b[i] = "ACGT"[(int)(suite_next() * 4)];
    static int H[41 * 51], L[41 * 51], dp[101], nx[101];
    printf("sw %d\n", smith(40, 50, a, b, H)); show_ints("sw", H, 41 * 51);
    printf("lcs %d\n", lcs(40, 50, a, b, (void *)L));
    int w[20], v[20];
    fill_ints(w, 20, 30); fill_ints(v, 20, 100);
    printf("knap %d\n", knapsack(20, 100, w, v, dp, nx));
    int u[200], t[200]; float ew[200], d[50];
    fill_ints(u, 200, 50); fill_ints(t, 200, 50);
    for (int i = 0; i < 200; i++) ew[i] = suite_next() + 0.1;
    printf("bf %d\n", bellman(50, 200, u, t, ew, d)); show_floats("bf", d, 50);
    int row[51], col[200], deg[50], level[50]; double r[50], nr[50];
    for (int i = 0; i <= 50; i++) row[i] = 4 * i;
    fill_ints(col, 200, 50);
    for (int i = 0; i < 50; i++) deg[i] = i % 5, r[i] = 0.02;
    for (int i = 0; i < 200; i++) if (!deg[col[i]]) col[i] = 1;
    printf("bfs %d\n", bfs(50, row, col, level)); show_ints("bfs", level, 50);
    pagerank(50, row, col, deg, r, nr, 4); show_doubles("pr", r, 50);
    static float x[300], c[15], sum[15]; int own[100] = {0}, cnt[5];
    fill_floats(x, 300); memcpy(c, x, sizeof c);
    printf("moved %d\n", kmeans(100, 5, 3, x, c, own, cnt, sum)); show_floats("km", c, 15);
    static float S[20 * 15];
    cosine(20, 15, 15, (void *)x, (void *)(x + 30), (void *)S); show_floats("cos", S, 300);
    return 0;
}
