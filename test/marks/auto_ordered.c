// flags: --auto
// Other threads may be at theirs while a loop without a mark does what threads do one at a time.
int count(int n, const int *restrict a, int *restrict s, int *restrict rank) {
    for (int i = 0; i < n; i++)
#pragma omp atomic capture
        rank[i] = (*s)++;
    for (int i = 0; i < n; i++) {
#pragma omp critical
        *s += a[i];
    }
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        *s /= 2;
    }
    return *s;
}
// remark 5:1 an atomic capture depends on the order of iterations; use a plain atomic update
// remark 8:1 #pragma omp critical is left to the host
// remark 12:1 an atomic division or shift depends on the order
// device 0
