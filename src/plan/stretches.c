// SPDX-License-Identifier: MIT
// stretches.c -- strategy: few long sums along rows, each by several blocks.
//
//   for j { s = 0                block j block p   c[j][p] = the sum of stretch p, by a team of a whole block
//     for i  s += a[j][i]   →    for j { s = 0
//     y[j] = s }                     for p  s += c[j][p]
//                                    y[j] = s }
//
// A block a row (teams.c) leaves most of the device without work where there are fewer rows than fit.
#include "plan/columns.h"
#include "rule/loops.h"

enum { LONG = 16, TOGETHER = 2 }; // iterations a thread has at least; blocks of 1024 a multiprocessor

// The scalar, or the row's element, that the loop alone adds to, by one statement; NULL: there is none.
static const Array *added(const Node *loop) {
    const Node *n = unwrap(loop->body);
    bool adds = n->kind == N_STMT && n->stmt->op != OP_SET && n->stmt->lhs->place == PLACE_LOCAL &&
                !n->stmt->lhs->rank;
    return adds ? n->stmt->lhs : NULL;
}

// Blocks of `threads` for stretches of so many iterations; NULL: a step does not fit.
static const char *build(const Site *s, const Node *sum, const char *target, int at, int kids, int threads,
                         int64_t length) {
    Arena *a = s->c->arena;
    Build b = {.s = s, .n = s->start, .steps = text_new(a)};
    column_step(&b, arena_printf(a, "strip %s by=%lld as=cp,cq", sum->iter->name, (long long)length));
    column_step(&b, arena_printf(a, "hoist %s at=cq init=zero as=ca", target));
    column_step(&b, "expand ca as=cs");
    column_step(&b, "distribute cp parts=0,0,1");
    const Node *row = b.failed ? NULL : column_loop(b.n->root);
    if (!row) return NULL;
    Text parts = text_new(a);
    for (int i = 0; i <= kids; i++) text_printf(&parts, "%s%d", i ? "," : "", i == at ? 0 : 1);
    column_step(&b, arena_printf(a, "distribute %s parts=%s", row->iter->name, text_str(&parts)));
    const Node *first = b.failed ? NULL : column_loop(b.n->root),
               *stretch = first ? unwrap(first->body) : NULL;
    if (!stretch || stretch->kind != N_FOR) return NULL;
    column_step(&b, arena_printf(a, "map block %s %s", first->iter->name, stretch->iter->name));
    column_step(&b, arena_printf(a, "reduce cq by=%d", threads));
    const Node *rest = b.failed ? NULL : column_loop(b.n->root);
    if (!rest) return NULL;
    column_step(&b, arena_printf(a, "grid %s threads=%d", rest->iter->name, 2 * COLUMN_WARP));
    return b.failed ? NULL : text_str(&b.steps);
}

static int recipes(const Site *s, const char **out, const char **why) {
    static const int threads[] = {256, 512, 1024};
    const Machine *m = s->call->machine;
    Node *row = unwrap(s->start->root), *body = row->kind == N_FOR ? row->body : NULL;
    const Node *sum = NULL;
    int n = 0, at = 0, diags = s->c->diags.n, errors = s->c->errors;
    *why = "no single sum along each row that may be reordered";
    if (!body || body->kind != N_SEQ || !site_is_free(s, row)) return 0;
    for (int i = 0; i < body->nkids; i++)
        if (unwrap(body->kids[i])->kind == N_FOR) {
            if (sum) return 0;
            sum = unwrap(body->kids[i]), at = i;
        }
    const Array *target = sum && site_is_sum(s, sum) ? added(sum) : NULL;
    if (!target) return 0;
    int64_t rows = site_trips(s, row), length = site_trips(s, sum), room = m ? (int64_t)m->sms * TOGETHER : 0;
    *why = "the rows are as many as blocks fit the device, or too short";
    for (size_t i = 0; i < sizeof threads / sizeof *threads && rows > 0; i++) {
        int64_t parts = room * (threads[2] / threads[i]) / rows, most = length / (threads[i] * LONG);
        if (parts > most) parts = most;
        if (parts < 2) continue;
        int64_t each = (length + parts - 1) / parts;
        each = (each + threads[i] - 1) / threads[i] * threads[i]; // whole rounds of a team
        const char *text = build(s, sum, target->name, at, body->nkids, threads[i], each);
        if (text) out[n++] = text;
    }
    s->c->diags.n = diags, s->c->errors = errors;
    return n;
}

const Strategy stretches_strategy = {"few long rows in stretches", recipes};
