// types.c -- objects that no device has.
#include <stdatomic.h>
union either {
    double d[2];
    unsigned char b[16]; _Bool t;
};
struct flags {
    long long on : 40, off : 3;
    char beside;
};

void long_doubles(int n, long double *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}
void wide_ints(int n, __int128 *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] / 3;
#pragma endscop
}
void volatiles(int n, volatile int *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}
void atomics(int n, _Atomic int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
void bit_fields(int n, struct flags *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i].on = 1;
#pragma endscop
}
void complexes(int n, _Complex int *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}
void unions(int n, union either *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i].d[0] = a[i].b[i & 15];
#pragma endscop
}
void assembled(int n, int *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int x = a[i];
        __asm__("" : "+r"(x));
        a[i] = x;
    }
}
struct pair {
    int x, y;
};
void chosen(int n, struct pair *a, struct pair b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i & 1 ? a[i] : b;
}
void unions_of_its_own(int n, int *a) {
    static union either u[64];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i].t = u[i].b[3];
}
typedef float four __attribute__((vector_size(16)));
typedef int eight __attribute__((__vector_size__(32)));
struct body {
    four at;
    int id;
};
// Compilers' own: no kernel's float4.
void added_vectors(int n, four *a, const four *b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}
void vector_of_its_own(int n, float *a, const four *b) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        four t = b[i];
        a[i] = t[1];
    }
}
void compared_vectors(int n, eight *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] > 3;
}
void members(int n, struct body *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i].at *= 2;
}
// device 1

// remark 15:16 no device has the type 'long double'
// remark 21:16 a quotient of '__int128' is taken by no device
// remark 27:9 is volatile or atomic
// remark 33:9 is volatile or atomic
// remark 38:9 the bit-field 'on' shares bytes with fields that are none; a whole number in its place is taken
// remark 44:16 no device has the type '_Complex int'
// remark 50:21 'union either' has numbers of several sizes here
// remark 57:9 assembler text is not taken
// remark 73:18 members of 'union either' that are used here are no numbers
// remark 85:17 no device has the type '__attribute__((__vector_size__(4 * sizeof(float)))) float'
// remark 90:14 no device has the type '__attribute__((__vector_size__(4 * sizeof(float)))) float'
// remark 97:16 a pointer to '__attribute__((__vector_size__(8 * sizeof(int)))) int' can't be used on a device
// remark 102:20 no device has the type '__attribute__((__vector_size__(4 * sizeof(float)))) float'
