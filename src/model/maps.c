// SPDX-License-Identifier: MIT
// maps.c -- occupancy over a knob; the words and sectors of one request, each in its bank or line.
#include "model/maps.h"
#include "model/request.h"

// ---- occupancy ----------------------------------------------------------------------------------------
int model_curve(const Machine *m, int64_t threads, int64_t registers, int64_t shared, OccupancyKnob knob,
                OccupancyPoint *out, int max) {
    const int64_t most[] = {m->max_threads, m->registers_thread, machine_shared(m)};
    int64_t unit = knob == KNOB_THREADS ? m->warp : knob == KNOB_REGISTERS ? 1 : most[knob] / (max - 1);
    int n = 0;
    if (most[knob] <= 0) return 0;
    if (unit < 1) unit = 1;
    while (knob != KNOB_SHARED && most[knob] / unit > max) unit *= 2;
    for (int64_t v = knob == KNOB_SHARED ? 0 : unit; v <= most[knob] && n < max; v += unit) {
        int64_t x[] = {threads, registers, shared};
        x[knob] = v;
        Occupancy o = occupancy_of(m, x[0], x[1], x[2]);
        out[n++] = (OccupancyPoint){v, o.blocks, o.warps, o.limit};
    }
    return n;
}

// ---- banks ----------------------------------------------------------------------------------------------
static bool is_on(const Request *r, int lane) { return r->mask >> lane & 1; }

// Bytes of a row of the array; 0: they are not fixed, or there is one row.
static int64_t row_bytes(const Array *x) {
    if (x->rank < 2 || x->extent[x->rank - 1]->kind != E_INT) return 0;
    return x->extent[x->rank - 1]->i * type_size(x->elem);
}

// The request with the array's rows further apart; false: it has none.
static bool padded(const AccessCost *c, int64_t pad, Request *out) {
    int64_t row = row_bytes(c->array);
    *out = *c->worst;
    if (!pad) return true;
    if (row <= 0) return false;
    for (int k = 0; k < MAX_LANES; k++)
        if (is_on(out, k)) out->at[k] += out->at[k] / row * pad * type_size(c->array->elem);
    return true;
}

static BankCell *cell_at(BankMap *b, const int64_t *word, int64_t w) {
    for (int k = 0; k < b->ncells; k++)
        if (word[k] == w) return &b->cells[k];
    return NULL;
}

// The words of lanes lo … hi-1; those of one bank come in one pass after another from `pass` on.
static void add_part(BankMap *b, int64_t *word, const Machine *m, const Request *r, int lo, int hi,
                     int pass) {
    int in_bank[256] = {0};
    for (int k = lo; k < hi; k++) {
        int64_t end = is_on(r, k) ? r->at[k] + r->width : 0;
        for (int64_t w = r->at[k] / m->bank_bytes; is_on(r, k) && w * m->bank_bytes < end; w++) {
            BankCell *c = cell_at(b, word, w);
            if (c) {
                c->lanes++;
                continue;
            }
            int bank = (int)(w % b->banks);
            word[b->ncells] = w;
            b->cells[b->ncells++] = (BankCell){0, bank, k, 1, pass + in_bank[bank]++};
        }
    }
}

static void number_rows(BankMap *b, const int64_t *word) {
    for (int k = 0; k < b->ncells; k++) {
        int64_t row = word[k] / b->banks;
        int at = 0;
        while (at < b->nrows && b->rows[at] < row) at++;
        if (at < b->nrows && b->rows[at] == row) continue;
        for (int i = b->nrows++; i > at; i--) b->rows[i] = b->rows[i - 1];
        b->rows[at] = row;
    }
    for (int k = 0; k < b->ncells; k++)
        while (b->rows[b->cells[k].row] != word[k] / b->banks) b->cells[k].row++;
}

BankMap *model_banks(Arena *a, const Machine *m, const AccessCost *c, int64_t pad) {
    Request r;
    if (!c->worst || !c->shared || c->constant || m->banks <= 0 || m->banks > 256 || !padded(c, pad, &r))
        return NULL;
    for (int k = 0; k < m->warp; k++)
        if (is_on(&r, k) && r.at[k] < 0) return NULL;
    int most = (int)m->warp * (16 / (int)m->bank_bytes + 1);
    BankMap *b = NEW(a, BankMap);
    SharedCost q = request_shared(m, &r);
    *b = (BankMap){
        .banks = (int)m->banks, .passes = q.wavefronts, .ideal = q.ideal, .ways = q.ways, .pad = pad};
    b->cells = NEW_N(a, BankCell, most);
    b->rows = NEW_N(a, int64_t, most);
    int64_t *word = NEW_N(a, int64_t, most);
    for (int lo = 0, hi, pass = 0; lo < m->warp; lo = hi) {
        Request part = r;
        hi = request_part(m, &r, lo);
        add_part(b, word, m, &r, lo, hi, pass);
        part.mask &= (hi >= 64 ? 0 : ~0ull << hi) ^ (~0ull << lo);
        pass += request_shared(m, &part).wavefronts;
    }
    number_rows(b, word);
    return b;
}

int64_t model_padding(const Machine *m, const AccessCost *c) {
    for (int64_t pad = 1; pad <= 32; pad *= 2) {
        Request r;
        if (!c->worst || !c->shared || c->constant || !padded(c, pad, &r) ||
            pad * type_size(c->array->elem) % c->width)
            continue;
        SharedCost q = request_shared(m, &r);
        if (q.wavefronts == q.ideal) return pad;
    }
    return 0;
}

// ---- sectors ---------------------------------------------------------------------------------------------
static void add_bytes(SectorMap *s, uint64_t *byte, int64_t sector, int64_t size, int64_t from, int64_t to) {
    int at = 0;
    while (at < s->n && s->at[at] < sector) at++;
    if (at == s->n || s->at[at] != sector) {
        for (int i = s->n++; i > at; i--) s->at[i] = s->at[i - 1], byte[i] = byte[i - 1];
        s->at[at] = sector;
        byte[at] = 0;
    }
    for (int64_t b = from; b < to; b++) byte[at] |= 1ull << (b - sector * size);
}

SectorMap *model_sectors(Arena *a, const Machine *m, const AccessCost *c) {
    const Request *r = c->worst;
    if (!r || c->shared || m->sector <= 0 || m->sector > 64) return NULL;
    int most = MAX_LANES * (16 / (int)m->sector + 2);
    SectorMap *s = NEW(a, SectorMap);
    uint64_t *byte = NEW_N(a, uint64_t, most);
    s->at = NEW_N(a, int64_t, most);
    s->used = NEW_N(a, int, most);
    s->per_line = m->line > m->sector ? (int)(m->line / m->sector) : 1;
    for (int k = 0; k < m->warp; k++) {
        int64_t end = r->at[k] + r->width;
        for (int64_t b = r->at[k]; is_on(r, k) && b >= 0 && b < end;) {
            int64_t sector = b / m->sector,
                    to = (sector + 1) * m->sector < end ? (sector + 1) * m->sector : end;
            add_bytes(s, byte, sector, m->sector, b, to);
            b = to;
        }
    }
    int64_t first = s->n ? s->at[0] / s->per_line * s->per_line : 0, line = -1;
    for (int k = 0; k < s->n; k++) {
        s->used[k] = __builtin_popcountll(byte[k]);
        s->at[k] -= first;
        s->lines += s->at[k] / s->per_line != line;
        line = s->at[k] / s->per_line;
    }
    return s->n ? s : NULL;
}
