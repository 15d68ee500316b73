// SPDX-License-Identifier: MIT
// pieces.c -- loops over rows cut in pieces, so that what is a product in them is planned as one.
//
//   for i {                              for i, j { t = 0; for x t += q[i][x] * k[j][x]; p[i][j] = t }
//     m = …                              for i {
//     for j { t = 0; for x t += …;           m = …; for j m = max(m, p[i][j])
//             p[i][j] = t                →   for j s_x[i] += … }
//             m = max(m, p[i][j]) }      for i, x { o = 0; for j o += p[i][j] * v[j][x]; … / s_x[i] }
//     for j s += …
//     for x { o = 0; for j o += …; … / s } }
//
// Where a loop over rows is parallel, and so is what stands around a sum in one of its loops but for what
// follows that sum, that loop is cut behind it; one that ends in sums of its terms, before these. Then the
// rows are cut around each loop nest that is two loops deep; what is left between such nests stays together.
// Variables that live on from one piece to the next get an element for each iteration (rule expand). Whether
// that pays is for the model to say: the nest stands beside the one without cuts.
#include "plan/auto.h"
#include "rule/loops.h"

enum { MOST_KIDS = 64 };

static bool all_free(const ChainFacts *f) { return f->nfree == f->chain.n; }

// How many loops stand inside each other.
static bool is_loop(const Node *n) { return n->kind == N_FOR; }
static int depth_of(const Node *n) { return node_depth(n, is_loop); }

static bool is_used_by(Plan *p, const Array *x, int n, Node *const *kids) {
    for (int i = 0; i < n; i++)
        if (node_uses_array(p->a, kids[i], x)) return true;
    return false;
}

// ---- one loop, cut behind its sum ---------------------------------------------------------------
// Its first kids alone.
static Node *first_of(Plan *p, const Chain *c, int n) {
    Node *seq = node_clone(p->a, c->body);
    seq->nkids = n;
    return in_loops(p->a, c->n, c->loop, seq);
}

// The scalars that kids before and behind the cut use get elements. Where the rows behind it are a thread's
// each, threads side by side had better find theirs side by side.
static Node *with_expanded(Plan *p, Node *tree, const Node *seq, int cut, int nloops) {
    Text turned = text_new(p->a);
    for (int k = nloops; k-- > 0;) text_printf(&turned, "%s%d", turned.n ? "," : " order=", k);
    bool turns = p->cutting == CUT_TURNED && nloops > 1;
    for (int i = 0; tree && i < seq->nlocals; i++) {
        const Array *x = seq->locals[i];
        bool before = is_used_by(p, x, cut, seq->kids);
        if (!before || !is_used_by(p, x, seq->nkids - cut, seq->kids + cut)) continue;
        tree = plan_step(p, tree, "expand %s%s", x->name, turns ? text_str(&turned) : "");
        p->nturned += turns;
    }
    return tree;
}

// Does nothing before the cut wait for what is behind it, in an earlier iteration?
static bool may_cut(Plan *p, Node *loop, int cut) {
    int part[MOST_KIDS], last = -1;
    ChainFacts *f = chain_facts(p, loop);
    if (distribute(f, part, NULL, p) < 2) return false;
    for (int i = 0; i < cut; i++) last = part[i] > last ? part[i] : last;
    for (int i = cut; i < f->things->nkids; i++)
        if (part[i] <= last) return false;
    return true;
}

// The loop in two, of which the first is free; the loop itself where it can't be.
static Node *cut_behind_sum(Plan *p, Node *loop) {
    Chain c = chain_of(loop);
    Node *seq = c.body = loop_things(p->a, c.body);
    int sum = -1;
    if (seq->kind != N_SEQ || seq->nkids > MOST_KIDS || all_free(chain_facts(p, loop))) return loop;
    for (int i = 0; i < seq->nkids; i++)
        if (plan_has_loop(seq->kids[i])) sum = i;
    for (int cut = seq->nkids - 1; sum >= 0 && cut > sum; cut--) {
        PlanMark before = plan_mark(p);
        if (!all_free(chain_facts(p, first_of(p, &c, cut)))) continue;
        Text parts = text_new(p->a);
        for (int i = 0; i < seq->nkids; i++) text_printf(&parts, "%s%d", i ? "," : "", i >= cut);
        Node *tree = with_expanded(p, loop, seq, cut, p->nhost + c.n);
        if (tree && !may_cut(p, tree, cut)) tree = NULL;
        tree = plan_step(p, tree, "distribute %s parts=%s", loop->iter->name, text_str(&parts));
        if (tree) return tree;
        plan_back(p, before);
    }
    return loop;
}

// Is x a variable of the block?
static bool is_own(const Node *seq, const Array *x) { return has_pointer(seq->nlocals, seq->locals, x); }

