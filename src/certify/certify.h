// SPDX-License-Identifier: MIT
// certify.h -- the small checker of what `sculpt check --certificate` writes. It uses nothing but libc.
//
//   read.c      memory; the text as lists of words
//   integer.c   conjunctions of linear constraints over integers: is there no solution?
//   affine.c    whole numbers and conditions of them as constraints
//   program.c   the two programs: loops, conditions, copies; what runs when and touches what
//   flow.c      facts about reads: the last write before, and the updates since
//   value.c     the walk: what an element is in the end, in both programs
//   sum.c       facts about sums: what they add, one for one
//   order.c     accesses inside their arrays; threads that meet
//   main.c      the answer
//
// Facts are hints. Nothing is believed that is not shown here from the programs alone; a fact that is wrong
// or missing makes the certificate be refused.
#ifndef SCULPT_CERTIFY_H
#define SCULPT_CERTIFY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t Int;

// ---- memory and text ------------------------------------------------------------------------------
void *take(size_t bytes); // zeroed
void *more_room(void *at, int n, size_t each); // for one more behind n
// One more behind the n of a list, for which there is room then.
#define MORE(at, n) ((at) = more_room((at), (n), sizeof *(at)), &(at)[(n)++])
size_t take_mark(void);
void take_back(size_t mark); // all that was taken since
bool is(const char *x, const char *y); // the same word
bool among(const char *word, const char *words);
void refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn)); // the certificate
bool fail(const char *fmt, ...) __attribute__((format(printf, 1, 2))); // false; the first reason is told
extern const char *failed;

typedef struct Item { // a word, or a list in brackets
    const char *word; // NULL: a list
    int n, line;
    struct Item **at;
} Item;
Item *read_items(const char *text);
bool item_is(const Item *x, const char *head); // a list whose first word is that
void malformed(const Item *x) __attribute__((noreturn));
const char *item_word(const Item *x, int k); // item k of list x
Int item_int(const Item *x, int k);
int item_index(const Item *x, int k, int n); // from 0 to n - 1
const Item *item_list(const Item *x, int k);

// ---- integers -------------------------------------------------------------------------------------
typedef struct Linear { // c[0] + c[1] * variable 0 + …
    int n;
    Int *c;
} Linear;
typedef struct Row { // == 0 or >= 0
    const struct Row *prev;
    bool equal;
    int defines; // that variable, a quotient or an image: it has one value, whatever the others are; -1: none
    Linear l;
} Row;
typedef struct At { // where a value stands
    const struct Leaf *leaf; // whose counters are the variables from c on
    int c;
    const struct Ex *x;
    bool untouched; // of a load: what was there before everything
    bool sum; // of a load: where updates may be
} At;
typedef struct Conj { // one case
    const Row *last;
    int n; // variables
    Linear v, w; // what was asked for there: whole numbers (affine.c),
    At at; // what is loaded or chosen (value.c)
} Conj;
typedef struct Set { // all cases
    int n;
    Conj *at;
    bool bad; // what was asked for cannot be told
} Set;
typedef struct Vars {
    int n;
    const int *at;
} Vars;

Linear linear_int(Int v);
Linear linear_var(int v);
Linear linear_add(Linear x, Int by, Linear y); // x + by * y
bool linear_is_int(Linear x, Int *v);
Conj conj_here(int n); // the sizes, and so many variables
Conj conj_row(Conj j, Linear l, bool equal); // j and l == 0, or l >= 0
Conj conj_less(Conj j, Linear x, Linear y, Int by); // x + by <= y
Conj conj_same(Conj j, Linear x, Linear y);
Conj conj_same_vars(Conj j, int v, int w, int n); // n of them
Conj conj_quotient(Conj j, Linear x, Int by, int *var); // a new variable, floor(x / by)
Conj conj_define(Conj j, int var, Linear x); // a variable of which nothing was known is x
bool conj_empty(Conj j); // true: certainly
bool always_same(Conj j, Linear x, Linear y);
Vars span(int first, int n);
Vars vars_and(Vars x, int first, int n);
Vars vars_of(Conj j); // all but the atoms
// A piece's variables behind the atoms are those of `at`, the others new ones; images come first of these.
Conj conj_put(Conj j, Conj piece, Vars at);
void set_add(Set *to, Conj j);
void set_add_all(Set *to, Set s);
Set set_of(Conj j);
Set set_put(Set s, Set pieces, Vars at); // what of s is in each of the pieces
Set set_outside(Set s, Set pieces, Vars at); // what of s is in none of them
bool set_inside(Set s, Set pieces, Vars at); // nothing is outside
extern int checks; // how many systems were shown to have no solution

// ---- programs -------------------------------------------------------------------------------------
// Variables 0 … ATOMS - 1 of every conjunction are sizes and what is made of them. No loops are deeper than
// DEEPEST.
enum { ATOMS = 40, DEEPEST = 32 };

