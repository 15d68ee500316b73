// SPDX-License-Identifier: MIT
// trees.h -- nests of fast kernels as text, for the tests of barriers and of the judge.
#ifndef TEST_DEP_TREES_H
#define TEST_DEP_TREES_H
#include "dep/dep.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define GEMM_REGION                                                                                \
    "sculpt 1 region gemm auto { param n: i32 = \"n\" param m: i32 = \"m\" param p: i32 = \"p\" "  \
    "array a[m][n]: f32 = \"a\" live array b[p][n]: f32 = \"b\" array c[m][p]: f32 = \"c\" "            \
    "do { for j: i32 = 0 .. m for k: i32 = 0 .. p for i: i32 = 0 .. n S0[j, k, i] } "              \
    "stmt S0[j, k, i]: a[j][i] += b[k][i] * c[j][k] fused } "

// A block computes (wj*lj*tj) x (wi*li*ti) elements of a, in strips of bk.
typedef struct Gemm {
    int wj, lj, tj, wi, li, ti, bk, stages;
    bool async;
    bool branches;      // the copies ahead of the loop: a branch each, not a loop
} Gemm;

static const Gemm gemm_full = {2, 8, 8, 4, 4, 8, 16, 3, true, false};
static const Gemm gemm_small = {1, 2, 2, 2, 1, 2, 2, 3, true, false};

// Elements that are scaled, then added to: registers that hold both, and sums of their own.
#define SCALE_REGION(MARK)                                                                          \
    "sculpt 1 region scale auto " MARK " { param n: i32 = \"n\" param p: i32 = \"p\" "              \
    "array c[n]: f32 = \"c\" live "                                                                 \
    "array x[p][n]: f32 = \"x\" do { for i: i32 = 0 .. n { S0[i] for k: i32 = 0 .. p S1[i, k] } } " \
    "stmt S0[i]: c[i] *= 2.0f32 stmt S1[i, k]: c[i] += x[k][i] } "
#define SCALE_KEPT(MARK) SCALE_REGION(MARK)                                            \
    "nest \"gpu\" { when 1 do { kernel k0 for i: i32 = 0 .. n block { local acc: f32 " \
    "copy acc = c[i] S0[i] via (acc) "                                                 \
    "for k: i32 = 0 .. p S1[i, k] via (acc, -) copy c[i] = acc } } }"
#define SCALE_ADDED(MARK) SCALE_REGION(MARK)                                          \
    "nest \"gpu\" { when 1 do { kernel k1 for i: i32 = 0 .. n block S0[i] kernel k0 " \
    "for i: i32 = 0 .. n block { "                                                    \
    "local acc: f32 copy acc = 0.0f32 for k: i32 = 0 .. p S1[i, k] via (acc, -) copy c[i] += acc } } }"

// Integers of rows of different lengths combined: OP, and what its partial results begin with.
#define COMBINE_NEST(OP, INIT)                                                                         \
    "sculpt 1 region combine auto { param n: i32 = \"n\" array y[n]: i32 = \"y\" live "                \
    "array x[n]: i32 = \"x\" "                                                                         \
    "do { for i: i32 = 0 .. n for j: i32 = i .. n S0[i, j] } stmt S0[i, j]: y[i] " OP " x[j] } "       \
    "nest \"gpu\" { when 1 do { kernel k0 for i: i32 = 0 .. n block { local t: i32 copy t = " INIT " " \
    "for j: i32 = i .. n S0[i, j] via (t, -) copy y[i] " OP " t } } }"

// Every occurrence of `from` as `to`.
static inline char *replace(Arena *a, const char *s, const char *from, const char *to) {
    Text t = text_new(a);
    for (const char *hit; (hit = strstr(s, from)); s = hit + strlen(from)) {
        text_putn(&t, s, (size_t)(hit - s));
        text_put(&t, to);
    }
    text_put(&t, s);
    return t.s;
}

typedef struct Word {
    const char *name;
    int value;
} Word;

// $NAME in a text is the number of that name.
static inline char *fill(Arena *a, const char *s, int n, const Word *words) {
    Text t = text_new(a);
    while (*s) {
        int k = 0;
        while (*s == '$' && k < n && strncmp(s + 1, words[k].name, strlen(words[k].name)) != 0) k++;
        if (*s != '$' || k == n) {
            text_putn(&t, s++, 1);
            continue;
        }
        text_printf(&t, "%d", words[k].value);
        s += 1 + strlen(words[k].name);
    }
    return t.s;
}

