// SPDX-License-Identifier: MIT
// tune_hand.c -- a kernel by hand: what the command line says of it, what its text says, what it would cost.
#include "driver/tune_hand.h"
#include "driver/check_kernel.h"
#include "driver/explain.h"
#include "kernel/kernel.h"
#include "run/machine.h"
#include "run/wisdom.h"
#include "tune/search.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 200000 };

// ---- words ----------------------------------------------------------------------------------------
bool hand_is_file(const char *word) { return front_is_kernel_file(word) || str_has_suffix(word, ".json"); }

int hand_word(Arena *a, HandWords *w, int i, int argc, char **argv) {
    const struct {
        const char *word, **at;
    } one[] = {{"--kernel", &w->kernel},   {"--problem", &w->problem},     {"--block", &w->block},
               {"--grid", &w->grid},       {"--divide", &w->divide},       {"--shared", &w->shared},
               {"--machine", &w->machine}, {"--reference", &w->reference}, {"--tolerance", &w->tolerance}};
    const char *v = NULL;
    int used = 0;
    for (size_t k = 0; k < sizeof one / sizeof *one && !used; k++)
        used = word_valued(one[k].word, i, argc, argv, one[k].at);
    if (!used && (used = word_valued("--knobs", i, argc, argv, &v)) > 0) vec_push(a, &w->knobs, v);
    if (!used && (used = word_valued("--where", i, argc, argv, &v)) > 0) vec_push(a, &w->where, v);
    if (!used && (used = word_valued("--arg", i, argc, argv, &v)) > 0) vec_push(a, &w->args, v);
    return used;
}

// NAME=…; the rest goes to *value.
static const char *name_of(Arena *a, const char *text, const char **value) {
    const char *eq = strchr(text, '=');
    size_t n = eq ? (size_t)(eq - text) : 0;
    while (n && text[n - 1] == ' ') n--;
    if (!n || !eq[1] || eq[1] == '=') return NULL;
    return *value = eq + 1, arena_strndup(a, text, n);
}

static bool add_knobs(Arena *a, Hand *h, const char *text, const char **why) {
    Parts all = formula_parts(a, text, ';');
    for (int i = 0; i < all.n; i++) {
        HandKnob k = {0};
        const char *value;
        Value v;
        k.name = name_of(a, all.at[i], &value);
        if (!k.name)
            return *why = arena_printf(a, "--knobs takes NAME=VALUE,…; …, not '%s'", all.at[i]), false;
        if (!formula_value(a, arena_printf(a, "[%s]", value), NULL, NULL, &v, why)) return false;
        k.value = NEW_N(a, const char *, v.n + 1);
        for (int x = 0; x < v.n; x++)
            k.value[k.n++] = v.text && v.text[x] ? v.text[x] : formula_print(a, v.at[x]);
        if (!k.n) return *why = arena_printf(a, "%s has no value", k.name), false;
        vec_push(a, &h->knobs, k);
    }
    return true;
}

static void spread(Arena *a, const char *text, const char *out[3]) {
    Parts p = formula_parts(a, text ? text : "", ',');
    for (int d = 0; d < 3 && d < p.n; d++) out[d] = p.at[d];
}

static bool take_words(Arena *a, const HandWords *w, Hand *h, const char **why) {
    if (w->kernel) h->kernel = w->kernel;
    if (w->shared) h->shared = w->shared;
    if (w->tolerance) h->tolerance = atof(w->tolerance);
    if (w->knobs.n) h->knobs.n = 0;
    for (int i = 0; i < w->knobs.n; i++)
        if (!add_knobs(a, h, w->knobs.at[i], why)) return false;
    for (int i = 0; i < w->where.n; i++) vec_push(a, &h->where, w->where.at[i]);
    for (int i = 0; i < w->flags.n; i++) vec_push(a, &h->flags, w->flags.at[i]);
    spread(a, w->block, h->block), spread(a, w->divide, h->divide), spread(a, w->grid, h->grid);
    Parts sizes = formula_parts(a, w->problem ? w->problem : "", ',');
    if (sizes.n) h->problem.n = 0;
    for (int i = 0; i < sizes.n; i++) {
        Value v;
        if (!formula_value(a, sizes.at[i], NULL, NULL, &v, why)) return false;
        for (int k = 0; k < v.n; k++) vec_push(a, &h->problem, ((Value){.n = 1, .at = v.at + k}));
    }
    return true;
}

