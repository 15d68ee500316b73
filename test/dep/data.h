// SPDX-License-Identifier: MIT
// data.h -- regions of which data decide the bounds, the conditions or the elements.
#ifndef TEST_DEP_DATA_H
#define TEST_DEP_DATA_H

// Of two-letter arrays: rw rises from 0, ln is 0 to 3, mk -2 to 2, ix and cl are subscripts of x and y.
#define DATA_HEAD(NAME)                                                                        \
    "sculpt 1 region " NAME " sculpt reassociate { param n: i32 = \"n\" param m: i32 = \"m\" " \
    "array y[n]: f32 = \"y\" live "                                                            \
    "array x[n]: f32 = \"x\" "
#define DATA_CSR                                                                    \
    DATA_HEAD("csr") "array rw[n + 1]: i32 = \"rw\" array cl[3 * n]: i32 = \"cl\" " \
    "array v[3 * n]: f32 = \"v\" "                                                  \
    "do { for i: i32 = 0 .. n for k: i32 = rw[i] .. rw[i + 1] S0[i, k] } "          \
    "stmt S0[i, k]: y[i] += v[k] * x[cl[k]] }"
#define DATA_ROWS                                                                   \
    DATA_HEAD("rows") "array ln[n]: i32 = \"ln\" array b[4 * n]: f32 = \"b\" do { " \
    "for i: i32 = 0 .. n { S0[i] "                                                  \
    "for j: i32 = 0 .. ln[i] S1[i, j] } } stmt S0[i]: y[i] = 0.0f32 stmt S1[i, j]: y[i] += b[4 * i + j] }"
#define DATA_MASK                                                           \
    DATA_HEAD("mask") "array mk[n]: i32 = \"mk\" do { for i: i32 = 0 .. n " \
    "if (mk[i] > 0 && i < m) S0[i] else S1[i] } "                           \
    "stmt S0[i]: y[i] = 2.0f32 * x[i] stmt S1[i]: y[i] = x[i] }"
#define DATA_SPARSE                                                                       \
    DATA_HEAD("sparse") "array mk[n]: i32 = \"mk\" array t[n][m]: f32 = \"t\" live do { " \
    "for i: i32 = 0 .. n for j: i32 = 0 .. m "                                            \
    "if (mk[i] != 0) { S0[i, j] } } stmt S0[i, j]: t[i][j] += x[i] * 3.0f32 }"
#define DATA_GATHER                                                                                \
    DATA_HEAD("gather") "array ix[n]: i32 = \"ix\" do { for i: i32 = 0 .. n for j: i32 = 0 .. m S0[i, j] } " \
    "stmt S0[i, j]: y[i] += x[ix[i]] }"
#define DATA_COUNT                                                                                      \
    DATA_HEAD("count") "array s: i32 = \"s\" live do { for i: i32 = 0 .. n if (x[i] > 1.0f32) S0[i] } " \
    "stmt S0[i]: s += i }"
#define DATA_BINS                                                                   \
    DATA_HEAD("bins") "array ix[n]: i32 = \"ix\" do { for i: i32 = 0 .. n S0[i] } " \
    "stmt S0[i]: y[ix[i]] += x[i] }"
#define DATA_ALL                                                                                        \
    DATA_HEAD("all") "array ln[n]: i32 = \"ln\" array z[n]: i32 = \"z\" live do { for i: i32 = 0 .. n " \
    "for j: i32 = 0 .. ln[i] S0[i, j] } "                                                               \
    "stmt S0[i, j]: z[i] &&= i - j }"
#define DATA_STEPS                                                                                 \
    DATA_HEAD("steps") "array ln[n]: i32 = \"ln\" do { for i: i32 = 0 .. n "                       \
    "for j: i32 = ln[i] - 1 .. -1 step -1 { "                                                      \
    "S0[i, j] if (j > 0 && i != ln[0]) S1[i, j] } } stmt S0[i, j]: y[i] = y[i] * 2.0f32 + 1.0f32 " \
    "stmt S1[i, j]: y[i] += x[i] * 3.0f32 }"
// What straight code makes of x decides, a step at a time…
#define DATA_CHAIN                                                                                  \
    DATA_HEAD("chain") "do { for i: i32 = 0 .. n { local d: f32 local b: i32 S0[i] S1[i] S2[i] "    \
    "if (b >= 0 && b < n) { S3[i] } S4[i] if (d > 2.0f32 && i < m) S5[i] } } "                      \
    "stmt S0[i]: d = x[i] - 1.0f32 stmt S1[i]: d = d * d stmt S2[i]: b = i32(d * 2.0f32) "          \
    "stmt S3[i]: y[i32(d * 2.0f32)] += x[i] stmt S4[i]: d += 1.0f32 stmt S5[i]: y[i] += 5.0f32 }"
// …and what a loop has made in the iteration before.
#define DATA_LATE                                                                                       \
    DATA_HEAD("late") "do { for i: i32 = 0 .. n { local d: f32 S0[i] for j: i32 = 0 .. m { "            \
    "if (d < 2.0f32) { S1[i, j] } S2[i, j] } } } stmt S0[i]: d = x[i] stmt S1[i, j]: y[i] += x[i] "     \
    "stmt S2[i, j]: d = x[i] * f32(j) }"
// An element that the region itself finds.
#define DATA_SWAP                                                                                       \
    DATA_HEAD("swap") "array ix[n]: i32 = \"ix\" do { for s: i32 = 0 .. n { local at: i32 local t: f32 " \
    "S0[s] S1[s] S2[s] S3[s] } } stmt S0[s]: at = n - 1 - ix[s] stmt S1[s]: t = y[s] "                    \
    "stmt S2[s]: y[s] = y[at] stmt S3[s]: y[at] = t + x[s] }"
static const char *const data_regions[] = {DATA_CSR, DATA_ROWS, DATA_MASK, DATA_SPARSE, DATA_GATHER,
                                           DATA_COUNT, DATA_BINS, DATA_ALL, DATA_STEPS, DATA_CHAIN,
                                           DATA_LATE,  DATA_SWAP};
enum { DATA_REGIONS = sizeof data_regions / sizeof *data_regions };
#endif
