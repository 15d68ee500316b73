// SPDX-License-Identifier: MIT
// explain.c -- `sculpt explain`: what was understood of each region, why loops stay, and what costs time.
#include "driver/explain.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mark_name(MarkKind m) {
    static const char *const names[] = {"found by --auto", "#pragma scop", "#pragma sculpt",
                                        "#pragma acc", "#pragma omp"};
    return names[m];
}

static const DiagCode codes[] = {
#define DIAG(code, name, what) SC_##name,
#include "base/diag.def"
#undef DIAG
};
enum { NCODES = sizeof codes / sizeof *codes };

static const char *code_meant(Arena *a, const char *code) {
    const char *names[NCODES + 1] = {NULL};
    for (int i = 0; i < NCODES; i++) names[i] = arena_printf(a, "SC%04d", codes[i]);
    return word_meant(a, code, names);
}

static int explain_code(const char *text) {
    const char *digits = str_has_prefix(text, "SC") ? text + 2 : text;
    char *end;
    long code = strtol(digits, &end, 10);
    const char *what = *digits && !*end ? diag_explain((DiagCode)code) : "";
    if (*what) return printf("SC%04ld: %s\n", code, what), 0;
    Arena *a = arena_new();
    usage_error("explain", "there is no diagnostic '%s'%s", text,
                code_meant(a, arena_printf(a, "SC%s", digits)));
    arena_free(a);
    return 2;
}

// ---- the report ---------------------------------------------------------------------------------------
static Subject *subject_of(Compile *c, const Advice *d, const FrontUnit *u, const Part *p) {
    Subject *s = NEW(c->arena, Subject);
    const Region *r = p->front->region;
    *s = (Subject){.name = r ? r->name : "loops",
                   .loc = p->front->loc,
                   .kind = mark_name(p->front->marked),
                   .host_why = p->host_why};
    s->first = flat_place(u->flat, p->front->pragma_begin).line;
    s->last = flat_place(u->flat, p->front->end).line;
    facts_of(c, p, s);
    if (!p->dep) {
        s->host_why = "see the remarks";
        return s;
    }
    s->now = advice_of(c, d, p, false, 0);
    Aside *now = advice_texts(c, d, s->now);
    advice_fill(c, d, s->now);
    if (p->front->looks_at && s->now && s->now->cost)
        model_looks(c->arena, &s->now->findings, s->now->cost, d->m, p->front->looks, p->front->looks_at);
    if (d->travel) advice_travel(c, d, s);
    ladder_of(c, d, p, s);
    Aside *before = advice_texts(c, d, s->before);
    if (d->fix) s->fix = advice_fix(c, d, p, s->now, p->followed ? d->recipe : NULL);
    if (now) s->now->kernels = aside_end(now);
    if (before) s->before->kernels = aside_end(before);
    return s;
}

// The files that a unit's text is made of.
static void add_sources(Report *r, const Flat *f) {
    for (int i = 0; i < f->pieces.n; i++) {
        const char *file = f->pieces.at[i].file;
        bool known = false;
        for (int k = 0; k < r->sources.n; k++) known |= str_eq(r->sources.at[k].file, file);
        const char *text = known ? NULL : f->pieces.n == 1 ? f->text : file_read(r->a, file, NULL);
        if (text) vec_push(r->a, &r->sources, ((Source){file, text}));
    }
}

// Everything of a file's units, ready to be printed.
static Report *explain_report(Compile *c, const Advice *d, int n, Unit *const *units) {
    Report *r = NEW_AS(c->arena, Report, (Report){.a = c->arena, .m = d->m});
    for (int i = 0; i < n; i++) {
        const FrontUnit *u = units[i]->front;
        add_sources(r, u->flat);
        for (int k = 0; k < units[i]->nparts; k++)
            vec_push(r->a, &r->subjects, subject_of(c, d, u, &units[i]->parts[k]));
    }
    r->ndiags = c->diags.n;
    r->diags = c->diags.at;
    return r;
}

// ---- a region at a time ----------------------------------------------------------------------------------
// What planning a region takes is of no use to the next one, and is many times what is said of it. So each is
// looked at in a child of its own, some of them side by side.
typedef struct Look {
    Compile *c;
    const Advice *d;
    const FrontUnit *u;
    const Part *part;
    Aside *aside;
} Look;

