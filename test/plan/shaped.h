// SPDX-License-Identifier: MIT
// shaped.h -- whether a shaped nest does what its region does: judged, and run at sizes around tiles
#ifndef SCULPT_TEST_SHAPED_H
#define SCULPT_TEST_SHAPED_H
#include "../rule/follow.h"
#include "../sample.h"
#include "plan/contract.h"

// Values for the parameters by name; rows lie q apart, a batch has u.
static inline void set_sizes(const Region *r, const int64_t size[3], InterpVal *vals) {
    for (int i = 0; i < r->nparams; i++) {
        char first = r->params[i]->name[0];
        vals[i] = (InterpVal){.sym = r->params[i],
                              .i = first == 'n' ? size[0] : first == 'm' ? size[1] : first == 'p' ? size[2]
            : first == 'u' ? 2 : 272, .f = 2};
    }
}

// The nest where the judge allows it, whatever the sizes at which it pays: 1 right, 0 wrong, -1 not for them.
static inline int is_right(const Nest *nest, const Verdict *v, const int64_t size[3]) {
    Nest n = *nest;
    InterpVal vals[8];
    n.when = v->answer == ANSWER_ALWAYS ? NULL : v->when;
    set_sizes(n.region, size, vals);
    return same_values(&n, n.region->nparams, vals, 7);
}

// How busy the machine is does not matter here: operations alone bound the judge.
enum { PATIENCE = 20 };
// may_give_up: the judge may use up its budget; such a nest never runs, but what it computes is looked at.
static inline void check_shape(Compile *c, const char *name, const Nest *n, int which, bool may_give_up) {
    static const int64_t sizes[][3] = {{256, 128, 48}, {70, 33, 37}, {64, 64, 32}, {261, 130, 35},
                                       {65, 36, 9}};
    c->patience = PATIENCE;
    Verdict v = dep_judge(c, n->region, n->root);
    if (v.answer == ANSWER_UNKNOWN && may_give_up) v.answer = ANSWER_ALWAYS;
    if (v.answer == ANSWER_NEVER || v.answer == ANSWER_UNKNOWN)
        fail_msg("%s %d: %s\n%s", name, which, v.why ? v.why : "not decided", n->recipe);
    int compared = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int right = is_right(n, &v, sizes[k]);
        if (right == 0) fail_msg("%s %d: wrong at %d x %d x %d\n%s", name, which, (int)sizes[k][0],
                                 (int)sizes[k][1], (int)sizes[k][2], n->recipe);
        compared += right > 0;
    }
    if (!compared) fail_msg("%s %d: for no size, when %s\n%s", name, which,
                            v.when ? ir_print_expr(c->arena, v.when) : "1", n->recipe);
}
static inline void check_nest(Compile *c, const char *name, const Nest *n, int which) {
    check_shape(c, name, n, which, false);
}
#endif
