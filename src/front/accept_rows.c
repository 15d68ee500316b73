// SPDX-License-Identifier: MIT
// accept_rows.c -- tables of pointers to rows: T **a read as one array with a pitch.
//
//   a ──► [0] ──► row 0 ........            a[i][j]  is  base[i * pitch + j], if
//         [1] ──► row 1 ........            the rows lie at equal distances, as they do when
//         [2] ──► row 2 ........            one block, or one size again and again, was allocated
//
// The pointers may be a field of records, p[i].row[j], and the rows may be tables of pointers themselves:
// a[i][j][k] of T ***a has two pitches. The program finds base and pitches before the loops: the text in
// place of the array's and the parameters' names calls sculpt_rows, which looks at every row that is used.
// (A comment at its head says for people what it is.) Rows that lie otherwise are packed for the call, and
// what was written there is put back (run/tables.c).
#include "front/accept.h"

// ---- while expressions are read -----------------------------------------------------------
static Expr *pitch_of(Accept *ac, const Rows *t, int level) {
    const char *no = level ? arena_printf(ac->a, "%d", level + 1) : "";
    return accept_param(ac, arena_printf(ac->a, "pitch%s of %s", no, t->object->like),
                        arena_printf(ac->a, "%s_pitch%s", t->object->like, no), T_I64);
}

static Rows *rows_of(Accept *ac, const char *table, const char *column, Loc loc) {
    for (int k = 0; k < ac->rows.n; k++)
        if (str_eq(ac->rows.at[k]->table, table) && str_eq(ac->rows.at[k]->column, column))
            return ac->rows.at[k];
    Rows *t = NEW(ac->a, Rows);
    t->table = table;
    t->column = column;
    t->loc = loc;
    t->object = NEW(ac->a, Object);
    t->object->like = arena_printf(ac->a, "%s%s", table, column);
    t->object->rows = t;
    t->object->source = arena_printf(ac->a, "rows of %s", t->object->like);
    vec_push(ac->a, &ac->objects, t->object);
    vec_push(ac->a, &ac->rows, t);
    return t;
}

static bool is_plain(const CType *t) {
    return (t->kind == CT_SCALAR || t->kind == CT_RECORD) && t->bytes > 0;
}

// The pointer there leads to a row, or to a table of rows: one subscript more.
static void enter_row(Accept *ac, Rows *t, int levels, Ref *r, const CType *to) {
    if (levels > t->levels)
        t->pitch[t->levels++] = pitch_of(ac, t, levels - 1);
    if (is_plain(to))
        t->bytes = to->bytes;
    Ref in = {.object = t->object, .type = to, .path = "", .ndims = levels + 1, .steps = true};
    for (int k = 0; k < levels; k++)
        in.dim[k] = (Dim){.sub = r->dim[k].sub, .bytes = -1, .extent = k ? t->pitch[k - 1] : NULL};
    Expr *pitch = t->pitch[levels - 1];
    in.dim[levels] = (Dim){.sub = expr_int(ac->a, T_I32, 0), .bytes = to->bytes, .extent = pitch};
    *r = in;
}

bool accept_row(Accept *ac, Ref *r, Loc loc) {
    const CType *to = r->type->of;
    Rows *in = r->object ? r->object->rows : NULL;
    if (in && !r->record && r->ndims == 2 && r->steps && is_plain(to))
        return enter_row(ac, in, 2, r, to), true;
    bool deeper = to->kind == CT_POINTER && is_plain(to->of);
    const char *table = r->fresh ? r->table : !r->record && r->steps ? r->text : NULL;
    if (in || !(is_plain(to) || deeper) || r->ndims != 1 || !table)
        return false;
    enter_row(ac, rows_of(ac, table, r->fresh ? r->column : "", loc), 1, r, to);
    return true;
}

// ---- which rows are used --------------------------------------------------------------------
typedef struct Range {
    const char *lo[TABLE_LEVELS], *hi[TABLE_LEVELS]; // C: the first and the last that is used…
    const char *when;           // …when the loops around run
    const char *full;           // C: the last of these rows is surely used then; NULL: nobody knows
    bool certain;               // not under a condition
} Range;

