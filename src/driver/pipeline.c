// SPDX-License-Identifier: MIT
// pipeline.c -- the whole compiler on one screen.
//
//   C text → FrontUnit → a region → DepInfo → a nest for each kind of machine → text
#include "driver/driver.h"
#include "ir/verify.h"
#include "ir/watch.h"
#include <string.h>

static const double SOON_SECONDS = 1; // for the proof of one of several nests
static const double FILE_SECONDS = 12; // for the analyses of a file; some loops may take all of it

char *pipeline_text(Arena *a, const Region *r, int n, Nest *const *nests) {
    Text t = text_new(a);
    text_printf(&t, "sculpt %d\n%s", IR_VERSION, ir_print_region(a, r));
    for (int i = 0; i < n; i++) text_put(&t, ir_print_nest(a, nests[i]));
    return (char *)text_str(&t);
}

// A nest that the judge has looked at, in the time that is worth it where there may be another; NULL: none.
static Nest *soon_proved(Compile *c, const Part *p, PlanOptions how) {
    double limit = c->limit, soon = time_used() + SOON_SECONDS;
    PlanOptions *o = NEW_AS(c->arena, PlanOptions, how);
    int diags = c->diags.n;
    Nest *n = plan_default(c, p->front->region, p->dep, o);
    if (limit <= 0 || soon < limit) c->limit = soon;
    c->soon = true;
    bool proved = n && plan_judge(c, n);
    c->limit = limit, c->soon = false;
    if (proved) return n;
    diag_forget(c, diags);
    return NULL;
}

// A plain nest; where nothing is parallel as it stands, the standard one. That one has choices for each of
// its pieces, which may be more than can be proved.
static Nest *carried(Compile *c, const Part *p, const char *target) {
    PlanOptions o = {target, .asserted = true, .plain = true}, standard = {target, .asserted = true};
    Nest *n = soon_proved(c, p, o);
    if (!n) n = soon_proved(c, p, standard);
    standard.one_each = true;
    if (!n) n = soon_proved(c, p, standard);
    if (n) return n;
    standard.one_each = false;
    n = plan_default(c, p->front->region, p->dep, NEW_AS(c->arena, PlanOptions, standard));
    return n && plan_judge(c, n) ? n : NULL;
}

static Nest *plan(Compile *c, const Part *p, const char *target) {
    PlanOptions *o = NEW_AS(c->arena, PlanOptions, (PlanOptions){target, .asserted = true});
    return plan_default(c, p->front->region, p->dep, o);
}

// A broken region must not go on: better to lose a kernel than an answer.
static bool is_sound(Compile *c, const Region *r) {
    Loc where;
    if (!verify_region(c->arena, r, &where)) return true;
    diag(c, DIAG_REMARK, SC_BUG, r->loc,
         "these loops stay on the host: sculpt misread them and noticed it; please report them");
    return false;
}

// ---- the regions that were asked for --------------------------------------------------------
typedef struct Span {
    size_t begin, end; // bytes of the file
} Span;

static Span line_span(const FrontUnit *u, int line) {
    Span s = {0, 0};
    for (line = flat_line(u->flat, line); line > 1 && s.begin < u->size; line--) {
        const char *past = memchr(u->text + s.begin, '\n', u->size - s.begin);
        s.begin = past ? (size_t)(past - u->text) + 1 : u->size;
    }
    const char *past = memchr(u->text + s.begin, '\n', u->size - s.begin);
    s.end = past ? (size_t)(past - u->text) + 1 : u->size;
    return s;
}

// What a line names: the regions that it is a line of, or the function around it; 0: the whole file.
static Span named_span(const FrontUnit *u, int line) {
    if (!line) return (Span){0, u->size};
    Span at = line_span(u, line), all = {u->size, 0};
    for (int i = 0; i < u->nregions; i++) {
        const FrontRegion *r = &u->regions[i];
        if (r->pragma_begin >= at.end || r->end <= at.begin) continue;
        if (r->pragma_begin < all.begin) all.begin = r->pragma_begin;
        if (r->end > all.end) all.end = r->end;
    }
    if (all.begin < all.end) return all;
    at.begin += strspn(u->text + at.begin, " \t");
    return scan_around(u->text, u->size, at.begin, &all.begin, &all.end) ? all : (Span){0, 0};
}