// ---- what the kernel's text says ---------------------------------------------------------------------
static KernelNest *read_at(Compile *c, const Hand *h, const int *coord, const HandLaunch *l) {
    Parts macros = hand_macros(c->arena, h, coord, l);
    const char **flags = NEW_N(c->arena, const char *, macros.n + h->flags.n + 1), *why;
    int n = 0;
    for (int i = 0; i < macros.n; i++) flags[n++] = arena_printf(c->arena, "-D%s", macros.at[i]);
    for (int i = 0; i < h->flags.n; i++) flags[n++] = h->flags.at[i];
    KernelLaunch launch = {.kernel = h->kernel,
                           .has_grid = true,
                           .has_block = true,
                           .alone = true,
                           .shared = h->shared ? l->shared : -1};
    KernelArg *args = NEW_N(c->arena, KernelArg, h->args.n + 1);
    for (int d = 0; d < 3; d++) launch.grid[d] = l->grid[d], launch.block[d] = l->block[d];
    for (int i = 0; i < h->args.n; i++) {
        const HandArg *x = &h->args.at[i];
        double v;
        if (x->text && hand_arg(c->arena, h, x, &v, &why))
            args[launch.nargs++] = (KernelArg){x->name, v, type_is_float(x->type)};
    }
    launch.args = args;
    return front_read_kernel(c, front_kernel_file(c, h->file, n, flags), &launch);
}

// Do its copies read or write what has that name?
static void find_uses(Arena *a, const Node *root, const char *name, HandArg *out) {
    node_each(n, root) {
        AccessVec v = {0};
        if (n->kind == N_COPY) v = node_touches(a, n);
        for (int i = 0; i < v.n; i++) {
            const Array *x = v.at[i].array;
            if (!str_eq(x->source, name) && !str_eq(x->name, name) && !str_eq(x->object, name)) continue;
            out->reads |= v.at[i].read, out->writes |= v.at[i].write;
        }
    }
}

// Its parameters; those that a description gave lend their values by their places.
static void take_params(Arena *a, Hand *h, const KernelNest *k) {
    int given = h->args.n;
    for (int i = 0; i < k->nparams; i++) {
        HandArg x = {.name = arena_strdup(a, k->param[i]), .type = k->type[i], .bytes = k->bytes[i],
                     .pointer = k->pointer[i]};
        find_uses(a, k->written, k->param[i], &x);
        // what was not understood may do anything
        if (x.pointer && k->ninexact) x.reads = true, x.writes |= !k->constant[i];
        if (i < given) x.text = h->args.at[i].text, x.fill = h->args.at[i].fill;
        if (i < given && x.type == T_NONE) x.type = h->args.at[i].type;
        if (i < given)
            h->args.at[i] = x;
        else
            vec_push(a, &h->args, x);
    }
}

static bool take_args(Arena *a, const HandWords *w, Hand *h, const char **why) {
    for (int i = 0; i < w->args.n; i++) {
        const char *value, *name = name_of(a, w->args.at[i], &value);
        bool known = false;
        for (int k = 0; k < h->args.n && name; k++) {
            HandArg *x = &h->args.at[k];
            if (!str_eq(x->name, name)) continue;
            Parts p = formula_parts(a, value, ':'); // a=1024:0: elements, and what all of them are
            known = p.n > 0;
            if (p.n) x->text = p.at[0];
            if (p.n > 1) x->fill = p.at[1];
        }
        if (!known)
            return *why = arena_printf(a, "--arg %s: the kernel has no such parameter", w->args.at[i]), false;
    }
    bool written = false;
    for (int k = 0; k < h->args.n; k++) {
        double v;
        const HandArg *x = &h->args.at[k];
        written |= x->writes;
        if (x->type == T_NONE || x->bytes < 1)
            return *why = arena_printf(a, "%s: its type is not taken", x->name), false;
        if (!hand_arg(a, h, x, &v, why)) return false;
    }
    return written || (*why = "the kernel writes none of its arguments", false);
}