// A counter and its value where a row's number is least or greatest.
typedef struct Settled {
    const Sym *iter;
    Expr *value;
} Settled;

typedef struct Find {
    Accept *ac;
    const Rows *table;
    VEC(const Node *) loops;    // around
    VEC(Range) ranges;
    VEC(Settled) settled;
    int guarded;
    bool failed;                // which are used can't be told
} Find;

static const Node *loop_of(const Find *f, const Sym *iter) {
    for (int k = f->loops.n - 1; k >= 0; k--)
        if (f->loops.at[k]->iter == iter)
            return f->loops.at[k];
    return NULL;
}

static Expr *extreme(Find *f, const Expr *x, bool most);

static Expr *extreme_counter(Find *f, const Sym *iter, bool most) {
    const Node *l = loop_of(f, iter);
    if (!l || (l->step != 1 && l->step != -1))
        return NULL;
    for (int k = 0; k < f->settled.n; k++) // in i - j with j <= i both ends can't be had at once
        if (f->settled.at[k].iter == iter)
            return NULL;
    bool start = most == (l->step < 0);
    Expr *end = extreme(f, start ? l->lo : l->hi, most);
    if (!start && end)
        end = expr_add(f->ac->a, end, expr_int(f->ac->a, T_I64, -l->step));
    vec_push(f->ac->a, &f->settled, ((Settled){iter, end}));
    return end;
}

// The least or the greatest value of x in the loops around, over parameters; NULL: not found.
static Expr *extreme(Find *f, const Expr *x, bool most) {
    Arena *a = f->ac->a;
    if (x->kind == E_INT)
        return expr_int(a, T_I64, x->i);
    if (x->kind == E_SYM && x->sym->kind == SYM_PARAM)
        return type_is_int(x->type) ? expr_cast(a, T_I64, (Expr *)x) : NULL;
    if (x->kind == E_SYM)
        return extreme_counter(f, x->sym, most);
    if (x->kind == E_CAST && type_is_int(x->type) && type_is_int(x->args[0]->type) && type_size(x->type) >= 4)
        return extreme(f, x->args[0], most);
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB);
    if (!sum)
        return NULL;
    Expr *p = extreme(f, x->args[0], most), *q = extreme(f, x->args[1], most == (x->op == OP_ADD));
    return p && q ? expr_op(a, x->op, p, q, NULL) : NULL;
}

// C for "the loops around run", as far as their bounds are known in front of them.
static const char *loops_run(Find *f) {
    Text t = text_new(f->ac->a);
    text_put(&t, "1");
    for (int k = 0; k < f->loops.n; k++) {
        const Node *l = f->loops.at[k];
        const char *lo = accept_source(f->ac->a, l->lo), *hi = accept_source(f->ac->a, l->hi);
        if (lo && hi)
            text_printf(&t, " && (%s) %s (%s)", lo, l->step > 0 ? "<" : ">", hi);
    }
    return text_str(&t);
}

// C for "the loops run whose bounds other counters give", these as settled. NULL: can't be told.
// Nothing lies in a table behind the last row that is used.
static const char *inner_loops_run(Find *f) {
    Arena *a = f->ac->a;
    Text t = text_new(a);
    text_put(&t, "1");
    for (int k = 0; k < f->loops.n; k++) {
        const Node *l = f->loops.at[k];
        if (accept_source(a, l->lo) && accept_source(a, l->hi))
            continue;
        Expr *lo = l->lo, *hi = l->hi;
        for (int j = f->settled.n - 1; j >= 0; j--) {
            const Settled *s = &f->settled.at[j];
            lo = expr_subst(a, lo, 1, &s->iter, &s->value);
            hi = expr_subst(a, hi, 1, &s->iter, &s->value);
        }
        const char *from = accept_source(a, lo), *to = accept_source(a, hi);
        if (!from || !to)
            return NULL;
        text_printf(&t, " && (%s) %s (%s)", from, l->step > 0 ? "<" : ">", to);
    }
    return text_str(&t);
}