static bool is_in(const FrontRegion *r, Span s) { return r->pragma_begin >= s.begin && r->end <= s.end; }

// A line asks for what it names alone: remarks about other regions are left out, and all where it names none.
static void forget_elsewhere(Compile *c, int from, const FrontUnit *u, Span named) {
    bool some = false;
    int n = from;
    for (int i = 0; i < u->nregions; i++) some |= is_in(&u->regions[i], named);
    for (int i = from; i < c->diags.n; i++) {
        const Diag *d = &c->diags.at[i];
        Span at = str_eq(d->loc.file, u->file) ? line_span(u, d->loc.line) : (Span){0, 0};
        bool other = !some;
        for (int k = 0; k < u->nregions; k++) {
            const FrontRegion *r = &u->regions[k];
            other |= !is_in(r, named) && r->pragma_begin < at.end && at.begin < r->end;
        }
        if (!other || d->level == DIAG_ERROR || d->code == SC_BUG) c->diags.at[n++] = *d;
    }
    c->diags.n = n;
}

// #pragma STDC FP_CONTRACT OFF anywhere in the text holds for all of it.
static bool contracts(Compile *c, const char *file, const Flags *f) {
    const char *text = file_read(c->arena, file, NULL), *at = text ? strstr(text, "FP_CONTRACT") : NULL;
    const char *word = at ? at + strlen("FP_CONTRACT") + strspn(at + strlen("FP_CONTRACT"), " \t") : "";
    return !f->no_contract && !str_has_prefix(word, "OFF");
}

FrontUnit *pipeline_front(Compile *c, const char *word, const Flags *f) {
    int line, n = 0;
    const char *file = word_place(c->arena, word, &line);
    flags_grant(f, c);
    c->fp_contract = contracts(c, file, f);
    if (!c->predefined) c->predefined = host_macros(c->arena, f);
    int before = c->diags.n;
    FrontUnit *u = front_read(c, file, f->front.n, f->front.at, f->auto_mark);
    if (!u || !line) return u;
    Span named = named_span(u, line);
    forget_elsewhere(c, before, u, named);
    for (int i = 0; i < u->nregions; i++)
        if (is_in(&u->regions[i], named)) u->regions[n++] = u->regions[i];
    u->nregions = n;
    if (n) return u;
    diag(c, DIAG_ERROR, SC_NO_REGION, (Loc){file, line, 1},
         "there is no marked loop at this line, and none in a function around it");
    return NULL;
}

// ---- recipes ------------------------------------------------------------------------------
const FrontRegion *pipeline_choose(Compile *c, const FrontUnit *u, int line) {
    const FrontRegion *found = NULL;
    Span named = named_span(u, line);
    int n = 0;
    for (int i = 0; i < u->nregions; i++)
        if (u->regions[i].region && is_in(&u->regions[i], named)) found = &u->regions[i], n++;
    Loc loc = {u->file, line ? line : 1, 1};
    if (!n)
        diag(c, DIAG_ERROR, SC_NO_REGION, loc, "there is no region%s for a recipe",
             line ? " at this line" : "");
    if (n > 1)
        diag(c, DIAG_ERROR, SC_USAGE, loc,
             "there are %d regions%s; say which one the recipe is for, by a line of it (FILE:LINE)", n,
             line ? " at this line" : "");
    return n == 1 ? found : NULL;
}

static Nest *follow(Compile *c, const Part *p, const char *target, const char *text, const char *file,
                    Judging judging) {
    Nest *start = plan_start(c, p->front->region, p->dep, target);
    RecipeOptions o = {.judging = judging, .file = file};
    return start ? recipe_apply(c, start, text, &o) : NULL;
}

Nest *pipeline_follow(Compile *c, const Region *r, const DepInfo *d, const char *target, const Flags *f) {
    const char *text = file_read(c->arena, f->recipe, NULL);
    Part p = {.front = &(FrontRegion){.region = (Region *)r}, .dep = d};
    if (text) return follow(c, &p, target, text, f->recipe, f->judging);
    diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot read the recipe '%s'", f->recipe);
    return NULL;
}

