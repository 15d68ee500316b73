// SPDX-License-Identifier: MIT
// space.c -- points: the planner's nests, their recipes with a step changed, and with other numbers.
#include "tune/space.h"
#include "ir/watch.h"
#include "model/model.h"
#include "plan/choose.h"
#include "run/machine.h"
#include "run/state.h"
#include "run/wisdom.h"
#include "rule/rule.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES = 5, MOST_FAMILIES = 64, SHAPES = 8, MANY_SHAPES = 20 };
static const int most_points[] = {80, 400, 4000}; // by effort
static const double JUDGE_S = 12;                 // of a processor, for what runs without wisdom

// A recipe with coordinates: numbers that are other ones at other points.
typedef struct Family {
    const char *recipe;
    int n;
    int64_t value[SPACE_KNOBS]; // as it is written
    int nchoices[SPACE_KNOBS], own[SPACE_KNOBS];
    int64_t choice[SPACE_KNOBS][CHOICES]; // rising; [own] is value
} Family;

typedef struct Make {
    Case *k;
    Compile *c;
    Arena *a;
    const Nest *start;
    PlanCall call;
    PickDevice device;
    double until;
    int most;
    VEC(Point) points;
    VEC(Digest) seen; // of their nests' trees
    int nfamilies;
    Family family[MOST_FAMILIES];
} Make;

// ---- recipes as text -------------------------------------------------------------------------------
static bool is_rule(const char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\n' || !line[n]);
}

// Steps whose numbers say what is there and not how it is run.
static bool is_fixed(const char *line) {
    static const char *const rules[] = {"pays", "close", "target", "either", "assume", "partial", "define"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_rule(line, rules[i])) return true;
    return false;
}

// The next number that is a knob's value or one of its list; NULL: there is none. *line: of the step.
static const char *next_number(const char *s, const char **line, int64_t *v) {
    for (; *s; s++) {
        if (*s == '\n') *line = s + 1;
        if ((*s != '=' && *s != ',') || !isdigit((unsigned char)s[1]) || is_fixed(*line)) continue;
        char *end;
        *v = strtoll(s + 1, &end, 10);
        if (strchr(" ,\n", *end)) return s + 1;
    }
    return NULL;
}

static void see_numbers(Family *f) {
    const char *line = f->recipe;
    int64_t v;
    for (const char *s = line; (s = next_number(s, &line, &v));) {
        bool known = v < 2 || v > 1 << 20;
        for (int i = 0; i < f->n; i++) known |= f->value[i] == v;
        if (known || f->n == SPACE_KNOBS) continue;
        const int64_t twice[] = {v % 2 ? 0 : v, v % 3 ? 0 : 2 * v / 3 * 2, 2 * v, v % 2 ? 0 : 3 * v, 4 * v};
        int k = f->n++;
        f->value[k] = v;
        for (int i = 0; i < CHOICES; i++) {
            if (!twice[i]) continue;
            if (twice[i] == 2 * v) f->own[k] = f->nchoices[k];
            f->choice[k][f->nchoices[k]++] = twice[i] / 2;
        }
    }
}

// The recipe at some coordinates, without what it says of when it pays.
static const char *recipe_at(const Make *m, const Family *f, const int *coord) {
    Text t = text_new(m->a);
    const char *line = f->recipe, *from = line;
    int64_t v;
    for (const char *s = line; (s = next_number(s, &line, &v)); from = s + strspn(s, "0123456789")) {
        text_putn(&t, from, (size_t)(s - from));
        for (int i = 0; i < f->n; i++)
            if (f->value[i] == v) v = f->choice[i][coord[i]], i = f->n;
        text_printf(&t, "%lld", (long long)v);
    }
    text_put(&t, from);
    Text out = text_new(m->a);
    for (const char *s = text_str(&t), *end; *s; s = end) {
        end = s + strcspn(s, "\n");
        end += *end == '\n';
        if (!is_rule(s, "pays")) text_putn(&out, s, (size_t)(end - s));
    }
    return arena_strdup(m->a, text_str(&out));
}

