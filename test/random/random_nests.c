// SPDX-License-Identifier: MIT
// random_nests.c -- random loop nests as C programs; what sculpt makes of them must print
// the same bits as the plain compiler.
//
//   random_nests --seed S --count N --sculpt PATH --work DIR --devices "cpu opencl" --judge 1
//                [--emit "cuda opencl"] [--counters 1]
//
// --judge 0 leaves out the second look at each finished nest, for which a few of them take ten seconds.
// --emit prints the kernels for these targets as well, to see that the planner and the printer get through.
// Each program holds a batch of functions, each with one marked region; half of them are those of kernels.c,
// some those of counters.c (with --counters 1 all).
// The others are over arrays of random type and shape: up to 4 loops, 6 statements; affine subscripts, also
// linearised with a symbolic pitch; triangular, strided and descending loops; conditions on counters
// and on data; scalar and index temporaries; integer reductions. All subscripts are inside
// by construction, all arithmetic is free of undefined behaviour.
#include "random.h"
#include <stdlib.h>
#include <string.h>

enum { BATCH = 25 };

static unsigned long long state;

unsigned pick(unsigned n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 20) % n);
}

int chance(unsigned percent) { return pick(100) < percent; }

void line_at(FILE *f, int indent, const char *fmt, va_list ap) {
    fprintf(f, "%*s", fmt[0] == '#' ? 0 : 4 * indent, "");
    vfprintf(f, fmt, ap);
    fputc('\n', f);
}

// ---- text ------------------------------------------------------------------------

typedef struct Gen {
    FILE *f;
    int indent;
    int depth;              // loops open
    int loops, stmts;       // budget left
    char *type;             // of the arrays: "int", "unsigned", "float", "double", "long"
    int real;
    int linear;             // 2-D arrays are pointers with a pitch
    int descending[8], odd[8];
    int temps;              // index temporaries so far
    int has_sum;
} Gen;

static void line(Gen *g, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    line_at(g->f, g->indent, fmt, ap);
    va_end(ap);
}

// An expression in 0 .. SIDE-1 while every counter is in 0 .. 27 and n, m are in 0 .. 28.
static const char *subscript(Gen *g) {
    static char ring[16][64];
    static int at;
    char *s = ring[at++ % 16];
    if (g->depth == 0) return sprintf(s, "%u", pick(SIDE)), s;
    unsigned i = pick((unsigned)g->depth), j = pick((unsigned)g->depth);
    switch (pick(9)) {
    case 0: sprintf(s, "i%u + i%u", i, j); break;
    case 1: sprintf(s, "2 * i%u + %u", i, pick(4)); break;
    case 2: sprintf(s, "n - i%u + %u", i, 28 + pick(3)); break;
    case 3: sprintf(s, "i%u + %u", i, pick(4)); break;
    case 4: sprintf(s, "i%u + m", i); break;
    case 5: sprintf(s, "%u", pick(40)); break;
    case 6: sprintf(s, "i%u - i%u + 30", i, j); break;
    default: sprintf(s, "i%u", i); break;
    }
    return s;
}

static const char *element(Gen *g) {
    static char ring[16][192];
    static int at;
    char *s = ring[at++ % 16];
    if (chance(35)) sprintf(s, "%c[%s]", "uv"[pick(2)], subscript(g));
    else if (g->linear) sprintf(s, "%c[%s + pitch * (%s)]", "ABC"[pick(3)], subscript(g), subscript(g));
    else sprintf(s, "%c[%s][%s]", "ABC"[pick(3)], subscript(g), subscript(g));
    return s;
}