static const char *text_of(const Look *l) {
    Report r = {.a = l->c->arena, .m = l->d->m};
    char *text = NULL;
    size_t n;
    vec_push(r.a, &r.subjects, subject_of(l->c, l->d, l->u, l->part));
    FILE *out = open_memstream(&text, &n);
    if (!out) return NULL;
    report_text(out, &r);
    fclose(out);
    const char *kept = arena_strdup(r.a, text);
    free(text);
    return kept;
}

// NULL: there is something to report, too.
static const char *text_alone(void *arg) {
    const Look *l = arg;
    int before = l->c->diags.n;
    const char *text = text_of(l);
    return l->c->diags.n > before ? NULL : text;
}

static void explain_each(Compile *c, const Advice *d, int n, Unit *const *units) {
    VEC(Look) all = {0};
    int begun = 0, beside = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < units[i]->nparts; k++)
            vec_push(c->arena, &all, ((Look){c, d, units[i]->front, &units[i]->parts[k], NULL}));
    for (int i = 0; i < all.n; i++) {
        for (; begun < all.n && begun < i + beside; begun++)
            all.at[begun].aside = aside_begin(c->arena, text_alone, &all.at[begun]);
        const char *text = aside_end(all.at[i].aside);
        if (!text) text = text_of(&all.at[i]);
        if (text) fputs(text, stdout);
    }
}

// ---- the words ------------------------------------------------------------------------------------------
static int explain_files(Compile *c, Flags *f, Advice *d) {
    Unit **units = NEW_N(c->arena, Unit *, f->inputs.n);
    d->recipe = f->recipe;
    d->judging = f->judging;
    int n = advice_units(c, f, d, units);
    if (d->json || d->sarif || d->html || d->fix) {
        const Report *r = explain_report(c, d, n, units);
        if (d->fix) explain_put_fixes(c, r, d->fix);
        if (d->json) explain_put(explain_json(c, n, units, r));
        explain_print(c, r, d, NULL);
    } else {
        explain_each(c, d, n, units);
    }
    fflush(stdout);
    if (!d->json && !d->sarif) diags_show(c, 0, f, true);
    return diags_status(c);
}

int explain_main(int argc, char **argv) {
    if (argc == 1 && str_eq(argv[0], "--code"))
        return usage_error("explain", "--code needs a number, SC0105");
    if (argc == 2 && str_eq(argv[0], "--code")) return explain_code(argv[1]);
    if (has_kernel_file(argc, argv)) return explain_kernel(argc, argv);
    Compile *c = compile_new();
    const char *why = "a C file is needed", *rule = NULL, *nests = NULL;
    bool legal = false, patterns = false;
    Advice advice = {0};
    char **rest = NEW_N(c->arena, char *, argc + 1);
    int nrest = 0, status = 2;
    for (int i = 0; i < argc; i++) {
        const char *wrong = NULL;
        int used = word_valued("--why", i, argc, argv, &rule);
        if (!used) used = advice_word(c->arena, &advice, i, argc, argv, &wrong);
        if (wrong) return compile_free(c), usage_error("explain", "%s", wrong);
        if (used > 0) i += used - 1;
        else if (str_eq(argv[i], "--legal")) legal = true;
        else if (str_eq(argv[i], "--patterns")) patterns = true;
        else if (str_has_suffix(argv[i], ".nest")) nests = argv[i];
        else rest[nrest++] = argv[i];
    }
    const char *stray;
    Flags *f = flags_parse(c->arena, nrest, rest, &why);
    if (f && (stray = flags_stray(c->arena, f, "explain"))) usage_stray("explain", stray);
    else if (nests) status = advice_begin(c, "explain", &advice) ? explain_nests(c, &advice, nests) : 2;
    else if (!f || !f->inputs.n) usage_error("explain", "%s", why);
    else if (patterns) status = explain_patterns(c, f);
    else if (rule || legal) status = explain_rules(c, f, rule, advice.json);
    else if (advice_begin(c, "explain", &advice)) status = explain_files(c, f, &advice);
    compile_free(c);
    return status;
}
