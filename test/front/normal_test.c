// SPDX-License-Identifier: MIT
// normal_test.c -- raw regions as text, what the passes make of them, and that both
// compute the same.
#include "front/normal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <string.h>

enum { BYTES = 1 << 16, MAX_OBJECTS = 16 };

typedef struct Case {
    const char *what, *decls, *body;
    const char *expect[6]; // pieces of the final region's text
} Case;

static const Case cases[] = {
    {"an index temporary", "array a[?]: f32 = \"a\" live array idx: i32 = \"&idx\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] S1[i, j] } } }"
     "stmt S0[i, j]: idx = i * m + j stmt S1[i, j]: a[idx] = a[idx] + 1.0",
     {"array a[?][m]: f32", "a[i][j] += 1.0"}},
    {"a row that a condition keeps within the matrix",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" array to[?]: i32 = \"to\"",
     "do { for j: i32 = 0 .. n for i: i32 = 0 .. 8 S0[i, j] }"
     "stmt S0[i, j]: a[(to[i] - m >= 0 && to[i] - m < m ? to[i] - m : 0) + j * m] = b[i + j * 8]",
     {"a[j][to[i] - m >= 0 && to[i] - m < m ? to[i] - m : 0] = "}},
    {"a place that was taken before the counter moved",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" array k: i32 = \"&k\" live array p: i32 = \"&p\" "
     "array q: i32 = \"&q\"",
     "do { for i: i32 = 0 .. n { if (b[i] > 1.0) { S0[i] S1[i] S2[i] S3[i] S4[i] S5[i] } } }"
     "stmt S0[i]: p = k stmt S1[i]: k += 1 stmt S2[i]: q = k stmt S3[i]: k = k + 1 stmt S4[i]: a[p] = b[i] "
     "stmt S5[i]: a[q] = 2.0",
     {"a[k - 2] = b[i]", "a[k - 1] = 2.0"}},
    {"a running index in a nest", "array a[?]: f32 = \"a\" live array k: i32 = \"&k\" live",
     "do { S9[] for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] S1[i, j] } } }"
     "stmt S9[]: k = -1 stmt S0[i, j]: k += 1 stmt S1[i, j]: a[k] = 2.0",
     {"a[i][j] = 2.0", "k = max("}},
    {"a step of two", "array a[?]: f32 = \"a\" live array k: i32 = \"&k\"",
     "do { S9[] for i: i32 = 2 .. n step 3 { S0[i] S1[i] } }"
     "stmt S9[]: k = 5 stmt S0[i]: a[k] = a[k + 1] stmt S1[i]: k = k + 2", {"a["}},
    {"sums of neighbours, column by column",
     "array x[?][m]: u8 = \"x\" live array y[?][m]: i32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m - 1 S0[i, j] } }"
     "stmt S0[i, j]: y[i][j] = i32(x[i][j + 1]) - i32(x[i][j]) + 2 * i32(x[i + 1][j + 1]) - "
     "2 * i32(x[i + 1][j])",
     {"= i32(x[i][j + 1]) + i32(x[i + 1][j + 1]) * 2 - (i32(x[i][j]) + i32(x[i + 1][j]) * 2)"}},
    {"a column in which the upper row is taken away",
     "array x[?][m]: i8 = \"x\" live array y[?][m]: i32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m - 1 S0[i, j] } }"
     "stmt S0[i, j]: y[i][j] = (i32(x[i + 1][j]) - i32(x[i][j + 1]) + i32(x[i + 1][j + 1]) - i32(x[i][j])) * "
     "3 + 7",
     {"= (i32(x[i + 1][j]) - i32(x[i][j])) * 3 + (i32(x[i + 1][j + 1]) - i32(x[i][j + 1])) * 3 + 7"}},
    {"sums that might overflow in another order stay",
     "array x[?][m]: u16 = \"x\" live array y[?][m]: i32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m - 1 S0[i, j] } }"
     "stmt S0[i, j]: y[i][j] = i32(x[i][j]) * 9000 - i32(x[i][j + 1]) * 9000 + i32(x[i + 1][j]) * 9000 - "
     "i32(x[i + 1][j + 1]) * 9000",
     {"= i32(x[i][j]) * 9000 - i32(x[i][j + 1]) * 9000 + i32(x[i + 1][j]) * 9000"}},
    {"floats stay in their order",
     "array x[?][m]: f32 = \"x\" live array y[?][m]: f32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m - 1 S0[i, j] } }"
     "stmt S0[i, j]: y[i][j] = x[i][j + 1] - x[i][j] + x[i + 1][j + 1] - x[i + 1][j]",
     {"= x[i][j + 1] - x[i][j] + x[i + 1][j + 1] - x[i + 1][j]"}},
    {"few terms in loops",
     "array x[?][m]: u8 = \"x\" live array y[?][m]: i32 = \"y\" live array s: i32 = \"&s\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m - 1 { S0[i, j] for u: i32 = 0 .. 2 { "
     "for v: i32 = 0 .. 2 S1[i, j, u, v] } S2[i, j] } } }"
     "stmt S0[i, j]: s = 5 stmt S1[i, j, u, v]: s = s + (2 * v - 1) * i32(x[i + u][j + v]) "
     "stmt S2[i, j]: y[i][j] = s",
     {"+= i32(x[i][j + 1]) + i32(x[i + 1][j + 1]) - (i32(x[i][j]) + i32(x[i + 1][j]))"}},
    {"a number that is turned", "array a[?][2]: f32 = \"a\" live array k: i32 = \"&k\" live",
     "do { S9[] for i: i32 = 0 .. n { S0[i] S1[i] } }"
     "stmt S9[]: k = 1 stmt S0[i]: a[i][k] = 2.0 stmt S1[i]: k = 1 - k", {"a[i][-1 * (i % 2) + 1] = 2.0",
      "k = -1 * (max(n, 0) % 2) + 1"}},
    {"a number that comes back after seven", "array a[?][8]: f32 = \"a\" live array k: i32 = \"&k\"",
     "do { S9[] for i: i32 = 0 .. n { S0[i] S1[i] } }"
     "stmt S9[]: k = 0 stmt S0[i]: a[i][k] = 2.0 stmt S1[i]: k = (k + 5) % 7", {"i % 7 == 0 ? 0 : "}},
    {"a number that never comes back stays", "array a[?][64]: f32 = \"a\" live array k: i32 = \"&k\"",
     "do { S9[] for i: i32 = 0 .. n { S0[i] S1[i] } }"
     "stmt S9[]: k = 1 stmt S0[i]: a[i][k] = 2.0 stmt S1[i]: k = k / 2", {"k_1 / 2"}},
    {"an array that each iteration writes before it reads it",
     "array a[?]: f32 = \"a\" live array s[?]: f32 = \"s\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m S0[i, j] for k: i32 = 0 .. m S1[i, k] } }"
     "stmt S0[i, j]: s[j] = a[i * m + j] * 2.0 stmt S1[i, k]: a[i * m + k] = s[m - 1 - k]",
     {"local s_1[m]", "s_1[j] = a[i][j] * 2.0", "if (i == n - 1)", "s[e] = s_1[e]"}},
    {"the same, but the iterations share another array",
     "array a[?]: f32 = \"a\" live array s[?]: f32 = \"s\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m S0[i, j] for k: i32 = 0 .. m S1[i, k] } }"
     "stmt S0[i, j]: s[j] = a[j] * 2.0 stmt S1[i, k]: a[k] = s[m - 1 - k]", {"\n    stmt S0[i, j]: s[j] = "}},
    {"an array that iterations write less and less of",
     "array a[?]: f32 = \"a\" live array s[?]: f32 = \"s\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = i .. m S0[i, j] for k: i32 = i .. m S1[i, k] } }"
     "stmt S0[i, j]: s[j] = a[i * m + j] * 2.0 stmt S1[i, k]: a[i * m + k] = s[k]",
     {"\n    stmt S0[i, j]: s[j] = "}},
    {"a value of the iteration before",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live array p: i32 = \"&p\"",
     "do { S9[] for i: i32 = 0 .. n { S0[i] S1[i] } }"
     "stmt S9[]: p = n - 1 stmt S0[i]: a[i] = b[i] + b[p] stmt S1[i]: p = i",
     {"b[i == 0 ? n - 1 : i - 1]"}},
    {"an element that both branches set", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live",
     "do { for i: i32 = 0 .. n { if (b[i] > 0.5) S0[i] else S1[i] } }"
     "stmt S0[i]: a[i] = b[i] * 2.0 stmt S1[i]: a[i] = b[i + 1]",
     {"a[i] = b[i] > 0.5 ? b[i] * 2.0 : b[i + 1]"}},
    {"an element that both branches set last",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live array d[?]: f32 = \"d\" live",
     "do { for i: i32 = 0 .. n { if (b[i] > 0.5) { S2[i] S0[i] } else S1[i] } }"
     "stmt S0[i]: a[i] = b[i] * 2.0 stmt S1[i]: a[i] = b[i + 1] stmt S2[i]: d[i] = b[i]",
     {"a_1 = b[i] * 2.0", "a_1 = b[i + 1]", "a[i] = a_1"}},
    {"a conditional increment behind a pointer stays",
     "array a[?]: f32 = \"a\" live array k: i32 = \"k\" live",
     "do { S9[] for i: i32 = 0 .. n { if (a[i] > 0.5) S0[i] } }"
     "stmt S9[]: k = 0 stmt S0[i]: k += 1", {"k += 1"}},
    {"a conditional increment adds nothing elsewhere",
     "array a[?]: f32 = \"a\" live array k: i32 = \"&k\" live constant",
     "do { S9[] for i: i32 = 0 .. n { if (a[i] > 0.5) S0[i] } }"
     "stmt S9[]: k = 0 stmt S0[i]: k += 1", {"k += a[i] > 0.5 ? 1 : 0"}},
    {"tiles", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live",
     "do { for ii: i32 = 0 .. n step 4 { for jj: i32 = 0 .. m step 4 { for i: i32 = ii .. min(ii + 4, n) { "
     "for j: i32 = jj .. min(m, jj + 4) S0[ii, jj, i, j] } } } }"
     "stmt S0[ii, jj, i, j]: a[i * m + j] = b[i * m + j] + 1.0",
     {"for i: i32 = 0 .. n", "for j: i32 = 0 .. m", "a[i][j] = b[i][j] + 1.0"}},
    {"tiles of a triangle, whole ones past its end", "array a[?]: f32 = \"a\" live",
     "do { for ii: i32 = 0 .. n step 4 { for jj: i32 = 0 .. ii + 1 step 4 { for i: i32 = ii .. ii + 4 { "
     "for j: i32 = jj .. min(i + 1, jj + 4) S0[ii, jj, i, j] } } } }"
     "stmt S0[ii, jj, i, j]: a[i * m + j] = 1.0",
     {"for i: i32 = 0 .. 4 * ((n + 3) / 4)", "for j: i32 = 0 .. i + 1"}},
    {"tiles of a sum that keeps its order stay", "array a[?]: f32 = \"a\" live array s: f32 = \"&s\" live",
     "do { for ii: i32 = 0 .. n step 4 { for jj: i32 = 0 .. m step 4 { for i: i32 = ii .. min(ii + 4, n) { "
     "for j: i32 = jj .. min(m, jj + 4) S0[ii, jj, i, j] } } } }"
     "stmt S0[ii, jj, i, j]: s += a[i * m + j]",
     {"for ii: i32 = 0 .. n step 4", "for jj: i32 = 0 .. m step 4"}},
    {"tiles that read what others write stay", "array a[?]: f32 = \"a\" live",
     "do { for ii: i32 = 1 .. n step 4 { for jj: i32 = 1 .. m - 1 step 4 { "
     "for i: i32 = ii .. min(ii + 4, n) { for j: i32 = jj .. min(m - 1, jj + 4) S0[ii, jj, i, j] } } } }"
     "stmt S0[ii, jj, i, j]: a[i * m + j] = a[(i - 1) * m + j + 1] * 0.5",
     {"for ii: i32 = 1 .. n step 4", "step 4"}},
    {"sums of all rows so far", "array a[?]: f32 = \"a\" live array s[?]: f32 = \"s\" live "
     "array row: f32 = \"&row\"",
     "do { for i: i32 = 1 .. n { S0[i] for j: i32 = 0 .. m { S1[i, j] S2[i, j] } } }"
     "stmt S0[i]: row = 0.0 stmt S1[i, j]: row += a[i * m + j] "
     "stmt S2[i, j]: s[i * m + j] = s[(i - 1) * m + j] + row",
     {"s[i][j] = row", "s[i_1][j_1] += s[i_1 - 1][j_1]"}},
    {"the same of what is not set yet stays", "array a[?]: f32 = \"a\" live array s[?]: f32 = \"s\" live "
     "array row: f32 = \"&row\"",
     "do { for i: i32 = 0 .. n { S0[i] for j: i32 = 0 .. m { S1[i, j] S2[i, j] } } }"
     "stmt S0[i]: row = 0.0 stmt S1[i, j]: row += a[i * m + j] "
     "stmt S2[i, j]: s[i * m + j] = s[(i + 1) * m + j] + row",
     {"s[i][j] = s[i + 1][j] + row"}},
    {"a corner of whole numbers", "array s[?]: i32 = \"s\" live",
     "do { for i: i32 = 1 .. n { for j: i32 = 1 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: s[i * m + j] += s[(i - 1) * m + j] - s[(i - 1) * m + j - 1] + s[i * m + j - 1]",
     {"= i32(u32(s[i][0]) - u32(s[i - 1][0]))", "row += s[i][j]", "s[i_1][j_1] += s[i_1 - 1][j_1]"}},
    {"one of floats keeps its order", "array s[?]: f32 = \"s\" live",
     "do { for i: i32 = 1 .. n { for j: i32 = 1 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: s[i * m + j] += s[(i - 1) * m + j] - s[(i - 1) * m + j - 1] + s[i * m + j - 1]",
     {"s[i][j] += s[i - 1][j] - s[i - 1][j - 1] + s[i][j - 1]"}},
    {"a recurrence behind its first element", "array a[?]: i32 = \"a\" live array s[?]: i32 = \"s\" live",
     "do { for i: i32 = 0 .. n { S0[i] for j: i32 = 1 .. m { S1[i, j] } } }"
     "stmt S0[i]: s[i * m] = a[i * m] stmt S1[i, j]: s[i * m + j] = s[i * m + j - 1] + a[i * m + j]",
     {"for i: i32 = 0 .. n {\n            local s_1: i32 = \"s\"\n            S0[i]", "s_1 += a[i][j]"}},
    {"halo strides and reversed columns", "array a[?]: f64 = \"a\" live array b[?]: f64 = \"b\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: a[(i + 1) * (m + 2) + j + 1] = b[i * m + m - 1 - j] + b[i * m + j]",
     {"a[i + 1][j + 1]", "b[i][m - j - 1]", "b[i][j]"}},
    {"three dimensions", "array a[?]: f64 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { for k: i32 = 0 .. 3 { S0[i, j, k] } } } }"
     "stmt S0[i, j, k]: a[(i * m + j) * n + k] = 1.0", {"array a[?][m][n]", "a[i][j][k]"}},
    {"diagonals of a band", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = max(i - 3, 0) .. min(i + 2, n) { S0[i, j] } } }"
     "stmt S0[i, j]: a[1 + i - j + j * m] = b[j]", {"array a[?][m]", "a[j][i + 1 - j] = b[j]"}},
    {"no band: counters that have nothing to do with each other", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { S0[i, j] } } }"
     "stmt S0[i, j]: a[n + i - j + j * m] = 1.0", {"a[j][n + i] = 1.0"}},
    {"a clamped neighbour", "array a[?]: f64 = \"a\" live array c: i32 = \"&c\" array w: i32 = \"&w\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] "
     "if (i == 0) S1[i, j] else S2[i, j] S3[i, j] } } }"
     "stmt S0[i, j]: c = i * m + j stmt S1[i, j]: w = c stmt S2[i, j]: w = c - m "
     "stmt S3[i, j]: a[c] = a[w] * 0.5",
     {"a[i][j] = a[i == 0 ? 0 : i - 1][j] * 0.5"}},
    {"a diagonal", "array a[?]: f64 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. n { S0[i, j] } S1[i] } }"
     "stmt S0[i, j]: a[i * n + j] = a[i * n + j] * 2.0 stmt S1[i]: a[i * n + i] = 0.0",
     {"a[i][j] *= 2.0", "a[i][i] = 0.0"}},
    {"two strides of which the host finds whether they nest", "array a[?]: f64 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * m + j * n] = 1.0", {"array a[?][a_rows][n]: f64", "a[i][j][0] = 1.0"}},
    {"of what is only read they stay", "array a[?]: f64 = \"a\" live array b[?]: f64 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * m + j] = b[i * m + j * n]", {"array b[?]: f64", "array a[?][m]: f64"}},
    {"a value stored twice", "array a[?][n]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { local t: f32 S0[i, j] S1[i, j] S2[i, j] } } }"
     "stmt S0[i, j]: t = b[i] * b[j] stmt S1[i, j]: a[i][j] = t / 2.0 stmt S2[i, j]: a[j][i] = a[i][j]",
     {"a[j][i] = b[i] * b[j] / 2.0"}},
    {"a sum by way of temporaries", "array a[?]: f32 = \"a\" live array s: f32 = \"&s\" live",
     "do { for i: i32 = 0 .. n { local t: f32 local u: f32 S0[i] S1[i] S2[i] } }"
     "stmt S0[i]: t = a[i] * 2.0 stmt S1[i]: u = s + t stmt S2[i]: s = u", {"s += a[i] * 2.0"}},
    {"an element that is overwritten before", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live",
     "do { for i: i32 = 0 .. n { local t: f32 S0[i] S1[i] S2[i] } }"
     "stmt S0[i]: t = a[i] * 2.0 stmt S1[i]: a[i] = 1.0 stmt S2[i]: b[i] = t", {"b[i] = t"}},
    {"terms of rows above", "array a[?][m]: f32 = \"a\" live",
     "do { for i: i32 = n - 1 .. -1 step -1 { for j: i32 = 0 .. m { for k: i32 = 0 .. i { S0[i, j, k] } } } }"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] + a[k][j] * 2.0", {"][j] += a[k][j] * 2.0"}},
    {"terms of the row itself", "array a[?][m]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { for k: i32 = 0 .. i + 1 { S0[i, j, k] } } } }"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] + a[k][j] * 2.0", {"a[i][j] = a[i][j] + a[k][j] * 2.0"}},
    {"half a matrix that stands for the other", "array a[?][n]: f32 = \"a\" array y[?]: f32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for k: i32 = 0 .. n { S0[i, k] } } }"
     "stmt S0[i, k]: y[i] = y[i] + (k <= i ? a[i][k] : a[k][i]) * 2.0",
     {"for k: i32 = 0 .. i + 1", "y[i] += a[i][k] * 2.0", "for k_1: i32 = i + 1 .. n",
      "y[i] += a[k_1][i] * 2.0"}},
    {"the upper half, by a condition", "array a[?][n]: f32 = \"a\" array y[?]: f32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for k: i32 = 0 .. n { if (i < k) S0[i, k] else S1[i, k] } } }"
     "stmt S0[i, k]: y[i] = y[i] + a[i][k] stmt S1[i, k]: y[i] = y[i] - a[k][i]",
     {"for k: i32 = 0 .. i + 1", "for k_1: i32 = i + 1 .. n", "y[i] += a[i][k_1]"}},
    {"another bound than the row's stays", "array a[?][n]: f32 = \"a\" array y[?]: f32 = \"y\" live",
     "do { for i: i32 = 0 .. n { for k: i32 = 0 .. m { S0[i, k] } } }"
     "stmt S0[i, k]: y[i] = y[i] + (k <= i ? a[i][k] : a[k][i])", {"k <= i ? a[i][k] : a[k][i]"}},
    {"what is not less is as great", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { if (!(i < m)) { S0[i] } } }"
     "stmt S0[i]: a[i] = 1.0", {"i >= m"}},
    {"temporaries of two loops", "array a[?]: f32 = \"a\" live array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { S0[i] S1[i] } for j: i32 = 0 .. n { S2[j] S3[j] } }"
     "stmt S0[i]: t = a[i] stmt S1[i]: a[i] = t * t stmt S2[j]: t = a[j] + 1.0 stmt S3[j]: a[j] = t * t",
     {"local t_1: f32", "local t_2: f32"}},
    {"the last value is kept", "array a[?]: f32 = \"a\" live array t: f32 = \"&t\" live",
     "do { for i: i32 = 0 .. n step 2 { for j: i32 = 0 .. m { S0[i, j] S1[i, j] } } }"
     "stmt S0[i, j]: t = a[i * m + j] stmt S1[i, j]: a[i * m + j] = t * 2.0", {"local t_1: f32", "t = t_1"}},
    {"the last value of a loop in an arm, in a sequence of its own",
     "array a[?]: f32 = \"a\" live array t: f32 = \"&t\" live array s: f32 = \"&s\" live",
     "do { { local u: f32 S0[] if (m > 2) { for i: i32 = 0 .. n { S1[i] S2[i] } } S3[] } }"
     "stmt S0[]: u = t stmt S1[i]: t = a[i + 1] stmt S2[i]: a[i] = t * 2.0 stmt S3[]: s = u",
     {"local t_1: f32", "t = t_1"}},
    {"a carried scalar stays", "array a[?]: f32 = \"a\" live array t: f32 = \"&t\"",
     "do { S9[] for i: i32 = 0 .. n { S0[i] S1[i] } }"
     "stmt S9[]: t = 0.0 stmt S0[i]: a[i] = t stmt S1[i]: t = a[i + 1]", {"local t_1: f32"}},
    {"a small array", "array a[?]: f32 = \"a\" live",
     "do { local t[3]: f32 for i: i32 = 0 .. n { for d: i32 = 0 .. 3 { S0[i, d] } "
     "for e: i32 = 0 .. 3 { S1[i, e] } } }"
     "stmt S0[i, d]: t[d] = a[i + d] stmt S1[i, e]: a[i] = a[i] + t[2 - e]",
     {"= 0 .. n {\n            local t[3]"}},
    {"rows of a number of elements", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 1 .. 63 { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * 64 + j] = b[(i + 1) * 64 + j - 1] + b[i * 64 + j + 1] + b[2 * i]",
     {"a[i][j] = b[(i + 1) * 64 + j - 1] + b[i * 64 + j + 1] + b[2 * i]"}}, // b[2*i] leaves any row
    {"planes and rows", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 5 { for k: i32 = 0 .. 20 { S0[i, j, k] } } } }"
     "stmt S0[i, j, k]: a[(i * 5 + j) * 20 + k] = a[(i * 5 + j) * 20 + 19 - k] * 0.5",
     {"a[i][j][k] = a[i][j][19 - k] * 0.5"}},
    {"every other row", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 32 { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * 64 + j] = a[i * 64 + 32 + j] + 1.0", {"a[i][j] = a[i][j + 32] + 1.0"}},
    {"rows with a column before them stay", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 1 .. n { for j: i32 = 0 .. 64 { S0[i, j] } } } "
     "stmt S0[i, j]: a[i * 64 + j] = b[i * 64 + j - 1]", {"a[i][j] = b[i * 64 + j - 1]"}},
    {"rows of unknown length stay", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * 64 + j] = 1.0", {"a[i * 64 + j] = 1.0"}},
    {"the best of a row, whose value has a name",
     "array x[?]: f32 = \"x\" live array b[?]: f32 = \"b\" live array k[?]: i32 = \"k\" live",
     "do { for i: i32 = 0 .. n { local best: f32 local at: i32 S0[i] S1[i] for j: i32 = 0 .. m { "
     "local v: f32 S2[i, j] if (v > best) { S3[i, j] S4[i, j] } } S5[i] S6[i] } }"
     "stmt S0[i]: best = 0.5 stmt S1[i]: at = 0 stmt S2[i, j]: v = x[i * m + j] + 1.0 "
     "stmt S3[i, j]: best = v stmt S4[i, j]: at = j stmt S5[i]: b[i] = best stmt S6[i]: k[i] = at",
     {"best_1 max= x[i][j] + 1.0", "at_1 min= "}},
    {"the best of a row and a column together",
     "array x[?]: f32 = \"x\" live array b[?]: f32 = \"b\" live array k[?]: i32 = \"k\" live "
     "array z[?][16]: f32 = \"z\" live",
     "do { for i: i32 = 0 .. 16 { local best: f32 local at: i32 S0[i] S1[i] for j: i32 = 0 .. m { "
     "if (x[j] + z[j][i] > best) { S3[i, j] S4[i, j] } } S5[i] S6[i] } }"
     "stmt S0[i]: best = 0.5 stmt S1[i]: at = 0 "
     "stmt S3[i, j]: best = x[j] + z[j][i] stmt S4[i, j]: at = j "
     "stmt S5[i]: b[i] = best stmt S6[i]: k[i] = at",
     {"best_1 max= x[j] + z[j][i]", "at_1 min= "}},
    {"what all rows compare is looked for by one pass each",
     "array x[?]: f32 = \"x\" live array y[?]: f32 = \"y\" live array k[?]: i32 = \"k\" live",
     "do { for i: i32 = 0 .. n { local best: f32 local at: i32 S0[i] S1[i] for j: i32 = 0 .. m { "
     "local v: f32 S2[i, j] if (v > best) { S3[i, j] S4[i, j] } } S5[i] } }"
     "stmt S0[i]: best = 0.5 stmt S1[i]: at = 0 stmt S2[i, j]: v = x[j] - y[i] stmt S3[i, j]: best = v "
     "stmt S4[i, j]: at = j stmt S5[i]: k[i] = at",
     {"if (v > best)"}},
    {"neighbours on a ring", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m S0[i, j] } }"
     "stmt S0[i, j]: a[i * m + j] = b[i * m + (j + 1) % m] - b[(i + n - 1) % n * m + j]",
     {"b[i][j + 1 - m >= 0 ? j + 1 - m : j + 1] - b[i - 1 >= 0 ? i - 1 : i + n - 1][j]"}},
    {"a window that goes around at both ends", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. m { for d: i32 = -1 .. 2 S0[i, j, d] } } }"
     "stmt S0[i, j, d]: a[i * m + j] += b[i * m + (j + d + m) % m]",
     {"b[i][j + d - m >= 0 ? j + d - m : j + d >= 0 ? j + d : "}},
    {"a table says how far it goes around",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" "
     "array d[3]: i32 = \"d\" constant values (0, 2, -1)",
     "do { for i: i32 = 2 .. m { for k: i32 = 0 .. 3 S0[i, k] } }"
     "stmt S0[i, k]: a[i] += b[(i - d[k] + m) % m]",
     {"b[i - d[k] - m >= 0 ? i - d[k] - m : i - d[k]]"}},
    {"a remainder that needs none", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. 16 S0[i] } stmt S0[i]: a[(i + 32) % 16 + n % 3] = 1.0", {"a[i + n % 3] = 1.0"}},
    {"what may be below 0, or go around often, stays", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n S0[i] } stmt S0[i]: a[(i - 1) % n + 1] = f32((3 * i + 7) % n)",
     {"a[(i - 1) % n + 1] = f32((3 * i + 7) % n)"}},
    {"short rows stay", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 3 { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * 3 + j] = f32(j)", {"a[i * 3 + j] = f32(j)"}},
    {"short rows in which all elements are alike are one", "array a[?]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 3 { S0[i, j] } } }"
     "stmt S0[i, j]: a[i * 3 + j] = 1.0", {"for j: i32 = 0 .. 3 * n", "a[j] = 1.0"}},
    {"a difference that is squared",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" array t: f32 = \"&t\" array u: f32 = \"&u\"",
     "do { for i: i32 = 0 .. n { for k: i32 = 0 .. 4 { S0[i, k] S1[i, k] S2[i, k] } } }"
     "stmt S0[i, k]: t = b[i + k] - b[k] stmt S1[i, k]: u = t * 0.5 stmt S2[i, k]: a[i] = a[i] + t * u",
     {"a[i] += (b[i + k] - b[k]) * ((b[i + k] - b[k]) * 0.5)"}},
    {"a factor of a row", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { S0[i] for k: i32 = 0 .. m { S1[i, k] } } } stmt S0[i]: t = b[i] * 0.5 "
     "stmt S1[i, k]: a[k] = a[k] + t * b[k]",
     {"a[k] += b[i] * 0.5 * b[k]"}},
    {"a factor that changes stays", "array a[?]: f32 = \"a\" live array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { S0[i] for k: i32 = 0 .. m { S1[i, k] } } } stmt S0[i]: t = a[i] * 0.5 "
     "stmt S1[i, k]: a[k] = a[k] + t",
     {"a[k] += t_1"}},
    {"a temporary of two statements stays",
     "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live array x[?]: f32 = \"x\" "
     "array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { S0[i] S1[i] S2[i] } } stmt S0[i]: t = x[i] * 0.5 "
     "stmt S1[i]: a[i] = a[i] + t stmt S2[i]: b[i] = b[i] + t",
     {"a[i] += t_1", "b[i] += t_1"}},
    {"a sum that another holds, in a condition", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live",
     "do { for i: i32 = 0 .. n { local s: f32 local t: f32 S0[i] for k: i32 = 0 .. m { S1[i, k] } S2[i] "
     "if (t < a[i]) { S3[i] S4[i] } } }"
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s = s + b[i + k] stmt S2[i]: t = s stmt S3[i]: a[i] = t "
     "stmt S4[i]: b[i] = t * 2.0",
     {"if (s < a[i])", "b[i] = s * 2.0"}},
    {"a sum that changes in the condition", "array a[?]: f32 = \"a\" live array b[?]: f32 = \"b\" live",
     "do { for i: i32 = 0 .. n { local s: f32 local t: f32 S0[i] for k: i32 = 0 .. m { S1[i, k] } S2[i] "
     "if (t < a[i]) { S3[i] S4[i] } } }"
     "stmt S0[i]: s = 0.0 stmt S1[i, k]: s = s + b[i + k] stmt S2[i]: t = s stmt S3[i]: s = 1.0 "
     "stmt S4[i]: a[i] = t + s",
     {"a[i] = t"}},
    {"a temporary of the next statement alone", "array a[?][16]: f32 = \"a\" live array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 16 { S0[i, j] S1[i, j] } } }"
     "stmt S0[i, j]: t = a[0][j] + 1.0 stmt S1[i, j]: a[i][j] = a[i][j] + t",
     {"a[i][j] = a[i][j] + (a[0][j] + 1.0)"}},
    {"and one that it reads twice", "array a[?][16]: f32 = \"a\" live array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. 16 { S0[i, j] S1[i, j] } } }"
     "stmt S0[i, j]: t = a[0][j] + 1.0 stmt S1[i, j]: a[i][j] = t * t", {"a[i][j] = t_1 * t_1"}},
    {"a guarded temporary stays",
     "array a[?]: f32 = \"a\" live array x[?]: f32 = \"x\" array t: f32 = \"&t\"",
     "do { for i: i32 = 0 .. n { S0[i] if (x[i] > 0.5) S1[i] S2[i] } } stmt S0[i]: t = x[i] "
     "stmt S1[i]: t = 1.0 stmt S2[i]: a[i] = a[i] + t",
     {"a[i] += t_1"}},
    {"updates", "array a[?]: f32 = \"a\" live array s: f32 = \"&s\" live array c: i32 = \"&c\" live",
     "do { for i: i32 = 0 .. n { S0[i] if (a[i] > s) S1[i] S2[i] S3[i] S4[i] } }"
     "stmt S0[i]: s = s - a[i] stmt S1[i]: s = a[i] stmt S2[i]: c = c + i + 1"
     " stmt S3[i]: s = s + a[i] + 1.0 stmt S4[i]: a[i] = a[i + 1] + a[i]",
     {"s += -a[i]", "s max= a[i]", "c += i32(u32(i) + 1)", "s = s + a[i] + 1.0", "a[i] += a[i + 1]"}},
    {"the least of what was there and something that it may be a part of",
     "array a[?][16]: f32 = \"a\" live",
     "do { for k: i32 = 0 .. n { for i: i32 = 0 .. n { for j: i32 = 0 .. 16 { "
     "if (a[i][k] + a[k][j] < a[i][j]) S0[k, i, j] } } } }"
     "stmt S0[k, i, j]: a[i][j] = a[i][k] + a[k][j]", {"a[i][j] = min(a[i][j], a[i][k] + a[k][j])"}},
    {"what lies beside it by the bounds of several loops", "array a[?][16]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i { for k: i32 = 0 .. j { S0[i, j, k] } } "
     "for l: i32 = n - 1 .. i - 1 step -1 { for q: i32 = 0 .. i { S1[i, l, q] } } } }"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] - a[i][k] * a[k][j] "
     "stmt S1[i, l, q]: a[i][l] = a[i][l] - a[i][q] * a[q][l]", {"a[i][j] += -", " += -(a[i][q]"}},
    {"and what may be it", "array a[?][16]: f32 = \"a\" live",
     "do { for i: i32 = 0 .. n { for j: i32 = 0 .. i + 1 { for k: i32 = 0 .. j + 1 { S0[i, j, k] } } "
     "for l: i32 = i .. n { for q: i32 = 0 .. i + 1 { S1[i, l, q] } } } }"
     "stmt S0[i, j, k]: a[i][j] = a[i][j] - a[0][k] * a[k][j] "
     "stmt S1[i, l, q]: a[i][l] = a[i][l] - a[i][q] * a[0][l]",
     {"a[i][j] = a[i][j] -", "a[i][l] = a[i][l] -"}},
};