// A function of C's that calls the reference with the kernel's arguments.
static bool take_reference(Arena *a, const char *word, Hand *h, const char **why) {
    static const char *const types[T_COUNT] = {
        [T_BOOL] = "_Bool",   [T_I8] = "signed char",     [T_U8] = "unsigned char",
        [T_I16] = "short",    [T_U16] = "unsigned short", [T_I32] = "int",
        [T_U32] = "unsigned", [T_I64] = "long long",      [T_U64] = "unsigned long long",
        [T_F32] = "float",    [T_F64] = "double"};
    CheckLaunches f = {0};
    Text t = text_new(a);
    char path[PATH_MAX];
    const char *file = check_function(a, word, h->kernel, &f, why);
    if (!file) return false;
    text_printf(&t,
                "#include \"%s\"\nvoid sculpt_reference_(void *const *p, const void *const *v) {\n    %s(",
                realpath(file, path) ? path : file, f.function);
    for (int i = 0; i < f.params.n; i++) {
        int pointers = 0, values = 0, k = 0;
        for (; k < h->args.n && !str_eq(h->args.at[k].name, f.params.at[i].name); k++)
            *(h->args.at[k].pointer ? &pointers : &values) += 1;
        if (k == h->args.n)
            return *why = arena_printf(a, "%s: its parameter %s is none of the kernel's", word,
                                       f.params.at[i].name),
                   false;
        const HandArg *x = &h->args.at[k];
        if (x->pointer)
            text_printf(&t, "%sp[%d]", i ? ", " : "", pointers);
        else
            text_printf(&t, "%s*(const %s *)v[%d]", i ? ", " : "", types[x->type], values);
    }
    text_put(&t, ");\n}\n");
    h->reference = text_str(&t);
    return true;
}

// The first configuration that the conditions allow, from the one that is there on.
static bool settle_own(Arena *a, Hand *h, const char **why) {
    int at[SPACE_KNOBS];
    for (int i = 0; i < h->knobs.n; i++) at[i] = h->knobs.at[i].own;
    for (int64_t tries = 0; tries < MOST_POINTS; tries++) {
        bool allowed;
        if (!hand_allows(a, h, at, &allowed, why)) return false;
        for (int i = 0; i < h->knobs.n && allowed; i++) h->knobs.at[i].own = at[i];
        if (allowed) return true;
        if (!tries)
            memset(at, 0, sizeof at);
        else
            for (int i = h->knobs.n - 1; i >= 0 && ++at[i] == h->knobs.at[i].n; i--) at[i] = 0;
    }
    return *why = "the conditions allow no configuration", false;
}

Hand *hand_of(Compile *c, const HandWords *w, const char **why) {
    Arena *a = c->arena;
    Hand *h = NEW(a, Hand);
    HandLaunch l;
    int own[SPACE_KNOBS] = {0}, diags = c->diags.n;
    *h = (Hand){.file = w->file, .tolerance = -1};
    bool described = str_has_suffix(w->file, ".json");
    if (described && !t1_read(a, w->file, h, why)) return NULL;
    if (!take_words(a, w, h, why)) return NULL;
    h->text = file_read(a, h->file, NULL);
    h->opencl = str_has_suffix(h->file, ".cl");
    if (!h->text) return *why = arena_printf(a, "%s can't be read", h->file), NULL;
    if (!h->knobs.n || h->knobs.n > SPACE_KNOBS)
        return *why = arena_printf(a, "%s has %d knobs: --knobs \"NAME=1,2; …\" (at most %d)", h->file,
                                   h->knobs.n, SPACE_KNOBS),
               NULL;
    if (!h->problem.n && !h->grid[0]) return *why = "how large is the problem? --problem N,N", NULL;
    if (!settle_own(a, h, why)) return NULL;
    for (int i = 0; i < h->knobs.n; i++) own[i] = h->knobs.at[i].own;
    if (!hand_launch(a, h, own, &l, why)) return NULL;
    KernelNest *k = read_at(c, h, own, &l);
    if (k)
        h->kernel = arena_strdup(a, k->name), take_params(a, h, k), diag_forget(c, diags);
    else if (!described || !h->kernel)
        return *why = arena_printf(a, "%s can't be read", h->file), NULL;
    else
        diag_forget(c, diags); // what the description says of it has to do
    if (!take_args(a, w, h, why)) return NULL;
    return w->reference && !take_reference(a, w->reference, h, why) ? NULL : h;
}

