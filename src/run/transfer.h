// SPDX-License-Identifier: MIT
// transfer.h -- moving boxes between the host and a slab.
#ifndef SCULPT_RUN_TRANSFER_H
#define SCULPT_RUN_TRANSFER_H
#include "run/memory.h"

// The box to send so that b arrives: b itself, or the interval around it where many
// short runs would cost more than the gaps between them.
Box transfer_choose(const Memory *m, const Slab *s, const Box *b);
bool transfer_up(Memory *m, Slab *s, const Box *b);
// The same by way of s->old, which keeps what was sent.
bool transfer_up_noted(Memory *m, Slab *s, const Box *b);
// Fetches into s->old what the device has.
bool transfer_note(Memory *m, Slab *s, const Box *b);
// Nothing inside keep (NULL: nothing) is written on the host.
bool transfer_down(Memory *m, Slab *s, const Box *b, const Box *keep);
#endif
