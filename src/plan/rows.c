// SPDX-License-Identifier: MIT
// rows.c -- sums along the rows of a matrix, each by one thread.
//
//   for i { y[i] = 0; for k  y[i] += A[i][k] * x[k] }
//
//   block ib {                    32 rows
//     thread i { y = 0 }
//     for kt {                    32 elements of each, three such stretches under way beside this one
//       coop A_s[32][33] = A      lanes side by side read along the row
//       thread i { for k  acc += A_s[i][k] * x_s[k] }
//     }
//     thread i { y = acc }
//   }
//
// A thread a row reads a row apart from its neighbours, each word alone; through shared memory every sector
// is read once and whole. Nothing of the order of a sum is changed.
#include "plan/rows.h"
#include "plan/contract_find.h"

enum {
    TILE = 32,           // rows of a block, and elements of a row, that are in shared memory at a time
    STAGES = 4,
    LEAST_ROWS = 32,
    LEAST_TERMS = 64,
    MOST_BYTES = 98304,  // of shared memory a block
    RESIDENT = 4,        // blocks of a multiprocessor that together keep its share of the memory busy
};
static const double START = 6;    // microseconds
static const double SHARE = 0.9;  // of the rate at which memory is copied

// ---- is it like that? --------------------------------------------------------------------------
static bool is_plain(const Node *n) {
    return n->kind == N_FOR && n->step == 1 && !expr_uses_iters(n->lo) && !expr_uses_iters(n->hi) &&
           !expr_has_load(n->lo) && !expr_has_load(n->hi);
}

static bool add_sum(Rows *k, const Stmt *s) {
    bool local = s->lhs->place == PLACE_LOCAL;
    if (s->op == OP_SET || s->atomic || k->nsums == 4 ||
        (local ? s->lhs->rank > 0 : s->lhs->place != PLACE_USER || s->lhs->rank < 1))
        return false;
    for (int e = 0; e < s->lhs->rank; e++)
        if (expr_uses_sym(s->sub[e], k->sum->iter)) return false;
    for (int i = 0; i < k->nsums; i++)
        if (arrays_may_overlap(k->sums[i], s->lhs)) return false;
    k->local[k->nsums] = local;
    k->nlocals += local;
    k->sums[k->nsums++] = s->lhs;
    return true;
}

static bool is_same_place(Expr *const *sub, const Access *x) {
    for (int e = 0; e < x->array->rank; e++)
        if (!expr_equal(sub[e], x->sub[e])) return false;
    return true;
}

// Each array that the sum walks through is read at one place: its counter stands last, that of the rows
// before it.
static bool add_operand(const Region *r, Rows *k, const Access *x) {
    int last = x->array->rank - 1;
    for (int e = 0; e <= last; e++)
        if (expr_has_load(x->sub[e])) return false;
    if (!access_names(x, k->sum->iter)) { // once for each row, or for all
        k->beside = k->beside || access_names(x, k->row->iter);
        return true;
    }
    if (!contract_is_counter(x->sub[last], k->sum->iter)) return false;
    bool row = access_names(x, k->row->iter);
    for (int e = 0; e < last; e++) {
        if (expr_uses_sym(x->sub[e], k->sum->iter)) return false;
        if (expr_uses_sym(x->sub[e], k->row->iter) && !contract_is_counter(x->sub[e], k->row->iter))
            return false;
    }
    if (x->array->place != PLACE_USER || x->array->stride != type_size(x->array->elem) ||
        region_writes(r, x->array) || k->noperands == 8)
        return false;
    for (int i = 0; i < k->noperands; i++)
        if (k->operand[i] == x->array) return is_same_place(k->place[i], x);
    k->walks[k->noperands] = row;
    k->place[k->noperands] = x->sub;
    k->operand[k->noperands++] = x->array;
    return true;
}

static bool add_update(Arena *a, const Region *r, Rows *k, const Node *n) {
    bool ok = n->kind == N_STMT && !n->nvia && n->stmt->depth == 2 && n->stmt->iters[0] == k->row->iter &&
              n->stmt->iters[1] == k->sum->iter && contract_is_counter(n->at[0], k->row->iter) &&
              contract_is_counter(n->at[1], k->sum->iter) && add_sum(k, n->stmt);
    if (!ok) return false;
    AccessVec v = stmt_accesses(a, n->stmt);
    for (int i = 1; ok && i < v.n; i++) ok = add_operand(r, k, &v.at[i]);
    return ok;
}

// The loop in a row's body; all else are statements. NULL: there is none, or more.
static Node *loop_in(Node *body, bool *alone) {
    Node *found = NULL;
    *alone = body->kind == N_FOR;
    if (*alone) return body;
    if (body->kind != N_SEQ) return NULL;
    for (int i = 0; i < body->nkids; i++) {
        Node *n = unwrap(body->kids[i]);
        if (n->kind == N_FOR && !found) found = n;
        else if (n->kind != N_STMT) return NULL;
    }
    for (int i = 0; i < body->nlocals; i++)
        if (body->locals[i]->rank) return NULL;
    return found;
}

