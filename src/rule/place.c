// SPDX-License-Identifier: MIT
// place.c -- where the program's arrays live while a nest has to do with them.
//
//   pageable   as malloc gave them: copies go through a ring of page-locked pieces
//   pinned     page-locked before a call and released behind it: copies go at the link's speed, but
//              locking costs, about as long as a copy through the ring. It pays where one call
//              moves an array more than once, or where copies shall go on beside kernels (overlap).
//   managed    the copy on the device is memory that the host reaches too: pages move when they are
//              touched. It pays where kernels touch little of what they may.
//
// Nothing that a nest means depends on it. Arrays from sculpt_malloc are pinned anyway.
#include "rule/examples.h"
#include "rule/find.h"
#include "rule/loops.h"
#include <string.h>

static Nest *apply(Change *ch) {
    const Step *s = ch->step;
    const Nest *old = ch->nest;
    const char *word = change_word(ch, "in");
    HostPlace place = str_eq(word, "pinned")    ? HOST_LOCKED
                      : str_eq(word, "managed") ? HOST_UNIFIED
                                                : HOST_AS_IS;
    Foot *feet = NEW_N(ch->a, Foot, old->nfeet + 1);
    if (old->nfeet) memcpy(feet, old->feet, sizeof *feet * (size_t)old->nfeet);
    bool changed = false;
    for (int w = 0; w < s->nwords; w++) {
        bool all = str_eq(s->words[w], "all"), met = all;
        for (int i = 0; i < old->nfeet; i++) {
            if (!feet[i].array->rank || (!all && !str_eq(feet[i].array->name, s->words[w]))) continue;
            met = true;
            changed = changed || feet[i].place != place;
            feet[i].place = place;
        }
        if (!met) return change_refuse(ch, "%s is no array of the program", s->words[w]);
    }
    if (!changed) return change_refuse(ch, "they are there already");
    Nest *n = change_done(ch, old->root);
    n->feet = feet;
    return n;
}

static void find_place(Finder *f) {
    for (int i = 0; i < f->ch->nest->nfeet; i++) {
        const Foot *foot = &f->ch->nest->feet[i];
        if (foot->array->rank && foot->place == HOST_AS_IS)
            finder_site(f, "place %s in=pinned", foot->array->name);
    }
}

static const Knob knobs[] = {
    {"in", "the kind of memory", KNOB_WORD, 0, 0, "pageable|pinned|managed", NULL},
};

static const RuleExample examples[] = {
    {EXAMPLE_SUM, "", "place b in=pinned", NULL},
    {EXAMPLE_SUM, EXAMPLE_SUM_BLOCKS, "place all in=managed", NULL},
    {EXAMPLE_SUM, "place all in=pinned\n", "place b in=pageable", NULL},
    {EXAMPLE_SUM, "", "place q in=pinned", "q is no array of the program"},
    {EXAMPLE_SUM, "", "place b in=pageable", "they are there already"},
    {EXAMPLE_SUM, "", "place b", "in= is missing"},
    {NULL, NULL, NULL, NULL},
};

const Rule place_rule = {
    .name = "place",
    .usage = "place ARRAY… in=pageable|pinned|managed",
    .summary = "Says in which kind of memory the program's arrays are while a nest runs.",
    .picture = "foot b[0 to n - 1] in      →      foot b[0 to n - 1] in pinned\n",
    RULE_KNOBS(knobs),
    .apply = apply,
    .find = find_place,
    .examples = examples,
};
