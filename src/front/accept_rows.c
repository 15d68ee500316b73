// SPDX-License-Identifier: MIT
// accept_rows.c -- tables of pointers to rows: T **a read as one array with a pitch.
//
//   a ──► [0] ──► row 0 ........            a[i][j]  is  base[i * pitch + j], if
//         [1] ──► row 1 ........            the rows lie at equal distances, as they do when
//         [2] ──► row 2 ........            one block, or one size again and again, was allocated
//
// The pointers may be a field of records, p[i].row[j].
// The program finds base and pitch before the loops, by code in place of the array's and the
// parameter's name: it looks at every row that is used. (A comment at its head says for people
// what it is.) Rows at unequal distances give the
// pitch 0, with which no subscript stays in its row: then the original loops run.
#include "front/accept.h"

// ---- while expressions are read -----------------------------------------------------------
static Rows *rows_of(Accept *ac, const char *table, const char *column, const CType *to, Loc loc) {
    for (int k = 0; k < ac->rows.n; k++)
        if (str_eq(ac->rows.at[k]->table, table) && str_eq(ac->rows.at[k]->column, column))
            return ac->rows.at[k];
    Rows *t = NEW(ac->a, Rows);
    t->table = table;
    t->column = column;
    t->bytes = to->bytes;
    t->loc = loc;
    t->object = NEW(ac->a, Object);
    t->object->like = arena_printf(ac->a, "%s%s", table, column);
    t->object->apart = true;
    t->object->source = arena_printf(ac->a, "rows of %s", t->object->like);
    vec_push(ac->a, &ac->objects, t->object);
    const char *like = arena_printf(ac->a, "%s_pitch", t->object->like);
    t->pitch = accept_param(ac, arena_printf(ac->a, "pitch of %s", t->object->like), like, T_I64);
    vec_push(ac->a, &ac->rows, t);
    return t;
}

bool accept_row(Accept *ac, Ref *r, Loc loc) {
    const CType *to = r->type->of;
    bool plain = to->kind == CT_SCALAR || to->kind == CT_RECORD;
    const char *table = r->fresh ? r->table : !r->record && r->steps ? r->text : NULL;
    if (!plain || to->bytes <= 0 || r->ndims != 1 || !table)
        return false;
    Rows *t = rows_of(ac, table, r->fresh ? r->column : "", to, loc);
    Dim row = {.sub = r->dim[0].sub, .bytes = -1};
    Dim col = {.sub = expr_int(ac->a, T_I32, 0), .bytes = to->bytes, .extent = t->pitch};
    *r = (Ref){.object = t->object, .type = to, .path = "", .ndims = 2, .steps = true};
    r->dim[0] = row;
    r->dim[1] = col;
    return true;
}

