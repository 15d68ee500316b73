// SPDX-License-Identifier: MIT
// certify.h -- the small checker of what `sculpt check --certificate` writes. It uses nothing but libc.
//
//   read.c      the text as lists of words
//   integer.c   conjunctions of linear constraints over integers: is there no solution?
//   program.c   the two programs: loops, conditions, copies; what runs when and touches what
//   flow.c      facts about reads: the last write before, and the updates since
//   sum.c       facts about sums: what they add, one for one
//   value.c     the walk: what an element is in the end, in both programs
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
size_t take_mark(void);
void take_back(size_t mark); // all that was taken since
void refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn)); // the certificate

typedef struct Item { // a word, or a list in brackets
    const char *word; // NULL: a list
    int n;
    struct Item **at;
    int line;
} Item;
Item *read_items(const char *text);
bool item_is(const Item *x, const char *head); // a list whose first word is that
const char *item_word(const Item *x, int k); // item k of list x
Int item_int(const Item *x, int k);
const Item *item_list(const Item *x, int k);

// ---- integers -------------------------------------------------------------------------------------
// c[0] + c[1] * variable 0 + …  == 0 or >= 0. A row that defines its last variable, a quotient or an image,
// holds for exactly one value of it, whatever the others are.
typedef struct Row {
    const struct Row *prev;
    bool equal, defines;
    int n; // c[0 … n]
    Int c[];
} Row;
typedef struct Conj {
    const Row *last;
    int n; // variables
} Conj;
typedef struct Linear {
    int n;
    Int *c; // [n + 1], c[0] without variable
} Linear;
typedef struct Conjs {
    int n, room;
    Conj *at;
} Conjs;

Conj conj_row(Conj j, Linear l, bool equal); // j and l == 0, or l >= 0
Conj conj_less(Conj j, Linear x, Linear y, Int by); // x + by <= y
Conj conj_same(Conj j, Linear x, Linear y);
Conj conj_same_vars(Conj j, int v, int w);
Conj conj_quotient(Conj j, Linear x, Int by, int *var); // a new variable, floor(x / by)
void conjs_add(Conjs *to, Conj j);
Conj conj_define(Conj j, int var, Linear x); // a variable of which nothing was known is x
Linear linear_int(Int v);
Linear linear_var(int v);
Linear linear_add(Linear x, Int by, Linear y); // x + by * y
Int linear_coef(Linear x, int v); // -1: the number
bool linear_is_int(Linear x, Int *v);
bool conj_empty(Conj j); // true: certainly
// b's variables below `fixed` are j's map[v], the others new ones; the first of them is *first (may be NULL).
// rules: its constraints too, not its definitions alone.
Conj conj_put(Conj j, Conj b, int fixed, const int *map, bool rules, int *first);
// Calls `found` with what of j is in none of the pieces, which share j's first `fixed` variables.
typedef bool Found(Conj j, void *arg);
bool conj_outside(Conj j, const Conjs *pieces, int fixed, Found *found, void *arg);
bool conj_inside(Conj j, const Conjs *pieces, int fixed); // nothing is outside

// ---- programs -------------------------------------------------------------------------------------
enum { ATOMS = 40 }; // variables 0 … ATOMS - 1 of every conjunction: sizes and products of them

typedef struct Array {
    const char *name, *type, *place;
    int rank, number, scope; // loops around its declaration
    struct Ex **extent; // NULL: not known
    bool lanes, sized, declared;
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

typedef struct Edge { // from a read to a write
    int leaf;
    Conjs rel; // over atoms, the reader's counters, then the writer's, which of a base are images
} Edge;

typedef struct Access {
    struct Leaf *leaf;
    const Array *array;
    Ex *const *sub;
    const Ex *load; // NULL: the write
    bool addressing; // it stands in the subscripts of the write
    bool flow; // a fact says where its values come from
    int nbases, nupdates;
    Edge *base, *update;
    Conjs rest, summed; // over atoms and counters
} Access;

typedef struct Leaf {
    struct Program *program;
    int number, order, depth, line, kernel; // kernel 0: on the host
    const Loop **loop;
    int nconds;
    const Ex **cond;
    bool *want;
    const char *op; // of the update, "=" for none
    bool atomic, barrier, warp;
    Ex *src;
    int naccesses;
    Access *access; // 0: the write
    Conjs domain; // over atoms and counters
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
extern Item *columns; // what the parameters of facts stand for

const char *atom_name(int v);
void read_arrays(const Item *x);
void read_program(const Item *x, Program *p);
Leaf *program_end(Program *p, const Array *a); // reads all of it at the end
void read_sizes(const Item *x, Conjs *out);
// A fact's set or map over so many dimensions; images: of maps, how many follow.
void read_set(const Item *x, int from, int dims, Conjs *out);
void read_map(const Item *x, int from, int dims, int images, Conjs *out);

// Cases of a whole number, or of a condition, where counters are the variables from c on.
typedef struct Case {
    Conj j;
    Linear v;
} Case;
typedef struct Cases {
    int n, room;
    Case *at;
} Cases;
bool affine(const Ex *x, int c, Conj j, Cases *out); // false: it is not
bool holds(const Ex *x, int c, bool want, Conj j, Conjs *out);
bool written(const Program *p, const Array *a);
Conj with_counters(Conj j, const Leaf *l, int *c); // new variables
void in_domain(Conj j, const Leaf *l, int c, Conjs *out); // j, with c in the domain
bool same_word(Conj j, const Access *x, int cx, const Access *y, int cy, Conjs *out);
void before(Conj j, const Leaf *x, int cx, const Leaf *y, int cy, Conjs *out); // x runs first
int common_loops(const Leaf *x, const Leaf *y);
bool is_serial(const Loop *l);

// ---- facts ----------------------------------------------------------------------------------------
void read_flow(const Item *x);
void check_flow(void);

// Where a value stands: an expression of a leaf whose counters are the variables from c on.
typedef struct At {
    const Leaf *leaf;
    int c;
    const Ex *x;
    bool untouched; // of a load: what was there before everything
    bool sum; // of a load: where updates may be
} At;
typedef struct Points {
    int n;
    const int *var;
} Points;
typedef struct Sum Sum;
void read_sum(const Item *x);
// The fact about these two from number *k on, or NULL.
const Sum *find_sum(int points, At x, At y, int *k);
const Conjs *sum_points(const Sum *s);
bool sum_holds(const Sum *s, Conj j, Points p, At x, At y); // at the points of j, all of sum_points
bool same_value(Conj j, Points p, At x, At y);
bool is_neutral(Conj j, At x, const char *op); // it adds nothing
const char *sum_operator(const Ex *x); // NULL: it is no sum
void forget_sums(void); // that they were shown, when the context changes
bool same_expression(const Ex *x, const Ex *y); // word for word
void check_arrays(void);

void read_edges(const Item *x); // the first and last rows that the loops touch
void check_bounds(void);
void check_order(void);

extern int checks; // how many systems were shown to have no solution
bool fail(const char *fmt, ...) __attribute__((format(printf, 1, 2))); // false; the first reason is told
extern const char *failed;
#endif
