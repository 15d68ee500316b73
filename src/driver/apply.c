// SPDX-License-Identifier: MIT
// apply.c -- `sculpt apply`: a recipe or single steps on one region, the nest shown after each.
#include "driver/driver.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <jansson.h>
#include <string.h>

typedef struct Order {
    Compile *c;
    Strings steps;        // --step
    const char *show;     // tree, c, cuda, opencl, all
    const char *target;   // gpu or cpu; NULL: the recipe's, or gpu
    json_t *list;         // --json
    const char *file;
    const char *stray;    // an option that nobody knows
    Flags *f;
} Order;

static const char *read_order(Order *o, int argc, char **argv) {
    Arena *a = o->c->arena;
    char **rest = NEW_N(a, char *, argc + 1);
    int nrest = 0;
    const char *why = NULL, *step;
    o->show = "tree";
    for (int i = 0; i < argc; i++) {
        int used = word_valued("--show", i, argc, argv, &o->show);
        if (!used) used = word_valued("--target", i, argc, argv, &o->target);
        if (!used && (used = word_valued("--step", i, argc, argv, &step)) > 0) vec_push(a, &o->steps, step);
        if (used < 0) return arena_printf(a, "%s needs a value", argv[i]);
        if (used) i += used - 1;
        else if (str_eq(argv[i], "--json")) o->list = json_array();
        else rest[nrest++] = argv[i];
    }
    static const char *const shows[] = {"tree", "c", "cuda", "opencl", "all"};
    bool known = false;
    for (size_t k = 0; k < sizeof shows / sizeof *shows; k++) known = known || str_eq(shows[k], o->show);
    if (!known) return "--show takes tree, c, cuda, opencl or all";
    if (o->target && !str_eq(o->target, "gpu") && !str_eq(o->target, "cpu"))
        return "--target takes gpu or cpu";
    if (!(o->f = flags_parse(a, nrest, rest, &why))) return why;
    if ((o->stray = flags_stray(a, o->f, "apply"))) return "";
    if (o->f->inputs.n != 1) return "one C file is needed";
    if (word_is_cpp(o->f->inputs.at[0].path)) return "C++ is not read; one C file is needed";
    for (int i = 0; i < o->steps.n; i++) {
        const char *s = o->steps.at[i], *word = arena_strndup(a, s, strcspn(s, " \t#"));
        if (*word && !rule_named(word) && !recipe_is_word(word))
            return arena_printf(a, "--step %s: there is no rule '%s'%s; 'sculpt rules' lists them", s, word,
                                rule_meant(a, word));
    }
    if (o->f->recipe && o->steps.n) return "steps come from --recipe or from --step, not from both";
    o->file = o->f->inputs.at[0].path;
    return NULL;
}

static const char *recipe_text(Order *o) {
    if (o->f->recipe) {
        const char *text = file_read(o->c->arena, o->f->recipe, NULL);
        if (!text) diag(o->c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot read the recipe '%s'", o->f->recipe);
        return text;
    }
    Text t = text_new(o->c->arena);
    for (int i = 0; i < o->steps.n; i++) text_printf(&t, "%s\n", o->steps.at[i]);
    return text_str(&t);
}

// ---- showing -----------------------------------------------------------------------------------
static const char *kernels(Compile *c, const Nest *n, DialectId d) {
    EmitOptions e = {.dialect = d, .fast_math = c->fast_math};
    int before = c->diags.n;
    char *text = emit_kernels(c, nest_closed(c->arena, n), &e);
    if (text) return text;
    return c->diags.n > before ? arena_printf(c->arena, "// not yet: %s\n", c->diags.at[c->diags.n - 1].text)
                               : "// not yet\n";
}

static const char *judged(Arena *a, const Verdict *v, Judging j, int number) {
    return number && j == JUDGE_EACH ? verdict_in_short(a, v) : NULL;
}

static void put_part(json_t *object, const char *name, const char *text, bool wanted) {
    if (!wanted) return;
    if (object) json_object_set_new(object, name, json_string(text));
    else fputs(text, stdout);
}

static void after(const RecipeStep *s, void *arg) {
    Order *o = arg;
    Compile *c = o->c;
    const char *verdict = judged(c->arena, &s->verdict, o->f->judging, s->number);
    bool all = str_eq(o->show, "all");
    json_t *object =
        o->list ? json_pack("{s:i, s:s, s:s?}", "number", s->number, "step", s->text, "verdict", verdict)
                : NULL;
    if (!object) {
        if (s->number) printf("%s== %d: %s\n", s->number ? "\n" : "", s->number, s->text);
        else printf("== the region's loops\n");
        if (verdict) printf("-- %s\n", verdict);
    }
    put_part(object, "tree", show_tree(c->arena, s->nest->root), all || str_eq(o->show, "tree"));
    if (all || str_eq(o->show, "c")) put_part(object, "c", kernels(c, s->nest, DIALECT_C), true);
    if (all || str_eq(o->show, "cuda")) put_part(object, "cuda", kernels(c, s->nest, DIALECT_CUDA), true);
    if (all || str_eq(o->show, "opencl"))
        put_part(object, "opencl", kernels(c, s->nest, DIALECT_OPENCL), true);
    if (object) json_array_append_new(o->list, object);
}

static void finished(Order *o, const Nest *n) {
    Arena *a = o->c->arena;
    const char *when = n->when && !expr_is_int(n->when, 1) ? show_expr(a, n->when) : "called";
    if (o->list) {
        json_array_append_new(o->list, json_pack("{s:s, s:b, s:s, s:s, s:s}", "recipe", n->recipe, "proved",
                                                 (int)(n->proof == PROOF_PROVED), "when", when, "tree",
                                                 show_tree(a, n->root), "nest", ir_print_nest(a, n)));
        return;
    }
    printf("\n== as it runs: %s, when %s\n", show_proof(n->proof), when);
    if (str_eq(o->show, "tree") || str_eq(o->show, "all")) fputs(show_tree(a, n->root), stdout);
}

static bool follow(Order *o) {
    Compile *c = o->c;
    FrontUnit *u = pipeline_front(c, o->file, o->f);
    const FrontRegion *r = u ? pipeline_choose(c, u, o->f->recipe_line) : NULL;
    const char *text = r && ir_verify_region(c, r->region) ? recipe_text(o) : NULL;
    if (!text) return false;
    const char *target = o->target ? o->target : recipe_target(c->arena, text);
    Nest *start = plan_start(c, r->region, dep_analyze(c, r->region), target ? target : "gpu");
    RecipeOptions ro = {o->f->judging, o->f->recipe ? o->f->recipe : "--step", after, o};
    Nest *n = start ? recipe_apply(c, start, text, &ro) : NULL;
    if (n) finished(o, n);
    return n != NULL;
}

int apply_main(int argc, char **argv) {
    Order o = {.c = compile_new()};
    const char *why = read_order(&o, argc, argv);
    int status = 2;
    if (why) {
        status = o.stray ? usage_stray("apply", o.stray) : usage_error("apply", "%s", why);
    } else {
        bool done = follow(&o);
        status = done ? 0 : o.c->errors ? diags_status(o.c) : 1;
        if (o.list) {
            json_dumpf(o.list, stdout, JSON_INDENT(2));
            putchar('\n');
        }
        fflush(stdout);
        diags_show(o.c, 0, o.f, true);
    }
    json_decref(o.list);
    compile_free(o.c);
    return status;
}
