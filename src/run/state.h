// SPDX-License-Identifier: MIT
// state.h -- what the files of run/ share: the process's state, its regions and their calls.
//
//   sculpt_enter → unit (region.c: the text, parsed once)
//                → call (guard.c: this call's sizes, footprints, verdict; the last few kept)
//                → cost.c: is it worth it?  → build.c: the kernels
//                → memory.c: data in → launch.c: the host tree → memory.c: data out
//
// Everything here is touched under Run's lock, but for Thread, which is a thread's own.
#ifndef SCULPT_RUN_STATE_H
#define SCULPT_RUN_STATE_H
#include "run/box.h"
#include "run/formula.h"
#include "run/machine.h"
#include "run/memory.h"
#include "run/pick.h"
#include "run/run.h"
#include "run/wise.h"
#include "sculpt/sculpt.h"
#include <pthread.h>

typedef enum Offload { OFFLOAD_AUTO, OFFLOAD_ALWAYS, OFFLOAD_NEVER } Offload;

typedef struct Settings {
    const char *device;     // NULL: the best; "host": none
    Offload offload;
    const char *time_path;  // NULL: no timing; "-": a table on stderr
    const char *check_path; // NULL: stderr
    bool check, require, verbose;
    const char *plan_for;   // the machine that nests are planned for (SCULPT_PLAN_FOR); NULL: the device
    WiseUse wise;           // SCULPT_TUNE
    bool log;               // SCULPT_LOG=bench
    bool sync;              // a call waits for the nest that is planned for it (SCULPT_SYNC=1)
    bool no_chains;         // launches one by one where a graph of a few could stand (SCULPT_CHAINS=0)
    int repeat;             // launches more for timing alone
} Settings;

// What one region did so far in this process; seconds.
typedef struct Stats {
    int64_t calls, device_calls, host_calls;
    double own;      // libsculpt's own work: parsing, guards, cache, keys
    double compile;  // the device's compiler
    double load;     // loading compiled kernels
    double upload, kernel, download;
    double locking;  // page-locking arrays, and releasing them
    double alloc;    // the device's memory, given and taken back
    double waiting;  // from the first launch to the last kernel's end, but for `kernel`
    double opening;  // the device
    double looking;  // at data: index arrays whose values are to be distinct, whether there is memory
    double plan;     // planning nests while a call waited
    double bytes_up, bytes_down;
    double median;   // of repeated launches, summed over the calls that were repeated
    int64_t repeated; // these calls
    int64_t kept;     // calls that ran as an earlier run of the program kept them (kept.c)
    int64_t measured; // calls that ran a nest that measuring chose (wise.h)
    int64_t streamed; // calls whose data came and went in slices (stream.c)
    int64_t replayed; // graphs that were replayed in place of launches (graph.c, chain.c)
    double flops, bytes; // of all calls on the device; < 0: not counted
    DiagCode why;        // of the last call that stayed on the host, 0: none did
    char reason[256];
    bool warned;         // the reason was said on stderr
} Stats;

// One kernel of a nest with what a launch needs, worked out once.
typedef struct Kernel {
    const Node *node;
    KernelSig *sig;
    KernelGrid grid;
    int *object;       // [sig->narrays]: number of the object; -1 - t: temporary t of the variant
    int *move_object;  // [node->nmoves]: number of the object
    int64_t shared;    // bytes of shared memory that a block has…
    int64_t at_launch; // …and how many of them the launch gives
    bool waits;        // by itself, for the launch ahead of it
} Kernel;

// A buffer of the nest in device memory (PLACE_TEMP), kept from call to call.
typedef struct Temp {
    const Array *array;
    DevPtr ptr;
    size_t bytes;      // allocated
    bool held;         // a graph of the caller's knows it: it is never freed
} Temp;

