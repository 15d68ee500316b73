// SPDX-License-Identifier: MIT
// map.c -- map: which loops run as blocks, as threads, as lanes.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"
#include <string.h>

static const struct {
    const char *word;
    How how;
} kinds[] = {{"block", HOW_BLOCK}, {"thread", HOW_THREAD}, {"vector", HOW_VECTOR}, {"serial", HOW_SERIAL}};

// Where the kernel of a path stands; -1: nowhere.
static int kernel_at(const Path *p) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i]->kind == N_KERNEL) return i;
    return -1;
}

// The loop alone with its how, at its place.
static Node *set_how(Change *ch, Node *root, const char *name, How how) {
    Node *loop = loop_named(root, name), *n = node_clone(ch->a, loop);
    n->how = how;
    n->unroll = 0;
    return node_replace(ch->a, root, loop, n);
}

// Between the kernel and a block loop stand block loops and conditions alone.
static bool is_outermost(Change *ch, const Path *p, const Node *loop) {
    for (int i = kernel_at(p) + 1; i > 0 && i + 1 < p->n; i++) {
        const Node *n = p->node[i];
        if (n->kind == N_FOR && n->how != HOW_BLOCK)
            return change_refuse(ch, "%s loop %s stands around %s in the kernel; interchange them first",
                                 how_name(n->how), n->iter->name, loop->iter->name);
        if (n->kind == N_SEQ && (n->nlocals || n->nkids != 1))
            return change_refuse(ch, "%s does not stand alone in the kernel's blocks", loop->iter->name);
    }
    return true;
}

// A loop that has one iteration wherever it begins, as the last tile of each row of a triangle: from 0 to 1.
static Node *from_zero(Change *ch, Node *root, Node *loop, const Path *p) {
    Arena *a = ch->a;
    Nest now = *ch->nest;
    now.root = root;
    if (loop->step != 1 || !expr_uses_iters(loop->lo)) return loop;
    Expr *second = expr_add(a, loop->lo, expr_int(a, loop->lo->type, 1)),
         *some = expr_op(a, OP_LT, loop->lo, loop->hi, NULL);
    if (!holds_at(ch->c, &now, p, expr_op(a, OP_LE, loop->hi, second, NULL))) return loop;
    Node *n = node_clone(a, loop);
    Expr *value = expr_cast(a, loop->iter->type, loop->lo);
    n->body = node_subst(a, loop->body, 1, &loop->iter, &value);
    if (!holds_at(ch->c, &now, p, some)) n->body = guard_sink(a, n->body, some);
    n->lo = expr_int(a, loop->lo->type, 0);
    n->hi = expr_int(a, loop->lo->type, 1);
    return n;
}

// Blocks are counted before any of them runs: bounds without the counters of other block loops.
Node *loop_block(Change *ch, Node *root, const char *name) {
    Arena *a = ch->a;
    Path p;
    Node *loop = loop_named(root, name), *wide = loop;
    if (!cond_is_free(loop->lo) || !cond_is_free(loop->hi))
        return change_refuse(ch, "the bounds of %s read memory", name), NULL;
    if (!path_to(root, loop, &p) || !is_outermost(ch, &p, loop)) return NULL;
    if (loop->how != HOW_BLOCK && !loop_room(ch, root, loop, HOW_BLOCK)) return NULL;
    Node *once = from_zero(ch, root, loop, &p);
    root = node_replace(a, root, loop, once);
    wide = loop = once;
    for (int i = p.n - 2; i >= 0; i--) {
        Node *out = p.node[i];
        if (out->kind != N_FOR || out->how != HOW_BLOCK) continue;
        if (!expr_uses_sym(wide->lo, out->iter) && !expr_uses_sym(wide->hi, out->iter)) continue;
        if (!loop_widen(ch, &wide, out)) return NULL;
    }
    if (wide != loop) wide->body = guard_sink(a, loop->body, loop_bounds(a, loop));
    root = node_replace(a, root, loop, wide);
    root = loop_normal(ch, root, wide);
    return set_how(ch, root, name, HOW_BLOCK);
}

// A phase is one nest of thread loops: nothing else stands between them.
static bool is_one_phase(Change *ch, const Path *p, const char *name) {
    const Node *outer = NULL, *between = NULL;
    for (int i = 0; i + 1 < p->n; i++) {
        const Node *n = p->node[i];
        if (n->kind == N_FOR && n->how == HOW_THREAD) outer = n, between = NULL;
        else if (n->kind == N_FOR || n->kind == N_IF || n->nlocals || n->nkids > 1) between = n;
    }
    if (!outer || !between) return true;
    return change_refuse(ch, "%s must stand directly inside thread loop %s; interchange brings it there",
                         name, outer->iter->name);
}

static Node *make_thread(Change *ch, Node *root, const char *name) {
    Node *loop = loop_named(root, name);
    int64_t trips;
    Path p;
    if (!loop_constant(loop, &trips))
        return change_refuse(ch, "%s has no constant number of iterations; strip it first", name), NULL;
    if (trips < 1 || trips > 1024)
        return change_refuse(ch, "%s has %lld iterations, not 1 to 1024", name, (long long)trips), NULL;
    if (!path_to(root, loop, &p) || !is_one_phase(ch, &p, name)) return NULL;
    if (loop->how != HOW_THREAD && !loop_room(ch, root, loop, HOW_THREAD)) return NULL;
    return set_how(ch, loop_normal(ch, root, loop), name, HOW_THREAD);
}

static Node *make_vector(Change *ch, Node *root, const char *name) {
    if (has_loops(loop_named(root, name)->body))
        return change_refuse(ch, "%s holds other loops; lanes run statements only", name), NULL;
    return set_how(ch, root, name, HOW_VECTOR);
}

