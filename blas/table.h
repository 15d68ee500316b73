// SPDX-License-Identifier: MIT
// table.h -- blas.def as it was read, and what the writers share. Internal to blas_make.
#ifndef BLAS_TABLE_H
#define BLAS_TABLE_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Sort { LETTER, SIZE, NUMBER, VECTOR, STEP, MATRIX, ROWS, POINTER } Sort;

typedef struct Arg {
    Sort sort;
    char name[16], expr[64]; // expr: a vector's length, the least leading dimension
    char type;               // of a number: 't' the routine's own, 'r' a real one
    bool is_written, is_any; // is_any: an increment that may be negative or zero where others are refused
} Arg;

typedef struct Row {
    Arg arg[20];
    int n;
    char result; // 't', 'r', 'd', 'i', or 0
    int row[20]; // arguments in the order of a call for row-major matrices
    bool turned[20];
    bool has_order;
    char operations[64], room[64]; // room: elements of a routine's own data
    bool is_extra, is_batched;     // is_extra: not of the reference BLAS
} Row;

typedef struct Routine {
    char name[16], letter;
    const Row *row;
} Routine;

extern Routine routines[300];
extern int n_routines;

// The arguments as a call has them: for each sort a format of its name, NULL where it is left out.
typedef const char *Formats[POINTER + 1];

// ---- make_table.c
void die(const char *what, const char *where);
int find_arg(const Row *r, const char *name);
bool has_arg(const Row *r, const char *name);
void read_all(const char *path);
const char *expr_of(const char *text);

// ---- make_words.c: names, types and lists of arguments
bool is_in_cublas(const Routine *t);
bool is_ours(const Routine *t); // single and double: there are loops of it
const char *real_of(char letter);
const char *element_of(char letter);
const char *result_of(const Routine *t);
void comma(int i, int per_line);
void fortran_parameters(const Routine *t, bool with_lengths);
void value_parameter(const Routine *t, const Arg *a, const char *integer, bool is_c);
void c_prototype(const Routine *t);
void core_prototype(const Routine *t, bool is_strided);
bool has_stride(const Arg *a);
void fortran_prototype(const Routine *t, bool with_lengths);
const char *upper(const char *name);
void call(const Row *r, Formats f);
const char *letters_of(const Arg *a);
int place_of(const Row *r, int i, bool is_strided);
void write_checks(const Row *r, bool is_strided);

// ---- make_entry.c, make_device.c, make_cublas.c, make_tries.c: to standard output
void write_entries(void);
void write_header(void);
void write_devices(void);
void write_device_header(void);
void write_cublas(void);
void write_tries(void);
void write_cublas_tries(void);

#endif