static bool is_same(const Range *x, const Range *y, int levels) {
    bool same = str_eq(x->when, y->when) && (x->full ? y->full && str_eq(x->full, y->full) : !y->full);
    for (int k = 0; same && k < levels; k++) same = str_eq(x->lo[k], y->lo[k]) && str_eq(x->hi[k], y->hi[k]);
    return same;
}

// What is known of the last row goes for tables of rows: of others each level has a last one of its own.
static void use_row(Find *f, Expr *const *sub) {
    Range r = {.when = loops_run(f), .certain = f->guarded == 0};
    int levels = f->table->levels;
    for (int k = 0; k < levels && !f->failed; k++) {
        f->settled.n = 0;
        Expr *lo = extreme(f, sub[k], false);
        f->settled.n = 0;
        Expr *hi = lo ? extreme(f, sub[k], true) : NULL;
        r.lo[k] = lo ? accept_source(f->ac->a, lo) : NULL;
        r.hi[k] = hi ? accept_source(f->ac->a, hi) : NULL;
        f->failed |= !r.lo[k] || !r.hi[k];
    }
    if (f->failed)
        return;
    r.full = levels == 1 ? inner_loops_run(f) : NULL;
    for (int k = 0; k < f->ranges.n; k++) {
        if (!is_same(&f->ranges.at[k], &r, levels))
            continue;
        f->ranges.at[k].certain |= r.certain;
        return;
    }
    vec_push(f->ac->a, &f->ranges, r);
}

static void find_rows(Find *f, const Expr *x) {
    bool lazy = x->kind == E_OP && (x->op == OP_SELECT || x->op == OP_LAND || x->op == OP_LOR);
    for (int k = 0; k < x->nargs; k++) {
        f->guarded += lazy && k > 0;
        find_rows(f, x->args[k]);
        f->guarded -= lazy && k > 0;
    }
    if (x->kind == E_LOAD && str_eq(x->array->object, f->table->object->name))
        use_row(f, x->args);
}

static void find_in_stmt(Find *f, const Stmt *s) {
    for (int k = 0; k < s->lhs->rank; k++)
        find_rows(f, s->sub[k]);
    find_rows(f, s->rhs);
    if (str_eq(s->lhs->object, f->table->object->name))
        use_row(f, s->sub);
}

static void find_in_node(Find *f, const Node *n) {
    if (!n)
        return;
    if (n->kind == N_STMT)
        find_in_stmt(f, n->stmt);
    for (int k = 0; n->kind == N_SEQ && k < n->nkids; k++)
        find_in_node(f, n->kids[k]);
    if (n->kind == N_FOR) {
        find_rows(f, n->lo);
        find_rows(f, n->hi);
        vec_push(f->ac->a, &f->loops, n);
        find_in_node(f, n->body);
        f->loops.n--;
    }
    if (n->kind == N_IF) {
        find_rows(f, n->cond);
        f->guarded++;
        find_in_node(f, n->then);
        find_in_node(f, n->other);
        f->guarded--;
    }
}

// ---- the program's code ------------------------------------------------------------------------
static const char *zeroed(Arena *a, int n, const char *name) {
    return arena_printf(a, n > 1 ? "%s[] = {0, 0}" : "%s[] = {0}", name);
}

