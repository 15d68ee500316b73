// SPDX-License-Identifier: MIT
// check_block.c -- launches without --block: blocks of any size, or of each that a condition names.
//
//   --grid '(n + blockDim.x - 1) / blockDim.x'        n + blockDim_x - 1 is split into so many blocks of
//                                                     blockDim_x threads and a rest: threads_x is what these
//                                                     are together, between n and n + blockDim_x - 1
//   --where 'blockDim.x % 64 == 0 && n > 0'           64, 128, …, 1024, one by one
//
// What the kernel's own assertions say of its block (assert(blockDim.x == TILE)) is such a condition, too.
#include "driver/check_asked.h"
#include "kernel/host.h"
#include <ctype.h>
#include <string.h>

static const char *const sizes[] = {"blockDim.x", "blockDim.y", "blockDim.z"},
                  *const symbols[] = {"blockDim_x", "blockDim_y", "blockDim_z"};
enum { MOST_BLOCKS = 64, MOST_THREADS = 1024 };

const char *check_with_block(Arena *a, const char *text, const int64_t *block) {
    Text t = text_new(a);
    while (text && *text) {
        int d = 0;
        while (d < 3 && !str_has_prefix(text, sizes[d])) d++;
        if (d == 3) text_putn(&t, text++, 1);
        else if (block) text_printf(&t, "%lld", (long long)block[d]);
        else text_put(&t, symbols[d]);
        if (d < 3) text += strlen(sizes[d]);
    }
    return text ? text_str(&t) : NULL;
}

static bool mentions_block(const char *text) { return text && strstr(text, "blockDim.") != NULL; }

// ---- any ---------------------------------------------------------------------------------------------
// "Y / blockDim_x + c": *y is Y, *c what is added, "0" at least. False: it is no such quotient.
static bool quotient(Arena *a, const char *text, const char *by, const char **y, const char **c) {
    const char *slash = NULL;
    int depth = 0;
    for (const char *s = text; *s; s++) {
        depth += (*s == '(') - (*s == ')');
        if (!depth && *s == '/') slash = s;
    }
    const char *rest = slash ? slash + 1 + strspn(slash + 1, " ") : NULL;
    if (!rest || !str_has_prefix(rest, by)) return false;
    rest += strlen(by);
    *y = arena_strndup(a, text, (size_t)(slash - text)), *c = arena_printf(a, "0 %s", rest);
    bool plain = !rest[strspn(rest, " +-0123456789")];
    for (const char *s = *y; *s; s++) { // of the last operand alone: x + y / b
        depth += (*s == '(') - (*s == ')');
        plain &= depth || !strchr("+-?:<>=&|,", *s);
    }
    return plain;
}

bool check_any_block(Asked *q, KernelLaunch *l, VecText *conds, VecFree *params) {
    static const char *const threads[] = {"threads_x", "threads_y", "threads_z"};
    q->any_block = NULL;
    for (int d = 0; d < 3; d++) {
        const char *b = symbols[d], *t = threads[d], *y, *c, *when;
        int most = d == 2 ? 64 : MOST_THREADS;
        l->block[d] = 1;
        if (d && !l->grid_of[d] && l->grid[d] < 2) continue;
        bool number = !l->grid_of[d];
        const char *grid = number ? arena_printf(q->a, "%lld", (long long)l->grid[d])
                                  : check_with_block(q->a, l->grid_of[d], NULL);
        if (number) {
            when = arena_printf(q->a, "%s == %s * %s", t, grid, b);
        } else if (quotient(q->a, grid, b, &y, &c)) {
            y = arena_printf(q->a, "(%s) + (%s) * %s", y, c, b);
            when = arena_printf(q->a, "%s <= %s && %s > %s - %s && %s >= 0", t, y, t, y, b, t);
        } else if (mentions_block(l->grid_of[d])) {
            return false;
        } else when = arena_printf(q->a, "%s >= (%s) && %s <= %d * (%s)", t, grid, t, most, grid);
        vec_push(q->a, conds, arena_printf(q->a, "%s >= 1 && %s <= %d && %s", b, b, most, when));
        vec_push(q->a, params, ((EqualFree){b, NULL}));
        vec_push(q->a, params, ((EqualFree){t, arena_printf(q->a, "(%s) * %s", grid, b)}));
        l->grid_of[d] = t;
        l->grid[d] = 2;
        l->any_block[d] = true;
        q->any_block = q->any_block ? arena_printf(q->a, "%s and %s", q->any_block, sizes[d]) : sizes[d];
    }
    return l->has_block = true;
}

