// device 7
// filters.c -- images of small whole numbers; weights are constants, in expressions, tables and loops.
#include "../suite.h"
#define H 61
#define W 83
static unsigned char b[H][W], out[H][W];
static signed char c[H][W];
static unsigned short s[H][W];
static int sum[H][W];
__attribute__((noinline)) static void emboss(void) {
#pragma omp parallel for collapse(2)
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++) {
            int v = -2 * b[i - 1][j - 1] - b[i - 1][j] - b[i][j - 1] + b[i][j] + b[i][j + 1] + b[i + 1][j] +
                    (b[i + 1][j + 1] << 1) + 128;
            out[i][j] = v < 0 ? 0 : v > 255 ? 255 : v;
        }
}
__attribute__((noinline)) static void blur(void) { // weights in a table
    static const int w[5][5] = {
        {1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};
#pragma omp parallel for
    for (int i = 2; i < H - 2; i++)
        for (int j = 2; j < W - 2; j++) {
            int v = 128;
            for (int y = -2; y <= 2; y++)
                for (int x = -2; x <= 2; x++) v += w[y + 2][x + 2] * b[i + y][j + x];
            out[i][j] = v >> 8;
        }
}
__attribute__((noinline)) static void signs(void) { // negative numbers
#pragma omp parallel for
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++)
            sum[i][j] = 7 * c[i - 1][j] - 3 * (c[i + 1][j] - c[i][j + 1]) - 5 * c[i][j - 1] - c[i - 1][j + 1];
}
__attribute__((noinline)) static void wide(void) { // in another order it would overflow
#pragma omp parallel for
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++)
            sum[i][j] = 30000 * s[i][j] - 30000 * s[i][j + 1] + 30000 * s[i + 1][j] - 30000 * s[i + 1][j + 1];
}
__attribute__((noinline)) static void cancelled(void) { // a term that goes away, one twice
#pragma omp parallel for
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++)
            sum[i][j] = s[i - 1][j] + s[i][j] + s[i + 1][j] - s[i][j] + s[i - 1][j - 1] + 2 * s[i - 1][j - 1];
}
__attribute__((noinline)) static void over(void) { // what it writes it reads
#pragma scop
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < W - 1; j++)
            b[i][j] = (b[i - 1][j - 1] + b[i - 1][j] + b[i - 1][j + 1] + b[i + 1][j - 1] + b[i + 1][j] +
                       b[i + 1][j + 1]) / 6;
#pragma endscop
}
__attribute__((noinline)) static void narrow(void) { // weights that wrap around
    static const int w[2][2] = {{300, -1}, {129, 256}};
#pragma omp parallel for
    for (int i = 0; i < H - 1; i++)
        for (int j = 0; j < W - 1; j++) {
            int v = 0;
            for (int y = 0; y < 2; y++)
                for (int x = 0; x < 2; x++) v += (signed char)w[y][x] * b[i + y][j + x];
            sum[i][j] = v;
        }
}
int main(void) {
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            b[i][j] = suite_next() * 256, c[i][j] = suite_next() * 256 - 128;
            s[i][j] = 30000 + suite_next() * 60;
        }
    long h[7] = {0};
    for (int k = 0; k < 7; k++) {
        static void (*const run[])(void) = {emboss, blur, signs, wide, cancelled, narrow, over};
        run[k]();
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
                h[k] = (h[k] * 31 + (k < 2 ? out[i][j] : k < 6 ? sum[i][j] : b[i][j])) % 1000003;
        printf("%d %ld\n", k, h[k]);
    }
    return 0;
}
