// SPDX-License-Identifier: MIT
// cuda_ring.c -- pageable memory on its way through pinned pieces.
//
//     pageable rows ──memcpy──▶ slot 0 ──DMA──▶ device      while slot 1 is filled,
//                   ──memcpy──▶ slot 1 ──DMA──▶ device      slot 0 travels
//
// Rows are packed in the slots, so gaps between them travel in neither direction. A core copies
// slower than the link carries, so each direction has a few threads with slots of their own. Copies are jobs
// in a line; a thread takes the next piece of the first job that has any left, so that nobody waits
// between one job and the next, and whoever asks for a copy need not wait for it either.
//
//     up    pieces go to the job's stream; who has sent the last one marks it with the job's event
//     down  each thread has a stream of its own, which waits for the event that says that the job may begin
#include "device/cuda.h"
#include "base/guest.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// A transfer, cut into pieces of at most a slot: of part of a row, or of whole rows.
typedef struct Cut {
    size_t width, rows, pitch;
    size_t per_piece; // bytes of a row, or rows
    size_t per_row;   // pieces that a row is cut into; 0: rows go whole
    size_t pieces;
} Cut;

typedef struct Piece {
    size_t offset, width, rows;
} Piece;

static Cut cut_of(size_t width, size_t rows, size_t pitch, size_t max_pitch) {
    Cut c = {width, rows, pitch, RING_BYTES, 0, 0};
    if (rows == 1 || width > RING_BYTES / 2 || pitch > max_pitch) {
        c.per_row = (width + RING_BYTES - 1) / RING_BYTES;
        c.pieces = c.per_row * rows;
    } else {
        c.per_piece = RING_BYTES / width;
        c.pieces = (rows + c.per_piece - 1) / c.per_piece;
    }
    return c;
}

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

static Piece piece_at(const Cut *c, size_t i) {
    if (c->per_row) {
        size_t from = i % c->per_row * c->per_piece;
        return (Piece){i / c->per_row * c->pitch + from, least(c->per_piece, c->width - from), 1};
    }
    size_t from = i * c->per_piece;
    return (Piece){from * c->pitch, c->width, least(c->per_piece, c->rows - from)};
}

// Rows of the host, packed into a slot or unpacked from it.
static void pack(char *slot, const char *host, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(slot + r * p->width, host + r * pitch, p->width);
}
static void unpack(char *host, const char *slot, const Piece *p, size_t pitch) {
    for (size_t r = 0; r < p->rows; r++) memcpy(host + r * pitch, slot + r * p->width, p->width);
}

typedef struct Job {
    struct Job *next;
    int64_t number;
    CuPtr dev;
    char *host;
    Cut cut;
    size_t taken, finished; // pieces
    CuStream stream;        // up: where they go
    CuEvent ready;          // down: what they wait for
} Job;

// ---- the threads ---------------------------------------------------------------------------------
typedef struct Slot {
    char *host;   // RING_BYTES of the worker's block
    CuEvent done; // the last copy out of or into it
    bool busy;    // `done` was recorded and not yet waited for
    Job *job;     // down: what is to be unpacked from it
    size_t piece;
} Slot;

typedef struct Worker {
    struct Ring *ring;
    CudaDevice d;       // a copy: its errors and its stream are its own
    pthread_t thread;
    char *block;        // the memory of its slots
    Slot slot[RING_SLOTS];
    size_t turns;       // slots used so far
    const Job *waited;  // down: its stream waits for this job's event already
    int64_t number;
} Worker;

typedef struct Ring {
    bool in;
    CudaDevice *d;
    int nworkers, wanted;      // worker[0] is whoever asks, when he has to wait
    Worker worker[RING_WORKERS];
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    Job *first, **last;        // in their order, those finished taken out
    int64_t number;            // of the last one
    CuEvent sent[RING_EVENTS]; // up: of job n at n % RING_EVENTS
    char error[512];           // the first failure; ""
    bool quit;
} Ring;

