// device 11
// bit_fields.c -- bit-fields of records: what they hold, what is put into them, and their neighbours.
#include "../suite.h"
#include <stdbool.h>

enum Kind { NONE, SMALL, LARGE, HUGE_ONE };
typedef struct {
    float x;
    unsigned alive : 1, kind : 3, hits : 12;
    int turn : 5, far : 11;
} Particle;
typedef struct {
    short a : 5;
    unsigned short b : 11;
    signed char c;
    bool d : 1, e : 1;
    unsigned whole : 32;
    int : 0;
    enum Kind what : 2;
    int deep : 30;
} Mixed;
typedef struct {
    unsigned lock : 4;
    unsigned char tag;
    struct {
        unsigned low : 7, high : 9;
    };
} Nested;
typedef struct __attribute__((packed)) {
    unsigned char t;
    unsigned a : 3, b : 13;
    unsigned char u;
} Packed;
typedef struct {
    enum Kind what : 4;
    signed s : 3;
    _Bool z : 1;
    signed char ch : 5;
} OfAll;
enum { COUNT = 1000 };
static Particle p[COUNT], q[COUNT];
static Mixed m[COUNT];
static Nested s[COUNT];
static Packed packed[COUNT];
static OfAll of_all[COUNT];
static int seen[COUNT], wide[COUNT];

static void show_bytes(const char *name, const void *at, size_t n) {
    unsigned h = 0;
    for (size_t i = 0; i < n; i++) h = h * 31 + ((const unsigned char *)at)[i];
    printf("%s %u\n", name, h);
}

static void put(int n) { // values that do not fit, and signs
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        p[i].alive = i % 3;
        p[i].kind = i * 5;
        p[i].hits = -i;
        p[i].turn = i - 500;
        p[i].far = i * 77;
        p[i].x = 0.5f * i;
    }
}
static void changed(int n) { // in place
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (!p[i].alive) continue;
        p[i].kind++;
        --p[i].turn;
        p[i].hits += 4000;
        p[i].far ^= p[i].kind;
        p[i].turn <<= 1;
        p[i].far /= 3;
        p[i].kind |= 2;
    }
}
static void looked_at(int n) { // an unsigned one of few bits is an int
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        seen[i] = (p[i].kind - 5 < 0) + 2 * (p[i].turn < p[i].kind) + 4 * (-p[i].hits < 0);
        wide[i] = (p[i].far = i) + (1 << p[i].kind) + (p[i].alive ? p[i].hits : p[i].far);
    }
}
static void copied(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Particle t = p[n - 1 - i], u = {1, 1, 7};
        t.kind ^= u.kind;
        t.hits += u.hits + u.alive;
        q[i] = t;
    }
}
static void mixed(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Mixed *r = &m[i];
        r->a = i;
        r->b = i * 37;
        r->c = (signed char)(i * 3);
        r->d = i % 4;
        r->e = !r->d || r->a > 3;
        r->whole = 0u - (unsigned)i;
        r->what = i % 2 ? LARGE : HUGE_ONE;
        r->deep = r->what == LARGE ? -i : i * 9;
        r->b += 1000;
        r->a ^= 5;
    }
}
static long added(int n) {
    long t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < n; i++)
        t += m[i].a * 3 + m[i].b * 5 + m[i].c + m[i].d + (m[i].whole > 4000000000u) + (int)m[i].what +
             m[i].deep;
    return t;
}
static void zeroed(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i += 2) {
        Particle none = {0};
        none.turn = -1;
        p[i] = none;
    }
}
static int flagged(int n) { // a flag that ends the search of each iteration
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++) {
            if (q[k].alive && q[k].kind == 6) break;
            count++;
        }
    return count;
}
static void nested(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        s[i].low = i;
        s[i].high = 3 * i + s[i].low;
    }
}
static void beside(int n) { // another member stands in the bytes that the type would take
#pragma omp parallel for
    for (int i = 0; i < n; i++) s[i].lock = i, s[i].tag = (unsigned char)(i * 3);
}
static void tight(int n) { // on the host: no number of a device's types has these bits and no other's
#pragma omp parallel for
    for (int i = 0; i < n; i++) packed[i].b = i * 99;
}
static void several(int n) { // types of several sizes in one number
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        of_all[i].what = i % 2 ? LARGE : SMALL;
        of_all[i].s = i;
        of_all[i].z = i & 6;
        of_all[i].ch = i * 3;
        if (of_all[i].what == LARGE) of_all[i].ch = -of_all[i].ch;
        of_all[i].s += of_all[i].z;
    }
}

int main(void) {
    int n = 997;
    memset(m, 0x5a, sizeof m);
    put(n), show_bytes("put", p, sizeof p);
    changed(n), show_bytes("changed", p, sizeof p);
    looked_at(n), show_bytes("seen", seen, sizeof seen), show_bytes("wide", wide, sizeof wide);
    copied(n), show_bytes("copied", q, sizeof q);
    mixed(n), show_bytes("mixed", m, sizeof m);
    printf("%ld\n", added(n));
    zeroed(n), show_bytes("zeroed", p, sizeof p);
    printf("%d\n", flagged(n));
    nested(n), beside(n), show_bytes("nested", s, sizeof s);
    tight(n), show_bytes("tight", packed, sizeof packed);
    several(n), show_bytes("several", of_all, sizeof of_all);
    suite_use();
}
