// SPDX-License-Identifier: MIT
// near.c -- strategy: short rows that a thread goes through come to shared memory, for all threads of a block
// together, and back.
//
//   for q for j                        block qb, jb {
//     for i < 32                         coop b_s[32][33] = b[q][32*jb ..][0 .. 31]   lanes side by side
//       for l < i                        thread jt { for i { for l
//         b[q][j][i] -= … b[q][j][l]  →      b_s[jt][i] -= … b_s[jt][l] } }           each its row
//                                        coop b[q][32*jb ..][0 .. 31] = b_s }
//
// Threads side by side would ask memory for words a row apart. How long rows are is compiled in. Where each
// loop's iterations may run in any order, several threads a row are the better way (teams.c), unless several
// threads read the same rows: those of many small matrices.
#include "plan/near.h"

enum { LANES = 32, MOST_ARRAYS = 8, BLOCKS = 3 };
typedef struct Block {
    const char *threads, *per;
} Block;
static const Block rows[3][BLOCKS] = {{{"32", NULL}, {"64", NULL}, {"128", NULL}},
                                 {{"32,1", NULL}, {"32,2", NULL}, {"32,4", NULL}},
                                 {{"32,1,1", NULL}, {"32,2,1", NULL}, {"32,4,1", NULL}}},
    tiles[BLOCKS] = {{"32,4,1", "1,4,1"}, {"32,4,2", "1,4,1"}, {"32,8,1", NULL}};

typedef struct Near {
    const Site *s;
    int ndims;
    const Node *dim[3];
    VEC(const Node *) inside;  // the other loops, which a thread goes through
    Sizes sizes;
    bool no, in_turn;          // some loop's iterations have to follow one another
    bool deep;                 // …inside another loop, so that a row is read again and again
    bool shared;               // what several threads read is looked for
    int narrays;
    struct {
        const Array *array;
        bool across;           // threads side by side ask for words far apart, or again and again
    } of[MOST_ARRAYS];
} Near;

bool site_add_size(const Site *s, const Sym *sym, int64_t least, int64_t most, Sizes *to) {
    for (int i = 0; i < to->n; i++)
        if (to->sym[i] == sym) return true;
    for (int i = 0; i < s->call->nvals && to->n < MOST_SIZES; i++) {
        int64_t v = s->call->vals[i].i;
        if (s->call->vals[i].sym != sym || v < least || v > most) continue;
        to->sym[to->n] = sym, to->value[to->n++] = v;
        return true;
    }
    return false;
}

static bool add_sizes(const Site *s, const Node *loop, int64_t most, Sizes *out) {
    const Expr *bound[2] = {loop->lo, loop->hi};
    for (int i = 0; i < 2; i++)
        expr_each(x, bound[i])
            if (x->kind == E_SYM && x->sym->kind == SYM_PARAM && !site_add_size(s, x->sym, 1, most, out))
                return false;
    return true;
}

// Does anything below depend on which iteration it is? Steps that are all alike do not.
static bool is_asked(const Node *loop) {
    node_each(n, loop->body) {
        const Expr *of[3] = {n->kind == N_FOR ? n->lo : NULL, n->kind == N_FOR ? n->hi : NULL, n->cond};
        for (int i = 0; i < 3; i++)
            if (expr_uses_sym(of[i], loop->iter)) return true;
        for (int e = 0; n->kind == N_STMT && e < n->stmt->depth; e++) {
            if (!expr_uses_sym(n->at[e], loop->iter)) continue;
            if (expr_uses_sym(n->stmt->rhs, n->stmt->iters[e])) return true;
            for (int d = 0; d < n->stmt->lhs->rank; d++)
                if (expr_uses_sym(n->stmt->sub[d], n->stmt->iters[e])) return true;
        }
    }
    return false;
}

bool site_sizes(const Site *s, const Node *below, int64_t most, Sizes *out) {
    *out = (Sizes){0};
    node_each(n, below)
        if (n->kind == N_FOR && is_asked(n) && !add_sizes(s, n, most, out)) return false;
    return true;
}