// ---- configurations and prices ---------------------------------------------------------------------------
typedef struct Pricing {
    Arena *a;
    const Hand *h;
    const char *device;
    const Machine *m;
    double until;
    int n, mine, stride; // of all points, every stride-th from mine on, in an order that is as good as random
    const int *order, (*coord)[SPACE_KNOBS];
} Pricing;

// "INDEX PRICE BOUND" a line; a price of -1: no block fits.
static void price_one(Text *t, const Pricing *p, const Machine *m, int i) {
    Compile *c = compile_new();
    HandLaunch l;
    const char *why;
    bool launched = hand_launch(c->arena, p->h, p->coord[i], &l, &why);
    KernelNest *k = launched ? read_at(c, p->h, p->coord[i], &l) : NULL;
    InterpVal *vals = k ? NEW_N(c->arena, InterpVal, k->nest->region->nparams + 1) : NULL;
    int n = 0;
    for (int s = 0; k && s < k->nest->region->nparams; s++) { // what nobody gives is a thread's each
        const Sym *y = k->nest->region->params[s];
        if (type_is_int(y->type) && y->source) vals[n++] = (InterpVal){.sym = y, .i = l.grid[0] * l.block[0]};
    }
    if (k && model_lacks(c->arena, k->nest, n, vals, m)) {
        text_printf(t, "%d -1 -\n", i);
    } else if (k) {
        Price x = model_price(model_priced(c->arena, k->nest, m), n, vals);
        char *word = arena_strdup(c->arena, x.most ? limit_name(x.bound) : "-");
        for (char *s = word; *s; s++) *s = *s == ' ' ? '-' : *s;
        if (!x.why && x.seconds > 0) text_printf(t, "%d %.9g %s\n", i, x.seconds, word);
    }
    compile_free(c);
}

static const char *priced(void *arg) {
    const Pricing *p = arg;
    Text t = text_new(p->a);
    const Machine *m = p->m;
    const char *why = "";
    if (!m) { // the device is opened in this process alone: drivers don't survive a fork
        Lab *l = lab_bare(p->a, p->device, &why);
        WiseKey k;
        if (!l) return arena_printf(p->a, "no %s\n", why);
        wise_device(p->a, l->info, &k);
        m = l->machine ? l->machine : machine_in_use(p->a, l->info);
        text_printf(&t, "device %s|%s|%s|%s\n", k.device, k.arch, k.vendor, k.target);
    } else {
        text_printf(&t, "device %s|%s|%s|gpu\n", m->name, "", "");
    }
    for (int i = p->mine; i < p->n && m && (i == p->mine || time_now() < p->until); i += p->stride)
        price_one(&t, p, m, p->order[i]);
    return text_str(&t);
}

static bool take_prices(Arena *a, const char *text, WiseKey *key, Point *at, const char **why) {
    if (!text || str_has_prefix(text, "no "))
        return *why = text ? arena_strndup(a, text + 3, strcspn(text + 3, "\n")) : "pricing failed", false;
    for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        int i;
        char bound[64];
        double price;
        if (str_has_prefix(s, "device ")) {
            Parts p = formula_parts(a, arena_strndup(a, s + 7, strcspn(s + 7, "\n")), '|');
            key->device = p.n > 0 ? p.at[0] : "", key->target = p.n > 1 ? p.at[p.n - 1] : "gpu";
            key->arch = p.n > 2 ? p.at[1] : "", key->vendor = p.n > 3 ? p.at[2] : "";
        } else if (sscanf(s, "%d %lf %63s", &i, &price, bound) == 3) {
            at[i].price = price, at[i].bound = str_eq(bound, "-") ? "" : arena_strdup(a, bound);
        }
    }
    return true;
}

