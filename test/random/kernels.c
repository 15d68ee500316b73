// SPDX-License-Identifier: MIT
// kernels.c -- random functions in the manner of scientific programs.
//
// Two matrices P and Q, vectors u and v, indices idx and records rec go in; X and y come out, each of its
// own arithmetic type and declared in one of the ways that C has for it: T P[][n], T (*P)[n], T **P, static,
// a field of a descriptor, a pointer with a pitch by rows or by columns, a pointer to the row. Under a
// mark that asserts parallel loops, iterations only write their own elements; under others nests stand
// one after another and read what those before have written. Bodies have scalar temporaries, arrays of their
// own, inner loops (short, triangular, descending, by steps, with break and continue), while, conditions, and
// reductions into scalars: + ^ | min max, the place of the least, counts, bins.
//
// All values stay small enough that no conversion overflows; reals go through + - * / sqrt fabs alone, which
// are the same everywhere. Counters are in 0 .. 27, n and m in 1 .. 28, subscripts in 0 .. SIDE - 1.
#include "random.h"
#include <string.h>

typedef enum Spell { SQUARE, POINTER_TO_ROWS, ROWS, STATIC, FIELD, BY_ROWS, BY_COLUMNS, ROW_POINTER,
                    SPELLS } Spell;

typedef struct Matrix {
    char name;
    const char *type;
    Spell spell;
} Matrix;

enum { P, Q, X, MATRICES };

typedef struct Kernel {
    FILE *f;
    int number, indent;
    Matrix m[MATRICES];
    const char *u, *v, *y;   // types of the vectors
    bool parallel;           // the mark asserts it: only own elements are written
    int depth;               // loops of the nest that are open: counters i0, i1, …
    int inner;               // loops of the body: k0, k1, …
    int reals, ints;         // temporaries r0 …, q0 … that may be read here
    int names;               // temporaries so far
    bool at_row;             // pointers p_ to the rows of this iteration are there
    int window;              // elements of a local array that holds values; 0: none
    const char *sum;         // statement that adds to a scalar reduction; NULL: none
    int budget;              // statements left
} Kernel;

static const char *const types[] = {"int", "unsigned", "float", "double", "long", "unsigned char", "short"};
static const char *a_type(void) { return types[pick(7)]; }
static bool is_real(const char *t) { return t[0] == 'f' || t[0] == 'd'; }

static void line(Kernel *k, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    line_at(k->f, k->indent, fmt, ap);
    va_end(ap);
}
static void open(Kernel *k) { k->indent++; }
static void shut(Kernel *k) { k->indent--, line(k, "}"); }

// Text that lives until some dozens of others are made.
static char *text(const char *fmt, ...) {
    static char ring[64][1024];
    static int at;
    char *s = ring[at++ % 64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s, sizeof ring[0], fmt, ap);
    va_end(ap);
    return s;
}

// ---- values -----------------------------------------------------------------------------------------
static const char *counter(Kernel *k) {
    unsigned n = pick((unsigned)(k->depth + k->inner));
    return n < (unsigned)k->depth ? text("i%u", n) : text("k%u", n - (unsigned)k->depth);
}

static const char *subscript(Kernel *k) {
    if (k->depth + k->inner == 0) return text("%u", pick(SIDE));
    const char *i = counter(k), *j = counter(k);
    switch (pick(12)) {
    case 0: return text("%s + %s", i, j);
    case 1: return text("%s > 0 ? %s - 1 : 0", i, i);
    case 2: return text("(%s + %s) %% n", i, j);
    case 3: return text("%s + %u", i, pick(4));
    case 4: return text("idx[%s]", i);
    case 5: return text("n - 1 - %s + 28", i);
    case 6: return text("2 * %s + %u", i, pick(3));
    case 7: return text("%s / 2 + %s %% 3", i, j);
    default: return i;
    }
}

static const char *element(const Matrix *x, const char *i, const char *j) {
    switch (x->spell) {
    case ROW_POINTER:
    case BY_ROWS: return text("%c[(%s) * ld + (%s)]", x->name, i, j);
    case BY_COLUMNS: return text("%c[(%s) + (%s) * ld]", x->name, i, j);
    case FIELD: return text("d->%c[(%s) * d->ld + (%s)]", x->name, i, j);
    default: return text("%c[%s][%s]", x->name, i, j);
    }
}

static const char *real(Kernel *k, int deep);
static const char *whole(Kernel *k, int deep);