// ---- points ------------------------------------------------------------------------------------------
static Nest *made(Make *m, const char *recipe) {
    Compile *c = m->c;
    int diags = c->diags.n, errors = c->errors;
    RecipeOptions o = {.judging = JUDGE_NONE, .file = "tune"};
    Nest *n = recipe_apply(c, m->start, recipe, &o);
    c->diags.n = diags, c->errors = errors;
    return n;
}

static Digest tree_of(const Make *m, const Nest *n) {
    const char *text = ir_print_node(m->a, n->root, 0);
    return digest_of(text, strlen(text));
}

static bool is_seen(Make *m, Digest d) {
    for (int i = 0; i < m->seen.n; i++)
        if (memcmp(&m->seen.at[i], &d, sizeof d) == 0) return true;
    vec_push(m->a, &m->seen, d);
    return false;
}

static void set_price(const Make *m, const Nest *n, Point *at) {
    at->bound = "";
    if (!m->call.machine) return;
    Price p = model_price(model_priced(m->a, n, m->call.machine), m->call.nvals, m->call.vals);
    if (p.why || !(p.seconds > 0 && p.seconds < 1e6)) return;
    at->price = p.seconds;
    char *word = arena_strdup(m->a, p.most ? limit_name(p.bound) : "");
    for (char *s = word; *s; s++) *s = *s == ' ' ? '-' : *s;
    at->bound = word;
}

// Operations or the bytes that have to move, at the machine's rates.
static double ceiling_of(const Case *k, const Machine *m) {
    double flops = 0, bytes = 0;
    bool wide = false;
    for (int i = 0; i < k->region->narrays; i++) wide |= k->region->arrays[i]->elem == T_F64;
    if (!k->dep->flops || !ir_eval_float(k->dep->flops, k->nvals, k->vals, &flops)) flops = 0;
    if (!k->dep->bytes || !ir_eval_float(k->dep->bytes, k->nvals, k->vals, &bytes)) bytes = 0;
    double rate = machine_flops(m, wide), width = bytes < (double)m->l2 ? m->l2_rate : machine_bandwidth(m);
    double x = rate > 0 ? 1e-9 * flops / rate : 0, y = width > 0 ? 1e-9 * bytes / width : 0;
    return x > y ? x : y;
}

static bool is_full(const Make *m) { return m->points.n >= m->most || time_now() > m->until; }

static bool may_run(const Make *m, Nest *n) {
    return pick_has_room(m->a, &m->device, n) && plan_may_run(m->c, n, &m->call);
}

static bool add_point(Make *m, int family, const int *coord) {
    const Family *f = &m->family[family];
    const char *recipe = recipe_at(m, f, coord);
    Nest *n = made(m, recipe);
    if (!n || !may_run(m, n) || is_seen(m, tree_of(m, n))) return false;
    Point p = {.family = family,
               .ncoord = f->n,
               .form = recipe,
               .digest = digest_text(m->a, digest_of(recipe, strlen(recipe)))};
    set_price(m, n, &p);
    memcpy(p.coord, coord, sizeof *coord * (size_t)f->n);
    vec_push(m->a, &m->points, p);
    return true;
}

// -1: there is no room.
static int add_family(Make *m, const char *recipe) {
    if (m->nfamilies == MOST_FAMILIES) return -1;
    Family *f = &m->family[m->nfamilies];
    *f = (Family){.recipe = recipe};
    see_numbers(f);
    return m->nfamilies++;
}

// A nest of the planner's, and its recipe as a family. That makes it again, or nearly.
static void add_planned(Make *m, const Nest *n) {
    const char *recipe = n->recipe && *n->recipe ? arena_strdup(m->a, n->recipe) : "";
    Nest *again = *recipe ? made(m, recipe) : NULL;
    Digest d = tree_of(m, n), e = again ? tree_of(m, again) : (Digest){{0}};
    if (is_seen(m, d)) return;
    bool same = again && memcmp(&d, &e, sizeof d) == 0;
    int family = add_family(m, same ? recipe : "");
    if (family < 0) return;
    Point p = {.family = family};
    set_price(m, n, &p);
    const Family *f = &m->family[family];
    p.ncoord = f->n;
    memcpy(p.coord, f->own, sizeof p.coord);
    if (same) p.form = recipe;
    else p.form = arena_printf(m->a, "planned %s", digest_text(m->a, d)), p.nest = ir_print_nest(m->a, n);
    p.digest = digest_text(m->a, digest_of(p.form, strlen(p.form)));
    vec_push(m->a, &m->points, p);
    if (!again || same) return;
    family = add_family(m, recipe);
    if (family >= 0) add_point(m, family, m->family[family].own);
}