// The loop in two before the loops that end it, where these add terms of its iterations to elements that it
// does not name: for j { e = …; for x o[x] += e * v[j][x] }. Then they are a product. Else the loop itself.
static Node *cut_before_sums(Plan *p, Node *loop) {
    Node *seq = loop_things(p->a, unwrap(loop->body));
    Node *sums = seq->kind == N_SEQ ? seq->kids[seq->nkids - 1] : NULL;
    Node *body = sums && sums->kind == N_FOR ? unwrap(chain_of(sums).body) : NULL;
    if (!body || seq->nkids > MOST_KIDS || body->kind != N_STMT || body->stmt->op == OP_SET) return loop;
    AccessVec v = node_accesses(p->a, body);
    for (int d = 0; d < v.at[0].array->rank; d++)
        if (expr_uses_sym(v.at[0].sub[d], loop->iter)) return loop;
    Text parts = text_new(p->a);
    bool meets = !v.at[0].array->rank;
    for (int i = 0; i + 1 < seq->nkids; i++) {
        if (seq->kids[i]->kind != N_STMT) return loop;
        AccessVec w = node_accesses(p->a, seq->kids[i]);
        for (int k = 0; k < w.n && !meets; k++) meets = arrays_may_overlap(w.at[k].array, v.at[0].array);
        for (int k = 0; k < v.n && !meets; k++)
            meets = !is_own(seq, w.at[0].array) && arrays_may_overlap(w.at[0].array, v.at[k].array);
        text_put(&parts, "0,");
    }
    PlanMark before = plan_mark(p);
    Node *tree = meets ? NULL : with_expanded(p, loop, seq, seq->nkids - 1, p->nhost + 1);
    tree = plan_step(p, tree, "distribute %s parts=%s1", loop->iter->name, text_str(&parts));
    return tree ? tree : (plan_back(p, before), loop);
}

// The chain with each loop of its body cut so.
static Node *with_inner_cuts(Plan *p, const Chain *c) {
    Node *seq = node_clone(p->a, c->body);
    VEC(Node *) kids = {0};
    for (int i = 0; i < c->n; i++) p->host[p->nhost++] = c->loop[i];
    for (int i = 0; i < c->body->nkids; i++) {
        Node *kid = c->body->kids[i], *n = kid;
        if (depth_of(kid) > 1 && kid->kind == N_FOR) n = cut_behind_sum(p, kid);
        if (depth_of(kid) > 1 && kid->kind == N_FOR && n == kid) n = cut_before_sums(p, kid);
        bool several = n != kid && n->kind == N_SEQ && !n->nlocals;
        for (int k = 0; k < (several ? n->nkids : 1); k++) vec_push(p->a, &kids, several ? n->kids[k] : n);
    }
    p->nhost -= c->n;
    seq->nkids = kids.n;
    seq->kids = kids.at;
    return in_loops(p->a, c->n, c->loop, seq);
}

// ---- the rows -------------------------------------------------------------------------------------
typedef struct Cut {
    const Node *seq;
    bool before[MOST_KIDS][MOST_KIDS]; // kid u must stay before kid v
    int part[MOST_KIDS], n;            // of each kid
    int shallow;                       // nests of no more loops stay together
} Cut;

// Does one write what the other touches?
static bool writes_what(Plan *p, Node *root, Node *other) {
    const Region *r = p->region;
    node_each(n, root) {
        const Array *x = n->kind != N_STMT ? NULL : n->nvia && n->via[0] ? n->via[0] : n->stmt->lhs;
        if (x && node_uses_array(p->a, other, x)) return true;
        for (int i = 0; x && i < r->narrays; i++)
            if (arrays_may_overlap(x, r->arrays[i]) && node_uses_array(p->a, other, r->arrays[i]))
                return true;
    }
    return false;
}

// Iterations of the rows meet in nothing, so what matters is the order in one iteration.
static void find_order(Plan *p, Cut *k) {
    for (int v = 0; v < k->seq->nkids; v++)
        for (int u = 0; u < v; u++)
            k->before[u][v] = writes_what(p, k->seq->kids[u], k->seq->kids[v]) ||
                              writes_what(p, k->seq->kids[v], k->seq->kids[u]);
}

static bool is_ready(const Cut *k, int v) {
    for (int u = 0; u < v; u++)
        if (k->part[u] < 0 && k->before[u][v]) return false;
    return k->part[v] < 0;
}

// Deep nests by themselves, as soon as they may run; what lies between them together.
static void find_parts(Cut *k) {
    int left = k->seq->nkids;
    for (int i = 0; i < left; i++) k->part[i] = -1;
    while (left) {
        int deep = -1;
        for (int i = 0; i < k->seq->nkids && deep < 0; i++)
            if (is_ready(k, i) && depth_of(k->seq->kids[i]) > k->shallow) deep = i;
        if (deep >= 0) k->part[deep] = k->n, left--;
        for (bool more = deep < 0; more;) {
            more = false;
            for (int i = 0; i < k->seq->nkids; i++)
                if (is_ready(k, i) && depth_of(k->seq->kids[i]) <= k->shallow)
                    k->part[i] = k->n, left--, more = true;
        }
        k->n++;
    }
}

