// SPDX-License-Identifier: MIT
// print.h -- the state of one printing, shared by print.c and print_expr.c
#ifndef SCULPT_IR_PRINT_H
#define SCULPT_IR_PRINT_H
#include "ir/ir.h"

typedef struct Printer {
    Text text;
    const char *file;            // places in this file are printed without its name
    int indent;                  // levels of four spaces
    VEC(const Array *) known;    // declared already: printed by name alone
} Printer;

// How strongly the operators of the text bind, as in C: printer and parser share it.
enum { PREC_SELECT, PREC_BINARY, PREC_UNARY = 11 };
int op_prec(Op op); // 1 to 10 for the infix operators, PREC_UNARY, 0 for OP_SELECT, -1: a function

// x as text; a literal of type `implied` (or, for T_NONE, of i32 or f64) needs no suffix.
void print_expr(Printer *p, const Expr *x, Type implied);
#endif
