// SPDX-License-Identifier: MIT
// find_refs.c -- sites of the rules that move data, by the pattern of each array reference.
//
//   for i block { for j thread { for k { … A[i][k] * B[k][j] … } } }
//
//   hoist      a loop around the reference is not in its subscripts
//   stage      threads of a block share what it names: a thread loop is not in its subscripts, or
//              other references of the array lie at constant distances; in a thread, a loop is not
//   transpose  neighbouring threads name elements that lie a row apart
//   pack       it is only read, in a kernel
#include "rule/find_refs.h"
#include "rule/find.h"
#include "rule/loops.h"
#include "rule/refs.h"

typedef struct Look {
    Finder *f;
    Refs refs;
    Arena *a;
} Look;

static Look look_at(Finder *f) {
    Look l = {.f = f, .a = f->ch->a};
    refs_of(l.a, f->ch->nest->root, &l.refs);
    return l;
}

#define EACH_REF(l, r) for (const Ref *r = (l)->refs.at; r < (l)->refs.at + (l)->refs.n; r++)
#define MISS(l, r, ...)                                                                            \
    do {                                                                                           \
        if (finder_asked((l)->f)) finder_miss((l)->f, ref_text((l)->a, r), __VA_ARGS__);          \
    } while (0)

static bool in_memory(const Array *x) { return x->place == PLACE_USER || x->place == PLACE_TEMP; }

// ---- hoist -------------------------------------------------------------------------------------
// A loop inside loop k whose counter is in the subscripts, without a constant number of iterations.
static const Node *moving_inside(const Ref *r, int k) {
    int64_t trips;
    for (int i = k + 1; i < r->nloops; i++)
        if (r->loop[i]->how != HOW_THREAD && ref_names(r, r->loop[i]) && !loop_constant(r->loop[i], &trips))
            return r->loop[i];
    return NULL;
}

void find_hoist(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r) {
        if (r->array->place == PLACE_LOCAL || r->array->place == PLACE_REGISTER) continue;
        bool serial = false, told = false;
        const Node *moving = NULL;
        for (int k = 0; k < r->nloops && !told; k++) {
            const Node *loop = r->loop[k];
            if (loop->how != HOW_SERIAL) continue;
            serial = true;
            if (ref_names(r, loop)) continue;
            const Node *m = moving_inside(r, k);
            if (m) {
                moving = m;
                continue;
            }
            finder_site(l.f, "hoist %s at=%s", r->array->name, loop->iter->name);
            told = true;
        }
        if (told) continue;
        if (moving)
            MISS(&l, r, "it moves with %s, which has no constant number of iterations; define its bounds",
                 moving->iter->name);
        else if (serial)
            MISS(&l, r,
                 "every serial loop around it is in its subscripts: each iteration names another element");
        else MISS(&l, r, "no serial loop stands around it");
    }
}

// ---- stage -------------------------------------------------------------------------------------
// In a thread: a loop below a serial one reads again what stands there.
static bool stage_in_thread(Look *l, const Ref *r, int first) {
    int64_t trips;
    for (int k = first; k + 1 < r->nloops; k++) {
        if (r->loop[k]->how != HOW_SERIAL) continue;
        bool again = false, fixed = true;
        for (int i = k + 1; i < r->nloops; i++) {
            bool constant = loop_constant(r->loop[i], &trips);
            again = again || (constant && trips > 1 && !ref_names(r, r->loop[i]));
            fixed = fixed && constant;
        }
        if (!again || !fixed) continue;
        finder_site(l->f, "stage %s at=%s in=local", r->array->name, r->loop[k]->iter->name);
        return true;
    }
    return false;
}

// The loop at which the block's threads copy: the innermost around its phases that is in a kernel.
static int place_for_block(const Ref *r, int first) {
    for (int k = first - 1; k >= 0; k--)
        if (r->loop[k]->how == HOW_SERIAL || r->loop[k]->how == HOW_BLOCK) return k;
    return -1;
}