// ---- steps changed -------------------------------------------------------------------------------------
static void add_changed(Make *m, const char *before, size_t n, const char *instead, const char *behind) {
    int f = add_family(m, arena_printf(m->a, "%.*s%s%s", (int)n, before, instead, behind));
    if (f >= 0 && !add_point(m, f, m->family[f].own)) m->nfamilies--;
}

// A step left out; a grid with several iterations a thread, or in lanes, or not.
static void change_steps(Make *m, const char *recipe) {
    static const char *const droppable[] = {"accumulate", "registers", "unroll", "vectorize", "trim",
                                            "either",     "pipeline",  "rotate", "edge",      "split"};
    for (const char *s = recipe, *end; *s && !is_full(m); s = end) {
        end = s + strcspn(s, "\n");
        const char *line = arena_strndup(m->a, s, (size_t)(end - s));
        end += *end == '\n';
        size_t n = (size_t)(s - recipe);
        for (size_t i = 0; i < sizeof droppable / sizeof *droppable; i++)
            if (is_rule(s, droppable[i])) add_changed(m, recipe, n, "", end);
        if (!is_rule(s, "grid")) continue;
        const char *lanes = strstr(line, " lanes=yes");
        if (lanes)
            add_changed(m, recipe, n, arena_printf(m->a, "%.*s%s\n", (int)(lanes - line), line, lanes + 10),
                        end);
        else if (str_eq(m->call.target, "cpu"))
            add_changed(m, recipe, n, arena_printf(m->a, "%s lanes=yes\n", line), end);
        if (!strstr(line, " per="))
            add_changed(
                m, recipe, n,
                arena_printf(m->a, "%.*s per=4\n", lanes ? (int)(lanes - line) : (int)strlen(line), line),
                end);
    }
}

// ---- tiles for a processor ---------------------------------------------------------------------------
// The loops that stand directly inside each other, by their names.
typedef struct Loops {
    int n;
    const char *name[4];
} Loops;

static Loops outer_loops(const Make *m) {
    Loops l = {0};
    for (Node *x = unwrap(m->start->root); l.n < 4 && x && x->kind == N_FOR; x = unwrap(x->body))
        l.name[l.n++] = x->iter->name;
    return l;
}

// May iterations of the loop run in any order? One with sums may not, though its mark calls it parallel.
static bool is_free(const Make *m, const char *name) {
    const DepInfo *d = m->k->dep;
    for (int i = 0; i < d->nloops; i++)
        if (str_eq(d->loops[i].loop->iter->name, name))
            return d->loops[i].parallel == ANSWER_ALWAYS || d->loops[i].reduction != ANSWER_ALWAYS;
    return true;
}

// block, other: the loops of which blocks are made; NULL: no second one.
static void add_recipe(Make *m, const char *block, const char *other, const char *recipe) {
    if (!is_free(m, block) || (other && !is_free(m, other))) return;
    int f = is_full(m) ? -1 : add_family(m, recipe);
    if (f >= 0 && !add_point(m, f, m->family[f].own)) m->nfamilies--;
}

// Two neighbouring loops in tiles: what one of them reads along the other stays in a cache.
static void add_tiles(Make *m, const Loops *l, int at) {
    const char *x = l->name[at], *y = l->name[at + 1], *around = at ? l->name[0] : "";
    static const char *const order[] = {"px_ py_", "py_ px_"};
    static const char *const lanes[] = {"", "map vector py_\n", "map vector px_\n"};
    for (int i = 0; i < 4; i++) // each order, in lanes or not
        add_recipe(m, at ? around : x, at ? NULL : y,
                   arena_printf(m->a,
                                "strip %s by=32 as=tx_,px_\nstrip %s by=32 as=ty_,py_\n"
                                "interchange %s tx_ ty_ %s\nmap block %s\n%s",
                                x, y, around, order[i / 2], at ? around : "tx_ ty_",
                                lanes[i % 2 ? 1 + i / 2 : 0]));
}

