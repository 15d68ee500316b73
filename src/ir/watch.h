// SPDX-License-Identifier: MIT
// watch.h -- a clock that stops isl.
//
// isl counts its operations, but one operation on large coefficients may take long: what
// bounds an analysis is the processor time it gets. A thread waits for the deadline and then has
// isl give up.
#ifndef SCULPT_WATCH_H
#define SCULPT_WATCH_H
#include "ir/ir.h"

// From now on isl gives up after so many seconds, or sooner where all analyses of a file together have had
// most of theirs (watch_limit); an earlier deadline is forgotten. Sets c->deadline.
void watch_start(Compile *c, double seconds);
// A new file: its analyses get about so many seconds together. Then each gets a moment, which
// is what a loop of ordinary size needs.
void watch_limit(Compile *c, double seconds);
void watch_end(Compile *c); // no thread waits any more; the next analysis begins another
#endif
