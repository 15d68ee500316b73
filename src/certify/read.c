// SPDX-License-Identifier: MIT
// read.c -- memory; the certificate's text as lists of words.
#include "certify/certify.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// ---- memory: one stretch, given back from its end ---------------------------------------------------
static char *pool;
static size_t used;
enum { POOL_BITS = 33 };

void *take(size_t bytes) {
    size_t all = (size_t)1 << POOL_BITS;
    int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (!pool) pool = mmap(NULL, all, PROT_READ | PROT_WRITE, how, -1, 0);
    bytes = (bytes + 15) & ~(size_t)15;
    if (pool == MAP_FAILED || bytes > all - used) refuse("no memory");
    void *p = pool + used;
    used += bytes;
    return memset(p, 0, bytes);
}

// Room is doubled whenever n is a power of two.
void *more_room(void *at, int n, size_t each) {
    if (n & (n - 1)) return at;
    void *to = take((size_t)(n ? 2 * n : 1) * each);
    return n ? memcpy(to, at, (size_t)n * each) : to;
}

size_t take_mark(void) { return used; }
void take_back(size_t mark) { used = mark; }

// ---- words ------------------------------------------------------------------------------------------
bool is(const char *x, const char *y) { return !strcmp(x, y); }

bool among(const char *word, const char *words) {
    size_t n = strlen(word);
    for (const char *s = words; n && (s = strstr(s, word)); s++)
        if ((s == words || s[-1] == ' ') && (!s[n] || s[n] == ' ')) return true;
    return false;
}

void refuse(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    printf("refused: ");
    vprintf(fmt, ap);
    printf("\n");
    exit(1);
}

const char *failed;
bool fail(const char *fmt, ...) {
    static char text[400];
    va_list ap;
    va_start(ap, fmt);
    if (!failed) vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    failed = text;
    return false;
}

// ---- lists ------------------------------------------------------------------------------------------
static const char *rest; // of the text
static int line = 1;

static void skip(void) {
    for (; isspace((unsigned char)*rest); rest++) line += *rest == '\n';
}

static Item *item(int deep) {
    Item *x = take(sizeof *x);
    skip();
    x->line = line;
    size_t n = strcspn(rest, "() \t\r\n");
    if (deep > 2000 || (!n && *rest != '(')) malformed(x);
    if (n) {
        x->word = memcpy(take(n + 1), rest, n);
        rest += n;
        return x;
    }
    rest++;
    for (skip(); *rest != ')'; skip()) {
        Item *next = item(deep + 1);
        *MORE(x->at, x->n) = next;
    }
    rest++;
    return x;
}

Item *read_items(const char *text) {
    rest = text;
    Item *x = item(0);
    skip();
    if (*rest) malformed(x);
    return x;
}

void malformed(const Item *x) { refuse("line %d: this is not what a certificate has there", x->line); }

bool item_is(const Item *x, const char *head) {
    return !x->word && x->n && x->at[0]->word && is(x->at[0]->word, head);
}

static const Item *part(const Item *x, int k, bool word) {
    if (x->word || k >= x->n || !x->at[k]->word == word) malformed(x);
    return x->at[k];
}

const char *item_word(const Item *x, int k) { return part(x, k, true)->word; }
const Item *item_list(const Item *x, int k) { return part(x, k, false); }

Int item_int(const Item *x, int k) {
    char *end;
    errno = 0;
    long long v = strtoll(item_word(x, k), &end, 10);
    if (*end || errno) malformed(x);
    return v;
}

int item_index(const Item *x, int k, int n) {
    Int v = item_int(x, k);
    if (v < 0 || v >= n) malformed(x);
    return (int)v;
}
