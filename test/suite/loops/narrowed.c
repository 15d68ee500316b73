// device 16
// narrowed.c -- casts of counters that lose bits, one and two of them, as values, in conditions, subscripts
// and bounds; numbers of 2^63 and more.
#include "../suite.h"
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

enum { N = 512, FEW = 20 };
static int o[N], b[N], v[N];

static void low_word(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[i - lo] += (int)((uint64_t)(uint32_t)i % 1000) + b[i - lo];
}
static void byte_of_long(size_t lo, size_t hi) {
#pragma sculpt
    for (size_t i = lo; i < hi; i++)
        if ((unsigned char)(long)i < 50) o[i - lo] += b[i - lo];
}
static void byte_of_variable(size_t lo, size_t hi) {
#pragma sculpt
    for (size_t i = lo; i < hi; i++) {
        long k = i;
        unsigned char q = k;
        if (q < 50) o[i - lo] += b[i - lo];
    }
}
static void sign_of_byte(unsigned lo, unsigned hi) {
#pragma sculpt
    for (unsigned i = lo; i < hi; i++) o[i - lo] += (int8_t)(uint16_t)i;
}
static void short_of_int(long lo, long hi) {
#pragma sculpt
    for (long i = lo; i < hi; i++) o[i - lo] += (int16_t)(int)i / 3;
}
static void real_of_word(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[i - lo] += (int)((double)(uint32_t)(int64_t)i * 0.0625);
}
static void chosen(uint64_t lo, uint64_t hi, int32_t m) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[i - lo] += (int32_t)(uint32_t)i < m ? b[i - lo] : 3;
}
static void unsigned_of_byte(signed char lo, signed char hi) {
#pragma sculpt
    for (signed char i = lo; i < hi; i++) o[i - lo] += (unsigned char)(int)i;
}
static void read_at_byte(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[i - lo] += b[(uint8_t)(int64_t)i];
}
static void read_at_word(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[i - lo] += b[(uint32_t)i];
}
static void written_at_word(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++) o[(uint32_t)(int64_t)i] += 2;
}
static void bound_of_byte(size_t lo, size_t hi) {
#pragma sculpt
    for (size_t i = lo; i < hi; i++)
        for (int j = 0; j < (unsigned char)(long)i; j++) o[i - lo] += b[j];
}
static void bound_of_word(uint64_t lo, uint64_t hi) {
#pragma sculpt
    for (uint64_t i = lo; i < hi; i++)
        for (uint64_t j = 0; j < (uint32_t)i; j++) o[i - lo] += (int)j;
}
static void above_most(unsigned lo, unsigned hi) {
#pragma sculpt
    for (unsigned i = lo; i < hi; i++)
        if ((uint64_t)i <= -3) o[i - lo] += b[i - lo];
}
static void below_parameter(int n, uint64_t m) {
#pragma sculpt
    for (int i = 0; i < n; i++)
        if ((uint64_t)i < m) o[i] += b[i];
}
static void down_through_zero(size_t n) {
#pragma sculpt
    for (size_t i = n - 1; i < SIZE_MAX; i--) o[i] += b[i];
}
static void never_up(size_t n) { // stays: counts beyond 2^63 - 1
#pragma sculpt
    for (size_t i = n; i > SIZE_MAX - 3; i--) o[i & 15] += b[i & 15];
}
static void high_numbers(void) { // stays, too
#pragma sculpt
    for (uint64_t i = 0xffffffff00000000u; i < 0xffffffff00000100u; i += 4) o[(uint32_t)i] += 1;
}
static void never_from_below_zero(size_t n) { // stays, too
#pragma sculpt
    for (size_t i = -1; i++ < n;) o[i & 15] += b[i & 15];
}
static int place_in_byte(int n) { // k is no place of the greatest
    int k = 0;
#pragma sculpt
    for (int i = 0; i < n; i++)
        if (v[i] > v[k]) k = (unsigned char)i;
    return k;
}

// Around 0, 2^8, 2^31, 2^32 and 2^63, and where they are negative as signed numbers.
static const uint64_t from[] = {
    0,    240, 65530, INT32_MAX - 9u, UINT32_MAX - 9u, UINT32_MAX + 3ul, INT64_MAX - 9ul, INT64_MAX + 4ul,
    -40ul};

int main(void) {
    fill_ints(b, N, 50);
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        uint64_t lo = from[k], hi = lo + FEW;
        low_word(lo, hi), byte_of_long(lo, hi), byte_of_variable(lo, hi), read_at_byte(lo, hi);
        real_of_word(lo, hi), chosen(lo, hi, 5), chosen(lo, hi, -7), bound_of_byte(lo, hi);
        short_of_int((long)(lo - 1), (long)(lo + 8));
        sign_of_byte((unsigned)(lo & INT32_MAX), (unsigned)(lo & INT32_MAX) + FEW);
        above_most((unsigned)(lo & INT32_MAX), (unsigned)(lo & INT32_MAX) + FEW);
        below_parameter(FEW, lo);
        show_ints("values", o, N);
    }
    for (uint64_t high = 0; high < 3; high++) {
        uint64_t lo = high << 32 | 5;
        read_at_word(lo, lo + FEW), written_at_word(lo, lo + FEW), bound_of_word(lo, lo + FEW);
        show_ints("places", o, N);
    }
    unsigned_of_byte(-9, 9), down_through_zero(FEW), never_up(FEW), never_from_below_zero(FEW),
        high_numbers();
    show_ints("ends", o, N);
    for (int i = 0; i < 400; i++) v[i] = i < 300 ? i : 100;
    printf("place %d\n", place_in_byte(390));
    suite_use();
}
