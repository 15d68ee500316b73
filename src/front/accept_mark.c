// SPDX-License-Identifier: MIT
// accept_mark.c -- what pragmas say of loops: parallel or not, reductions, private variables.
#include "front/accept.h"
#include "front/read.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool has(const Pragma *p, const char *name) {
    return pragma_clause(p, name) != NULL;
}

// The loop that a perfect nest has inside f, or NULL.
static const Ast *inner_loop(const Ast *f) {
    const Ast *s = f->kids[3];
    while (s && s->kind == A_BLOCK) {
        const Ast *only = NULL;
        for (int k = 0; k < s->nkids; k++) {
            if (s->kids[k]->kind == A_EMPTY || s->kids[k]->kind == A_DECLS)
                continue;
            if (only)
                return NULL;
            only = s->kids[k];
        }
        s = only;
    }
    return s && s->kind == A_FOR ? s : NULL;
}

static bool is_loop_pragma(const Pragma *p) {
    switch (p->kind) {
    case P_SCULPT: case P_OMP_FOR: case P_OMP_SIMD: case P_ACC_LOOP: return true;
    case P_ACC_PARALLEL: case P_ACC_KERNELS: return has(p, "loop");
    default: return false;
    }
}

static int depth_of(const Pragma *p, const char *name) {
    const Clause *c = pragma_clause(p, name);
    return c && c->args && atoi(c->args) > 1 ? atoi(c->args) : 1;
}

// Is f one of the n outermost loops of the pragma's nest?
static bool is_among(const Pragma *p, int n, const Ast *f) {
    const Ast *s = p->target;
    for (int k = 0; k < n && s && s->kind == A_FOR; k++, s = inner_loop(s))
        if (s == ast_marked(f)) return true;
    return false;
}

static bool covers(const Pragma *p, const Ast *f) {
    return p->target && is_loop_pragma(p) && is_among(p, depth_of(p, "collapse"), f);
}

bool mark_binds(const AstUnit *u, const Ast *f) {
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        int collapse = depth_of(p, "collapse"), ordered = depth_of(p, "ordered");
        int depth = collapse > ordered ? collapse : ordered;
        if (p->target && p->target != ast_marked(f) && is_among(p, depth, f)) return true;
    }
    return false;
}

static bool is_around(const Pragma *p, const Ast *f) {
    return p->target && p->target->begin <= f->begin && f->end <= p->target->end;
}

// A loop directive inside `acc parallel` says independent by itself, inside `acc kernels` not.
static bool in_acc_parallel(const AstUnit *u, const Ast *f) {
    for (int k = 0; k < u->npragmas; k++)
        if (u->pragmas[k].kind == P_ACC_PARALLEL && is_around(&u->pragmas[k], f))
            return true;
    return false;
}

// Is a clause's argument that number, of whatever directive of a combined one?
static bool says(const Pragma *p, const char *name, long value) {
    const Clause *c = pragma_clause(p, name);
    const char *at = c && c->args ? c->args : "", *colon = strchr(at, ':');
    if (colon && strncmp(at, "parallel", strlen("parallel"))) return false;
    char *end;
    long n = strtol(colon ? colon + 1 : at, &end, 0);
    bool whole = end > at && !end[strspn(end, " \t)")];
    return c && whole && n == value;
}

// The clause by which one thread runs the iterations in their order, on which a loop may rest; NULL: none.
static const char *asks_for_one(const Pragma *p) {
    bool team = p->kind == P_OMP_PARALLEL || p->kind == P_OMP_FOR;
    bool acc = p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS;
    if (team && says(p, "num_threads", 1)) return "num_threads(1)";
    if (team && says(p, "num_teams", 1) && !pragma_says(p, "parallel")) return "num_teams(1)";
    return (team || acc) && says(p, "if", 0) ? "if(0)" : NULL;
}

// Of what the mark vouches where a condition holds, nothing is known where it doesn't. One that compares asks
// whether there is work enough.
static bool vouches_always(const Pragma *p) {
    const Clause *c = pragma_clause(p, "if");
    return !c || !c->args || strpbrk(c->args, "<>") || isdigit((unsigned char)c->args[strspn(c->args, " (")]);
}

