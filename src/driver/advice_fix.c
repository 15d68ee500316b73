// SPDX-License-Identifier: MIT
// advice_fix.c -- `sculpt explain --fix`: the recipe that the findings suggest.
//
// It begins with the recipe that was given, or with one that maps the region's parallel loops to
// blocks and threads (each of them as x in turn), and tries what the findings name as cures: a step
// is kept where the catalogue takes it and the model's time falls. At the end the judge has the last
// word. Each line carries the predicted time behind it, so that one sees what helped.
#include "driver/explain_model.h"
#include "plan/recipe.h"
#include <string.h>

enum { ROUNDS = 8, MOST_LOOPS = 8 };
static const double GAIN = 0.98; // a step must save 2 %

typedef struct Fix {
    Compile *c;
    const Advice *d;
    const Region *r;
    const DepInfo *dep;
    const Nest *start;
    const char *text;         // the recipe so far
    double seconds;           // its predicted time; 0: none yet
    Advised *now;
} Fix;

// What a recipe costs at the sizes asked for; NULL: it does not fit.
static Advised *try(Fix *f, const char *text, Judging judging) {
    Compile *c = f->c;
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = judging, .file = "--fix"};
    Nest *n = recipe_apply(c, f->start, text, &o);
    Advised *v = n ? advice_nest(c, f->d, n) : NULL;
    c->diags.n = diags;
    c->errors = errors;
    if (!v || !v->nest || !v->cost->nkernels) return NULL;
    for (int k = 0; k < v->cost->nkernels; k++)
        if (v->cost->kernels[k]->refused) return NULL;
    return v;
}

static bool keep(Fix *f, const char *text) {
    Advised *v = try(f, text, JUDGE_NONE);
    if (!v || (f->seconds > 0 && v->cost->seconds > GAIN * f->seconds)) return false;
    f->text = text;
    f->seconds = v->cost->seconds;
    f->now = v;
    return true;
}

// ---- where to begin ----------------------------------------------------------------------------------
typedef struct Band {
    int n, nfree;
    const Node *loop[MOST_LOOPS];
    bool is_free[MOST_LOOPS];
} Band;

static Band band_of(const Fix *f) {
    Band b = {0};
    for (const Node *n = f->r->root; n && b.n < MOST_LOOPS;) {
        while (n->kind == N_SEQ && n->nkids == 1 && !n->nlocals) n = n->kids[0];
        if (n->kind != N_FOR) break;
        const LoopFact *l = dep_loop(f->dep, n);
        b.is_free[b.n] = l && (l->parallel == ANSWER_ALWAYS || l->parallel == ANSWER_WHEN || (n->mark && n->mark->assert == ASSERT_PARALLEL));
        b.nfree += b.is_free[b.n];
        b.loop[b.n++] = n;
        n = n->body;
    }
    return b;
}

