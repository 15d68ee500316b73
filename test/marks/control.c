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
const float *returns(int n, const float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            return a + i;
    return 0;
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
void backwards(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
    again:
        a[i] *= 0.5f;
        if (a[i] > 3)
            goto again;
    }
}
int enters(int n, float *a) {
    if (n > 9)
        goto inside;
#pragma sculpt
    for (int i = 0; i < n; i++) {
    inside:
        a[i] *= 0.5f;
    }
    return n;
}
void sweeps(int n, float *a) { // what is parallel stands inside of the while
#pragma scop
    for (int k = 0; k < 3; k++)
        while (a[0] > 1)
            for (int i = 0; i < n; i++)
                a[i] *= 0.5f;
#pragma endscop
}
void serial(int n, float *a) {
#pragma scop
    for (int i = 1; i < n; i++)
        while (a[i] > 1)
            a[i] *= 0.5f + a[i - 1];
#pragma endscop
}
void turns(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 0;
        do {
            k++;
            if (k == 2)
                continue;
            a[i] *= 0.5f;
        } while (a[i] > 1);
    }
}
int jumps_to_end(int n, const float *a, float *b) {
    int count = 0;
#pragma sculpt
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) goto out;
        b[i] = a[i];
        count++;
    }
out:
    return count;
}
int condition_ends(int n, const float *a) {
    int found = 0;
#pragma sculpt
    for (int i = 0; i < n && !found; i++)
        if (a[i] == 3) found = i;
    return found;
}
// device 6

// remark 7:5 the data may end this loop before its bound
// remark 33:13 'return' inside a region is taken of numbers of one type; leave after the loop
// remark 103:5 a jump out of the region; leave after the loop
// remark 60:13 'goto' inside a region
// remark 68:5 a jump from outside of the region leads to 'inside'
// remark 76:9 a 'while' loop: how often it runs can't be told
// remark 83:5 loop i carries a dependence on a
// remark 114:5 the data may end this loop before its bound
