// SPDX-License-Identifier: MIT
// parse.c -- reads regions and nests; the syntax is at the top of print.c
#include "ir/parse.h"
#include "ir/table.h"
#include "ir/verify.h"
#include <limits.h>
#include <string.h>

// ---- names -----------------------------------------------------------------------------
static unsigned bucket_of(NameKind kind, const char *s, int n) {
    return (unsigned)(hash_bytes(s, (size_t)n, kind == NAME_STMT) % NAME_BUCKETS);
}

void *name_find(const Parser *p, NameKind kind, const char *s, int n) {
    for (int k = p->bucket[bucket_of(kind, s, n)]; k; k = p->names.at[k - 1].next) {
        const Name *name = &p->names.at[k - 1];
        bool same = strlen(name->text) == (size_t)n && !memcmp(name->text, s, (size_t)n);
        if (same && name->kind == kind) return name->is;
    }
    return NULL;
}

bool name_add(Parser *p, NameKind kind, const char *text, void *is, Token at) {
    if (p->failed) return false;
    int n = (int)strlen(text);
    bool there = name_find(p, kind, text, n) != NULL;
    if (kind == NAME_SYM) there |= name_find(p, NAME_ARRAY, text, n) != NULL;
    if (kind == NAME_ARRAY) there |= name_find(p, NAME_SYM, text, n) != NULL;
    if (there) {
        parse_error(p, at, "%s is declared twice", text);
        return false;
    }
    unsigned b = bucket_of(kind, text, n);
    Name name = {text, kind, is, b, p->bucket[b]};
    vec_push(p->arena, &p->names, name);
    p->bucket[b] = p->names.n;
    return true;
}

// Forgets the names after the first n: those of a nest, when it ends.
static void forget(Parser *p, int n) {
    while (p->names.n > n) {
        const Name *last = &p->names.at[--p->names.n];
        p->bucket[last->bucket] = last->next;
    }
}

// ---- small parts -------------------------------------------------------------------------
bool parse_enter(Parser *p) {
    if (++p->nesting > MAX_NESTING) parse_error(p, p->tok, "nested too deep");
    return !p->failed;
}

void parse_leave(Parser *p) { p->nesting--; }

Type parse_type(Parser *p) {
    Token at = p->tok;
    char *name = lex_name(p);
    if (!name) return T_NONE;
    Type t = type_from_name(name);
    if (!t) parse_error(p, at, "'%s' is no type", name);
    return t;
}

Loc parse_loc(Parser *p) {
    Loc loc = {.file = p->source};
    if (!lex_accept(p, '@')) return (Loc){0};
    if (p->tok.kind == TK_STRING) {
        loc.file = lex_string(p);
        lex_expect(p, ':');
    } else if (lex_accept(p, '?')) {
        loc.file = NULL;
        lex_expect(p, ':');
    }
    loc.line = (int)lex_int(p, INT_MIN, INT_MAX);
    lex_expect(p, ':');
    loc.col = (int)lex_int(p, INT_MIN, INT_MAX);
    return loc;
}

// ---- arrays -------------------------------------------------------------------------------
static void extents(Parser *p, Array *a) {
    VEC(Expr *) x = {0};
    while (lex_is(p, '[')) {
        if (x.n == MAX_RANK) parse_error(p, p->tok, "too many dimensions");
        lex_next(p);
        Expr *e = NULL;
        if (lex_is(p, '?') && x.n) parse_error(p, p->tok, "only the first extent may be unknown");
        if (!lex_accept(p, '?')) e = parse_index(p, T_NONE);
        vec_push(p->arena, &x, e);
        lex_expect(p, ']');
    }
    a->rank = x.n;
    a->extent = x.at;
}

static Expr **origin(Parser *p, const Array *a) {
    Expr **x = NEW_N(p->arena, Expr *, a->rank);
    lex_expect(p, '(');
    for (int k = 0; k < a->rank; k++) {
        if (k) lex_expect(p, ',');
        x[k] = parse_index(p, T_NONE);
    }
    lex_expect(p, ')');
    return x;
}