static void fill(uint8_t *at, size_t n, Type t) {
    for (size_t k = 0; k < n / (size_t)type_size(t); k++) {
        double v = (double)((k * 37 + 11) % 101) / 64.0;
        if (t == T_F32) ((float *)at)[k] = (float)v;
        else if (t == T_F64) ((double *)at)[k] = v;
        else if (t == T_I32) ((int32_t *)at)[k] = (int32_t)(k % 5);
    }
}

// A stride as so many of another, which the host finds out: here m as so many n.
static bool is_divided(const Sym *s) { return s->source && strchr(s->source, '%'); }

static void run(Arena *a, const Region *raw, const Region *r, int64_t n, int64_t m, uint8_t *memory) {
    InterpArg objects[MAX_OBJECTS];
    for (int k = 0; k < raw->narrays; k++) {
        objects[k] = (InterpArg){raw->arrays[k]->object, memory + k * BYTES};
        fill(memory + k * BYTES, BYTES, raw->arrays[k]->elem);
    }
    InterpVal vals[MAX_OBJECTS];
    for (int k = 0; k < r->nparams; k++) {
        const Sym *s = r->params[k];
        vals[k] = (InterpVal){.sym = s, .i = str_eq(s->name, "n") ? n : is_divided(s) ? m / n : m};
        for (int j = 0; j < raw->narrays; j++) // the value of a scalar at entry
            if (s->source && str_eq(s->source, raw->arrays[j]->name))
                vals[k].i = *(int32_t *)(memory + j * BYTES);
    }
    assert_true(ir_interpret(a, r->root, raw->narrays, objects, r->nparams, vals, 0));
}