static Assert asserted(const AstUnit *u, const Pragma *p, const Ast *f) {
    if (has(p, "seq"))
        return ASSERT_SEQ;
    if (!vouches_always(p)) return ASSERT_NONE;
    if (has(p, "auto") || p->kind == P_OMP_SIMD)
        return ASSERT_NONE;
    if (p->kind == P_OMP_FOR || has(p, "independent"))
        return ASSERT_PARALLEL;
    bool parallel = p->kind == P_ACC_PARALLEL || (p->kind == P_ACC_LOOP && in_acc_parallel(u, f));
    return parallel ? ASSERT_PARALLEL : ASSERT_NONE;
}

// ---- names in clauses ------------------------------------------------------------------------------
static const Decl *named(const Ast *within, const char *name, size_t n) {
    const Decl *last = NULL;
    ast_each(e, within) {
        bool same = e->kind == A_REF && e->decl && strlen(e->decl->name) == n &&
                    strncmp(e->decl->name, name, n) == 0;
        if (same && !accept_declares(within, e->decl)) last = e->decl;
    }
    return last;
}

// The next variable of a clause's list that the statement mentions; *at moves on. NULL: not one.
static const Decl *accept_next_name(const char **at, const Ast *within, bool *more) {
    const char *s = *at;
    while (*s && !isalpha((unsigned char)*s) && *s != '_')
        s++;
    const char *end = s;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    *more = end > s;
    const Decl *d = *more ? named(within, s, (size_t)(end - s)) : NULL;
    int depth = 0;
    for (; *end && !(depth == 0 && *end == ','); end++)
        depth += *end == '[' || *end == '(' ? 1 : *end == ']' || *end == ')' ? -1 : 0;
    *at = end;
    return d;
}

// ---- reductions -------------------------------------------------------------------------------------
static bool reduction_op(const char *s, size_t n, Op *op) {
    static const struct {
        const char *text;
        Op op;
    } ops[] = {{"+", OP_ADD}, {"-", OP_ADD}, {"*", OP_MUL}, {"min", OP_MIN}, {"max", OP_MAX},
               {"&", OP_AND}, {"|", OP_OR}, {"^", OP_XOR}, {"&&", OP_LAND}, {"||", OP_LOR}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (strlen(ops[k].text) == n && strncmp(ops[k].text, s, n) == 0) {
            *op = ops[k].op;
            return true;
        }
    return false;
}

static void add_reduction(Accept *ac, Mark *m, const Array *v, Op op) {
    const Array **red = NEW_N(ac->a, const Array *, m->nred + 1);
    Op *redop = NEW_N(ac->a, Op, m->nred + 1);
    for (int k = 0; k < m->nred; k++)
        red[k] = m->red[k], redop[k] = m->redop[k];
    red[m->nred] = v;
    redop[m->nred] = op;
    m->red = red;
    m->redop = redop;
    m->nred++;
}

void accept_reduce(Accept *ac, Mark *m, const Decl *d, Op op) {
    const Bind *b = accept_lookup(ac, d);
    if (b && (b->kind == BIND_PLACE || b->kind == BIND_POINTER)) {
        for (int k = 0; k < b->ref.object->views.n; k++)
            add_reduction(ac, m, b->ref.object->views.at[k], op);
        return;
    }
    for (int k = 0; k < ac->objects.n; k++) {
        const Object *o = ac->objects.at[k];
        if (o->variable == d || str_eq(o->source, d->name))
            for (int j = 0; j < o->views.n; j++)
                add_reduction(ac, m, o->views.at[j], op);
    }
}

// False: the loop has none of these variables.
static bool reduce_all(Accept *ac, const char *names, const Ast *f, Mark *m, Op op) {
    bool any = false;
    for (bool more = true; more;) {
        const Decl *d = accept_next_name(&names, f, &more);
        if (d)
            accept_reduce(ac, m, d, op), any = true;
    }
    return any;
}

static const char *past_blanks(const char *s) { return s + strspn(s, " "); }

// What stands behind a modifier, `inscan,`, in the arguments of a reduction; NULL: it does not begin so.
static const char *past_modifier(const char *args, const char *word) {
    args = args ? past_blanks(args) : NULL;
    if (!args || !str_has_prefix(args, word)) return NULL;
    args = past_blanks(args + strlen(word));
    return *args == ',' ? past_blanks(args + 1) : NULL;
}

// The variables that stand behind the operator, which begins the arguments; NULL: none does.
static const char *past_operator(const char *args, Op *op) {
    const char *colon = strchr(args, ':');
    size_t n = colon ? (size_t)(colon - args) : 0;
    while (n > 0 && args[n - 1] == ' ')
        n--;
    return colon && reduction_op(args, n, op) ? colon + 1 : NULL;
}

// Of `#pragma omp declare reduction(name : type : combiner)`, the combiner of the name that begins the
// arguments; NULL: there is none. "": of several types it has several.
static const char *declared_combiner(const Accept *ac, const char *args) {
    const AstUnit *u = ac->ra->unit;
    const char *found = NULL;
    size_t n = strcspn(args, " :");
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        const Clause *c = p->kind == P_OMP_DECLARE ? pragma_clause(p, "reduction") : NULL;
        const char *at = c && c->args ? past_blanks(c->args) : "", *type = strchr(at, ':');
        const char *combiner = type ? strchr(type + 1, ':') : NULL;
        if (!combiner || strcspn(at, " :") != n || strncmp(at, args, n) != 0) continue;
        found = !found || str_eq(found, combiner + 1) ? combiner + 1 : "";
    }
    return found;
}