static void add_tilings(Make *m) {
    Loops l = outer_loops(m);
    if (!str_eq(m->call.target, "cpu") || !l.n) return;
    const char *x = l.name[0], *y = l.name[1];
    if (l.n == 1) {
        const char *strip = arena_printf(m->a, "strip %s by=64 as=tx_,px_\nmap block tx_\n", x);
        add_recipe(m, x, NULL, strip);
        add_recipe(m, x, NULL, arena_printf(m->a, "%smap vector px_\n", strip));
        return;
    }
    for (int at = 0; at < 2 && at + 1 < l.n; at++) add_tiles(m, &l, at);
    const char *turned = arena_printf(m->a, "interchange %s %s\nmap block %s\n", y, x, y);
    add_recipe(m, y, NULL, turned);
    add_recipe(m, y, NULL, arena_printf(m->a, "%smap vector %s\n", turned, x));
    // Some iterations of the outer loop beside each other for each of the inner one.
    add_recipe(m, x, NULL,
               arena_printf(m->a, "strip %s by=4 as=tx_,px_\ninterchange tx_ %s px_\nmap block tx_\n", x, y));
}

// ---- other numbers --------------------------------------------------------------------------------------
// One number changed in each family, then two, …; with `all` every choice of each.
static void change_numbers(Make *m, int family, int changes, bool all) {
    const Family *f = &m->family[family];
    int coord[SPACE_KNOBS] = {0};
    for (;;) {
        int off = 0;
        for (int i = 0; i < f->n; i++) off += coord[i] != f->own[i];
        if (is_full(m)) return;
        if (off && (all ? off > changes : off == changes)) add_point(m, family, coord);
        int i = 0;
        while (i < f->n && ++coord[i] == f->nchoices[i]) coord[i++] = 0;
        if (i == f->n) return;
    }
}

// ---- which nest runs ------------------------------------------------------------------------------------
// As a call would have it that finds its data there, aligned.
typedef struct Known {
    const Machine *m;
    const DeviceInfo *info;
    const Case *k;
    PickDevice device;
} Known;

static int64_t fact_of(const Known *k, FactKind kind) {
    if (kind == FACT_PROCESSORS) return k->info->sms > 0 ? k->info->sms : 1;
    return kind == FACT_MISALIGN || kind == FACT_TRAVELS ? 0 : model_fact(k->m, kind);
}

static InterpVal *values_for(Arena *a, const Known *k, const Nest *x, int *count) {
    *count = k->k->nvals;
    InterpVal *v = NEW_N(a, InterpVal, *count + x->nfacts + 1);
    memcpy(v, k->k->vals, sizeof *v * (size_t)*count);
    for (int f = 0; f < x->nfacts; f++)
        v[(*count)++] = (InterpVal){.sym = x->facts[f].sym, .i = fact_of(k, x->facts[f].kind)};
    return v;
}

static int pick(Compile *c, int n, Nest *const *chain, const void *arg) {
    const Known *k = arg;
    Pick p = {.at = -1};
    for (int i = 0, count; i < n; i++) {
        if (!pick_has_room(c->arena, &k->device, chain[i])) continue;
        const InterpVal *v = values_for(c->arena, k, chain[i], &count);
        if (pick_look(&p, i, chain[i], count, v)) break;
    }
    return p.at;
}

// Where none of the chain may run, the plain nest that programs carry does.
static const Nest *settle(Make *m, const Known *k, int n, Nest **chain, Nest *standard) {
    int count;
    Nest *mine[PLAN_VARIANTS + 1];
    memcpy(mine, chain, sizeof *chain * (size_t)n);
    watch_limit(m->c, JUDGE_S);
    const Nest *x = plan_settle(m->c, &m->call, n, mine, standard, 0, NULL);
    watch_limit(m->c, 0);
    const InterpVal *v = values_for(m->a, k, standard, &count);
    return x ? x : pick_holds(standard, false, count, v) ? standard : NULL;
}

bool space_follows_data(const Region *r) {
    bool data = false;
    node_each(n, r->root)
        if (n->kind == N_FOR) data |= expr_has_load(n->lo) || expr_has_load(n->hi);
    for (int i = 0; i < r->nstmts; i++)
        for (int d = 0; d < r->stmts[i]->lhs->rank; d++) data |= expr_has_load(r->stmts[i]->sub[d]);
    return data;
}