static void values(Parser *p, Array *a) {
    VEC(int64_t) all = {0};
    lex_expect(p, '(');
    do {
        const Expr *x = parse_expr(p, a->elem);
        if (x && ((x->kind != E_INT && x->kind != E_FLOAT) || x->type != a->elem))
            parse_error(p, p->tok, "a constant of %s expected", type_name(a->elem));
        else if (x) vec_push(p->arena, &all, table_bits(x));
    } while (!p->failed && lex_accept(p, ','));
    lex_expect(p, ')');
    a->nvalues = all.n;
    a->values = all.at;
}

static void layout(Parser *p, Array *a) {
    a->object = a->name;
    a->stride = type_size(a->elem);
    if (lex_accept_word(p, "object")) a->object = lex_name(p);
    if (lex_accept_word(p, "stride")) a->stride = lex_int(p, INT64_MIN, INT64_MAX);
    if (lex_accept_word(p, "offset")) a->offset = lex_int(p, INT64_MIN, INT64_MAX);
    if (lex_accept_word(p, "packed")) a->packed = (int)lex_int(p, 0, 16);
    if (lex_accept_word(p, "of")) {
        a->of = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
        if (!a->of) parse_error(p, p->tok, "the array that is cached expected");
        else if (a->of->rank != a->rank) parse_error(p, p->tok, "%s has another rank", a->of->name);
        lex_next(p);
    }
    if (lex_accept_word(p, "origin")) a->origin = origin(p, a);
    if (lex_accept_word(p, "digits")) a->digits = (int)lex_int(p, 0, a->rank);
    if (lex_accept(p, '=')) a->source = lex_string(p);
    a->live_out = lex_accept_word(p, "live");
    a->constant_size = lex_accept_word(p, "constant");
    a->rows = (a->constant_size && a->rank > 1) || lex_accept_word(p, "rows");
    a->apart = lex_accept_word(p, "apart");
    a->guessed = lex_accept_word(p, "guessed");
    if (lex_accept_word(p, "values")) values(p, a);
    a->watched = lex_accept_word(p, "watched");
    a->counter = lex_accept_word(p, "counter");
}

Array *parse_array(Parser *p, Place place) {
    Token at = p->tok;
    char *name = lex_name(p);
    if (!name) return NULL;
    if (place != PLACE_USER && !lex_is(p, '[') && !lex_is(p, ':')) {
        Array *known = name_find(p, NAME_ARRAY, name, (int)strlen(name));
        if (!known || known->place != place) parse_error(p, at, "%s is not declared as such", name);
        return known;
    }
    Array *a = NEW(p->arena, Array);
    a->name = name;
    a->place = place;
    extents(p, a);
    lex_expect(p, ':');
    a->elem = parse_type(p);
    if (!p->failed) layout(p, a);
    name_add(p, NAME_ARRAY, name, a, at);
    return a;
}

// ---- statements -----------------------------------------------------------------------------
static void statement_counters(Parser *p, Stmt *s) {
    VEC(const Sym *) iters = {0};
    lex_expect(p, '[');
    while (!p->failed && !lex_is(p, ']')) {
        const Sym *i = name_find(p, NAME_SYM, p->tok.s, p->tok.n);
        if (!i || i->kind != SYM_ITER) parse_error(p, p->tok, "a loop's counter expected");
        lex_next(p);
        vec_push(p->arena, &iters, i);
        if (!lex_accept(p, ',')) break;
    }
    lex_expect(p, ']');
    s->depth = iters.n;
    s->iters = iters.at;
}

static Stmt *statement_of(Parser *p) {
    Token at = p->tok;
    char *label = lex_name(p);
    if (!label) return NULL;
    Stmt *s = name_find(p, NAME_STMT, label, (int)strlen(label));
    if (s && s->depth >= 0) parse_error(p, at, "%s is there twice", label);
    if (s) return s;
    s = NEW(p->arena, Stmt);
    s->label = label;
    name_add(p, NAME_STMT, label, s, at);
    return s;
}

