// device 7
// members.c -- members of one struct are apart, as long as no pointer walks from one to the next.
#include "../suite.h"
#define N 500
struct fields { double a[N], b[N]; int k[N]; } s;
typedef struct { float x[4], y[4]; struct { float u[2], v[2]; } in[3]; float tail[3]; } Part;
static Part p[N];
struct vec { float x, y, z; } v[N];
static void direct(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++) s.b[i] = s.a[n - 1 - i] * 2 + s.k[i];
}
static void pointed(struct fields *f, int n, int d) {
#pragma sculpt
    for (int i = 0; i < n; i++) f->a[i] = f->b[i + d] + 1;
}
static void inner(int n) {
#pragma sculpt
    for (int i = 1; i < n; i++)
        for (int k = 0; k < 4; k++)
            p[i].x[k] = p[i - 1].y[3 - k] + p[i].tail[k % 3] + p[i - 1].in[k % 3].u[1];
#pragma sculpt
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++) p[i].in[j].v[k] = p[i - 1].in[2 - j].u[k] + p[i - 1].x[j];
}
// Pointers may leave a member, whatever the standard says.
static void left(int n) {
    double *a = s.a;
#pragma sculpt
    for (int i = 0; i < n; i++) a[N + i] = s.a[n - 1 - i] + s.b[(i + 1) % N] * 0.25;
#pragma sculpt
    for (int i = 0; i + 1 < n; i++) {
        float *q = &v[i].x;
        q[4] = v[i].y + 1;
    }
}
// The bound of a loop is one member, what it writes another; with a pointer that may leave, one of both.
static struct list { int n, at[40]; } lists[N];
static void listed(int n) {
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int i = 0; i < lists[k].n; i++) lists[k].at[i] += k - i;
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        for (int i = 0; i <= lists[k].n; i++) lists[k].at[39 - i] ^= i;
        lists[k].n++;
    }
}
int main(void) {
    fill_doubles(s.a, N), fill_doubles(s.b, N), fill_floats((float *)p, sizeof p / sizeof(float)),
        fill_floats((float *)v, 3 * N);
    fill_ints(s.k, N, 9);
    direct(N);
    pointed(&s, N - 3, 2);
    inner(N);
    left(N);
    for (int k = 0; k < N; k++) lists[k].n = k * 7 % 23;
    listed(N);
    show_doubles("a", s.a, N), show_doubles("b", s.b, N);
    show_floats("p", (float *)p, sizeof p / sizeof(float)), show_floats("v", (float *)v, 3 * N);
    show_ints("lists", (int *)lists, sizeof lists / sizeof(int));
}