static bool failed(Worker *w, Ring *r) {
    if (!r->error[0]) memcpy(r->error, w->d.base.error, sizeof r->error);
    if (!r->error[0]) snprintf(r->error, sizeof r->error, "a copy failed");
    return false;
}

static bool slot_wait(Worker *w, Slot *s) {
    if (!s->busy) return true;
    s->busy = false;
    return cuda_check(&w->d, w->d.cu->cuEventSynchronize(s->done), "waiting for a copy");
}

static bool slot_queue(Worker *w, Slot *s, const Job *j, const Piece *p, CuStream stream) {
    w->d.stream = stream;
    if (!cuda_copy_queue(&w->d, w->ring->in, j->dev + p->offset, s->host, p->width, p->width, p->rows,
                         j->cut.pitch))
        return false;
    s->busy = true;
    return cuda_check(&w->d, w->d.cu->cuEventRecord(s->done, stream), "cuEventRecord");
}

static bool send(Worker *w, Slot *s, const Job *j, size_t piece) {
    Piece p = piece_at(&j->cut, piece);
    if (!slot_wait(w, s)) return false;
    pack(s->host, j->host + p.offset, &p, j->cut.pitch);
    return slot_queue(w, s, j, &p, j->stream);
}

static bool ask(Worker *w, Slot *s, const Job *j, size_t piece) {
    Piece p = piece_at(&j->cut, piece);
    if (w->waited != j || w->number != j->number) {
        if (!cuda_check(&w->d, w->d.cu->cuStreamWaitEvent(w->d.queue[QUEUE_DOWN], j->ready, 0),
                        "cuStreamWaitEvent"))
            return false;
        w->waited = j, w->number = j->number;
    }
    return slot_queue(w, s, j, &p, w->d.queue[QUEUE_DOWN]);
}

static bool take_out(Worker *w, Slot *s) {
    Piece p = piece_at(&s->job->cut, s->piece);
    if (!slot_wait(w, s)) return false;
    unpack(s->job->host + p.offset, s->host, &p, s->job->cut.pitch);
    return true;
}

// ---- jobs; all below with the lock ---------------------------------------------------------------
static Job *next_piece(Ring *r, int64_t most, size_t *piece) {
    for (Job *j = r->first; j && j->number <= most; j = j->next)
        if (j->taken < j->cut.pieces) return *piece = j->taken++, j;
    return NULL;
}

static void job_free(Ring *r, Job *j) {
    if (j->ready) r->d->cu->cuEventDestroy_v2(j->ready);
    free(j);
}

// One piece more is done; with the last one the job leaves the line.
static void piece_done(Worker *w, Ring *r, Job *j) {
    if (++j->finished < j->cut.pieces) return;
    if (r->in && !cuda_check(&w->d, w->d.cu->cuEventRecord(r->sent[j->number % RING_EVENTS], j->stream),
                             "cuEventRecord"))
        failed(w, r);
    Job **at = &r->first;
    while (*at != j) at = &(*at)->next;
    *at = j->next;
    if (r->last == &j->next) r->last = at;
    job_free(r, j);
    pthread_cond_broadcast(&r->done);
}

// Empties the slot of the worker's next turn; false: it was empty.
static bool settle(Worker *w, Ring *r, Slot *s) {
    Job *j = s->job;
    if (!j) return false;
    pthread_mutex_unlock(&r->lock);
    bool ok = take_out(w, s);
    pthread_mutex_lock(&r->lock);
    s->job = NULL;
    if (!ok) failed(w, r);
    piece_done(w, r, j);
    return true;
}

// One turn: a piece up, or one down or what was asked for a round before; of jobs up to that number. False:
// nothing is left to do.
static bool turn(Worker *w, Ring *r, int64_t most) {
    Slot *s = &w->slot[w->turns % RING_SLOTS];
    size_t piece;
    if (settle(w, r, s)) return true;
    Job *j = next_piece(r, most, &piece);
    if (!j) { // what is still under way, oldest first
        for (int i = 1; i < RING_SLOTS && !r->in; i++)
            if (settle(w, r, &w->slot[(w->turns + (size_t)i) % RING_SLOTS])) return true;
        return false;
    }
    bool ok = !r->error[0];
    pthread_mutex_unlock(&r->lock);
    ok = ok && (r->in ? send(w, s, j, piece) : ask(w, s, j, piece));
    pthread_mutex_lock(&r->lock);
    w->turns++;
    if (!ok) failed(w, r);
    if (ok && !r->in) s->job = j, s->piece = piece;
    else piece_done(w, r, j);
    return true;
}