static bool read_reduction(Accept *ac, const Pragma *p, const Clause *c, const Ast *f, Mark *m,
                           bool *in_order) {
    const char *args = past_modifier(c->args, "inscan");
    if (!args) args = past_modifier(c->args, "default");
    if (!args) args = past_blanks(c->args ? c->args : "");
    Op op;
    const char *names = past_operator(args, &op), *own = names ? NULL : declared_combiner(ac, args);
    if (own) {
        names = accept_combiner(own, &op) ? strchr(args, ':') + 1 : NULL;
        *in_order |= !names; // it permits what nobody knows
        if (!names) return m->untold = args, true;
    }
    if (!names)
        return accept_refuse(ac, SC_PRAGMA, c->loc, "reduction(%s): an operator of + - * min max & | ^ "
                             "&& || and a list of variables are expected", args);
    bool any = reduce_all(ac, names, f, m, op);
    if (!any && p->kind == P_SCULPT) // of the others the host's compiler tells
        diag(ac->c, DIAG_REMARK, SC_PRAGMA, c->loc,
             "reduction(%s) names no variable that the loop uses", args);
    return true;
}

// Each iteration's own by the mark, one variable in the region. conditional: the last one that sets it
static void read_lasts(Accept *ac, const Clause *c, const Ast *f, Mark *m) {
    const char *args = c->args ? c->args : "", *colon = strchr(args, ':');
    reduce_all(ac, colon ? colon + 1 : args, f, m, OP_SET);
}

const Mark *accept_mark(Accept *ac, const Ast *f, bool in_order) {
    const AstUnit *u = ac->ra->unit;
    Mark *m = NULL;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        bool block = (p->kind == P_OMP_PARALLEL || p->kind == P_ACC_PARALLEL ||
                      p->kind == P_ACC_KERNELS) && is_around(p, f) && has(p, "reduction");
        if (!covers(p, f) && !block)
            continue;
        if (!m) {
            m = NEW(ac->a, Mark);
            m->loc = p->loc;
        }
        if (covers(p, f)) {
            Assert said = asserted(u, p, f);
            m->assert = m->assert == ASSERT_SEQ || said == ASSERT_NONE ? m->assert : said;
            m->loc = p->loc;
            m->dealt |= p->kind == P_OMP_FOR && !pragma_says(p, "parallel") && !pragma_says(p, "teams");
        }
        for (int j = 0; j < p->nclauses; j++) {
            if (str_eq(p->clauses[j].name, "lastprivate")) read_lasts(ac, &p->clauses[j], f, m);
            bool reduces = str_eq(p->clauses[j].name, "reduction");
            if (reduces && !read_reduction(ac, p, &p->clauses[j], f, m, &in_order))
                return NULL;
        }
    }
    if (m && in_order && m->assert == ASSERT_PARALLEL) m->assert = ASSERT_NONE;
    if (m) accept_own_mark(ac, f, m);
    return m;
}

