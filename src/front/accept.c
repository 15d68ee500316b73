// SPDX-License-Identifier: MIT
// accept.c -- C statements of a marked region to a raw Region; lists what C is taken.
//
// Taken: counted for loops with any invariant bounds, if, blocks, assignments, local scalars,
// arrays and structs, calls of functions whose text is known, C99 math. Refused, each with
// one remark: other control flow, other calls, changing pointers, types that devices lack.
//   accept_stmt.c  statements        accept_loop.c, _final.c  loops, counters afterwards
//   accept_expr.c  expressions       accept_assign.c          assignments, initialisers
//   accept_ref.c   memory            accept_call.c            math, inlining
//   accept_rows.c  tables of rows    accept_watch.c           parameters in memory
//   accept_move.c  pointers that move
//   accept_mark.c  pragmas           accept_scan.c            what is written where
#include "front/accept.h"
#include "front/normal.h"
#include <ctype.h>
#include <string.h>

// Is a file one of those whose text is read for loops?
static bool is_read_for_loops(const AstUnit *u, const char *file) {
    bool is = !u->flat || str_eq(u->flat->file, file);
    for (int i = 0; !is && i < u->flat->files.n; i++) is = str_eq(u->flat->files.at[i], file);
    return is;
}

bool accept_is_elsewhere(const Accept *ac, Loc loc) {
    return is_prelude(loc.file) || (!ac->kernel && loc.file && !is_read_for_loops(ac->ra->unit, loc.file));
}

Loc accept_site(const Accept *ac, Loc loc) {
    return ac->site.line && accept_is_elsewhere(ac, loc) ? ac->site : loc;
}

