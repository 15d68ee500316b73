// SPDX-License-Identifier: MIT
// sculpt.h -- the run-time interface of libsculpt.
//
// Programs built by `sculpt cc` call sculpt_enter and its relatives from text that the
// compiler wrote; people call sculpt_malloc and the queries. No function here prints
// (but with SCULPT_VERBOSE or SCULPT_TIME set), exits or throws; all are thread-safe.
#ifndef SCULPT_H
#define SCULPT_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { SCULPT_ABI = 1 };
enum {
    SCULPT_TEAM = 1,   // flags: one thread calls while the others of its team wait
    SCULPT_ALWAYS = 2, // it runs on the device whether that pays or not
    SCULPT_FAST = 4,   // under fast math: subnormal numbers may count as zero or not
    SCULPT_HOST = 8,   // of no construct for the device: what directives hold there are copies, not its data
};

// One marked place of a program; a static object beside the loops that it stands for.
typedef struct sculpt_region {
    int abi;           // SCULPT_ABI
    int flags;         // of SCULPT_TEAM, SCULPT_ALWAYS, SCULPT_FAST, SCULPT_HOST
    const char *text;  // nest text: the region, then one nest for each kind of machine
    const char *file;  // where the loops are
    int line;
    void *state;       // libsculpt's; NULL at start
} sculpt_region;

// An argument of a region: first the base pointers of its objects, in the order in which
// the region's arrays first name them, then its parameters in order (integers as i,
// floating point as f).
typedef union sculpt_arg {
    void *p;
    long long i;
    double f;
} sculpt_arg;

// Runs the region. 1: done, the host's memory is current (or will be when its data scope
// ends). 0: nothing was done and the caller must run the original loops. Then, in both
// cases, the caller calls sculpt_leave with the same arguments. nargs -1: the threads that
// share the loops' iterations disagree on the arguments; -2: one thread shall run them, in
// their order; the answer is 0.
// May be left out, with sculpt_leave, where the region's work, in operations, is less than *sculpt_little.
int sculpt_enter(sculpt_region *r, const sculpt_arg *args, int nargs);
// Of a region whose text has inspections: 1 if what they find in the data is known from a call before, and
// stands in args now. 0: the caller must find it before it calls sculpt_enter; the host's values of what is
// read for that are current. 2: so must it, but whether values differ is not asked for: calls so far stayed
// on the host.
int sculpt_recall(sculpt_region *r, sculpt_arg *args, int nargs);
void sculpt_leave(sculpt_region *r, const sculpt_arg *args, int nargs);

// A table of pointers to rows, T **a, or of pointers to such tables, T ***a.
typedef struct sculpt_table {
    const void *at;
    long long bytes;       // of an element of a row
    int levels;            // 1: T **a; 2: T ***a
    int unsure;            // not all pointers that are counted here need be there, or lead anywhere
    long long lo[2], hi[2];   // which subscripts are used: lo .. hi - 1, at each level
    long long stride, offset; // bytes from one pointer of `at` to the next; of the first from its beginning
} sculpt_table;
// Where a[0][0] would be if all rows that are used lie at equal distances; pitch[levels - 1], in elements, is
// that from one row to the next, pitch[0] of two how many rows lie from one table to the next. Else all
// pitches are 0, and the answer is only good as an argument of sculpt_enter, which then takes packed copies
// of the rows, or says 0. pitch may be NULL.
void *sculpt_rows(const sculpt_table *t, long long *pitch);

// Of each thread: 0 before its first call, while data may be on a device, and where each call shall be heard
// of (SCULPT_OFFLOAD=always, SCULPT_TIME and others).
extern __thread const int *sculpt_little;

