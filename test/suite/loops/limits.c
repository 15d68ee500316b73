// device 9
// limits.c -- the least and the greatest in one chain of conditions: with places, NaN and zeros, whatever
// they begin with.
#include "../suite.h"
enum { N = 700 };
static double x[N], y[N];
static int q[N];

static void show(const char *name, double lo, double hi, int at, int to) {
    printf("%s %.17g %.17g, %d %d, %d %d\n", name, lo, hi, signbit(lo) != 0, signbit(hi) != 0, at, to);
}
static void strict(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] < lo) lo = x[i];
        else if (x[i] > hi) hi = x[i];
    }
    show("strict", lo, hi, at, to);
}
static void mirrored(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (hi < x[i]) hi = x[i];
        else if (lo > x[i]) lo = x[i];
    }
    show("mirrored", lo, hi, at, to);
}
static void places(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] < lo) lo = x[i], at = i;
        else if (x[i] > hi) hi = x[i], to = i;
    }
    show("places", lo, hi, at, to);
}
static void continued(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] > hi) {
            hi = x[i];
            to = i;
            continue;
        }
        if (x[i] < lo) {
            lo = x[i];
            at = i;
        }
    }
    show("continued", lo, hi, at, to);
}
static void or_equal(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] <= lo) lo = x[i], at = i;
        else if (x[i] > hi) hi = x[i], to = i;
    }
    show("or_equal", lo, hi, at, to);
}
static void both_equal(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] <= lo) lo = x[i], at = i;
        else if (x[i] >= hi) hi = x[i], to = i;
    }
    show("both_equal", lo, hi, at, to);
}
static void nested(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] >= lo) {
            if (x[i] > hi) hi = x[i];
        } else lo = x[i];
    }
    show("nested", lo, hi, at, to);
}
static void guarded(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (q[i] > 20 && x[i] < lo) lo = x[i];
        else if (x[i] > hi) hi = x[i];
    }
    show("guarded", lo, hi, at, to);
}
static void other(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] < lo) lo = x[i];
        else if (y[i] > hi) hi = y[i];
    }
    show("other", lo, hi, at, to);
}
static void moved(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (x[i] < lo) lo = x[i], hi = hi - 1;
        else if (x[i] > hi) hi = x[i];
    }
    show("moved", lo, hi, at, to);
}
static void local(double lo, double hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        double v = x[i] * 0.5;
        if (v < lo) lo = v, at = i;
        else if (v > hi) hi = v, to = i;
    }
    show("local", lo, hi, at, to);
}
static void whole(int lo, int hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (q[i] < lo) lo = q[i];
        else if (q[i] > hi) hi = q[i];
    }
    show("whole", lo, hi, at, to);
}
static void whole_nested(int lo, int hi) {
    int at = -1, to = -1;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        if (q[i] >= lo) {
            if (q[i] > hi) hi = q[i], to = i;
        } else lo = q[i], at = i;
    }
    show("whole_nested", lo, hi, at, to);
}
static void all(double lo, double hi) {
    strict(lo, hi), mirrored(lo, hi), places(lo, hi), continued(lo, hi), or_equal(lo, hi), both_equal(lo, hi);
    nested(lo, hi), guarded(lo, hi), other(lo, hi), moved(lo, hi), local(lo, hi);
}

int main(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7919) % 1009 - 300.5, y[i] = (i * 31) % 97 - 40, q[i] = (i * 77) % 61;
    }
    all(x[0], x[0]), all(1e30, -1e30), all(0, 0), all(NAN, 0), all(0, NAN), all(-1e9, 1e9), all(5, -5);
    for (int i = 0; i < N; i++) x[i] = -i; // the greatest is never looked for
    all(x[0], x[0]), all(1e30, -1e30);
    for (int i = 0; i < N; i++) x[i] = i % 3 ? 0.0 : -0.0;
    all(0.0, -0.0), all(-0.0, 0.0), all(1, -1);
    x[0] = x[7] = x[N - 1] = NAN, x[5] = 3, x[6] = -3;
    all(x[0], x[0]), all(x[1], x[1]), all(1e30, -1e30);
    whole(q[0], q[0]), whole(1000, -1000), whole_nested(q[0], q[0]), whole_nested(1000, -1000);
    whole_nested(7, 7);
    for (int i = 0; i < N; i++) q[i] = -i;
    whole(q[0], q[0]), whole(1000, -1000), whole_nested(q[0], q[0]), whole_nested(1000, -1000);
    suite_use();
    return 0;
}
