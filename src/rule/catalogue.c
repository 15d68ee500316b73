// SPDX-License-Identifier: MIT
// catalogue.c -- the table of rules, and one step of a recipe applied to a nest.
#include "rule/catalogue.h"
#include <stdlib.h>
#include <string.h>

#define RULE(name) extern const Rule name##_rule;
#include "rule/rules.def"
#undef RULE

const Rule *const rule_catalogue[] = {
#define RULE(name) &name##_rule,
#include "rule/rules.def"
#undef RULE
    NULL};

const Rule *rule_named(const char *name) {
    for (const Rule *const *r = rule_catalogue; *r; r++)
        if (str_eq((*r)->name, name)) return *r;
    return NULL;
}

const char *rule_meant(Arena *a, const char *name) {
    enum { MOST = 256 };
    const char *names[MOST + 1] = {NULL};
    for (int i = 0; i < MOST && rule_catalogue[i]; i++) names[i] = rule_catalogue[i]->name;
    return word_meant(a, name, names);
}

// ---- knobs -----------------------------------------------------------------------------------
static const Knob *find_knob(const Rule *r, const char *name) {
    for (int i = 0; i < r->nknobs; i++)
        if (str_eq(r->knobs[i].name, name)) return &r->knobs[i];
    return NULL;
}

static const char *knob_names(Arena *a, const Rule *r) {
    Text t = text_new(a);
    for (int i = 0; i < r->nknobs; i++) text_printf(&t, "%s%s", i ? ", " : "", r->knobs[i].name);
    return text_str(&t);
}

// Is `word` one of the words separated by `|`?
static bool is_among(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *s = words; *s; s += strcspn(s, "|"), s += *s == '|')
        if (strcspn(s, "|") == n && strncmp(s, word, n) == 0) return true;
    return false;
}

static bool check_int(Change *ch, const Knob *k, const char *text) {
    int64_t v;
    if (!step_int(text, &v))
        return change_refuse(ch, "%s=%s is no number; it takes %lld to %lld (%s)", k->name, text,
                             (long long)k->min, (long long)k->max, k->meaning);
    if (v >= k->min && v <= k->max) return true;
    change_refuse(ch, "%s=%s is out of range; it takes %lld to %lld (%s)", k->name, text,
                  (long long)k->min, (long long)k->max, k->meaning);
    return false;
}

static bool check_value(Change *ch, const Knob *k, const char *text) {
    if (!*text) return change_refuse(ch, "%s= has no value (%s)", k->name, k->meaning);
    switch (k->kind) {
    case KNOB_INT: return check_int(ch, k, text);
    case KNOB_INTS: {
        int most = (int)strlen(text) + 1;
        const char **part = NEW_N(ch->a, const char *, most);
        int n = step_list(ch->a, text, part, most);
        for (int i = 0; i < n; i++)
            if (!check_int(ch, k, part[i])) return false;
        return true;
    }
    case KNOB_WORD:
        if (is_among(k->words, text)) return true;
        return change_refuse(ch, "%s=%s is not known; it takes %s (%s)", k->name, text, k->words, k->meaning);
    default: return true;
    }
}

// How many words stand before the knobs, by the forms of its usage: "X [Y]", "LOOP…".
static bool check_words(Change *ch) {
    int n = ch->step->nwords, least = 0, most = 0;
    bool fits = false;
    for (const char *at = strchr(ch->rule->usage, ' '); !fits; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        bool ends = !*at || !strncmp(at, "or ", 3);
        if (ends && (fits = least <= n && n <= most, !*at)) break;
        if (ends) least = most = -1; // its name follows
        else if (!memchr(at, '=', length) && strncmp(at, "| ", 2)) {
            least += *at != '[' && strncmp(at, "…", strlen("…"));
            most = memmem(at, length, "…", strlen("…")) ? STEP_MAX : most + 1;
        }
    }
    return fits || change_refuse(ch, "usage: %s", ch->rule->usage);
}