// Loop x becomes the innermost of the threads, y (-1: none) the other; the others follow.
static const char *mapped(Arena *a, const Band *b, int x, int y, int width, int height) {
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

// ---- what to try ------------------------------------------------------------------------------------
// The line that stages into an array, with the padding that a finding asks for.
static const char *padded(Arena *a, const char *text, const Finding *x) {
    const char *name = strstr(x->cure, "stages into "), *at = text;
    int pad = 0, len;
    if (!name || sscanf(x->cure, "pad=%d", &pad) != 1) return NULL;
    name += strlen("stages into ");
    len = (int)strcspn(name, ":");
    const char *wanted = arena_printf(a, "as=%.*s", len, name);
    while ((at = strstr(at, wanted))) {
        const char *end = at + strlen(wanted), *line = end + strcspn(end, "\n");
        if (strchr(" \n", *end) && !memmem(at, (size_t)(line - at), "pad=", 4))
            return arena_printf(a, "%.*s pad=%d%s", (int)(line - text), text, pad, line);
        at = end;
    }
    return NULL;
}

static void hoists(Fix *f, bool *better) {
    Band b = band_of(f);
    for (int i = 0; i < f->r->nstmts; i++) {
        const Stmt *s = f->r->stmts[i];
        for (int k = 0; k < b.n; k++)
            if (!b.is_free[k] && s->op != OP_SET)
                *better |= keep(f, arena_printf(f->c->arena, "%shoist %s at=%s\n", f->text, s->lhs->name, b.loop[k]->iter->name));
    }
}

static bool improve(Fix *f) {
    Arena *a = f->c->arena;
    bool better = false;
    Findings all = f->now->findings;
    for (int i = 0; i < all.n; i++) {
        const Finding *x = &all.at[i];
        if (!x->step) continue;
        const char *text = x->kind == FIND_BANKS ? padded(a, f->text, x) : arena_printf(a, "%s%s\n", f->text, x->cure);
        if (text && keep(f, text)) return true;
    }
    hoists(f, &better);
    return better;
}

// One beginning with all that helps it; the best so far stays.
static void attempt(Fix *f, const char *text, bool *some) {
    Fix g = *f;
    g.seconds = 0;
    g.now = NULL;
    if (!keep(&g, text)) return;
    for (int k = 0; k < ROUNDS && improve(&g); k++);
    if (*some && g.seconds >= f->seconds) return;
    *f = g;
    *some = true;
}

static bool begin(Fix *f) {
    Band b = band_of(f);
    bool some = false;
    for (int x = 0; x < b.n; x++) {
        if (!b.is_free[x]) continue;
        attempt(f, mapped(f->c->arena, &b, x, -1, 256, 1), &some);
        for (int y = 0; y < b.n; y++)
            if (y != x && b.is_free[y]) attempt(f, mapped(f->c->arena, &b, x, y, 32, 8), &some);
    }
    return some;
}

// The judge's word on all of it: lines are taken back from the end until it agrees.
static bool settle(Fix *f) {
    Advised *v;
    while (!(v = try(f, f->text, JUDGE_LAST))) {
        size_t n = strlen(f->text);
        while (n > 1 && f->text[n - 2] != '\n') n--;
        if (n <= 1) return false;
        f->text = arena_strndup(f->c->arena, f->text, n - 1);
    }
    f->now = v;
    f->seconds = v->cost->seconds;
    return true;
}

// ---- telling ------------------------------------------------------------------------------------------
typedef struct Told {
    Fix *f;
    Text out;
    double last;
} Told;

static void after(const RecipeStep *s, void *arg) {
    Told *t = arg;
    if (!s->number) return;
    Advised *v = advice_nest(t->f->c, t->f->d, recipe_finish(t->f->c, s->nest));
    double now = v && v->nest && v->cost->nkernels ? v->cost->seconds : 0;
    text_printf(&t->out, "%s", s->text);
    if (now > 0 && now != t->last) text_printf(&t->out, "   # %.4g ms on %s", 1e3 * now, t->f->d->m->name);
    text_put(&t->out, "\n");
    if (now > 0) t->last = now;
}

static void put(Fix *f, const Advised *before, const char *file) {
    Arena *a = f->c->arena;
    Told t = {.f = f, .out = text_new(a)};
    double old = before && before->cost ? before->cost->seconds : 0;
    text_printf(&t.out, "# What the findings suggest for %s:%d at %s.\n", f->r->loc.file, f->r->loc.line, f->now->sizes);
    text_printf(&t.out, "# Predicted on %s: %.4g ms%s.\n", f->d->m->name, 1e3 * f->seconds,
                old > 0 ? arena_printf(a, "; without it %.4g ms (%.2f times that)", 1e3 * old, old / f->seconds) : "");
    if (old > 0 && old < f->seconds) text_put(&t.out, "# It does not help: what runs without it knows more than these steps (tiles, pipelines, registers).\n");
    text_put(&t.out, "target gpu\n");
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "--fix", .after = after, .arg = &t};
    int diags = f->c->diags.n, errors = f->c->errors;
    recipe_apply(f->c, f->start, f->text, &o);
    f->c->diags.n = diags, f->c->errors = errors;
    for (int i = 0; i < f->now->findings.n; i++)
        text_printf(&t.out, "# left: %s: %s (%.0f %% of the time)\n", finding_name(f->now->findings.at[i].kind), f->now->findings.at[i].text,
                    100 * f->now->findings.at[i].share);
    if (!*file) fputs(text_str(&t.out), stdout);
    else if (!file_write(file, text_str(&t.out), t.out.n)) diag(f->c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot write '%s'", file);
}

bool advice_fix(Compile *c, const Advice *d, const Part *p, const char *recipe, const char *file) {
    Fix f = {.c = c, .d = d, .r = p->front->region, .dep = p->dep};
    f.start = plan_start(c, f.r, p->dep, "gpu");
    if (!f.start) return false;
    const char *given = recipe ? file_read(c->arena, recipe, NULL) : NULL;
    Advised *before = advice_of(c, d, p);
    bool some = false;
    if (given) attempt(&f, given, &some);
    else some = begin(&f);
    if (!some || !settle(&f)) {
        diag(c, DIAG_REMARK, SC_RECIPE, f.r->loc, "no recipe is suggested: %s",
             some ? "the judge refuses what the model likes" : "no loop of its outermost band can be mapped, or not at these sizes");
        return false;
    }
    put(&f, before && before->nest ? before : NULL, file);
    return true;
}
