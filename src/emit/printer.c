// SPDX-License-Identifier: MIT
// printer.c -- the tree as statements of a C-family language.
//
// What stands in the tree is what is printed. Loops over blocks and threads become indices in
// a dialect that has them and loops in one that has not.
#include <string.h>
#include "dep/dep.h"
#include "emit/dialect.h"

// Loops unrolled whole are printed as copies if these are not many, else compilers are told.
enum { MAX_COPIES = 16, MAX_WEIGHTS = 128 }; // statements of a loop that is printed as copies
enum { MAX_ASKING = 64 };                    // iterations of one that is longer than that and asks

// ---- lines -----------------------------------------------------------------------------

void put(Printer *p, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&p->out, fmt, ap);
    va_end(ap);
}

void put_indent(Printer *p) {
    for (int k = 0; k < p->indent; k++) text_put(&p->out, "    ");
}

void put_line(Printer *p, const char *fmt, ...) {
    put_indent(p);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&p->out, fmt, ap);
    va_end(ap);
    text_put(&p->out, "\n");
}

void emit_fail(Printer *p, DiagCode code, const char *fmt, ...) {
    if (p->failed || !p->c) return;
    Text text = text_new(p->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&text, fmt, ap);
    va_end(ap);
    diag(p->c, code == SC_BUG ? DIAG_ERROR : DIAG_REMARK, code, p->loc, "%s", text_str(&text));
    p->failed = true;
}

// ---- blocks of statements --------------------------------------------------------------

static void put_extents(Printer *p, const Array *array) {
    for (int k = 0; k < array->rank; k++) {
        if (!dimension_is_stored(p, array, k)) continue;
        Expr *x = emit_resolve(p, array->extent[k]);
        if (!x || (x->kind != E_INT && !p->d->vla)) {
            emit_fail(p, SC_BUG, "the size of %s is not a constant", array->name);
            return;
        }
        put(p, "[");
        put_expr(p, x, PREC_ANY);
        put(p, "]");
    }
}

void put_local(Printer *p, const Array *array, const char *space) {
    bool aligned = array->place == PLACE_SHARED && *space;
    put_indent(p);
    put(p, "%s%s%s %s", space, aligned ? p->d->aligned[0] : "", emit_type(p, array->elem),
        emit_name(p, array->name));
    put_extents(p, array);
    put(p, "%s;\n", aligned ? p->d->aligned[1] : "");
}

static void put_temporary(Printer *p, const Array *array) {
    if (p->temporary) {
        p->temporary(p, array, true);
        return;
    }
    if (!p->d->heap) {
        emit_fail(p, SC_BUG, "the temporary array %s is declared inside a kernel", array->name);
        return;
    }
    const char *type = emit_type(p, array->elem), *name = emit_name(p, array->name);
    put_indent(p);
    put(p, "%s *%s = malloc(sizeof(%s)", type, name, type);
    for (int k = 0; k < array->rank; k++)
        put(p, " * (size_t)%s", expr_text(p, emit_resolve(p, array->extent[k]), PREC_UNARY));
    put(p, " + 1);\n");
    put_line(p, "if (!%s)", name);
    put_line(p, "    abort();");
}

static void put_declarations(Printer *p, const Node *seq) {
    for (int k = 0; k < seq->nlocals; k++) {
        const Array *array = seq->locals[k];
        if (array->place == PLACE_TEMP)
            put_temporary(p, array);
        else if (array->place != PLACE_SHARED || !p->d->block[0])
            put_local(p, array, ""); // shared arrays stand at the kernel's head on a GPU
    }
}

// Is n a loop that is printed as declarations where it stands?
static bool declares(const Printer *p, Node *n) {
    Node *loop = only_loop(n);
    return loop && p->d->block[0] &&
           (loop->how == HOW_BLOCK || loop->how == HOW_THREAD || loop->how == HOW_COOP);
}

