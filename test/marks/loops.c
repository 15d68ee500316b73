// loops.c -- loops whose form is not taken.
void no_bound(float *a) {
#pragma sculpt
    for (int i = 0;; i++) {
        a[i] = 0;
        if (a[i + 1] > 0)
            break;
    }
}
void doubling(int n, float *a) {
#pragma sculpt
    for (int i = 1; i < n; i *= 2)
        a[i] = 0;
}
void float_counter(float x, float *a) {
#pragma sculpt
    for (float f = 0; f < x; f += 1)
        a[(int)f] = 0;
}
void counter_written(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        if (a[i + 1] > 0)
            i++;
    }
}
void bound_written(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        if (a[i + 1] > 0)
            n--;
    }
}
void other_condition(int n, const float *a, float *b) {
#pragma sculpt
    for (int i = 0; a[i] > 0 && i < n; i++)
        b[i] = 0;
}
void wrong_way(int n, float *a) {
#pragma sculpt
    for (int i = 0; i < n; i--)
        a[i] = 0;
}
void nothing(int n) {
#pragma scop
    for (int i = 0; i < n; i++) {
    }
#pragma endscop
}
static float window[100];
void begins_before_the_array(int n) {
#pragma sculpt
    for (int i = n - 1; i >= 3; i--)
        window[i] = window[i - 7] * 0.5f + window[i];
}
void ends_behind_the_array(int n) {
#pragma sculpt
    for (int i = n; i < 100; i++)
        window[i] = window[i + 7] * 0.5f + window[i];
}
void may_end_behind_the_array(int n) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        window[i] = window[i + 7] * 0.5f + window[i];
}
void begins_beyond_its_type(int n, float *a) {
#pragma sculpt
    for (int i = 1e308; i < n; i++)
        a[i] = 0;
}
void ends_beyond_its_type(float *a) {
#pragma sculpt
    for (int i = 0; i < (int)3e9; i++)
        a[i] = 0;
}
void ends_at_a_float(double x, float *a) {
#pragma sculpt
    for (int i = 0; i < x; i++)
        a[i] = 0;
}
void counts_far_ahead(int n, float *a) {
#pragma sculpt
    for (int i = 0; i + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
                    + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
                    + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 < n; i++)
        a[i] = 0;
}
void reaches_far(const int *q, const float *a, float *o, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = 5;
        for (int k = 0; k < 3; k++)
            if (q[3 * i + k] & 1) at = k;
        if (at < 2) {
            at = i % 9223372036854775807 + 7;
            o[i] = a[at];
        } else o[i] = a[at] * 2;
    }
}
// device 2

// remark 4:5 the loop must count one variable
// remark 12:28 the step must add or subtract a constant
// remark 17:5 the counter 'f' must be an integer
// remark 22:5 the counter 'i' is changed inside the loop
// remark 30:5 the loop changes what its bound is computed
// remark 38:5 the loop must count one variable
// remark 43:5 the step and the condition of the loop don't
// remark 55:5 stays on the host: loop i carries a dependence on window
// remark 60:5 stays on the host: loop i carries a dependence on window
// remark 70:5 a constant does not fit the type 'int' that it is converted to
// remark 75:5 a constant does not fit the type 'int' that it is converted to
// remark 80:21 the condition must compare the counter with an integer bound
// remark 92:5 stays on the host: which elements of a are used cannot be told
