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
    if (!pool) {
        pool = mmap(NULL, (size_t)1 << POOL_BITS, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pool == MAP_FAILED) refuse("no memory");
    }
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > ((size_t)1 << POOL_BITS) - used) refuse("no memory");
    void *p = pool + used;
    used += bytes;
    return memset(p, 0, bytes);
}

size_t take_mark(void) { return used; }
void take_back(size_t mark) { used = mark; }

void refuse(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    printf("refused: ");
    vprintf(fmt, ap);
    printf("\n");
    exit(1);
}

// ---- lists ------------------------------------------------------------------------------------------
typedef struct Reader {
    const char *s;
    int line;
} Reader;

static void skip(Reader *r) {
    for (;; r->s++) {
        if (*r->s == ';') // to the end of the line
            while (r->s[1] && r->s[1] != '\n') r->s++;
        else if (!isspace((unsigned char)*r->s)) return;
        r->line += *r->s == '\n';
    }
}

static Item *item(Reader *r, int deep) {
    Item *x = take(sizeof *x);
    skip(r);
    x->line = r->line;
    if (deep > 2000) refuse("line %d: too deep", r->line);
    if (*r->s != '(') {
        size_t n = strcspn(r->s, "() \t\r\n;");
        if (!n) refuse("line %d: a word is missing", r->line);
        char *w = take(n + 1);
        x->word = memcpy(w, r->s, n);
        r->s += n;
        return x;
    }
    r->s++;
    int room = 0;
    for (skip(r); *r->s != ')'; skip(r)) {
        if (!*r->s) refuse("line %d: a bracket is not closed", x->line);
        if (x->n == room) {
            room = room ? 2 * room : 4;
            Item **more = take((size_t)room * sizeof *more);
            if (x->n) memcpy(more, x->at, (size_t)x->n * sizeof *more);
            x->at = more;
        }
        x->at[x->n++] = item(r, deep + 1);
    }
    r->s++;
    return x;
}

Item *read_items(const char *text) {
    Reader r = {text, 1};
    Item *x = item(&r, 0);
    skip(&r);
    if (*r.s) refuse("line %d: more text than one certificate", r.line);
    return x;
}

bool item_is(const Item *x, const char *head) {
    return !x->word && x->n && x->at[0]->word && !strcmp(x->at[0]->word, head);
}

static const Item *part(const Item *x, int k) {
    if (x->word || k >= x->n) refuse("line %d: something is missing", x->line);
    return x->at[k];
}

const char *item_word(const Item *x, int k) {
    const Item *y = part(x, k);
    if (!y->word) refuse("line %d: a word is missing", y->line);
    return y->word;
}

const Item *item_list(const Item *x, int k) {
    const Item *y = part(x, k);
    if (y->word) refuse("line %d: a list is missing", y->line);
    return y;
}

Int item_int(const Item *x, int k) {
    char *end;
    errno = 0;
    long long v = strtoll(item_word(x, k), &end, 10);
    if (*end || errno) refuse("line %d: '%s' is no number", x->line, item_word(x, k));
    return v;
}
