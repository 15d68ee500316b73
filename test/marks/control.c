// control.c -- loops that leave in the middle or run an unknown number of times.
#include <stdio.h>
void consume(int i);

void breaks(int n, float *a) {
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            break;
        a[i] = 1;
    }
#pragma endscop
}
void whiles(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        while (a[i] > 1)
            a[i] *= 0.5f;
    }
}
void dos(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        do
            a[i] *= 0.5f;
        while (a[i] > 1);
    }
}
int returns(int n, const float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            return i;
    return -1;
}
void gotos(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            goto next;
        a[i] = 0;
    next:;
    }
}
void switches(int n, int *a) {
#pragma scop
    for (int i = 0; i < n; i++)
        switch (a[i]) {
        case 0: a[i] = 1; // falls through
        default: a[i] += 2;
        }
#pragma endscop
}
// device 0

// remark 9:13 'break' inside a region
// remark 17:9 a 'while' loop: how often it runs can't be told
// remark 24:9 a 'do' loop: how often it runs can't be told
// remark 33:13 'return' inside a region; leave after the loop
// remark 40:13 'goto' inside a region
// remark 48:9 'switch' inside a region