// Staging of tile (expression TILE) into stage (STAGE), tiles inside p.
#define GEMM_COPY                                                                                  \
    "for xk: i32 = 0 .. $BK coop for xi: i32 = 0 .. $BI coop "                                     \
    "  copy sb[STAGE][xk][xi] = b[$BK * (TILE) + xk][min($BI * ib + xi, n - 1)] ASYNC "            \
    "for xj: i32 = 0 .. $BJ coop for xk: i32 = 0 .. $BK coop "                                     \
    "  copy sc[STAGE][xk][xj] = c[min($BJ * jb + xj, m - 1)][$BK * (TILE) + xk] ASYNC "
// The last strip: fewer than bk columns; what lies beyond p is zero.
#define GEMM_TAIL_COPY                                                                             \
    "for xk: i32 = 0 .. $BK coop for xi: i32 = 0 .. $BI coop if ($BK * fdiv(p, $BK) + xk < p) "    \
    "  copy sb[0][xk][xi] = b[$BK * fdiv(p, $BK) + xk][min($BI * ib + xi, n - 1)] "                \
    "for xj: i32 = 0 .. $BJ coop for xk: i32 = 0 .. $BK coop if ($BK * fdiv(p, $BK) + xk < p) "    \
    "  copy sc[0][xk][xj] = c[min($BJ * jb + xj, m - 1)][$BK * fdiv(p, $BK) + xk] "
#define GEMM_THREADS                                                                               \
    "for wj: i32 = 0 .. $WJ thread for wi: i32 = 0 .. $WI thread "                                 \
    "for lj: i32 = 0 .. $LJ thread for li: i32 = 0 .. $LI thread "
#define GEMM_EACH "for tj: i32 = 0 .. $TJ unroll for ti: i32 = 0 .. $TI unroll "
#define GEMM_J "$BJ * jb + $TJ * ($LJ * wj + lj) + tj"
#define GEMM_I "$BI * ib + $TI * ($LI * wi + li) + ti"
#define GEMM_ACC "acc[wj][wi][lj][li][tj][ti]"
// One strip of k from stage STAGE; kk counts to COUNT.
#define GEMM_COMPUTE                                                                               \
    GEMM_THREADS "{ local fb[$TI]: f32 local fc[$TJ]: f32 for kk: i32 = 0 .. COUNT { "             \
    "  for ti: i32 = 0 .. $TI vector copy fb[ti] = sb[STAGE][kk][$TI * ($LI * wi + li) + ti] "     \
    "  for tj: i32 = 0 .. $TJ vector copy fc[tj] = sc[STAGE][kk][$TJ * ($LJ * wj + lj) + tj] "     \
    "  " GEMM_EACH                                                                                 \
    "    S0[" GEMM_J ", $BK * (TILE) + kk, " GEMM_I "] via (" GEMM_ACC ", fb[ti], fc[tj]) } } "

static inline char *gemm_piece(Arena *a, const char *s, const char *stage, const char *tile,
                               const char *count) {
    return replace(a, replace(a, replace(a, s, "STAGE", stage), "TILE", tile), "COUNT", count);
}