static const char *leaf(Kernel *k, bool *is_float) {
    int w = k->parallel ? 2 : 3;
    const Matrix *x = &k->m[pick((unsigned)w)];
    *is_float = true;
    switch (pick(9)) {
    case 0: *is_float = is_real(k->u); return text("u[%s]", subscript(k));
    case 1: *is_float = is_real(k->v); return text("v[%s]", subscript(k));
    case 2: if (k->reals) return text("r%u", pick((unsigned)k->reals)); break;
    case 3: if (k->ints) return *is_float = false, text("q%u", pick((unsigned)k->ints)); break;
    case 4: return *is_float = pick(2), text("rec[%s].%s", subscript(k), *is_float ? "w" : "c");
    case 5: if (k->window) return text("win[%s]", k->inner ? text("k0 %% %d", k->window) : "0"); break;
    case 6: if (k->depth) return *is_float = false, counter(k); break;
    default: break;
    }
    *is_float = is_real(x->type);
    if (x->spell == ROW_POINTER && k->at_row && chance(70)) return text("p%c[%s]", x->name, subscript(k));
    return element(x, subscript(k), subscript(k));
}

static void row_pointers(Kernel *k) {
    for (int j = 0; j < (k->parallel ? X : MATRICES); j++)
        if (k->m[j].spell == ROW_POINTER) line(k,
                                               chance(50) ? "const %s *p%c = %c + i0 * ld;"
            : "const %s *p%c = &%c[i0 * ld];", k->m[j].type, k->m[j].name, k->m[j].name);
    k->at_row = true;
}

// At most 4000 in size where `deep` is 2.
static const char *real(Kernel *k, int deep) {
    bool is_float;
    const char *a = leaf(k, &is_float), *cast = chance(50) ? "(float)" : "(double)";
    a = text("%s%s", is_float && chance(70) ? "" : cast, a);
    if (deep == 0) return a;
    const char *b = real(k, deep - 1);
    switch (pick(8)) {
    case 0: return text("(%s + %s) * 0.5f", a, b);
    case 1: return text("(%s - %s)", a, b);
    case 2: return text("(%s) / (1.0f + fabs(%s))", a, b);
    case 3: return text("sqrt(fabs(%s))", b);
    case 4: return text("(%s > %s ? %s : %s * 0.25)", a, b, b, a);
    case 5: return text("%s(%s * 0.125f)", cast, b);
    case 6: return text("(%s < 0 ? -(%s) : %s)", b, b, b);
    default: return a;
    }
}

// Under 1024 in size where `deep` is not 0.
static const char *whole(Kernel *k, int deep) {
    bool is_float;
    const char *a = leaf(k, &is_float);
    if (is_float) a = text("(int)(%s)", a);
    if (deep == 0) return text("(int)(%s)", a);
    const char *b = whole(k, deep - 1);
    switch (pick(8)) {
    case 0: return text("((%s * 3 + %s) & 1023)", a, b);
    case 1: return text("((%s ^ %s) & 511)", a, b);
    case 2: return text("(int)(%s) %% 17", a);
    case 3: return text("((%s >> 2) & 255)", b);
    case 4: return text("((unsigned char)(%s) + (%s & 3))", a, b);
    case 5: return text("(%s > %s ? %s & 127 : %s & 63)", a, b, b, b);
    case 6: return text("((short)(%s) %% 100)", b);
    default: return text("(int)((%s) & 1023)", a);
    }
}

static const char *value(Kernel *k, const char *type) {
    if (is_real(type)) return real(k, (int)pick(3));
    const char *e = chance(30) ? text("(int)(%s) & 255", real(k, 1)) : whole(k, 1 + (int)pick(2));
    return chance(40) ? text("(%s)(%s)", type, e) : e;
}

static const char *condition(Kernel *k) {
    const char *i = counter(k), *j = counter(k);
    if (i == j || !strcmp(i, j)) j = "n / 2";
    switch (pick(7)) {
    case 0: return text("%s > %s", i, j);
    case 1: return text("%s %% 2 == %u", i, pick(2));
    case 2: return text("%s > %s", real(k, 1), real(k, 0));
    case 3: return text("%s != 3 && %s + 2 < n", i, j);
    case 4: return text("%s & 1", whole(k, 1));
    case 5: return text("%s == 0 || %s == m - 1", i, j);
    default: return text("u[%s] > v[%s]", i, j);
    }
}