static void value(Gen *g, char *out) {
    char a[200], b[200];
    strcpy(a, element(g));
    strcpy(b, element(g));
    const char *f = strcmp(g->type, "float") == 0 ? "f" : "";
    if (g->real) {
        switch (pick(6)) {
        case 0: sprintf(out, "0.5%s * %s + 0.25%s * %s", f, a, f, b); break;
        case 1: sprintf(out, "%s * 0.75%s", a, f); break;
        case 2: sprintf(out, "(%s - %s) / 3.0%s", a, b, f); break;
        case 3: sprintf(out, "%s > %s ? %s * 0.5%s : %s", a, b, a, f, b); break;
        case 4: sprintf(out, "(%s)%u * 0.125%s + 0.5%s * %s", g->type, pick(9), f, f, a); break;
        default: sprintf(out, "%s", a); break;
        }
    } else {
        switch (pick(7)) {
        case 0: sprintf(out, "(%s * 3 + %s) & 1023", a, b); break;
        case 1: sprintf(out, "(%s ^ %s) + 1", a, b); break;
        case 2: sprintf(out, "%s %% 17 + %u", a, pick(5)); break;
        case 3: sprintf(out, "%s > %s ? %s : %s / 3", a, b, b, a); break;
        case 4:
            if (g->depth) {
                sprintf(out, "(%s)i%u + (%s & 255)", g->type, pick((unsigned)g->depth), a);
                break;
            } // fall through
        case 5: sprintf(out, "(%s >> 1) - 5", a); break;
        default: sprintf(out, "%s", a); break;
        }
        if (strcmp(g->type, "unsigned") != 0) {
            char all[1200];
            sprintf(all, "(%s) %% 4096", out);
            strcpy(out, all);
        }
    }
}

static void statement(Gen *g) {
    char rhs[1200];
    g->stmts--;
    value(g, rhs);
    switch (pick(10)) {
    case 0:
        if (!g->real) {
            line(g, "sum += (%s) & 63;", element(g));
            g->has_sum = 1;
            return;
        } // fall through
    case 1: {
        int t = g->temps++;
        line(g, "int q%d = %s;", t, subscript(g));
        line(g, "u[q%d] = %s;", t, rhs);
        return;
    }
    case 2:
        line(g, "t = %s;", rhs);
        line(g, "%s = t%s;", element(g), g->real ? "" : " & 2047");
        return;
    case 3:
        if (g->real) line(g, "%s = %s * 0.5 + 0.25;", element(g), element(g));
        else line(g, "%s |= (%s) & 7;", element(g), element(g));
        return;
    default: line(g, "%s = %s;", element(g), rhs); return;
    }
}

static void body(Gen *g);

static void loop(Gen *g) {
    int d = g->depth;
    char lo[32], hi[32];
    g->loops--;
    strcpy(lo, "0");
    strcpy(hi, chance(50) ? "n" : "m");
    if (d > 0 && chance(30)) sprintf(chance(50) ? lo : hi, "i%u", pick((unsigned)d));
    else if (chance(20)) strcpy(lo, "1");
    if (chance(15)) strcpy(hi, chance(50) ? "6" : "n - 1");
    if (chance(12)) line(g, "for (int i%d = %s - 1; i%d >= %s; i%d--) {", d, hi, d, lo, d);
    else if (chance(15)) line(g, "for (int i%d = %s; i%d < %s; i%d += %u) {", d, lo, d, hi, d, 2 + pick(2));
    else if (chance(15)) line(g, "for (int i%d = %s; i%d <= %s - 1; ++i%d) {", d, lo, d, hi, d);
    else line(g, "for (int i%d = %s; i%d < %s; i%d++) {", d, lo, d, hi, d);
    g->indent++;
    g->depth++;
    body(g);
    g->depth--;
    g->indent--;
    line(g, "}");
}

static void condition(Gen *g) {
    unsigned i = pick((unsigned)g->depth), j = pick((unsigned)g->depth);
    switch (pick(4)) {
    case 0: line(g, "if (i%u > i%u) {", i, j); break;
    case 1: line(g, "if (i%u + %u < n && i%u != 3) {", i, pick(5), j); break;
    case 2: line(g, "if (%s > %s) {", element(g), element(g)); break;
    default: line(g, "if (i%u %% 2 == 0) {", i); break;
    }
    g->indent++;
    statement(g);
    g->indent--;
    if (chance(30) && g->stmts > 0) {
        line(g, "} else {");
        g->indent++;
        statement(g);
        g->indent--;
    }
    line(g, "}");
}

static void body(Gen *g) {
    int parts = 1 + (int)pick(3), wrote = 0;
    for (int k = 0; k < parts; k++) {
        if (g->loops > 0 && g->depth < 4 && chance(g->depth == 0 ? 100 : 55)) loop(g), wrote = 1;
        else if (g->stmts > 0 && g->depth > 0 && chance(25)) condition(g), wrote = 1;
        else if (g->stmts > 0 && g->depth > 0) statement(g), wrote = 1;
    }
    if (!wrote) statement(g);
}

