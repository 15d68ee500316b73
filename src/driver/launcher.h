// SPDX-License-Identifier: MIT
// launcher.h -- host code being read for its launches: what check_launch.c and check_expression.c share.
#ifndef SCULPT_DRIVER_LAUNCHER_H
#define SCULPT_DRIVER_LAUNCHER_H
#include "driver/check_kernel.h"
#include "driver/driver.h"
#include "kernel/host.h"

// What a conversion may change; a wider one holds all of the narrower ones but for FLOAT.
typedef enum Kind { NARROW, WHOLE, LONG, FLOAT, DOUBLE, OTHER } Kind;

typedef struct Typed {
    const char *name;
    Kind kind; // OTHER: a pointer, or not known
} Typed;

typedef struct Named {
    const char *name, *text; // what the variable is; of a dim3: three, parted by commas
    bool declared; // here; else it is set
} Named;

typedef struct Launcher {
    Arena *a;
    const HostTok *t;
    int at, end, first; // first: of its parameters
    bool program; // main
    int cases; // the way at each place where there are two, a bit each
    int loop; // around the statement at hand, a number in out->loops; -1: none
    bool left; // nothing behind it runs
    bool rounded; // up, behind a division of floats
    VEC(Named) vars;
    VEC(Typed) types;
    VEC(const char *) freed;
    CheckLaunches *out;
    const char *why;
} Launcher;

static inline bool is(const Launcher *l, int at, const char *s) {
    return at < l->end && str_eq(l->t[at].text, s);
}
bool launch_refuse(Launcher *l, const char *what); // false; the first reason stays

// ---- check_expression.c: tokens from `at` up to `to` ----
bool launch_is_type(const Launcher *l, int at);
const char *launch_value_of(const Launcher *l, const char *name); // NULL: no variable of a known value
int launch_closing(const Launcher *l, int at); // behind the bracket that closes the one at `at`
Kind launch_kind_of(const Launcher *l, int at, int to); // of the type that tokens name
Kind launch_kind_named(const Launcher *l, const char *name);
Kind launch_widest(const Launcher *l, int at, int to);  // of what stands in an expression
// Is a value of kind `from`, the text, the same as one of kind `to`? That a long one fits into an int is
// taken for granted. alone: it is no part of a sum.
bool launch_keeps(Launcher *l, Kind to, Kind from, bool alone, const char *text);
// What the pointer of that name points to, and of how many bytes that is; NULL: it is no such.
const char *launch_pointed(const Launcher *l, const char *name, const char **bytes);
int launch_operand_end(const Launcher *l, int at, int to); // behind the operand of a cast
bool launch_skip_cast(Launcher *l, int from, int *at, int to, Text *out, bool *wrong);
bool launch_holds(Launcher *l, const char *cond); // in the case at hand
// The text of an expression of the function's parameters; NULL: it is not read to its end.
const char *launch_expression(Launcher *l, int at, int to);
// The arguments between `from` and `to`, parted by commas; returns how many.
int launch_arguments(const Launcher *l, int from, int to, int at[][2], int most);
#endif
