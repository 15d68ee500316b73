// SPDX-License-Identifier: MIT
// explain.h -- `sculpt explain`: from parts and kernels to a report, and what the command line asks of it.
//
//   explain.c, _kernel.c, _nests.c  the words: C files, hand-written kernels, texts of nests
//   facts.c                       what was understood of a region, as tables
//   advice.c                      which nest runs at which sizes, and what the model says of it
//   advice_ladder.c               what it is compared with, and the steps on the way there
//   advice_fix.c                  the recipe that the findings suggest
//   plan.c                        the verb `sculpt plan`: the nests that there are to choose from
#ifndef SCULPT_DRIVER_EXPLAIN_H
#define SCULPT_DRIVER_EXPLAIN_H
#include "driver/driver.h"
#include "report/report.h"
#include "tune/tune.h"

// ---- aside.c: make(arg) in a child process, beside what the caller does until aside_end
typedef struct Aside Aside;
Aside *aside_begin(Arena *a, const char *(*make)(void *arg), void *arg);
const char *aside_end(Aside *x);   // its text; NULL: it made none

// What the command line asks for.
typedef struct Advice {
    const char *machine;       // --machine: a name or a .dev file; NULL: the standard one
    SettingVec args;            // --arg n=4096
    bool sarif, json;          // --sarif, --json
    const char *html;          // --html FILE: where the page goes; NULL: not asked
    const char *fix;           // --fix[=FILE]: where the recipe goes; "": stdout; NULL: not asked
    const char *cubin;         // --cubin: the kernels' machine code, made before; NULL: none
    bool travel;               // --travel: what a call costs whose data come from the host and go home
    SettingVec registers;       // --registers=KERNEL=40,…: as they are known from elsewhere
    bool compile;              // --registers: the device's compiler says how many a kernel has
    const char *recipe;        // --recipe, as in Flags
    Judging judging;           // --judge, as in Flags
    const Machine *m;          // found by advice_begin
    int64_t rest;              // sizes that nobody gives are taken for this; 0: for some that fill a machine
} Advice;
// Takes a word of the command line: as word_valued, with a sentence in *why when it is wrong.
int advice_word(Arena *a, Advice *d, int i, int argc, char **argv, const char **why);
// The files of a command line as units, those that can be read; errors for the others, for an --arg of no
// region, and where no loop is marked. Returns how many.
int advice_units(Compile *c, Flags *f, const Advice *d, Unit **units);
// Can the files of machines be read? Without them nothing is planned. False after a message.
bool advice_machines(const char *verb);
// False after a message.
bool advice_begin(Compile *c, const char *verb, Advice *d);

// The nest of a part that runs at the sizes asked for, nothing said of it yet: the cheapest of those that are
// made for such a call, of a contraction's shapes the `most` quickest (0: one); with `automatic` not the
// recipe's. NULL: none is for the machine's kind.
Advised *advice_of(Compile *c, const Advice *d, const Part *p, bool automatic, int most);
// Of nest k of its chain: why it can't run, NULL: it may; seconds by its own formula, < 0: it has none.
const char *advice_lacks(Compile *c, const Advice *d, const Advised *at, int k);
double advice_estimate(Compile *c, const Advice *d, const Advised *at, const Nest *n);
// Adds its cost and findings; v may be NULL.
Advised *advice_fill(Compile *c, const Advice *d, Advised *v);
// One nest with its cost and findings, at the sizes asked for or at those of another.
Advised *advice_nest(Compile *c, const Advice *d, Nest *n, const char *name);
Advised *advice_at(Compile *c, const Advice *d, const Advised *sizes, const Nest *n, const char *name);
// advice_code.c: registers of the kernels, and their instructions, from machine code: that of --cubin, else
// what NVRTC makes of them. Their times follow.
void advice_compile(Compile *c, const Advice *d, Advised *v);
// Registers that --registers=… gives.
void advice_registers(const Advice *d, Advised *v);
// Compiles a file of kernels as its author would (nvcc, where there is one) and sets d->cubin to the result,
// which the caller removes. False: there is no such compiler, or it refuses the file.
bool advice_compile_file(Arena *a, Advice *d, const char *file, int nflags, const char *const *flags);
// The tree, and for a page the kernels as text: what aside_end gives. NULL: no page is asked for.
Aside *advice_texts(Compile *c, const Advice *d, Advised *v);

// advice_travel.c: a table of what s->now costs from host to host; nothing for a processor.
void advice_travel(Compile *c, const Advice *d, Subject *s);

void facts_of(Compile *c, const Part *p, Subject *s);
FactTable *facts_table(Arena *a, Subject *s, const char *title, int ncols, const char *const *heads);
void facts_row(Arena *a, FactTable *t, const char *w, const char *x, const char *y, const char *z);

// s->now stands; fills s->before, s->rungs.
void ladder_of(Compile *c, const Advice *d, const Part *p, Subject *s);
// ---- plain.c: the loops that stand directly inside each other from the outermost on
enum { BAND_LOOPS = 8 };
typedef struct Band {
    int n, nfree;
    const Node *loop[BAND_LOOPS];
    bool is_free[BAND_LOOPS];     // parallel, or asserted to be
} Band;
Band band_of(const Region *r, const DepInfo *dep);
// A recipe: loop x becomes the innermost of the threads, y (-1: none) the other; the others follow.
const char *band_mapped(Arena *a, const Band *b, int x, int y, int width, int height);
// The last free loop as x and the one before it as y; NULL: there is no free loop.
const char *band_plain(Arena *a, const Band *b);

// The recipe that the findings of a part suggest, from `recipe` (NULL: from its loops), compared with
// `before` (NULL: nothing runs without it). Never NULL: a remark says so when there is no recipe.
Suggestion *advice_fix(Compile *c, const Advice *d, const Part *p, const Advised *before, const char *recipe);

typedef struct json_t json_t;
json_t *explain_json(Compile *c, int nunits, Unit *const *units, const Report *r); // explain_json.c
// explain_print.c: the page to its file; to stdout SARIF, or what `json` makes, or text. False after diag().
bool explain_print(Compile *c, const Report *r, const Advice *d, json_t *(*json)(const Report *r));
// The page, to the file of --html. False: it can't be written, and that is said.
bool explain_page(Compile *c, const Advice *d, const char *page);
void explain_put(json_t *all);      // to stdout; takes all
void explain_put_fixes(Compile *c, const Report *r, const char *file); // the recipes alone; "": to stdout
int explain_nests(Compile *c, const Advice *d, const char *file); // explain_nests.c: FILE.nest
#endif
