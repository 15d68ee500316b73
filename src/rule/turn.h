// SPDX-License-Identifier: MIT
// turn.h -- an operand with its rows and columns exchanged.
#ifndef SCULPT_RULE_TURN_H
#define SCULPT_RULE_TURN_H
#include "rule/rule.h"

// A temporary for elements [0, rows) x [0, columns) of an array of rank 2.
const Array *turned_array(Names *names, const Array *from, Expr *rows, Expr *columns);
// to[column][row] = from[row][column]
Node *turned_copy(Names *names, const Array *from, const Array *to, const Sym *row, const Sym *column);
// The tree with to[q][p] in place of from[p][q]. NULL: something below writes it.
Node *rule_turn(Arena *a, Node *root, const Array *from, const Array *to);
#endif
