// SPDX-License-Identifier: MIT
// graph.h -- launches of a host loop, noted to be replayed.
#ifndef SCULPT_RUN_GRAPH_H
#define SCULPT_RUN_GRAPH_H
#include "run/state.h"

typedef struct Graph Graph;
// The graph of `count` iterations of the loop from value `from` on, with what its kernels are given
// now; a new one, not noted, where there is none. *seen: it was asked for before. NULL: no memory.
Graph *graph_find(Launch *l, const Node *loop, int64_t from, int64_t count, int nvals, const InterpVal *vals,
                  bool *seen);
bool graph_is_noted(const Graph *g);
void graph_keep(Graph *g, void *exec);
bool graph_replay(Launch *l, const Graph *g);
#endif