void *accept_refuse(Accept *ac, DiagCode code, Loc loc, const char *fmt, ...) {
    if (ac->failed)
        return NULL;
    ac->failed = true;
    Text t = text_new(ac->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    if (!loc.line) loc = ac->loc;
    Loc site = accept_site(ac, loc);
    if (site.line && !str_eq(site.file, loc.file) && !is_prelude(loc.file))
        text_printf(&t, " (%s:%d, called here)", loc.file, loc.line);
    diag(ac->c, ac->kernel ? DIAG_ERROR : DIAG_REMARK, code, site, "%s", text_str(&t));
    return NULL;
}

// ---- names -----------------------------------------------------------------------------------
// Words that mean something in a dialect that kernels are printed in.
static bool is_reserved(const char *s) {
    static const char *const words[] = {
        "auto", "bool", "break", "case", "catch", "char", "class", "const", "constant", "continue",
        "default", "delete", "do", "double", "else", "enum", "event_t", "explicit", "export",
        "extern", "false", "float", "for", "friend", "generic", "global", "goto", "half", "if",
        "image1d_t", "image2d_t", "image3d_t", "inline", "int", "kernel", "local", "long",
        "mutable", "namespace", "new", "operator", "pipe", "private", "protected", "public",
        "queue_t", "read_only", "read_write", "register", "restrict", "return", "sampler_t",
        "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw",
        "true", "try", "typedef", "typename", "uchar", "uint", "ulong", "union", "unsigned",
        "ushort", "using", "virtual", "void", "volatile", "warpSize", "while", "write_only",
        "asm", "and", "or", "not", "xor", "bitand", "bitor", "compl", "threadIdx", "blockIdx",
        "blockDim", "gridDim", "main", "min", "max", "abs", "mad", "dot", "cross", "mix", "step",
        "clamp", "length", "distance", "normalize", "sign", "select", "any", "all", "barrier",
        "vec_step", "as_int", "NULL", "INFINITY", "NAN", "M_PI", "M_E", "radians", "degrees",
        "rotate", "popcount", "clz", "hadd", "rsqrt", "fract", "modf", "sincos", "size_t",
        "j0", "j1", "jn", "y0", "y1", "yn", "gamma", "signbit", "isnan", "isinf", "index",
        "norm", "exp10", "nan", "prefetch", "shuffle", "printf", "linux", "unix", "i386",
        "constexpr", "decltype", "nullptr", "noexcept", "alignas", "alignof", "thread_local",
        "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(s, words[k]) == 0)
            return true;
    return false;
}

static bool is_used(Accept *ac, const char *s) {
    for (int k = 0; k < ac->names.n; k++)
        if (strcmp(ac->names.at[k], s) == 0)
            return true;
    return false;
}

static bool is_math(const char *s) {
    static const char *const names[] = {
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
        "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
        "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "log", "log10",
        "log1p", "log2", "logb", "lrint", "lround", "nearbyint", "nextafter", "pow", "remainder",
        "remquo", "rint", "round", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma",
        "trunc",
    };
    size_t n = strlen(s);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t m = strlen(names[k]);
        if (strncmp(s, names[k], m) == 0 && (n == m || (n == m + 1 && (s[m] == 'f' || s[m] == 'l'))))
            return true;
    }
    return false;
}

const char *accept_name(Accept *ac, const char *like) {
    Text t = text_new(ac->a);
    for (const char *p = like; *p && t.n < 60; p++) {
        bool word = isalnum((unsigned char)*p) || *p == '_';
        bool joined = t.n > 0 && t.s[t.n - 1] == '_';
        if (word)
            text_putn(&t, p, 1);
        else if (t.n > 0 && !joined)
            text_put(&t, "_");
    }
    while (t.n > 1 && t.s[t.n - 1] == '_')
        t.s[--t.n] = 0;
    const char *base = text_str(&t);
    if (!isalpha((unsigned char)base[0]) || str_has_prefix(base, "sculpt_"))
        base = arena_printf(ac->a, "v%s%s", base[0] == '_' ? "" : "_", base);
    bool taken = is_reserved(base) || is_math(base) || str_has_prefix(base, "get_") ||
                 str_has_prefix(base, "atomic_") || str_has_prefix(base, "convert_") ||
                 strstr(base, "__");
    const char *name = taken ? NULL : base;
    for (int k = 1; !name || is_used(ac, name); k++)
        name = arena_printf(ac->a, "%s_%d", strstr(base, "__") ? "v" : base, k);
    vec_push(ac->a, &ac->names, name);
    return name;
}

Expr *accept_param(Accept *ac, const char *source, const char *like, Type t) {
    for (int k = 0; k < ac->params.n; k++)
        if (str_eq(ac->params.at[k]->source, source) && ac->params.at[k]->type == t)
            return expr_sym(ac->a, ac->params.at[k]);
    Sym *s = NEW(ac->a, Sym);
    s->name = accept_name(ac, like);
    s->kind = SYM_PARAM;
    s->type = t;
    s->source = source;
    vec_push(ac->a, &ac->params, (const Sym *)s);
    return expr_sym(ac->a, s);
}

Expr *accept_held(const Accept *ac, const Decl *d, Expr *x) {
    Sym *s = (Sym *)x->sym;
    s->held |= accept_is_held(ac, d);
    return x;
}

// ---- blocks and bindings -------------------------------------------------------------------------
void accept_open(Accept *ac, Block *b) {
    *b = (Block){.up = ac->block};
    ac->block = b;
}

Node *accept_close(Accept *ac, Block *b) {
    ac->block = b->up;
    Node *n = node_seq(ac->a, b->nodes.n, b->nodes.at);
    n->nlocals = b->locals.n;
    n->locals = b->locals.at;
    n->loc = b->nodes.n ? b->nodes.at[0]->loc : ac->loc;
    return n;
}

void accept_splice(Accept *ac, Node *seq) {
    if (seq->nlocals > 0) {
        vec_push(ac->a, &ac->block->nodes, seq);
        return;
    }
    for (int k = 0; k < seq->nkids; k++)
        vec_push(ac->a, &ac->block->nodes, seq->kids[k]);
}

void accept_bind(Accept *ac, const Decl *d, BindKind kind, Expr *value, const Ref *ref) {
    Bind b = {.decl = d, .kind = kind, .value = value};
    if (ref)
        b.ref = *ref;
    vec_push(ac->a, &ac->env, b);
}

Bind *accept_lookup(Accept *ac, const Decl *d) {
    for (int k = ac->env.n - 1; k >= 0; k--)
        if (ac->env.at[k].decl == d)
            return &ac->env.at[k];
    return NULL;
}

// A pointer that was set anew further in than it was declared is not known any more.
void accept_unbind(Accept *ac, int mark) {
    DeclVec gone = {0};
    for (int k = mark; k < ac->env.n; k++)
        if (ac->env.at[k].again && !accept_has_decl(&gone, ac->env.at[k].decl))
            vec_push(ac->a, &gone, ac->env.at[k].decl);
    ac->env.n = mark;
    for (int k = 0; k < gone.n; k++) {
        accept_bind(ac, gone.at[k], BIND_GONE, NULL, NULL);
        ac->env.at[ac->env.n - 1].again = true;
    }
}

// ---- statements ------------------------------------------------------------------------------------
// x and y differ by a constant that isn't 0.
static bool never_equal(const Expr *x, const Expr *y) {
    int64_t c[2] = {0, 0};
    const Expr *e[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        bool sum = e[k]->kind == E_OP && (e[k]->op == OP_ADD || e[k]->op == OP_SUB);
        if (sum && e[k]->args[1]->kind == E_INT) {
            c[k] = e[k]->op == OP_ADD ? e[k]->args[1]->i : -e[k]->args[1]->i;
            e[k] = e[k]->args[0];
        } else if (e[k]->kind == E_INT) {
            c[k] = e[k]->i;
            e[k] = NULL;
        }
    }
    bool same = (!e[0] && !e[1]) || (e[0] && e[1] && expr_equal(e[0], e[1]));
    return same && c[0] != c[1];
}

// May an expression read the element?
static bool may_read(const Expr *root, const Array *v, Expr *const *sub) {
    expr_each(x, root) {
        if (x->kind != E_LOAD || !str_eq(x->array->object, v->object)) continue;
        bool apart = x->array != v && x->array->stride == v->stride && x->array->elem == v->elem &&
                     x->array->offset != v->offset && x->array->place == PLACE_USER &&
                     x->array->rank == v->rank;
        for (int k = 0; x->array == v && k < v->rank; k++) apart |= never_equal(x->args[k], sub[k]);
        if (!apart) return true;
    }
    return false;
}

// Into what has bits of another number: all of it has these. Into a part: its neighbours keep theirs.
static bool put_bits(Accept *ac, Loc loc, const Ref *ref, Op op, Expr *rhs) {
    Ref whole;
    Part part;
    Type t = ref->type->scalar;
    if (!accept_whole_of(ac, ref, loc, &whole, &part)) return false;
    if (!part.of && whole.type->scalar == t) return accept_put(ac, loc, &whole, op, rhs);
    if (ac->atomic)
        return accept_refuse(ac, SC_TYPE, loc, "an atomic update of a part, or of the bits, of a number is "
                             "not taken");
    Expr *old = op == OP_SET ? NULL : accept_load(ac, ref, loc);
    rhs = rhs ? accept_convert(ac, t, rhs) : NULL;
    if (!rhs || (op != OP_SET && !old)) return false;
    if (old) rhs = expr_updated(ac->a, op, old, rhs);
    if (!part.of) return accept_put(ac, loc, &whole, OP_SET, accept_bits(ac, whole.type->scalar, rhs));
    Expr *was = accept_load(ac, &whole, loc);
    if (type_is_float(t)) rhs = accept_bits(ac, part.of->type->scalar, rhs);
    return was && accept_put(ac, loc, &whole, OP_SET, accept_with_part(ac, &part, was, rhs));
}

bool accept_put(Accept *ac, Loc loc, const Ref *ref, Op op, Expr *rhs) {
    if (ref->bits || ref->shared) return put_bits(ac, loc, ref, op, rhs);
    loc = accept_site(ac, loc);
    Expr **sub;
    const Array *lhs = rhs ? accept_array(ac, ref, &sub, loc) : NULL;
    if (!lhs)
        return false;
    if (ref->type->is_const && !ref->object->block)
        return accept_refuse(ac, SC_EXPRESSION, loc, "a const object is written");
    if (accept_is_bound(ac, ref))
        return accept_refuse(ac, SC_ITER_WRITTEN, loc, "the loop changes what its bound is computed from");
    if (op != OP_SET && may_read(rhs, lhs, sub)) {
        rhs = expr_updated(ac->a, op, expr_load(ac->a, lhs, sub), expr_cast(ac->a, lhs->elem, rhs));
        op = OP_SET;
    }
    if (ac->stmts.n >= ACCEPT_STMTS)
        return accept_refuse(ac, SC_CALL, loc, "more than %d statements after inlining", ACCEPT_STMTS);
    Stmt *s = NEW(ac->a, Stmt);
    s->label = arena_printf(ac->a, "S%d", ac->stmts.n);
    s->loc = loc;
    s->depth = ac->iters.n;
    s->iters = NEW_N(ac->a, const Sym *, s->depth + 1);
    Expr **at = NEW_N(ac->a, Expr *, s->depth + 1);
    for (int k = 0; k < s->depth; k++) {
        s->iters[k] = ac->iters.at[k];
        at[k] = expr_sym(ac->a, s->iters[k]);
    }
    s->lhs = lhs;
    s->sub = sub;
    s->moved = accept_vector_of(ref);
    s->op = op;
    s->atomic = ac->atomic;
    s->async = ac->async;
    s->rhs = accept_convert(ac, lhs->elem, rhs);
    vec_push(ac->a, &ac->stmts, (const Stmt *)s);
    Node *n = node_stmt(ac->a, s, at);
    n->loc = loc;
    vec_push(ac->a, &ac->block->nodes, n);
    return true;
}

// ---- the region ----------------------------------------------------------------------------------------
// Variables that the region declares at its own level must not be used behind it.
static bool check_declared(Accept *ac) {
    const RegionAst *ra = ac->ra;
    for (int k = 0; k < ra->nstmts; k++)
        for (int j = 0; j < ra->stmts[k]->ndecls; j++) {
            const Decl *d = ra->stmts[k]->decls[j];
            int inside = 0;
            for (int m = 0; m < ra->nstmts; m++)
                inside += accept_count_uses(ra->stmts[m], d);
            if (accept_count_uses(ra->func->body, d) > inside) {
                accept_refuse(ac, SC_LIVE_OUT, d->loc, "'%s' is declared inside the marked region "
                              "and used behind it; declare it before", d->name);
                return false;
            }
        }
    return true;
}

// Pointers that the region sets are not known before it does.
static void bind_changed_pointers(Accept *ac) {
    for (int k = 0; k < ac->writes.pointers.n; k++) {
        accept_bind(ac, ac->writes.pointers.at[k], BIND_GONE, NULL, NULL);
        ac->env.at[ac->env.n - 1].again = true;
    }
}

bool accept_is_inside(const Accept *ac, const Decl *d) {
    bool inside = false;
    for (int j = 0; j < ac->ra->nstmts; j++)
        inside |= accept_declares(ac->ra->stmts[j], d);
    for (int j = 0; j < ac->writes.funcs.n; j++) {
        const Decl *f = ac->writes.funcs.at[j];
        inside |= f->body && accept_declares(f->body, d);
        for (int p = 0; p < f->nparams; p++)
            inside |= f->params[p] == d;
    }
    return inside;
}

static Loc first_loop(const RegionAst *ra) {
    for (int k = 0; k < ra->nstmts; k++)
        if (ra->stmts[k]->kind == A_FOR)
            return ra->stmts[k]->loc;
    return ra->loc;
}

// Does the mark itself permit it?
static bool permits(const Accept *ac, const char *what) {
    for (int k = 0; k < ac->ra->npragmas; k++)
        for (int j = 0; j < ac->ra->pragmas[k]->nclauses; j++)
            if (ac->ra->pragmas[k]->kind == P_SCULPT &&
                str_eq(ac->ra->pragmas[k]->clauses[j].name, what))
                return true;
    return false;
}

// An array that nobody reads behind the region is still needed there, if the region may run again and read
// what it left. What the region hands out as copies alone is nobody's concern: the program's own loops,
// compiled without the clause, write it.
static void keep_exposed(Accept *ac, Node *root) {
    for (int k = 0; k < ac->arrays.n; k++) {
        Array *v = (Array *)ac->arrays.at[k];
        if (v->rank > 0 && !v->live_out) v->live_out = node_exposed(ac->a, root, v);
    }
    for (int k = 0; k < ac->objects.n; k++)
        for (int j = 0; ac->objects.at[k]->handed && j < ac->objects.at[k]->views.n; j++) {
            Array *v = (Array *)ac->objects.at[k]->views.at[j];
            v->live_out &= v->place != PLACE_USER || node_writes(root, v);
        }
}

static Region *finish(Accept *ac, Node *root) {
    Region *r = NEW(ac->a, Region);
    r->name = arena_printf(ac->a, "%s_%d", ac->ra->func->name, ac->ra->loc.line);
    r->loc = ac->c->at = first_loop(ac->ra);
    r->marked = ac->ra->marked;
    r->reassociate = ac->c->reassociate || permits(ac, "reassociate");
    r->fast_math = ac->c->fast_math;
    r->approximate = ac->c->approximate || r->fast_math || permits(ac, "approximate");
    r->nparams = ac->params.n;
    r->params = ac->params.at;
    r->narrays = ac->arrays.n;
    r->arrays = ac->arrays.at;
    r->nstmts = ac->stmts.n;
    r->stmts = ac->stmts.at;
    r->root = root;
    return r;
}

Region *accept_region(Compile *c, const RegionAst *ra, Left *left) {
    Accept *ac = &(Accept){.c = c, .a = c->arena, .ra = ra, .loc = ra->loc, .kernel = ra->launch > 0};
    ac->ret = (Return){.inside = ac->kernel, .depth = ra->launch};
    for (int k = 0; k < ra->nstmts; k++)
        accept_scan(ac->a, ra->stmts[k], &ac->writes);
    bind_changed_pointers(ac);
    if (!check_declared(ac) || !accept_keep(ac, &ac->writes.pointers) || !accept_keep(ac, &ac->writes.moves))
        return NULL;
    Block root;
    accept_open(ac, &root);
    bool ok = accept_track_outer(ac) && accept_list(ac, ra->nstmts, ra->stmts);
    Node *tree = accept_close(ac, &root);
    ok = ok && accept_rows_settle(ac, tree) && accept_kept(ac, left);
    accept_watches_settle(ac);
    left->returns = ac->returns;
    left->counters = ok ? accept_epilogue(ac) : NULL;
    if (!left->counters)
        return NULL;
    if (ac->stmts.n == 0)
        return accept_refuse(ac, SC_NOT_FOR, ra->loc, "nothing here computes a value");
    keep_exposed(ac, tree);
    return finish(ac, tree);
}
