// SPDX-License-Identifier: MIT
// main.c -- sculpt-certify FILE: is what the certificate says so?
#include "certify/certify.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *failed;

bool fail(const char *fmt, ...) {
    static char text[400];
    va_list ap;
    if (failed) return false;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    failed = text;
    return false;
}

static char *text_of(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) refuse("%s cannot be read", path);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *s = n < 0 ? NULL : take((size_t)n + 1);
    if (!s || fread(s, 1, (size_t)n, f) != (size_t)n) refuse("%s cannot be read", path);
    fclose(f);
    return s;
}

static const Item *only(const Item *all, const char *head, int which) {
    for (int i = 0; i < all->n; i++)
        if (item_is(all->at[i], head) && !which--) return all->at[i];
    refuse("(%s …) is missing", head);
}

static void print_sizes(Conj sizes, bool more) {
    printf("  %s", more ? "and for" : "for");
    if (!sizes.last) printf(" all sizes");
    for (const Row *r = sizes.last; r; r = r->prev) {
        for (int i = 0, n = 0; i <= r->n; i++) {
            if (!r->c[i] && (i || r->n)) continue;
            printf("%s%lld%s%s", n++ ? " + " : " ", (long long)r->c[i], i ? " " : "",
                   i ? atom_name(i - 1) : "");
        }
        printf(" %s 0%s", r->equal ? "=" : ">=", r->prev ? "," : "");
    }
    printf("\n");
}

static void check(const Item *all) {
    Conjs sizes = {0};
    if (!item_is(all, "certificate") || item_int(all, 1) != 1) refuse("this is no certificate");
    columns = (Item *)only(all, "parameters", 0);
    read_arrays(only(all, "arrays", 0));
    for (int k = 0; k < 2; k++) {
        read_program(only(all, "program", k), &programs[k]);
        if (strcmp(programs[k].name, k ? "kernel" : "loops")) refuse("the loops and the kernel are meant");
    }
    read_sizes(only(all, "sizes", 0), &sizes);
    for (int i = 2; i < all->n; i++) {
        const Item *x = item_list(all, i);
        if (item_is(x, "flow")) read_flow(x);
        else if (item_is(x, "sum")) read_sum(x);
        else if (item_is(x, "rows")) read_edges(x);
        else if (!item_is(x, "parameters") && !item_is(x, "arrays") && !item_is(x, "program") &&
                 !item_is(x, "sizes"))
            refuse("line %d: what is this?", x->line);
    }
    bool some = false;
    for (int i = 0; i < sizes.n; i++) {
        context = sizes.at[i];
        if (conj_empty(context)) continue;
        some = true;
        forget_sums();
        check_flow();
        check_arrays();
        check_bounds();
        check_order();
    }
    if (!some) refuse("there is no size for which it says anything");
    printf("accepted: the kernel computes what the loops compute (%d + %d statements, %d systems without a "
           "solution)\n",
           programs[0].nleaves, programs[1].nleaves, checks);
    for (int i = 0; i < sizes.n; i++) print_sizes(sizes.at[i], i > 0);
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr,
                "usage: sculpt-certify FILE\n"
                "Checks a certificate that 'sculpt check … --certificate FILE' wrote; the status is 0 if it "
                "holds.\n");
        return 2;
    }
    check(read_items(text_of(argv[1])));
    return 0;
}
