// SPDX-License-Identifier: MIT
// sass.h -- instructions of a kernel's machine code, counted in its disassembly.
//
// What nvdisasm -c prints:
//   .text.k0:
//           /*0350*/              @!P1 LDS R19, [R0+UR7] ;
//   .L_x_4:
//           /*0790*/               @P1 BRA `(.L_x_4) ;
// A branch to a label that stands before it closes a loop. Innermost loops hold no other; the one with
// the most floating-point instructions is the work, the others are its remainders.
#ifndef SCULPT_MODEL_SASS_H
#define SCULPT_MODEL_SASS_H
#include "model/model.h"

typedef struct SassMix {
    bool known;             // the kernel was found
    InstructionMix all;     // each instruction of the text once
    InstructionMix inner;   // of the innermost loop with the most arithmetic; of the whole text where
    bool loop;              // …there is none
    int joined[3];          // loads from shared memory of 4, 8 and 16 bytes a lane in it
} SassMix;
// kernel: its name as the machine code has it.
SassMix sass_mix(Arena *a, const char *text, const char *kernel);
// The part of a mix that is arithmetic on floating-point numbers, 0 to 1.
double mix_share(const InstructionMix *m);
#endif