static Stmt *statement(Parser *p) {
    Stmt *s = statement_of(p);
    if (p->failed) return s;
    statement_counters(p, s);
    s->loc = parse_loc(p);
    lex_expect(p, ':');
    s->lhs = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
    if (!s->lhs) parse_error(p, p->tok, "the array that is assigned expected");
    if (p->failed) return s;
    lex_next(p);
    s->sub = parse_subscripts(p, s->lhs);
    s->op = parse_update(p);
    Token at = p->tok;
    s->rhs = parse_expr(p, s->lhs->elem);
    if (s->rhs && s->rhs->type != s->lhs->elem)
        parse_error(p, at, "%s is assigned to an element of %s", type_name(s->rhs->type),
                    type_name(s->lhs->elem));
    s->fused = lex_accept_word(p, "fused");
    s->atomic = lex_accept_word(p, "atomic");
    return s;
}

// Do the instances fit their statements, all of which are read now?
static void check_instances(Parser *p) {
    for (int k = 0; k < p->instances.n && !p->failed; k++) {
        const Instance *i = &p->instances.at[k];
        const Stmt *s = i->node->stmt;
        if (s->depth < 0) parse_error(p, i->at, "%s is not declared", s->label);
        else if (i->nat != s->depth)
            parse_error(p, i->at, "%s has %d counters", s->label, s->depth);
        if (p->failed || !i->node->nvia) continue;
        AccessVec accesses = stmt_accesses(p->arena, s);
        if (i->node->nvia != accesses.n) parse_error(p, i->at, "%s has %d accesses", s->label, accesses.n);
    }
    p->instances.n = 0;
}

// ---- regions ----------------------------------------------------------------------------------
static const Sym *param(Parser *p) {
    Token at = p->tok;
    Sym *s = NEW(p->arena, Sym);
    s->kind = SYM_PARAM;
    s->name = lex_name(p);
    lex_expect(p, ':');
    s->type = parse_type(p);
    if (lex_accept(p, '=')) s->source = lex_string(p);
    if (!p->failed) name_add(p, NAME_SYM, s->name, s, at);
    return s;
}

static const Sym *known_param(Parser *p) {
    const Sym *s = name_find(p, NAME_SYM, p->tok.s, p->tok.n);
    if (!s || s->kind != SYM_PARAM) parse_error(p, p->tok, "a parameter expected");
    lex_next(p);
    return s;
}

static const Inspect *inspect(Parser *p) {
    Inspect *i = NEW(p->arena, Inspect);
    i->array = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
    if (!i->array) parse_error(p, p->tok, "an array expected");
    lex_next(p);
    lex_expect_word(p, "dim");
    i->dim = (int)lex_int(p, 0, MAX_RANK);
    lex_expect_word(p, "as");
    i->lo = known_param(p);
    lex_expect_word(p, "to");
    i->hi = known_param(p);
    i->loose = lex_accept_word(p, "loose");
    if (lex_accept_word(p, "distinct")) i->differ = known_param(p);
    i->tree = parse_node(p);
    return i;
}

typedef struct RegionParts {
    VEC(const Sym *) params;
    VEC(const Array *) arrays;
    VEC(Expr *) assumes;
    VEC(const Inspect *) inspects;
} RegionParts;

// One line of a region ahead of its loops; false: none begins here.
static bool region_item(Parser *p, RegionParts *parts) {
    if (lex_accept_word(p, "param")) {
        const Sym *s = param(p);
        vec_push(p->arena, &parts->params, s);
    } else if (lex_accept_word(p, "array")) {
        const Array *a = parse_array(p, PLACE_USER);
        vec_push(p->arena, &parts->arrays, a);
    } else if (lex_accept_word(p, "assume")) {
        Expr *x = parse_expr(p, T_NONE);
        vec_push(p->arena, &parts->assumes, x);
    } else if (lex_accept_word(p, "inspect")) {
        const Inspect *i = inspect(p);
        vec_push(p->arena, &parts->inspects, i);
    } else {
        return false;
    }
    return !p->failed;
}

static MarkKind mark_kind(Parser *p) {
    static const char *const words[] = {"auto", "scop", "sculpt", "acc", "omp"};
    for (int k = 0; k < 5; k++)
        if (lex_accept_word(p, words[k])) return (MarkKind)k;
    parse_error(p, p->tok, "the kind of mark expected");
    return MARK_AUTO;
}