// Each knob written is one of the rule's and has a value it takes, once; none is missing.
static bool check_knobs(Change *ch) {
    const Rule *r = ch->rule;
    const Step *s = ch->step;
    for (int i = 0; i < s->nknobs; i++) {
        const Knob *k = find_knob(r, s->knobs[i].name);
        if (!k && !r->nknobs) return change_refuse(ch, "%s= is no knob of it; it has none", s->knobs[i].name);
        if (!k)
            return change_refuse(ch, "%s= is no knob of it; it has %s", s->knobs[i].name,
                                 knob_names(ch->a, r));
        for (int j = 0; j < i; j++)
            if (str_eq(s->knobs[j].name, k->name)) return change_refuse(ch, "%s= is there twice", k->name);
        if (!check_value(ch, k, s->knobs[i].value)) return false;
    }
    for (int i = 0; i < r->nknobs; i++)
        if (!change_text(ch, r->knobs[i].name) && !r->knobs[i].standard)
            return change_refuse(ch, "%s= is missing (%s); usage: %s", r->knobs[i].name, r->knobs[i].meaning,
                                 r->usage);
    return true;
}

const char *change_text(const Change *ch, const char *knob) {
    for (int i = 0; i < ch->step->nknobs; i++)
        if (str_eq(ch->step->knobs[i].name, knob)) return ch->step->knobs[i].value;
    const Knob *k = find_knob(ch->rule, knob);
    return k && k->standard && *k->standard ? k->standard : NULL;
}

int64_t change_int(const Change *ch, const char *knob) {
    const char *text = change_text(ch, knob);
    int64_t v = 0;
    if (text) step_int(text, &v);
    return v;
}

const char *change_word(const Change *ch, const char *knob) { return change_text(ch, knob); }

int change_names(Change *ch, const char *knob, const char **out, int max) {
    const char *text = change_text(ch, knob);
    return text ? step_list(ch->a, text, out, max) : 0;
}

int change_ints(Change *ch, const char *knob, int64_t *out, int max) {
    const char **part = NEW_N(ch->a, const char *, max);
    int n = change_names(ch, knob, part, max);
    for (int i = 0; i < n; i++)
        if (!step_int(part[i], &out[i])) out[i] = 0;
    return n;
}

// ---- applying ----------------------------------------------------------------------------------
Nest *change_refuse(Change *ch, const char *fmt, ...) {
    if (ch->why) return NULL;
    Text t = text_new(ch->a);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    ch->why = text_str(&t);
    return NULL;
}

Nest *change_done(Change *ch, Node *root) {
    Nest *n = NEW_AS(ch->a, Nest, *ch->nest);
    if (root != n->root) n->parts = NULL;
    n->root = change_distinct(ch, root);
    n->fresh = ch->names.next;
    n->recipe = arena_printf(ch->a, "%s%s\n", n->recipe ? n->recipe : "", step_print(ch->a, ch->step));
    return n;
}

Nest *rule_try(Compile *c, const Nest *n, const Step *step, const char **why) {
    Change ch = {.c = c, .a = c->arena, .nest = n, .step = step, .rule = rule_named(step->rule),
                 .names = {c->arena, n->region, n->fresh, n->root}};
    Nest *after = NULL;
    if (!ch.rule)
        change_refuse(&ch, "there is no rule of that name%s; 'sculpt rules' lists them",
                      rule_meant(c->arena, step->rule));
    else if (check_knobs(&ch) && check_words(&ch)) after = ch.rule->apply(&ch);
    if (after && loops_leave(n->root) && !loops_leave(after->root))
        after = change_refuse(&ch, "a loop that ends when the data say so would not end");
    *why = after ? NULL : ch.why ? ch.why : "it does not fit here";
    return after;
}

Nest *rule_apply(Compile *c, const Nest *n, const Step *step) {
    const char *why;
    Nest *after = rule_try(c, n, step, &why);
    if (!after) diag(c, DIAG_ERROR, SC_RULE_SHAPE, step->loc, "%s: %s", step->rule, why);
    return after;
}
