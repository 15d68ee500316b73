// refused.c -- what clang refuses in a function is said once, however many loops there are.
static int a[9], b[9];
int twice_inside(int n) {
    int twice(int x) { return 2 * x; }
#pragma sculpt
    for (int i = 0; i < 9; i++) a[i] = i;
#pragma sculpt
    for (int i = 0; i < 9; i++) b[i] = a[i];
#pragma omp parallel for
    for (int i = 0; i < 9; i++) a[i] = b[i];
    return twice(a[n]);
}
int main(void) {
    int half(int x) { return x / 2; }
#pragma sculpt
    for (int i = 0; i < 9; i++) a[i] = i;
#pragma sculpt
    for (int i = 0; i < 9; i++) b[i] = a[i];
    return half(b[0]) + twice_inside(2);
}
// device 0
// remark 4:22 clang refuses this
// remark 6:5 the loops of this function, from here on, stay on the host, because clang refuses its line 4
// remark 16:5 the loops of this function, from here on, stay on the host, because clang refuses its line 14
// remarks 3
