// SPDX-License-Identifier: MIT
// main.c -- sculpt-certify FILE: is what the certificate says so?
#include "certify/certify.h"
#include <stdio.h>

static char *text_of(const char *path) {
    FILE *f = fopen(path, "rb");
    char *s = NULL;
    size_t room = 0;
    if (!f || getdelim(&s, &room, 0, f) < 0) refuse("%s cannot be read", path);
    fclose(f);
    return s;
}

// Of a number that is no size (".trips": as large as any count that data tell) nobody has to be told.
static bool is_of_sizes(const Row *r) {
    bool sizes = !r->l.n;
    for (int i = 1; i <= r->l.n; i++) sizes |= r->l.c[i] && atom_name(i - 1)[0] != '.';
    return sizes;
}

static void print_sizes(Conj sizes, bool more) {
    int rows = 0;
    for (const Row *r = sizes.last; r; r = r->prev) rows += is_of_sizes(r);
    printf("  %s%s", more ? "and for" : "for", rows ? "" : " all sizes");
    for (const Row *r = sizes.last; r; r = r->prev) {
        if (!is_of_sizes(r)) continue;
        for (int i = 0, n = 0; i <= r->l.n; i++) {
            if (!r->l.c[i] && (i || r->l.n)) continue;
            printf("%s%lld", n++ ? " + " : " ", (long long)r->l.c[i]);
            if (i) printf(" %s", atom_name(i - 1));
        }
        printf(" %s 0%s", r->equal ? "=" : ">=", --rows ? "," : "");
    }
    printf("\n");
}

// (certificate 2 (parameters …) (arrays …) (program loops …) (program kernel …) (sizes …) FACT…)
static void check(const Item *all) {
    enum { PARAMETERS = 2, ARRAYS, LOOPS, KERNEL, SIZES, FACTS };
    static const char *const heads[] = {"", "", "parameters", "arrays", "program", "program", "sizes"};
    if (!item_is(all, "certificate") || item_int(all, 1) != 2) refuse("this is no certificate");
    for (int i = PARAMETERS; i < FACTS; i++)
        if (!item_is(item_list(all, i), heads[i])) refuse("(%s …) is missing", heads[i]);
    read_arrays(all->at[ARRAYS]);
    read_parameters(all->at[PARAMETERS]);
    read_program(all->at[LOOPS], &programs[0]);
    read_program(all->at[KERNEL], &programs[1]);
    if (!is(programs[0].name, "loops") || !is(programs[1].name, "kernel")) refuse("no loops, or no kernel");
    Set sizes = read_sizes(all->at[SIZES]);
    for (int i = FACTS; i < all->n; i++) {
        const Item *x = item_list(all, i);
        if (item_is(x, "flow")) read_flow(x);
        else if (item_is(x, "sum")) read_sum(x);
        else if (item_is(x, "rows")) read_rows(x);
        else if (item_is(x, "steps")) read_steps(x);
        else if (item_is(x, "place")) read_place(x);
        else refuse("line %d: what is this?", x->line);
    }
    bool some = false;
    for (int i = 0; i < sizes.n; i++) {
        context = sizes.at[i];
        if (conj_empty(context)) continue;
        some = true;
        forget_sums();
        check_flow();
        check_steps();
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
        fprintf(stderr, "usage: sculpt-certify FILE\n"
                        "Checks a certificate that 'sculpt check … --certificate FILE' wrote; the status is "
                        "0 if it holds.\n");
        return 2;
    }
    check(read_items(text_of(argv[1])));
    return 0;
}
