// device 9
// learning.c -- clusters, neighbours, layers of a network: rows of pointers, structs, assignments to
// the nearest.
#include "../suite.h"
#include <float.h>

static float **rows_of(int n, int m) {
    float **r = malloc(sizeof(float *) * n);
    r[0] = malloc(sizeof(float) * n * m);
    for (int i = 1; i < n; i++) r[i] = r[i - 1] + m;
    return r;
}
static void rows_free(float **r) { free(r[0]), free(r); }

// The square of the distance between two points.
static float distance2(const float *p, const float *q, int n) {
    int i;
    float s = 0.0f;
    for (i = 0; i < n; i++) s += (p[i] - q[i]) * (p[i] - q[i]);
    return s;
}
static int nearest(const float *pt, int nfeatures, const float *pts, int npts) {
    int index = 0, i;
    float best = FLT_MAX;
    for (i = 0; i < npts; i++) {
        float d = distance2(pt, pts + i * nfeatures, nfeatures);
        if (d < best) {
            best = d;
            index = i;
        }
    }
    return index;
}
static void clusters(int npoints, int nfeatures, int nclusters) {
    float *feature = malloc(sizeof(float) * npoints * nfeatures),
        *center = malloc(sizeof(float) * nclusters * nfeatures);
    int *member = malloc(sizeof(int) * npoints), *size = malloc(sizeof(int) * nclusters), i, j;
    fill_floats(feature, npoints * nfeatures);
    memcpy(center, feature, sizeof(float) * nclusters * nfeatures);
    for (i = 0; i < npoints; i++) member[i] = -1;
    for (int round = 0; round < 3; round++) {
        int delta = 0, index;
#pragma omp parallel for private(i, j, index) firstprivate(npoints, nclusters, nfeatures) reduction(+ : delta)
        for (i = 0; i < npoints; i++) {
            index = nearest(feature + i * nfeatures, nfeatures, center, nclusters);
            if (member[i] != index)
                delta += 1;
            member[i] = index;
        }
        printf("moved %d\n", delta);
        for (i = 0; i < nclusters * nfeatures; i++) center[i] = 0;
        for (i = 0; i < nclusters; i++) size[i] = 0;
        for (i = 0; i < npoints; i++) {
            size[member[i]]++;
            for (j = 0; j < nfeatures; j++) center[member[i] * nfeatures + j] += feature[i * nfeatures + j];
        }
#pragma acc parallel loop gang collapse(2) copy(center[0:nclusters*nfeatures]) copyin(size[0:nclusters])
        for (i = 0; i < nclusters; i++)
            for (j = 0; j < nfeatures; j++)
                if (size[i] > 0)
                    center[i * nfeatures + j] /= size[i];
    }
    show_ints("member", member, npoints), show_floats("center", center, nclusters * nfeatures);
    free(feature), free(center), free(member), free(size);
}

typedef struct {
    float lat, lng;
} LatLong;
typedef struct {
    LatLong at;
    int id;
    float dist;
} Record;
static void neighbours(int n) {
    Record *rec = malloc(sizeof(Record) * n);
    for (int i = 0; i < n; i++) rec[i] = (Record){{(float)(suite_next() * 180), (float)(suite_next() * 360)},
                                                  i, 0};
    LatLong target = {30.0f, 90.0f};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float dx = rec[i].at.lat - target.lat, dy = rec[i].at.lng - target.lng;
        rec[i].dist = sqrtf(dx * dx + dy * dy);
    }
    double s = 0;
    long ids = 0;
    for (int i = 0; i < n; i++) s += rec[i].dist * (1 + i % 5), ids += rec[i].id;
    printf("neighbours %.4e %ld\n", s, ids);
    free(rec);
}