// ---- private variables ---------------------------------------------------------------------------------
bool accept_make_private(Accept *ac, const Decl *d, bool first, Loc loc) {
    bool counts = accept_has_decl(&ac->writes.iters, d);
    if (counts)
        vec_push(ac->a, &ac->privates, d);
    if (counts && !accept_has_decl(&ac->writes.vars, d))
        return true;
    if (d->type->kind == CT_POINTER) {
        if (!first && accept_has_decl(&ac->writes.pointers, d))
            accept_bind(ac, d, BIND_GONE, NULL, NULL);
        return true;
    }
    if (first && !accept_has_decl(&ac->writes.vars, d))
        return true; // only read: as good as shared
    Ref outer, r;
    Expr *start = NULL;
    if (first) {
        if (accept_lookup(ac, d))
            return accept_refuse(ac, SC_PRAGMA, loc, "firstprivate(%s) of a variable that the region "
                                 "declares", d->name);
        if (!accept_variable(ac, d, loc, &outer))
            return false;
        outer.object->handed = true;
        if (d->type->kind == CT_SCALAR)
            start = accept_held(ac, d, accept_param(ac, d->name, d->name, d->type->scalar));
    }
    accept_local(ac, d->name, d->type, ac->block, &r);
    accept_bind(ac, d, BIND_PLACE, NULL, &r);
    if (first && !start)
        return accept_copy(ac, &r, &outer, loc);
    return !start || accept_put(ac, loc, &r, OP_SET, start);
}

bool accept_names(const Pragma *p, const char *name, const Ast *f, const Decl *d) {
    for (int k = 0; k < p->nclauses; k++) {
        const char *at = p->clauses[k].args;
        if (!at || (name && !str_eq(p->clauses[k].name, name))) continue;
        for (bool more = true; more;)
            if (accept_next_name(&at, f, &more) == d) return true;
    }
    return false;
}

// Does the host's compiler follow the directive? Then its variables are the directive's, not the plain
// loop's.
static bool is_followed(const Accept *ac, const Pragma *p) {
    bool acc = p->kind == P_ACC_PARALLEL || p->kind == P_ACC_KERNELS || p->kind == P_ACC_LOOP;
    return acc ? follows_openacc(ac->ra->unit) : follows_openmp(ac->ra->unit);
}

// One that begins with the value from before and keeps the last is the region's own variable; so is each of a
// directive that the host's compiler passes over.
static bool read_privates(Accept *ac, const Pragma *p, const Clause *c, const Ast *s, bool first) {
    const char *at = c->args ? c->args : "";
    for (bool more = true; more;) {
        const Decl *d = accept_next_name(&at, s, &more);
        bool kept = d && first && accept_names(p, "lastprivate", s, d);
        kept |= d && p->kind != P_SCULPT && !is_followed(ac, p);
        if (d && !kept && !accept_make_private(ac, d, first, c->loc))
            return false;
    }
    return true;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Does a clause, of that name if there is one, have the variable's as a word?
static bool clause_says(const Pragma *p, const char *clause, const char *name) {
    size_t n = strlen(name);
    for (int k = 0; k < p->nclauses; k++) {
        const char *args = p->clauses[k].args;
        if (!args || (clause && !str_eq(p->clauses[k].name, clause))) continue;
        for (const char *at = args; (at = strstr(at, name)); at += n)
            if (!is_word(at[n]) && (at == args || !is_word(at[-1]))) return true;
    }
    return false;
}

bool accept_is_held(const Accept *ac, const Decl *d) {
    const AstUnit *u = ac->ra->unit;
    if (!d) return true; // behind a pointer
    if (d->is_const) return false;
    if (d->address_taken || d->type->kind == CT_ARRAY || (d->is_global && !d->is_static)) return true;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        bool holds = p->kind == P_ACC_DATA || p->kind == P_ACC_ENTER_DATA || p->kind == P_OMP_TARGET_DATA ||
                     p->kind == P_OMP_ENTER_DATA || p->kind == P_SCULPT_DATA;
        if (holds && clause_says(p, NULL, d->name)) return true;
    }
    return false;
}