// Kernels of a nest, compiled: for any call, or where `known` parameters have these values.
enum { MAX_SMALL = 4, MAX_SIZED = 6, MAX_BINARIES = 24 };
// Which kernels of a nest: bit i is kernel i, the last bit all from there on.
typedef struct KernelSet {
    uint64_t word[4];
} KernelSet;
typedef struct Binary {
    bool wide;              // 64-bit indices
    KernelSet kernels;
    int nknown;
    const Sym *known[MAX_SMALL];
    int64_t value[MAX_SMALL];
    Module *module;         // NULL: not yet
    bool failed;            // could not be built
} Binary;

// A footprint's expressions (Foot, and its array's extents).
typedef struct FootFormulas {
    Formula **lo, **hi, **first, **last, **extent, *written;
} FootFormulas;

// One nest for the device in use. A unit's variants form a chain: a call takes the first
// whose condition its arguments meet.
typedef struct Variant {
    const Nest *nest;
    Digest digest;          // of its text
    uint64_t wise;          // the row of wisdom that it comes from (wise_number); 0: none
    bool planned;           // here: the program does not carry it
    // Of the nest, where it has them and is no outline.
    Formula *when, *cost, *flops, *bytes, *operations;
    struct FootFormulas *feet; // [nest->nfeet]
    int *foot_object;       // [nest->nfeet]: number of the object
    int nkernels;
    Kernel *kernels;
    int ntemps;
    Temp *temps;
    struct Graph *graphs;   // noted so far (graph.c)
    struct Chain *chains;   // of a few launches (chain.c)
    struct Roomy *roomies;  // values for which it was seen that all stays in its types (narrow.c)
    int tries;              // to see that
    bool no_chains;         // it has more launches than that
    bool waits_known;       // the next, and which kernels wait
    bool roomy;             // kernels may begin early, and some need much shared memory (KernelCall.roomy)
    const char *image;      // its kernels are in the cache under this key: it is an outline (kept.c)
    int nsmall, nbinaries;
    const Sym *small[MAX_SMALL]; // sizes that are worth knowing where they are small
    Binary general[2];      // narrow, wide; all kernels, for all sizes
    Binary binaries[MAX_BINARIES]; // of the kernels that some call launches, for its small sizes
} Variant;

// Do a call's data come from the host and go home to it, and may copies go on beside kernels? If so: are all
// its arrays page-locked?
typedef enum Travel { TRAVEL_NONE, TRAVEL_PINNED, TRAVEL_PAGEABLE } Travel;

// What the nest of a call takes however many threads there are.
typedef struct Work {
    double launches;
    double steps;           // statements that one thread runs after another, in all launches together
} Work;

// One call's arguments and all that follows from them alone.
typedef struct Call {
    bool used;
    Travel travel;
    sculpt_arg *args;       // [nargs]
    Variant *v;             // what runs; the last of the chain when none may
    InterpVal *vals;        // [nvals]: parameters, then the facts that v asks for
    int nvals;
    Box *boxes;             // [v->nest->nfeet], absolute addresses
    DiagCode refusal;       // 0: the nest may run
    char why[200];
    bool wide;              // needs 64-bit indices
    bool doubted;           // values are not as nests had them promised: one that asks for nothing runs
    Work work;              // estimated, where `weighed` (cost_work)
    bool weighed;
    double flops, bytes;    // < 0: unknown
    double operations;      // of any kind, no fewer than flops; < 0: unknown
    int feet, facts;        // that there is room for
    bool ran;               // on the device
    bool decided;           // gain is known, for `epoch` of the memory and `scoped`
    double gain;            // seconds by which the device is quicker, as cost.c sees it
    bool scoped;
    uint64_t epoch;
} Call;

enum { CALL_WAYS = 4, CALL_SETS = 128, MAX_NESTS = 8 };

// A kind of calls (kinds.c), and one for which the planner was asked.
typedef struct CallKind {
    uint64_t hash;          // of all of it
    uint64_t wise;          // wise_number
    Travel travel;
} CallKind;

