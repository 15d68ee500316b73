// device 9
// filters.c -- pictures of bytes: grey, edges, blur, median, histogram, sums, scaling, dilation.
#include "../suite.h"
typedef unsigned char u8;
#define W 67
#define H 53
static void gray(int w, int h, const u8 *rgb, u8 *out) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const u8 *p = rgb + 3 * (y * w + x);
            out[y * w + x] = (u8)((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
        }
}
static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static void sobel(int w, int h, const u8 *in, u8 *out) {
#pragma omp parallel for collapse(2)
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int gx = -in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1] +
                in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1];
            int gy = -in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1] +
                in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1];
            int m = (int)sqrtf((float)(gx * gx + gy * gy));
            out[y * w + x] = (u8)clampi(m, 0, 255);
        }
}
static void blur(int w, int h, int radius, const u8 *in, u8 *tmp, u8 *out) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int k = -radius; k <= radius; k++) {
                int xx = x + k;
                if (xx < 0) xx = 0;
                if (xx >= w) xx = w - 1;
                s += in[y * w + xx];
            }
            tmp[y * w + x] = s / (2 * radius + 1);
        }
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int k = -radius; k <= radius; k++) s += tmp[clampi(y + k, 0, h - 1) * w + x];
            out[y * w + x] = s / (2 * radius + 1);
        }
}
static void median(int w, int h, const u8 *in, u8 *out) {
#pragma omp parallel for
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            u8 v[9];
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) v[n++] = in[(y + dy) * w + x + dx];
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++)
                    if (v[j] < v[i]) { u8 t = v[i]; v[i] = v[j]; v[j] = t; }
            out[y * w + x] = v[4];
        }
}
static void hist(int n, const u8 *in, int *bins) {
    for (int i = 0; i < 256; i++) bins[i] = 0;
#pragma omp parallel for reduction(+:bins[:256])
    for (int i = 0; i < n; i++) bins[in[i]]++;
}
static void integral(int w, int h, const u8 *in, int *s) {
#pragma scop
    for (int y = 0; y < h; y++) {
        int row = 0;
        for (int x = 0; x < w; x++) {
            row += in[y * w + x];
            s[y * w + x] = row + (y > 0 ? s[(y - 1) * w + x] : 0);
        }
    }
#pragma endscop
}
static void resize(int w, int h, int ow, int oh, const u8 *in, u8 *out) {
    float sx = (float)(w - 1) / ow, sy = (float)(h - 1) / oh;
#pragma omp parallel for
    for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
            float fx = x * sx, fy = y * sy;
            int x0 = (int)fx, y0 = (int)fy;
            float dx = fx - x0, dy = fy - y0;
            float a = in[y0 * w + x0], b = in[y0 * w + x0 + 1], c = in[(y0 + 1) * w + x0],
                d = in[(y0 + 1) * w + x0 + 1];
            out[y * ow + x] = (u8)((a * (1 - dx) + b * dx) * (1 - dy) + (c * (1 - dx) + d * dx) * dy + 0.5f);
        }
}
static void dilate(int w, int h, const u8 *in, u8 *out) {
#pragma acc parallel loop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            u8 m = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    if (in[yy * w + xx] > m) m = in[yy * w + xx];
                }
            out[y * w + x] = m;
        }
}
static void threshold(int n, u8 *im, u8 t) {
#pragma sculpt
    for (int i = 0; i < n; i++) im[i] = im[i] >= t ? 255 : 0;
}
static void show(const char *s, const u8 *p, long n) {
    unsigned long h = 5381;
    for (long i = 0; i < n; i++) h = h * 33 + p[i];
    printf("%s %lx\n", s, h);
}
int main(void) {
    suite_use();
    static u8 rgb[3 * W * H], a[W * H], b[W * H], c[W * H], big[W * H * 4];
    for (int i = 0; i < 3 * W * H; i++) rgb[i] = (u8)(suite_next() * 256);
    gray(W, H, rgb, a); show("gray", a, W * H);
    sobel(W, H, a, b); show("sobel", b, W * H);
    blur(W, H, 3, a, c, b); show("blur", b, W * H);
    median(W, H, a, b); show("median", b, W * H);
    static int bins[256], s[W * H];
    hist(W * H, a, bins); show_ints("hist", bins, 256);
    integral(W, H, a, s); show_ints("integral", s, W * H);
    resize(W, H, 2 * W - 5, 2 * H - 3, a, big); show("resize", big, (2 * W - 5) * (2 * H - 3));
    dilate(W, H, a, b); show("dilate", b, W * H);
    threshold(W * H, a, 100); show("threshold", a, W * H);
    return 0;
}
