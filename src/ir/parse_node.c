// SPDX-License-Identifier: MIT
// parse_node.c -- the tree of a region or nest; the syntax is at the top of print.c
#include "ir/parse.h"
#include <limits.h>
#include <string.h>

// Words that begin a node or may follow one: no label of a statement.
const char *parse_reserved(const char *name) {
    static const char *const words[] = {
        "apart",  "array",  "async",  "atomic", "block",  "bytes",  "constant", "coop",   "copy",
        "digits", "do",     "else",   "fact",   "register", "min_blocks", "misalign",
        "exact",  "flops",  "foot",   "for",    "fused",   "graph",  "guessed", "if",    "in",     "kernel",
        "live",   "local",  "loose",  "managed", "mark",   "matrix", "max",    "min",      "object", "of",
        "offset",
        "origin", "out",    "packed", "pinned", "recipe", "rows", "serial", "shared",   "step",   "stmt",
          "streamed", "stride", "temp",   "thread", "to",     "unroll", "value",    "vector", "via",
             "when",   "within", "work"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], name) == 0) return words[k];
    return NULL;
}

static Node *node_new(Parser *p, NodeKind kind) {
    Node *n = NEW(p->arena, Node);
    n->kind = kind;
    return n;
}

// "=" or an update's operator and "=".
Op parse_update(Parser *p) {
    static const Op ops[] = {OP_ADD, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR};
    if (lex_accept(p, '=')) return OP_SET;
    Op word = lex_word(p, "min") ? OP_MIN : lex_word(p, "max") ? OP_MAX : OP_SET;
    if (word != OP_SET) {
        lex_next(p);
        lex_expect(p, '=');
        return word;
    }
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        char text[4];
        snprintf(text, sizeof text, "%s=", op_text(ops[k]));
        if (p->tok.kind != TK_PUNCT || !token_is(p->tok, text)) continue;
        lex_next(p);
        return ops[k];
    }
    lex_expect(p, '=');
    return OP_SET;
}

// ---- blocks ----------------------------------------------------------------------------
static bool accept_place(Parser *p, Place *place) {
    if (lex_accept_word(p, "local")) *place = PLACE_LOCAL;
    else if (lex_accept_word(p, "temp")) *place = PLACE_TEMP;
    else if (lex_accept_word(p, "shared")) *place = PLACE_SHARED;
    else if (lex_accept_word(p, "register")) *place = PLACE_REGISTER;
    else return false;
    return true;
}

static Node *seq(Parser *p) {
    Node *n = node_new(p, N_SEQ);
    VEC(const Array *) locals = {0};
    VEC(Node *) kids = {0};
    Place place;
    lex_expect(p, '{');
    n->loc = parse_loc(p);
    while (accept_place(p, &place)) {
        const Array *a = parse_array(p, place);
        vec_push(p->arena, &locals, a);
    }
    while (!p->failed && !lex_is(p, '}')) {
        Node *kid = parse_node(p);
        vec_push(p->arena, &kids, kid);
    }
    lex_expect(p, '}');
    n->nlocals = locals.n;
    n->locals = locals.at;
    n->nkids = kids.n;
    n->kids = kids.at;
    return n;
}

// ---- loops -----------------------------------------------------------------------------
// A counter: the one of that name, or a new one.
static const Sym *counter(Parser *p) {
    Token at = p->tok;
    char *name = lex_name(p);
    lex_expect(p, ':');
    Type t = parse_type(p), counted = lex_accept_word(p, "of") ? parse_type(p) : T_NONE;
    bool exactly = counted && lex_accept_word(p, "exactly");
    if (p->failed) return NULL;
    const Sym *known = name_find(p, NAME_SYM, name, (int)strlen(name));
    if (known && known->kind == SYM_ITER && known->type == t) return known;
    if (known && known->kind == SYM_ITER)
        parse_error(p, at, "the counter %s has type %s elsewhere", name, type_name(known->type));
    Sym *s = NEW(p->arena, Sym);
    *s = (Sym){.name = name, .kind = SYM_ITER, .type = t, .counted = counted, .exactly = exactly};
    if (!type_is_int(t) || (counted && !type_is_int(counted)))
        parse_error(p, at, "a counter must be an integer");
    name_add(p, NAME_SYM, name, s, at);
    return s;
}

static void reduction(Parser *p, Op *op, const Array **array) {
    static const Op ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND,
                             OP_OR,  OP_XOR, OP_LAND, OP_LOR, OP_SET};
    size_t k = 0, n = sizeof ops / sizeof *ops;
    while (k < n && !token_is(p->tok, op_text(ops[k]))) k++;
    if (k == n) {
        parse_error(p, p->tok, "the operator of a reduction expected");
        return;
    }
    lex_next(p);
    *op = ops[k];
    *array = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
    if (!*array) parse_error(p, p->tok, "the array of a reduction expected");
    lex_next(p);
}