static Make *make_of(Case *k, const Machine *machine, Effort effort) {
    const DeviceInfo *info = k->lab->info;
    Make *m = NEW(k->a, Make);
    *m = (Make){.k = k, .c = k->c, .a = k->a, .most = most_points[effort], .device = unit_device(info)};
    m->call = (PlanCall){.target = info->target,
                         .nvals = k->nvals,
                         .vals = k->vals,
                         .processors = info->sms,
                         .machine = machine,
                         .most = effort == EFFORT_MEASURE ? SHAPES : MANY_SHAPES,
                         .alone = info->warp <= 1 && str_eq(info->target, "gpu")};
    m->start = plan_start(m->c, k->region, k->dep, info->target);
    return m;
}

static const Machine *known_machine(const Case *k, const char **why) {
    const Machine *m = k->lab->machine ? k->lab->machine : machine_in_use(k->a, k->lab->info);
    if (!m) *why = "the model does not know this device";
    return m;
}

int space_reprice(Case *k, Space *s, const char **why) {
    const Machine *machine = known_machine(k, why);
    if (!machine) return -1;
    if (!str_eq(s->key.region, digest_text(k->a, wisdom_region(k->text))))
        return *why = "it is of another region", -1;
    if (!str_eq(s->key.target, k->lab->info->target)) return *why = "it is of a device of another kind", -1;
    Make *m = make_of(k, machine, EFFORT_MEASURE);
    int lost = 0;
    for (int i = 0; i < s->n; i++) {
        Point *p = (Point *)&s->at[i];
        if (p->nest) continue; // a nest of the planner's of that time: as it was
        Nest *n = made(m, p->form);
        p->price = 0, p->fix = 0;
        if (n) set_price(m, n, p);
        lost += !n;
    }
    return lost;
}

static Space *space_of(Make *m, const char *standard) {
    Space *s = NEW_AS(m->a, Space, (Space){.name = m->k->region->name,
                                           .catalogue = plan_catalogue(m->a),
                                           .standard = standard,
                                           .price = m->points.at[0].price,
                                           .ceiling = ceiling_of(m->k, m->call.machine),
                                           .n = m->points.n,
                                           .at = m->points.at});
    wise_device(m->a, m->k->lab->info, &s->key);
    s->key.region = digest_text(m->a, wisdom_region(m->k->text));
    s->key.sizes = wise_sizes(m->a, m->k->nvals, m->k->vals);
    s->key.align = 16;
    return s;
}

Space *space_make(Case *k, Effort effort, double seconds, const char **why) {
    const DeviceInfo *info = k->lab->info;
    const Region *r = k->region;
    const Machine *machine = known_machine(k, why);
    if (!machine) return NULL;
    Make *m = make_of(k, machine, effort);
    Nest *standard = plan_default(m->c, r, k->dep, &(PlanOptions){info->target, true}),
         *chain[PLAN_VARIANTS + 1];
    if (!standard) return *why = "no loop of it runs on this device", NULL;
    Known known = {machine, info, k, m->device};
    m->call.pick = pick, m->call.arg = &known;
    int n = plan_chain(m->c, r, k->dep, &m->call, standard, chain, PLAN_VARIANTS);
    chain[n++] = standard;
    const Nest *runs = settle(m, &known, n, chain, standard);
    if (!runs) return *why = "nothing may run at these sizes", NULL;
    const char *text = ir_print_nest(m->a, runs);
    m->until = time_now() + seconds;
    add_planned(m, runs);
    for (int i = 0; i < n; i++)
        if (chain[i] != runs && may_run(m, chain[i])) add_planned(m, chain[i]);
    int base = m->nfamilies;
    add_tilings(m);
    for (int f = 0; f < base; f++) change_steps(m, m->family[f].recipe);
    for (int changes = 1; changes <= (effort == EFFORT_MEASURE ? 1 : 2); changes++)
        for (int f = 0; f < m->nfamilies; f++) change_numbers(m, f, changes, false);
    for (int f = 0; f < m->nfamilies && effort == EFFORT_EXHAUSTIVE; f++) change_numbers(m, f, 2, true);
    return space_of(m, text);
}
