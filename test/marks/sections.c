// sections.c -- what clauses and declarations say of extents counts only where the accesses can't tell.
int global_size;
void clause(int n, int m, const int *next, int *out) {
#pragma acc parallel loop copyin(next[0:m]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int k = i;
        for (int s = 0; s < 5; s++) k = next[k];
        out[i] = k;
    }
}
void declaration(int n, int m, const int next[m], int *out) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i;
        for (int s = 0; s < 5; s++) k = next[k];
        out[i] = k;
    }
}
void nothing_said(int n, int m, const int *next, int *out) {
#pragma acc parallel loop copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int k = i % m;
        for (int s = 0; s < 5; s++) k = next[k];
        out[i] = k;
    }
}
void changed_size(int n, int m, const int next[m], int *out) {
    m = 3;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = i % m;
        for (int s = 0; s < 5; s++) k = next[k];
        out[i] = k;
    }
}
void changed_since(int n, int m, const int *next, int *out) {
#pragma acc data copyin(next[0:m]) copyout(out[0:n])
    {
        m = 7;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int k = i % m;
            for (int s = 0; s < 5; s++) k = next[k];
            out[i] = k;
        }
    }
}
void moved_pointer(int n, int m, const int *next, int *out) {
    next++;
#pragma acc data copyin(next[0:m]) copyout(out[0:n])
    {
        next = next + 1;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int k = i % m;
            for (int s = 0; s < 5; s++) k = next[k];
            out[i] = k;
        }
    }
}
void anybodys(int n, int m, const int *next, int *out) {
#pragma acc data copyin(next[0:global_size]) copyout(out[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int k = i % m;
            for (int s = 0; s < 5; s++) k = next[k];
            out[i] = k;
        }
    }
}
void told_by_data(int n, int m, const int *col, const float *x, float *y) {
#pragma acc parallel loop copyin(x[0:m], col[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = x[col[i]];
}
struct list { int n; const int *next; };
void member(int n, const struct list *l, int *out) {
#pragma acc parallel loop copyin(l->next[0:l->n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int k = i;
        for (int s = 0; s < 5; s++) k = l->next[k];
        out[i] = k;
    }
}
void member_since(int n, struct list *l, int *out) {
#pragma acc data copyin(l->next[0:l->n]) copyout(out[0:n])
    {
        l->next++;
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int k = i;
            for (int s = 0; s < 5; s++) k = l->next[k];
            out[i] = k;
        }
    }
}
// device 4

// note 79:1 how far 'l->next' reaches depends on 'k', which is computed in the region; its mark's section
// remark 93:41 how far 'l->next' reaches
// note 4:1 reaches depends on 'k', which is computed in the region; its mark's section is taken for true
// note 11:42 its declaration is taken for true
// remark 23:37 how far 'next' reaches depends on 'k', which is computed in the region; declare the array
// remark 32:37 how far 'next' reaches
// remark 43:41 how far 'next' reaches
// remark 56:41 how far 'next' reaches
// remark 67:41 how far 'next' reaches