// The recipe's nest, for both kinds of machine unless it names one. What was judged for one is
// not judged again for the other.
static bool follow_recipe(Compile *c, Part *p, const Flags *f) {
    const char *text = file_read(c->arena, f->recipe, NULL);
    if (!text) {
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot read the recipe '%s'", f->recipe);
        return false;
    }
    const char *only = recipe_target(c->arena, text);
    p->gpu =
        only && str_eq(only, "cpu") ? plan(c, p, "gpu") : follow(c, p, "gpu", text, f->recipe, f->judging);
    if (!p->gpu && !(only && str_eq(only, "cpu"))) return false;
    if (only && str_eq(only, "gpu")) return p->cpu = plan(c, p, "cpu"), true;
    if (only) return (p->cpu = follow(c, p, "cpu", text, f->recipe, f->judging)) != NULL;
    p->cpu = follow(c, p, "cpu", text, f->recipe, JUDGE_NONE);
    if (!p->cpu) return false;
    char *x = ir_print_node(c->arena, p->gpu->root, 0), *y = ir_print_node(c->arena, p->cpu->root, 0);
    if (!str_eq(x, y)) return (p->cpu = follow(c, p, "cpu", text, f->recipe, f->judging)) != NULL;
    p->cpu->when = p->gpu->when;
    p->cpu->proof = p->gpu->proof;
    p->cpu->reason = p->gpu->reason;
    return true;
}

enum { AUTO_THRIFT = 8 }; // a loop without a mark is analysed with that part of a marked one's budget

// Functions that call functions can make hundreds of statements of a loop that nobody marked.
static bool is_large(Compile *c, const FrontRegion *front) {
    enum { AUTO_STATEMENTS = 300 };
    int n = front->region->nstmts;
    if (front->marked != MARK_AUTO || n <= AUTO_STATEMENTS) return false;
    diag(c, DIAG_REMARK, SC_TOO_HARD, front->loc,
         "stays on the host: with what it calls the loop has %d statements, "
         "and without a mark one of more than %d is not looked at",
         n, AUTO_STATEMENTS);
    return true;
}

// False: the recipe does not fit.
static bool make_nests(Compile *c, Part *p, const Flags *f, const FrontRegion *chosen) {
    const Region *r = p->front->region;
    if (!r || is_large(c, p->front) || !is_sound(c, r)) return true;
    c->thrift = r->marked == MARK_AUTO && p->front != chosen ? AUTO_THRIFT : 1;
    p->dep = dep_analyze(c, r);
    if (p->front == chosen) return p->followed = true, follow_recipe(c, p, f);
    if (f->carried) return p->gpu = carried(c, p, "gpu"), p->cpu = carried(c, p, "cpu"), true;
    PlanNests all;
    plan_nests(c, r, p->dep, f->no_shapes ? 0 : f->one_shape ? 1 : PLAN_VARIANTS - 1, &all);
    p->gpu = all.gpu;
    p->cpu = all.cpu;
    p->nshaped = all.nshaped;
    for (int i = 0; i < all.nshaped; i++) p->shaped[i] = all.shaped[i];
    return true;
}

// What stands for loops of which nothing is known: a region without arrays.
char *pipeline_blank(Compile *c, Loc loc, MarkKind marked) {
    Region *r = NEW_AS(c->arena, Region, (Region){.name = "host", .loc = loc, .marked = marked,
                                                  .root = node_seq(c->arena, 0, NULL)});
    return pipeline_text(c->arena, r, 0, NULL);
}

bool part_is_idle(const Part *p) { return p->dep && p->dep->idle; }

// scoped: data scopes in this file may count on libsculpt hearing of every region.
static void compile_part(Compile *c, const FrontUnit *u, Part *p, const Flags *f, bool scoped) {
    const FrontRegion *front = p->front;
    Nest *nests[PLAN_VARIANTS + 2];
    int n = 0;
    while (n < p->nshaped) nests[n] = p->shaped[n], n++;
    if (p->gpu) nests[n++] = p->gpu;
    if (p->cpu) nests[n++] = p->cpu;
    if (n == 0 && (part_is_idle(p) || (front->marked == MARK_AUTO && !scoped))) return;
    p->shared = rewrite_shares(front, f);
    p->deferred = f->openmp && front->deferred;
    p->host_why = rewrite_refuses(c->arena, u, front, f);
    if (p->host_why) {
        if (n) diag(c, DIAG_REMARK, SC_SPLICE, front->loc, "the loops stay on the host: %s",
                    p->host_why);
        return;
    }
    p->taken = n > 0;
    p->text = p->dep ? pipeline_text(c->arena, front->region, n, nests)
                     : pipeline_blank(c, front->loc, front->marked);
    if (f->carried && n && !p->followed) p->text = arena_printf(c->arena, "%smore%s\n", p->text,
            c->unordered ? " unordered" : "");
}

