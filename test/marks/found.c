// found.c -- sums over what a search in each iteration finds: for all sizes, as the judge sees it.
// flags: --confirm
// says on NVIDIA H200 at m = 16384; proved
// says runs when             always
void found(int n, int m, const double *restrict x, const int *restrict y, const double *restrict q,
           long *restrict s) {
#pragma omp target teams distribute parallel for map(to: x[0:n], y[0:n], q[0:m]) reduction(+ : s[:1])
    for (int i = 0; i < m; i++) {
        int lo = 0, hi = n - 1;
        while (hi - lo > 1) {
            int mid = lo + (hi - lo) / 2;
            if (x[mid] > q[i]) hi = mid;
            else lo = mid;
        }
        s[0] += y[lo];
    }
}
