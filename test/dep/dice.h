// SPDX-License-Identifier: MIT
// dice.h -- numbers that look random.
#ifndef TEST_DEP_DICE_H
#define TEST_DEP_DICE_H
#include <stdint.h>

static inline uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}
#endif
