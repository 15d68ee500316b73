// SPDX-License-Identifier: MIT
// explain_model.h -- the advisor's part of `sculpt explain`: figures and findings for a machine.
#ifndef SCULPT_DRIVER_EXPLAIN_MODEL_H
#define SCULPT_DRIVER_EXPLAIN_MODEL_H
#include "driver/driver.h"
#include "model/findings.h"
#include "model/sass.h"
#include "tune/tune.h"

// What the command line asks for.
typedef struct Advice {
    const char *machine;       // --machine: a name or a .dev file; NULL: the standard one
    Settings_ args;            // --arg n=4096
    bool sarif;                // --sarif
    const char *fix;           // --fix[=FILE]: where the recipe goes; "": stdout; NULL: not asked
    const char *cubin;         // --cubin: the kernels' machine code, made before; NULL: none
    bool compile;              // --registers: the device's compiler says how many a kernel has
    const Machine *m;          // found by advice_begin
} Advice;
// Takes a word of the command line: as word_valued.
int advice_word(Arena *a, Advice *d, int i, int argc, char **argv, const char **why);
// False after a message.
bool advice_begin(Compile *c, Advice *d);

// A nest at given sizes.
typedef struct Advised {
    const Nest *nest;
    int nvals;
    InterpVal *vals;           // parameters that have a value
    const char *sizes;         // "n = 4096, m = 4096"
    bool guessed;              // some of them are nobody's choice
    NestCost *cost;
    Findings findings;
    SassMix *code;             // [cost->nkernels] their machine code, disassembled; NULL: not looked at
    const char *code_why;      // why not
    const char *compiler;      // why registers are not known though asked for; NULL
    const char *why;           // why there is nothing to say; NULL
} Advised;
// The nest of a part that runs at the sizes asked for: the first of its chain whose condition holds.
Advised *advice_of(Compile *c, const Advice *d, const Part *p);
Advised *advice_nest(Compile *c, const Advice *d, Nest *n);
// advice_code.c: registers of the kernels, and their instructions, from machine code: that of --cubin, else
// what NVRTC makes of them. Their times follow.
void advice_compile(Compile *c, const Advice *d, Advised *v);
typedef struct json_t json_t;
json_t *advice_json(Compile *c, const Advice *d, const Part *p);
// The same for nests that no file's region has, as a text: of a file of nests, or kernels that were read.
void advice_put_nests(Compile *c, const Advice *d, int n, Nest *const *nests);
// `explain --json FILE.nest`: every nest of it for the machine's kind.
int explain_nests(Compile *c, const Advice *d, const char *file);
// All findings of all files, as editors take them (SARIF 2.1).
void advice_sarif(Compile *c, const Advice *d, int nunits, Unit *const *units);
// The recipe that the findings of a part suggest, from `recipe` (NULL: from its loops); false after a
// remark that says why there is none.
bool advice_fix(Compile *c, const Advice *d, const Part *p, const char *recipe, const char *file);
void advice_put(Compile *c, const Advice *d, const Part *p);
void advice_put_nest(Compile *c, const Advice *d, Nest *n); // a nest that no part has: a kernel that was read
#endif
