// SPDX-License-Identifier: MIT
// catalogue.h -- the catalogue of transformations: what a rule is, and a step that applies one.
//
//   strip i by=128 as=ib,ii          one line of a recipe: a rule, what it is applied to
//                                    (loops and arrays by name), and its knobs
//
// A rule takes a nest and a step and returns a new nest. It proposes: whether the new nest
// still means what its region means is asked of dep/ by whoever applies it (plan/recipe.c).
// A rule keeps every invariant of ir.h. Each has one file, <name>.c, and one line in rules.def.
//
// Loops are named by their counters, kernels and arrays by their names; a rule keeps the
// names of loops that it does not take apart. Where a rule leaves two copies of a loop, the
// first keeps the name and the second gets "_1" (then "_2"…) behind it.
#ifndef SCULPT_RULE_CATALOGUE_H
#define SCULPT_RULE_CATALOGUE_H
#include "ir/ir.h"
#include "rule/rule.h"

// ---- a step --------------------------------------------------------------------------------
typedef struct KnobValue {
    const char *name, *value;
} KnobValue;
typedef struct Step {
    Loc loc;                  // in the recipe
    const char *rule;
    int nwords;
    const char **words;       // what stands between the rule's name and the knobs
    int nknobs;
    KnobValue *knobs;         // as written; what is left out has its default
} Step;
// One line without its end. NULL after diag(). "# …" to the end is a comment; a line of
// nothing else gives a step whose rule is NULL.
Step *step_parse(Compile *c, Loc loc, const char *line);
char *step_print(Arena *a, const Step *s);
enum { STEP_MAX = 32 };       // words, and parts of a list
// "x,y,z" as its parts; how many.
int step_list(Arena *a, const char *text, const char **out, int max);
// Constant arithmetic: numbers, + - * / %, brackets. False: it is none, or it overflows.
bool step_int(const char *text, int64_t *v);

// ---- a rule --------------------------------------------------------------------------------
typedef enum KnobKind {
    KNOB_INT,   // min … max; written as a number or as constant arithmetic ("128/8")
    KNOB_INTS,  // several, separated by commas
    KNOB_WORD,  // one of `words`, separated by |
    KNOB_NAMES, // new names or loops or arrays, separated by commas
    KNOB_TEXT,  // what the rule reads by itself
} KnobKind;
typedef struct Knob {
    const char *name, *meaning;
    KnobKind kind;
    int64_t min, max;
    const char *words;
    const char *standard;     // the default; NULL: it must be given; "": none
} Knob;