static Region *region(Parser *p) {
    Region *r = NEW(p->arena, Region);
    RegionParts parts = {0};
    lex_expect_word(p, "region");
    r->name = lex_name(p);
    r->loc = parse_loc(p);
    p->source = r->loc.file;
    r->marked = mark_kind(p);
    // What the command line permits counts for regions that come as text too.
    r->reassociate = lex_accept_word(p, "reassociate") || p->c->reassociate;
    r->fast_math = lex_accept_word(p, "fast") || p->c->fast_math;
    r->approximate = lex_accept_word(p, "approximate") || p->c->approximate || r->fast_math;
    r->chunks = lex_accept_word(p, "chunks");
    lex_expect(p, '{');
    while (region_item(p, &parts)) continue;
    r->nparams = parts.params.n;
    r->params = parts.params.at;
    r->narrays = parts.arrays.n;
    r->arrays = parts.arrays.at;
    r->nassumes = parts.assumes.n;
    r->assumes = parts.assumes.at;
    r->ninspects = parts.inspects.n;
    r->inspects = parts.inspects.at;
    return r;
}

static void region_rest(Parser *p, Region *r) {
    VEC(const Stmt *) stmts = {0};
    while (!p->failed) {
        if (!r->root && lex_accept_word(p, "do")) {
            r->root = parse_node(p);
        } else if (lex_accept_word(p, "stmt")) {
            const Stmt *s = statement(p);
            vec_push(p->arena, &stmts, s);
        } else {
            break;
        }
    }
    if (!r->root) parse_error(p, p->tok, "'do' and the region's loops expected");
    lex_expect(p, '}');
    r->nstmts = stmts.n;
    r->stmts = stmts.at;
    check_instances(p);
}

// ---- nests -------------------------------------------------------------------------------
static Expr **corner(Parser *p, const Array *array) {
    Expr **at = NEW_N(p->arena, Expr *, array->rank);
    for (int k = 0; k < array->rank; k++) {
        lex_expect(p, '[');
        at[k] = parse_index(p, T_I64);
        lex_expect(p, ']');
    }
    return at;
}

Foot parse_foot(Parser *p) {
    Foot f = {.array = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n)};
    if (!f.array) parse_error(p, p->tok, "an array expected");
    if (p->failed) return f;
    lex_next(p);
    f.lo = NEW_N(p->arena, Expr *, f.array->rank);
    f.hi = NEW_N(p->arena, Expr *, f.array->rank);
    for (int k = 0; k < f.array->rank; k++) {
        lex_expect(p, '[');
        f.lo[k] = parse_index(p, T_I64);
        lex_expect_word(p, "to");
        f.hi[k] = parse_index(p, T_I64);
        lex_expect(p, ']');
    }
    if (f.array->rank > 0 && lex_accept_word(p, "within")) {
        f.first = corner(p, f.array);
        lex_expect_word(p, "to");
        f.last = corner(p, f.array);
    }
    f.in = lex_accept_word(p, "in");
    f.out = lex_accept_word(p, "out");
    f.exact = lex_accept_word(p, "exact");
    f.loose = lex_accept_word(p, "loose");
    f.sparse = lex_accept_word(p, "sparse");
    f.gaps = lex_accept_word(p, "gaps");
    if (f.out && lex_accept_word(p, "if")) f.written = parse_expr(p, T_I32);
    f.place = lex_accept_word(p, "pinned")    ? HOST_LOCKED
              : lex_accept_word(p, "managed") ? HOST_UNIFIED
                                              : HOST_AS_IS;
    return f;
}

static Fact fact(Parser *p) {
    Token at = p->tok;
    Sym *s = NEW_AS(p->arena, Sym, (Sym){.name = lex_name(p), .kind = SYM_PARAM, .type = T_I64});
    if (s->name) name_add(p, NAME_SYM, s->name, s, at);
    for (FactKind k = FACT_MISALIGN + 1; k < FACT_KINDS; k++)
        if (lex_accept_word(p, fact_word(k))) return (Fact){s, NULL, k};
    lex_expect_word(p, fact_word(FACT_MISALIGN));
    Fact f = {s, name_find(p, NAME_ARRAY, p->tok.s, p->tok.n), FACT_MISALIGN};
    if (!f.array) parse_error(p, p->tok, "an array expected");
    lex_next(p);
    return f;
}