static Mark *mark(Parser *p) {
    Mark *m = NEW(p->arena, Mark);
    VEC(const Array *) red = {0};
    VEC(Op) ops = {0};
    lex_expect(p, '(');
    if (lex_accept_word(p, "parallel")) m->assert = ASSERT_PARALLEL;
    else if (lex_accept_word(p, "seq")) m->assert = ASSERT_SEQ;
    else lex_expect_word(p, "none");
    m->loc = parse_loc(p);
    while (lex_accept_word(p, "reduce")) {
        Op op = OP_SET;
        const Array *a = NULL;
        reduction(p, &op, &a);
        vec_push(p->arena, &red, a);
        vec_push(p->arena, &ops, op);
    }
    lex_expect(p, ')');
    m->nred = red.n;
    m->red = red.at;
    m->redop = ops.at;
    return m;
}

static How how(Parser *p) {
    for (int h = HOW_SERIAL; h < HOW_COUNT; h++) {
        // "unroll 4" is a factor, not the way to run.
        if (!lex_word(p, how_name((How)h))) continue;
        const char *s = p->at;
        while (*s == ' ') s++;
        if (h == HOW_UNROLL && *s >= '0' && *s <= '9') return HOW_SERIAL;
        lex_next(p);
        return (How)h;
    }
    return HOW_SERIAL;
}

static const Matrix *instruction(Parser *p) {
    Token at = p->tok;
    const char *name = lex_name(p);
    const Matrix *m = name ? matrix_named(name) : NULL;
    if (!m) parse_error(p, at, "no matrix instruction is called so");
    return m;
}

static Node *loop(Parser *p) {
    Node *n = node_new(p, N_FOR);
    n->iter = counter(p);
    Type t = n->iter ? n->iter->type : T_NONE;
    lex_expect(p, '=');
    n->lo = parse_expr(p, t);
    lex_expect(p, P2('.', '.'));
    n->hi = parse_expr(p, t);
    n->step = 1;
    Token at = p->tok;
    if (lex_accept_word(p, "step")) n->step = lex_int(p, INT64_MIN, INT64_MAX);
    if (n->step == 0) parse_error(p, at, "a step of 0");
    n->how = how(p);
    if (lex_accept_word(p, "unroll")) n->unroll = (int)lex_int(p, 0, INT_MAX);
    n->graph = lex_accept_word(p, "graph");
    if (lex_accept_word(p, "matrix")) n->matrix = instruction(p);
    if (lex_accept_word(p, "mark")) n->mark = mark(p);
    n->loc = parse_loc(p);
    n->body = parse_node(p);
    return n;
}

static Node *branch(Parser *p) {
    Node *n = node_new(p, N_IF);
    lex_expect(p, '(');
    n->cond = parse_expr(p, T_NONE);
    lex_expect(p, ')');
    n->loc = parse_loc(p);
    bool group = lex_accept(p, '(');
    n->then = parse_node(p);
    if (group) lex_expect(p, ')');
    if (lex_accept_word(p, "else")) n->other = parse_node(p);
    return n;
}

// ---- leaves ------------------------------------------------------------------------------
static Node *copy(Parser *p, bool value) {
    Node *n = node_new(p, N_COPY);
    n->op = OP_SET;
    if (!value) {
        n->dst = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
        if (!n->dst) parse_error(p, p->tok, "the array to copy into expected");
        if (p->failed) return n;
        lex_next(p);
        n->sub = parse_subscripts(p, n->dst);
        n->op = parse_update(p);
    }
    Token at = p->tok;
    n->src = parse_expr(p, n->dst ? n->dst->elem : T_I64);
    if (n->src && n->dst && n->src->type != n->dst->elem)
        parse_error(p, at, "%s goes to an element of %s", type_name(n->src->type),
                    type_name(n->dst->elem));
    n->atomic = lex_accept_word(p, "atomic");
    n->async = lex_accept_word(p, "async");
    n->loc = parse_loc(p);
    return n;
}

// A statement may be used before its line is read: then depth is -1 for a while.
static const Stmt *stmt_named(Parser *p, Token at) {
    const Stmt *known = name_find(p, NAME_STMT, at.s, at.n);
    if (known || p->region) {
        if (!known) parse_error(p, at, "'%.*s' is no statement of the region",
                                at.n < 40 ? at.n : 40, at.s);
        return known;
    }
    Stmt *s = NEW(p->arena, Stmt);
    s->label = arena_strndup(p->arena, at.s, (size_t)at.n);
    s->depth = -1;
    if (parse_reserved(s->label)) parse_error(p, at, "'%s' is not expected here", s->label);
    name_add(p, NAME_STMT, s->label, s, at);
    return s;
}

