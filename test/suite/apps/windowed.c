// device 5
// windowed.c -- filters as people write them: saturated shorts from the last to the first, complex taps that
// skip, lags that end with the signal, results over what is still read, windows longer than the signal.
#include "../suite.h"
#include <complex.h>
typedef float complex cf;
typedef double complex cd;
enum { N = 700, TAPS = 100 };
static void saturated(int n, int m, const short *restrict h, const short *restrict x, short *restrict y) {
#pragma sculpt
    for (int i = n - 1; i >= m - 1; i--) {
        int sum = 1 << 14;
        for (int k = m - 1; k >= 0; --k) sum += h[k] * x[i - k];
        sum >>= 15;
        y[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
    }
}
static void every(int n, int m, int step, const cf *restrict h, const cf *restrict x, cf *restrict y) {
#pragma omp parallel for
    for (int i = 0; i < n / step; i++) {
        cf sum = 0;
        for (int k = 0; k < m; k++)
            if (i * step - k >= 0) sum += h[k] * x[i * step - k];
        y[i] = sum;
    }
}
static void over_itself(int n, int m, const float *h, float *x) {
#pragma sculpt
    for (int i = 0; i < n - m + 1; i++) {
        float sum = 0;
        for (int k = 0; k < m; k++) sum += h[k] * x[i + k];
        x[i] = sum;
    }
}
static void lags(int n, int most, const cd *x, cd *r) {
#pragma sculpt reassociate
    for (int l = -most; l <= most; l++) {
        cd sum = 0;
        for (int i = l > 0 ? l : 0; i < (l < 0 ? n + l : n); i++)
            sum += conj(x[i - l < n ? i - l : 0]) * x[i];
        r[l + most] = sum;
    }
}
static void anywhere(int n, int m, const float *h, const float *x, float *y) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < m; k++) sum += h[k] * x[i + k];
        y[i] = sum;
    }
}
static short xs[N], hs[TAPS], ys[N];
static cf xc[N], hc[TAPS], yc[N];
static cd xd[N], rd[2 * TAPS + 1];
static float xf[2 * N], hf[TAPS], yf[2 * N];
static void fill(void) {
    for (int i = 0; i < N; i++) xs[i] = (int)(suite_next() * 60000) - 30000;
    for (int i = 0; i < TAPS; i++) hs[i] = suite_next() * 2000;
    fill_floats((float *)xc, 2 * N), fill_floats((float *)hc, 2 * TAPS), fill_doubles((double *)xd, 2 * N);
    fill_floats(xf, 2 * N), fill_floats(hf, TAPS);
    for (int i = 0; i < TAPS; i++) hf[i] *= .2f;
    memset(ys, 0, sizeof ys), memset(yc, 0, sizeof yc), memset(yf, 0, sizeof yf);
}
int main(void) {
    static const int sizes[] = {0, 1, 5, 257, 600}, taps[] = {1, 3, 31, 100};
    suite_use();
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 4; b++) {
            int n = sizes[a], m = taps[b], most = m < n ? m : n - 1, whole[N];
            fill();
            saturated(n, m, hs, xs, ys);
            for (int i = 0; i < N; i++) whole[i] = ys[i];
            show_ints("saturated", whole, N);
            every(n, m, 3, hc, xc, yc), show_floats("every", (float *)yc, 2 * N);
            if (m < 4) over_itself(n, m, hf, xf), show_floats("over", xf, 2 * N);
            if (n) lags(n, most, xd, rd), show_doubles("lags", (double *)rd, 4 * most + 2);
            anywhere(n, m, hf, xf, yf), show_floats("apart", yf, 2 * N);
            anywhere(n, m, hf, xf + 1, xf), show_floats("before", xf, 2 * N);
            anywhere(n, m, hf, xf, xf + m / 2), show_floats("behind", xf, 2 * N);
        }
}