// ---- bodies --------------------------------------------------------------------------------------------
static void body(Kernel *k, int deep);

static void temporary(Kernel *k) {
    if (chance(60)) {
        const char *e = real(k, 2);
        line(k, "%s r%d = %s;", chance(50) ? "float" : "double", k->reals, e);
        k->reals++;
    } else {
        const char *e = whole(k, 2);
        line(k, "int q%d = %s;", k->ints, e);
        k->ints++;
    }
}

// What a block declares can't be read behind it.
typedef struct Scope { int reals, ints, window; } Scope;
static Scope enter(Kernel *k) { return open(k), (Scope){k->reals, k->ints, k->window}; }
static void leave(Kernel *k, Scope s) { k->reals = s.reals, k->ints = s.ints, k->window = s.window, shut(k); }

static void inner_loop(Kernel *k, int deep) {
    int at = k->inner;
    switch (pick(8)) {
    case 0: line(k, "for (int k%d = 0; k%d < 3; k%d++) {", at, at, at); break;
    case 1: line(k, "for (int k%d = 0; k%d <= i0; k%d++) {", at, at, at); break;
    case 2: line(k, "for (int k%d = n - 1; k%d >= 0; k%d--) {", at, at, at); break;
    case 3: line(k, "for (int k%d = i0; k%d < n; k%d += 2) {", at, at, at); break;
    case 4: line(k, "for (int k%d = i0 > 2 ? i0 - 2 : 0; k%d < (i0 + 3 < n ? i0 + 3 : n); ++k%d) {", at, at,
                 at); break;
    case 5: line(k, "for (int k%d = row[i0]; k%d < row[i0 + 1]; k%d++) {", at, at, at); break;
    default: line(k, "for (int k%d = 0; k%d < m; k%d++) {", at, at, at); break;
    }
    k->inner++;
    Scope s = enter(k);
    if (chance(15)) line(k, "if (%s) continue;", condition(k));
    body(k, deep + 1);
    if (chance(10)) line(k, "if (%s) break;", condition(k));
    leave(k, s);
    k->inner--;
}

static void while_loop(Kernel *k) {
    int c = k->names++;
    line(k, "int c%d = %s;", c, chance(50) ? "i0" : "m");
    line(k, "while (c%d > 0%s) {", c, chance(30) && k->ints ? text(" && q%d < 900", k->ints - 1) : "");
    Scope s = enter(k);
    if (s.reals) line(k, "r%d = r%d * 0.5f + (%s) * 0.25f;", s.reals - 1, s.reals - 1, real(k, 1));
    if (s.ints) line(k, "q%d = (q%d + c%d) & 1023;", s.ints - 1, s.ints - 1, c);
    line(k, chance(50) ? "c%d /= 2;" : "c%d -= 3;", c);
    leave(k, s);
}

static void local_array(Kernel *k) {
    int n = 3 + (int)pick(3), at = k->inner;
    line(k, "%s win[%d];", chance(50) ? "float" : "double", n);
    line(k, "for (int k%d = 0; k%d < %d; k%d++) {", at, at, n, at);
    k->inner++;
    Scope s = enter(k);
    line(k, "win[k%d] = %s;", at, real(k, 1));
    leave(k, s);
    k->inner--;
    k->window = n;
}

// A change of a temporary that is there, or of a reduction.
static void update(Kernel *k) {
    if (k->sum && chance(30)) {
        line(k, k->sum, whole(k, 1));
    } else if (k->reals && chance(60)) {
        int r = (int)pick((unsigned)k->reals);
        const char *e = real(k, 1);
        switch (pick(4)) {
        case 0: line(k, "r%d = r%d * 0.5f + %s;", r, r, e); break;
        case 1: line(k, "if (%s > r%d) r%d = %s;", e, r, r, e); break;
        case 2: line(k, "r%d = fmin(r%d, %s);", r, r, e); break;
        default: line(k, "r%d = (r%d + %s) * 0.75;", r, r, e); break;
        }
    } else if (k->ints) {
        int q = (int)pick((unsigned)k->ints);
        line(k, chance(50) ? "q%d = (q%d + %s) & 2047;" : "q%d = (q%d ^ %s) & 2047;", q, q, whole(k, 1));
    } else {
        temporary(k);
    }
}

