// device 18
// scalars.c -- temporaries that each turn has its own of, local arrays, statements in odd orders.
#include "loops.h"

static void one_temp(void) { // parallel: C89 temporary declared outside
    float t;
#pragma scop
    for (int i = 0; i < N; i++) {
        t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
#pragma endscop
}
static float temp_kept(void) { // parallel; the last t is given back
    float t = 0;
#pragma scop
    for (int i = 0; i < N; i++) {
        t = a[i] * 2.0f;
        b[i] = t + c[i];
    }
#pragma endscop
    return t;
}
static float temp_kept_none(int n) { // the same with a loop that may be empty
    float t = 42.0f;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = a[i] * 2.0f;
        b[i] = t + c[i];
    }
#pragma endscop
    return t;
}
static void chain_of_temps(void) { // parallel
    float s, t, u;
#pragma omp parallel for private(s, t, u)
    for (int i = 0; i < N; i++) {
        s = a[i] + b[i];
        t = s * s;
        u = t - s;
        c[i] = u / (1.0f + t);
    }
}
static void own_start(void) { // parallel: an initial value that names its variable where it is not read
#pragma scop
    for (int i = 0; i < N; i++) {
        float t = i < 0 ? t : 3.0f;
        c[i] += t;
    }
#pragma endscop
}
static void index_temp(void) { // parallel: the temporary is a subscript
    int k;
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            k = i * M + j;
            flat[k] = flat[k + M * M] * 2.0f;
        }
#pragma endscop
}
static void local_array(void) { // parallel: t[4] belongs to the turn
#pragma scop
    for (int i = 0; i < N - 4; i++) {
        float t[4];
        for (int k = 0; k < 4; k++)
            t[k] = a[i + k] * (float)(k + 1);
        b[i] = (t[0] + t[1]) * (t[2] - t[3]);
    }
#pragma endscop
}
static void outside_array(void) { // parallel with private(t)
    float t[4];
#pragma omp parallel for private(t)
    for (int i = 0; i < N - 4; i++) {
        for (int k = 0; k < 4; k++)
            t[k] = a[i + k] - b[i];
        c[i] = t[3] * t[2] - t[1] * t[0];
    }
}
static void partly_expanded(void) { // parallel: t is set before it is used on each way
    float t = 0;
#pragma scop
    for (int i = 0; i < N; i++)
        if (d[i] < 0.0f) {
            t = b[i] + c[i];
            a[i] = t * t;
        } else {
            t = b[i] - c[i];
            e[i] = t;
        }
#pragma endscop
}
static void carried_temp(void) { // parallel: t is computed again from what the turn before read
    float t = 0.0f;
#pragma sculpt
    for (int i = 0; i < N; i++) {
        float s = b[i] * c[i];
        a[i] = s + t;
        t = s;
    }
}
static void order_of_statements(void) { // parallel once split, in the other order
#pragma scop
    for (int i = 1; i < N - 1; i++) {
        a[i] = b[i - 1] + c[i] * d[i];
        b[i] = b[i + 1] - e[i] * d[i];
    }
#pragma endscop
}
static void node_split(void) { // parallel with a copy: reads the old a[i + 1] and the new a[i]
#pragma sculpt
    for (int i = 0; i < N - 1; i++) {
        a[i] = b[i] + c[i];
        d[i] = (a[i] + a[i + 1]) * 0.5f;
    }
}
static void four_statements(void) { // parallel in groups
#pragma scop
    for (int i = 1; i < N; i++) {
        a[i] = b[i] + 1.0f;
        c[i] = a[i] * 2.0f;
        d[i] = c[i - 1] + e[i];
        x[i] = d[i] * a[i - 1];
    }
#pragma endscop
}
static void invariant_temps(float p, float q) { // parallel: loop-invariant scalars
    float s = p + q, t = p * q;
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        a[i] = s * a[i] + t;
}
static void constants(void) { // parallel
    const int k = 3;
    const float w[3] = {0.25f, 0.5f, 0.25f};
#pragma scop
    for (int i = 1; i < N - 1; i++)
        a[i] = w[0] * b[i - 1] + w[1] * b[i] + w[2] * b[i + 1] + (float)k;
#pragma endscop
}
static void set_twice(void) { // parallel: dead first value
#pragma scop
    for (int i = 0; i < N; i++) {
        a[i] = 1.0f;
        a[i] = b[i] * a[i];
        a[i] -= c[i];
    }
#pragma endscop
}
static void local_struct(void) { // parallel
    struct pair {
        float lo, hi;
    };
#pragma scop
    for (int i = 0; i < N; i++) {
        struct pair p = {a[i], b[i]};
        if (p.lo > p.hi) {
            float t = p.lo;
            p.lo = p.hi;
            p.hi = t;
        }
        c[i] = p.lo;
        d[i] = p.hi;
    }
#pragma endscop
}
static void nested_blocks(void) { // parallel: one name, three variables
#pragma scop
    for (int i = 0; i < N; i++) {
        float t = a[i];
        {
            float t = b[i];
            c[i] = t;
            if (t > 0.0f) {
                float t = 2.0f;
                c[i] *= t;
            }
        }
        d[i] = t;
    }
#pragma endscop
}

int main(void) {
    RUN(one_temp), VALUE(temp_kept), VALUE(temp_kept_none, N), VALUE(temp_kept_none, 0), RUN(chain_of_temps),
        RUN(own_start), RUN(index_temp);
    RUN(local_array), RUN(outside_array), RUN(partly_expanded), RUN(carried_temp), RUN(order_of_statements),
        RUN(node_split);
    RUN(four_statements), RUN(invariant_temps, 0.5f, 2.0f), RUN(constants), RUN(set_twice), RUN(local_struct),
        RUN(nested_blocks);
    suite_use();
    return 0;
}