// The whole nest, any sizes: register accumulators, staged strips, redirected reads, guarded
// stores, a last partial strip.
static inline char *gemm_text(Arena *a, const Gemm *g) {
    Text t = text_new(a);
    text_put(&t, GEMM_REGION "nest \"gpu\" { when m >= 1 && n >= 1 && p >= 1 do { kernel k0 min_blocks 2 { "
        "for jb: i32 = 0 .. fdiv(m + $BJ - 1, $BJ) block for ib: i32 = 0 .. fdiv(n + $BI - 1, $BI) block { "
        "register acc[$WJ][$WI][$LJ][$LI][$TJ][$TI]: f32 digits 4 shared sb[$S][$BK][$BI]: f32 "
        "shared sc[$S][$BK][$BJ]: f32 "
        GEMM_THREADS GEMM_EACH "copy " GEMM_ACC " = a[min(" GEMM_J ", m - 1)][min(" GEMM_I ", n - 1)] ");
    if (g->stages > 1) {
        for (int k = 0; g->branches && k + 1 < g->stages; k++) {
            const char *n = arena_printf(a, "%d", k);
            text_printf(&t, "if (%d < fdiv(p, $BK)) { { %s } } ", k, gemm_piece(a, GEMM_COPY, n, n, ""));
        }
        if (!g->branches)
            text_printf(&t, "for t: i32 = 0 .. $S - 1 { if (t < fdiv(p, $BK)) { %s } } ",
                        gemm_piece(a, GEMM_COPY, "t", "t", ""));
        text_put(&t, "for kt: i32 = 0 .. fdiv(p, $BK) { if (kt + $S - 1 < fdiv(p, $BK)) { ");
        text_put(&t, gemm_piece(a, GEMM_COPY, "fmod(kt + $S - 1, $S)", "kt + $S - 1", ""));
        text_put(&t, "} ");
        text_put(&t, gemm_piece(a, GEMM_COMPUTE, "fmod(kt, $S)", "kt", "$BK"));
        text_put(&t, "} ");
    } else {
        text_put(&t, "for kt: i32 = 0 .. fdiv(p, $BK) { ");
        text_put(&t, gemm_piece(a, GEMM_COPY GEMM_COMPUTE, "0", "kt", "$BK"));
        text_put(&t, "} ");
    }
    char *tail = gemm_piece(a, GEMM_TAIL_COPY GEMM_COMPUTE, "0", "fdiv(p, $BK)", "p - $BK * fdiv(p, $BK)");
    text_put(&t, replace(a, replace(a, tail, "fb", "gb"), "fc", "gc"));
    text_put(&t, GEMM_THREADS GEMM_EACH "if (" GEMM_J " < m && " GEMM_I " < n) copy a[" GEMM_J "][" GEMM_I
             "] = " GEMM_ACC " } } } }");
    const Word words[] = {{"BJ", g->wj * g->lj * g->tj}, {"BI", g->wi * g->li * g->ti}, {"BK", g->bk},
        {"WJ", g->wj}, {"WI", g->wi}, {"LJ", g->lj}, {"LI", g->li}, {"TJ", g->tj}, {"TI", g->ti},
        {"S", g->stages}};
    char *s = fill(a, t.s, 10, words);
    return replace(a, s, " ASYNC", g->async ? " async" : "");
}

// The next strip comes through registers while this one is used; fragments are read one step of
// kk ahead. Whole strips only.
static inline char *gemm_ahead_text(Arena *a) {
    const char *copy = "copy sb[xk][xi] = b[2 * TILE + xk][min(4 * ib + xi, n - 1)] ";
    const char *fragment = "for ti: i32 = 0 .. 2 copy fb[fmod(KK, 2)][ti] = sb[KK][2 * wi + ti] ";
    Text t = text_new(a);
    text_put(&t, replace(a, GEMM_REGION, "do {",
                         "assume fmod(p, 2) == 0 assume p >= 2 assume n >= 1 assume m >= 1 do {"));
    text_put(&t, "nest \"gpu\" { when 1 do { kernel k0 { for jb: i32 = 0 .. fdiv(m + 3, 4) block "
        "for ib: i32 = 0 .. fdiv(n + 3, 4) block { "
        "register acc[4][2][2]: f32 digits 2 register rb[2][4]: f32 digits 2 shared sb[2][4]: f32 "
        "for wj: i32 = 0 .. 4 thread for wi: i32 = 0 .. 2 thread for ti: i32 = 0 .. 2 "
        "copy acc[wj][wi][ti] = a[min(4 * jb + wj, m - 1)][min(4 * ib + 2 * wi + ti, n - 1)] "
        "for xk: i32 = 0 .. 2 thread for xi: i32 = 0 .. 4 thread ");
    text_put(&t, replace(a, copy, "TILE", "0"));
    text_put(&t, "for kt: i32 = 0 .. fdiv(p, 2) { for xk: i32 = 0 .. 2 thread for xi: i32 = 0 .. 4 thread "
             "if (kt + 1 < fdiv(p, 2)) ");
    text_put(&t, replace(a, replace(a, copy, "sb", "rb"), "TILE", "(kt + 1)"));
    text_put(&t, "for wj: i32 = 0 .. 4 thread for wi: i32 = 0 .. 2 thread { local fb[2][2]: f32 ");
    text_put(&t, replace(a, fragment, "KK", "0"));
    text_put(&t, "for kk: i32 = 0 .. 2 { if (kk + 1 < 2) ");
    text_put(&t, replace(a, fragment, "KK", "(kk + 1)"));
    text_put(&t, "for ti: i32 = 0 .. 2 "
        "if (4 * jb + wj < m) S0[4 * jb + wj, 2 * kt + kk, 4 * ib + 2 * wi + ti] via "
        "(acc[wj][wi][ti], fb[fmod(kk, 2)][ti], -) } } "
        "for xk: i32 = 0 .. 2 thread for xi: i32 = 0 .. 4 thread if (kt + 1 < fdiv(p, 2)) "
        "copy sb[xk][xi] = rb[xk][xi] } "
        "for wj: i32 = 0 .. 4 thread for wi: i32 = 0 .. 2 thread for ti: i32 = 0 .. 2 "
        "if (4 * jb + wj < m && 4 * ib + 2 * wi + ti < n) "
        "copy a[4 * jb + wj][4 * ib + 2 * wi + ti] = acc[wj][wi][ti] } } } }");
    return t.s;
}

