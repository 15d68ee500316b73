// SPDX-License-Identifier: MIT
// rules.c -- `sculpt rules`: the catalogue, or one page of it.
#include "driver/driver.h"
#include "rule/catalogue.h"

static void put_knob(const Knob *k) {
    printf("    %-10s %s", k->name, k->meaning);
    if (k->kind == KNOB_INT || k->kind == KNOB_INTS)
        printf("; %lld to %lld", (long long)k->min, (long long)k->max);
    if (k->kind == KNOB_WORD) printf("; one of %s", k->words);
    if (!k->standard) fputs("; must be given", stdout);
    else if (*k->standard) printf("; %s unless given", k->standard);
    putchar('\n');
}

static void put_picture(const char *picture) {
    for (const char *s = picture; s && *s;) {
        int n = 0;
        while (s[n] && s[n] != '\n') n++;
        printf("    %.*s\n", n, s);
        s += n + (s[n] == '\n');
    }
}

static void put_rule(const Rule *r) {
    printf("%s\n\n  %s\n\n", r->usage, r->summary);
    put_picture(r->picture);
    if (r->nknobs) puts("\n  knobs");
    for (int i = 0; i < r->nknobs; i++) put_knob(&r->knobs[i]);
    for (const RuleExample *e = r->examples; e && e->source; e++) {
        if (e == r->examples) puts("\n  examples");
        printf("    %s%s%s\n", e->step, e->refusal ? "    refused: " : "", e->refusal ? e->refusal : "");
    }
}

int rules_main(int argc, char **argv) {
    if (argc > 1) return usage_error("rules", "it takes the name of one rule, or none");
    if (argc == 1) {
        const Rule *r = rule_named(argv[0]);
        if (r) return put_rule(r), 0;
        Arena *a = arena_new();
        usage_error("rules", "there is no rule '%s'%s; 'sculpt rules' lists them", argv[0],
                    rule_meant(a, argv[0]));
        arena_free(a);
        return 2;
    }
    for (const Rule *const *r = rule_catalogue; *r; r++) printf("  %-12s %s\n", (*r)->name, (*r)->summary);
    puts("\nsculpt rules NAME says more; a recipe is one step a line, as 'sculpt apply' takes them.");
    return 0;
}
