// device 4
// choices.c -- the lesser or greater of values of another type than the result's, and && and || of an int in
// a loop that does not run: other types compare other values, narrowing makes others, and no iteration
// changes nothing.
#include <stdio.h>
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
enum { N = 1000 };
static long wide[N];
static unsigned u[N];
static int cost[N][8], a[N];
static short sh[N];
static unsigned char best[8];

static void narrowed(int n, unsigned char *least, int *greatest) {
    unsigned char s = 5;
    int m = -5;
#pragma sculpt
    for (int i = 0; i < n; i++) s = MIN(s, wide[i]);
#pragma sculpt
    for (int i = 0; i < n; i++) m = MAX(m, u[i]);
    *least = s, *greatest = m;
}
static void cells(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++) best[j] = MIN(best[j], cost[i][j]);
}
static short same_type(int n) { // widened alike: a reduction
    short s = 77;
#pragma sculpt
    for (int i = 0; i < n; i++) s = s < sh[i] ? s : sh[i];
    return s;
}
static int chain(int n) {
    int s = -1;
#pragma sculpt
    for (int i = 0; i < n; i++) s = MAX(MAX(s, a[i]), cost[i][2]);
    return s;
}
static void truth(int n, int *any, int *all) {
#pragma sculpt
    for (int i = 0; i < n; i++) *any = *any || a[i] == 5;
#pragma sculpt
    for (int i = 0; i < n; i++) *all = *all && a[i] < 1000;
}
static _Bool flag(int n) {
    _Bool some = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) some = some || a[i] == 7;
    return some;
}
int main(void) {
    for (int i = 0; i < N; i++) {
        wide[i] = 300 - i % 7, u[i] = (unsigned)i, a[i] = i * 7 % 13, sh[i] = (short)(i * 31 % 900 - 300);
        for (int j = 0; j < 8; j++) cost[i][j] = 256 + (i + j) % 50;
    }
    for (int j = 0; j < 8; j++) best[j] = (unsigned char)(200 + j);
    for (int n = 0; n <= N; n += 500) {
        unsigned char least;
        int greatest, any = 7, all = 7;
        narrowed(n, &least, &greatest);
        cells(n);
        truth(n, &any, &all);
        printf("%d %d %d %d %d %d %d %d %d\n", least, greatest, best[0], best[7], same_type(n), chain(n), any,
               all, flag(n));
    }
}
