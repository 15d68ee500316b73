// plan.c -- a product planned from C text, executed, and timed by the library's own word.
//
//   cc plan.c -lsculpt -o plan && ./plan [measure]
#include <sculpt/sculpt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "void product(int n, float c[n][n], const float a[n][n], const float b[n][n]) {\n"
    "#pragma sculpt\n"
    "    for (int i = 0; i < n; i++)\n"
    "        for (int j = 0; j < n; j++)\n"
    "            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];\n"
    "}\n";
enum { N = 96 };

int main(int argc, char **argv) {
    unsigned how = argc > 1 && !strcmp(argv[1], "measure") ? SCULPT_MEASURE
                   : argc > 1                              ? SCULPT_WISDOM_ONLY
                                                           : SCULPT_ESTIMATE;
    sculpt_plan *p = sculpt_plan_c(source, "n=96", how);
    if (!p) return fprintf(stderr, "no plan: %s\n", sculpt_message()), 1;
    char *text = sculpt_plan_print(p);
    fprintf(stderr, "%s", text);
    free(text);
    // Arrays in the plan's order, which is that of their first use.
    static float a[N][N], b[N][N], c[N][N];
    void *arrays[3];
    for (int i = 0; sculpt_plan_array(p, i); i++) {
        const char *name = sculpt_plan_array(p, i);
        arrays[i] = *name == 'a' ? (void *)a : *name == 'b' ? (void *)b : (void *)c;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = (float)((i + j) % 5), b[i][j] = (float)(i == j);
    for (int calls = 0; calls < 2; calls++)
        if (!sculpt_execute(p, arrays, NULL)) return fprintf(stderr, "not run: %s\n", sculpt_message()), 1;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) wrong += c[i][j] != 2 * a[i][j];
    printf("%d wrong, %.0f operations\n", wrong, sculpt_flops(p));
    char *wisdom = sculpt_export_wisdom();
    int rows = wisdom ? sculpt_import_wisdom(wisdom) : -1;
    printf("wisdom: %s\n", rows < 0 ? sculpt_message() : rows ? "some" : "none");
    free(wisdom);
    sculpt_destroy(p);
    return wrong != 0;
}
