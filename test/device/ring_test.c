// SPDX-License-Identifier: MIT
// ring_test.c -- pageable memory on its way to a GPU and back: a driver that copies in this process says who
// moved what. Device memory is ordinary memory here.
#include "device/cuda.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct Driver {
    pthread_mutex_t lock;
    int copies, pinned_blocks, open; // copies by the driver; blocks pinned now; streams and events that exist
    int may_pin;                     // so many blocks more
} driver = {.lock = PTHREAD_MUTEX_INITIALIZER};

static CuResult count(int *what, int by) {
    pthread_mutex_lock(&driver.lock);
    *what += by;
    pthread_mutex_unlock(&driver.lock);
    return 0;
}
static CuResult push(CuContext c) { return (void)c, 0; }
static CuResult pop(CuContext *c) { return *c = NULL, 0; }
static CuResult text(CuResult rc, const char **s) { return (void)rc, *s = "refused", 0; }
static CuResult attribute(void *value, int which, CuPtr p) {
    return (void)which, (void)p, *(unsigned *)value = 0, 0;
}
static CuResult up(CuPtr to, const void *from, size_t bytes, CuStream s) {
    (void)s;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return count(&driver.copies, 1);
}
static CuResult down(void *to, CuPtr from, size_t bytes, CuStream s) {
    return up((CuPtr)(uintptr_t)to, (void *)(uintptr_t)from, bytes, s);
}
static CuResult rectangle(const CuCopy2D *c, CuStream s) {
    (void)s;
    const char *from = c->src_host ? c->src_host : (const char *)(uintptr_t)c->src_device;
    char *to = c->dst_host ? c->dst_host : (char *)(uintptr_t)c->dst_device;
    for (size_t r = 0; r < c->height; r++) memcpy(to + r * c->dst_pitch, from + r * c->src_pitch, c->width);
    return count(&driver.copies, 1);
}
static CuResult stream_make(CuStream *s, unsigned flags) {
    return (void)flags, *s = (CuStream)&driver, count(&driver.open, 1);
}
static CuResult stream_end(CuStream s) { return (void)s, count(&driver.open, -1); }
static CuResult stream_wait(CuStream s) { return (void)s, 0; }
static CuResult event_make(CuEvent *e, unsigned flags) {
    return (void)flags, *e = (CuEvent)&driver, count(&driver.open, 1);
}
static CuResult event_end(CuEvent e) { return (void)e, count(&driver.open, -1); }
static CuResult event_note(CuEvent e, CuStream s) { return (void)e, (void)s, 0; }
static CuResult event_wait(CuEvent e) { return (void)e, 0; }
static CuResult event_after(CuStream s, CuEvent e, unsigned flags) {
    return (void)s, (void)e, (void)flags, 0;
}
static CuResult pin(void *p, size_t bytes, unsigned flags) {
    (void)flags;
    memset(p, 0, bytes);
    pthread_mutex_lock(&driver.lock);
    bool may = driver.may_pin-- > 0;
    driver.pinned_blocks += may;
    pthread_mutex_unlock(&driver.lock);
    return may ? 0 : 2;
}
static CuResult unpin(void *p) { return (void)p, count(&driver.pinned_blocks, -1); }

static const CudaApi api = {
    .cuCtxPushCurrent_v2 = push, .cuCtxPopCurrent_v2 = pop, .cuGetErrorName = text, .cuGetErrorString = text,
    .cuPointerGetAttribute = attribute, .cuMemcpyHtoDAsync_v2 = up, .cuMemcpyDtoHAsync_v2 = down,
    .cuMemcpy2DAsync_v2 = rectangle, .cuStreamCreate = stream_make, .cuStreamDestroy_v2 = stream_end,
    .cuStreamSynchronize = stream_wait, .cuEventCreate = event_make, .cuEventDestroy_v2 = event_end,
    .cuEventRecord = event_note, .cuEventSynchronize = event_wait, .cuStreamWaitEvent = event_after,
    .cuMemHostRegister_v2 = pin, .cuMemHostUnregister = unpin};

static CudaDevice *device(int may_pin) {
    driver.copies = driver.pinned_blocks = driver.open = 0;
    driver.may_pin = may_pin;
    CudaDevice *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->cu = &api, d->cores = 16, d->max_pitch = 1 << 30;
    d->queue[QUEUE_RUN] = d->stream = (CuStream)&driver;
    return d;
}

static void done(CudaDevice *d) {
    cuda_ring_free(d);
    assert_int_equal(driver.pinned_blocks, 0);
    assert_int_equal(driver.open, 0);
    free(d);
}

// There and back: the rows arrive, and what lies between them is left alone. Returns the driver's copies up.
static int there_and_back(CudaDevice *d, size_t width, size_t rows, size_t pitch) {
    size_t bytes = rows * pitch;
    char *host = malloc(bytes), *dev = calloc(1, bytes), *back = calloc(1, bytes);
    assert_true(host && dev && back);
    for (size_t i = 0; i < bytes; i++) host[i] = (char)(i * 7 + i / 4099 + 1);
    int before = driver.copies;
    assert_true(cuda_copy_in(d, (CuPtr)(uintptr_t)dev, host, width, rows, pitch));
    int copies = driver.copies - before;
    assert_true(cuda_copy_out(d, back, (CuPtr)(uintptr_t)dev, width, rows, pitch));
    for (size_t r = 0; r < rows; r++) {
        assert_memory_equal(dev + r * pitch, host + r * pitch, width);
        assert_memory_equal(back + r * pitch, host + r * pitch, width);
        for (size_t i = width; i < pitch && i < width + 64; i++) assert_int_equal(back[r * pitch + i], 0);
    }
    free(host), free(dev), free(back);
    return copies;
}

static void first_megabytes_are_the_drivers(void **state) {
    (void)state;
    CudaDevice *d = device(64);
    for (int i = 0; i < 16; i++) assert_int_equal(there_and_back(d, 1 << 20, 1, 1 << 20), 1);
    assert_null(d->ring[0]);
    assert_int_equal(there_and_back(d, 1 << 20, 1, 1 << 20), 2); // two pieces of the ring
    assert_non_null(d->ring[0]);
    assert_non_null(d->ring[1]); // since the second of them
    assert_int_equal(there_and_back(d, RING_BYTES, 1, RING_BYTES), 1); // one piece gains nothing by it
    done(d);
}

static void a_large_copy_is_in_pieces(void **state) {
    (void)state;
    CudaDevice *d = device(64);
    assert_int_equal(there_and_back(d, (17 << 20) + 5, 1, (17 << 20) + 5), 35);
    assert_int_equal(there_and_back(d, 1000, 5000, 1040), 10);       // rows packed, 524 a piece
    assert_int_equal(there_and_back(d, 700000, 3, 700001), 6);       // rows longer than a piece
    done(d);
}

// Where nothing can be pinned the driver copies; where little can, whoever asks does.
static void without_pinned_memory_the_driver_copies(void **state) {
    (void)state;
    for (int pins = 0; pins < 3; pins++) {
        CudaDevice *d = device(pins);
        there_and_back(d, 17 << 20, 1, 17 << 20);
        there_and_back(d, 1000, 5000, 1040);
        assert_true(driver.pinned_blocks <= pins);
        done(d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_megabytes_are_the_drivers),
                                       cmocka_unit_test(a_large_copy_is_in_pieces),
                                       cmocka_unit_test(without_pinned_memory_the_driver_copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