#define JACOBI_REGION                                                                              \
    "sculpt 1 region jacobi auto { param n: i32 = \"n\" array u[n][n]: f32 = \"u\" "               \
    "array v[n][n]: f32 = \"v\" live "                                                                  \
    "do { for i: i32 = 1 .. n - 1 for j: i32 = 1 .. n - 1 S0[i, j] } "                             \
    "stmt S0[i, j]: v[i][j] = u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] } "
// One tile of 8 x 32 with its halo, in shared memory.
#define JACOBI_NEST                                                                                \
    JACOBI_REGION "nest \"gpu\" { when n >= 3 do { kernel k0 { "                                   \
    "for ib: i32 = 0 .. fdiv(n - 2 + 7, 8) block for jb: i32 = 0 .. fdiv(n - 2 + 31, 32) block { " \
    "shared s[10][34]: f32 "                                                                       \
    "for x: i32 = 0 .. 10 coop for y: i32 = 0 .. 34 coop "                                         \
    "  if (8 * ib + x < n && 32 * jb + y < n) copy s[x][y] = u[8 * ib + x][32 * jb + y] "          \
    "for ti: i32 = 0 .. 8 thread for tj: i32 = 0 .. 32 thread "                                    \
    "  if (8 * ib + 1 + ti < n - 1 && 32 * jb + 1 + tj < n - 1) "                                  \
    "  S0[8 * ib + 1 + ti, 32 * jb + 1 + tj] via (-, s[ti + 1][tj + 1], s[ti][tj + 1], "           \
    "     s[ti + 2][tj + 1], s[ti + 1][tj], s[ti + 1][tj + 2]) } } } }"

