// SPDX-License-Identifier: MIT
// stream.h -- what all threads of a block read together, through shared memory.
#ifndef SCULPT_RULE_STREAM_H
#define SCULPT_RULE_STREAM_H
#include "rule/rule.h"

// A kernel as rule_map_gpu makes it, with one thread loop and several iterations a thread, each of
// whose threads runs one serial loop. `tile` iterations of the loop are staged at a time, fewer
// where buffers would have more than most_bytes; whole: it never has more than `tile`.
// NULL: nothing in the loop is read by all threads.
Node *rule_stream(Names *names, Node *kernel, int64_t tile, bool whole, int64_t most_bytes);
#endif
