// SPDX-License-Identifier: MIT
// blur.c -- Gaussian blur of a grey picture (PGM, P5), edges repeated.
//
//   blur [in.pgm out.pgm]  or  blur N  for a random N x N picture
#include "example.h"

enum { RADIUS = 3 };

typedef struct Picture {
    int w, h;
    unsigned char *pixel;
} Picture;

static void blur(int w, int h, const unsigned char *restrict in, unsigned char *restrict out, const float *restrict weight) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                    int yy = y + dy, xx = x + dx;
                    if (yy < 0) yy = 0;
                    if (yy >= h) yy = h - 1;
                    if (xx < 0) xx = 0;
                    if (xx >= w) xx = w - 1;
                    sum += weight[dy + RADIUS] * weight[dx + RADIUS] * in[yy * w + xx];
                }
            out[y * w + x] = (unsigned char)(sum + 0.5f);
        }
}

static Picture read_pgm(const char *path) {
    Picture p = {0, 0, NULL};
    FILE *f = fopen(path, "rb");
    if (f && fscanf(f, "P5 %d %d 255", &p.w, &p.h) == 2 && p.w > 0 && p.h > 0 && fgetc(f) != EOF) {
        p.pixel = allocate((size_t)p.w * p.h);
        if (fread(p.pixel, 1, (size_t)p.w * p.h, f) != (size_t)p.w * p.h) p.w = 0;
    }
    if (f) fclose(f);
    if (!p.pixel || !p.w) fprintf(stderr, "%s: no 8-bit PGM picture\n", path), exit(2);
    return p;
}

static int write_pgm(const char *path, Picture p) {
    FILE *f = fopen(path, "wb");
    if (!f) return perror(path), 2;
    fprintf(f, "P5\n%d %d\n255\n", p.w, p.h);
    fwrite(p.pixel, 1, (size_t)p.w * p.h, f);
    return fclose(f) ? 2 : 0;
}

static int clamp(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }

int main(int argc, char **argv) {
    Picture in;
    if (argc > 2) {
        in = read_pgm(argv[1]);
    } else {
        int n = (int)argument(argc, argv, 1, 512);
        in = (Picture){n, n, allocate((size_t)n * n)};
        for (size_t i = 0; i < (size_t)n * n; i++) in.pixel[i] = (unsigned char)(127.5 + 127 * uniform());
    }
    Picture out = {in.w, in.h, allocate((size_t)in.w * in.h)};
    float weight[2 * RADIUS + 1], total = 0;
    for (int d = -RADIUS; d <= RADIUS; d++) total += weight[d + RADIUS] = expf(-0.25f * d * d);
    for (int d = 0; d < 2 * RADIUS + 1; d++) weight[d] /= total;
    double start = now();
    blur(in.w, in.h, in.pixel, out.pixel, weight);
    double seconds = now() - start, worst = 0;
    for (int y = 0; y < in.h; y++)
        for (int x = 0; x < in.w; x += 1 + in.w / 256) {
            double sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++)
                    sum += (double)weight[dy + RADIUS] * weight[dx + RADIUS] * in.pixel[(size_t)clamp(y + dy, in.h) * in.w + clamp(x + dx, in.w)];
            worst = fmax(worst, fabs(out.pixel[(size_t)y * in.w + x] - sum));
        }
    int status = argc > 2 ? write_pgm(argv[2], out) : 0;
    double taps = (2 * RADIUS + 1) * (2 * RADIUS + 1);
    status |= report("blur", seconds, 3 * taps * in.w * in.h, 2.0 * in.w * in.h, worst, 0.501);
    free(in.pixel), free(out.pixel);
    return status;
}
