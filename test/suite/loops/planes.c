// device 3
// planes.c -- subscripts of several strides of which none is known to divide another: batches of matrices,
// planes of images, every inc-th element.
#include "../suite.h"
enum { M = 20, N = 17, Q = 9, LD = 24, BIG = 12000 };
static float c[BIG], a[BIG], b[BIG];
static unsigned char image[BIG];
static double v[BIG];

static void products(long q, long m, long n, long k, long lda, long ra, long ldb, long rb, long ldc,
                     long rc) {
#pragma sculpt
    for (long s = 0; s < q; s++)
        for (long j = 0; j < n; j++)
            for (long i = 0; i < m; i++) {
                float sum = 0;
                for (long l = 0; l < k; l++) sum += a[i + l * lda + s * ra] * b[l + j * ldb + s * rb];
                c[i + j * ldc + s * rc] = 2 * sum - c[i + j * ldc + s * rc];
            }
}

static void turned(int planes, int rows, int columns, int pitch, int plane) {
#pragma scop
    for (int p = 0; p < planes; p++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++)
                image[p * plane + y * pitch + x] = (unsigned char)(255 - image[p * plane + y * pitch + x]);
#pragma endscop
}

static void scaled(unsigned n, unsigned m, unsigned inc, unsigned ld) {
#pragma sculpt
    for (unsigned j = 0; j < n; j++)
        for (unsigned i = 0; i < m; i++) v[(size_t)j * ld + (size_t)i * inc] *= 3;
}

int main(void) {
    for (int i = 0; i < BIG; i++) {
        a[i] = (float)(i % 13), b[i] = (float)(i % 7), c[i] = (float)(i % 5), v[i] = i % 11;
        image[i] = (unsigned char)i;
    }
    products(Q, M, N, 11, LD, LD * 11, 11, 11 * N, LD, LD * N);
    products(Q, M, N, 11, LD, LD * 11, 11, 11 * N, LD, LD * N + 1); // no whole rows: on the host
    products(Q, M, N, 11, LD, 0, 11, 11 * N, LD, LD);               // matrices that meet: in their order
    turned(3, 30, 40, 64, 64 * 32);
    turned(2, 30, 40, 64, 3000);
    turned(0, 30, 40, 0, 0);
    scaled(N, M, 3, 3 * M);
    scaled(N, M, 1, 0);
    scaled(N, M, 0, 5);
    double sum = 0;
    for (int i = 0; i < BIG; i++) sum = sum * 1.0001 + c[i] + image[i] * 3 + v[i];
    printf("%.17g\n", sum);
    return 0;
}
