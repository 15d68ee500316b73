// around.c -- sums whose places come again and again: the loop is free for one round, and a sum for all.
// says parallel when n <= 101; else reduction of h (+)
// says runs when             always
// remarks 0
void around(int n, const int *restrict a, int *restrict h) {
#pragma omp parallel for reduction(+ : h[:101])
    for (int i = 0; i < n; i++) h[(i * 7) % 101] += a[i];
}