static Nest *nest(Parser *p) {
    Nest *n = NEW(p->arena, Nest);
    VEC(Foot) feet = {0};
    VEC(Fact) facts = {0};
    n->region = p->region;
    n->recipe = "";
    n->target = lex_string(p);
    lex_expect(p, '{');
    while (!p->failed && lex_accept_word(p, "fact")) {
        Fact f = fact(p);
        vec_push(p->arena, &facts, f);
    }
    n->nfacts = facts.n;
    n->facts = facts.at;
    VEC(Promise) promised = {0};
    for (bool rises; !p->failed; ) {
        if (!(rises = lex_accept_word(p, "rising")) && !lex_accept_word(p, "distinct")) break;
        const Array *x = name_find(p, NAME_ARRAY, p->tok.s, p->tok.n);
        if (!x) parse_error(p, p->tok, "an array expected");
        vec_push(p->arena, &promised, ((Promise){x, rises}));
        lex_next(p);
    }
    n->npromised = promised.n;
    n->promised = promised.at;
    lex_expect_word(p, "when");
    n->proof = lex_accept_word(p, "tested")     ? PROOF_TESTED
               : lex_accept_word(p, "believed") ? PROOF_BELIEVED
                                                : PROOF_PROVED;
    if (n->proof != PROOF_PROVED && p->tok.kind == TK_STRING) n->reason = lex_string(p);
    n->when = parse_expr(p, T_I32);
    while (lex_accept_word(p, "foot")) {
        Foot f = parse_foot(p);
        vec_push(p->arena, &feet, f);
    }
    if (lex_accept_word(p, "flops")) n->flops = parse_expr(p, T_F64);
    if (lex_accept_word(p, "bytes")) n->bytes = parse_expr(p, T_F64);
    if (lex_accept_word(p, "work")) n->work = parse_expr(p, T_F64);
    if (lex_accept_word(p, "cost")) n->cost = parse_expr(p, T_F64);
    if (lex_accept_word(p, "recipe")) n->recipe = lex_string(p);
    lex_expect_word(p, "do");
    n->root = parse_node(p);
    lex_expect(p, '}');
    n->nfeet = feet.n;
    n->feet = feet.at;
    check_instances(p);
    return n;
}

// ---- files -------------------------------------------------------------------------------
static void header(Parser *p) {
    lex_expect_word(p, "sculpt");
    Token at = p->tok;
    int64_t version = lex_int(p, 0, INT_MAX);
    if (p->failed || (version >= 1 && version <= IR_VERSION)) return;
    p->failed = true;
    p->tok.kind = TK_END;
    diag(p->c, DIAG_ERROR, SC_NEST_VERSION, (Loc){p->file, at.line, at.col},
         "nest text of version %d; this is version %d", (int)version, IR_VERSION);
}

static void invalid(Parser *p, Token at, const char *why) {
    if (p->failed || !why) return;
    p->failed = true;
    p->tok.kind = TK_END; // as parse_error leaves it
    diag(p->c, DIAG_ERROR, SC_NEST_INVALID, (Loc){p->file, at.line, at.col}, "%s", why);
}

// False: the text is too long.
static bool begin(Parser *p, const char *name, const char *text) {
    p->file = name;
    p->at = p->line_start = text;
    p->line = 1;
    p->nesting = 0;
    if (strnlen(text, MAX_TEXT) == MAX_TEXT) return parse_error(p, (Token){.line = 1, .col = 1},
            "the text is too long"), false;
    lex_next(p);
    return true;
}

// Nests as long as there are any.
static IrNests nests(Parser *p, bool known) {
    VEC(Nest *) all = {0};
    VEC(Digest) digests = {0};
    int mine = p->names.n;
    Loc where;
    for (Token at = p->tok; lex_accept_word(p, "nest"); at = p->tok) {
        Nest *n = nest(p);
        if (!p->failed && !known) invalid(p, at, verify_nest(p->arena, n, &where));
        vec_push(p->arena, &all, n);
        // up to what follows, of which blanks and comments are the least part
        Digest d = p->failed ? (Digest){{0}} : digest_of(at.s, (size_t)(p->tok.s - at.s));
        vec_push(p->arena, &digests, d);
        forget(p, mine);
    }
    return (IrNests){all.n, all.at, digests.at};
}