// Is it named by a directive on the way into the construct, or inside of it? OpenMP's data regions say
// nothing of what the constructs in them copy, OpenACC's do.
static bool is_named(const AstUnit *u, const Pragma *of, const Decl *d) {
    bool acc = of->kind == P_ACC_PARALLEL;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        const Ast *t = p->target, *s = of->target;
        if (!acc && pragma_says(p, "target") && pragma_says(p, "data")) continue;
        if (t && t->begin < s->end && s->begin < t->end && clause_says(p, NULL, d->name)) return true;
    }
    return false;
}

// Scalars that no clause of a target (or acc parallel) construct names are copies that it does not hand back.
static bool copies(const Accept *ac, const Pragma *p, const Decl *d) {
    bool here = p->kind == P_ACC_PARALLEL || (pragma_says(p, "target") && !pragma_clause(p, "defaultmap"));
    if (!here || !p->target || !is_followed(ac, p) || !ctype_is_number(d->type)) return false;
    const char *at = d->name;
    bool more;
    return accept_next_name(&at, p->target, &more) == d && !is_named(ac->ra->unit, p, d);
}

bool accept_owns_counter(const Accept *ac, const Ast *f, const Decl *d) {
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        bool kept = p->kind == P_SCULPT || pragma_says(p, "simd") || clause_says(p, "lastprivate", d->name);
        if (covers(p, f) && !kept && is_followed(ac, p)) return true;
        if (is_around(p, f) && !kept && copies(ac, p, d)) return true;
    }
    return false;
}

static bool copy_scalars(Accept *ac, const Pragma *p) {
    for (int k = 0; k < ac->writes.vars.n; k++) {
        const Decl *d = ac->writes.vars.at[k];
        if (accept_has_decl(&ac->writes.iters, d) || accept_lookup(ac, d) || !copies(ac, p, d)) continue;
        if (!accept_make_private(ac, d, true, p->loc)) return false;
    }
    return true;
}

bool accept_privates(Accept *ac, const Ast *s) {
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        bool here = p->target == ast_marked(s) && !accept_is_shared_out(u, p);
        for (int j = 0; here && j < p->nclauses; j++) {
            const Clause *c = &p->clauses[j];
            bool first = str_eq(c->name, "firstprivate");
            if ((first || str_eq(c->name, "private")) && !read_privates(ac, p, c, s, first))
                return false;
        }
        if (here && !copy_scalars(ac, p)) return false;
    }
    return s->kind != A_FOR || accept_own_privates(ac, s);
}

// A shared loop of the program's first function, in no block that starts a team.
static bool has_no_team(const Accept *ac, const Pragma *p) {
    const AstUnit *u = ac->ra->unit;
    if (p->kind != P_OMP_FOR || !str_eq(ac->ra->func->name, "main") || pragma_says(p, "parallel"))
        return false;
    if (pragma_says(p, "teams") || pragma_says(p, "target")) return false;
    for (int k = 0; k < u->npragmas; k++)
        if (u->pragmas[k].kind == P_OMP_PARALLEL && is_around(&u->pragmas[k], p->target)) return false;
    return true;
}

// Of these updates, which do not commute, the order decides.
static bool does_not_commute(const Ast *s) {
    const Ast *x = s->kind == A_EXPR ? accept_strip(s->kids[0]) : s;
    return x->kind == A_ASSIGN && (x->op == OP_DIV || x->op == OP_MOD || x->op == OP_SHL || x->op == OP_SHR);
}

// ---- sums so far ---------------------------------------------------------------------------------------
static bool is_by(Op op, Op by) { return by == op || (op == OP_ADD && by == OP_SUB); }

// Is e the sum, or something more added to it?
static bool is_updated(const Decl *sum, Op op, const Ast *e) {
    const Ast *x = accept_strip(e);
    if (op == OP_MIN || op == OP_MAX) return x->kind == A_COND || x->kind == A_CALL;
    if (x->kind == A_REF) return x->decl == sum;
    if (x->kind != A_BINARY || !is_by(op, x->op)) return false;
    const Ast *left = x->kids[0], *right = x->kids[1];
    if (is_updated(sum, op, left)) return !accept_mentions(right, sum);
    return x->op != OP_SUB && is_updated(sum, op, right) && !accept_mentions(left, sum);
}

