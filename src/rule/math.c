// SPDX-License-Identifier: MIT
// math.c -- roots, functions and divisions of some statements in cheaper forms (ir/forms.c).
//
//   for j                                          for j
//       S1[i, j]  inv = 1 / sqrtf(d)       →           S1[i, j] math (rsqrt)  inv = rsqrtf(d)
//
// The forms stand in the tree at each statement, and nothing else is computed in another way: no option of
// a compiler is involved, which would be for the whole program, flush small numbers to zero and contract
// what is written apart. Forms that may change a result need the permission `approximate`.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"

// ---- which statements ---------------------------------------------------------------------------
typedef struct Places {
    Change *ch;
    const char *at;          // the name of a kernel, a loop or a statement; NULL: everything
    VEC(Node *) leaves;      // statements there
    bool inside;
} Places;

static bool is_named(const Places *p, const Node *n) {
    const char *own = n->kind == N_KERNEL ? n->name
                      : n->kind == N_FOR  ? n->iter->name
                      : n->kind == N_STMT ? n->stmt->label
                                          : NULL;
    return own && str_eq(own, p->at);
}

static void collect(Places *p, Node *n) {
    bool before = p->inside;
    p->inside = before || is_named(p, n);
    if (p->inside && n->kind == N_STMT) vec_push(p->ch->a, &p->leaves, n);
    for (int k = 0; node_kid(n, k); k++) collect(p, node_kid(n, k));
    p->inside = before;
}

// ---- the forms ----------------------------------------------------------------------------------
typedef struct Wish {
    unsigned forms;          // those that are named
    bool all, plain;         // as many as there are; as written
} Wish;

static bool read_wish(Change *ch, Wish *w) {
    for (int k = 0; k < ch->step->nwords; k++) {
        const char *word = ch->step->words[k];
        unsigned form = form_named(word);
        if (str_eq(word, "all")) w->all = true;
        else if (str_eq(word, "plain")) w->plain = true;
        else if (form) w->forms |= form;
        else return change_refuse(ch, "%s is no form of a function; usage: %s", word, ch->rule->usage);
    }
    if (w->plain && (w->forms || w->all))
        return change_refuse(ch, "plain is all that is written, without forms");
    if (w->forms & FORM_DIVIDE && w->forms & FORM_RECIPROCAL)
        return change_refuse(ch, "a division has one form: divide, or reciprocal");
    return true;
}

// Those without which it would be another expression: of 1 / sqrtf(x), rsqrt leaves neither root nor
// division.
static unsigned needed(Arena *a, Expr *x, unsigned forms) {
    for (unsigned one = 1; one && one <= forms; one <<= 1)
        if (forms & one && expr_equal(math_form(a, forms & ~one, x), math_form(a, forms, x))) forms &= ~one;
    return forms;
}

// What a statement has afterwards.
static unsigned forms_after(Arena *a, const Node *n, const Wish *w) {
    if (w->plain) return 0;
    unsigned can = forms_in(a, n->stmt->rhs), more = can & (w->forms | (w->all ? FORM_ALL : 0)),
             kept = n->forms;
    if (w->all && (w->forms | kept) & FORM_RECIPROCAL) more &= ~(unsigned)FORM_DIVIDE;
    if (more & FORM_DIVIDE) kept &= ~(unsigned)FORM_RECIPROCAL;
    if (more & FORM_RECIPROCAL) kept &= ~(unsigned)FORM_DIVIDE;
    return needed(a, n->stmt->rhs, kept | more);
}

static Nest *apply(Change *ch) {
    Arena *a = ch->a;
    const char *at = change_text(ch, "at");
    Wish w = {0};
    Places p = {.ch = ch, .at = at && *at ? at : NULL, .inside = !at || !*at};
    if (!read_wish(ch, &w)) return NULL;
    collect(&p, ch->nest->root);
    const char *where = p.at ? p.at : "the nest";
    if (!p.leaves.n)
        return change_refuse(ch, "there is no kernel, loop or statement %s with statements of the region",
                             where);
    unsigned taken = 0;
    Node *root = ch->nest->root;
    for (int k = 0; k < p.leaves.n; k++) {
        Node *n = p.leaves.at[k], *with = node_clone(a, n);
        with->forms = forms_after(a, n, &w);
        taken |= with->forms;
        if (with->forms == n->forms) continue;
        if (!ch->nest->region->approximate && forms_round(a, with->forms, n->stmt->rhs))
            return change_refuse(
                ch, "%s in these forms may differ in its last bits: that needs --permit approximate",
                n->stmt->label);
        root = node_replace(a, root, n, with);
    }
    unsigned none = w.forms & ~taken;
    if (none) return change_refuse(ch, "nothing in %s takes the form %s", where, form_name(none & -none));
    if (root == ch->nest->root) return change_refuse(ch, "nothing in %s changes its form", where);
    return change_done(ch, root);
}

// ---- find ---------------------------------------------------------------------------------------
typedef struct Search {
    Finder *f;
    const Node *loop;        // the innermost one around
} Search;

