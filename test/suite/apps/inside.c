// device 10
// inside.c -- loops whose bounds and factors lie where the loops write, now and then.
#include "../suite.h"
typedef struct {
    int n, step;
    double scale;
    double *data;
    int *marks;
} Grid;
int limit = 9;
double factor = 2;
static int hidden = 7;

static void clear(Grid *g, int *a) {
#pragma scop
    for (int i = 0; i < g->n; i++) a[i] = 0;
#pragma endscop
}
static void scale(Grid *g, double *a) {
#pragma scop
    for (int i = 0; i < g->step; i++) a[i] = g->scale + 1;
#pragma endscop
}
static void wipe(Grid *g, unsigned char *a, int m) {
#pragma scop
    for (int i = 0; i < m; i++) a[i] = (unsigned char)(g->n + i);
#pragma endscop
}
static void sign(Grid *g, unsigned *a, int m) {
#pragma scop
    for (int i = 0; i < m; i++) a[i] = g->step + (unsigned)i;
#pragma endscop
}
static void global(int *a) {
#pragma scop
    for (int i = 0; i < limit; i++) a[i] = limit - 9;
#pragma endscop
}
static void global_factor(double *a, int n) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = factor * i;
#pragma endscop
}
static void whole(unsigned char *a, int n) { // bytes of what tells where they are
#pragma scop
    for (int i = 0; i < n; i++) a[i] = (unsigned char)(limit + i);
#pragma endscop
}
static void closed(int *a) {
#pragma scop
    for (int i = 0; i < hidden; i++) a[i] = i;
#pragma endscop
}
static void first(int *a, int *b, int n) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[0] + i;
#pragma endscop
}
static void bytes(Grid *g, char *a, int m) {
#pragma scop
    for (int i = 0; i < m; i++) a[i] = (char)g->marks[i];
#pragma endscop
}
static void show_grid(const char *name, const Grid *g) { printf("%s %d %d %g\n", name, g->n, g->step,
    g->scale); }

int main(void) {
    int a[40], b[40];
    double d[40];
    unsigned char c[40];
    unsigned u[40];
    memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(c, 0, sizeof c), memset(u, 0, sizeof u);
    memset(d, 0, sizeof d);
    Grid g = {9, 2, 1.5, d, b};
    clear(&g, a), show_ints("clear", a, 40);
    clear(&g, &g.n), show_grid("clear itself", &g);
    g.n = 9;
    scale(&g, d), show_doubles("scale", d, 40);
    g.step = 1;
    scale(&g, &g.scale), show_grid("scale itself", &g);
    g.n = 9;
    wipe(&g, c, 40), printf("wipe %d %d\n", c[0], c[39]);
    wipe(&g, (unsigned char *)&g, 8), show_grid("wipe itself", &g);
    g.n = 9, g.step = 77;
    sign(&g, u, 40), printf("sign %u %u\n", u[0], u[39]);
    sign(&g, (unsigned *)&g.step, 1), show_grid("sign itself", &g);
    global(a), show_ints("global", a, 40);
    global(&limit), printf("global itself %d\n", limit);
    global_factor(d, 40), show_doubles("factor", d, 40);
    global_factor(&factor, 1), printf("factor itself %g\n", factor);
    limit = 3, whole((unsigned char *)&limit, 4), printf("whole itself %d\n", limit);
    closed(a), show_ints("closed", a, 40);
    first(a, b, 40), show_ints("first", b, 40);
    first(a + 3, a, 20), show_ints("first itself", a, 40);
    bytes(&g, (char *)c, 40), printf("bytes %d %d\n", c[0], c[39]);
    return 0;
}
