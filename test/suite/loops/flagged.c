// device 4
// flagged.c -- loops that a flag ends.
#include "../suite.h"
#include <stdbool.h>
enum { N = 2000 };
static int a[N], q[N];
static double x[N];

static void found(int n, int key) {
    int done = 0, at = -1;
#pragma sculpt
    for (int i = 0; i < n && !done; i++)
        if (a[i] == key) {
            at = i;
            done = 1;
        }
    printf("found %d %d\n", done, at);
}
static void only_told(int n, double least) {
    bool more = false;
#pragma sculpt
    for (int i = 0; !more && i < n; i++) {
        if (x[i] > least) more = true;
    }
    printf("told %d\n", more);
}
static void inner(int n) { // in each iteration of a loop that is parallel
#pragma sculpt
    for (int k = 0; k < n; k++) {
        int whole = 0;
        for (int d = 2; d * d <= k && !whole; d++)
            if (k % d == 0) whole = d;
            else whole = 0;
        int stop = 0, last;
        for (last = 0; last < 20 && !stop; last++)
            if ((k >> last) < 3) stop = 1;
        q[k] = whole * 100 + last;
    }
}
static void set_before(int n, int done) { // it may run not at all
#pragma sculpt
    for (int i = 0; i < n && !done; i++)
        if (a[i] < 0) done = 1;
    printf("before %d\n", done);
}
static void counter_seen(int n, int key) { // one more than where it was found
    int i, done = 0;
#pragma sculpt
    for (i = 0; i < n && !done; i++)
        if (a[i] == key) done = 1;
    printf("seen %d %d\n", i, done);
}
static void again(int n, int key) { // behind the jump it is set
    int turns = 0, done = 0;
    {
    behind:
        turns++;
    }
#pragma sculpt
    for (int i = 0; i < n && !done; i++) {
        q[i] = turns;
        if (a[i] == key) done = 1;
    }
    if (turns < 2) goto behind;
    printf("again %d %d\n", q[0], q[n - 1]);
}
static void chosen(int n, int which, int done) {
    switch (which) {
    case 0:
        done = 0;
        /* fall through */
    case 1:
#pragma sculpt
        for (int i = 0; i < n && !done; i++)
            if (a[i] < 0) done = 1;
    }
    printf("chosen %d\n", done);
}
int main(void) {
    fill_ints(a, N, 5000), fill_doubles(x, N);
    a[700] = a[900] = 7777;
    found(N, 7777), found(700, 7777), found(0, 3), found(N, a[0]);
    only_told(N, 0.74), only_told(N, 2), only_told(3, -1);
    inner(N);
    show_ints("inner", q, N);
    set_before(N, 0), set_before(N, 1);
    again(N, a[5]), chosen(N, 0, 1), chosen(N, 1, 1);
    counter_seen(N, 7777), counter_seen(N, -4);
    return 0;
}
