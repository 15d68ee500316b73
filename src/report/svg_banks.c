// SPDX-License-Identifier: MIT
// svg_banks.c -- one request of a warp: the words of shared memory that it asks for, each in its bank
// and row, with the lane that asks; and small pictures for tables.
#include "report/html.h"

enum { CELL = 13, LEFT = 34, TOP = 24, PASSES = 6 };

static void put_frame(Page *p, const BankMap *b) {
    for (int k = 0; k < b->banks; k += 4)
        page_printf(p, "<text class=tick x=%.1f y=19 text-anchor=middle>%d</text>", LEFT + CELL * (k + 0.5),
                    k);
    page_raw(p, "<text class=axis x=2 y=9>row, bank</text>\n");
    for (int r = 0; r < b->nrows; r++) {
        bool gap = r > 0 && b->rows[r] != b->rows[r - 1] + 1;
        page_printf(p,
                    "<text class=tick x=%d y=%.1f text-anchor=end>%lld</text><rect class=\"row%s\" x=%d y=%d "
                    "width=%d height=%d />\n",
                    LEFT - 4, TOP + CELL * (r + 0.75), (long long)b->rows[r], gap ? " gap" : "", LEFT,
                    TOP + CELL * r, CELL * b->banks, CELL);
    }
}

static void put_cell(Page *p, const BankCell *c) {
    int x = LEFT + CELL * c->bank, y = TOP + CELL * c->row;
    page_printf(p,
                "<g class=\"word w%d\"><title>lane%s %d%s: bank %d, wavefront %d</title><rect x=%.1f y=%.1f "
                "width=%d height=%d />",
                c->pass < PASSES ? c->pass : PASSES - 1, c->lanes > 1 ? "s" : "", c->lane,
                c->lanes > 1 ? arena_printf(p->a, " and %d more", c->lanes - 1) : "", c->bank, c->pass + 1,
                x + 0.5, y + 0.5, CELL - 1, CELL - 1);
    page_printf(p, "<text x=%.1f y=%.1f text-anchor=middle>%d%s</text></g>\n", x + CELL / 2.0,
                y + CELL * 0.72, c->lane, c->lanes > 1 && c->lane < 10 ? "+" : "");
}

void svg_banks(Page *p, const BankMap *b, const char *title) {
    double width = LEFT + CELL * b->banks + 4, height = TOP + CELL * b->nrows + 4;
    page_printf(p,
                "<figure class=map><figcaption>%s: <b>%d wavefront%s</b> where %d would do, "
                "%d-way</figcaption><div class=scroll tabindex=0 role=region aria-label=\"bank map\">\n",
                title, b->passes, b->passes == 1 ? "" : "s", b->ideal, b->ways);
    svg_begin(p, "banks", width, height, arena_printf(p->a, "Banks: %s", title),
              arena_printf(p->a,
                           "%d words in %d rows of %d banks, with the lane that asks for each; %d wavefronts",
                           b->ncells, b->nrows, b->banks, b->passes));
    put_frame(p, b);
    for (int k = 0; k < b->ncells; k++) put_cell(p, &b->cells[k]);
    svg_end(p);
    page_raw(p, "</div></figure>\n");
}

// ---- small ones
// ---------------------------------------------------------------------------------------------- Words that
// each bank has to give.
static void small_banks(Page *p, const BankMap *b) {
    enum { H = 18 };
    int words[256] = {0}, most = 1;
    for (int k = 0; k < b->ncells; k++)
        if (++words[b->cells[k].bank] > most) most = words[b->cells[k].bank];
    svg_begin(p, "small", 4 * b->banks, H, "Words a bank",
              arena_printf(p->a, "at most %d words of one bank", most));
    for (int k = 0; k < b->banks; k++)
        if (words[k])
            page_printf(p, "<rect class=\"word w%d\" x=%d y=%.1f width=3 height=%.1f />",
                        words[k] <= b->ideal ? 0 : 2, 4 * k, H - H * (double)words[k] / most,
                        H * (double)words[k] / most);
    svg_end(p);
}

// Sectors in the order of their addresses, as full as they are used; those of a line side by side.
static void small_sectors(Page *p, const SectorMap *s, int64_t size) {
    enum { MOST = 32, H = 18 };
    int n = s->n < MOST ? s->n : MOST;
    svg_begin(p, "small", 128, H, "Sectors", arena_printf(p->a, "%d sectors in %d lines", s->n, s->lines));
    double x = 0;
    for (int k = 0; k < n; k++) {
        if (k && s->at[k] / s->per_line != s->at[k - 1] / s->per_line) x += 1;
        double full = H * (double)s->used[k] / (double)size;
        page_printf(p,
                    "<rect class=sector x=%.1f y=0.5 width=2.5 height=%d /><rect class=\"word w%d\" x=%.1f "
                    "y=%.1f width=2.5 height=%.1f />",
                    x, H - 1, s->used[k] < size ? 2 : 0, x, H - 0.5 - full * 17 / 18, full * 17 / 18);
        x += 3;
    }
    svg_end(p);
}

void svg_request(Page *p, const AccessCost *c) {
    BankMap *b = c->shared ? model_banks(p->a, p->r->m, c, 0) : NULL;
    SectorMap *s = c->shared ? NULL : model_sectors(p->a, p->r->m, c);
    if (b) small_banks(p, b);
    else if (s) small_sectors(p, s, p->r->m->sector);
}