// ---- data scopes -----------------------------------------------------------------------
// Between begin and end the host promises not to touch arrays that regions inside it use,
// but through the calls below; transfers are made only where an array is first needed and
// when the scope ends. Scopes nest; each thread has its own.
void sculpt_data_begin(void);
void sculpt_data_end(void);
// OpenACC's and OpenMP's directives, with their reference counts: bytes at p are kept on the device.
enum { SCULPT_COPYIN = 1, SCULPT_COPYOUT = 2, SCULPT_CREATE = 4, SCULPT_PRESENT = 8 };
enum {
    SCULPT_FINALIZE = 16, // of an exit: nothing that was entered counts any longer
    SCULPT_SCOPE = 32,    // OpenACC's data construct begins or ends: counted by itself
    SCULPT_ALSO = 64,     // of the directive that this thread's call before was of: counts once with it
    SCULPT_MEMBER = 128,  // with SCULPT_ALSO: of the same structure, which comes and goes as a whole
    SCULPT_OWN = 256,     // of an enter: p is an address of the device's own memory, which stays the caller's
                          // (CUDA; on other devices it is the host's memory, and this does nothing).
                          // Loops that are given it can't run on the host: see sculpt_on_refusal
    SCULPT_ROW = 512,     // one of the rows of a table of pointers,
    SCULPT_MORE = 1024,   // and not the last of those that come one after another
};
void sculpt_data_enter(void *p, size_t bytes, int how);
void sculpt_data_exit(void *p, size_t bytes, int how);  // SCULPT_COPYOUT: bring it back
// Of an exit and of updates, 0 bytes are all that was entered at p.
// May a device find these bytes by the calls above? It may where it has no memory of its own.
int sculpt_is_present(const void *p, size_t bytes);
void sculpt_update_host(void *p, size_t bytes);
void sculpt_update_device(void *p, size_t bytes);
// What is called where loops were given the device's own memory and can't run there: why. It must not
// return (a longjmp is allowed); NULL, as at the beginning: the program is aborted. While one is set, this
// thread's loops run on the device whether that pays or not. Of each thread.
// Returns the one before.
typedef void sculpt_refusal(const char *why);
sculpt_refusal *sculpt_on_refusal(sculpt_refusal *f);
// Loops that are called from now on wait for what is in this stream of the device's driver (a CUstream or
// cudaStream_t) by now; what is put into it from now on waits for loops called by now. 0: no device.
// 2 of the first: the stream is being captured into a graph. Until the second is called, loops become part of
// that graph, nothing is allocated, and what a call of the same sizes has not prepared before fails.
int sculpt_after_stream(void *stream);
int sculpt_before_stream(void *stream);
// All data on the host are current after this.
void sculpt_flush(void);

// ---- plans ---------------------------------------------------------------------------------
// A region without a program around it: planned for sizes, then executed as often as one likes.
typedef struct sculpt_plan sculpt_plan;
enum {
    SCULPT_ESTIMATE = 0,    // what wisdom knows, else what the model expects to be the quickest
    SCULPT_MEASURE = 1,     // measured first, where wisdom does not know these sizes ('sculpt tune')
    SCULPT_PATIENT = 2,     // the same, looking longer
    SCULPT_WISDOM_ONLY = 4, // no plan unless it was measured before
};
// Of C text: the loops marked in it, or those that can be taken without a mark; there must be one region. Of
// a region's text, as `sculpt emit --dump=region` prints it. sizes: "n=512 m=64", all whole numbers among the
// parameters. NULL: sculpt_message() says why. C text and measuring need the `sculpt` program beside the
// library or in $PATH; the caller's arrays are never touched by planning.
sculpt_plan *sculpt_plan_c(const char *source, const char *sizes, unsigned flags);
sculpt_plan *sculpt_plan_region(const char *text, const char *sizes, unsigned flags);
// The arrays that it takes, by number from 0; NULL: there are no more. And its floating-point parameters.
const char *sculpt_plan_array(const sculpt_plan *p, int i);
const char *sculpt_plan_scalar(const sculpt_plan *p, int i);
// What the i-th of them is to the loops. 0: there is none.
typedef struct sculpt_array {
    const char *name, *type; // of its elements: "f32", "i64", …; "": of several types
    size_t bytes;            // from its beginning to the end of what they reach
    int written;             // they write to it
} sculpt_array;
int sculpt_plan_describe(const sculpt_plan *p, int i, sculpt_array *out);
// Runs it on arrays and values in that order; any thread may. An array may lie in the host's memory or in the
// device's own (CUDA). Results are there when it returns. Where the device can't, it runs on the host,
// slowly; not with arrays of the device. 0: it was not run, and sculpt_message() says why.
int sculpt_execute(const sculpt_plan *p, void *const *arrays, const double *scalars);
// The same in a stream (a CUstream or cudaStream_t; NULL: the default one): behind what is in it by now, and
// before what is put into it from now on. With arrays of the device's nothing waits, and while the stream is
// captured the call becomes part of the graph: nothing is allocated, so one of these sizes has to come
// before.
int sculpt_execute_on(const sculpt_plan *p, void *stream, void *const *arrays, const double *scalars);
double sculpt_cost(const sculpt_plan *p);   // seconds, measured or by the model; < 0: not known
double sculpt_flops(const sculpt_plan *p);  // < 0: not known
char *sculpt_plan_print(const sculpt_plan *p); // what it is and where it comes from; free it
void sculpt_destroy(sculpt_plan *p);        // NULL is allowed
// All of the user's wisdom as text; free it. NULL: sculpt_message() says why.
char *sculpt_export_wisdom(void);
// All rows of a text or none; how many, -1: sculpt_message() says why.
int sculpt_import_wisdom(const char *text);

// ---- memory ------------------------------------------------------------------------------
// Pinned memory where the device can pin, else malloc's. Free with sculpt_free.
void *sculpt_malloc(size_t bytes);
void sculpt_free(void *p);

// ---- queries -------------------------------------------------------------------------------
// What went wrong last in this thread, "" for nothing; valid until the next call.
const char *sculpt_message(void);
// The device in use ("cuda:0 NVIDIA H200"), or "host" when there is none.
const char *sculpt_device_name(void);

#ifdef __cplusplus
}
#endif
#endif