// Waves of tiles: a block brings its tile into shared memory, a thread two by two points of it into
// registers.
#define WAVE_NEST                                                                                  \
    "sculpt 1 region sweep auto { param n: i32 = \"n\" param m: i32 = \"m\" "                      \
    "array u[n][m]: f32 = \"u\" live assume m >= 1 "                                               \
    "do { for i: i32 = 1 .. n - 1 for j: i32 = 1 .. m S0[i, j] } "                                 \
    "stmt S0[i, j]: u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] } "                          \
    "nest \"gpu\" { when n >= 3 do { for z: i32 = 0 .. fdiv(m + 2, 4) + fdiv(n + 1, 4) - 1 { kernel k0 { " \
    "for b: i32 = 0 .. fdiv(n + 1, 4) block if (z >= b && z - b < fdiv(m + 2, 4)) { "              \
    "shared s[6][5]: f32 "                                                                         \
    "for x: i32 = 0 .. 6 coop for y: i32 = 0 .. 5 coop "                                           \
    "  if ((y >= 1 || x >= 1 && x < 5) && 4 * b + x < n && 4 * (z - b) + y < m) "                  \
    "    copy s[x][y] = u[4 * b + x][4 * (z - b) + y] "                                            \
    "for q: i32 = 0 .. 3 for p: i32 = 0 .. 2 thread if (q >= p && q < p + 2) { local r[4][3]: f32 " \
    "  for e: i32 = 0 .. 4 for f: i32 = 0 .. 3 if (f >= 1 || e >= 1 && e < 3) "                    \
    "    copy r[e][f] = s[2 * p + e][2 * (q - p) + f] "                                            \
    "  for v: i32 = 0 .. 2 for w: i32 = 0 .. 2 "                                                   \
    "    if (4 * b + 2 * p + v + 1 < n - 1 && 4 * (z - b) + 2 * (q - p) + w + 1 < m) "             \
    "    S0[4 * b + 2 * p + v + 1, 4 * (z - b) + 2 * (q - p) + w + 1] "                            \
    "      via (r[v + 1][w + 1], r[v][w + 1], r[v + 2][w + 1], r[v + 1][w]) "                      \
    "  for g: i32 = 0 .. 2 for h: i32 = 0 .. 2 "                                                   \
    "    copy s[2 * p + 1 + g][2 * (q - p) + 1 + h] = r[g + 1][h + 1] } "                          \
    "for c: i32 = 0 .. 4 coop for d: i32 = 0 .. 4 coop "                                           \
    "  if (4 * b + c + 1 < n - 1 && 4 * (z - b) + d + 1 < m) "                                     \
    "    copy u[4 * b + 1 + c][4 * (z - b) + 1 + d] = s[c + 1][d + 1] } } } } }"

// Sums of neighbours, with a border: blocks whose tile is whole have a body without conditions.
#define WHOLE_NEST                                                                                 \
    "sculpt 1 region ends auto { param n: i32 = \"n\" array y[n]: f32 = \"y\" live " \
    "array x[n]: f32 = \"x\" assume n >= 2 "                                                        \
    "do { for i: i32 = 0 .. n if (i == 0) S0[i] else S1[i] } "                                     \
    "stmt S0[i]: y[i] = 1.0f32 stmt S1[i]: y[i] = x[i - 1] + x[i] } "                              \
    "nest \"gpu\" { when 1 do { kernel k0 for b: i32 = 0 .. fdiv(n + 3, 4) block { shared s[5]: f32 " \
    "if (4 * b >= 1 && 4 * b + 3 < n) { for c: i32 = 0 .. 5 coop copy s[c] = x[4 * b - 1 + c] "     \
    "  for t: i32 = 0 .. 4 thread S1[4 * b + t] via (-, s[t], s[t + 1]) } "                         \
    "else { for d: i32 = 0 .. 5 coop if (4 * b - 1 + d >= 0 && 4 * b - 1 + d < n) "                 \
    "    copy s[d] = x[4 * b - 1 + d] "                                                            \
    "  for u: i32 = 0 .. 4 thread if (4 * b + u < n) "                                             \
    "    if (4 * b + u == 0) S0[4 * b + u] else S1[4 * b + u] via (-, s[u], s[u + 1]) } } } }"

#define SUM_REGION(permit)                                                                         \
    "sculpt 1 region sum auto " permit " { param n: i32 = \"n\" array x[n]: f32 = \"x\" "          \
    "array s[1]: f32 = \"s\" live assume n >= 1 "                                                  \
    "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: s[0] += x[i] } "
// Each of 8 threads of 4 blocks adds a cyclic stretch; a tree in shared memory joins the
// threads of a block, a second launch the blocks.
#define SUM_NEST(permit)                                                                           \
    SUM_REGION(permit) "nest \"gpu\" { when 1 do { temp part[4]: f32 kernel k0 { "                 \
    "for b: i32 = 0 .. 4 block { shared t[8]: f32 "                                                \
    "for q: i32 = 0 .. 8 thread { copy t[q] = 0.0f32 "                                             \
    "  for i: i32 = 0 .. fdiv(n - q - 8 * b + 31, 32) S0[32 * i + 8 * b + q] via (t[q], -) } "     \
    "for q: i32 = 0 .. 4 thread copy t[q] += t[q + 4] "                                            \
    "for q: i32 = 0 .. 2 thread copy t[q] += t[q + 2] "                                            \
    "for q: i32 = 0 .. 1 thread copy part[b] = t[0] + t[1] } } "                                   \
    "kernel k1 { for q: i32 = 0 .. 1 thread for b: i32 = 0 .. 4 copy s[0] += part[b] } } }"