// The slots of one worker are one block of ordinary memory that is pinned afterwards: the driver takes eight
// times as long to allocate pinned memory (0.5 ms a MB against 0.06, host of an H200).
// The pages are touched first, because the driver would have them made one after the other for all threads.
static bool worker_open(Worker *w) {
    CudaDevice *d = &w->d;
    const CudaApi *cu = d->cu;
    const size_t bytes = (size_t)RING_SLOTS * RING_BYTES;
    CuStream *own = &d->queue[QUEUE_DOWN];
    if (!w->ring->in && !cuda_check(d, cu->cuStreamCreate(own, CU_STREAM_NON_BLOCKING_), "cuStreamCreate"))
        return false;
    if (!(w->block = aligned_alloc(bytes, bytes))) return device_fail(&d->base, "no memory");
    madvise(w->block, bytes, MADV_HUGEPAGE); // a request: without it the block works as well
    memset(w->block, 0, bytes);
    if (!cuda_check(d, cu->cuMemHostRegister_v2(w->block, bytes, CU_HOST_PORTABLE), "pinning")) {
        free(w->block);
        w->block = NULL;
        return false;
    }
    for (int k = 0; k < RING_SLOTS; k++) {
        w->slot[k].host = w->block + (size_t)k * RING_BYTES;
        if (!cuda_check(d, cu->cuEventCreate(&w->slot[k].done, CU_EVENT_UNTIMED), "cuEventCreate"))
            return false;
    }
    return true;
}

static void worker_close(Worker *w) {
    CudaDevice *d = &w->d;
    for (int k = 0; k < RING_SLOTS; k++)
        if (w->slot[k].done) d->cu->cuEventDestroy_v2(w->slot[k].done);
    if (w->block) d->cu->cuMemHostUnregister(w->block);
    free(w->block);
    if (!w->ring->in && d->queue[QUEUE_DOWN]) d->cu->cuStreamDestroy_v2(d->queue[QUEUE_DOWN]);
}

static Worker *worker_add(Ring *r) {
    Worker *w = &r->worker[r->nworkers++];
    w->ring = r, w->d = *r->d;
    w->d.queue[QUEUE_DOWN] = NULL;
    return w;
}

static void *ring_thread(void *p);

// One thread more; one less is no failure. With the lock, once there are threads.
static void start_thread(Ring *r) {
    if (r->quit || r->nworkers >= r->wanted) return;
    Worker *w = worker_add(r);
    if (thread_start(&w->thread, ring_thread, w) != 0) r->wanted = --r->nworkers;
}

// Threads open their workers themselves, one after the other, for the driver lets only one pin memory at a
// time: pieces go on meanwhile. One that can't be opened leaves them to the others.
static void *ring_thread(void *p) {
    Worker *w = p;
    Ring *r = w->ring;
    if (!cuda_enter(&w->d)) return NULL;
    bool ok = worker_open(w);
    pthread_mutex_lock(&r->lock);
    if (ok) start_thread(r);
    while (ok && !r->quit)
        if (!turn(w, r, INT64_MAX)) pthread_cond_wait(&r->work, &r->lock);
    pthread_mutex_unlock(&r->lock);
    cuda_leave(&w->d);
    return NULL;
}

// ---- making one ----------------------------------------------------------------------------------
static void ring_drop(Ring *r) {
    CudaDevice *d = r->d;
    pthread_mutex_lock(&r->lock);
    r->quit = true;
    pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
    for (int i = 1; i < r->nworkers; i++) pthread_join(r->worker[i].thread, NULL);
    for (int i = 0; i < r->nworkers; i++) worker_close(&r->worker[i]);
    for (int i = 0; i < RING_EVENTS; i++)
        if (r->sent[i]) d->cu->cuEventDestroy_v2(r->sent[i]);
    for (Job *j = r->first, *next; j; j = next) next = j->next, job_free(r, j);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->work);
    pthread_cond_destroy(&r->done);
    free(r);
}

