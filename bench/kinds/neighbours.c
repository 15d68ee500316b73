// SPDX-License-Identifier: MIT
// neighbours.c -- forces between points and those in their lists, with room for more; float.
#include "kind.h"

typedef struct {
    float x, y, z;
} Point;

#if SPELLING == 1
static void forces(int n, int most, const int *count, const int *list, const Point *p, Point *f) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
        for (int k = 0; k < count[i]; k++) {
            int j = list[i * most + k];
            float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            float w = 1 / (0.01f + dx * dx + dy * dy + dz * dz);
            x += w * dx, y += w * dy, z += w * dz;
        }
        f[i].x = x, f[i].y = y, f[i].z = z;
    }
}
#elif SPELLING == 2 // a pointer to the list
static void forces(int n, int most, const int *count, const int *list, const Point *p, Point *f) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        const int *mine = list + (long)i * most;
        Point at = p[i], sum = {0, 0, 0};
        for (int k = 0; k < count[i]; k++) {
            Point q = p[mine[k]];
            q.x -= at.x, q.y -= at.y, q.z -= at.z;
            float w = 1 / (0.01f + q.x * q.x + q.y * q.y + q.z * q.z);
            sum.x += w * q.x, sum.y += w * q.y, sum.z += w * q.z;
        }
        f[i] = sum;
    }
}
#else // sums that may be reordered
static void forces(int n, int most, const int *count, const int *list, const Point *p, Point *f) {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
        int end = count[i];
#pragma acc loop vector reduction(+ : x, y, z)
        for (int k = 0; k < end; k++) {
            int j = list[(size_t)i * most + k];
            float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            float w = 1 / (0.01f + dx * dx + dy * dy + dz * dz);
            x += w * dx, y += w * dy, z += w * dz;
        }
        f[i].x = x, f[i].y = y, f[i].z = z;
    }
}
#endif

int main(int argc, char **argv) {
    kind_begin("neighbours", argc, argv);
    int n = kind_size(2000000, 997), most = kind_size(40, 9);
    size_t all = (size_t)n * most;
    int *count = kind_array(n * sizeof *count), *list = kind_array(all * sizeof *list);
    double pairs = 0;
    for (int i = 0; i < n; i++) {
        count[i] = most / 2 + kind_pick(i, most / 2 + 1);
        pairs += count[i];
        for (int k = 0; k < most; k++) {
            long j = (long)i + (long)(kind_bits(2, (size_t)i * most + k) % 2000) - 1000;
            list[(size_t)i * most + k] = k >= count[i] ? -1 : (int)(j < 0 ? 0 : j < n ? j : n - 1);
        }
    }
    Point *p = kind_array(n * sizeof *p), *f = kind_array(n * sizeof *f);
    for (int i = 0; i < n; i++)
        p[i] = (Point){(float)kind_value(3, i), (float)kind_value(4, i), (float)kind_value(5, i)};
#pragma acc enter data copyin(count[0 : n], list[0 : all], p[0 : n]) create(f[0 : n])
    while (kind_again()) {
        forces(n, most, count, list, p, f);
#pragma acc update self(f[0 : 1])
    }
#pragma acc exit data delete(count[0 : n], list[0 : all], p[0 : n]) copyout(f[0 : n])
    for (int i = 0; i < n; i++) {
        double x = 0, all_x = 0;
        for (int k = 0; k < count[i]; k++) {
            const Point *q = &p[list[(size_t)i * most + k]];
            double dx = (double)q->x - p[i].x, dy = (double)q->y - p[i].y, dz = (double)q->z - p[i].z;
            double term = dx / (0.01 + dx * dx + dy * dy + dz * dz);
            x += term, all_x += fabs(term);
        }
        kind_compare(f[i].x, x, 1 + all_x);
    }
    return kind_end(20 * pairs, "Gflop/s", 1e-5);
}
