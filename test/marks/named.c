// named.c -- what the front end made itself is called by what the program has there; a clause names the
// records, not a member of theirs.
typedef struct { unsigned n; unsigned long *first; unsigned *next; } Graph;
void levels(const Graph *g, int *level, int at) {
#pragma omp parallel for
    for (unsigned v = 0; v < g->n; v++) {
        if (level[v] != -1) continue;
        for (unsigned long e = g->first[v]; e < g->first[v + 1]; e++)
            if (level[g->next[e]] == at) {
                level[v] = at + 1;
                break;
            }
    }
}
typedef struct { float re, im; } Complex;
static unsigned turned(unsigned x, int bits) {
    unsigned r = 0;
    for (int i = 0; i < bits; i++) {
        r = r << 1 | (x & 1);
        x >>= 1;
    }
    return r;
}
void reorder(int bits, Complex *restrict a, const Complex *restrict b) {
    int n = 1 << bits;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[turned(i, bits)] = b[i];
}
// remark 9:13 depends on 'the end of a loop', which is computed in the region
// remark 27:33 map(tofrom: a[0:size])
// device 0