static void put_seq(Printer *p, Node *n) {
    put_declarations(p, n);
    for (int k = 0; k < n->nkids; k++) {
        Node *kid = n->kids[k];
        bool own_block = (kid->kind == N_SEQ && kid->nlocals) || (n->nkids > 1 && declares(p, kid));
        if (own_block)
            put_line(p, "{");
        p->indent += own_block;
        put_tree(p, kid);
        p->indent -= own_block;
        if (own_block)
            put_line(p, "}");
        if (!p->grouped && dep_ends_group(n, k) && p->d->commit) p->d->commit(p);
    }
    for (int k = n->nlocals; k-- > 0;) {
        if (n->locals[k]->place != PLACE_TEMP) continue;
        if (p->temporary)
            p->temporary(p, n->locals[k], false);
        else
            put_line(p, "free(%s);", emit_name(p, n->locals[k]->name));
    }
}

static void put_body(Printer *p, Node *body) {
    p->indent++;
    put_tree(p, body);
    p->indent--;
}

// The body of a loop: what it copies asynchronously is grouped in it.
static void put_loop_body(Printer *p, Node *body) {
    int grouped = p->grouped;
    p->grouped = 0;
    put_tree(p, body);
    if (body->kind != N_SEQ && holds_async(body) && p->d->commit) p->d->commit(p);
    p->grouped = grouped;
}

static void put_if(Printer *p, Node *n) {
    p->loc = n->loc;
    Expr *cond = emit_index(p, n->cond);
    if (p->nknown && emit_holds(p, cond)) cond = expr_int(p->a, cond->type, 1);
    if (cond->kind == E_INT && p->nknown && !holds_async(n)) { // decided by the known sizes
        Node *taken = cond->i ? n->then : n->other;
        if (!taken) return;
        put_line(p, "{");
        put_body(p, taken);
        put_line(p, "}");
        return;
    }
    put_indent(p);
    put(p, "if (");
    put_condition(p, cond);
    put(p, ") {\n");
    int grouped = holds_async(n); // then around it, whatever the condition says
    p->grouped += grouped;
    put_body(p, n->then);
    if (n->other) {
        put_line(p, "} else {");
        put_body(p, n->other);
    }
    p->grouped -= grouped;
    put_line(p, "}");
}

// ---- loops -------------------------------------------------------------------------------

static int depth_of(Node *n, How how) {
    int most = 0;
    for (int k = 0; node_kid(n, k); k++) {
        int d = depth_of(node_kid(n, k), how);
        most = d > most ? d : most;
    }
    return most + (n->kind == N_FOR && n->how == how);
}

// which dimension (0: x) a block or thread loop is
static int emit_dim(Node *loop) {
    return depth_of(loop->body, loop->how);
}

int64_t emit_trips(const Printer *p, const Node *n) {
    Expr *lo = emit_resolve(p, n->lo), *hi = emit_resolve(p, n->hi);
    return loop_literal_trips(lo, hi, n->step);
}

// x as an expression (NULL: none) plus a constant.
static const Expr *split_constant(const Expr *x, int64_t *c) {
    *c = 0;
    if (x->kind == E_INT) return *c = x->i, NULL;
    bool sum = x->kind == E_OP && (x->op == OP_ADD || x->op == OP_SUB) && x->args[1]->kind == E_INT;
    if (!sum) return x;
    *c = x->op == OP_ADD ? x->args[1]->i : (int64_t)-(uint64_t)x->args[1]->i;
    return x->args[0];
}

int64_t emit_extent(const Printer *p, const Node *n) {
    int64_t from, to, span;
    const Expr *lo = split_constant(emit_resolve(p, n->lo), &from);
    const Expr *hi = split_constant(emit_resolve(p, n->hi), &to);
    bool same = lo == hi || (lo && hi && expr_equal(lo, hi));
    if (!same || n->step != 1 || __builtin_sub_overflow(to, from, &span)) return -1;
    return span > 0 ? span : 0;
}