// Declarations and statements that leave sculpt_t_ describing the table (sculpt/sculpt.h).
static char *describe(Find *f) {
    Arena *a = f->ac->a;
    const Rows *t = f->table;
    Text s = text_new(a);
    text_printf(&s, "sculpt_int_ %s, %s; int sculpt_u_ = 0; struct sculpt_table_ sculpt_t_; ",
                zeroed(a, t->levels, "sculpt_l_"), zeroed(a, t->levels, "sculpt_h_"));
    for (int k = 0; k < f->ranges.n; k++) {
        const Range *r = &f->ranges.at[k];
        text_printf(&s, "if (%s) { sculpt_int_ sculpt_b_, sculpt_e_; ", r->when);
        if (!r->full || !r->certain) text_put(&s, "sculpt_u_ = 1; ");
        else text_printf(&s, "if (!(%s)) sculpt_u_ = 1; ", r->full);
        for (int j = 0; j < t->levels; j++)
            text_printf(&s, "sculpt_b_ = (%s), sculpt_e_ = (%s) + 1; if (sculpt_b_ < sculpt_e_) { "
                            "if (sculpt_l_[%d] == sculpt_h_[%d] || sculpt_b_ < sculpt_l_[%d]) "
                            "sculpt_l_[%d] = sculpt_b_; if (sculpt_e_ > sculpt_h_[%d]) "
                            "sculpt_h_[%d] = sculpt_e_; } ", r->lo[j], r->hi[j], j, j, j, j, j, j);
        text_put(&s, "} ");
    }
    text_printf(&s, "sculpt_t_.sculpt_0_ = (const void *)(%s); sculpt_t_.sculpt_1_ = %lld; "
                    "sculpt_t_.sculpt_2_ = %d; sculpt_t_.sculpt_3_ = sculpt_u_; ",
                t->table, (long long)t->bytes, t->levels);
    for (int j = 0; j < t->levels; j++)
        text_printf(&s, "sculpt_t_.sculpt_4_[%d] = sculpt_l_[%d]; sculpt_t_.sculpt_5_[%d] = sculpt_h_[%d]; ",
                    j, j, j, j);
    text_printf(&s, "sculpt_t_.sculpt_6_ = sizeof(*(%s)); sculpt_t_.sculpt_7_ = "
                    "(sculpt_int_)((const char *)&(*(%s))%s - (const char *)(%s)); ",
                t->table, t->table, t->column, t->table);
    return (char *)text_str(&s);
}

// C for a row, its subscripts between the pieces.
static const char **pieces(Arena *a, const Rows *t) {
    const char **p = NEW_N(a, const char *, t->levels + 2);
    p[0] = arena_printf(a, "(%s)[", t->table);
    for (int k = 1; k <= t->levels; k++)
        p[k] = arena_printf(a, "]%s%s", k == 1 ? t->column : "", k < t->levels ? "[" : "");
    return p;
}

static void set_sources(Accept *ac, Rows *t, const char *code) {
    Arena *a = ac->a;
    const char *base = arena_printf(a, "/* rows of %s */ __extension__ ({ %s(__UINTPTR_TYPE__)"
                                       "sculpt_rows_(&sculpt_t_, 0); })", t->object->like, code);
    const char **row = pieces(a, t);
    t->object->source = base;
    for (int k = 0; k < t->object->views.n; k++) {
        Array *v = (Array *)t->object->views.at[k];
        v->source = base, v->row = row, v->levels = t->levels;
    }
    for (int k = 0; k < t->levels; k++)
        ((Sym *)t->pitch[k]->sym)->source =
            arena_printf(a, "/* distance of %s of %s */ __extension__ ({ sculpt_int_ sculpt_p_[%d]; "
                            "%ssculpt_rows_(&sculpt_t_, sculpt_p_); sculpt_p_[%d]; })",
                         k + 1 < t->levels ? "tables" : "rows", t->object->like, t->levels, code, k);
}

bool accept_rows_settle(Accept *ac, const Node *root) {
    for (int k = 0; k < ac->rows.n; k++) {
        Rows *t = ac->rows.at[k];
        if (!t->object->name)
            continue;
        Find f = {.ac = ac, .table = t};
        find_in_node(&f, root);
        if (f.failed)
            return accept_refuse(ac, SC_POINTER, t->loc, "which rows of '%s' the loop uses can't be told "
                                 "in front of it; use one array with computed subscripts", t->object->like);
        set_sources(ac, t, describe(&f));
    }
    return true;
}
