// device 3
// sized.c -- arrays of run-time size whose size came from a variable that others may change.
#include "../suite.h"

static int *kept;
static void note(int *p) { *p = 40, kept = p; }

int main(void) {
    int n, m;
    if (sscanf("30 7", "%d%d", &n, &m) != 2) return 2;
    double u[n][n], v[m][n][2];
    note(&n); // their sizes stay what they were
#pragma sculpt
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++) u[i][j] = i * j + 1;
#pragma sculpt
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 30; j++) v[i][j][0] = u[j][i], v[i][j][1] = u[i][j] * n;
    ++*kept;
#pragma sculpt
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 29; j++) u[i][j] += v[i][j + 1][1] + n;
    show_doubles("u", &u[0][0], 900), show_doubles("v", &v[0][0][0], 420);
    return 0;
}
