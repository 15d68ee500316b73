// SPDX-License-Identifier: MIT
// cuda_ring.c -- pageable memory on its way through pinned pieces.
//
//     pageable rows ──memcpy──▶ slot 0 ──DMA──▶ device      while slot 1 is filled,
//                   ──memcpy──▶ slot 1 ──DMA──▶ device      slot 0 travels
//
// Rows are packed in the slots, so gaps between them travel in neither direction. A core copies
// slower than the link carries: large transfers are dealt piece by piece over a few threads,
// each with slots of its own.
#include "device/cuda.h"
#include <pthread.h>
#include <string.h>

// A transfer, cut into pieces of at most a slot: of one row, or of whole rows.
typedef struct Cut {
    size_t width, rows, pitch;
    size_t per_piece; // bytes of a single row, or rows
    size_t pieces;
} Cut;

typedef struct Piece {
    size_t offset, width, rows;
} Piece;

static Cut cut_of(size_t width, size_t rows, size_t pitch) {
    Cut c = {width, rows, pitch, rows == 1 ? RING_BYTES : RING_BYTES / width, 0};
    size_t whole = rows == 1 ? width : rows;
    c.pieces = (whole + c.per_piece - 1) / c.per_piece;
    return c;
}

static Piece piece_at(const Cut *c, size_t i) {
    size_t from = i * c->per_piece, rest = (c->rows == 1 ? c->width : c->rows) - from;
    size_t n = rest < c->per_piece ? rest : c->per_piece;
    return c->rows == 1 ? (Piece){from, n, 1} : (Piece){from * c->pitch, c->width, n};
}

// Rows of the host, packed into a slot or unpacked from it.
static void pack(char *slot, const char *host, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(slot + r * p->width, host + r * pitch, p->width);
}
static void unpack(char *host, const char *slot, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(host + r * pitch, slot + r * p->width, p->width);
}

static void *ring_thread(void *p);

static void ring_drop(CudaDevice *d, Ring *r) {
    if (!r->made) return;
    pthread_mutex_lock(&r->lock);
    r->quit = true;
    pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->nthreads; i++) pthread_join(r->thread[i], NULL);
    for (int i = 0; i < RING_WORKERS * RING_SLOTS; i++) {
        RingSlot *s = &r->slot[i / RING_SLOTS][i % RING_SLOTS];
        if (s->done) d->cu->cuEventDestroy_v2(s->done);
        if (s->host) d->cu->cuMemFreeHost(s->host);
    }
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->work);
    pthread_cond_destroy(&r->done);
    *r = (Ring){0};
}

void cuda_ring_free(CudaDevice *d) {
    ring_drop(d, &d->ring[0]);
    ring_drop(d, &d->ring[1]);
}

static bool ring_make(CudaDevice *d, Ring *r) {
    if (r->made) return true;
    *r = (Ring){.made = true};
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->work, NULL);
    pthread_cond_init(&r->done, NULL);
    for (int i = 0; i < RING_WORKERS * RING_SLOTS; i++) {
        RingSlot *s = &r->slot[i / RING_SLOTS][i % RING_SLOTS];
        void *host = NULL;
        if (!cuda_check(d, d->cu->cuMemHostAlloc(&host, RING_BYTES, CU_HOST_PORTABLE), "pinning")) return ring_drop(d, r), false;
        s->host = host;
        if (!cuda_check(d, d->cu->cuEventCreate(&s->done, CU_EVENT_UNTIMED), "cuEventCreate")) return ring_drop(d, r), false;
    }
    // Half of the cores, for the program may need some; without threads one share does it all.
    for (int i = 1; i < RING_WORKERS && i < d->cores / 2; i++)
        if (pthread_create(&r->thread[r->nthreads], NULL, ring_thread, r) == 0) r->nthreads++;
    return true;
}

static bool slot_wait(CudaDevice *d, RingSlot *s) {
    if (!s->busy) return true;
    s->busy = false;
    return cuda_check(d, d->cu->cuEventSynchronize(s->done), "waiting for a copy");
}

static bool slot_sent(CudaDevice *d, RingSlot *s) {
    s->busy = true;
    return cuda_check(d, d->cu->cuEventRecord(s->done, d->stream), "cuEventRecord");
}

// One thread's part: pieces worker, worker + workers, …
typedef struct Share {
    CudaDevice d;      // a copy: its errors are its own
    bool in, ok;
    CuPtr dev;
    char *host;
    const Cut *cut;
    RingSlot *slot;    // [RING_SLOTS]
    size_t worker, workers;
} Share;

static bool put_piece(Share *w, RingSlot *s, size_t i) {
    Piece p = piece_at(w->cut, i);
    return cuda_copy_queue(&w->d, w->in, w->dev + p.offset, s->host, p.width, p.width, p.rows, w->cut->pitch) && slot_sent(&w->d, s);
}

static bool share_in(Share *w) {
    size_t n = 0;
    for (size_t i = w->worker; i < w->cut->pieces; i += w->workers, n++) {
        RingSlot *s = &w->slot[n % RING_SLOTS];
        Piece p = piece_at(w->cut, i);
        if (!slot_wait(&w->d, s)) return false;
        pack(s->host, w->host + p.offset, &p, w->cut->pitch);
        if (!put_piece(w, s, i)) return false;
    }
    return true;
}

// A piece is asked for as soon as the one RING_SLOTS before it has left its slot.
static bool share_out(Share *w) {
    size_t behind = RING_SLOTS * w->workers, n = 0;
    for (size_t i = w->worker; i < w->cut->pieces + behind; i += w->workers, n++) {
        RingSlot *s = &w->slot[n % RING_SLOTS];
        if (!slot_wait(&w->d, s)) return false;
        if (i >= behind) {
            Piece p = piece_at(w->cut, i - behind);
            unpack(w->host + p.offset, s->host, &p, w->cut->pitch);
        }
        if (i < w->cut->pieces && !put_piece(w, s, i)) return false;
    }
    return true;
}

static void share_run(Share *w) { w->ok = w->in ? share_in(w) : share_out(w); }

static void *ring_thread(void *p) {
    Ring *r = p;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->quit && r->next == r->total) pthread_cond_wait(&r->work, &r->lock);
        if (r->quit) break;
        Share *w = &r->shares[r->next++];
        pthread_mutex_unlock(&r->lock);
        if (cuda_enter(&w->d)) {
            share_run(w);
            cuda_leave(&w->d);
        }
        pthread_mutex_lock(&r->lock);
        if (++r->finished == r->total) pthread_cond_signal(&r->done);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

bool cuda_ring_copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows, size_t pitch) {
    Ring *r = &d->ring[in ? 0 : 1];
    if (!ring_make(d, r)) return false;
    Cut c = cut_of(width, rows, pitch);
    size_t n = c.pieces / 2, most = (size_t)r->nthreads + 1;
    n = n > most ? most : n ? n : 1;
    Share share[RING_WORKERS];
    for (size_t k = 0; k < n; k++) share[k] = (Share){*d, in, false, dev, host, &c, r->slot[k], k, n};
    pthread_mutex_lock(&r->lock);
    r->shares = share;
    r->next = r->finished = 1;
    r->total = n;
    if (n > 1) pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
    share_run(&share[0]);
    pthread_mutex_lock(&r->lock);
    while (r->finished < r->total) pthread_cond_wait(&r->done, &r->lock);
    r->next = r->total = 0;
    pthread_mutex_unlock(&r->lock);
    for (size_t k = 0; k < n; k++)
        if (!share[k].ok) return device_fail(&d->base, "%s", share[k].d.base.error);
    return true;
}