typedef struct Array {
    const char *name, *type, *place;
    int rank, number, scope; // loops around its declaration
    struct Ex **extent; // NULL: not known
    bool lanes, sized, declared, here, user;
} Array;

typedef enum ExKind { EX_INT, EX_FLOAT, EX_SYM, EX_LOAD, EX_OP, EX_CAST, EX_CALL } ExKind;
typedef struct Ex {
    ExKind kind;
    const char *type, *word; // word: operator, function, number, name
    int id, nargs;
    struct Ex **arg;
    Int i;
    int var; // EX_SYM: the counter's place among the loops around; -1: a size
    const Array *array; // EX_LOAD
    int access; // EX_LOAD: its number in the leaf
} Ex;

typedef struct Loop {
    const char *name, *how;
    Ex *lo, *hi;
    Int step;
} Loop;

typedef struct Edge { // from a read to a write: over the reader's counters and the writer's
    const struct Leaf *to;
    bool base; // not an update; the writer's counters are images
    Set rel;
} Edge;

typedef struct Asked { // a condition that data decide, and what it has to be
    const struct Asked *prev;
    const Ex *cond;
    bool want;
} Asked;
typedef struct Way { // to one of the places of a load in its expression
    Set where; // over the leaf's counters
    const Asked *asked;
} Way;

typedef struct Access {
    struct Leaf *leaf;
    const Array *array;
    Ex *const *sub;
    const Ex *load; // NULL: the write
    int nways, nedges;
    Way *way; // one, unless it is a load of several places
    bool flow; // a fact says where its values come from
    bool covered; // for the sizes of the context: it was written, always
    Edge *edge;
    Set based, summed; // over its counters: where bases are, where updates
} Access;

typedef struct Leaf {
    struct Program *program;
    int number, order, depth, line, kernel, outer; // kernel 0: on the host; outer: loops around the kernel
    const Loop **loop;
    bool guarded; // conditions are around
    const char *op; // of the update, "=" for none
    bool atomic, barrier, warp;
    Ex *src;
    int naccesses;
    Access *access; // 0: the write
    Set domain; // over its counters
} Leaf;

typedef struct Program {
    const char *name;
    int nleaves;
    Leaf **leaf; // those after `nleaves` read arrays at the end, in arrays' order
} Program;

extern Program programs[2]; // the loops, the kernel
extern int narrays;
extern Array *arrays;
extern Conj context; // the sizes; one of their pieces

void read_arrays(const Item *x);
void read_parameters(const Item *x); // of facts
void read_program(const Item *x, Program *p);
Set read_set(const Item *x, int from, int dims, int images); // images: of maps, how many follow
Set read_sizes(const Item *x);
Leaf *program_end(Program *p, const Array *a); // reads all of it at the end
Leaf *leaf_of(const Item *x, int k, Program *p); // no barrier
Program *program_of(const Item *x, int k);
Access *load_of(const Item *x, int k, Leaf *l);
bool same_expression(const Ex *x, const Ex *y); // word for word
bool written(const Program *p, const Array *a);
int common_loops(const Leaf *x, const Leaf *y);
Conj with_counters(Conj j, const Leaf *l, int *c); // new variables
Set in_domain(Set s, const Leaf *l, int c); // c is in the domain
Set same_word(Set s, const Access *x, int cx, const Access *y, int cy); // bad: not affine
Set before(Set s, const Leaf *x, int cx, const Leaf *y, int cy); // x runs first

// ---- what is affine -------------------------------------------------------------------------------
int atoms_used(int more); // so many more are, too
const char *atom_name(int v);
// Cases of a whole number, where counters are the variables from c on: each has it as its v. Bad: it is not
// affine.
Set affine(const Ex *x, int c, Set s);
Set affine_both(const Ex *x, int cx, const Ex *y, int cy, Set s); // v and w
Set holds(const Ex *x, int c, bool want, Set s); // cases of a condition

// ---- facts ----------------------------------------------------------------------------------------
void read_flow(const Item *x);
void read_sum(const Item *x);
void read_rows(const Item *x); // the first and last rows that the loops touch
void read_steps(const Item *x); // of recurrences
void read_place(const Item *x); // where the loops make the same access
void check_flow(void);
void check_steps(void);
void check_arrays(void);
void check_bounds(void);
void check_order(void);

Set bases(Conj j, At x); // all that a load may be where nothing updates it: each case has it as its `at`
bool same_value(Conj j, Vars points, At x, At y);
bool same_subscript(Conj j, Vars points, At x, At y); // of whatever type
bool is_neutral(Conj j, At x, const char *op); // it adds nothing
const char *sum_operator(const Ex *x); // NULL: it is no sum
// False: x and y, two sums, are not the same where facts say so. *apart: where none does.
bool by_sums(Conj j, Vars points, At x, At y, Set *apart);
void forget_sums(void); // that they were shown, when the context changes
#endif