static void body(Kernel *k, int deep) {
    int parts = 1 + (int)pick(3);
    for (int j = 0; j < parts && k->budget > 0; j++) {
        k->budget--;
        switch (pick(9)) {
        case 0: case 1: temporary(k); break;
        case 2: if (deep < 2) { inner_loop(k, deep); break; } // fall through
        case 3: update(k); break;
        case 4: if (deep == 0) { while_loop(k); break; } // fall through
        case 5: {
            line(k, "if (%s) {", condition(k));
            Scope s = enter(k);
            update(k);
            leave(k, s);
            break;
        }
        case 6: if (!k->window && deep == 0) { local_array(k); break; } // fall through
        default: update(k); break;
        }
    }
}

// ---- nests --------------------------------------------------------------------------------------------
static void store(Kernel *k) {
    const Matrix *x = &k->m[X];
    bool own = k->parallel || chance(70);
    const char *i = own ? "i0" : subscript(k), *j = own && k->depth > 1 ? "i1" : subscript(k);
    const char *e = value(k, x->type);
    if (k->depth > 1 || !k->parallel) line(k, "%s = %s;", element(x, i, j), e);
    if (k->depth == 1 || !k->parallel) line(k, "y[%s] %s %s;", i, is_real(k->y) || k->parallel ? "=" : "|=",
                                            is_real(k->y) ? real(k, 1) : whole(k, 2));
}

static void nest(Kernel *k, int loops, bool perfect) {
    int d = k->depth++;
    const char *to = d == 0 ? "n" : "m";
    if (!perfect && chance(15)) line(k, "for (int i%d = %s - 1; i%d >= 0; i%d--) {", d, to, d, d);
    else if (!perfect && d > 0 && chance(25)) line(k, "for (int i%d = %s; i%d < %s; i%d++) {", d,
                                                   chance(50) ? "i0" : "1", d, to, d);
    else line(k, "for (int i%d = 0; i%d < %s; i%d++) {", d, d, to, d);
    Scope s = enter(k);
    if (loops > 1) {
        if (!perfect && chance(40)) temporary(k);
        nest(k, loops - 1, perfect);
        if (!perfect && chance(20) && !k->parallel) store(k);
    } else {
        row_pointers(k);
        if (chance(10)) line(k, "if (%s) continue;", condition(k));
        body(k, 0);
        store(k);
        k->at_row = false;
    }
    leave(k, s);
    k->depth--;
}

// A mark and what stands under it.
static void region(Kernel *k) {
    static const char *const sums[] = {"total += %s;", "total ^= %s;", "total |= %s;",
                                       "if (%s > least) least++;", "bins[(%s) & 15]++;"};
    static const char *const clauses[] = {" reduction(+:total)", " reduction(^:total)",
                                          " reduction(|:total)"};
    unsigned way = pick(6), which = pick(5);
    int loops = 1 + (int)pick(2);
    k->parallel = way < 4;
    bool perfect = k->parallel && loops == 2 && chance(50);
    if (k->parallel) which = pick(3);
    k->sum = chance(40) ? sums[which] : NULL;
    const char *clause = k->sum && k->parallel ? clauses[which] : "";
    switch (way) {
    case 0: line(k, "#pragma omp parallel for%s%s", perfect ? " collapse(2)" : "", clause); break;
    case 1: line(k, "#pragma omp target teams distribute parallel for%s%s", perfect ? " collapse(2)" : "",
                 clause); break;
    case 2: line(k, "#pragma acc parallel loop gang%s%s", perfect ? " collapse(2)" : "", clause); break;
    case 3: line(k, "#pragma omp parallel for schedule(dynamic)%s", clause); break;
    case 4: line(k, "#pragma sculpt"); break;
    default: line(k, "#pragma scop"); break;
    }
    nest(k, loops, perfect);
    if (way < 5) return;
    for (unsigned more = pick(3); more > 0; more--) {
        k->budget += 2;
        if (chance(30)) temporary(k);
        nest(k, 1 + (int)pick(2), false);
    }
    line(k, "#pragma endscop");
}

// ---- functions -------------------------------------------------------------------------------------------
static void declare(Kernel *k, const Matrix *x) {
    const char *in = x->name == 'X' ? "" : "const ";
    switch (x->spell) {
    case SQUARE: fprintf(k->f, "%s %c[ld][ld], ", x->type, x->name); break;
    case POINTER_TO_ROWS: fprintf(k->f, "%s (*%c)[ld], ", x->type, x->name); break;
    case ROWS: fprintf(k->f, "%s **%c, ", x->type, x->name); break;
    case STATIC: case FIELD: break;
    default: fprintf(k->f, "%s%s *%c, ", in, x->type, x->name); break;
    }
}