// Sizes choose among kernels; the first one's blocks go through the rows in rounds of two.
#define CHOICE_NEST                                                                                \
    "sculpt 1 region columns auto { param n: i32 = \"n\" param p: i32 = \"p\" "                    \
    "array x[n]: f32 = \"x\" live array w[p][n]: f32 = \"w\" "                                     \
    "do { for i: i32 = 0 .. n for k: i32 = 0 .. p S0[i, k] } "                                     \
    "stmt S0[i, k]: x[i] += w[k][i] } "                                                            \
    "nest \"gpu\" { when 1 do { if (n >= 8 && p >= 3) ("                                           \
    "kernel k0 for ib: i32 = 0 .. min(fdiv(n + 3, 4), 2) block for t: i32 = 0 .. 4 thread "        \
    "  for ic: i32 = ib .. fdiv(n + 3, 4) step 2 if (4 * ic + t < n) { local acc[1]: f32 "         \
    "    copy acc[0] = x[4 * ic + t] for k: i32 = 0 .. p S0[4 * ic + t, k] via (acc[0], -) "       \
    "    copy x[4 * ic + t] = acc[0] }) "                                                          \
    "else if (p >= 2) ("                                                                           \
    "kernel k1 for jb: i32 = 0 .. fdiv(n + 7, 8) block for u: i32 = 0 .. 8 thread "                \
    "  if (8 * jb + u < n) for k: i32 = 0 .. p S0[8 * jb + u, k]) "                                \
    "else kernel k2 for o: i32 = 0 .. 1 thread for i: i32 = 0 .. n for k: i32 = 0 .. p S0[i, k] } }"

// Conditions on data and on what the iteration itself computes: what stands behind the guard is the region's
// loop, word for word.
#define ALIKE_BODY(t, i, k)                                                                                  \
    "{ local " t " S0[" i "] if (x[" i "] > 1.0f32) { for " k ": i32 = 0 .. p if (t < 5.0f32) { "            \
    "S1[" i ", " k "] S2[" i ", " k "] } } else if (y[" i "] > t || n == p) S3[" i "] S4[" i "] }"
#define ALIKE_NEST                                                                                           \
    "sculpt 1 region alike auto { param n: i32 = \"n\" param p: i32 = \"p\" "                                \
    "array x[n]: f32 = \"x\" live array y[n]: f32 = \"y\" live array w[n][p]: f32 = \"w\" live "             \
    "do { for i: i32 = 0 .. n " ALIKE_BODY(                                                                  \
        "t: f32", "i",                                                                                       \
        "k") " } "                                                                                           \
             "stmt S0[i]: t = x[i] stmt S1[i, k]: t = t + w[i][k] stmt S2[i, k]: w[i][k] = t "               \
             "stmt S3[i]: t = t - y[i] stmt S4[i]: y[i] = t + x[i] } "                                       \
             "nest \"gpu\" { when 1 do { kernel k0 for ib: i32 = 0 .. fdiv(n + 7, 8) block "                 \
             "for it: i32 = 0 .. 8 thread if (8 * ib + it < n) " ALIKE_BODY("t", "8 * ib + it", "q") " } }"