static void redirections(Parser *p, Node *n) {
    VEC(const Array *) via = {0};
    VEC(Expr **) via_sub = {0};
    bool any = false;
    lex_expect(p, '(');
    do {
        const Array *a = NULL;
        Expr **sub = NULL;
        if (!lex_accept(p, '-')) {
            a = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
            if (!a) parse_error(p, p->tok, "an array or - expected");
            lex_next(p);
            if (a && (lex_is(p, '[') || (!a->of && !a->rank))) {
                sub = parse_subscripts(p, a);
                if (!sub) sub = NEW(p->arena, Expr *);
            }
        }
        any |= sub != NULL;
        vec_push(p->arena, &via, a);
        vec_push(p->arena, &via_sub, sub);
    } while (lex_accept(p, ','));
    lex_expect(p, ')');
    n->nvia = via.n;
    n->via = via.at;
    n->via_sub = any ? via_sub.at : NULL;
}

// (rsqrt, exp): forms of the statement's functions and divisions.
static void forms(Parser *p, Node *n) {
    lex_expect(p, '(');
    do {
        Token at = p->tok;
        const char *name = lex_name(p);
        unsigned form = p->failed ? 0 : form_named(name);
        if (!form && !p->failed) parse_error(p, at, "'%s' is no form of a function", name);
        n->forms |= form;
    } while (!p->failed && lex_accept(p, ','));
    lex_expect(p, ')');
}

static Node *instance(Parser *p) {
    Node *n = node_new(p, N_STMT);
    Instance i = {.node = n, .at = p->tok};
    VEC(Expr *) at = {0};
    if (p->tok.kind != TK_NAME) {
        parse_error(p, p->tok, "a node expected");
        return n;
    }
    n->stmt = stmt_named(p, p->tok);
    lex_next(p);
    lex_expect(p, '[');
    while (!p->failed && !lex_is(p, ']')) {
        Expr *x = parse_index(p, T_NONE);
        vec_push(p->arena, &at, x);
        if (!lex_accept(p, ',')) break;
    }
    lex_expect(p, ']');
    if (lex_accept_word(p, "via")) redirections(p, n);
    n->atomic = lex_accept_word(p, "atomic");
    if (lex_accept_word(p, "math")) forms(p, n);
    n->loc = parse_loc(p);
    n->at = at.at;
    i.nat = at.n;
    vec_push(p->arena, &p->instances, i);
    return n;
}

static Outline *outline(Parser *p) {
    Outline *o = NEW(p->arena, Outline);
    VEC(const Array *) arrays = {0};
    VEC(bool) written = {0};
    VEC(const Sym *) syms = {0};
    lex_expect(p, '(');
    while (!p->failed && !lex_is(p, ')')) {
        const Array *a = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
        const Sym *s = a ? NULL : name_find(p, NAME_SYM, p->tok.s, p->tok.n);
        if (!a && !s) parse_error(p, p->tok, "an argument of the kernel expected");
        lex_next(p);
        if (a) {
            vec_push(p->arena, &arrays, a);
            vec_push(p->arena, &written, lex_accept_word(p, "out"));
        } else {
            vec_push(p->arena, &syms, s);
        }
        if (!lex_accept(p, ',')) break;
    }
    lex_expect(p, ')');
    o->sig = (KernelSig){arrays.n, arrays.at, written.at, syms.n, syms.at};
    lex_expect_word(p, "shared");
    o->shared = lex_int(p, INT64_MIN, INT64_MAX);
    lex_expect_word(p, "launch");
    o->at_launch = lex_int(p, INT64_MIN, INT64_MAX);
    if (lex_accept_word(p, "phases")) o->threads = lex_int(p, 1, INT64_MAX);
    o->waits = lex_accept_word(p, "waits");
    return o;
}

static Node *kernel(Parser *p) {
    Node *n = node_new(p, N_KERNEL);
    n->name = lex_name(p);
    if (lex_accept_word(p, "min_blocks")) n->min_blocks = (int)lex_int(p, 1, 32);
    n->streamed = lex_accept_word(p, "streamed");
    n->loc = parse_loc(p);
    VEC(Foot) moves = {0};
    while (n->streamed && !p->failed && lex_accept_word(p, "foot")) {
        Foot f = parse_foot(p);
        vec_push(p->arena, &moves, f);
    }
    n->moves = moves.at;
    n->nmoves = moves.n;
    if (lex_accept_word(p, "outline")) n->outline = outline(p);
    n->body = parse_node(p);
    return n;
}

static Node *node(Parser *p) {
    if (lex_is(p, '{')) return seq(p);
    if (lex_accept_word(p, "for")) return loop(p);
    if (lex_accept_word(p, "if")) return branch(p);
    if (lex_accept_word(p, "kernel")) return kernel(p);
    if (lex_accept_word(p, "copy")) return copy(p, false);
    if (lex_accept_word(p, "value")) return copy(p, true);
    return instance(p);
}

Node *parse_node(Parser *p) {
    if (!parse_enter(p)) return NULL;
    Node *n = node(p);
    parse_leave(p);
    return n;
}
