// SPDX-License-Identifier: MIT
// device.c -- <sculpt/blas.h>: the handle, and arrays that the device has and nobody moves.
#include "device.h"
#include "sculpt/sculpt.h"
#include <stdio.h>

void blas_sgather(long n, const float *x, long inc, float *w);
void blas_dgather(long n, const double *x, long inc, double *w);
void blas_sscatter(long n, const float *w, float *x, long inc);

int sculpt_blas_create(sculpt_blas **out) {
    *out = calloc(1, sizeof **out);
    if (!*out) return SCULPT_BLAS_NO_MEMORY;
    (*out)->order = SCULPT_COLUMN_MAJOR;
    if (sculpt_after_stream(NULL)) return 0;
    free(*out);
    *out = NULL;
    return SCULPT_BLAS_NO_DEVICE;
}

void sculpt_blas_destroy(sculpt_blas *h) { free(h); }
void sculpt_blas_set_stream(sculpt_blas *h, void *stream) { h->stream = stream; }
void sculpt_blas_set_order(sculpt_blas *h, int order) { h->order = order; }
const char *sculpt_blas_why(const sculpt_blas *h) { return h->why; }
bool blas_is_row_major(const sculpt_blas *h) { return h->order == SCULPT_ROW_MAJOR; }

// ---- a call --------------------------------------------------------------------------------
static __thread sculpt_blas *current;

static void refused(const char *why) {
    snprintf(current->why, sizeof current->why, "%s", why);
    longjmp(current->back, 1);
}

int blas_device_begin(sculpt_blas *h) {
    h->n = 0;
    h->why[0] = 0;
    if (!sculpt_after_stream(h->stream)) return SCULPT_BLAS_NO_DEVICE;
    current = h;
    sculpt_on_refusal(refused);
    return 0;
}

static void disown(sculpt_blas *h) {
    sculpt_on_refusal(NULL);
    while (h->n) h->n--, sculpt_data_exit(h->own[h->n].at, h->own[h->n].bytes, 0);
}

int blas_device_end(sculpt_blas *h) {
    disown(h);
    return sculpt_before_stream(h->stream) ? 0 : SCULPT_BLAS_FAILED;
}

int blas_device_failed(sculpt_blas *h) {
    blas_scopes_end();
    disown(h);
    return SCULPT_BLAS_FAILED;
}

int blas_device_lacks(sculpt_blas *h) {
    snprintf(h->why, sizeof h->why, "the routine runs on the host alone");
    return SCULPT_BLAS_FAILED;
}

void blas_own(sculpt_blas *h, const void *p, long elements, size_t bytes) {
    if (!p || elements <= 0) return;
    sculpt_data_enter((void *)p, elements * bytes, SCULPT_CREATE | SCULPT_OWN);
    h->own[h->n].at = (void *)p;
    h->own[h->n++].bytes = elements * bytes;
}

// ---- vectors with gaps -----------------------------------------------------------------------
long blas_reach(long n, long inc) { return n <= 0 ? 0 : 1 + (n - 1) * (inc < 0 ? -inc : inc); }

float *blas_fgathered(long n, const float *x, long inc, Room room) {
    float *w = blas_room(room, (n > 0 ? n : 1) * sizeof *w);
    if (n > 0) blas_sgather(n, x, inc, w);
    return w;
}

double *blas_dgathered(long n, const double *x, long inc, Room room) {
    double *w = blas_room(room, (n > 0 ? n : 1) * sizeof *w);
    if (n > 0) blas_dgather(n, x, inc, w);
    return w;
}

void blas_fscatter(long n, const float *w, float *x, long inc) { blas_sscatter(n, w, x, inc); }