// The nearest of p centres, once the distances are there: a condition reads what has moved to a temporary.
#define NEAREST_NEST                                                                                        \
    "sculpt 1 region nearest auto { param n: i32 = \"n\" param p: i32 = \"p\" "                             \
    "array y[n]: f32 = \"y\" live array z[n]: f32 = \"z\" live array m[n][p]: f32 = \"m\" "                 \
    "array x[p]: f32 = \"x\" "                                                                              \
    "do { for i: i32 = 0 .. n { local b: f32 local at: i32 S0[i] S1[i] "                                    \
    "for k: i32 = 0 .. p { local s: f32 S2[i, k] S3[i, k] "                                                 \
    "if (s < b) { S4[i, k] S5[i, k] } } S6[i] S7[i] } } "                                                   \
    "stmt S0[i]: b = 100.0 stmt S1[i]: at = 0 stmt S2[i, k]: s = m[i][k] stmt S3[i, k]: s += x[k] "         \
    "stmt S4[i, k]: b = s stmt S5[i, k]: at = k stmt S6[i]: y[i] = b stmt S7[i]: z[i] = f32(at) } "         \
    "nest \"gpu\" { when 1 do { temp s_x[n][p]: f32 "                                                       \
    "kernel k0 { for jb: i32 = 0 .. fdiv(n + 7, 8) block for t: i32 = 0 .. 8 thread if (8 * jb + t < n) "   \
    "  for q: i32 = 0 .. p { S2[8 * jb + t, q] via (s_x[8 * jb + t][q], -) S3[8 * jb + t, q] via "          \
    "(s_x[8 * jb + t][q], -) } } "                                                                          \
    "kernel k1 { for ib: i32 = 0 .. fdiv(n + 7, 8) block for u: i32 = 0 .. 8 thread if (8 * ib + u < n) { " \
    "  local b local at S0[8 * ib + u] S1[8 * ib + u] "                                                     \
    "  for r: i32 = 0 .. p { if (s_x[8 * ib + u][r] < b) { S4[8 * ib + u, r] via (-, s_x[8 * ib + u][r]) "  \
    "S5[8 * ib + u, r] } } "                                                                                \
    "  S6[8 * ib + u] S7[8 * ib + u] } } } }"

// What stands under a condition on a sum, with a loop and variables of its own, behind the sums of all rows.
#define AGAIN_NEST                                                                                          \
    "sculpt 1 region again auto { param n: i32 = \"n\" param p: i32 = \"p\" "                               \
    "array y[n]: f32 = \"y\" live array m[n][p]: f32 = \"m\" array w[p]: f32 = \"w\" "                      \
    "do { for i: i32 = 0 .. n { local s: f32 local r: f32 S0[i] S1[i] for k: i32 = 0 .. p S2[i, k] "        \
    "if (s > 1.5f32 && r < s) { S3[i] for q: i32 = 0 .. p { local v: f32 S4[i, q] "                         \
    "if (v > 0.5f32) S5[i, q] S6[i, q] } } S7[i] } } "                                                      \
    "stmt S0[i]: s = 0.0 stmt S1[i]: r = m[i][0] stmt S2[i, k]: s += m[i][k] stmt S3[i]: s = r "            \
    "stmt S4[i, q]: v = m[i][q] stmt S5[i, q]: v = w[q] stmt S6[i, q]: s += v stmt S7[i]: y[i] = s } "      \
    "nest \"gpu\" { when 1 do { temp s_x[n]: f32 temp r_x[n]: f32 "                                         \
    "kernel k0 { for jb: i32 = 0 .. fdiv(n + 7, 8) block for t: i32 = 0 .. 8 thread if (8 * jb + t < n) { " \
    "  S0[8 * jb + t] via (s_x[8 * jb + t]) S1[8 * jb + t] via (r_x[8 * jb + t], -) "                       \
    "  for q: i32 = 0 .. p S2[8 * jb + t, q] via (s_x[8 * jb + t], -) } } "                                 \
    "kernel k1 { for ib: i32 = 0 .. fdiv(n + 7, 8) block for u: i32 = 0 .. 8 thread if (8 * ib + u < n) { " \
    "  if (s_x[8 * ib + u] > 1.5f32 && r_x[8 * ib + u] < s_x[8 * ib + u]) { "                               \
    "S3[8 * ib + u] via (s_x[8 * ib + u], r_x[8 * ib + u]) for g: i32 = 0 .. p { local v "                  \
    "S4[8 * ib + u, g] if (v > 0.5f32) S5[8 * ib + u, g] S6[8 * ib + u, g] via (s_x[8 * ib + u], -) } } "   \
    "  S7[8 * ib + u] via (-, s_x[8 * ib + u]) } } } }"

