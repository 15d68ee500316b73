// device 6
// spelled.c -- words of a declaration in any order, comments in marks that go on, marks in strings.
#include "../suite.h"
#define N 100
static int c[N], d[N];
static const char *usage = "usage:\n\
#pragma omp parallel for\n\
for (i = 0; i < n; i++) ...\n";
static int sum(x, y)
    register x;
    int register y;
{
    return x + y;
}
static void words(int *p) {
    const register k = 3;
    int const register m = 4;
    register int *q = p;
    __typeof__(k) register l = 5;
    register r = 6, s = 8;
    unsigned register t;
    t = 9;
#pragma sculpt
    for (int register i = 0; i < N; i++) {
        int register x = i;
        c[i] = x * k + m + l + r + s + (int)t;
    }
    show_ints("words", c, N);
#pragma sculpt
    for (register int i = 0; i < N; i++) d[i] = q[i] + 1;
    show_ints("pointer", d, N);
}
static void comments(void) {
#pragma sculpt /* a comment
   over two lines, don't mind */
    for (int i = 0; i < N; i++) c[i] = i;
    show_ints("comment", c, N);
#pragma scop /* one "more
   of them" */ // and
    for (int i = 0; i < N; i++) c[i] += i;
#pragma endscop /* the last
   */
    show_ints("scop", c, N);
}
static void strings(void) {
    const char *mark = "\
#pragma sculpt\
";
    for (int i = 0; i < N; i++) d[i] = i;
    printf("%s %d\n%s", mark, d[5], usage);
#pragma omp parallel for /* in
   front */
    for (int i = 0; i < N; i++) {
        d[i] = 2 * c[i]; /*
#pragma sculpt
        */
    }
    printf("%s %d\n", mark, d[5]);
#pragma sculpt
    for (int i = 0; i < N; i++) c[i] = sum(d[i], i);
    show_ints("sum", c, N);
}
int main(void) {
    words(d);
    comments();
    strings();
    return 0;
}