static void check_same(Compile *c, const Region *raw, const Region *r, int64_t n, int64_t m) {
    for (int k = 0; k < r->nparams; k++)
        if (is_divided(r->params[k]) && (n < 1 || m % n)) return; // the loops stay on the host
    uint8_t *x = arena_alloc(c->arena, (size_t)MAX_OBJECTS * BYTES),
        *y = arena_alloc(c->arena, (size_t)MAX_OBJECTS * BYTES);
    run(c->arena, raw, raw, n, m, x);
    run(c->arena, raw, r, n, m, y);
    for (int k = 0; k < raw->narrays; k++) {
        if (!raw->arrays[k]->live_out) continue;
        if (memcmp(x + k * BYTES, y + k * BYTES, BYTES)) fail_msg("%s differs for n = %d, m = %d",
            raw->arrays[k]->name, (int)n, (int)m);
    }
}

static void test_cases(void **state) {
    (void)state;
    static const int64_t sizes[][2] = {{0, 3}, {1, 1}, {7, 5}, {8, 0}, {4, 4}, {3, 6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Case *t = &cases[k];
        Compile *c = compile_new();
        c->fp_contract = false;
        char *text = arena_printf(c->arena, "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" "
                                            "param m: i32 = \"m\" %s %s }", t->decls, t->body);
        IrFile *f = ir_parse(c, t->what, text);
        if (!f) fail_msg("%s: %s", t->what, c->diags.at[0].text);
        Region *r = normal_region(c, f->region, NULL, NULL);
        if (!r) fail_msg("%s: refused", t->what);
        char *got = ir_print_region(c->arena, r);
        for (int e = 0; e < 6 && t->expect[e]; e++)
            if (!strstr(got, t->expect[e])) fail_msg("%s: no '%s' in\n%s", t->what, t->expect[e], got);
        if (!ir_verify_region(c, r)) fail_msg("%s: %s\n%s", t->what, c->diags.at[0].text, got);
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) check_same(c, f->region, r, sizes[j][0],
            sizes[j][1]);
        compile_free(c);
    }
}

