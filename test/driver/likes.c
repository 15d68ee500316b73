// likes.c -- triangular systems of one size, and then of others for which another nest is planned: that of
// the first has several launches, which a graph replays.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 128 };

static void fill(float *b) {
#pragma sculpt
    for (long e = 0; e < MOST * MOST; e++) b[e] = 1;
}

static void substitute(long m, long n, const float *a, long lda, float *b, long ldb) {
#pragma sculpt reassociate
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++) {
            float sum = b[i + j * ldb];
            for (long l = 0; l < i; l++) sum -= a[i + l * lda] * b[l + j * ldb];
            b[i + j * ldb] = sum;
        }
}

int main(void) {
    static const long sizes[][2] = {{64, 64}, {64, 64}, {16, 112}, {16, 111}, {16, 110}, {16, 109}};
    float *a = calloc(MOST * MOST, sizeof *a), *b = malloc(MOST * MOST * sizeof *b);
    long wrong = 0;
    for (long i = 0; i < MOST; i++)
        for (long l = 0; l < i; l++) a[i + l * MOST] = (i + l) % 3 == 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        long m = sizes[s][0], n = sizes[s][1];
#pragma sculpt data copyin(a[0:MOST * MOST]) copy(b[0:MOST * MOST])
        {
            fill(b);
            substitute(m, n, a, MOST, b, MOST);
        }
        for (long i = 0; i < MOST; i++) { // small whole numbers
            float sum = 1;
            for (long l = 0; l < i && i < m; l++) sum -= a[i + l * MOST] * b[l];
            for (long j = 0; j < MOST; j++) wrong += b[i + j * MOST] != (j < n ? sum : 1);
        }
    }
    printf("%ld wrong\n", wrong);
    return wrong != 0;
}
