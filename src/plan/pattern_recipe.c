// SPDX-License-Identifier: MIT
// pattern_recipe.c -- matched patterns as a recipe, grown step by step on the nest itself.
//
//   maybe define: define dim value=16          what is optional goes by its pattern's name
//   strip j by=16 as=jb,jt                     thread loops in blocks of 16 x 16, or of 256
//   …
//   map thread it jt
//   maybe hoist-loop: hoist x at=j
//   maybe stage: stage A at=jb                 all that the block reads, where it is a constant box …
//
// … and where it is not, tiles of the loop that the reference names. Its iterations then stand outside
// of the threads' phases: what the body does before and after that loop is taken apart from it, and joined
// to it again where its registers are filled and stored:
//
//   maybe stage: expand C_sub                  unless stage: strip j by=16 as=jb,jt
//   maybe stage: distribute j                  unless stage: …
//   maybe stage: …
//
// How the copies meet sizes that don't divide goes by a name of its own, "edge".
//
// Each step is tried before it is written down; what does not fit stands in the text as a comment.
#include "plan/patterns.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include "rule/loops.h"
#include "rule/rule.h"
#include <string.h>

enum { TILE = 16, LINE = 256, MOST_LOCALS = 8 };

typedef struct Grow {
    Compile *c;
    Arena *a;
    const DepInfo *d;
    const Patterns *p;
    Nest *nest;
    Text out;
    const char *before;      // what begins each line: "", "maybe stage: ", "unless stage: "
} Grow;