// Layers with units numbered from 1, unit 0 being the bias.
static void forward(float *l1, float *l2, float **conn, int n1, int n2) {
    float sum = 0;
    int j, k;
    l1[0] = 1.0f;
#pragma omp parallel for shared(conn, n1, n2, l1) private(k, j) reduction(+ : sum) schedule(static)
    for (j = 1; j <= n2; j++) {
        sum = 0.0f;
        for (k = 0; k <= n1; k++) sum += conn[k][j] * l1[k];
        l2[j] = 1.0f / (1.0f + expf(-sum));
    }
}
static float output_error(float *delta, float *target, float *output, int nj) {
    float o, t, errsum = 0;
    int j;
#pragma omp parallel for private(o, t) reduction(+ : errsum)
    for (j = 1; j <= nj; j++) {
        o = output[j];
        t = target[j];
        delta[j] = o * (1.0f - o) * (t - o);
        errsum += fabsf(delta[j]);
    }
    return errsum;
}
static void hidden_error(float *delta_h, int nh, float *delta_o, int no, float **who, float *hidden) {
    int j, k;
    float h, sum;
#pragma omp parallel for private(h, sum, k)
    for (j = 1; j <= nh; j++) {
        h = hidden[j];
        sum = 0.0f;
        for (k = 1; k <= no; k++) sum += delta_o[k] * who[j][k];
        delta_h[j] = h * (1.0f - h) * sum;
    }
}
static void adjust(float *delta, int ndelta, float *ly, int nly, float **w, float **oldw) {
    float new_dw;
    int k, j;
    ly[0] = 1.0f;
#pragma omp parallel for shared(oldw, w, delta) private(j, k, new_dw) firstprivate(ndelta, nly)
    for (j = 1; j <= ndelta; j++) {
        for (k = 0; k <= nly; k++) {
            new_dw = ((0.3f * delta[j] * ly[k]) + (0.3f * oldw[k][j]));
            w[k][j] += new_dw;
            oldw[k][j] = new_dw;
        }
    }
}
static void network(int in, int hid, int out) {
    float **w1 = rows_of(in + 1, hid + 1), **w2 = rows_of(hid + 1, out + 1), **o1 = rows_of(in + 1, hid + 1),
        **o2 = rows_of(hid + 1, out + 1);
    float *x = malloc(sizeof(float) * (in + 1)), *h = calloc(hid + 1, sizeof(float)),
        *o = calloc(out + 1, sizeof(float));
    float *t = malloc(sizeof(float) * (out + 1)), *dh = calloc(hid + 1, sizeof(float)),
        *d = calloc(out + 1, sizeof(float));
    fill_floats(w1[0], (in + 1) * (hid + 1)), fill_floats(w2[0], (hid + 1) * (out + 1)),
        fill_floats(x, in + 1), fill_floats(t, out + 1);
    memset(o1[0], 0, sizeof(float) * (in + 1) * (hid + 1)),
        memset(o2[0], 0, sizeof(float) * (hid + 1) * (out + 1));
    for (int round = 0; round < 3; round++) {
        forward(x, h, w1, in, hid);
        forward(h, o, w2, hid, out);
        printf("error %.4e\n", (double)output_error(d, t, o, out));
        hidden_error(dh, hid, d, out, w2, h);
        adjust(d, out, h, hid, w2, o2);
        adjust(dh, hid, x, in, w1, o1);
    }
    show_floats("w1", w1[0], (in + 1) * (hid + 1)), show_floats("w2", w2[0], (hid + 1) * (out + 1)),
        show_floats("out", o, out + 1);
    rows_free(w1), rows_free(w2), rows_free(o1), rows_free(o2);
    free(x), free(h), free(o), free(t), free(dh), free(d);
}

// Points in structs, each with its own coordinates: pointers inside structs.
typedef struct {
    float weight;
    float *coord;
    long assign;
    float cost;
} Point;
typedef struct {
    long num;
    int dim;
    Point *p;
} Points;
static float dist(Point p1, Point p2, int dim) {
    int i;
    float result = 0.0f;
    for (i = 0; i < dim; i++) result += (p1.coord[i] - p2.coord[i]) * (p1.coord[i] - p2.coord[i]);
    return result;
}
static void stream(long n, int dim) {
    Points points = {n, dim, malloc(sizeof(Point) * n)};
    float *block = malloc(sizeof(float) * n * dim);
    fill_floats(block, n * dim);
    for (long i = 0; i < n; i++) points.p[i] = (Point){1.0f + (float)(i % 3), block + i * dim, 0, 0.0f};
    // the coordinates are reached through the points: host, or gathered rows
#pragma omp parallel for
    for (long k = 0; k < points.num; k++) {
        float d = dist(points.p[k], points.p[0], points.dim);
        points.p[k].cost = d * points.p[k].weight;
        points.p[k].assign = 0;
    }
    // the same points in one block
    float *best = malloc(sizeof(float) * n);
#pragma omp parallel for
    for (long k = 0; k < n; k++) {
        float d = 0;
        for (int i = 0; i < dim; i++) {
            float t = block[k * dim + i] - block[i];
            d += t * t;
        }
        best[k] = d * points.p[k].weight;
    }
    double s = 0, t = 0;
    for (long i = 0; i < n; i++) s += points.p[i].cost * (1 + i % 7), t += best[i] * (1 + i % 7);
    printf("stream %.4e %.4e\n", s, t);
    free(points.p), free(block), free(best);
}
int main(void) {
    clusters(300, 7, 5), neighbours(257), network(33, 17, 5), stream(120, 12);
    suite_use();
    return 0;
}