// The sum over k in 3 slices, each in a buffer of its own; then they are added.
#define SPLIT_NEST(permit)                                                                         \
    "sculpt 1 region dot auto " permit " { param n: i32 = \"n\" param p: i32 = \"p\" "             \
    "array y[n]: f32 = \"y\" live array m[n][p]: f32 = \"m\" array x[p]: f32 = \"x\" "             \
    "do { for i: i32 = 0 .. n for k: i32 = 0 .. p S0[i, k] } "                                     \
    "stmt S0[i, k]: y[i] += m[i][k] * x[k] fused } "                                               \
    "nest \"gpu\" { when 1 do { temp part[3][n]: f32 "                                             \
    "kernel k0 { for z: i32 = 0 .. 3 block for ib: i32 = 0 .. fdiv(n + 7, 8) block "               \
    "for t: i32 = 0 .. 8 thread if (8 * ib + t < n) { copy part[z][8 * ib + t] = 0.0f32 "          \
    "  for k: i32 = 0 .. fdiv(p + 2 - z, 3) S0[8 * ib + t, 3 * k + z] via (part[z][8 * ib + t], -, -) } } " \
    "kernel k1 { for ib: i32 = 0 .. fdiv(n + 7, 8) block for t: i32 = 0 .. 8 thread "              \
    "  if (8 * ib + t < n) for z: i32 = 0 .. 3 copy y[8 * ib + t] += part[z][8 * ib + t] } } }"

// ---- the same sum in chunks of 4 terms ------------------------------------------------------------
#define CHUNK_NEST(permit)                                                                         \
    "sculpt 1 region dot auto " permit " { param n: i32 = \"n\" param p: i32 = \"p\" "             \
    "array y[n]: f32 = \"y\" live array m[n][p]: f32 = \"m\" array x[p]: f32 = \"x\" "             \
    "do { for i: i32 = 0 .. n for k: i32 = 0 .. p S0[i, k] } "                                     \
    "stmt S0[i, k]: y[i] += m[i][k] * x[k] fused } "                                               \
    "nest \"gpu\" { when 1 do { kernel k0 { for ib: i32 = 0 .. fdiv(n + 7, 8) block { "            \
    "register acc[8]: f32 digits 1 shared sum[8]: f32 "                                                      \
    "for t: i32 = 0 .. 8 thread copy acc[t] = 0.0f32 for t1: i32 = 0 .. 8 thread copy sum[t1] = 0.0f32 " \
    "for k: i32 = 0 .. p { if (k > 0 && fmod(k, 4) == 0) { "                                       \
    "  for t2: i32 = 0 .. 8 thread copy sum[t2] += acc[t2] "                                       \
    "  for t3: i32 = 0 .. 8 thread copy acc[t3] = 0.0f32 } "                                       \
    "  for t4: i32 = 0 .. 8 thread if (8 * ib + t4 < n) S0[8 * ib + t4, k] via (acc[t4], -, -) } " \
    "for t5: i32 = 0 .. 8 thread copy acc[t5] += sum[t5] "                                         \
    "for t6: i32 = 0 .. 8 thread if (8 * ib + t6 < n) copy y[8 * ib + t6] += acc[t6] } } } }"

static inline IrFile *read_nest(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "nest", text);
    if (!f) fail_msg("%d:%d %s\n%.*s", c->diags.at[0].loc.line, c->diags.at[0].loc.col, c->diags.at[0].text,
                     200,
                     text + (c->diags.at[0].loc.col > 1 ? c->diags.at[0].loc.col - 1 : 0));
    return f;
}
// Each strip of four k's takes the sums up where the strip before has put them down.
#define ROUND_NEST                                                                                   \
    GEMM_REGION "nest \"cpu\" { when 1 foot a[0 to m - 1][0 to n - 1] in out exact "                 \
    "foot b[0 to p - 1][0 to n - 1] in foot c[0 to m - 1][0 to p - 1] in do { kernel k0 { "          \
    "for j: i32 = 0 .. m block for kt: i32 = 0 .. fdiv(p + 3, 4) { for ib: i32 = 0 .. fdiv(n, 2) { " \
    "local acc[2]: f32 for x: i32 = 0 .. 2 unroll copy acc[x] = a[j][2 * ib + x] "                   \
    "for kk: i32 = 4 * kt .. min(4 * kt + 4, p) for y: i32 = 0 .. 2 vector S0[j, kk, 2 * ib + y] "   \
    "via (acc[y], -, -) "                                                                            \
    "for z: i32 = 0 .. 2 unroll copy a[j][2 * ib + z] = acc[z] } "                                   \
    "for i: i32 = 2 * fdiv(n, 2) .. n { local one: f32 copy one = a[j][i] "                          \
    "for ki: i32 = 4 * kt .. min(4 * kt + 4, p) S0[j, ki, i] via (one, -, -) copy a[j][i] = one } } } } }"

#endif
