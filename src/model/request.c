// SPDX-License-Identifier: MIT
// request.c -- sectors, lines and banks of one warp's memory instruction.
#include "model/request.h"
#include <string.h>

static int64_t down(int64_t x, int64_t unit) { return (x >= 0 ? x : x - unit + 1) / unit; }

static bool is_on(const Request *r, int lane) { return r->mask >> lane & 1; }

// A small sorted set of numbers.
typedef struct Set {
    int n;
    int64_t at[2 * MAX_LANES * 4];
} Set;

static void put(Set *s, int64_t x) {
    int k = s->n;
    while (k > 0 && s->at[k - 1] > x) k--;
    if (k > 0 && s->at[k - 1] == x) return;
    memmove(s->at + k + 1, s->at + k, sizeof *s->at * (size_t)(s->n - k));
    s->at[k] = x;
    s->n++;
}

// Pieces of `unit` bytes that lanes lo … hi-1 touch.
static void pieces(const Request *r, int lo, int hi, int64_t unit, Set *out) {
    out->n = 0;
    for (int k = lo; k < hi; k++) {
        if (!is_on(r, k)) continue;
        int64_t first = down(r->at[k], unit), last = down(r->at[k] + r->width - 1, unit);
        for (int64_t p = first; p <= last; p++) put(out, p);
    }
}

// ---- global ----------------------------------------------------------------------------------
// Different bytes, and the piece that they lie in.
static int useful_bytes(const Machine *m, const Request *r, int64_t *lo, int64_t *hi) {
    Set s;
    int n = 0;
    s.n = 0;
    int64_t end = INT64_MIN;
    for (int k = 0; k < m->warp; k++)
        if (is_on(r, k)) put(&s, r->at[k]);
    for (int k = 0; k < s.n; k++) {
        int64_t from = s.at[k] > end ? s.at[k] : end, to = s.at[k] + r->width;
        n += to > from ? (int)(to - from) : 0;
        end = to;
    }
    *lo = s.n ? s.at[0] : 0;
    *hi = s.n ? end : 0;
    return n;
}

// GT200: each half of a warp takes the segment of its first lane, all lanes in it are served, and
// the segment shrinks to the half or quarter that is used. 32 bytes for bytes, 64 for shorts, else 128.
static int segment_bytes(const Machine *m, const Request *r) {
    int moved = 0;
    for (int lo = 0; lo < m->warp; lo += (int)m->request_lanes) {
        uint64_t left = r->mask >> lo & ((1ull << m->request_lanes) - 1);
        while (left) {
            int64_t size = r->width == 1 ? 32 : r->width == 2 ? 64 : 128;
            int64_t base = down(r->at[lo + __builtin_ctzll(left)], size) * size, first = INT64_MAX,
                    last = INT64_MIN;
            for (int k = 0; k < m->request_lanes; k++) {
                int64_t at = r->at[lo + k];
                if (!(left >> k & 1) || at < base || at >= base + size) continue;
                left &= ~(1ull << k);
                if (at < first) first = at;
                if (at + r->width > last) last = at + r->width;
            }
            while (size > 32 && (last <= base + size / 2 || first >= base + size / 2)) {
                size /= 2;
                if (first >= base + size) base += size;
            }
            moved += (int)size;
        }
    }
    return moved;
}

GlobalCost request_global(const Machine *m, const Request *r) {
    GlobalCost c = {0};
    Set s;
    int64_t lo, hi;
    pieces(r, 0, (int)m->warp, m->line, &s);
    c.lines = s.n;
    pieces(r, 0, (int)m->warp, m->sector, &s);
    c.sectors = s.n;
    c.useful = useful_bytes(m, r, &lo, &hi);
    c.ideal = (int)((c.useful + m->sector - 1) / m->sector);
    c.misaligned = c.useful == hi - lo && c.sectors > c.ideal;
    bool whole = !r->write && m->load_granule > m->sector;
    c.moved = m->compute && m->compute < 20 ? segment_bytes(m, r)
              : whole                       ? c.lines * (int)m->load_granule
                                            : c.sectors * (int)m->sector;
    return c;
}

bool request_stride(const Machine *m, const Request *r, int64_t *stride) {
    bool any = false;
    int last = -1;
    for (int k = 0; k < m->warp; k++) {
        if (!is_on(r, k)) continue;
        int64_t apart = last >= 0 ? r->at[k] - r->at[last] : 0, lanes = last >= 0 ? k - last : 1;
        if (apart % lanes || (any && apart / lanes != *stride)) return false;
        if (last >= 0) *stride = apart / lanes, any = true;
        last = k;
    }
    return any;
}

// ---- shared ----------------------------------------------------------------------------------
// The most different words of one bank among lanes lo … hi-1; 0: none of them is on.
static int ways_of(const Machine *m, const Request *r, int lo, int hi) {
    Set words;
    int in_bank[256] = {0}, most = 0;
    pieces(r, lo, hi, m->bank_bytes, &words);
    for (int k = 0; k < words.n; k++) {
        int bank = (int)(((words.at[k] % m->banks) + m->banks) % m->banks);
        if (++in_bank[bank] > most) most = in_bank[bank];
    }
    return most;
}

// Does every lane of lo … hi-1 that is on ask for what lane k ^ with asks for?
static bool in_pairs(const Request *r, int lo, int hi, int with) {
    for (int k = lo; k < hi; k++)
        if (is_on(r, k) && is_on(r, k ^ with) && r->at[k] != r->at[k ^ with]) return false;
    return true;
}

static bool joined(const Machine *m, const Request *r, int lo, int hi) {
    return m->wide_pairs > 1 && !r->write && hi <= m->warp &&
           (in_pairs(r, lo, hi, 1) || in_pairs(r, lo, hi, 2));
}

// So many lanes at a time that their words could fill each bank once.
int request_part(const Machine *m, const Request *r, int lo) {
    int words = (int)((r->width + m->bank_bytes - 1) / m->bank_bytes), part = (int)(m->request_lanes / words);
    if (part < 1) part = 1;
    if (part > m->banks) part = (int)m->banks;
    if (words > 1 && joined(m, r, lo, lo + 2 * part)) return lo + 2 * part;
    return lo + part < m->warp ? lo + part : (int)m->warp;
}

int request_atomic(const Machine *m, const Request *r) {
    int in_bank[256] = {0}, most = 0;
    for (int k = 0; k < m->warp; k++) {
        int bank = is_on(r, k) ? (int)((down(r->at[k], m->bank_bytes) % m->banks + m->banks) % m->banks) : -1;
        if (bank >= 0 && ++in_bank[bank] > most) most = in_bank[bank];
    }
    return most;
}

SharedCost request_constant(const Machine *m, const Request *r) {
    Set s;
    pieces(r, 0, (int)m->warp, r->width, &s);
    return (SharedCost){.wavefronts = s.n, .ideal = s.n > 0, .ways = s.n};
}

SharedCost request_shared(const Machine *m, const Request *r) {
    SharedCost c = {0};
    for (int lo = 0, hi; lo < m->warp; lo = hi) {
        hi = request_part(m, r, lo);
        int ways = ways_of(m, r, lo, hi);
        c.wavefronts += ways;
        c.ideal += ways > 0;
        if (ways > c.ways) c.ways = ways;
    }
    return c;
}