bool rows_find(Arena *a, const Region *r, const DepInfo *d, Rows *out) {
    *out = (Rows){.region = r};
    Node *row = unwrap(r->root);
    const LoopFact *f = row->kind == N_FOR && is_plain(row) ? dep_loop(d, row) : NULL;
    if (!f || f->parallel != ANSWER_ALWAYS || !d->bounds || r->ninspects) return false;
    Node *sum = loop_in(unwrap(row->body), &out->alone);
    if (!sum || !is_plain(sum)) return false;
    out->row = row;
    out->sum = sum;
    Node *body = unwrap(sum->body);
    if (body->kind == N_SEQ && body->nlocals) return false;
    for (int i = 0; i < (body->kind == N_SEQ ? body->nkids : 1); i++)
        if (!add_update(a, r, out, body->kind == N_SEQ ? unwrap(body->kids[i]) : body)) return false;
    int64_t bytes = 0;
    bool walks = false;
    for (int i = 0; i < out->noperands; i++) {
        bytes +=
            (int64_t)type_size(out->operand[i]->elem) * STAGES * (out->walks[i] ? TILE * (TILE + 1) : TILE);
        walks = walks || out->walks[i];
    }
    return walks && bytes <= MOST_BYTES;
}

// ---- the recipe -------------------------------------------------------------------------------
// The loop over a block's rows, of the piece of that number: rule distribute makes one for each child of the
// body.
static const char *piece(Arena *a, int number) { return number ? arena_printf(a, "ri_%d", number) : "ri"; }

char *rows_recipe(Arena *a, const Rows *k) {
    Text t = text_new(a);
    const Node *body = unwrap(k->row->body);
    int pieces = k->alone ? 1 : body->nkids, at = 0;
    const char *sep = "";
    while (!k->alone && unwrap(body->kids[at])->kind != N_FOR) at++;
    text_printf(&t, "strip %s by=%d as=rb,ri\n", k->row->iter->name, TILE);
    for (int n = 0; n < k->nsums; n++)
        if (k->local[n]) text_printf(&t, "expand %s\n", k->sums[n]->name);
    if (pieces > 1) text_put(&t, "distribute ri\n");
    text_printf(&t, "strip %s by=%d as=kt,kk\nmap block rb\ninterchange kt %s kk\n", k->sum->iter->name, TILE,
                piece(a, at));
    for (int n = 0; n < pieces; n++) text_printf(&t, "map thread %s\n", piece(a, n));
    for (int n = 0; n < k->nsums; n++)
        text_printf(&t, "hoist %s%s at=kt as=acc%d\n", k->sums[n]->name, k->local[n] ? "_x" : "", n);
    for (int n = 0; n < k->noperands; n++)
        text_printf(&t, "stage %s at=kt as=%s_s%s\n", k->operand[n]->name, k->operand[n]->name,
                    k->walks[n] ? " pad=1" : "");
    if (!k->beside) text_put(&t, "edge compute\n");
    for (int n = 0; n < k->noperands; n++)
        if (k->walks[n]) text_printf(&t, "edge %s_s by=redirect\n", k->operand[n]->name);
    text_put(&t, "unroll kk\npipeline kt async buffers=");
    for (int n = 0; n < k->noperands; n++) text_printf(&t, "%s%s_s", sep, k->operand[n]->name), sep = ",";
    text_printf(&t, " stages=%d\n", STAGES);
    return arena_strdup(a, text_str(&t));
}

// ---- when, and how long --------------------------------------------------------------------------
Expr *rows_pays(Arena *a, const Rows *k) {
    Expr *rows = expr_op(a, OP_GE, trips_of(a, k->row), expr_int(a, T_I64, LEAST_ROWS), NULL);
    return expr_op(a, OP_LAND, rows,
                   expr_op(a, OP_GE, trips_of(a, k->sum), expr_int(a, T_I64, LEAST_TERMS), NULL), NULL);
}

// The matrices once through the memory, with as much of it at work as there are blocks for.
Expr *rows_cost(Arena *a, const Rows *k, const Sym *copying, const Sym *processors) {
    double bytes = 0;
    for (int n = 0; n < k->noperands; n++) bytes += k->walks[n] ? type_size(k->operand[n]->elem) : 0;
    Expr *rows = expr_cast(a, T_F64, trips_of(a, k->row)),
         *all = expr_mul(a, rows, expr_cast(a, T_F64, trips_of(a, k->sum)));
    Expr *rate = expr_mul(a, expr_float(a, T_F64, SHARE), expr_cast(a, T_F64, expr_sym(a, copying)));
    Expr *full = expr_mul(a, expr_float(a, T_F64, (double)RESIDENT * TILE),
                          expr_cast(a, T_F64, expr_sym(a, processors)));
    Expr *alone = expr_op(a, OP_MAX, expr_float(a, T_F64, 1), expr_op(a, OP_DIV, full, rows, NULL), NULL);
    Expr *time = expr_op(a, OP_DIV, expr_mul(a, expr_float(a, T_F64, bytes), all), rate, NULL);
    return expr_add(a, expr_float(a, T_F64, START), expr_mul(a, time, alone));
}