static void function(FILE *f, int number) {
    static char *const types[] = {"int", "unsigned", "float", "double", "long"};
    Gen g = {.f = f, .loops = 1 + (int)pick(4), .stmts = 1 + (int)pick(6), .type = types[pick(5)],
             .linear = chance(40)};
    g.real = g.type[0] == 'f' || g.type[0] == 'd';
    const char *t = g.type;
    if (g.linear)
        line(&g, "static void f%d(int n, int m, int pitch, %s *restrict A, %s *restrict B, %s *restrict C, "
             "%s *restrict u, %s *restrict v, long *out) {", number, t, t, t, t, t);
    else
        line(&g, "static void f%d(int n, int m, int pitch, %s A[pitch][pitch], %s B[pitch][pitch], "
             "%s C[pitch][pitch], %s *u, %s *v, long *out) {", number, t, t, t, t, t);
    g.indent++;
    line(&g, "long sum = 0;");
    line(&g, "%s t = 0;", t);
    line(&g, "(void)t; (void)pitch;");
    int scop = chance(70);
    line(&g, scop ? "#pragma scop" : "#pragma sculpt");
    g.indent += 0;
    if (scop) {
        int top = 1 + (int)pick(2);
        for (int k = 0; k < top; k++) {
            if (g.loops < 1) g.loops = 1;
            loop(&g);
        }
        line(&g, "#pragma endscop");
    } else {
        loop(&g);
    }
    line(&g, "*out = sum;");
    g.indent--;
    line(&g, "}");
    line(&g, "static void call%d(void) {", number);
    g.indent++;
    line(&g, "static %s A[%d * %d], B[%d * %d], C[%d * %d], u[%d], v[%d];", t, SIDE, SIDE, SIDE, SIDE, SIDE,
         SIDE, SIDE, SIDE);
    line(&g, "for (int k = 0; k < %d * %d; k++) A[k] = fill(k), B[k] = fill(k + 7), C[k] = fill(3 * k);",
         SIDE, SIDE);
    line(&g, "for (int k = 0; k < %d; k++) u[k] = fill(k + 1), v[k] = fill(k + 2);", SIDE);
    line(&g, "long out = 0;");
    unsigned n = pick(5) == 0 ? pick(3) : 4 + pick(25), m = pick(5) == 0 ? pick(3) : 4 + pick(25);
    line(&g, g.linear ? "f%d(%u, %u, %d, A, B, C, u, v, &out);"
         : "f%d(%u, %u, %d, (void *)A, (void *)B, (void *)C, u, v, &out);", number, n, m, SIDE);
    line(&g, "printf(\"%d %%ld %%016llx\\n\", out, hash(A, sizeof A) ^ 3 * hash(B, sizeof B) ^ "
             "5 * hash(C, sizeof C) ^ 7 * hash(u, sizeof u) ^ 9 * hash(v, sizeof v));", number);
    g.indent--;
    line(&g, "}\n");
}

static void program(FILE *f, int count, bool counters) {
    fputs("#include <math.h>\n#include <stddef.h>\n#include <stdio.h>\n"
          "enum { SIDE = 96 };\n"
          "typedef struct { double w; int c; } Rec;\n"
          "static int fill(int k) { return (k * 2654435761u >> 7) % 1000; }\n"
          "static unsigned long long hash(const void *p, unsigned long n) {\n"
          "    const unsigned char *b = p;\n"
          "    unsigned long long h = 1469598103934665603u;\n"
          "    for (unsigned long i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211u;\n"
          "    return h;\n"
          "}\n"
          "static int wa[256], wb[256]; // of counters.c\n"
          "static unsigned ws;\n\n", f);
    for (int i = 0; i < count; i++)
        if (counters || chance(15)) random_counters(f, i);
        else if (chance(50)) random_kernel(f, i);
        else function(f, i);
    fputs("int main(void) {\n", f);
    for (int i = 0; i < count; i++) fprintf(f, "    call%d();\n", i);
    fputs("    return 0;\n}\n", f);
}

// ---- running ---------------------------------------------------------------------------

