// SPDX-License-Identifier: MIT
// plain.c -- recipes that map a region's outermost band plainly: one thread an element.
#include "driver/explain.h"

Band band_of(const Region *r, const DepInfo *dep) {
    Band b = {0};
    for (const Node *n = r->root; n && b.n < BAND_LOOPS;) {
        while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
        if (n->kind != N_FOR) break;
        const LoopFact *l = dep_loop(dep, n);
        b.is_free[b.n] = l && (l->parallel == ANSWER_ALWAYS || l->parallel == ANSWER_WHEN ||
                               (n->mark && n->mark->assert == ASSERT_PARALLEL));
        b.nfree += b.is_free[b.n];
        b.loop[b.n++] = n;
        n = n->body;
    }
    return b;
}

const char *band_mapped(Arena *a, const Band *b, int x, int y, int width, int height) {
    Text t = text_new(a), order = text_new(a), inner = text_new(a);
    const char *xn = b->loop[x]->iter->name, *yn = y >= 0 ? b->loop[y]->iter->name : NULL;
    text_printf(&t, "target gpu\nstrip %s by=%d as=%s_b,%s_t\n", xn, width, xn, xn);
    if (yn) text_printf(&t, "strip %s by=%d as=%s_b,%s_t\n", yn, height, yn, yn);
    if (yn) text_printf(&order, "%s_b ", yn);
    text_printf(&order, "%s_b ", xn);
    if (yn) text_printf(&order, "%s_t ", yn);
    text_printf(&order, "%s_t", xn);
    for (int k = 0; k < b->n; k++)
        if (k != x && k != y) text_printf(&inner, " %s", b->loop[k]->iter->name);
    text_printf(&t, "interchange %s%s\n", text_str(&order), text_str(&inner));
    if (yn) text_printf(&t, "map block %s_b %s_b\nmap thread %s_t %s_t\n", yn, xn, yn, xn);
    else text_printf(&t, "map block %s_b\nmap thread %s_t\n", xn, xn);
    return text_str(&t);
}

const char *band_plain(Arena *a, const Band *b) {
    int x = -1, y = -1;
    for (int k = b->n; k-- > 0;) {
        if (!b->is_free[k]) continue;
        if (x < 0) x = k;
        else if (y < 0) y = k;
    }
    if (x < 0) return NULL;
    return y < 0 ? band_mapped(a, b, x, -1, 256, 1) : band_mapped(a, b, x, y, 32, 8);
}
