// SPDX-License-Identifier: MIT
// recipe.c -- the lines of a recipe, applied to a nest one after another.
//
//   # comment                            target gpu           (or cpu: the other plans by itself)
//   let BM = 128                         then BM in a knob's value, $BM anywhere
//   strip i by=BM as=ib,ii               a step
//   trust K: reason                      the judge may leave the next step undecided
//   maybe tiles: stage b at=kt           an optional step; those of one name go together
//   unless tiles: hoist b at=k           what stands in their place when they are left out
#include "dep/conflict.h"
#include "ir/verify.h"
#include "plan/recipe.h"
#include "rule/catalogue.h"
#include <ctype.h>
#include <string.h>

typedef struct Let {
    const char *name, *value;
} Let;

typedef struct Recipe {
    Compile *c;
    Arena *a;
    const RecipeOptions *o;
    Nest *nest;
    VEC(Let) lets;
    const char *trust;     // who vouches for the next step; NULL: nobody
    bool trusted;          // a step rested on somebody's word
    int number;            // steps so far
    VEC(const char *) without; // optional steps that are left out
    const char *missing, *why; // the optional step that does not fit, and why
} Recipe;

// ---- constants ---------------------------------------------------------------------------------
static const char *let_value(const Recipe *r, const char *name, size_t n) {
    for (int i = r->lets.n - 1; i >= 0; i--)
        if (strlen(r->lets.at[i].name) == n && strncmp(r->lets.at[i].name, name, n) == 0)
            return r->lets.at[i].value;
    return NULL;
}

static size_t name_length(const char *s) {
    size_t n = 0;
    if (isalpha((unsigned char)*s) || *s == '_')
        while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
    return n;
}