static Region *normal_of(Compile *c, const char *text) {
    IrFile *f = ir_parse(c, "text", text);
    if (!f) fail_msg("%s", c->diags.at[0].text);
    return normal_region(c, f->region, NULL, NULL);
}

static void test_contraction(void **state) {
    (void)state;
    Compile *c = compile_new();
    Region *r = normal_of(c,
                          "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" "
                          "array a[?]: f32 = \"a\" live "
        "do { for i: i32 = 0 .. n { S0[i] S1[i] } } stmt S0[i]: a[i] = a[i] - a[i + 1] * a[i + 2] "
        "stmt S1[i]: a[i] = a[i + 1] * 2.0 - a[i + 3] }");
    assert_non_null(r);
    assert_true(r->stmts[0]->fused && r->stmts[0]->op == OP_ADD);
    assert_true(r->stmts[1]->rhs->op == OP_FMA);
    compile_free(c);
}

// Of marked loops, whose iterations share nothing: rows are for those who plan.
static void test_rows_of_marks(void **state) {
    (void)state;
    static const struct {
        const char *body, *expect;
    } all[] = {
        // data choose a place in a row: what is written, or gone along as well
        {"S0[i] } } stmt S0[i]: y[i * m + col[i]] += -1.0", "y[i][col[i]] += -1.0"},
        {"for j: i32 = 0 .. m S0[i, j] } } stmt S0[i, j]: y[i * m + j] = x[i * m + j] - x[i * m + col[i]]",
         "x[i][j] - x[i][col[i]]"},
        {"S0[i] } } stmt S0[i]: y[i] = x[i * m + col[i]]", "x[i * m + col[i]]"},
        // from where a counter is they may lead to the next row
        {"for j: i32 = 0 .. m S0[i, j] } } stmt S0[i, j]: y[i * m + j + col[j]] = 1.0",
         "y[i * m + j + col[j]]"},
        // what the region computes the host can't look at
        {"{ local at: i32 S0[i] for j: i32 = 0 .. m S1[i, j] S2[i] } } } stmt S0[i]: at = 0 "
         "stmt S1[i, j]: at max= i32(x[i * m + j]) stmt S2[i]: y[i] = x[i * m + at]", "x[i * m + at]"},
        // groups of rows
        {"for q: i32 = 0 .. g for j: i32 = 0 .. h for k: i32 = 0 .. m S0[i, q, j, k] } } "
         "stmt S0[i, q, j, k]: y[((i * c) + q * h + j) * m + k] = x[(i * c + (q * h + j)) * m + k]",
         "array y[?][y_rows][h][m]: f32 = \"y\" live"},
        // …as a loop has them that begins at the group's first
        {"for q: i32 = 0 .. g for j: i32 = q * h .. (q + 1) * h for k: i32 = 0 .. m S0[i, q, j, k] } } "
         "stmt S0[i, q, j, k]: z[i][j][k] = 2.0 * z[i][j][k]", "z[i][q][j_1][k] *= 2.0"},
        // what counters are multiplied by in rows and between them is no length of a row
        {"for q: i32 = 0 .. g for j: i32 = 0 .. 3 for k: i32 = 0 .. m S0[i, q, j, k] } } "
         "stmt S0[i, q, j, k]: y[((i * c) + q * h + j) * m + k] = 1.0", "y[i][q * h + j][k] = 1.0"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Compile *c = compile_new();
        Region *r = normal_of(c, arena_printf(c->arena,
            "sculpt 1 region r @\"x.c\":1:1 omp { param n: i32 = \"n\" param m: i32 = \"m\" param c: i32 = "
            "\"c\" param g: i32 = \"g\" param h: i32 = \"h\" array x[?]: f32 = \"x\" live "
            "array y[?]: f32 = \"y\" live array col[?]: i32 = \"col\" live "
            "array z[?][c][m]: f32 = \"z\" live do { for i: i32 = 0 .. n mark (parallel @1:1) { %s }",
            all[i].body));
        assert_non_null(r);
        char *got = ir_print_region(c->arena, r);
        if (!strstr(got, all[i].expect)) fail_msg("no \"%s\" in\n%s", all[i].expect, got);
        compile_free(c);
    }
}

static void test_inspection(void **state) {
    (void)state;
    static const char text[] =
        "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" array y[?]: f64 = \"y\" live "
        "array x[?]: f64 = \"x\" live array col[?]: i32 = \"col\" live array row[?]: i32 = \"row\" live "
        "do { for i: i32 = 0 .. n { for j: i32 = row[i] .. row[i + 1] { S0[i, j] } } } "
        "stmt S0[i, j] @3:4: %s[i] += x[col[j]] }";
    Compile *c = compile_new();
    Region *r = normal_of(c, arena_printf(c->arena, text, "y"));
    assert_non_null(r);
    assert_int_equal(r->ninspects, 2); // x by a loop over j, col by the ends of the rows
    if (!ir_verify_region(c, r)) fail_msg("%s", c->diags.at[0].text);
    r = normal_of(c, "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" "
        "array y[?]: f64 = \"y\" live "
        "array x[?]: f64 = \"x\" live array col[?]: i32 = \"col\" live do { for i: i32 = 0 .. n { "
        "for j: i32 = 0 .. n "
        "{ for k: i32 = 0 .. 9 { S0[i, j, k] } } } } stmt S0[i, j, k] @3:4: y[j] += x[col[k]] }");
    assert_int_equal(r->ninspects, 1); // one loop, over k: each i and j finds the same
    if (strstr(ir_print_node(c->arena, r->inspects[0]->tree, 0), "0 .. n")) fail_msg("%s",
        ir_print_region(c->arena, r));
    compile_free(c);
}

static int count_of(const char *text, const char *what) {
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) n++;
    return n;
}