// const int i = (int)blockIdx.x + lo;
static void put_index(Printer *p, Node *n, const char *index) {
    int mark = p->counters.n;
    Expr *lo = emit_index(p, n->lo);
    const char *type = emit_type(p, counter_begin(p, n->iter, n->lo, n->hi));
    counter_within(p, n->lo, n->hi);
    put_indent(p);
    put(p, "const %s %s = (%s)%s", type, emit_sym(p, n->iter), type, index);
    if (!expr_is_int(lo, 0)) {
        put(p, " + ");
        put_expr(p, lo, 13);
    }
    put(p, ";\n");
    put_loop_body(p, n->body);
    p->counters.n = mark;
}

static void put_copies(Printer *p, Node *n, int64_t trips) {
    int64_t lo = emit_resolve(p, n->lo)->i;
    for (int64_t k = 0; k < trips; k++) {
        Expr *value = expr_int(p->a, n->iter->type, lo + k * n->step);
        vec_push(p->a, &p->fixed, n->iter);
        vec_push(p->a, &p->value, value);
        bool block = n->body->kind == N_SEQ && n->body->nlocals;
        if (block)
            put_line(p, "{ // %s = %lld", n->iter->name, (long long)value->i);
        p->indent += block;
        put_loop_body(p, n->body);
        p->indent -= block;
        if (block)
            put_line(p, "}");
        p->fixed.n--;
        p->value.n--;
    }
}

// A bound that reads memory is read once, at entry.
static const char *bound_text(Printer *p, const Node *n, Expr *x, const char *which, int prec) {
    x = emit_index(p, x);
    const char *text = expr_text(p, x, prec);
    if (!expr_has_load(x)) return text;
    const char *name = arena_printf(p->a, "sculpt_%s_%s", which, n->iter->name);
    put_line(p, "const %s %s = %s;", emit_type(p, x->type), name, text);
    return name;
}

static const char *increment(Printer *p, const Node *n) {
    const char *i = emit_sym(p, n->iter);
    long long step = n->step;
    if (step == 1 || step == -1) return arena_printf(p->a, "%s%s", i, step > 0 ? "++" : "--");
    if (step < 0) return arena_printf(p->a, "%s -= %llu", i, 0ull - (unsigned long long)step);
    return arena_printf(p->a, "%s += %lld", i, step);
}

static void put_while(Printer *p, const Node *leaves) {
    put_line(p, "while (%s) {", expr_text(p, emit_resolve(p, leaves->cond), 0));
    p->indent++;
    put_loop_body(p, leaves->then);
    p->indent--;
    put_line(p, "}");
}

// `pragma` stands directly before the loop ("" for none).
static void put_loop(Printer *p, Node *n, const char *pragma) {
    Node *leaves = loop_while(n);
    if (leaves && loop_is_unbounded(n)) {
        put_while(p, leaves);
        return;
    }
    int mark = p->counters.n;
    const char *i = emit_sym(p, n->iter), *type = emit_type(p, counter_begin(p, n->iter, n->lo, n->hi));
    if (n->step > 0) counter_within(p, n->lo, n->hi);
    bool block = expr_has_load(n->hi) || p->c89;
    if (block)
        put_line(p, "{");
    p->indent += block;
    if (p->c89) put_line(p, "%s %s;", type, i);
    const char *hi = bound_text(p, n, n->hi, "end", 11);
    const char *lo = expr_text(p, emit_index(p, n->lo), PREC_SELECT);
    if (*pragma) put_line(p, "%s", pragma);
    put_line(p, "for (%s%s%s = %s; %s %c %s; %s) {", p->c89 ? "" : type, p->c89 ? "" : " ", i, lo,
             i, n->step > 0 ? '<' : '>', hi, increment(p, n));
    p->indent++;
    if (leaves) {
        put_line(p, "if (%s)",
                 expr_text(p, expr_op(p->a, OP_LNOT, emit_resolve(p, leaves->cond), NULL, NULL), 0));
        put_line(p, "    break;");
    }
    put_loop_body(p, leaves ? leaves->then : n->body);
    p->indent--;
    put_line(p, "}");
    p->indent -= block;
    if (block)
        put_line(p, "}");
    p->counters.n = mark;
}