// ---- one by one ------------------------------------------------------------------------------------------
// Does it say something of the block alone?
static bool of_block_alone(Arena *a, const char *text) {
    const char *s = check_with_block(a, text, (int64_t[]){1, 1, 1});
    bool alone = mentions_block(text);
    for (; *s; s++) alone &= !isalpha((unsigned char)*s) && *s != '_';
    return alone;
}

static void conjuncts(Arena *a, const char *text, VecText *out) {
    int depth = 0;
    const char *from = text;
    for (const char *s = text; s; s++) {
        depth += (*s == '(') - (*s == ')');
        bool ends = !*s || (!depth && s[0] == '&' && s[1] == '&');
        if (ends) vec_push(a, out, arena_strndup(a, from, (size_t)(s - from)));
        if (!*s) return;
        if (ends) from = s += 2;
    }
}

static void asserted(Asked *q, VecText *out) {
    size_t size;
    char *text = file_read(q->a, q->file, &size);
    if (!text || !strstr(text, "assert")) return;
    HostToks all = host_tokens(q->a, q->file, text, size, q->nflags, (const char *const *)q->flags);
    bool inside = false;
    for (int i = 0; i + 2 < all.n; i++) {
        const HostTok *t = &all.at[i];
        inside = (inside && !str_eq(t->text, ";")) || str_eq(t->text, "assert");
        bool equal = inside && str_eq(t[1].text, "==");
        for (int k = 0; k < 2 && equal; k++)
            if (mentions_block(t[2 * k].text) && isdigit((unsigned char)t[2 - 2 * k].text[0]))
                vec_push(q->a, out, arena_printf(q->a, "%s == %s", t[2 * k].text, t[2 - 2 * k].text));
    }
}

static bool all_hold(Asked *q, const VecText *conds, const int64_t *block, const char **why) {
    Region none = {0};
    for (int i = 0; i < conds->n; i++) {
        int64_t v = 0;
        const char *text = check_with_block(q->a, conds->at[i], block);
        Expr *x = ir_parse_expr(q->c, &none, 0, NULL, T_I32, text, why);
        if (!x || !ir_eval(x, 0, NULL, &v)) return false;
        *why = NULL;
        if (!v) return false;
    }
    return true;
}

bool check_blocks(Asked *q, VecBlock *out, const char **why) {
    VecText all = {0}, conds = {0};
    if (q->where) conjuncts(q->a, q->where, &all);
    q->rest = NULL;
    for (int i = 0; i < all.n; i++) {
        if (of_block_alone(q->a, all.at[i])) vec_push(q->a, &conds, all.at[i]);
        else q->rest = q->rest ? arena_printf(q->a, "%s && (%s)", q->rest, all.at[i])
                               : arena_printf(q->a, "(%s)", all.at[i]);
    }
    if (!conds.n) asserted(q, &conds);
    bool axis[3] = {0};
    for (int i = 0; i < conds.n; i++)
        for (int d = 0; d < 3; d++) axis[d] |= strstr(conds.at[i], sizes[d]) != NULL;
    int most[3] = {axis[0] ? MOST_THREADS : 1, axis[1] ? MOST_THREADS : 1, axis[2] ? 64 : 1};
    Block b = {{1, 1, 1}};
    for (b.n[2] = 1; conds.n && b.n[2] <= most[2]; b.n[2]++)
        for (b.n[1] = 1; b.n[1] <= most[1] && b.n[1] * b.n[2] <= MOST_THREADS; b.n[1]++)
            for (b.n[0] = 1; b.n[0] <= most[0] && b.n[0] * b.n[1] * b.n[2] <= MOST_THREADS; b.n[0]++) {
                if (!all_hold(q, &conds, b.n, why)) continue;
                if (out->n == MOST_BLOCKS)
                    return *why = "more sizes of blocks than 64: --where names fewer", false;
                vec_push(q->a, out, b);
            }
    if (conds.n && !out->n && !*why) *why = "there is no block of such a size";
    return !*why;
}