// Tries a step; writes it down if it fits. *why (may be NULL): why it does not.
static bool grow(Grow *g, const char **why, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool grow(Grow *g, const char **why, const char *fmt, ...) {
    const char *reason = NULL;
    Text t = text_new(g->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    const Step *s = step_parse(g->c, (Loc){0}, text_str(&t));
    Nest *n = s ? rule_try(g->c, g->nest, s, &reason) : NULL;
    if (why) *why = reason;
    if (!n) return false;
    g->nest = n;
    text_printf(&g->out, "%s%s\n", g->before, text_str(&t));
    return true;
}

static void comment(Grow *g, const char *pattern, const char *what, const char *why) {
    text_printf(&g->out, "# %s: %s: %s\n", pattern, what, why ? why : "it does not fit");
}

// A name that nothing in the nest has.
static const char *fresh(Grow *g, const char *stem, const char *end) {
    const char *name = arena_printf(g->a, "%s%s", stem, end);
    for (int k = 1;; k++) {
        bool taken = loop_named(g->nest->root, name) != NULL;
        for (int i = 0; i < g->nest->region->narrays; i++)
            taken = taken || str_eq(g->nest->region->arrays[i]->name, name);
        for (int i = 0; i < g->nest->region->nparams; i++)
            taken = taken || str_eq(g->nest->region->params[i]->name, name);
        if (!taken) return name;
        name = arena_printf(g->a, "%s%s_%d", stem, end, k);
    }
}

// ---- threads ------------------------------------------------------------------------------------
// The loops of that name to blocks and threads, the innermost (x) first; false: refused. Names of the
// innermost block loop and of the kernel go to *block and *kernel.
static bool map_threads(Grow *g, int n, const char *const *loop, const char **why) {
    const char *block[2], *thread[2];
    int side = n == 1 ? LINE : TILE;
    for (int k = 0; k < n; k++) {
        block[k] = fresh(g, loop[k], "b"), thread[k] = fresh(g, loop[k], "t");
        if (!grow(g, why, "strip %s by=%d as=%s,%s", loop[k], side, block[k], thread[k])) return false;
    }
    if (n == 1) return grow(g, why, "map block %s", block[0]) && grow(g, why, "map thread %s", thread[0]);
    return grow(g, why, "interchange %s %s %s %s", block[1], block[0], thread[1], thread[0]) &&
           grow(g, why, "map block %s %s", block[1], block[0]) &&
           grow(g, why, "map thread %s %s", thread[1], thread[0]);
}

// The loop of that name with what stands around it; false: there is none.
static bool path_of(Grow *g, const char *loop, Path *out) {
    Node *n = loop_named(g->nest->root, loop);
    return n && path_to(g->nest->root, n, out);
}

static const Node *around(const Path *p, NodeKind kind, How how) {
    const Node *found = NULL;
    for (int k = 0; k < p->n; k++)
        if (p->node[k]->kind == kind && (kind != N_FOR || p->node[k]->how == how)) found = p->node[k];
    return found;
}

// ---- steps of one pattern -------------------------------------------------------------------------
static bool same_step(const Match *x, const Match *y) {
    return x->kind == y->kind && x->team == y->team && x->ref->array == y->ref->array && x->loop == y->loop;
}

// Is it the first match that asks for its step?
static bool is_first(const Patterns *p, int m) {
    for (int k = 0; k < m; k++)
        if (p->matches.at[k].ref && same_step(&p->matches.at[k], &p->matches.at[m])) return false;
    return true;
}

static void put_hoists(Grow *g, int team, PatternKind kind) {
    for (int m = 0; m < g->p->matches.n; m++) {
        const Match *x = &g->p->matches.at[m];
        if (x->kind != kind || x->team != team || !is_first(g->p, m)) continue;
        const char *array = x->ref->array->name, *at = x->loop->iter->name, *why = NULL;
        g->before = arena_printf(g->a, "maybe %s: ", pattern_name(kind));
        if (!grow(g, &why, "hoist %s at=%s", array, at)) comment(g, pattern_name(kind), array, why);
    }
}

static void put_transposes(Grow *g, int team, const char *inside) {
    Path p;
    const Node *kernel = path_of(g, inside, &p) ? around(&p, N_KERNEL, HOW_SERIAL) : NULL;
    for (int m = 0; m < g->p->matches.n && kernel; m++) {
        const Match *x = &g->p->matches.at[m];
        const char *array = x->kind == PATTERN_TRANSPOSE && x->team == team ? x->ref->array->name : NULL,
                   *why = NULL;
        if (!array || !is_first(g->p, m)) continue;
        g->before = "maybe transpose: ";
        if (!grow(g, &why, "transpose %s at=%s order=1,0", array, kernel->name))
            comment(g, "transpose", array, why);
    }
}

// Copies at the start of a loop; sizes that don't divide are met by reading the last elements again.
static bool put_stage(Grow *g, const char *array, const char *at, const char **why) {
    const char *as = fresh(g, array, "_s");
    if (!grow(g, why, "stage %s at=%s as=%s", array, at, as)) return false;
    const char *before = g->before;
    g->before = "maybe edge: "; // where sizes divide there is nothing to meet
    grow(g, NULL, "edge %s by=redirect", as);
    g->before = before;
    return true;
}

// What a whole block reads, where that is a constant box. How many arrays; -1: *why one of them is not.
static int stage_boxes(Grow *g, int team, PatternKind kind, const char *inside, const char **why) {
    Path p;
    const Node *block = path_of(g, inside, &p) ? around(&p, N_FOR, HOW_BLOCK) : NULL;
    int done = 0;
    g->before = arena_printf(g->a, "maybe %s: ", pattern_name(kind));
    for (int m = 0; m < g->p->matches.n && block; m++) {
        const Match *x = &g->p->matches.at[m];
        if (x->kind != kind || x->team != team) continue;
        bool first = true;
        for (int k = 0; k < m; k++) {
            const Match *y = &g->p->matches.at[k];
            first = first && !(y->kind == kind && y->team == team && y->ref->array == x->ref->array);
        }
        if (!first) continue;
        if (!put_stage(g, x->ref->array->name, block->iter->name, why)) return -1;
        done++;
    }
    return done;
}

// ---- tiles of a loop -------------------------------------------------------------------------------
// Variables that the body of the thread loops keeps while the loop runs.
static int locals_around(Grow *g, const char *loop, const char **out) {
    Path p;
    int n = 0;
    if (!path_of(g, loop, &p)) return 0;
    for (int k = 0; k < p.n; k++)
        for (int i = 0; p.node[k]->kind == N_SEQ && i < p.node[k]->nlocals && n < MOST_LOCALS; i++)
            out[n++] = p.node[k]->locals[i]->name;
    return n;
}

// The nests beside the one that holds the loop: their thread loops, which begin as the team's did.
static bool map_others(Grow *g, const Team *t, const char **why) {
    const Node *root = g->nest->root;
    for (int k = 0; root->kind == N_SEQ && k < root->nkids; k++) {
        Chain c = chain_of(root->kids[k]);
        if (!c.n || c.loop[0]->how != HOW_SERIAL) continue;
        const char *names[2] = {c.n > 1 && t->n > 1 ? c.loop[1]->iter->name : c.loop[0]->iter->name,
            c.loop[0]->iter->name};
        if (!map_threads(g, c.n > 1 && t->n > 1 ? 2 : 1, names, why)) return false;
        root = g->nest->root; // mapped: its child is a kernel now
        k = -1;
    }
    return true;
}

static bool put_tiles(Grow *g, const Team *t, int team, const Node *loop, const char **why) {
    const char *name = loop->iter->name, *local[MOST_LOCALS], *kept = NULL;
    g->before = "maybe stage: ";
    int nlocals = locals_around(g, name, local);
    if (nlocals > 1)
        return *why = "its rows are no constant box, and more than one variable lives while the loop runs",
               false;
    for (int k = 0; k < nlocals; k++) {
        const char *as = fresh(g, local[k], "_x");
        if (!grow(g, why, "expand %s as=%s", local[k], as)) return false;
        kept = as;
    }
    for (int k = 0; k < t->n && nlocals; k++)
        if (!grow(g, why, "distribute %s", t->thread[k]->iter->name)) return false;
    // Its own nest: the loops around it, which distribute has named anew.
    Path p;
    const char *in[2] = {NULL, NULL};
    if (!path_of(g, name, &p)) return false;
    for (int k = 0; k + 1 < p.n; k++)
        if (p.node[k]->kind == N_FOR) in[1] = in[0], in[0] = p.node[k]->iter->name;
    if (!in[0] || !in[1]) return *why = "its loops are no nest of their own", false;
    const char *tile = fresh(g, name, "b"), *inner = fresh(g, name, "i"), *b[2], *th[2];
    for (int k = 0; k < 2; k++) {
        b[k] = fresh(g, in[k], "b"), th[k] = fresh(g, in[k], "t");
        if (!grow(g, why, "strip %s by=%d as=%s,%s", in[k], TILE, b[k], th[k])) return false;
    }
    if (!grow(g, why, "strip %s by=%d as=%s,%s", name, TILE, tile, inner) ||
        !grow(g, why, "interchange %s %s %s %s %s %s", b[1], b[0], tile, th[1], th[0], inner) ||
        !grow(g, why, "map block %s %s", b[1], b[0]) || !grow(g, why, "map thread %s %s", th[1], th[0]))
        return false;
    if (kept) grow(g, NULL, "hoist %s at=%s", kept, tile);
    for (int m = 0; m < g->p->matches.n; m++) {
        const Match *x = &g->p->matches.at[m];
        if (x->team != team || !is_first(g->p, m)) continue;
        if (x->kind == PATTERN_STAGE && x->loop == loop && !put_stage(g, x->ref->array->name, tile, why))
            return false;
        if (x->kind == PATTERN_HOIST && !kept) grow(g, NULL, "hoist %s at=%s", x->ref->array->name, tile);
    }
    if (kept) grow(g, NULL, "join %s", kept); // what stands before and behind the loop comes back to it
    return map_others(g, t, why);
}

// ---- one nest ---------------------------------------------------------------------------------------
static bool has(const Patterns *p, int team, PatternKind kind) {
    for (int m = 0; m < p->matches.n; m++)
        if (p->matches.at[m].kind == kind && p->matches.at[m].team == team) return true;
    return false;
}

static const Match *first_stage(const Patterns *p, int team) {
    for (int m = 0; m < p->matches.n; m++)
        if (p->matches.at[m].kind == PATTERN_STAGE && p->matches.at[m].team == team) return &p->matches.at[m];
    return NULL;
}

static bool put_plain(Grow *g, int team, const char *before) {
    const Team *t = &g->p->teams.at[team];
    const char *why = NULL, *loop[2] = {t->thread[0]->iter->name, t->n > 1 ? t->thread[1]->iter->name : NULL};
    g->before = before;
    if (map_threads(g, t->n, loop, &why)) return true;
    comment(g, "threads", loop[0], why);
    return false;
}

// A name that still stands in the thread: the innermost thread loop's.
static const char *inside_of(Grow *g, const Team *t) {
    for (int k = 0; k < t->refs.n; k++) {
        const Ref *r = &t->refs.at[k];
        for (int i = 0; i < r->nloops; i++)
            if (r->loop[i] != t->thread[0] && r->loop[i] != t->thread[1] &&
                loop_named(g->nest->root, r->loop[i]->iter->name))
                return r->loop[i]->iter->name;
    }
    // No loop stands inside: the thread loop itself, as map_threads named it.
    for (int k = 0;; k++) {
        const char *name = arena_printf(g->a, k ? "%st_%d" : "%st", t->thread[0]->iter->name, k);
        const Node *n = loop_named(g->nest->root, name);
        if (!n || n->how == HOW_THREAD) return name;
    }
}

static bool put_team(Grow *g, int team) {
    const Team *t = &g->p->teams.at[team];
    const Match *stage = first_stage(g->p, team);
    const char *why = NULL, *inside;
    Nest *start = g->nest;
    size_t length = g->out.n;
    if (!put_plain(g, team, "")) return false;
    inside = inside_of(g, t);
    if (stage && stage_boxes(g, team, PATTERN_STAGE, inside, &why) < 0) {
        // Tiles instead, with the plain threads in their place when they are left out.
        const char *text = arena_strndup(g->a, text_str(&g->out), length);
        g->out = text_new(g->a);
        text_put(&g->out, text);
        g->nest = start;
        bool tiles = put_tiles(g, t, team, stage->loop, &why);
        if (!tiles) {
            g->out = text_new(g->a);
            text_put(&g->out, text);
            comment(g, "stage", stage->ref->array->name, why);
        }
        g->nest = start;
        if (!put_plain(g, team, tiles ? "unless stage: " : "")) return false;
    }
    put_hoists(g, team, PATTERN_HOIST_LOOP);
    put_hoists(g, team, PATTERN_HOIST);
    put_transposes(g, team, inside);
    g->before = "";
    if (has(g->p, team, PATTERN_STENCIL) && stage_boxes(g, team, PATTERN_STENCIL, inside, &why) < 0)
        comment(g, "stencil", "a halo", why);
    return true;
}

// What the judge cannot decide stands on the marks in the program, where there are any, and says so.
static const char *trust_in_marks(Grow *g) {
    const Patterns *p = g->p;
    for (int t = 0; t < p->teams.n; t++)
        if (!p->teams.at[t].marked) return "";
    if (dep_judge(g->c, p->region, g->nest->root).answer != ANSWER_UNKNOWN) return "";
    const Team *t = &p->teams.at[0];
    return arena_printf(g->a, "trust mark: line %d says that loop %s is parallel\n", t->first->loc.line,
                        t->first->iter->name);
}

char *patterns_recipe(Compile *c, const DepInfo *d, const Patterns *p, int nvals, const InterpVal *vals) {
    Grow g = {.c = c, .a = c->arena, .d = d, .p = p, .out = text_new(c->arena), .before = ""};
    g.nest = plan_start(c, p->region, d, "gpu");
    if (!g.nest) return NULL;
    g.before = "maybe define: ";
    for (int k = 0; k < nvals; k++)
        if (type_is_int(vals[k].sym->type))
            grow(&g, NULL, "define %s value=%lld", vals[k].sym->name, (long long)vals[k].i);
    int mapped = 0;
    for (int t = 0; t < p->teams.n; t++) mapped += put_team(&g, t);
    if (mapped) return arena_printf(c->arena, "target gpu\n%s%s", trust_in_marks(&g), text_str(&g.out));
    diag(c, DIAG_REMARK, SC_RECIPE, p->region->loc,
         "no loop of %s is parallel: there are no threads to give it to", p->region->name);
    return NULL;
}