// The place of the first that is as large, or j: the host runs no loop over all places. What is touched
// anyway is not asked for again under a condition.
static void test_inspection_of_choices(void **state) {
    (void)state;
    static const char *const found[] = {"at < n ? at : j", "n > at ? at : j", "at >= n ? j : at",
                                        "n <= at ? j : at"};
    for (int k = 0; k < 4; k++) {
        Compile *c = compile_new();
        Region *r = normal_of(c, arena_printf(c->arena,
            "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" param m: i32 = \"m\" "
            "array x[?][m]: f32 = \"x\" live array y[?]: f32 = \"y\" live do { for j: i32 = 0 .. m { "
            "local at: i32 S0[j] for k: i32 = j .. n { S1[j, k] } S2[j] "
            "for l: i32 = j .. n { if (y[l] > 0.0) { S3[j, l] } S4[j, l] } } } "
            "stmt S0[j] @3:4: at = n stmt S1[j, k] @4:4: at min= y[k] == 1.0 ? k : 2147483647 "
            "stmt S2[j] @5:4: x[%s][0] = 1.0 stmt S3[j, l] @6:4: x[l][1] = 2.0 "
            "stmt S4[j, l] @7:4: x[l][1] += 2.0 }",
            found[k]));
        assert_non_null(r);
        const char *text = ir_print_region(c->arena, r);
        bool any = false;
        for (int i = 0; i < r->ninspects; i++) {
            const char *tree = ir_print_node(c->arena, r->inspects[i]->tree, 0);
            if (!str_eq(r->inspects[i]->array->name, "x")) continue;
            any = true;
            if (count_of(tree, "for ") != count_of(tree, "0 .. m")) fail_msg("%s\n%s", tree, text);
            if (!strstr(tree, "n - 1")) fail_msg("%s\n%s", tree, text);
        }
        assert_true(any);
        compile_free(c);
    }
}

static void test_inspection_refused(void **state) {
    (void)state;
    Compile *c = compile_new();
    Region *r = normal_of(c,
                          "sculpt 1 region r @\"x.c\":1:1 scop { param n: i32 = \"n\" "
                          "array x[?]: f64 = \"x\" live "
        "array col[?]: i32 = \"col\" live do { for i: i32 = 0 .. n { S0[i] S1[i] } } "
        "stmt S0[i] @3:4: x[col[i]] = 1.0 stmt S1[i] @4:4: col[i + 1] = i }");
    assert_null(r);
    assert_int_equal(c->diags.n, 1);
    assert_int_equal(c->diags.at[0].code, SC_EXTENT);
    assert_int_equal(c->diags.at[0].loc.line, 3);
    compile_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_contraction),
        cmocka_unit_test(test_rows_of_marks),
        cmocka_unit_test(test_inspection),
        cmocka_unit_test(test_inspection_of_choices),
        cmocka_unit_test(test_inspection_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
