// SPDX-License-Identifier: MIT
// notes.h -- the lecture notes' topics: what bench/notes/*.nest say, what was measured of it, what the model
// predicts.
//
//   notes.c          the verb: measures here, or takes what was kept (--against)
//   notes_read.c     bench/notes/NAME.nest: a region, its nests, and lines
//                            //topic TITLE
//                            //row NAME; nest K; n=4096 s=1        the K-th nest at these sizes
//                            //row NAME; nest K; n=64; calls 64 looks 1
//                                                  called so often; the host waits for a value after each
//   notes_row.c      one row: predicted, printed, as JSON
//   notes_tally.c    all rows: median error, order
#ifndef SCULPT_BENCH_NOTES_H
#define SCULPT_BENCH_NOTES_H
#include "bench/bench.h"
#include "model/findings.h"

typedef struct NoteRow {
    const char *name, *settings;
    int nest, calls, looks;
} NoteRow;

typedef struct Note {
    const char *file, *topic, *region;
    Texts nests;                  // as text, each alone
    VEC(NoteRow) rows;
} Note;

// NULL, or what is wrong with the file.
const char *note_read(Bench *b, const char *path, Note *n);
void notes_find(Bench *b, Texts *out); // names of the files, in order

// A kernel's registers a thread, as a compiler gave them.
typedef struct NoteKernel {
    const char *name;
    int registers;
} NoteKernel;

// A row's time, and where and when it was taken.
typedef struct NoteTime {
    const char *topic, *row;      // kept rows alone
    const char *device, *date;    // NULL: not known
    const char *text;             // note_text of what ran; NULL: not known
    double seconds;               // <= 0: there is none, and…
    const char *why;              // …this is why
    VEC(NoteKernel) kernels;
} NoteTime;
typedef struct NoteTimes {
    NoteTime *at;
    int n, cap;
} NoteTimes;
bool kept_notes(Bench *b, NoteTimes *out); // kept_rows.c: those of b->against; false after a message

// What the model says of it.
typedef struct NoteCost {
    const NestCost *cost;         // NULL: the nest or its sizes can't be read
    Findings findings;
    double seconds;
    bool assumed;                 // data decide some of it
    // part of the inner loop's instructions that is arithmetic; < 0: there is no loop
    double work;
} NoteCost;
// s: values of the region's parameters. Registers are those of t.
NoteCost note_predict(Bench *b, const Note *n, const NoteRow *r, const SettingVec *s, const NoteTime *t,
                      const Machine *m);
// Known by it: the nest, its region and its sizes, as eight digits.
const char *note_text(Arena *a, const Note *n, const NoteRow *r);
// Registers by the device's compiler, where it is here. Fills t->kernels.
void note_compile(Bench *b, const Note *n, const NoteRow *r, const Machine *m, NoteTime *t);
// A line of the table and one of JSON. remark: behind the line; "": none.
void note_put(Bench *b, const Note *n, const NoteRow *r, const NoteTime *t, const NoteCost *x,
              const char *remark);

// ---- all rows
enum { NOTE_ROWS = 512 };
typedef struct NoteTally {
    int n;
    struct {
        const char *topic;
        double predicted, measured;
        bool assumed;
    } at[NOTE_ROWS];
} NoteTally;
void note_count(NoteTally *t, const Note *n, const NoteTime *time, const NoteCost *x);

// What the rows say together. Bars: the median of the rows that no data decide, the rank correlation.
static const double NOTE_MEDIAN = 0.25, NOTE_RANK = 0.9;
typedef struct NoteSummary {
    int rows, assumed;            // in all; of them, those where data decide
    double error;                 // median of |predicted / measured - 1| of the others
    double error_all;             // of all
    double rank;                  // correlation of ranks, of all
    int pairs, in_order;          // of a topic, with times more than a tenth apart
} NoteSummary;
NoteSummary note_summary(Arena *a, const NoteTally *t);
#endif