static const char *shared_by(Look *l, const Ref *r, int first) {
    for (int k = first; k < r->nloops; k++)
        if (r->loop[k]->how == HOW_THREAD && !ref_names(r, r->loop[k])) return r->loop[k]->iter->name;
    return l->refs.uses.at[r->use].apart ? "" : NULL;
}

void find_stage(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r) {
        const Use *u = &l.refs.uses.at[r->use];
        if (!r->read || r->array->rank == 0 || r->array->place == PLACE_LOCAL ||
            r->array->place == PLACE_REGISTER)
            continue;
        int first = ref_first_thread(r), at = place_for_block(r, first);
        if (!r->kernel) MISS(&l, r, "it stands in no kernel; map loops to blocks and threads first");
        else if (u->written && in_memory(r->array))
            MISS(&l, r, "the kernel writes %s; hoist keeps what is written", r->array->name);
        else if (first == r->nloops) MISS(&l, r, "no thread loop stands around it; map threads first");
        else if (stage_in_thread(&l, r, first)) continue;
        else if (!in_memory(r->array))
            MISS(&l, r, "no loop with a constant number of iterations reads it again in the thread");
        else if (!shared_by(&l, r, first))
            MISS(&l, r,
                 "each thread names its own element: every thread loop is in its subscripts, and nothing of "
                 "%s lies beside it",
                 r->array->name);
        else if (at < 0) MISS(&l, r, "no block or serial loop stands around its threads");
        else finder_site(l.f, "stage %s at=%s", r->array->name, r->loop[at]->iter->name);
    }
}

// ---- transpose, pack ----------------------------------------------------------------------------
// The loop whose iterations are neighbours: the innermost thread loop, or else the lanes.
static const Node *neighbours(const Ref *r) {
    const Node *x = NULL;
    for (int k = 0; k < r->nloops; k++)
        if (r->loop[k]->how == HOW_THREAD || r->loop[k]->how == HOW_VECTOR) x = r->loop[k];
    return x;
}

// The array's dimensions with number d at the end: "1,0".
static const char *order_with_last(Arena *a, int rank, int d) {
    Text t = text_new(a);
    for (int k = 0; k < rank; k++)
        if (k != d) text_printf(&t, "%d,", k);
    text_printf(&t, "%d", d);
    return text_str(&t);
}

enum { MOST_RANK = 3 };
static bool may_be_copied(Look *l, const Ref *r) {
    const Use *u = &l->refs.uses.at[r->use];
    if (r->array->place != PLACE_USER || r->array->rank == 0) return false;
    if (!r->kernel) MISS(l, r, "it stands in no kernel; map loops to blocks and threads first");
    else if (u->written) MISS(l, r, "the kernel writes %s", r->array->name);
    else if (r->array->rank > MOST_RANK) MISS(l, r, "%s has more than three dimensions", r->array->name);
    else return true;
    return false;
}

void find_transpose(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r) {
        if (r->array->place != PLACE_USER || r->array->rank == 0 || !may_be_copied(&l, r)) continue;
        const Node *x = neighbours(r);
        int d = x ? ref_unit(r, x) : -1;
        if (!x) MISS(&l, r, "no thread loop stands around it; map threads first");
        else if (!ref_names(r, x))
            MISS(&l, r, "neighbouring threads (%s) read the same element", x->iter->name);
        else if (d < 0) MISS(&l, r, "%s is in no subscript alone, with factor 1", x->iter->name);
        else if (d == r->array->rank - 1)
            MISS(&l, r, "neighbouring threads (%s) read neighbouring words already", x->iter->name);
        else
            finder_site(l.f, "transpose %s at=%s order=%s", r->array->name, r->kernel->name,
                        order_with_last(l.a, r->array->rank, d));
    }
}

void find_pack(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r)
        if (r->array->place == PLACE_USER && r->array->rank > 0 && may_be_copied(&l, r))
            finder_site(l.f, "pack %s at=%s", r->array->name, r->kernel->name);
}

// ---- splitk --------------------------------------------------------------------------------------
// The outermost loop around a reference that is neither blocks nor threads; NULL: none.
static const Node *outermost(const Ref *r) {
    for (int k = 0; k < r->nloops; k++)
        if (r->loop[k]->how != HOW_BLOCK && r->loop[k]->how != HOW_THREAD) return r->loop[k];
    return NULL;
}