typedef struct PlannedKind {
    CallKind kind;
    const sculpt_arg *args; // of the call that asked
    bool planned;           // in this process: it was not in the cache
    bool came;              // the planner's answer is in use,
    bool sure;              // and no quicker nest was left out because the judge did not decide:
    uint64_t nests;         // a digest of its text
    struct Variant *v;      // its nest; NULL: nothing beats what the program carries
} PlannedKind;

// Calls whose arguments have the same hash, the oldest in the place of the next.
typedef struct CallSet {
    Call at[CALL_WAYS];
    unsigned next;
} CallSet;

// What SCULPT_CHECK found for one region.
typedef struct Checked {
    int64_t calls, interpreted; // compared; of these also with the text's interpretation
    int64_t elements, mismatches;
    double work;                // floating-point operations of the calls that were interpreted
    int contraction;            // 1: it alone makes all the differences; -1: not it alone; 0: there are none
    int64_t bits_wrong;         // elements whose bits differ from the interpretation's
    double max_rel, bound;      // greatest relative difference; bound as a multiple of epsilon
    char first[200];            // the first mismatch, in words
    char skipped[100];          // why the text was not interpreted, if so
} Checked;

// Memory for packed copies of the rows of one table; it stays for later calls.
typedef struct PackRoom {
    char *at, *old;         // old: what was copied in; NULL: nobody asked for that
    size_t bytes;           // of each
} PackRoom;
typedef enum Packing { PACKING_NOT, PACKING_ROWS, PACKING_CHECKED } Packing;

// A region of the program as libsculpt knows it; lives as long as the process.
typedef struct Unit {
    Compile *c;             // owns the region, the nest and the rest
    const char *file;       // copies: the program may unload its own
    const char *text;
    Digest digest; // of the region (wisdom.h)
    int line;
    bool always, fast, of_host; // SCULPT_ALWAYS, SCULPT_FAST, SCULPT_HOST
    sculpt_region *owned;    // of a plan (plan_api.c); NULL: a program's
    IrFile *ir;              // NULL: the text could not be read; a head as long as outlines do (kept.c)
    VEC(struct Kept *) kept; // calls of an earlier run
    VEC(struct Ran *) ran;   // calls to be kept
    struct Inspected *inspected; // inspected.c; NULL: not asked so far, or there is no inspection
    struct Looks *looks;     // promised.c; NULL: none so far
    const Region *region;
    bool chosen;            // the variants are those for the device in use
    VEC(Variant *) variants; // none: not chosen, or none fits
    struct WiseRows *wise;  // of this region; NULL: not read yet
    VEC(PlannedKind) kinds;
    bool *counts;           // [nparams], batch.c; NULL: not looked at yet
    int64_t facts[FACT_KINDS]; // of the device in use
    int64_t pageable;       // FACT_LINK for arrays that are not page-locked
    bool asks_link;         // some variant has that fact
    Formulas *formulas;     // of the variants, over the parameters and, behind them,…
    VEC(Fact) asks;         // …the facts that are not the same for each call
    InterpVal *slots;       // what they are in this call
    // page-locking arrays for a call, and copies then, are quicker than copies as they lie
    bool locking;
    int nobjects;
    const char **objects;   // names, in the order of the arguments
    int nargs;
    bool exact;             // device and host agree bit for bit
    CallSet *calls[CALL_SETS]; // NULL: none so far
    Packing packing;        // for a call that has not been left
    struct PackRoom *rooms; // [nobjects], for packed rows; NULL: none so far
    bool told_packing;
    Stats stats;
    Checked checked;
} Unit;

enum { PLAIN_MAX = 64 };
typedef struct Range {
    uintptr_t lo, hi;
} Range;

typedef VEC(pid_t) PidVec;

