// device 1
// mirror.c -- a ring buffer that is mapped twice, one copy behind the other: p[i + n] is p[i].
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static void add(int *p, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) p[i + n] += p[i] & 1;
}

int main(void) {
    int n = 4096, fd = memfd_create("ring", 0);
    size_t bytes = (size_t)n * sizeof(int);
    char *m = mmap(0, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fd < 0 || m == MAP_FAILED || ftruncate(fd, (off_t)bytes)) return 1;
    mmap(m, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    mmap(m + bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    int *p = (int *)m;
    for (int i = 0; i < n; i++) p[i] = i;
    add(p, n);
    long s = 0;
    for (int i = 0; i < 2 * n; i++) s += (long)p[i] * (i % 7);
    printf("%ld\n", s);
    return 0;
}
