// device 12
// captured.c -- what threads do one at a time: atomic captures, critical and ordered blocks. They keep to the
// order of the text. What is printed is the same in any other.
#include "loops.h"
enum { ROOM = 1024, SLOTS = 64 };
static int list[ROOM], next[ROOM], count[SLOTS], rank[ROOM], used;

static void show(const char *name, int n) {
    long sum = 0;
    for (int i = 0; i < ROOM; i++) sum += list[i];
    printf("%s %d %ld\n", name, n, sum);
    memset(list, 0, sizeof list);
}
static void counted(void) { // v = x++
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int p;
#pragma omp atomic capture
        p = n++;
        list[p] = ii[i];
    }
    show("counted", n);
}
static void down(void) { // v = --x
    int n = N;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int p;
#pragma omp atomic capture
        p = --n;
        list[p] = ii[i];
    }
    show("down", n);
}
static void some(void) { // those that fulfil a condition
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (ii[i] % 3 == 0) {
            int p;
#pragma omp atomic capture
            p = n++;
            list[p] = ii[i];
        }
    show("some", n);
}
static void packets(void) { // { v = x; x += e; }
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int p;
#pragma omp atomic capture
        {
            p = n;
            n += 2;
        }
        list[p] = ii[i];
        list[p + 1] = -1;
    }
    show("packets", n);
}
static void after(void) { // { x += e; v = x; }, v = x += e
    int n = 0, m = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int p, q;
#pragma omp atomic capture
        {
            n += 1;
            p = n;
        }
#pragma omp atomic capture
        q = m += 1;
        list[p] += ii[i], next[q] += ii[i];
    }
    for (int i = 0; i < ROOM; i++) list[i] += 3 * next[i];
    show("after", n + m);
}
static void ranks(void) { // an element that the data choose
#pragma omp parallel for
    for (int i = 0; i < N; i++)
#pragma omp atomic capture
        rank[i] = count[jp[i] % SLOTS]++;
    for (int i = 0; i < N; i++) list[rank[i]]++;
    show("ranks", count[5]);
}
static void exchanged(void) { // { v = x; x = e; }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int o;
#pragma omp atomic capture
        {
            o = ii[i];
            ii[i] = i;
        }
        list[i] = o - ii[i];
    }
    show("exchanged", ii[7]);
}
static int slot(void) {
    int k;
#pragma omp atomic capture
    k = used++;
    return k;
}
static void called(void) {
#pragma omp parallel for
    for (int i = 0; i < N; i++) list[slot()] = ii[i];
    show("called", used);
}
static void read_and_written(void) {
    int any = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int t;
#pragma omp atomic read
        t = ii[i];
#pragma omp atomic write
        list[i] = t + 1;
        if (t == 77) {
#pragma omp atomic write
            any = 1;
        }
    }
    show("read_and_written", any);
}
static void best(void) { // a critical block
    float most = -1e30f;
    int at = -1;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
#pragma omp critical(place)
        if (a[i] > most) {
            most = a[i];
            at = i;
        }
    show("best", at);
}
static void summed(void) {
    long s = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int v = ii[i] * 3;
#pragma omp critical
        s += v;
    }
    show("summed", (int)s);
}
static void in_order(void) { // an ordered block
    unsigned s = 1;
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++) {
        list[i] = ii[i] * 2;
#pragma omp ordered
        s = s * 3 + (unsigned)ii[i];
    }
    show("in_order", (int)s);
}
static void halved(void) { // an update that does not commute
#pragma omp parallel for
    for (int i = 0; i < N; i++)
#pragma omp atomic
        ii[ip[i]] /= 3;
    for (int i = 0; i < N; i++) list[i] = ii[i];
    show("halved", 0);
}

int main(void) {
    RUN(counted), RUN(down), RUN(some), RUN(packets), RUN(after), RUN(ranks), RUN(exchanged), RUN(called);
    RUN(read_and_written), RUN(best), RUN(summed), RUN(in_order), RUN(halved);
    suite_use();
    return 0;
}