typedef struct Run {
    Settings set;
    Arena *arena;
    bool forked;            // a child of the process that opened the device
    bool tried;             // opening the device was tried
    bool dead;              // the device failed; nothing more runs there
    bool left;              // the process is about to end, its driver may be gone
    Device *device;
    const DeviceInfo *info;
    const Machine *machine; // of the device (run/machine.h); NULL: not asked for, or not known
    const char *self;       // build.c; NULL: not asked for
    bool cache_tried;
    Cache *cache;
    WiseFiles *wisdom;      // NULL: not asked for
    Memory *memory;
    int depth;              // how often the lock is held by its owner
    int before;             // errno when its owner took it
    int nplain;
    Range plain[PLAIN_MAX]; // of the program's memory, seen to be nowhere else (twice.c)
    int scopes;             // data scopes that are open, of all threads
    PidVec tasks, known;    // others.c: threads when it looked, and those that are not the program's
    bool looked, others;    // in the present call: did it look, and had the program other threads?
    VEC(Unit *) units;
    VEC(DiagCode) warned;   // causes that were reported
    Arena *cache_arena;     // the cache is closed with it
    struct Planner *planner; // planned.c; NULL: not needed so far
    struct Shops *shops;     // planned.c: of calls that wait for the planner; NULL: none has
    double opening;          // seconds of the present call that the device took to open
    double away;            // seconds of the present call spent outside libsculpt's own work
} Run;

typedef struct Stash Stash;
typedef struct Table Table;
typedef struct Packs Packs;
typedef struct Thread {
    int index;              // from 0, in order of first use
    int depth;              // open data scopes
    uint64_t turn;          // of its last data directive
    char *frame;            // the stack where the outermost one was opened
    Stash *stash;           // between enter and leave under SCULPT_CHECK
    Table *tables;          // tables.c: of which the call that comes has keys; until it is left
    Packs *packs;           // of these the ones that are packed for it
    char message[512];
} Thread;

// ---- state.c
Run *run_lock(void);             // never NULL; the lock is recursive
void run_unlock(Run *r);
// Is this a handler of a signal that came while its thread was in the library, or waited to be? Then nothing
// may be touched, and what is asked for isn't done.
bool run_within(void);
bool run_interrupted(void);      // was there ever one?
Thread *run_thread(void);
bool run_others(void);           // may other threads of the program be at work now?
// ---- others.c
void others_look(Run *r);        // at the beginning of a call that may start threads: r->others
void others_leave(Run *r);       // at the end of such a call: what runs now and did not then is ours
void others_between(Run *r, const Call *c); // which boxes somebody else may be storing into (Box.gaps)
void run_hear_all(bool all); // of this thread: of small calls, too
void run_set_little(const Run *r); // after a change of what it depends on: sculpt_little
// ---- api.c
// sculpt_enter, wherever it is called from; refused: nothing was done and the host's loops can't run on that
// memory.
int run_enter(sculpt_region *region, const sculpt_arg *args, int nargs, bool *is_refused);
int run_meet(void *stream, bool ours_waits); // sculpt_after_stream, sculpt_before_stream
// ---- state.c
Device *run_device(Run *r);      // opened on first use; NULL: none, or it failed
Cache *run_cache(Run *r);        // NULL: none
bool run_on_host(const Run *r);  // the settings or a fork forbid any device

