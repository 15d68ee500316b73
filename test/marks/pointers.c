// pointers.c -- pointers that move or are looked up while the loop runs.
struct item {
    struct item *next;
    float *data;
    float value;
};
static float *table[10];

void walks(int n, float *a, float *p) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i > 3 ? *p++ : 0;
#pragma endscop
}
void list(int n, float *a, struct item *p) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = p->value;
        p = p->next;
    }
}
void looked_up(int n, struct item *p) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].data[0] = 1;
}
void stored(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        table[i] = a + i;
}
void punned(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        *(short *)&a[i] = 5;
}
void outer_counts(int n, int m, int (*row)[20]) {
    int(*first)[20] = row;
#pragma omp parallel for
    for (int(*r)[20] = first; r < first + n; r++)
        for (int *c = *r; c < *r + m; c++)
            *c += 1;
}
static float *shared;
void used_by_others(int n) {
#pragma sculpt
    while (n--) *shared++ = 0;
}
float *compacted(int n, const float *a, float *to) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (a[i] > 0) *to++ = a[i];
    return to;
}
float *by_threads(int n, float *a) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) *a++ = 0;
    return a;
}
// device 2
// remarks 7

// remark 12:25 a pointer is moved in an operand that need not be evaluated
// remark 30:9 a pointer is changed inside the loop; use the array with a computed subscript
// remark 35:19 a pointer to 'float' is converted to a pointer to 'short' here; use one type
// remark 47:5 the loop changes the pointer 'shared', which is used behind it
// remark 51:5 the loop changes the pointer 'to', which is used behind it
// remark 57:5 the loop changes the pointer 'a', which is used behind it