// How many block loops stand perfectly nested from n on, with bounds that no outer one moves.
static int collapsible(Node *n) {
    const Sym *outer[3] = {n->iter};
    int count = 1;
    Node *k = only_loop(n->body);
    for (; k && k->how == HOW_BLOCK && count < 3; k = only_loop(k->body)) {
        for (int o = 0; o < count; o++)
            if (expr_uses_sym(k->lo, outer[o]) || expr_uses_sym(k->hi, outer[o])) return count;
        if (expr_has_load(k->lo) || expr_has_load(k->hi)) return count;
        outer[count++] = k->iter;
    }
    return count;
}

// Statements one after another; for lanes also under conditions, which become masks.
static bool is_straight(const Node *n, bool lanes) {
    if (n->kind == N_SEQ) {
        for (int k = 0; k < n->nkids; k++)
            if (!is_straight(n->kids[k], lanes)) return false;
        return true;
    }
    if (n->kind == N_IF && lanes)
        return is_straight(n->then, lanes) && (!n->other || is_straight(n->other, lanes));
    return (n->kind == N_STMT || n->kind == N_COPY) && !n->atomic;
}

// Do iterations of a parallel loop hold loops of unlike lengths?
static bool is_uneven(Node *n, const Sym *iter) {
    bool loop = n->kind == N_FOR;
    if (loop && expr_uses_sym(n->lo, iter) != expr_uses_sym(n->hi, iter)) return true;
    if (loop && (expr_has_load(n->lo) || expr_has_load(n->hi))) return true;
    for (int k = 0; node_kid(n, k); k++)
        if (is_uneven(node_kid(n, k), iter)) return true;
    return false;
}

// Like shares at once, or shares in turn, a few hundred in all.
static const char *schedule_of(Printer *p, Node *n, int nest) {
    if (nest > 1 || !is_uneven(n->body, n->iter)) return "static";
    const char *lo = expr_text(p, emit_resolve(p, n->lo), 0), *hi = expr_text(p, emit_resolve(p, n->hi), 0);
    return arena_printf(p->a, "dynamic, (%s) > (%s) ? ((%s) - (%s)) / 256 + 1 : 1", hi, lo, hi, lo);
}

// Loops over blocks and threads where neither exists: OpenMP threads and vector lanes.
static void put_host_parallel(Printer *p, Node *n) {
    const char *pragma = "";
    if (p->sequential) {
        put_loop(p, n, pragma);
        return;
    }
    bool outermost = n->how == HOW_BLOCK && !p->omp;
    if (outermost) {
        int nest = collapsible(n);
        const char *collapse = nest > 1 ? arena_printf(p->a, " collapse(%d)", nest) : "";
        pragma = arena_printf(p->a, "#pragma omp %sfor%s schedule(%s)%s", p->shared_loop ? "" : "parallel ",
                              collapse, schedule_of(p, n, nest), p->shared_loop ? " nowait" : "");
    } else if (n->how != HOW_BLOCK && is_straight(n->body, n->how == HOW_VECTOR)) {
        pragma = "#pragma omp simd";
    }
    p->omp += outermost;
    put_loop(p, n, pragma);
    p->omp -= outermost;
}

// How many statements the copies of unrolled loops in n make.
static int64_t copies(const Printer *p, Node *n) {
    int64_t sum = n->kind == N_STMT || n->kind == N_COPY;
    for (int k = 0; node_kid(n, k); k++) sum += copies(p, node_kid(n, k));
    int64_t trips = n->kind == N_FOR && n->how == HOW_UNROLL ? emit_trips(p, n) : 1;
    return trips > 1 && sum < INT32_MAX ? sum * trips : sum;
}

static bool is_if(const Node *n) { return n->kind == N_IF; }

// A CPU has no use for a long row of conditions, and its compiler takes long over them.
static bool stays_loop(const Printer *p, Node *n) {
    return p->d->simd && node_any(n->body, is_if) && copies(p, n) > MAX_COPIES;
}