// ---- region.c
Unit *unit_get(Run *r, sculpt_region *region);
bool unit_whole(Run *r, Unit *u); // reads all of its text; false after a warning
bool unit_variant(Run *r, Unit *u, const Nest *n, Digest digest, Variant *v);
bool unit_choose(Run *r, Unit *u);           // the nests for the open device; false: none
PickDevice unit_device(const DeviceInfo *d);
// Nests as text, as they were planned for that kind of calls, which is noted, become variants that calls may
// take from now on. False: the text can't be read.
bool unit_add(Run *r, Unit *u, const CallKind *kind, const char *nests);
// ---- kinds.c
// row: what measuring chose for the call; NULL: nothing.
CallKind kind_of(Unit *u, const sculpt_arg *args, Travel travel, const Wise *row);
PlannedKind *kind_find(Unit *u, const CallKind *k); // NULL: it is not noted
const PlannedKind *kind_of_nests(const Unit *u, uint64_t digest); // one that got this text; NULL: none
PlannedKind *kind_note(Unit *u, const CallKind *k, const sculpt_arg *args);
// 0: what was planned is for this very kind of call; INFINITY: it says nothing about it.
double kind_distance(const Unit *u, const PlannedKind *p, const CallKind *k, const sculpt_arg *args);
// ---- batch.c
bool batch_counts(Unit *u, int param); // does that parameter only tell how many there are of the rest?
// ---- planned.c: nests that are planned where the program runs
bool planned_is_sure(const char *nests); // was nothing left out that the judge did not decide of?
uint64_t planned_wise(const char *nests); // the row of wisdom that a text of nests comes from; 0: none
// row: what measuring chose for it; NULL: nothing.
void planned_ask(Run *r, Unit *u, const sculpt_arg *args, const CallKind *kind, const Wise *row);
// Has the planner done all that it will for this kind of call, and is that in use? *key: where it is kept.
bool planned_done(Run *r, Unit *u, const sculpt_arg *args, Travel travel, Arena *a, const char **key);
void planned_compiled(Run *r); // a compilation went through in this process
void planned_forget(Run *r); // in the child of a fork
// ---- wise_call.c: what measuring chose
typedef struct WiseRows {
    WiseVec rows;
    WiseKey key;            // region and device
    Digest digest;          // of all rows
    bool told;              // SCULPT_VERBOSE has heard of…
    const Wise *last;       // …this one
} WiseRows;
Digest wise_digest(Run *r, Unit *u); // of the region's rows, which are read if they were not
WiseHit wise_hit(Run *r, Unit *u, const sculpt_arg *args);
uint64_t wise_number(const Wise *row, Travel travel); // 0: the row has no nest of its own
void wise_log(const Run *r, const Unit *u, const sculpt_arg *args); // how to tune for that call, on stderr
void wise_tell(Unit *u, const WiseHit *h); // on stderr, unless it was the last one told
struct PlanCall;
// The nest of a row's recipe, proved anew; NULL: it does not fit any longer, or may not run.
const Nest *wise_nest(Compile *c, const Region *r, const struct PlanCall *k, const char *recipe);
// ---- guard.c
Call *call_get(Run *r, Unit *u, const sculpt_arg *args, Travel travel);
Call *call_known(Unit *u, const sculpt_arg *args, Travel travel); // NULL: not among those remembered
// As that variant, of which all is known but where the arrays are; NULL: that speaks against it.
Call *call_as(Unit *u, Variant *v, const sculpt_arg *args, Travel travel, bool wide, Work work);
// A promise of its nest is broken: the nest that runs without. False: none does, and the call is as it was.
bool call_doubt(Run *r, Unit *u, Call *c);
void call_forget(Unit *u);
// ---- kept.c: calls that an earlier run of the program made
typedef struct Kept Kept;
Kept *kept_find(Run *r, Unit *u, const sculpt_arg *args); // before a device is open; NULL: none
// NULL: it is no good here.
Call *kept_call(Run *r, Unit *u, Kept *k, const sculpt_arg *args, const Thread *t);
void kept_spoil(Kept *k); // its nest does not suit what the program has now
void kept_note(Unit *u, const Call *c); // it ran on the device
void kept_write(Run *r);                // at exit: what was noted
// A kernel of an outline with its body, over the same parameters; vals: over the outline's facts and counters
// first, then over its own. NULL: not to be had.
const Node *kept_body(Run *r, Unit *u, const Variant *v, const Node *kernel, int nvals, InterpVal *vals);
Travel call_travel(const Run *r, const Unit *u, const sculpt_arg *args, const Thread *t);
// The bytes of a footprint with these values, its array's base pointer being there. False: none.
bool guard_box(const Foot *f, uintptr_t base, int nvals, const InterpVal *vals, Box *out);
// ---- inspected.c: what loops ahead of a call found in its data
bool inspected_recall(Run *r, Unit *u, sculpt_arg *args); // true: filled in; false: they are to run
bool inspected_idle(Unit *u); // so far no call went through, and their ends are all that need be known
void inspected_note(Run *r, Unit *u, const Call *c);      // the call went through
// ---- narrow.c: does what the nest computes stay in its types? *wide: do its indices need 64 bits?
bool widths_hold(Unit *u, const Call *c, bool *wide);
// ---- present.c
// The first array that may be touched where the process has no memory, or stored to where it may not write;
// NULL: none.
const Array *present_all(const Run *r, const Call *c);
// The first array of which bytes have two addresses that the call would take for two places; NULL: none.
const Array *twice_mapped(Run *r, const Call *c);
bool twice_is_private(const Run *r, const Box *b); // was that seen to be no other process's, either?
// The first promise about an index array's values that does not hold in the call; NULL: none.
const Promise *promise_broken(Run *r, Unit *u, const Call *c);
// ---- tables.c: tables of pointers whose rows lie anywhere
// The call's arguments with packed copies in the place of such tables; live until tables_end. NULL: there are
// none, or nothing can be done for them.
const sculpt_arg *tables_begin(Run *r, Unit *u, const sculpt_arg *args, Thread *t);
bool tables_have(const Thread *t, const Box *b);                    // is it in such a copy?
bool tables_pack(Run *r, Unit *u, const Call *c, Thread *t);        // false after report_refusal
void tables_unpack(Run *r, Unit *u, const Call *c, Thread *t);      // what the kernels wrote goes to the rows
void tables_read_again(Thread *t);                                  // what the original loops wrote
void tables_end(Thread *t);
bool tables_are_of_another(const Thread *t, const Unit *u); // of a call around this one
// ---- cost.c
enum { LITTLE_WORK = 40000 }; // operations that the host has done before any device has begun
bool cost_decide(Run *r, Call *c, const Thread *t);
bool cost_is_sparse(const Run *r, const Call *c); // next to nothing is used of what would be moved
bool cost_is_tiny(const Unit *u, const sculpt_arg *args); // for any device
Work cost_work(Call *c); // estimated when it is asked for
// ---- build.c
// Which libsculpt this is: another build may print other kernels for the same nest, or plan others.
const char *build_self(Run *r);
// sizes.c
void sizes_find(Variant *v);           // sets v->small
Binary *sizes_binary(const Call *c);   // the kernels that the call takes, compiled or not
typedef struct Wanted {
    const Variant *v;
    const Binary *binary;
} Wanted;
bool sizes_wanted(const Node *kernel, const void *arg); // arg: a Wanted
KernelSet sizes_all(void);
// Does a kernel that the call may launch use temporary t?
bool sizes_uses(const Variant *v, const Binary *b, int t);
// Only into the cache. False: they can't be built; nobody is told.
bool build_ahead(Run *r, Unit *u, const Call *c);
const char *build_key(Run *r, const Unit *u, const Call *c, Arena *a); // of the call's kernels in the cache
Module *build_module(Run *r, Unit *u, const Call *c);  // NULL after report_refusal
int64_t build_launch_shared(const Run *r, const Node *kernel); // see Kernel.at_launch
// ---- launch.c
typedef struct Launch {
    Run *run;
    Unit *unit;
    Call *call;
    Module *module;
    const DevPtr *ptr;       // [nobjects]
    const int64_t *offset;   // [nobjects], bytes of the base pointer in ptr
    int64_t launched;        // kernels started
} Launch;
void launch_waits(Run *r, Unit *u, Variant *v); // which of its kernels wait by themselves
bool launch_nest(Launch *l);     // false: refused or failed; the device's error tells
bool launch_temps(Run *r, const Call *c);
// One kernel, with the values of the parameters and of the host loops around.
bool launch_kernel(Launch *l, const Node *kernel, int nvals, InterpVal *vals);
// Visits the kernels in the order of their launches, without launching any.
typedef bool LaunchVisit(const Node *kernel, int nvals, InterpVal *vals, void *arg);
bool launch_walk(Launch *l, LaunchVisit *visit, void *arg);
// What one launch is given where it follows others; its name is NULL where there is nothing to do. All in the
// arena.
bool launch_call(Launch *l, Arena *a, const Node *kernel, int nvals, InterpVal *vals, KernelCall *out);
// ---- chain.c: a few launches as a graph
// True: the nest's launches are under way, or failed (*ok). False: they are to be made one by one.
bool chain_run(Launch *l, bool *ok);
void chain_forget(Run *r, Variant *v);
// ---- stream.c: launches whose data come and go while others run
typedef struct Stream Stream;
// host: [nobjects] base pointers in the place of the call's; NULL: the call's own. NULL: the nest
// is not streamed, or not with these values. Lives as long as the arena.
Stream *stream_plan(Arena *a, Launch *l, char *const *host);
// Data in, kernels, data out; nothing is under way when it returns. *torn: where it fails, the array that
// the region also reads and of which some values had come home; NULL: the original loops may run.
bool stream_run(Stream *s, const Array **torn);
double stream_bytes(const Stream *s, bool up);
void graph_forget(Run *r, Variant *v); // graph.c
// ---- repeat.c
void repeat_time(Launch *l); // of a call that is over
// ---- watch.c, for check.c
typedef struct Watch Watch;
Watch *watch_new(const Call *c); // notes what is there; NULL: no memory
void watch_free(Watch *k);
// How many bytes of it have changed outside of the boxes that the nest may write; the first: of which array,
// how far behind its base.
int64_t watch_strays(const Watch *k, const Nest *n, const Box *boxes, const Array **array, int64_t *first);
// How many bytes a call of guarded memory changed on the device outside of them. Its inputs are still on the
// host.
int64_t watch_device(Memory *m, const Nest *n, const Box *boxes);
// ---- check.c
void check_enter(Run *r, Unit *u, Call *c, Thread *t);
void check_leave(Unit *u, Thread *t);
// ---- lock.c
enum { LOCKS_MAX = 16 };
typedef struct LockRange {
    uintptr_t lo, hi;
    bool locked;
} LockRange;
typedef struct Locks {
    int n;
    LockRange at[LOCKS_MAX];
    double seconds;          // spent locking and releasing
} Locks;
void lock_arrays(Run *r, const Unit *u, const Call *c, Locks *k);
void lock_release(Run *r, Locks *k); // after all copies
// ---- execute.c: one call on the device, data and all
typedef enum Outcome { OUTCOME_DONE, OUTCOME_REFUSED } Outcome;
Outcome execute(Run *r, Unit *u, Call *c, const Thread *t, bool resident);
// ---- report.c
// Notes that a call stays on the host and why; warns once a process and cause when the
// device is at fault, once a region when SCULPT_VERBOSE is set.
void report_refusal(Run *r, Unit *u, DiagCode code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// One line: a variable of the environment has a value that means nothing.
// words: what the value may be, NULL ends them; or NULL.
void report_setting(const char *name, const char *value, const char *why, const char *const *words);
void report_misspelt(const char *name, const char *meant); // a variable of the environment
void report_warning(Run *r, DiagCode code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
// Data that only the device had are lost: says so and aborts, for no right answer is left. u: where, NULL
// for no region; torn: the array of which some had come home, NULL for none.
_Noreturn void report_lost(const Unit *u, const char *why, const Array *torn);
void report_at_exit(void);
enum { EXIT_CHECK = 4 };
char *report_check(const Unit *u); // what SCULPT_CHECK tells of a region, malloc's; NULL: no memory
#endif
