// SPDX-License-Identifier: MIT
// examples.h -- the regions over which rules show what they do, and the tests run them.
#ifndef SCULPT_RULE_EXAMPLES_H
#define SCULPT_RULE_EXAMPLES_H

// Matrix product, column-major, any pitches: the seven lines.
#define EXAMPLE_PRODUCT                                                                            \
    "sculpt 1 region product sculpt reassociate { param m: i32 = \"m\" param p: i32 = \"p\" "      \
    "param n: i32 = \"n\" array a[?][n]: f32 = \"a\" live array b[?][n]: f32 = \"b\" live "        \
    "array c[?][p]: f32 = \"c\" live do { for j: i32 = 0 .. m { for k: i32 = 0 .. p { "            \
    "for i: i32 = 0 .. n { S0[j, k, i] } } } } "                                                   \
    "stmt S0[j, k, i]: a[j][i] += b[k][i] * c[j][k] fused }"

// The same in double, row-major.
#define EXAMPLE_PRODUCT_DOUBLE                                                                           \
    "sculpt 1 region product sculpt reassociate { param n: i32 = \"n\" array a[?][n]: f64 = \"a\" live " \
    "array b[?][n]: f64 = \"b\" live array c[?][n]: f64 = \"c\" live do { for i: i32 = 0 .. n { "        \
    "for j: i32 = 0 .. n { for k: i32 = 0 .. n { S0[i, j, k] } } } } "                                   \
    "stmt S0[i, j, k]: c[i][j] += a[i][k] * b[k][j] fused }"

// Sums of columns.
#define EXAMPLE_SUM                                                                                \
    "sculpt 1 region sum scop reassociate { param n: i32 = \"n\" param p: i32 = \"p\" "            \
    "array a[n]: f32 = \"a\" live array b[p][n]: f32 = \"b\" "                                     \
    "do { for k: i32 = 0 .. p { for i: i32 = 0 .. n { S0[k, i] } } } "                             \
    "stmt S0[k, i]: a[i] += b[k][i] }"
// Its loops in blocks of 64 threads, which go through k in strips of 4.
#define EXAMPLE_SUM_BLOCKS                                                                         \
    "strip i by=64 as=ib,ii\n"                                                                     \
    "strip k by=4 as=kt,kk\n"                                                                      \
    "interchange ib kt ii kk\n"                                                                    \
    "map block ib\n"                                                                               \
    "map thread ii\n"

// A stencil in time, in place: what may not be interchanged until it is skewed.
#define EXAMPLE_SEIDEL                                                                             \
    "sculpt 1 region seidel sculpt { param n: i32 = \"n\" param steps: i32 = \"steps\" "           \
    "array x[n]: f32 = \"x\" live do { for t: i32 = 0 .. steps for i: i32 = 1 .. n - 1 S0[t, i] } " \
    "stmt S0[t, i]: x[i] = x[i - 1] + x[i] + x[i + 1] }"

// Three loops one after the other: y from x, z from y, and w, which needs all of z.
#define EXAMPLE_CHAIN                                                                              \
    "sculpt 1 region chain sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" live "            \
    "array y[n]: f32 = \"y\" live array z[n]: f32 = \"z\" live array w[n]: f32 = \"w\" live "      \
    "do { for i: i32 = 0 .. n S0[i] for k: i32 = 0 .. n S1[k] for l: i32 = 0 .. n S2[l] } "        \
    "stmt S0[i]: y[i] = x[i] + 1.0 stmt S1[k]: z[k] = y[k] * 2.0 "                                 \
    "stmt S2[l]: w[l] = z[n - 1 - l] }"

// A loop with three statements; the second needs the first's last iteration, the third is free.
#define EXAMPLE_BODY                                                                               \
    "sculpt 1 region body sculpt { param n: i32 = \"n\" array x[n + 1]: f32 = \"x\" live "         \
    "array y[n + 1]: f32 = \"y\" live array z[n + 1]: f32 = \"z\" live "                           \
    "do { for i: i32 = 1 .. n { S0[i] S1[i] for k: i32 = 0 .. 3 S2[i, k] } } "                     \
    "stmt S0[i]: x[i] = z[i] + 1.0 stmt S1[i]: y[i] = x[i - 1] "                                   \
    "stmt S2[i, k]: z[i + 1] += 1.0 }"

// A triangle, and a row of sums beside it: y[i] = Σ of a[i][0 … i].
#define EXAMPLE_TRIANGLE                                                                           \
    "sculpt 1 region triangle sculpt reassociate { param n: i32 = \"n\" "                          \
    "array a[n][n]: f32 = \"a\" live array y[n]: f32 = \"y\" live "                                \
    "do { for i: i32 = 0 .. n { S0[i] for j: i32 = 0 .. i + 1 S1[i, j] } } "                       \
    "stmt S0[i]: y[i] = 0.0 stmt S1[i, j]: y[i] += a[i][j] }"

// A variable that three statements use, the second of which changes what it was made of.
#define EXAMPLE_LOCAL                                                                              \
    "sculpt 1 region local sculpt { param n: i32 = \"n\" array x[n]: f32 = \"x\" live "            \
    "array y[n]: f32 = \"y\" live array z[n]: f32 = \"z\" live "                                  \
    "do { for i: i32 = 0 .. n { local h: f32 S0[i] S1[i] S2[i] S3[i] } } "                         \
    "stmt S0[i]: h = x[i] * 2.0 stmt S1[i]: y[i] += h stmt S2[i]: x[i] = h stmt S3[i]: z[i] = h }"

// All elements of a matrix, each by itself: loops in any order, a step of 2, an edge.
#define EXAMPLE_EACH                                                                               \
    "sculpt 1 region each sculpt { param n: u32 = \"n\" param m: i64 = \"m\" "                     \
    "array a[n][m]: i32 = \"a\" live array b[n][m]: i32 = \"b\" live "                             \
    "do { for i: i32 = 0 .. i32(n) for j: i64 = m - 1 .. -1 step -2 if (j > i64(i)) S0[i, j] } "   \
    "stmt S0[i, j]: a[i][j] = b[i][j] * 3 + 1 }"
#endif