// The kernel around `top` when none is there.
static Node *with_kernel(Change *ch, Node *root, const char *first, How how) {
    Path p;
    Node *top = loop_named(root, first);
    if (how == HOW_SERIAL || !path_to(root, top, &p) || kernel_at(&p) >= 0) return root;
    for (int i = 0; how != HOW_BLOCK && i < p.n; i++)
        if (p.node[i]->kind == N_FOR) {
            top = p.node[i];
            break;
        }
    const Array *local = path_local(&p, top);
    if (local)
        return change_refuse(ch, "%s stands outside of the kernel that loop %s would be; map the loops first",
                             local->name, first),
               NULL;
    const char *name = NULL, *wish = NULL;
    for (int k = 0; !name || !str_eq(name, wish); k++)
        name = change_name(ch, wish = arena_printf(ch->a, "k%d", k));
    return node_replace(ch->a, root, top, node_kernel(ch->a, name, top));
}

static bool kind_of(const char *word, How *how) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (str_eq(kinds[k].word, word)) return *how = kinds[k].how, true;
    return false;
}

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    How how;
    if (!kind_of(s->words[0], &how))
        return change_refuse(ch, "it takes block, thread, vector or serial, then loops; usage: %s",
                             ch->rule->usage);
    int n = s->nwords - 1;
    const char *const *names = s->words + 1;
    for (int k = 0; k < n; k++) {
        Node *loop = change_loop(ch, names[k]);
        if (!loop) return NULL;
        if (node_kernels(loop))
            return change_refuse(ch, "loop %s stands around a kernel; it runs on the host", names[k]);
    }
    if (n > 3 && how == HOW_BLOCK) return change_refuse(ch, "a grid has three dimensions, not %d", n);
    Node *root = ch->nest->root;
    if (n > 1) root = loops_permute(ch, root, n, names);
    if (root) root = with_kernel(ch, root, names[0], how);
    for (int k = 0; k < n && root; k++) {
        if (how == HOW_BLOCK) root = loop_block(ch, root, names[k]);
        else if (how == HOW_THREAD) root = make_thread(ch, root, names[k]);
        else if (how == HOW_VECTOR) root = make_vector(ch, root, names[k]);
        else root = set_how(ch, root, names[k], how);
    }
    return root ? change_done(ch, root) : NULL;
}

static void find_map(Finder *f) { find_loops(f, loop_is_serial, "map block %1"); }

static const RuleExample map_examples[] = {
    {EXAMPLE_PRODUCT, "strip i by=32 as=ib,ii\ninterchange ib j ii k", "map block j ib", NULL},
    {EXAMPLE_PRODUCT, "strip i by=32 as=ib,ii\ninterchange ib j ii k\nmap block j ib", "map thread ii", NULL},
    {EXAMPLE_PRODUCT, "", "map vector i", NULL},
    {EXAMPLE_TRIANGLE, "", "map block i", NULL},
    {EXAMPLE_EACH, "", "map block i j", NULL},
    {EXAMPLE_PRODUCT, "", "map thread i", "has no constant number of iterations"},
    {EXAMPLE_PRODUCT, "map block i", "map block j", "stands around a kernel"},
    {EXAMPLE_PRODUCT, "strip j by=4 as=jb,jj\ninterchange jb i k jj\nhoist a at=k", "map block k",
     "stands outside of the kernel"},
    {EXAMPLE_SEIDEL, "", "map block i", "change the meaning"},
    {EXAMPLE_PRODUCT, "", "map vector j", "holds other loops"},
    {EXAMPLE_PRODUCT, "", "map warp i", "it takes block, thread, vector or serial"},
    {NULL, NULL, NULL, NULL},
};

const Rule map_rule = {
    .name = "map",
    .usage = "map block|thread|vector|serial LOOP…",
    .summary = "Binds loops, outermost first, to thread blocks (on a CPU: to cores), threads or SIMD lanes; "
               "makes the kernel around them when there is none.",
    .picture = "for ib                           kernel k0\n"
               "    for ii in 0 .. 128   →           for ib block\n"
               "        S                                for ii in 0 .. 128 thread\n"
               "                                             S\n",
    .apply = apply,
    .find = find_map,
    .examples = map_examples,
};

// ---- bounds: launch bounds of a kernel ---------------------------------------------------------------
static Nest *apply_bounds(Change *ch) {
    Node *k = change_kernel(ch, ch->step->words[0]);
    if (!k) return NULL;
    Node *n = node_clone(ch->a, k);
    n->min_blocks = (int)change_int(ch, "min_blocks");
    return change_done(ch, node_replace(ch->a, ch->nest->root, k, n));
}

static const Knob bounds_knobs[] = {
    {"min_blocks", "blocks that shall fit one multiprocessor together (0: as it comes)", KNOB_INT, 0, 32,
     NULL, NULL},
};

static void find_bounds(Finder *f) { find_kernels(f, "bounds %1 min_blocks=2"); }

static const RuleExample bounds_examples[] = {
    {EXAMPLE_PRODUCT, "map block j", "bounds k0 min_blocks=2", NULL},
    {EXAMPLE_PRODUCT, "", "bounds k0 min_blocks=2", "there is no kernel k0"},
    {NULL, NULL, NULL, NULL},
};

const Rule bounds_rule = {
    .name = "bounds",
    .usage = "bounds KERNEL min_blocks=N",
    .summary =
        "Asks the device's compiler for few enough registers that N blocks of the kernel run together.",
    .picture = "kernel k0 …   →   kernel k0 min_blocks 2 …\n",
    RULE_KNOBS(bounds_knobs),
    .apply = apply_bounds,
    .find = find_bounds,
    .examples = bounds_examples,
};
