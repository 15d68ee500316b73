// device 3
// allocated.c -- blocks of which only their allocation tells how far loops may reach in them.
#include "../suite.h"
#include <stdint.h>
typedef struct {
    int key, left, right;
} Tree;
enum { NODES = 300 };

static int fill(Tree *t, int n) { // a search tree; its root
    for (int i = 0; i < n; i++) {
        int key = i * 7919 % 997, x = i ? 0 : -1, up = -1;
        while (x >= 0) up = x, x = key < t[x].key ? t[x].left : t[x].right;
        t[i] = (Tree){key, -1, -1};
        if (up >= 0) *(key < t[up].key ? &t[up].left : &t[up].right) = i;
    }
    return 0;
}
static void declared(int n, int *depth) {
    Tree *t = malloc((n + 1) * sizeof *t);
    int root = fill(t, n);
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int x = root, steps = 0;
        while (x >= 0 && t[x].key != q * 3) x = q * 3 < t[x].key ? t[x].left : t[x].right, steps++;
        depth[q] = x < 0 ? -steps : steps;
    }
    free(t);
}
static void assigned(int n, int *sum) { // with a stack of its own
    Tree *t;
    t = calloc((size_t)n, sizeof(Tree));
    fill(t, n);
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int stack[40], top = 0, s = 0;
        stack[top++] = q;
        while (top > 0 && top < 38) {
            int x = stack[--top];
            s += t[x].key;
            if (t[x].left >= 0) stack[top++] = t[x].left;
            if (t[x].right >= 0) stack[top++] = t[x].right;
        }
        sum[q] = s;
    }
    free(t);
}
static void written(int n, int *out) { // a table with open addresses, filled in order
    int64_t slots = 2 * n + 1;
    int *table = calloc(slots, sizeof *table);
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        {
            unsigned at = (unsigned)(i * 40503u) % (unsigned)slots;
            while (table[at]) at = at + 1 == slots ? 0 : at + 1;
            table[at] = i + 1;
        }
    }
    for (int i = 0; i < n; i++) out[i] = table[i];
    free(table);
}
// From here on the words do not hold where the loop stands, so that nothing rests on them.
static void grown(int n, int *depth) { // as large as n was
    Tree *t = malloc((n + 1) * sizeof *t);
    int root = fill(t, n);
    n = n / 2;
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int x = root, steps = 0;
        while (x >= 0 && t[x].key != q) x = q < t[x].key ? t[x].left : t[x].right, steps++;
        depth[q] = steps;
    }
    free(t);
}
static void once(int rounds, int *depth) { // in the first round alone
    Tree *t = NULL;
    for (int r = rounds; r > 0; r--) {
        int n = 100 * r;
        if (!t) t = malloc(n * sizeof *t);
        int root = fill(t, n);
#pragma omp parallel for
        for (int q = 0; q < n; q++) {
            int x = root, steps = 0;
            while (x >= 0 && t[x].key != q) x = q < t[x].key ? t[x].left : t[x].right, steps++;
            depth[q] += steps;
        }
    }
    free(t);
}
static void moved(int n, int *depth) { // the pointer goes on
    Tree *whole = malloc(2 * n * sizeof *whole), *t = whole;
    fill(t, n), fill(t + n, n);
    t += n;
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int x = 0, steps = 0;
        while (x >= 0 && t[x].key != q) x = q < t[x].key ? t[x].left : t[x].right, steps++;
        depth[q] = steps;
    }
    free(whole);
}

int main(void) {
    static int out[NODES];
    declared(NODES, out), show_ints("declared", out, NODES);
    assigned(NODES, out), show_ints("assigned", out, NODES);
    written(NODES, out), show_ints("written", out, NODES);
    grown(NODES, out), show_ints("grown", out, NODES);
    once(3, out), show_ints("once", out, NODES);
    moved(NODES, out), show_ints("moved", out, NODES);
    declared(0, out), show_ints("nothing", out, NODES);
    suite_use();
}