static void call(Kernel *k, unsigned n, unsigned m) {
    int f = k->number;
    line(k, "static void call%d(void) {", f);
    open(k);
    line(k, "static int idx[SIDE], row[SIDE + 1], bins[16];");
    line(k, "static Rec rec[SIDE];");
    line(k, "static %s u[SIDE]; static %s v[SIDE]; static %s y[SIDE];", k->u, k->v, k->y);
    for (int j = 0; j < MATRICES; j++) {
        const Matrix *x = &k->m[j];
        if (x->spell != STATIC) line(k, "static %s %c[SIDE * SIDE];", x->type, x->name);
        else line(k, "%s *%c = &s%d_%c[0][0];", x->type, x->name, f, x->name);
        line(k, "for (int k = 0; k < SIDE * SIDE; k++) %c[k] = fill(k + %d)%s;", x->name, 11 * j,
             is_real(x->type) ? " * 0.5" : "");
        if (x->spell == ROWS)
            line(k, "static %s *%c_rows[SIDE]; for (int k = 0; k < SIDE; k++) %c_rows[k] = %c + SIDE * k;",
                 x->type, x->name, x->name, x->name);
    }
    line(k, "for (int k = 0; k < SIDE; k++) {");
    line(k, "    idx[k] = fill(k) %% 28, row[k + 1] = row[k] < 26 ? row[k] + k %% 3 : row[k], "
            "u[k] = fill(k + 1), v[k] = fill(k + 2), y[k] = fill(k + 3);");
    line(k, "    rec[k].w = fill(k + 4) * 0.25, rec[k].c = fill(k + 5);");
    line(k, "}");
    line(k, "D%d d = {SIDE, %s, %s, %s};", f, k->m[P].spell == FIELD ? "P" : "0",
         k->m[Q].spell == FIELD ? "Q" : "0", k->m[X].spell == FIELD ? "X" : "0");
    fprintf(k->f, "    int total = f%d(%u, %u, SIDE, ", f, n, m);
    for (int j = 0; j < MATRICES; j++) {
        const Matrix *x = &k->m[j];
        if (x->spell == STATIC || x->spell == FIELD) continue;
        fprintf(k->f, x->spell == ROWS ? "%c_rows, " : x->spell == SQUARE ||
                x->spell == POINTER_TO_ROWS ? "(void *)%c, " : "%c, ", x->name);
    }
    fprintf(k->f, "u, v, y, idx, row, rec, bins, &d);\n");
    line(k, "printf(\"%d %%d %%016llx\\n\", total, hash(X, sizeof *X * SIDE * SIDE) ^ "
            "3 * hash(y, sizeof y) ^ 5 * hash(bins, sizeof bins));", f);
    shut(k);
    fputc('\n', k->f);
}

void random_kernel(FILE *f, int number) {
    Kernel k = {.f = f, .number = number, .u = a_type(), .v = a_type(), .y = a_type(),
                .budget = 3 + (int)pick(6)};
    for (int j = 0; j < MATRICES; j++) {
        k.m[j] = (Matrix){"PQX"[j], a_type(), (Spell)pick(SPELLS)};
        if (k.m[j].spell == STATIC) line(&k, "static %s s%d_%c[SIDE][SIDE];", k.m[j].type, number,
                                         k.m[j].name);
        if (k.m[j].spell == STATIC) line(&k, "#define %c s%d_%c", k.m[j].name, number, k.m[j].name);
    }
    line(&k, "typedef struct { int ld; const %s *P; const %s *Q; %s *X; } D%d;", k.m[P].type, k.m[Q].type,
         k.m[X].type, number);
    fprintf(f, "static int f%d(int n, int m, int ld, ", number);
    for (int j = 0; j < MATRICES; j++) declare(&k, &k.m[j]);
    fprintf(f, "const %s *u, const %s *v, %s *y, const int *idx, const int *row, const Rec *rec, "
            "int *bins, const D%d *d) {\n", k.u, k.v, k.y, number);
    open(&k);
    line(&k, "int total = 0, least = 0;");
    region(&k);
    line(&k, "return total * 31 + least;");
    shut(&k);
    for (int j = 0; j < MATRICES; j++)
        if (k.m[j].spell == STATIC) line(&k, "#undef %c", k.m[j].name);
    call(&k, 1 + pick(28), 1 + pick(28));
}