typedef VEC(const Node *) Loops;
static bool among(const Loops *v, const Node *loop) { return has_pointer(v->n, v->at, loop); }

// A loop of a kernel, around which only block and thread loops stand, and in which registers are
// added to, but nothing is stored.
void find_splitk(Finder *f) {
    Look l = look_at(f);
    Loops storing = {0};
    EACH_REF(&l, r) {
        const Node *loop = r->write && in_memory(r->array) ? outermost(r) : NULL;
        if (loop && !among(&storing, loop)) vec_push(l.a, &storing, loop);
    }
    EACH_REF(&l, r) {
        if (!r->write || r->op == OP_SET) continue;
        const Node *loop = outermost(r);
        if (!r->kernel) MISS(&l, r, "it stands in no kernel; map blocks first");
        else if (in_memory(r->array) && loop && !ref_names(r, loop))
            MISS(&l, r, "%s is added to in memory; hoist it at=%s init=zero first", r->array->name,
                 loop->iter->name);
        else if (in_memory(r->array)) continue;
        else if (!loop || loop->how != HOW_SERIAL || ref_names(r, loop))
            MISS(&l, r, "it is no sum over a loop that stands outermost in its kernel");
        else if (among(&storing, loop))
            MISS(&l, r, "results are stored in %s: it is no sum over all of it", loop->iter->name);
        else finder_site(l.f, "splitk %s by=4", loop->iter->name);
    }
}

// ---- chunk ---------------------------------------------------------------------------------------
// Registers that a serial loop adds to, declared outside of it.
void find_chunk(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r) {
        if (!r->write || r->op == OP_SET) continue;
        if (in_memory(r->array)) {
            MISS(&l, r, "%s is added to in memory; hoist it with init=zero first", r->array->name);
            continue;
        }
        const Node *loop = NULL;
        for (int k = r->home; k < r->nloops && !loop; k++)
            if (r->loop[k]->how == HOW_SERIAL && !ref_names(r, r->loop[k])) loop = r->loop[k];
        if (loop) finder_site(l.f, "chunk %s at=%s every=16", r->array->name, loop->iter->name);
        else MISS(&l, r, "no serial loop stands between it and what declares %s", r->array->name);
    }
}

// ---- reduce --------------------------------------------------------------------------------------
// A serial loop of a kernel in which one element is updated again and again: the outermost inside of blocks
// and threads.
void find_reduce(Finder *f) {
    Look l = look_at(f);
    EACH_REF(&l, r) {
        if (!r->write || r->op == OP_SET) continue;
        const Node *loop = NULL;
        for (int k = r->home; k < r->nloops && !loop; k++)
            if (r->loop[k]->how == HOW_SERIAL && !ref_names(r, r->loop[k])) loop = r->loop[k];
        if (!r->kernel) MISS(&l, r, "it stands in no kernel; map blocks first");
        else if (!loop) MISS(&l, r, "every serial loop around it is in its subscripts");
        else finder_site(l.f, "reduce %s by=32", loop->iter->name);
    }
}

// ---- join ----------------------------------------------------------------------------------------
// Memory that loops outside of kernels name, and copies between it and registers in a kernel.
void find_join(Finder *f) {
    Look l = look_at(f);
    VEC(const Array *) kept = {0}; // copied from or to registers in some kernel
    EACH_REF(&l, r) {
        if (!r->kernel || !in_memory(r->array) || r->node->kind != N_COPY) continue;
        bool known = false;
        for (int k = 0; k < kept.n && !known; k++) known = kept.at[k] == r->array;
        if (!known) vec_push(l.a, &kept, r->array);
    }
    EACH_REF(&l, r) {
        if (r->kernel || !in_memory(r->array) || !r->nloops) continue;
        bool known = false;
        for (int k = 0; k < kept.n && !known; k++) known = kept.at[k] == r->array;
        if (known) finder_site(l.f, "join %s", r->array->name);
        else MISS(&l, r, "no kernel keeps %s in registers; map its loops and hoist it", r->array->name);
    }
}
