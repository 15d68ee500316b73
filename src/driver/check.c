// SPDX-License-Identifier: MIT
// check.c -- `sculpt check`: each region on the device beside the original loops, compared.
//
// libsculpt compares on the program's own data and says at exit what it found; a mismatch
// makes the exit status of the program nonzero.
#include "driver/driver.h"

int check_main(int argc, char **argv) { return run_program("check", argc, argv, true); }
