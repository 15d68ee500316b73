// SPDX-License-Identifier: MIT
// peers.h -- what stands below a ladder's table: which pattern rules apply to its programs, and
// what other compilers reach with them.
#ifndef SCULPT_BENCH_PEERS_H
#define SCULPT_BENCH_PEERS_H
#include "bench/rungs.h"

// Ratios as a table of programs (the groups of rungs): rungs with "against", named "GROUP, WHAT", one row
// a WHAT, at the first size that each has; and per cent of the multiply-adds there are.
void ladder_matrix(Bench *b, const Ladder *l, const Results *all);
// The table of applicability, for the sources of rungs that take the pattern rules' recipe.
void ladder_patterns(Bench *b, const Ladder *l);
// bench/NAME/peers.tsv, if there is such a file: figures of other compilers beside those here.
//   program  n  unit  work  compiler  figure  note      separated by tabs; work as arithmetic over n
// figure: work over time, in units of 1e9; a ratio where the unit is "x": how many times longer that
// compiler's program took than the document's own. work "-": the figure is of another program.
void ladder_peers(Bench *b, const Ladder *l, const Results *all);
#endif