void site_define(const Sizes *x, Text *out) {
    for (int i = 0; i < x->n; i++)
        text_printf(out, "define %s value=%lld\n", x->sym[i]->name, (long long)x->value[i]);
}

static bool is_dim(const Near *k, const Node *n) { return has_pointer(k->ndims, k->dim, n); }

static bool is_loop(const Node *n) { return n->kind == N_FOR; }

static void see_loop(Near *k, const Node *n) {
    if (n->kind != N_FOR || is_dim(k, n)) return;
    k->no |= loop_while(n) || expr_has_load(n->lo) || expr_has_load(n->hi);
    k->no |= !add_sizes(k->s, n, SHORT_ROW, &k->sizes);
    vec_push(k->s->c->arena, &k->inside, n);
    k->in_turn |= !site_is_free(k->s, n) && !site_is_sum(k->s, n);
    k->deep |= node_any(n->body, is_loop);
}

// Arrays of which a thread has words side by side.
static void see_arrays(Near *k, const Node *body) {
    AccessVec v = tree_accesses(k->s->c->arena, body);
    for (int i = 0; i < v.n; i++) {
        const Access *x = &v.at[i];
        bool along = false, of_some = false, of_all = true;
        for (int l = 0; l < k->inside.n; l++)
            along |= k->shared || k->deep ? access_names(x, k->inside.at[l]->iter)
                                          : plan_along(x, k->inside.at[l]->iter) > 0;
        for (int d = 0; d < k->ndims; d++) {
            bool does = access_names(x, k->dim[d]->iter);
            of_some |= does, of_all &= does;
        }
        if (x->array->place != PLACE_USER || !along || !of_some) continue;
        const Sym *lane = k->dim[0]->iter;
        bool apart = access_names(x, lane) && (k->deep || plan_along(x, lane) <= 0);
        bool across = k->shared ? !of_all : apart;
        int at = 0;
        while (at < k->narrays && k->of[at].array != x->array) at++;
        if (at == MOST_ARRAYS) continue;
        if (at == k->narrays) k->of[k->narrays++].array = x->array;
        k->of[at].across |= across;
    }
}

static const char *recipe(const Near *k, const Band *b, const Block *block, bool all) {
    Text t = text_new(k->s->c->arena);
    site_define(&k->sizes, &t);
    if (!site_grid(k->s, b, k->ndims, k->dim, block->threads, block->per, &t)) return NULL;
    text_put(&t, " rounds=no\n");
    for (int i = 0; i < k->narrays; i++)
        if (all || k->of[i].across)
            text_printf(&t, "stage %s at=%s_0%s\n", k->of[i].array->name, k->s->region->name,
                        k->shared ? "" : " pad=1");
    return text_str(&t);
}

static int recipes_of(Near *k, const Band *b, const Block *block, const char **out) {
    bool across = false, beside = false;
    int n = 0;
    k->narrays = 0;
    see_arrays(k, b->body);
    for (int i = 0; i < k->narrays; i++) *(k->of[i].across ? &across : &beside) = true;
    for (int all = 0; across && all <= beside; all++)
        for (int i = 0; i < BLOCKS; i++) {
            const char *r = recipe(k, b, &block[i], all);
            if (r) out[n++] = r;
        }
    return n;
}

static int recipes(const Site *s, const char **out, const char **why) {
    Near k = {.s = s};
    Band b;
    *why = "no short rows that a thread goes through in turn, or that several threads read";
    if (!str_eq(s->call->target, "gpu") || !site_free_band(s, &b)) return 0;
    k.ndims = site_dims(s, &b, k.dim);
    node_each(n, s->start->root) see_loop(&k, n);
    // Products that fill a warp's lanes have tiles of their own (contract.c).
    for (int i = 0; s->product && i < k.sizes.n; i++) k.no |= k.sizes.value[i] >= LANES;
    if (k.no || !k.inside.n) return 0;
    int n = k.in_turn ? recipes_of(&k, &b, rows[k.ndims - 1], out) : 0;
    k.shared = !n && k.ndims == 3;
    return k.shared ? recipes_of(&k, &b, tiles, out) : n;
}

const Strategy near_strategy = {"short rows in shared memory", recipes, true};