// Is all that is assigned to it an update of it by op?
static bool only_updates(const Ast *root, const Decl *sum, Op op) {
    ast_each(e, root) {
        bool steps = e->kind == A_INCDEC;
        if ((e->kind != A_ASSIGN && !steps) || accept_strip(e->kids[0])->decl != sum) continue;
        bool updates = steps ? op == OP_ADD
                     : e->op == OP_SET ? is_updated(sum, op, e->kids[1])
                     : is_by(op, e->op) && !accept_mentions(e->kids[1], sum);
        if (!updates) return false;
    }
    return true;
}

// Does the loop with reduction(inscan) around a directive scan mean what it does when its iterations follow
// one another? In OpenMP each begins with no sum, which is the same where it only updates its sum.
static bool scan_is_in_order(const AstUnit *u, const Pragma *p) {
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *q = &u->pragmas[k];
        const Clause *c = pragma_clause(q, "reduction");
        const char *names = c && is_around(q, p->target) ? past_modifier(c->args, "inscan") : NULL;
        Op op;
        if (!names) continue;
        if (!(names = past_operator(names, &op))) return false;
        for (bool more = true; more;) {
            const Decl *sum = accept_next_name(&names, q->target, &more);
            if (sum && !only_updates(q->target, sum, op)) return false;
        }
        return true;
    }
    return false;
}

// ---- other directives ------------------------------------------------------------------------------------
// Statements that threads run in an order of their own, of which the program's is one: taken as they follow
// one another, so no mark vouches for the loops around them. In a loop without a mark other threads may be at
// theirs meanwhile.
static bool keeps_to_order(const Accept *ac, const Pragma *p, const Ast *s) {
    bool atomic = p->kind == P_OMP_ATOMIC && (has(p, "capture") || does_not_commute(s));
    bool other = p->kind == P_OMP_OTHER && (pragma_says(p, "critical") || pragma_says(p, "ordered"));
    return (atomic || other) && ac->ra->marked != MARK_AUTO;
}

bool accept_pragmas_ok(Accept *ac, const Ast *s) {
    static const char *const refused[] = {"critical", "ordered", "sections", "section", "single",
                                          "master", "masked", "task", "taskloop", "scan"};
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        bool around = s->kind == A_FOR && p->target && is_around(p, s);
        const char *one = around ? asks_for_one(p) : NULL;
        if (one)
            return accept_refuse(ac, SC_PRAGMA, p->loc, "by %s one thread runs the loop, on the host", one);
        if (around && has_no_team(ac, p))
            return accept_refuse(ac, SC_PRAGMA, p->loc, "one thread runs the loop, because no 'omp parallel' "
                                 "is around it; '#pragma omp parallel for' would free it");
        if (p->target != ast_marked(s))
            continue;
        if (keeps_to_order(ac, p, s)) {
            ac->ordered++;
            continue;
        }
        for (size_t j = 0; p->kind == P_OMP_OTHER && j < sizeof refused / sizeof *refused; j++)
            if (str_has_suffix(p->text, refused[j]) &&
                !(str_has_suffix(p->text, "scan") && scan_is_in_order(u, p)))
                return accept_refuse(ac, SC_PRAGMA, p->loc, "#pragma %s is left to the host; use a "
                                     "reduction or an atomic update", p->text);
        if (p->kind == P_OMP_ATOMIC && (has(p, "capture") || does_not_commute(s)))
            return accept_refuse(ac, SC_PRAGMA, p->loc,
                                 "an atomic %s depends on the order of iterations; use a plain "
                                 "atomic update, or mark the loop",
                                 has(p, "capture") ? "capture" : "division or shift");
    }
    return true;
}

bool accept_is_atomic(Accept *ac, const Ast *s) {
    const AstUnit *u = ac->ra->unit;
    for (int k = 0; k < u->npragmas; k++) {
        const Pragma *p = &u->pragmas[k];
        if (p->kind == P_OMP_ATOMIC && p->target == ast_marked(s) && !keeps_to_order(ac, p, s)) return true;
    }
    return false;
}
