// device 13
// looked_up.c -- what the host looks up ahead: bounds that stand in an array, rows that are a field of
// records.
#include "../suite.h"
typedef struct Record {
    int id;
    double *row;
    float weight;
} Record;
static const int sizes[] = {0, 1, 7, 33};
static int counts[5];
static double x[100];

static void declared(int k) { // of an array
#pragma sculpt
    for (int i = 1; i < sizes[k] + 2; i++) x[i] = i * 0.5;
}
static void pointed(const int *from, int k) { // where a pointer leads
#pragma omp parallel for
    for (int i = from[k]; i < from[k + 1]; i++) x[i] += from[k];
}
static void counted(void) { // by the loop before
#pragma omp target data map(tofrom : counts)
    for (int k = 0; k < 4; k++) {
#pragma omp target teams distribute parallel for
        for (int j = 0; j <= k + 1; j++) counts[j] = k * 5 + j;
#pragma omp target teams distribute parallel for map(tofrom : x)
        for (int i = 0; i < counts[k + 1]; i++) x[i] += k;
    }
}
static void enter(int *c, int n) {
#pragma omp target enter data map(to : c[0 : n])
    (void)c;
}
static void bump(int *c, int n, int k) {
#pragma omp target teams distribute parallel for
    for (int j = 0; j < n; j++) c[j] += k + 1;
}
static void held(void) { // on the device, by way of a pointer
    int own[5] = {1, 2, 3, 4, 5};
    enter(own, 5);
    for (int k = 0; k < 4; k++) {
        bump(own, 5, k);
        if (k % 2) printf("step %d\n", k);
#pragma omp target teams distribute parallel for map(tofrom : x)
        for (int i = 0; i < own[k]; i++) x[i] += k + 1;
    }
#pragma omp target exit data map(from : own[0 : 5])
    show_ints("own", own, 5);
}
static void measured(int n, int m, const Record *p, const double *q) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) s += (p[i].row[j] - q[j]) * p[i].weight;
        x[i] = s;
    }
}
static void moved(int n, int m, Record *p) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) p[i].row[j] = p[i].row[j] * 0.5 + j;
}
// Bounds of the type that is written: as long as they stand elsewhere, or in another element.
static void alike(const int *n, int k, int *y) {
#pragma omp parallel for
    for (int i = 0; i < n[k]; i++) y[i] += i;
}
static void headed(int *a) { // how many there are stands before them
#pragma omp parallel for
    for (int i = a[0]; i >= 1; i--) a[i] += a[0];
}
static void ranges(unsigned *a, int k) {
#pragma sculpt
    for (unsigned i = a[k]; i < a[k + 1]; i++) a[i] = (3 * a[i] + 1) % 60;
}
static void through(int *n, int *y) { // y may lead to n
#pragma sculpt
    for (int i = 0; i < *n; i++) y[i] = i == 4 ? 20 : y[i] + 1;
}
static void alike_all(void) {
    int y[64], n[8] = {0, 1, 7, 33, 9, 21, 50, 8};
    fill_ints(y, 64, 100);
    for (int k = 0; k < 4; k++) alike(n, k, y), alike(n + 4, k % 2, y + 9);
    for (int k = 0; k < 4; k++) y[0] = n[k], headed(y);
    y[0] = 9, y[1] = 30, y[2] = 60, y[3] = 40, y[4] = 45;
    for (int k = 0; k < 4; k++) ranges((unsigned *)y, k); // the first changes what the next begin with
    for (int k = 0; k < 3; k++) through(n + k, y), through(n + k, n);
    show_ints("alike", y, 64), show_ints("lengths", n, 8);
    int z[32] = {0};
    z[4] = 9, through(z + 4, z); // the loop changes its own bound
    show_ints("its own", z, 32);
}
// What is touched under a condition that the loop computes is touched anyway: a step of a transform.
static void butterfly(unsigned *a, int n, int len) {
    int half = len / 2;
#pragma omp parallel for
    for (int k = 0; k < n / 2; k++) {
        int i = k / half * len + k % half;
        unsigned u = a[i], v = a[i + half] % 97;
        a[i] = u + v >= 97 ? u + v - 97 : u + v;
        a[i + half] = u >= v ? u - v : u + 97 - v;
    }
}
// The host divides by nothing that the loop would not divide by.
static void shared_out(int n, int h, int *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 3 * y[i] + 1;
        if (h != 0 && y[i] & 1) y[n + i + i % h] += 1;
    }
}
static void under_conditions(void) {
    int y[96];
    fill_ints(y, 96, 97);
    for (int len = 2; len <= 32; len *= 2) butterfly((unsigned *)y, len > 16 ? 32 : 33 / len * len, len);
    show_ints("butterfly", y, 96);
    for (int h = 0; h < 3; h++) shared_out(h ? 1 : 33, h, y);
    show_ints("shared out", y, 96);
}
static void records(int n, int m, int apart) { // rows at one distance, and at others
    Record *p = malloc(40 * sizeof *p);
    double *all = malloc(40 * (size_t)(m + 40) * sizeof *all), *at = all;
    fill_doubles(all, 40L * (m + 40));
    for (int i = 0; i < n; i++, at += m + (apart ? i : 3)) p[i] = (Record){i, at, 1.f / (i + 1)};
    memset(x, 0, sizeof x);
    measured(n, m, p, all);
    show_doubles("measured", x, 40);
    moved(n, m, p);
    show_doubles("moved", all, 40L * (m + 40));
    free(p), free(all);
}

int main(void) {
    for (int k = 0; k < 4; k++) declared(k), pointed(sizes, k < 3 ? k : 0);
    show_doubles("bounds", x, 100);
    counted();
    show_doubles("counted", x, 100);
    held();
    show_doubles("held", x, 100);
    for (int k = 0; k < 4; k++) records(sizes[k], 5, 0), records(sizes[k], 33, 1);
    alike_all();
    under_conditions();
    suite_use();
    return 0;
}