// ---- which rows are used --------------------------------------------------------------------
typedef struct Range {
    const char *lo, *hi, *when; // C: rows lo..hi - 1 are used when the loops around run
    const char *full;           // C: the last of these rows is surely used then
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
    bool failed;
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

static void use_row(Find *f, const Expr *row) {
    f->settled.n = 0;
    Expr *lo = extreme(f, row, false);
    f->settled.n = 0;
    Expr *hi = lo ? extreme(f, row, true) : NULL;
    Range r = {.lo = lo ? accept_source(f->ac->a, lo) : NULL, .hi = hi ? accept_source(f->ac->a, hi) : NULL,
               .when = loops_run(f), .certain = f->guarded == 0};
    r.full = r.lo && r.hi ? inner_loops_run(f) : NULL;
    f->failed |= !r.full;
    for (int k = 0; k < f->ranges.n && !f->failed; k++) {
        Range *o = &f->ranges.at[k];
        if (!str_eq(o->lo, r.lo) || !str_eq(o->hi, r.hi) || !str_eq(o->when, r.when) ||
            !str_eq(o->full, r.full))
            continue;
        o->certain |= r.certain;
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
        use_row(f, x->args[0]);
}

static void find_in_stmt(Find *f, const Stmt *s) {
    for (int k = 0; k < s->lhs->rank; k++)
        find_rows(f, s->sub[k]);
    find_rows(f, s->rhs);
    if (str_eq(s->lhs->object, f->table->object->name))
        use_row(f, s->sub[0]);
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
// Statements that leave the used rows in sculpt_l_..sculpt_h_ - 1 and their distance, in
// elements, in sculpt_d_: 0 when they lie at unequal ones, or which are used can't be told.
static char *look(Find *f) {
    Text t = text_new(f->ac->a);
    text_put(&t, "long long sculpt_l_ = 0, sculpt_h_ = 0, sculpt_d_ = 1073741824, sculpt_i_; "
                "int sculpt_u_ = 0; ");
    for (int k = 0; k < f->ranges.n; k++) {
        const Range *r = &f->ranges.at[k];
        text_printf(&t, "if (%s) { long long sculpt_b_ = (%s), sculpt_e_ = (%s) + 1; "
                        "if (!(%s)) sculpt_u_ = 1; else if (sculpt_b_ < sculpt_e_) { "
                        "if (sculpt_l_ == sculpt_h_ || sculpt_b_ < sculpt_l_) sculpt_l_ = sculpt_b_; "
                        "if (sculpt_h_ == 0 || sculpt_e_ > sculpt_h_) sculpt_h_ = sculpt_e_; } } ",
                    r->when, r->lo, r->hi, r->full);
    }
    text_put(&t, "if (sculpt_u_) { sculpt_h_ = sculpt_l_; sculpt_d_ = 0; } ");
    const char *table = arena_printf(f->ac->a, "(long long)(__UINTPTR_TYPE__)(%s)", f->table->table);
    const char *column = f->table->column;
    text_printf(&t,
                "if (sculpt_l_ + 1 < sculpt_h_) { sculpt_d_ = %s[sculpt_l_ + 1]%s - %s[sculpt_l_]%s; "
                "for (sculpt_i_ = sculpt_l_ + 1; sculpt_i_ < sculpt_h_; sculpt_i_++) "
                "if (%s[sculpt_i_]%s - %s[sculpt_i_ - 1]%s != sculpt_d_) break; "
                "sculpt_d_ = sculpt_i_ < sculpt_h_ || sculpt_d_ %% %lld ? 0 : sculpt_d_ / %lld; } ",
                table, column, table, column, table, column, table, column, (long long)f->table->bytes,
                (long long)f->table->bytes);
    return (char *)text_str(&t);
}

static void set_sources(Accept *ac, Rows *t, const char *code) {
    const char *base =
        arena_printf(ac->a,
                     "/* rows of %s */ __extension__ ({ %ssculpt_l_ < sculpt_h_ ? "
                     "(__UINTPTR_TYPE__)(%s)[sculpt_l_]%s - (__UINTPTR_TYPE__)(sculpt_l_ * sculpt_d_ * %lld) "
                     ": (__UINTPTR_TYPE__)(%s); })",
                     t->object->like, code, t->table, t->column, (long long)t->bytes, t->table);
    t->object->source = base;
    for (int k = 0; k < t->object->views.n; k++)
        ((Array *)t->object->views.at[k])->source = base;
    ((Sym *)t->pitch->sym)->source =
        arena_printf(ac->a, "/* distance of rows of %s */ __extension__ ({ %ssculpt_d_; })", t->object->like,
                     code);
}

bool accept_rows_settle(Accept *ac, const Node *root) {
    for (int k = 0; k < ac->rows.n; k++) {
        Rows *t = ac->rows.at[k];
        if (!t->object->name)
            continue;
        Find f = {.ac = ac, .table = t};
        find_in_node(&f, root);
        for (int j = 0; j < f.ranges.n; j++)
            f.failed |= !f.ranges.at[j].certain;
        if (f.failed)
            return accept_refuse(ac, SC_POINTER, t->loc, "which rows of '%s' the loop uses can't be told "
                                 "in front of it; use one array with computed subscripts", t->object->like);
        set_sources(ac, t, look(&f));
    }
    return true;
}
