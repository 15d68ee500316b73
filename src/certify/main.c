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
static void print_sizes(Conj sizes, bool more) {
    bool all = true;
    printf("  %s", more ? "and for" : "for");
    for (const Row *r = sizes.last; r; r = r->prev) {
        bool told = !r->l.n;
        for (int i = 1; i <= r->l.n; i++) told |= r->l.c[i] && atom_name(i - 1)[0] != '.';
        if (!told) continue;
        printf("%s %lld", all ? "" : ",", (long long)r->l.c[0]);
        for (int i = 1; i <= r->l.n; i++)
            if (r->l.c[i]) printf(" + %lld %s", (long long)r->l.c[i], atom_name(i - 1));
        printf(" %s 0", r->equal ? "=" : ">=");
        all = false;
    }
    printf("%s\n", all ? " all sizes" : "");
}

// (certificate 2 (parameters …) (arrays …) (program loops …) (program kernel …) (sizes …) FACT…)
static void check(const Item *all) {
    enum { PARAMETERS = 2, ARRAYS, LOOPS, KERNEL, SIZES, FACTS };
    static const char *const heads[] = {"", "", "parameters", "arrays", "program", "program", "sizes"};
    if (!item_is(all, "certificate") || item_int(all, 1) != 2) refuse("this is no certificate");
    for (int i = PARAMETERS; i < FACTS; i++)
        if (!item_is(item_list(all, i), heads[i])) malformed(all);
    read_arrays(all->at[ARRAYS]);
    read_parameters(all->at[PARAMETERS]);
    read_program(all->at[LOOPS], &programs[0]);
    read_program(all->at[KERNEL], &programs[1]);
    if (!is(programs[0].name, "loops") || !is(programs[1].name, "kernel")) refuse("no loops, or no kernel");
    Set sizes = read_sizes(all->at[SIZES]);
    for (int i = FACTS; i < all->n; i++) {
        static const struct { const char *name; void (*read)(const Item *x); } facts[] = {
            {"flow", read_flow}, {"sum", read_sum}, {"rows", read_rows}, {"steps", read_steps},
            {"place", read_place}};
        const Item *x = item_list(all, i);
        size_t k = 0, n = sizeof facts / sizeof *facts;
        while (k < n && !item_is(x, facts[k].name)) k++;
        if (k == n) malformed(x);
        facts[k].read(x);
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