IrFile *ir_parse_head(Compile *c, const char *name, const char *text) {
    Parser *p = NEW_AS(c->arena, Parser, (Parser){.c = c, .arena = c->arena});
    if (!begin(p, name, text)) return NULL;
    header(p);
    IrFile *f = NEW(p->arena, IrFile);
    *f = (IrFile){.head = true, .names = p, .loc = {name, p->tok.line, p->tok.col}};
    if (!p->failed) f->region = region(p);
    p->rest = (Rest){name, p->at, p->line_start, p->line, p->tok};
    return p->failed ? NULL : f;
}

bool ir_parse_rest(Compile *c, IrFile *f) {
    Parser *p = f->names;
    Region *r = f->region;
    Loc where;
    f->head = false;
    p->c = c;
    p->failed = false, p->nesting = 0, p->region = NULL;
    p->file = p->rest.file, p->at = p->rest.at, p->line_start = p->rest.line_start;
    p->line = p->rest.line, p->tok = p->rest.tok;
    region_rest(p, r);
    Token at = {.line = f->loc.line, .col = f->loc.col};
    if (!p->failed) invalid(p, at, verify_region(p->arena, r, &where));
    p->region = r;
    IrNests all = nests(p, false);
    f->nnests = all.n, f->nests = all.at, f->digests = all.digest;
    f->more = lex_accept_word(p, "more");
    f->unordered = f->more && lex_accept_word(p, "unordered");
    if (!p->failed && p->tok.kind != TK_END) parse_error(p, p->tok, "'nest' expected");
    return !p->failed;
}

IrFile *ir_parse(Compile *c, const char *name, const char *text) {
    IrFile *f = ir_parse_head(c, name, text);
    return f && ir_parse_rest(c, f) ? f : NULL;
}

int ir_parse_nests(Compile *c, const IrFile *f, const char *name, const char *text, bool known,
                   IrNests *out) {
    Parser *p = f->names;
    p->c = c;
    p->failed = false;
    p->region = f->region;
    if (!begin(p, name, text)) return -1;
    *out = nests(p, known);
    if (!p->failed && p->tok.kind != TK_END) parse_error(p, p->tok, "'nest' expected");
    return p->failed ? -1 : out->n;
}

Expr *ir_parse_expr(Compile *c, const Region *r, int n, const Sym *const *more, Type t, const char *text,
                    const char **why) {
    Parser state = {
        .c = c, .arena = c->arena, .file = "expression", .at = text, .line_start = text, .line = 1};
    Parser *p = &state;
    int diags = c->diags.n, errors = c->errors;
    lex_next(p);
    for (int i = 0; i < r->nparams; i++)
        name_add(p, NAME_SYM, r->params[i]->name, (void *)r->params[i], p->tok);
    for (int i = 0; i < r->narrays; i++)
        name_add(p, NAME_ARRAY, r->arrays[i]->name, (void *)r->arrays[i], p->tok);
    for (int i = 0; i < n; i++)
        if (!name_find(p, NAME_SYM, more[i]->name, (int)strlen(more[i]->name)))
            name_add(p, NAME_SYM, more[i]->name, (void *)more[i], p->tok);
    for (int i = 0; i < r->nparams; i++) { // as the program has it, where that is no name here
        const char *s = r->params[i]->source;
        int length = s ? (int)strlen(s) : 0;
        if (s && !name_find(p, NAME_SYM, s, length) && !name_find(p, NAME_ARRAY, s, length))
            name_add(p, NAME_SYM, s, (void *)r->params[i], p->tok);
    }
    Expr *x = parse_expr(p, t);
    if (!p->failed && p->tok.kind != TK_END)
        parse_error(p, p->tok, "the expression ends before '%.*s'", p->tok.n, p->tok.s);
    if (!p->failed && x && x->type != t) parse_error(p, p->tok, "it is no %s", type_name(t));
    *why = c->diags.n > diags ? c->diags.at[c->diags.n - 1].text : "it can't be read";
    c->diags.n = diags;
    c->errors = errors;
    return p->failed ? NULL : x;
}