// $NAME becomes its value; so does NAME when plain. NULL: a $NAME that is not known (*bad).
static char *replace_names(const Recipe *r, const char *s, bool plain, const char **bad) {
    Text t = text_new(r->a);
    while (*s) {
        bool dollar = *s == '$';
        size_t n = name_length(s + dollar);
        if (!n) {
            size_t digits = strspn(s, "0123456789");
            n = digits ? digits + strspn(s + digits, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
                       : 1;
            text_putn(&t, s, n);
            s += n;
            continue;
        }
        const char *value = dollar || plain ? let_value(r, s + dollar, n) : NULL;
        if (dollar && !value) return *bad = arena_strndup(r->a, s, n + 1), NULL;
        if (value) text_put(&t, value);
        else text_putn(&t, s, n);
        s += n + dollar;
    }
    return arena_strdup(r->a, text_str(&t));
}

static bool fail(Recipe *r, Loc loc, const char *what, const char *of) {
    diag(r->c, DIAG_ERROR, SC_RECIPE, loc, what, of);
    return false;
}

// let NAME = VALUE
static bool add_let(Recipe *r, Loc loc, const char *line) {
    const char *s = line + 3, *bad = NULL;
    s += strspn(s, " \t");
    size_t n = name_length(s);
    const char *eq = s + n + strspn(s + n, " \t");
    if (!n || *eq != '=') return fail(r, loc, "a constant is: let NAME = VALUE (%s)", line);
    Let l = {arena_strndup(r->a, s, n), NULL};
    const char *v = eq + 1 + strspn(eq + 1, " \t");
    size_t len = strcspn(v, "#");
    while (len && isspace((unsigned char)v[len - 1])) len--;
    if (!len || strcspn(v, " \t") < len) return fail(r, loc, "the value of %s must be one word", l.name);
    char *text = replace_names(r, arena_strndup(r->a, v, len), true, &bad);
    if (!text) return fail(r, loc, "%s is no constant of this recipe; 'let' makes one", bad);
    int64_t number;
    l.value = step_int(text, &number) ? arena_printf(r->a, "%lld", (long long)number) : text;
    vec_push(r->a, &r->lets, l);
    return true;
}

// Knob values lose their names and, where they are arithmetic, become the number.
static bool set_knobs(Recipe *r, Step *s) {
    for (int i = 0; i < s->nknobs; i++) {
        const char *bad = NULL;
        char *text = replace_names(r, s->knobs[i].value, true, &bad);
        if (!text) return fail(r, s->loc, "%s is no constant of this recipe; 'let' makes one", bad);
        int most = (int)strlen(text) + 1;
        const char **part = NEW_N(r->a, const char *, most);
        int n = step_list(r->a, text, part, most);
        Text t = text_new(r->a);
        for (int k = 0; k < n; k++) {
            int64_t v;
            if (step_int(part[k], &v)) text_printf(&t, "%s%lld", k ? "," : "", (long long)v);
            else text_printf(&t, "%s%s", k ? "," : "", part[k]);
        }
        s->knobs[i].value = arena_strdup(r->a, text_str(&t));
    }
    return true;
}

// ---- judging --------------------------------------------------------------------------------------
static Expr *conjunction(Arena *a, Expr *x, Expr *y) {
    return !x || expr_is_int(x, 1) ? y : !y ? x : expr_op(a, OP_LAND, x, y, NULL);
}

// The set without what it says of parameters that `given` fixes: a number that was asked for may be small.
static __isl_give isl_set *but_for_fixed(__isl_take isl_set *s, __isl_keep isl_set *given) {
    for (int k = 0; k < isl_set_dim(given, isl_dim_param); k++) {
        isl_val *v = isl_set_plain_get_val_if_fixed(given, isl_dim_param, k);
        bool fixed = v && isl_val_is_int(v) == isl_bool_true;
        isl_val_free(v);
        int at =
            fixed ? isl_set_find_dim_by_name(s, isl_dim_param, isl_set_get_dim_name(given, isl_dim_param, k))
                  : -1;
        if (at >= 0) s = isl_set_eliminate(s, isl_dim_param, (unsigned)at, 1);
    }
    return s;
}

bool recipe_is_worthless(Compile *c, const Region *region, Expr *given, Expr *when) {
    Node *loop = NULL;
    node_each(n, region->root)
        if (n->kind == N_FOR && !loop) loop = n;
    if (!loop || !when) return false;
    poly_restart(c);
    Relations *rel = relations_new(c, region, region->root);
    isl_set *ok = poly_cond(rel->poly, (PolyScope){0, NULL}, when, NULL),
            *useful = isl_set_copy(worthwhile(rel, loop));
    isl_set *known =
        given && !expr_is_int(given, 1) ? poly_cond(rel->poly, (PolyScope){0, NULL}, given, NULL) : NULL;
    if (known) useful = but_for_fixed(useful, known);
    ok = ok ? isl_set_intersect(isl_set_params(ok), useful) : (isl_set_free(useful), NULL);
    bool nothing = ok && isl_set_is_empty(ok) == isl_bool_true;
    isl_set_free(ok);
    isl_set_free(known);
    return nothing && !poly_gave_up(rel->poly);
}

// What somebody vouches for, behind his reason in the recipe that the nest carries: "trust K: reason
// [S0 at line 3 must stay before S0 at line 3 (both touch x)]".
static const char *with_pair(Arena *a, const char *recipe, const char *why) {
    const char *last = NULL;
    for (const char *s = recipe; s && *s; s += strcspn(s, "\n"), s += *s == '\n')
        if (strncmp(s, "trust ", 6) == 0) last = s;
    size_t n = last ? strcspn(last, "\n") : 0;
    if (!last || memchr(last, '[', n)) return recipe;
    return arena_printf(a, "%.*s [%s]%s", (int)(last + n - recipe), recipe, why, last + n);
}

// The nest with what the judge says; false after diag(): refused.
static bool judge(Recipe *r, Loc loc, const char *what, Verdict *v) {
    *v = dep_judge_nest(r->c, r->nest);
    Nest *n = NEW_AS(r->a, Nest, *r->nest);
    r->nest = n;
    const char *why = v->why ? v->why : "the judge cannot say why";
    bool worthless = v->answer == ANSWER_WHEN && recipe_is_worthless(r->c, n->region, n->when, v->when);
    bool refused = v->answer == ANSWER_NEVER || worthless;
    // What only the data tell is for a person to say.
    if (refused && v->doubt) v->answer = ANSWER_UNKNOWN, refused = false;
    if (refused) {
        const char *but =
            worthless ? arena_printf(r->a, ", but for sizes where %s", ir_print_expr(r->a, v->when)) : "";
        diag(r->c, DIAG_ERROR, SC_RULE_ILLEGAL, loc, "%s would change the meaning%s: %s", what, but, why);
        return false;
    }
    if (v->answer == ANSWER_WHEN) n->when = conjunction(r->a, n->when, v->when);
    if (v->answer == ANSWER_UNKNOWN && !r->trust && !r->trusted) {
        diag(r->c, DIAG_ERROR, SC_RULE_ILLEGAL, loc,
             "whether %s keeps the meaning cannot be decided: %s; a line 'trust NAME: reason' before it lets "
             "it stand",
             what, why);
        return false;
    }
    if (v->answer == ANSWER_UNKNOWN)
        r->trusted = true, n->recipe = with_pair(r->a, n->recipe, why), n->reason = why;
    n->proof = r->trusted ? PROOF_BELIEVED : PROOF_PROVED;
    return true;
}

static bool verify(Recipe *r, Loc loc, const char *what) {
    Loc where;
    const char *why = verify_nest(r->a, nest_closed(r->c->arena, r->nest), &where);
    if (!why) return true;
    diag(r->c, DIAG_ERROR, SC_RULE_SHAPE, loc, "%s leaves a nest that can't run: %s", what, why);
    return false;
}

static void tell(Recipe *r, const char *text, Verdict v) {
    RecipeStep s = {r->number, text, r->nest, v};
    if (r->o->after) r->o->after(&s, r->o->arg);
}

// ---- lines ------------------------------------------------------------------------------------------
// trust NAME: reason
static bool add_trust(Recipe *r, Loc loc, const char *line) {
    const char *s = line + 5, *colon = strchr(s, ':');
    if (!colon || strspn(colon + 1, " \t\r") == strlen(colon + 1))
        return fail(r, loc, "an override is: trust NAME: reason (%s)", line);
    s += strspn(s, " \t");
    if (!name_length(s)) return fail(r, loc, "who vouches? An override is: trust NAME: reason (%s)", line);
    r->trust = arena_strdup(r->a, line);
    return true;
}

static bool apply_step(Recipe *r, Loc loc, const char *line) {
    const char *bad = NULL, *text = replace_names(r, line, false, &bad);
    if (!text) return fail(r, loc, "%s is no constant of this recipe; 'let' makes one", bad);
    Step *s = step_parse(r->c, loc, text);
    if (!s || !set_knobs(r, s)) return false;
    if (!s->rule) return true;
    Nest before = *r->nest;
    if (r->trust) before.recipe = arena_printf(r->a, "%s%s\n", before.recipe, r->trust);
    Nest *n = rule_apply(r->c, &before, s);
    if (!n) return false;
    r->nest = n;
    r->number++;
    Verdict v = {ANSWER_UNKNOWN, NULL, NULL};
    text = step_print(r->a, s);
    if (!verify(r, loc, text)) return false;
    if (r->o->judging == JUDGE_EACH && !judge(r, loc, text, &v)) return false;
    r->trusted = r->trusted || (r->trust && r->o->judging != JUDGE_EACH);
    r->trust = NULL;
    tell(r, text, v);
    return true;
}

static bool has_word(const char *line, const char *word) {
    size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t');
}

bool recipe_is_word(const char *word) {
    static const char *const words[] = {"let", "trust", "maybe", "unless", "target"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (str_eq(word, words[k])) return true;
    return false;
}

static bool is_left_out(const Recipe *r, const char *name) {
    for (int i = 0; i < r->without.n; i++)
        if (str_eq(r->without.at[i], name)) return true;
    return false;
}

// The NAME and the STEP of "maybe NAME: STEP"; false: it is none.
static bool optional_parts(Arena *a, const char *line, const char **name, const char **step) {
    const char *s = line + strcspn(line, " \t");
    s += strspn(s, " \t");
    const char *colon = strchr(s, ':');
    size_t n = colon ? (size_t)(colon - s) : 0;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    if (!n || strcspn(s, " \t,") < n) return false;
    *name = arena_strndup(a, s, n);
    *step = colon + 1 + strspn(colon + 1, " \t");
    return true;
}

static bool apply_optional(Recipe *r, Loc loc, const char *line) {
    const char *name, *step;
    bool maybe = has_word(line, "maybe");
    if (!optional_parts(r->a, line, &name, &step))
        return fail(r, loc, "an optional step is: maybe NAME: STEP, or unless NAME: STEP (%s)", line);
    if (maybe == is_left_out(r, name)) return true;
    int before = r->c->diags.n, errors = r->c->errors;
    bool ok = has_word(step, "trust") ? add_trust(r, loc, step) : apply_step(r, loc, step);
    if (ok || !maybe) return ok;
    r->missing = name;
    r->why = r->c->diags.n > before ? r->c->diags.at[r->c->diags.n - 1].text : "it does not fit";
    r->c->diags.n = before;
    r->c->errors = errors;
    return false;
}

static bool apply_line(Recipe *r, Loc loc, const char *line) {
    if (has_word(line, "let")) return add_let(r, loc, line);
    if (has_word(line, "trust")) return add_trust(r, loc, line);
    if (has_word(line, "maybe") || has_word(line, "unless")) return apply_optional(r, loc, line);
    if (has_word(line, "target")) {
        if (recipe_target(r->a, line)) return true;
        return fail(r, loc, "the target is gpu or cpu (%s)", line);
    }
    return apply_step(r, loc, line);
}

// The next line of *text without its end and leading blanks; false: none.
static bool next_line(Arena *a, const char **text, const char **line, int *col) {
    if (!**text) return false;
    size_t n = strcspn(*text, "\n"), blank = strspn(*text, " \t");
    if (blank > n) blank = n;
    *line = arena_strndup(a, *text + blank, n - blank);
    *col = (int)blank + 1;
    *text += n + ((*text)[n] == '\n');
    return true;
}

const char *recipe_target(Arena *a, const char *text) {
    const char *line;
    int col;
    while (next_line(a, &text, &line, &col)) {
        if (!has_word(line, "target")) continue;
        const char *s = line + 6 + strspn(line + 6, " \t");
        size_t n = name_length(s), rest = strspn(s + n, " \t\r");
        if (n == 3 && (!s[n + rest] || s[n + rest] == '#')) {
            if (strncmp(s, "gpu", 3) == 0) return "gpu";
            if (strncmp(s, "cpu", 3) == 0) return "cpu";
        }
    }
    return NULL;
}

const char *plan_catalogue(Arena *a) {
    Text t = text_new(a);
    for (const Rule *const *r = rule_catalogue; *r; r++) {
        text_printf(&t, "%s\n%s\n%s\n", (*r)->usage, (*r)->summary, (*r)->picture ? (*r)->picture : "");
        for (int k = 0; k < (*r)->nknobs; k++) {
            const Knob *x = &(*r)->knobs[k];
            text_printf(&t, "%s %d %lld %lld %s\n", x->name, (int)x->kind, (long long)x->min,
                        (long long)x->max, x->standard ? x->standard : "!");
        }
    }
    return digest_text(a, digest_of(t.s, t.n));
}

int recipe_optional(Arena *a, const char *text, const char **out) {
    const char *line, *name, *step;
    int n = 0, col;
    while (next_line(a, &text, &line, &col)) {
        if (!has_word(line, "maybe") || !optional_parts(a, line, &name, &step)) continue;
        bool known = false;
        for (int k = 0; k < n; k++) known = known || str_eq(out[k], name);
        if (!known && n < RECIPE_OPTIONAL) out[n++] = name;
    }
    return n;
}

static bool apply_lines(Recipe *r, const Nest *start, const char *text, Loc *loc) {
    r->nest = NEW(r->a, Nest);
    *r->nest = *start;
    if (!r->nest->recipe) r->nest->recipe = "";
    tell(r, "", (Verdict){ANSWER_ALWAYS, NULL, NULL});
    *loc = (Loc){r->o->file, 0, 1};
    const char *line;
    while (next_line(r->a, &text, &line, &loc->col)) {
        loc->line++;
        if (!apply_line(r, *loc, line)) return false;
    }
    loc->col = 1;
    return true;
}

// Which optional steps stay out: those that `without` names, and those that do not fit with what
// stands before them, found by trying, from the beginning again after each.
static Recipe begin(Compile *c, const Nest *start, const char *text, const RecipeOptions *o) {
    Recipe r = {.c = c, .a = c->arena, .o = o};
    const char *all[RECIPE_OPTIONAL], *part[STEP_MAX];
    int n = o->without ? step_list(r.a, o->without, part, STEP_MAX) : 0,
        optional = recipe_optional(r.a, text, all);
    for (int i = 0; i < n; i++) vec_push(r.a, &r.without, part[i]);
    RecipeOptions quiet = *o;
    quiet.after = NULL;
    for (int i = 0; i < optional; i++) {
        Recipe dry = {.c = c, .a = c->arena, .o = &quiet, .without = r.without};
        Loc loc;
        int before = c->diags.n, errors = c->errors;
        if (apply_lines(&dry, start, text, &loc) || !dry.missing) {
            c->diags.n = before, c->errors = errors; // told when it is done in earnest
            break;
        }
        diag(c, DIAG_REMARK, SC_RECIPE, loc, "the optional steps '%s' are left out: %s", dry.missing,
             dry.why);
        vec_push(r.a, &r.without, dry.missing);
    }
    return r;
}

Nest *recipe_then(Compile *c, const Nest *n, const char *line, const char **why) {
    const char *reason;
    int diags = c->diags.n, errors = c->errors;
    const Step *step = step_parse(c, (Loc){0}, line);
    Nest *m = step ? rule_try(c, n, step, why ? why : &reason) : NULL;
    c->diags.n = diags, c->errors = errors;
    return m;
}

Nest *recipe_follow(Compile *c, const Nest *start, const char *text, const RecipeOptions *o) {
    Recipe r = begin(c, start, text, o);
    Loc loc;
    return apply_lines(&r, start, text, &loc) ? r.nest : NULL;
}

Nest *recipe_apply(Compile *c, const Nest *start, const char *text, const RecipeOptions *o) {
    Recipe r = begin(c, start, text, o);
    Loc loc;
    if (!apply_lines(&r, start, text, &loc)) return NULL;
    r.nest = recipe_finish(c, r.nest);
    if (!verify(&r, loc, "the recipe")) return NULL;
    if (o->judging == JUDGE_NONE) {
        r.nest->proof = PROOF_TESTED;
        return r.nest;
    }
    Verdict v;
    return judge(&r, loc, "the recipe", &v) ? r.nest : NULL;
}