// Does an insert rest on a region that libsculpt won't hear of? Its loops would then run on
// the host while a device has the data.
static bool rests_on_silent(const Unit *u, const FrontInsert *in) {
    if (u->noutside) return true;
    for (int i = 0; i < u->nparts; i++) {
        const FrontRegion *r = u->parts[i].front;
        bool meets = r->begin < in->end && in->begin < r->end;
        if (meets && !u->parts[i].text && !part_is_idle(&u->parts[i])) return true;
    }
    return false;
}

static void drop_inserts(const Unit *u, FrontUnit *front) {
    int n = 0;
    for (int i = 0; i < front->ninserts; i++)
        if (!rests_on_silent(u, &front->inserts[i])) front->inserts[n++] = front->inserts[i];
    front->ninserts = n;
}

// Loops inside of one whose mark is not kept have no mark of their own: why that one stays has been said, and
// what they would need themselves is no cure of it.
static void forget_inside(Compile *c, const Part *p, int from) {
    int n = from;
    if (!p->front->inside || p->gpu || p->cpu) return;
    for (int i = from; i < c->diags.n; i++)
        if (c->diags.at[i].level != DIAG_REMARK || c->diags.at[i].code == SC_BUG)
            c->diags.at[n++] = c->diags.at[i];
    c->diags.n = n;
}

// Why loops stay where the device is a processor, while a GPU takes them, or the other way round.
static void tell_where(Compile *c, const Part *p, int from) {
    static const char WHOLE[] = "stays on the host: ";
    if (!p->gpu == !p->cpu) return;
    for (int i = from; i < c->diags.n; i++) {
        Diag *d = &c->diags.at[i];
        if (!str_has_prefix(d->text, WHOLE)) continue;
        d->text = arena_printf(c->arena, "runs on a %s, and stays on the host where the device is a %s: %s",
                               p->gpu ? "GPU" : "processor", p->gpu ? "processor" : "GPU",
                               d->text + sizeof WHOLE - 1);
    }
}

// *again: there are host loops of marked loops that get no nests. These are regions of their own from now on.
static Unit *read_once(Compile *c, const char *word, const Flags *f, bool *again) {
    FrontUnit *front = pipeline_front(c, word, f);
    *again = false;
    if (!front) return NULL;
    const FrontRegion *chosen = f->recipe ? pipeline_choose(c, front, f->recipe_line) : NULL;
    if (f->recipe && !chosen) return NULL;
    Unit *u = NEW(c->arena, Unit);
    u->front = front;
    u->noutside = front->noutside;
    u->nparts = front->nregions;
    u->parts = NEW_N(c->arena, Part, front->nregions);
    for (int i = 0; i < u->nparts; i++) {
        int said = c->diags.n;
        Part *p = &u->parts[i];
        p->front = &front->regions[i];
        if (*again && !p->front->joined) continue; // is looked at when the file is read again
        if (!make_nests(c, p, f, chosen)) return *again = false, NULL;
        if (p->front->joined && p->front != chosen && !(p->gpu && p->cpu)) {
            vec_push(c->arena, &c->apart, p->front->begin);
            *again = true;
        }
        if (*again) continue;
        forget_inside(c, &u->parts[i], said);
        tell_where(c, &u->parts[i], said);
        compile_part(c, front, &u->parts[i], f, front->ninserts > 0);
        u->ntaken += u->parts[i].taken;
        u->ntexts += u->parts[i].text != NULL;
    }
    if (u->ntexts < u->nparts || u->noutside) drop_inserts(u, front);
    return u;
}

// Once more where host loops came apart, with what is left of the file's time.
Unit *pipeline_read(Compile *c, const char *word, const Flags *f) {
    int before = c->diags.n;
    bool again;
    watch_limit(c, FILE_SECONDS);
    Unit *u = read_once(c, word, f, &again);
    while (again) {
        diag_forget(c, before);
        u = read_once(c, word, f, &again);
    }
    if (u) u->slips = slips_note(c, u->front->file, u->front);
    return u;
}