static bool uses_beside_loads(const Expr *x, const Sym *s) {
    bool uses = x->kind == E_SYM && x->sym == s;
    for (int k = 0; x->kind != E_LOAD && k < x->nargs; k++) uses = uses || uses_beside_loads(x->args[k], s);
    return uses;
}

// Of loops whose counters make numbers of expressions (weights of a stencil) more copies are printed: these
// numbers are literals then.
static int64_t most_copies(const Printer *p, Node *n) {
    node_each(s, n->body)
        if (s->kind == N_STMT && uses_beside_loads(node_stmt_expr(p->a, s, form_rhs(p->a, s)), n->iter))
            return MAX_WEIGHTS;
    return MAX_COPIES;
}

// Compilers write a loop twice, for either answer, where it asks the same in all iterations. Of a long one on
// a GPU they get copies, in which they can't: a panel of 32 x 32 steps took NVIDIA's 3.7 s so, else 8.4 s.
static bool is_long_and_asks(const Printer *p, Node *n, int64_t trips) {
    if (!p->d->thread[0] || trips > MAX_ASKING || copies(p, n) <= MAX_ASKING) return false;
    node_each(m, n->body)
        if (m->kind == N_IF && !expr_uses_sym(m->cond, n->iter)) return true;
    return false;
}

void put_unrolled(Printer *p, Node *n) {
    int64_t trips = emit_trips(p, n), most = most_copies(p, n);
    if (trips >= 0 && ((trips <= most && copies(p, n) <= most) || is_long_and_asks(p, n, trips)))
        put_copies(p, n, trips);
    else
        put_loop(p, n, stays_loop(p, n) ? "" : p->d->unroll_all);
}

static void put_for(Printer *p, Node *n) {
    const Dialect *d = p->d;
    p->loc = n->loc;
    switch (n->how) {
    case HOW_BLOCK:
    case HOW_THREAD: {
        if (n->how == HOW_THREAD && p->threads) {
            put_phase(p, n);
            break;
        }
        const char *const *index = n->how == HOW_BLOCK ? d->block : d->thread;
        int dim = emit_dim(n);
        if (!index[0])
            put_host_parallel(p, n);
        else if (dim < 3)
            put_index(p, n, index[dim]);
        else
            emit_fail(p, SC_BUG, "more than three nested %s loops", how_name(n->how));
        break;
    }
    case HOW_COOP:
        if (p->threads)
            put_coop(p, n);
        else
            put_loop(p, n, "");
        break;
    case HOW_VECTOR:
        if (d->vector)
            put_lanes(p, n);
        else if (!d->simd || p->sequential || !put_simd(p, n))
            put_host_parallel(p, n);
        break;
    case HOW_UNROLL: put_unrolled(p, n); break;
    default: {
        bool some = n->unroll > 0 && !p->sequential && *d->unroll; // by 1: compilers leave it rolled
        char line[96] = "";
        if (some) snprintf(line, sizeof line, d->unroll, n->unroll);
        put_loop(p, n, line);
    }
    }
}

// ---- all ---------------------------------------------------------------------------------

void put_tree(Printer *p, Node *n) {
    if (p->failed) return;
    switch (n->kind) {
    case N_SEQ: put_seq(p, n); break;
    case N_FOR: put_for(p, n); break;
    case N_IF: put_if(p, n); break;
    case N_STMT:
    case N_COPY: put_assign(p, n); break;
    case N_BARRIER:
        if (n->pending >= 0 && p->d->wait) p->d->wait(p, n->pending);
        if (p->d->barrier)
            put_line(p, "%s", n->warp && p->d->barrier_warp ? p->d->barrier_warp : p->d->barrier);
        break;
    case N_KERNEL:
        if (p->launch) {
            p->launch(p, n);
            break;
        }
        if (p->sequential) put_line(p, "// kernel %s", n->name);
        put_tree(p, n->body);
        break;
    }
}
