// SPDX-License-Identifier: MIT
// device.c -- <sculpt/blas.h>: the handle, and arrays that the device has and nobody moves.
#include "device.h"
#include "sculpt/sculpt.h"
#include <stdio.h>
#include <stdlib.h>

enum { ROUND = 256 }; // bytes

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
void sculpt_blas_set_workspace(sculpt_blas *h, void *p, size_t bytes) {
    size_t skipped = -(uintptr_t)p % ROUND;
    h->room = p && bytes > skipped ? bytes - skipped : 0;
    h->workspace = h->room ? (char *)p + skipped : NULL;
}
const char *sculpt_blas_why(const sculpt_blas *h) { return h->why; }
bool blas_is_row_major(const sculpt_blas *h) { return h->order == SCULPT_ROW_MAJOR; }

// ---- a call --------------------------------------------------------------------------------
static __thread sculpt_blas *current;

static void refused(const char *why) {
    snprintf(current->why, sizeof current->why, "%s", why);
    longjmp(current->back, 1);
}

int blas_device_begin(sculpt_blas *h, bool has_result) {
    h->n = 0;
    h->used = 0;
    h->why[0] = 0;
    int met = sculpt_after_stream(h->stream);
    if (!met) return SCULPT_BLAS_NO_DEVICE;
    h->is_captured = met == 2;
    if (h->is_captured && has_result) {
        sculpt_before_stream(h->stream);
        snprintf(h->why, sizeof h->why, "the stream is captured, and a result can't come to the host");
        return SCULPT_BLAS_FAILED;
    }
    current = h;
    sculpt_on_refusal(refused);
    return 0;
}

static void disown(sculpt_blas *h) {
    sculpt_on_refusal(NULL);
    current = NULL;
    while (h->n) h->n--, sculpt_data_exit(h->own[h->n].at, h->own[h->n].bytes, 0);
}

int blas_device_end(sculpt_blas *h) {
    disown(h);
    return sculpt_before_stream(h->stream) ? 0 : SCULPT_BLAS_FAILED;
}

int blas_device_failed(sculpt_blas *h) {
    blas_scopes_end();
    disown(h);
    sculpt_before_stream(h->stream);
    return SCULPT_BLAS_FAILED;
}

static void own(sculpt_blas *h, void *p, size_t bytes) {
    sculpt_data_enter(p, bytes, SCULPT_CREATE | SCULPT_OWN);
    h->own[h->n].at = p;
    h->own[h->n++].bytes = bytes;
}

void blas_own(sculpt_blas *h, const void *p, long elements, long stride, long count, size_t bytes) {
    if (!p || elements <= 0) return;
    const char *first = (const char *)p + (stride < 0 ? (count - 1) * stride * (long)bytes : 0);
    own(h, (void *)first, (elements + (count - 1) * labs(stride)) * bytes);
}

// How many of a table's pointers from the first on lie `far` bytes apart. They are compared without a branch
// for each, so that compilers make vectors of it: to read the tables of small matrices takes as long as the
// matrices.
static int64_t line_of(const void *const *table, intptr_t far, int64_t most) {
    enum { TOGETHER = 128 };
    int64_t k = 2;
    for (; k + TOGETHER <= most; k += TOGETHER) {
        intptr_t differs = 0;
        for (int i = 0; i < TOGETHER; i++)
            differs |= (intptr_t)table[k + i] - (intptr_t)table[k + i - 1] - far;
        if (differs) break;
    }
    while (k < most && (intptr_t)table[k] - (intptr_t)table[k - 1] == far) k++;
    return k < most ? k : most;
}

int64_t blas_in_line(int64_t most, int n, const void *const *const *table, size_t bytes, int64_t *step) {
    for (int i = 0; i < n; i++) {
        intptr_t far = most < 2 ? 0 : (intptr_t)table[i][1] - (intptr_t)table[i][0];
        if (far % (intptr_t)bytes) return 1;
        step[i] = far / (intptr_t)bytes;
        most = line_of(table[i], far, most);
    }
    return most;
}

// ---- the caller's workspace --------------------------------------------------------------------
size_t blas_rounded(long elements, size_t bytes) {
    return elements > 0 ? (elements * bytes + ROUND - 1) / ROUND * ROUND : 0;
}

void *blas_given(size_t bytes) {
    sculpt_blas *h = current;
    if (!h || (!h->workspace && !h->is_captured)) return NULL;
    bytes = blas_rounded(1, bytes);
    if (bytes > h->room - h->used) {
        if (h->falls_back && !h->is_captured) return NULL;
        char why[100];
        snprintf(why, sizeof why, "the workspace has %zu bytes, and the call wants %zu more", h->room,
                 bytes - (h->room - h->used));
        refused(why);
    }
    void *p = h->workspace + h->used;
    if (!h->used) own(h, h->workspace, h->room);
    h->used += bytes;
    return p;
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
