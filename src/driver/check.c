// SPDX-License-Identifier: MIT
// check.c -- `sculpt check`: each region on the device beside the original loops, compared.
//
// libsculpt compares on the program's own data and leaves one JSON object a region; here they
// become sentences. A mismatch makes the exit status of the program nonzero (4).
#include "driver/driver.h"
#include <jansson.h>
#include <stdlib.h>

static long long number(json_t *o, const char *key) {
    return (long long)json_number_value(json_object_get(o, key));
}

static const char *word(json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

// One region. Returns whether it was found wrong.
static bool tell(FILE *out, json_t *o) {
    long long calls = number(o, "calls"), wrong = number(o, "mismatches");
    json_t *bits = json_object_get(o, "bits_equal");
    bool fused = json_is_true(json_object_get(o, "contraction"));
    double worst = json_number_value(json_object_get(o, "max_rel"));
    fprintf(out, "%s:%lld: %s: ", word(o, "file"), number(o, "line"), word(o, "region"));
    if (!calls) {
        const char *why = word(o, "reason");
        fprintf(out, "not compared, %s%s\n",
                *why ? "it stayed on the host: " : "the program never came there", why);
        return false;
    }
    fprintf(out, "%lld call%s, %lld elements: ", calls, calls == 1 ? "" : "s", number(o, "elements"));
    if (wrong) fprintf(out, "WRONG in %lld, %s", wrong, word(o, "first"));
    else if (json_is_false(bits)) fputs("WRONG in some bits", out);
    else if (worst > 0) fprintf(out, "right; they differ by at most %.2g of the value", worst);
    else if (fused) fputs("right; the original loops round products before they are added "
                          "(so does -ffp-contract=off)", out);
    else fputs("the same values as the original loops", out);
    if (json_is_true(bits)) fputs(", bit for bit what the C text says", out);
    if (*word(o, "note")) fprintf(out, " (%s)", word(o, "note"));
    fputc('\n', out);
    return wrong || json_is_false(bits);
}

bool check_report(const char *path) {
    FILE *f = fopen(path, "r");
    int regions = 0, wrong = 0, compared = 0;
    char *line = NULL;
    size_t cap = 0;
    fflush(stdout);
    while (f && getline(&line, &cap, f) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        if (o) regions++, wrong += tell(stderr, o), compared += number(o, "calls") > 0;
        json_decref(o);
    }
    free(line);
    if (f) fclose(f);
    if (!regions) fputs("check: no marked loop was reached\n", stderr);
    else fprintf(stderr, "check: %d region%s, %d wrong%s\n", regions, regions == 1 ? "" : "s", wrong,
                 compared ? "" : "; nothing was compared");
    return compared > 0;
}

int check_main(int argc, char **argv) {
    if (has_kernel_file(argc, argv)) return check_kernel(argc, argv);
    return run_program("check", argc, argv, true);
}