static bool crosses(Plan *p, const Cut *k, const Array *x) {
    int part = -1;
    for (int i = 0; i < k->seq->nkids; i++) {
        if (!node_uses_array(p->a, k->seq->kids[i], x)) continue;
        if (part >= 0 && part != k->part[i]) return true;
        part = k->part[i];
    }
    return false;
}

// Where a condition that asks for NaN follows a sum; -1: nowhere.
static int repair_in(const Node *seq) {
    bool sum = false;
    for (int i = 0; seq->kind == N_SEQ && i < seq->nkids; i++) {
        if (sum && seq->kids[i]->kind == N_IF && expr_asks_nan(seq->kids[i]->cond)) return i;
        sum = seq->kids[i]->kind == N_FOR;
    }
    return -1;
}

// The sum with what it begins with is a part, what goes before is one, and what follows.
static void part_at(Plan *p, Cut *k, int repair) {
    const Node *sum = k->seq->kids[repair - 1];
    bool first = false;
    for (int i = 0; i < k->seq->nkids; i++) {
        const Node *n = k->seq->kids[i];
        bool begins = i < repair - 1 && n->kind == N_STMT && node_uses_array(p->a, (Node *)sum, n->stmt->lhs);
        first |= i < repair - 1 && !begins;
        k->part[i] = i >= repair ? 2 : begins || i == repair - 1;
    }
    for (int i = 0; !first && i < k->seq->nkids; i++) k->part[i]--;
    k->n = 2 + first;
}

// The first n loops of the chain, around the rest as a block.
static Chain first_loops(Plan *p, Chain c, int n) {
    Node *body = n < c.n ? in_loops(p->a, c.n - n, c.loop + n, c.body) : c.body;
    c.n = n;
    c.body = body->kind == N_SEQ ? body : node_seq(p->a, 1, &body);
    return c;
}

// Of n loops that are free.
static Node *cut_rows(Plan *p, Node *tree, int n, int shallow) {
    Chain c = first_loops(p, chain_of(tree), n);
    Node *things = loop_things(p->a, c.body);
    if (things->kind == N_SEQ) c.body = things;
    Cut k = {.seq = c.body, .shallow = shallow};
    if (c.body->nkids > MOST_KIDS) return NULL;
    int repair = repair_in(c.body);
    if (repair >= 0) {
        part_at(p, &k, repair);
    } else {
        find_order(p, &k);
        find_parts(&k);
    }
    if (k.n < 2) return NULL;
    for (int i = 0; tree && i < c.body->nlocals; i++) {
        const Array *x = c.body->locals[i];
        if (crosses(p, &k, x)) tree = plan_step(p, tree, "expand %s", x->name);
    }
    return plan_step(p, tree, "distribute %s parts=%s", c.loop[0]->iter->name,
                     plan_numbers(p, c.body->nkids, k.part));
}

// The free loops that the chain begins with.
static Chain rows_of(Plan *p, Node *loop) {
    const ChainFacts *f = chain_facts(p, loop);
    int n = 0;
    while (n < f->chain.n && f->loop[n].freedom == FREE_YES && f->loop[n].bounded) n++;
    return first_loops(p, f->chain, n);
}

// Of its loops, at least two, each does nothing but add up.
static bool has_several_sums(const Node *body) {
    int n = 0;
    for (int i = 0; i < body->nkids; i++) {
        const Node *at = body->kids[i];
        if (at->kind == N_IF) return false;
        if (at->kind != N_FOR) continue;
        const Node *in = unwrap(at->body);
        while (in->kind == N_IF && !in->other) in = unwrap(in->then);
        if (in->kind != N_STMT || in->stmt->op == OP_SET) return false;
        n++;
    }
    return n > 1;
}

Node *plan_pieces(Plan *p, Node *loop) {
    if (!p->cutting || p->cutting >= CUT_STEPS || p->o->plain || depth_of(loop) < 3) return NULL;
    Chain c = rows_of(p, loop);
    bool sums = c.n > 1 && depth_of(c.body) == 1 && (has_several_sums(c.body) || repair_in(c.body) >= 0);
    if (!c.n || (depth_of(c.body) < 2 && !sums) || p->nhost + c.n > MAX_HOST_LOOPS) return NULL;
    PlanMark before = plan_mark(p);
    Node *pieces = cut_rows(p, with_inner_cuts(p, &c), c.n, sums ? 0 : 1);
    if (!pieces) return plan_back(p, before), NULL;
    p->npieces++;
    return plan_node(p, pieces);
}