// One application. All that a rule makes lives in the arena of `c`.
typedef struct Change {
    Compile *c;
    Arena *a;                 // c->arena
    const Nest *nest;         // as it is before
    const Step *step;
    const struct Rule *rule;
    Names names;              // fresh ones, for this nest
    VEC(const char *) given;  // names that this change has handed out already
    const char *why;          // why the rule doesn't fit (its first reason)
    // Asked of find: what it looked at and passed over ("A[i][k] in S0"), and what that lacks.
    // NULL: nobody wants to know.
    void (*missed)(const char *what, const char *why, void *arg);
} Change;
// Says why the rule does not fit; returns NULL, for `return change_refuse(…)`.
Nest *change_refuse(Change *ch, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// Who looks for sites of a rule in ch->nest.
typedef struct Finder {
    Change *ch;
    void (*found)(Change *ch, Step *s, void *arg); // called with a step for each site
    void *arg;
    const char **seen;     // a hash table of what was told
    int n, size;
} Finder;

typedef struct Rule {
    const char *name;
    const char *usage;        // "strip LOOP by=N [as=OUTER,INNER]": other numbers of words are refused
    const char *summary;      // one sentence
    const char *picture;      // before → after, a few lines
    int nknobs;               // RULE_KNOBS(knobs)
    const Knob *knobs;
    // The nest after the step. NULL after change_refuse: the rule does not fit here.
    Nest *(*apply)(Change *ch);
    // Where it fits, knobs at sensible values. Each site is still to be tried (rule_try) and judged;
    // what has not even the pattern is told to `missed`. In time linear in the nodes and references
    // of the nest.
    void (*find)(Finder *f);
    // Tests and documentation: C text of a region, steps that lead to it and the step itself.
    const struct RuleExample *examples;
} Rule;
#define RULE_KNOBS(list) .nknobs = (int)(sizeof(list) / sizeof *(list)), .knobs = (list)
// A loop nest as a user writes it (a function body's loops with its declarations), the steps
// before, the step; ends with a NULL source.
typedef struct RuleExample {
    const char *source;       // nest text: "sculpt 1 region …"
    const char *before;       // recipe lines applied first; "" for none
    const char *step;
    const char *refusal;      // NULL: it fits; else words that the refusal contains
} RuleExample;

extern const Rule *const rule_catalogue[]; // in the order of rules.def; NULL ends
const Rule *rule_named(const char *name);
const char *rule_meant(Arena *a, const char *name); // " (did you mean 'RULE'?)", or ""
// The nest after one step: finds the rule, checks the knobs, applies it. NULL after diag() at
// step->loc, which says what doesn't fit.
Nest *rule_apply(Compile *c, const Nest *n, const Step *step);
// The same without a diagnostic: why it does not fit goes to *why.
Nest *rule_try(Compile *c, const Nest *n, const Step *step, const char **why);

// ---- what rules share -------------------------------------------------------------------------
// Knobs of the step, checked by the catalogue before apply is called.
int64_t change_int(const Change *ch, const char *knob);
const char *change_word(const Change *ch, const char *knob);      // NULL: none and no default
int change_names(Change *ch, const char *knob, const char **out, int max); // how many
int change_ints(Change *ch, const char *knob, int64_t *out, int max);      // how many
// A knob's text, its default when it isn't written; NULL: neither.
const char *change_text(const Change *ch, const char *knob);

// The loop, array or kernel of that name in the nest; NULL after change_refuse.
Node *change_loop(Change *ch, const char *name);
Node *change_kernel(Change *ch, const char *name);
Node *change_place(Change *ch, const char *name);   // a loop or a kernel
// Of loops of that name the first that is in no kernel; and such a loop or statement.
Node *loop_outside(Change *ch, const char *name);
Node *node_outside(Change *ch, const char *name);
const Array *change_array(Change *ch, const char *name);          // of the region or a buffer
// A counter or array name that is free in the nest: `wish`, or wish_1, wish_2, …
const char *change_name(Change *ch, const char *wish);
// A copy of the nest with another root (its recipe gains the step).
Nest *change_done(Change *ch, Node *root);
// The nest with a kernel of one thread around each computation that has none: what can be verified and run
// (close.c).
Nest *nest_closed(Arena *a, const Nest *n);
// The same, with conditions as far out as they go, and the sizes of grids in `when`. Twice is as once.
Nest *nest_finished(Arena *a, const Nest *n);
// The root with `to` in the place of `from`, and temporaries that all of the nest can see.
Node *root_with_temps(Arena *a, Node *root, const Node *from, Node *to, int ntemps,
                      const Array *const *temps);
// The way to a node of the tree; false: it is not in the tree, or too deep.
enum { PATH_MAX_NODES = 128 };
typedef struct Path {
    int n;
    Node *node[PATH_MAX_NODES];     // every node from the root to the place, both included
} Path;
bool path_to(Node *root, const Node *place, Path *out);
// A local that is declared on the way, in front of `top`: a kernel there would not have it. NULL: none.
const Array *path_local(const Path *p, const Node *top);
// The tree in which copies of a buffer have names of their own: node_subst leaves them the first one's.
Node *change_distinct(Change *ch, Node *root);
// A copy of a tree for a second place in the same nest: its loops have new names ("k_1").
Node *change_copy(Change *ch, Node *n);
// The same with buffers of its own, called alike ("sb_1"): a second version of a kernel that later
// steps can change by itself.
Node *change_twin(Change *ch, Node *kernel);

// x as base + Σ coef[k] * counter[k], base without any of the n counters. False: not of that
// form (coefficients are constants).
bool affine_split(Arena *a, Expr *x, int n, const Sym *const *counter, int64_t *coef, Expr **base);
// Is the condition true at a place, given the bounds of the loops and the conditions around it
// and the region's assumptions? Decided by isl; false: it is not, or that can't be shown.
bool holds_at(Compile *c, const Nest *n, const Path *place, Expr *cond);
// An expression as a recipe writes it, over parameters and the counters around the place:
// integers, names, + - * / % (division rounds down, by a positive number), min(x,y), max(x,y);
// in the type t. NULL after change_refuse.
Expr *change_expr(Change *ch, const Path *place, Type t, const char *text);
// An expression of the type t as a nest's text has it, without blanks, over parameters, the counters around
// the place (may be NULL) and facts by their words, which the nest n then has. NULL after change_refuse.
Expr *change_value(Change *ch, Nest *n, const Path *place, Type t, const char *text);
char *step_expr(Arena *a, const Nest *n, Expr *x); // such a text; the facts are n's
// Removes conditions (and terms of &&) that hold wherever they are asked, and loops and
// branches that never run.
Node *simplify(Compile *c, const Nest *n, Node *root);
// The same below one place of the tree `root` alone; returns the new root.
Node *simplify_at(Compile *c, const Nest *n, Node *root, Node *place);
#endif