void cuda_ring_free(CudaDevice *d) {
    for (int i = 0; i < 2; i++)
        if (d->ring[i]) ring_drop(d->ring[i]);
    d->ring[0] = d->ring[1] = NULL;
}

// Up half of the cores copy, for the program may need some; down a few less, for both ways go on at once.
static Ring *ring_make(CudaDevice *d, bool in) {
    Ring *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->in = in, r->d = d, r->last = &r->first;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->work, NULL);
    pthread_cond_init(&r->done, NULL);
    bool ok = worker_open(worker_add(r));
    for (int i = 0; ok && in && i < RING_EVENTS; i++)
        ok = d->cu->cuEventCreate(&r->sent[i], CU_EVENT_UNTIMED) == 0;
    if (!ok) return ring_drop(r), NULL;
    int threads = in ? d->cores / 2 : 3 * d->cores / 8;
    r->wanted = 1 + (threads < 1 ? 1 : threads < RING_WORKERS ? threads : RING_WORKERS - 1);
    start_thread(r);
    return r;
}

bool cuda_ring_open(CudaDevice *d, bool in) {
    int k = in ? 0 : 1;
    if (!d->ring[k] && !d->no_ring[k]) d->no_ring[k] = !(d->ring[k] = ring_make(d, in));
    return d->ring[k];
}

// ---- copies --------------------------------------------------------------------------------------
// Until all jobs up to that number are finished; who waits works.
static bool wait_for(Ring *r, int64_t number) {
    Worker *w = &r->worker[0];
    pthread_mutex_lock(&r->lock);
    while (r->first && r->first->number <= number)
        if (!turn(w, r, number)) pthread_cond_wait(&r->done, &r->lock);
    bool ok = !r->error[0] || device_fail(&r->d->base, "%s", r->error);
    r->error[0] = 0;
    pthread_mutex_unlock(&r->lock);
    return ok;
}

bool cuda_ring_copy(CudaDevice *d, bool in, CuPtr dev, char *host, size_t width, size_t rows, size_t pitch,
                    bool wait) {
    Ring *r = d->ring[in ? 0 : 1];
    Job *j = calloc(1, sizeof *j);
    if (!j) return device_fail(&d->base, "no memory");
    *j =
        (Job){.dev = dev, .host = host, .cut = cut_of(width, rows, pitch, d->max_pitch), .stream = d->stream};
    if (!in && (!cuda_check(d, d->cu->cuEventCreate(&j->ready, CU_EVENT_UNTIMED), "cuEventCreate") ||
                !cuda_check(d, d->cu->cuEventRecord(j->ready, d->stream), "cuEventRecord")))
        return job_free(r, j), false;
    pthread_mutex_lock(&r->lock);
    int64_t number = j->number = ++r->number;
    *r->last = j;
    r->last = &j->next;
    pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
    return !wait || wait_for(r, number);
}

bool cuda_ring_finish(CudaDevice *d, bool in) {
    Ring *r = d->ring[in ? 0 : 1];
    return !r || wait_for(r, r->number);
}

int64_t cuda_ring_sent(const CudaDevice *d) { return d->ring[0] ? d->ring[0]->number : 0; }

bool cuda_ring_after(CudaDevice *d, CuStream q, int64_t from, int64_t to) {
    Ring *r = d->ring[0];
    if (!r || from >= to) return true;
    bool ok = wait_for(r, to);
    // events of earlier jobs have been recorded anew since
    if (to - from > RING_EVENTS) from = to - RING_EVENTS;
    for (int64_t n = from + 1; ok && n <= to; n++)
        ok = cuda_check(d, d->cu->cuStreamWaitEvent(q, r->sent[n % RING_EVENTS], 0), "cuStreamWaitEvent");
    return ok;
}