// All that the conditions allow, the one without tuning first.
static int configurations(Arena *a, const Hand *h, int (**out)[SPACE_KNOBS], HandLeft *left,
                          const char **why) {
    int at[SPACE_KNOBS] = {0}, own[SPACE_KNOBS] = {0}, n = 1;
    VEC(int) flat = {0};
    for (int i = 0; i < h->knobs.n; i++) own[i] = h->knobs.at[i].own;
    for (int i = 0; i < SPACE_KNOBS; i++) vec_push(a, &flat, own[i]);
    for (;;) {
        Arena *scratch = arena_new();
        bool allowed, known = hand_allows(scratch, h, at, &allowed, why);
        if (!known) return *why = arena_strdup(a, *why), arena_free(scratch), -1;
        arena_free(scratch);
        left->forbidden += !allowed;
        for (int i = 0; i < SPACE_KNOBS && allowed && memcmp(at, own, sizeof at); i++)
            vec_push(a, &flat, at[i]);
        n = flat.n / SPACE_KNOBS;
        if (n > MOST_POINTS) return *why = "there are too many configurations", -1;
        int i = h->knobs.n - 1;
        while (i >= 0 && ++at[i] == h->knobs.at[i].n) at[i--] = 0;
        if (i < 0) return *out = (int(*)[SPACE_KNOBS])flat.at, n;
    }
}

static const char *digest_of_hand(Arena *a, const Hand *h) {
    Text t = text_new(a);
    text_printf(&t, "by hand %s\n%s\n", h->kernel, h->text);
    for (int i = 0; i < h->args.n; i++) text_printf(&t, "%s %s\n", h->args.at[i].name, h->args.at[i].text);
    for (int i = 0; i < h->flags.n; i++) text_printf(&t, "%s\n", h->flags.at[i]);
    return digest_text(a, digest_of(text_str(&t), t.n));
}

static void put_sizes(Arena *a, const Hand *h, Space *s) {
    Text t = text_new(a);
    for (int d = 0; d < h->problem.n; d++)
        text_printf(&t, "%s%c=%lld", d ? " " : "", "xyz"[d], (long long)h -> problem.at[d].at[0]);
    s->key.sizes = t.n ? text_str(&t) : "x=0";
}

Space *hand_space(Arena *a, const Hand *h, const char *device, const Machine *m, double seconds,
                  HandLeft *left, const char **why) {
    enum { PARTS = 16 };
    int(*coord)[SPACE_KNOBS] = NULL;
    *left = (HandLeft){0};
    int n = configurations(a, h, &coord, left, why), parts = 0;
    if (n < 0) return NULL;
    Point *at = NEW_N(a, Point, n + 1);
    int *order = NEW_N(a, int, n + 1);
    Search random = {.seed = 1};
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 1; i--) {
        int k = 1 + (int)search_random(&random, (uint64_t)i), x = order[i];
        order[i] = order[k], order[k] = x;
    }
    Aside *aside[PARTS];
    Pricing each[PARTS];
    int threads = lab_threads();
    for (; parts < PARTS && parts < threads && parts < n; parts++) {
        each[parts] = (Pricing){
            a, h, device, m, time_now() + seconds, n, parts, threads < PARTS ? threads : PARTS, order, coord};
        aside[parts] = aside_begin(a, priced, &each[parts]);
    }
    Space *s = NEW(a, Space);
    bool ok = true;
    for (int i = 0; i < parts; i++) ok = take_prices(a, aside_end(aside[i]), &s->key, at, why) && ok;
    if (!ok) return NULL;
    int k = 0;
    for (int i = 0; i < n; i++) {
        left->unfit += at[i].price < 0;
        left->unpriced += at[i].price == 0;
        if (at[i].price < 0 && i) continue;
        Point *p = &at[k++];
        *p = (Point){.price = at[i].price > 0 ? at[i].price : 0, .bound = at[i].bound ? at[i].bound : ""};
        p->ncoord = h->knobs.n;
        memcpy(p->coord, coord[i], sizeof p->coord);
        p->form = hand_form(a, h, coord[i]);
        p->digest = digest_text(a, digest_of(p->form, strlen(p->form)));
    }
    s->name = h->kernel, s->price = at[0].price, s->n = k, s->at = at;
    const char *all = arena_printf(a, "by hand %s", plan_catalogue(a)); // its prices err in their own way
    s->catalogue = digest_text(a, digest_of(all, strlen(all)));
    s->standard = hand_print(a, h);
    s->key.region = digest_of_hand(a, h), s->key.align = 1;
    put_sizes(a, h, s);
    return s;
}