static void find_in(Search *s, const Node *n) {
    Arena *a = s->f->ch->a;
    const char *label = n->stmt->label;
    unsigned can = forms_in(a, n->stmt->rhs) & ~n->forms;
    if (!can && n->forms)
        return finder_miss(s->f, label, "its functions and divisions have their forms already");
    if (!s->f->ch->nest->region->approximate && forms_round(a, can, n->stmt->rhs))
        return finder_miss(s->f, label, "other forms need --permit approximate");
    bool fixed = false, varying = false; // it divides by what the loop leaves as it is; by what it changes
    expr_each(x, n->stmt->rhs) {
        if (x->kind != E_OP || x->op != OP_DIV || !type_is_float(x->type)) continue;
        Expr *by = node_stmt_expr(a, n, x->args[1]);
        bool same = s->loop && by->kind != E_FLOAT && !expr_uses_sym(by, s->loop->iter);
        fixed |= same;
        varying |= !same;
    }
    if (!fixed) can &= ~(unsigned)FORM_RECIPROCAL;
    if (!varying || can & FORM_RECIPROCAL) can &= ~(unsigned)FORM_DIVIDE;
    can = needed(a, n->stmt->rhs, can | n->forms) & ~n->forms;
    for (unsigned one = 1; one && one <= can; one <<= 1)
        if (can & one) finder_site(s->f, "math %s at=%s", form_name(one), label);
}

static void search(Search *s, const Node *n) {
    const Node *around = s->loop;
    if (n->kind == N_FOR) s->loop = n;
    if (n->kind == N_STMT) find_in(s, n);
    for (int k = 0; node_kid(n, k); k++) search(s, node_kid(n, k));
    s->loop = around;
}

static void find(Finder *f) {
    Search s = {.f = f};
    search(&s, f->ch->nest->root);
}

// ---- documentation ------------------------------------------------------------------------------
static const Knob knobs[] = {
    {"at", "a kernel, a loop or a statement; else the whole nest", KNOB_NAMES, 0, 0, NULL, ""},
};

// Forces on points, a softened inverse root; and rows that are scaled, where the divisor stays.
#define FORCES(permission)                                                                         \
    "sculpt 1 region forces sculpt " permission " { param n: i32 = \"n\" array x[n]: f32 = \"x\" " \
    "array f[n]: f32 = \"f\" live do { for i: i32 = 0 .. n for j: i32 = 0 .. n { local d: f32 local w: f32 " \
    "S0[i, j] S1[i, j] S2[i, j] } } stmt S0[i, j]: d = x[j] - x[i] "                               \
    "stmt S1[i, j]: w = 1.0 / sqrtf.f32(d * d + 0.01) stmt S2[i, j]: f[i] += d * w * expf.f32(-w) }"
#define SCALED(divisor, permission)                                                                \
    "sculpt 1 region scaled sculpt " permission " { param n: i32 = \"n\" array a[n][n]: f32 = \"a\" live " \
    "array s[n]: f32 = \"s\" do { for i: i32 = 0 .. n for j: i32 = 0 .. n S0[i, j] } "             \
    "stmt S0[i, j]: a[i][j] = a[i][j] / " divisor " }"

static const RuleExample examples[] = {
    {FORCES("approximate"), "map block i", "math rsqrt at=S1", NULL},
    {FORCES("approximate"), "map block i", "math rsqrt exp at=j", NULL},
    {FORCES("approximate"), "map block i\nmath rsqrt exp", "math plain at=S2", NULL},
    {SCALED("s[i]", "approximate"), "", "math reciprocal at=S0", NULL},
    {SCALED("s[i]", "fast"), "math reciprocal at=S0", "math divide at=S0", NULL},
    {SCALED("4.0", ""), "", "math reciprocal at=S0", NULL},
    {FORCES(""), "", "math rsqrt at=S1", "needs --permit approximate"},
    {FORCES("approximate"), "", "math log at=S2", "takes the form log"},
    {SCALED("s[i]", "approximate"), "", "math divide reciprocal", "a division has one form"},
    {SCALED("s[i]", "approximate"), "", "math rsqrt at=k7", "there is no kernel, loop or statement k7"},
    {0},
};

const Rule math_rule = {
    .name = "math",
    .usage = "math rsqrt|sqrt|exp|log|trig|pow|divide|reciprocal|all|plain … [at=KERNEL|LOOP|STATEMENT]",
    .summary = "Computes roots, functions and divisions of some statements in cheaper forms, under the "
               "permission `approximate`.",
    .picture = "rsqrt        x / sqrtf(y)           x * rsqrtf(y)\n"
               "sqrt         sqrtf(x)        →      the instruction, not rounded correctly\n"
               "exp log trig expf(x) …              __expf(x), native_exp(x) …\n"
               "pow          powf(x, y)             __powf(x, y)\n"
               "divide       x / y                  __fdividef(x, y)\n"
               "reciprocal   x / y                  x * (1 / y), whose second part a loop needs once\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find,
    .examples = examples,
};
