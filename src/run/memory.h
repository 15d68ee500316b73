// SPDX-License-Identifier: MIT
// memory.h -- the table of host ranges that have a copy on the device.
//
// A Slab pairs a host range with a device buffer and knows which boxes of it are valid
// on the device and which of these are dirty, that is, newer than the host's. Nothing
// is trusted longer than somebody vouches for it: a data scope (its thread's bit in
// `owners`) or a hold (OpenACC's data directives, counted).
#ifndef SCULPT_RUN_MEMORY_H
#define SCULPT_RUN_MEMORY_H
#include "device/device.h"
#include "run/box.h"

enum { BOXES_MAX = 24 };
// Around guarded slabs, and in them where nothing was sent.
enum { MEMORY_GUARD = 4096, MEMORY_FILL = 0xA7 };
typedef struct Boxes {
    int n;
    Box at[BOXES_MAX];
} Boxes;

typedef struct Slab {
    struct Slab *next;
    uintptr_t lo, hi;
    DevPtr ptr;
    bool managed;           // the host reaches ptr too
    bool own;               // the device's own memory, somebody else's: lo is ptr, and nothing ever moves
    int skip;               // where lo is in the buffer: host and device addresses agree mod 16
    uint64_t owners;        // a bit for each thread (index mod 64) whose data scope uses it
    uint64_t used;          // tick of the last use
    Boxes valid, dirty;
    // lo..hi: of what is loose or has gaps, and is dirty, the values before; NULL: nothing ever was
    unsigned char *old;
} Slab;

typedef struct Hold {
    struct Hold *next;
    uintptr_t lo, hi;
    int64_t count;          // enters less exits
    int64_t scopes;         // OpenACC's data constructs around
    uint64_t turn;          // of the directive that counted it last
    bool created;           // begun with CREATE: its values are not wanted back
    bool whole;             // begun with COPYOUT: all of it comes back, whatever was written
    bool leaving;           // a row that counts no longer, until the last of the rows is here
} Hold;

// Rows that a directive names one after another; moved as one box where they lie at equal distances.
typedef struct RowGroup {
    bool open;              // more are to come
    int64_t n, pitch;
    uintptr_t first, at;    // the first row, the last so far
    size_t bytes;           // of each
    bool even;
} RowGroup;

enum { HELD_ASKED = 8 };
// Holds in the order of their places, and what boxes were asked about; until there are other holds.
typedef struct HoldIndex {
    bool built;
    int64_t n, nholds, room;
    uintptr_t (*range)[2];  // [n], disjoint, and apart
    Hold **hold;            // [nholds]
    int asked;
    Box box[HELD_ASKED];
    bool held[HELD_ASKED];
} HoldIndex;

// On a range that somebody looked at: broken when its values may be others than they were (seals.c).
typedef struct Seal {
    struct Seal *next;
    uintptr_t lo, hi;
    bool broken;
} Seal;

typedef struct Memory {
    Device *d;
    bool guarded;           // slabs are filled and have margins; see watch.c
    Slab *slabs;
    Hold *holds;
    HoldIndex index;        // of them
    RowGroup rows;
    Seal *seals;
    uint64_t turn, turns;   // the directive that calls, and how many there were
    uint64_t tick;
    uint64_t epoch;         // changes when what is valid changes
    size_t allocated;       // bytes in slabs
    double bytes_up, bytes_down; // moved since they were last cleared
    double seconds_up, seconds_down; // spent moving, likewise
    double seconds_alloc;            // spent by the device on giving memory and taking it back
} Memory;

// Host ranges that one call needs; made disjoint and mapped together.
typedef struct Range2 {
    uintptr_t lo, hi;
    Slab *slab;
    bool managed;           // if a slab is made for it, of managed memory where the device has any
} Range2;

Memory *memory_new(Arena *a, Device *d, bool guarded);
size_t memory_slab_bytes(const Memory *m, const Slab *s); // its buffer
// lo..hi are addresses of the device; while a hold touches them they are taken as they are.
bool memory_adopt(Memory *m, uintptr_t lo, uintptr_t hi);
void memory_disown(Memory *m); // those that no hold touches any more
bool memory_is_own(const Memory *m, uintptr_t at);
void memory_drop(Memory *m); // all slabs, whatever is in them
// Finds or makes a slab for each range; ranges may overlap. False: out of device memory.
bool memory_map(Memory *m, int n, Range2 *ranges);
bool memory_need(Memory *m, Slab *s, const Box *b);    // b's values are on the device; false: failed
// The same of a box that is loose, or has gaps, and that a kernel is to write: notes what is on the device
// then, so that only what changes is written back.
bool memory_need_noted(Memory *m, Slab *s, const Box *b);
double memory_missing(const Memory *m, const Box *b);  // bytes that memory_need would move
bool memory_written(Memory *m, Slab *s, const Box *b); // a kernel wrote b; false: failed
bool memory_settle(Memory *m, Slab *s, const Box *b);  // brings b to the host; it is dirty no more
void memory_forget(Memory *m, Slab *s, const Box *b);  // b on the device is not to be trusted
bool memory_is_dirty(const Memory *m, const Box *b);   // may part of b be newer on the device?
bool memory_any_dirty(const Memory *m);
bool memory_held(const Memory *m, const Box *b);
bool memory_holds_some(const Memory *m, const Box *b);
// Are all bytes of this range on the device, and does anybody vouch for them?
bool memory_has(const Memory *m, uintptr_t lo, uintptr_t hi);
// What is newer on the device of the array that begins at `base` comes home.
bool memory_flush_array(Memory *m, uintptr_t base);
void memory_release_unowned(Memory *m, Slab *s);       // nobody vouches: nothing is valid
// Brings all dirty data that touch b to the host; b NULL: everything.
bool memory_flush(Memory *m, const Box *b);
bool memory_update_host(Memory *m, const Box *b);      // brings home what is in b, and nothing else
bool memory_update_device(Memory *m, Slab *s, const Box *b); // sends b, whatever was newer on the device
bool memory_discard(Memory *m, const Box *b);          // what is newer on the device is not wanted
bool memory_flush_except(Memory *m, const Box *b, const Box *keep); // but what lies in keep
void memory_forget_all(Memory *m, const Box *b);       // no slab's copy of b is trusted; NULL: all
bool memory_scope_end(Memory *m, int thread);
// From the device itself, its time noted; 0: no room.
DevPtr memory_alloc(Memory *m, size_t bytes, bool managed);
// False: nothing could be freed.
bool memory_evict(Memory *m, int n, const Range2 *keep);

// ---- seals.c
Seal *seal_set(Memory *m, uintptr_t lo, uintptr_t hi); // NULL: the device has not all of it
bool seal_is_whole(const Memory *m, const Seal *s);
void seal_drop(Memory *m, Seal *s);
void seals_break(Memory *m, const Box *b); // b NULL: all

// ---- holds.c
bool holds_cover(Memory *m, const Box *b); // each of its bytes is held
bool hold_moves_whole(const Memory *m, const Box *b); // the host keeps no values of its own in it meanwhile
size_t hold_bytes(const Memory *m, uintptr_t lo); // of the one that begins there; 0: none does
Hold *hold_around(const Memory *m, uintptr_t lo, uintptr_t hi); // one that has all of it, or NULL
bool hold_enter(Memory *m, uintptr_t lo, uintptr_t hi, int how);
bool hold_exit(Memory *m, uintptr_t lo, uintptr_t hi, int how);
bool hold_update_device(Memory *m, uintptr_t lo, uintptr_t hi);
#endif
