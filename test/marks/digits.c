// digits.c -- loops that are two, for a division and a remainder take their counter apart. What is said of
// them names what is written.
void rows(int n, int m, const float *restrict a, float *restrict b) {
#pragma sculpt
    for (int k = 0; k < n * m; k++) b[(k % m) * n + k / m] = a[k] * 2;
}
void kept(int n, int m, const float *restrict a, float *restrict b) {
#pragma sculpt
    for (int k = 0; k < n * m; k++) b[k / m] = b[k / m] * a[k % m] + b[k / m + 1];
}
void kept_too(int total, int m, const float *restrict a, float *restrict b) {
#pragma sculpt
    for (int k = 0; k < total; k++) b[k % m] = b[k % m] * a[k];
}
void planes(int n, int m, int l, const float *restrict a, float *restrict b) { // too large as assumed
#pragma sculpt
    for (int k = 0; k < n * m * l; k++) b[(k % m * n + k / m % n) * l + k / (n * m)] = a[k];
}
// device 4
// remarks 0
// says runs when             n >= 0
// says S0 b[k / m + 1], read at 9:37 -> S0 b[k / m], written at 9:37, distance (1, *), carried by k_1
// says update  S0 b[k % m], written at 13:37 -> S0 b[k % m], written at 13:37, distance (>0, 0)
// flags: --machine H200
// says does not fit: its data take 549.8 GB, NVIDIA H200 has