static int shell(const char *fmt, ...) {
    char cmd[4096];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cmd, sizeof cmd, fmt, ap);
    va_end(ap);
    return system(cmd);
}

// 0: kernels of the program come out for each target.
static int emits(const char *sculpt, const char *work, const char *targets, unsigned long long seed) {
    int wrong = 0;
    for (const char *at = targets; *at;) {
        int n = (int)strcspn(at, " ");
        if (shell("timeout 3600 %s emit --target %.*s %s/random.c > %s/random_text 2> %s/random_log", sculpt,
                  n, at, work, work, work) ||
            shell("test -s %s/random_text", work)) {
            printf("seed %llu: no kernels for %.*s\n", seed, n, at);
            shell("tail -n 5 %s/random_log", work);
            wrong = 1;
        }
        at += n + strspn(at + n, " ");
    }
    return wrong;
}

// 0: all devices agree with the plain compiler.
static int batch(const char *sculpt, const char *work, const char *devices, const char *targets,
                 unsigned long long seed, int count, int judge, bool counters) {
    char src[512], d[32];
    snprintf(src, sizeof src, "%s/random.c", work);
    FILE *f = fopen(src, "w");
    if (!f) return perror(src), 2;
    state = seed * 0x9E3779B97F4A7C15u + 0x1234567;
    for (int i = 0; i < 8; i++) pick(2);
    program(f, count, counters);
    fclose(f);
    if (shell("gcc -w -O1 -ffp-contract=off -o %s/random_plain %s -lm && %s/random_plain > %s/random_want",
              work, src, work, work)) return printf("seed %llu: the generator is wrong\n", seed), 2;
    if (shell("%s cc --no-remarks %s -w -O1 -ffp-contract=off -o %s/random_prog %s -lm > %s/random_log 2>&1",
              sculpt, judge ? "--confirm" : "", work, src, work))
        return printf("seed %llu: sculpt cc fails\n", seed), shell("head -n 20 %s/random_log", work), 1;
    int wrong = emits(sculpt, work, targets, seed);
    for (const char *at = devices; *at;) {
        int n = (int)strcspn(at, " ");
        snprintf(d, sizeof d, "%.*s", n, at);
        at += n + strspn(at + n, " ");
        if (shell("SCULPT_OFFLOAD=always SCULPT_DEVICE=%s timeout 3600 %s/random_prog > %s/random_have "
                  "2> %s/random_log", d, work, work, work)) {
            printf("seed %llu: the program fails on %s\n", seed, d);
            shell("head -n 5 %s/random_log", work);
            wrong = 1;
        } else if (shell("cmp -s %s/random_want %s/random_have", work, work)) {
            printf("seed %llu: other bits on %s:\n", seed, d);
            shell("diff %s/random_want %s/random_have | head -n 8", work, work);
            wrong = 1;
        }
    }
    if (wrong) shell("cp %s %s/failed_%llu.c", src, work, seed);
    return wrong;
}

int main(int argc, char **argv) {
    unsigned long long seed = 1;
    int count = 100, judge = 1, counters = 0;
    const char *sculpt = "sculpt", *work = "/tmp", *devices = "cpu opencl", *targets = "", *print = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--count")) count = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--sculpt")) sculpt = argv[i + 1];
        else if (!strcmp(argv[i], "--work")) work = argv[i + 1];
        else if (!strcmp(argv[i], "--devices")) devices = argv[i + 1];
        else if (!strcmp(argv[i], "--emit")) targets = argv[i + 1];
        else if (!strcmp(argv[i], "--judge")) judge = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--counters")) counters = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--print")) print = argv[i + 1];
        else return fprintf(stderr, "usage: see the top of the source\n"), 2;
    }
    if (print) { // the program of one seed, for a look
        state = seed * 0x9E3779B97F4A7C15u + 0x1234567;
        for (int i = 0; i < 8; i++) pick(2);
        program(stdout, BATCH, counters);
        return 0;
    }
    int wrong = 0, done = 0;
    for (unsigned long long s = seed; done < count; s++) {
        int n = count - done < BATCH ? count - done : BATCH;
        wrong += batch(sculpt, work, devices, targets, s, n, judge, counters) != 0;
        done += n;
    }
    printf("%d random nests, %d batches wrong\n", done, wrong);
    return wrong != 0;
}
