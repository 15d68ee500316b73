// SPDX-License-Identifier: MIT
// emit.c -- `sculpt emit`: the kernels of a file's regions, or any text on the way to them.
#include "driver/explain.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct Order {
    const char *target;   // cuda, opencl, c
    const char *dump;     // region, nest; NULL: kernels
    const char *from;     // a nest text to start from
    bool host, wide, lines, early;
    const char *known;    // NAME=VALUE: a size that the kernels may rely on
    json_t *list;         // --json: what would have been printed, one object a text
    EmitTexts *ahead;     // helper functions that were printed; NULL: each text has its own
    const char *file;
    const char *stray;    // an option that nobody knows
    Flags *f;
} Order;

static const char *read_order(Arena *a, int argc, char **argv, Order *o) {
    char **rest = NEW_N(a, char *, argc + 1);
    int nrest = 0;
    const char *why = NULL;
    for (int i = 0; i < argc; i++) {
        int used = word_valued("--target", i, argc, argv, &o->target);
        if (!used) used = word_valued("--dump", i, argc, argv, &o->dump);
        if (!used) used = word_valued("--from", i, argc, argv, &o->from);
        if (!used) used = word_valued("--define", i, argc, argv, &o->known);
        if (used < 0) return arena_printf(a, "%s needs a value", argv[i]);
        if (used) i += used - 1;
        else if (str_eq(argv[i], "--host")) o->host = true;
        else if (str_eq(argv[i], "--wide")) o->wide = true;
        else if (str_eq(argv[i], "--lines")) o->lines = true;
        else if (str_eq(argv[i], "--early")) o->early = true;
        else if (str_eq(argv[i], "--json")) o->list = json_array();
        else rest[nrest++] = argv[i];
    }
    if (!(o->f = flags_parse(a, nrest, rest, &why))) return why;
    if ((o->stray = flags_stray(a, o->f, "emit"))) return "";
    if (o->from) return o->f->inputs.n ? "--from stands in the place of a C file" : NULL;
    if (o->f->inputs.n != 1) return "one C file is needed";
    if (word_is_cpp(o->f->inputs.at[0].path)) return "C++ is not read; one C file is needed";
    o->file = o->f->inputs.at[0].path;
    return NULL;
}

static const char *check_order(Arena *a, const Order *o) {
    if (o->dump && !str_eq(o->dump, "region") && !str_eq(o->dump, "nest"))
        return "--dump takes region or nest";
    if (o->target && !str_eq(o->target, "cuda") && !str_eq(o->target, "opencl") && !str_eq(o->target, "c"))
        return arena_printf(a, "--target takes cuda, opencl or c, not '%s'%s", o->target,
                            word_meant(a, o->target, (const char *const[]){"cuda", "opencl", NULL}));
    if (!o->target && !o->dump) return "--target cuda, opencl or c is needed";
    if (o->host && str_eq(o->target, "c")) return "--host is for --target cuda or opencl";
    if (o->early && (o->host || !str_eq(o->target, "cuda")))
        return "--early is for --target cuda, without --host";
    const char *is = o->known ? strchr(o->known, '=') : NULL;
    if (o->known && (!is || !is[1] || is[1 + strspn(is + 1, "-0123456789")]))
        return "--define takes NAME=NUMBER";
    return NULL;
}

static const char *kind_of(const Order *o) {
    return !o->target ? NULL : str_eq(o->target, "c") ? "cpu" : "gpu";
}

// One text on its way out. target: the dialect, or the kind of machine of a nest; NULL: a region.
static void put_text(const Order *o, const Region *r, const char *what, const char *target,
                     const char *text) {
    if (!o->list) {
        fputs(text, stdout);
        return;
    }
    json_array_append_new(o->list, json_pack("{s:s, s:s?, s:i, s:s, s:s?, s:s}", "region", r->name, "file",
                                             r->loc.file, "line", r->loc.line, "what", what, "target", target,
                                             "text", text));
}

// --define NAME=VALUE: the parameter and its value; NULL after diag(): the region has none of that name, or
// its type does not hold the value.
static const Sym *known_size(Compile *c, const Order *o, const Region *r, int64_t *value) {
    size_t n = strcspn(o->known, "=");
    const Sym *known = NULL;
    for (int i = 0; i < r->nparams && !known; i++)
        if (strlen(r->params[i]->name) == n && type_is_int(r->params[i]->type) &&
            strncmp(r->params[i]->name, o->known, n) == 0)
            known = r->params[i];
    *value = strtoll(o->known + n + 1, NULL, 10);
    if (known && (known->type != T_I32 || *value == (int32_t)*value)) return known;
    diag(c, DIAG_WARNING, SC_USAGE, r->loc,
         known ? "--define %s is more than an int holds"
               : "--define %s: the loops have no integer parameter of that name",
         o->known);
    return NULL;
}

// Prints one nest as the order says. False: the emitter refused.
static bool put_nest(Compile *c, const Order *o, const Nest *n) {
    int64_t value;
    const Sym *known = o->known ? known_size(c, o, n->region, &value) : NULL;
    EmitOptions e = {.dialect = str_eq(o->target, "cuda") ? DIALECT_CUDA
                                : str_eq(o->target, "opencl") ? DIALECT_OPENCL : DIALECT_C,
                     .wide = o->wide, .lines = o->lines, .early = o->early, .fast_math = c->fast_math,
                     .nknown = known ? 1 : 0, .known = &known, .value = &value, .ahead = o->ahead};
    char *text = o->host ? emit_program(c, n, &e) : emit_kernels(c, n, &e);
    if (text) put_text(o, n->region, o->host ? "program" : "kernels", o->target, text);
    return text != NULL;
}

// One region with its nests. Returns how many texts were printed, -1 for a refusal.
static int put_region(Compile *c, const Order *o, const Region *r, int n, Nest *const *nests) {
    const char *kind = kind_of(o);
    int printed = 0;
    if (str_eq(o->dump, "region"))
        return put_text(o, r, "region", NULL, pipeline_text(c->arena, r, 0, NULL)), 1;
    if (str_eq(o->dump, "nest") && !kind)
        return n ? (put_text(o, r, "nest", NULL, pipeline_text(c->arena, r, n, nests)), n) : 0;
    for (int i = 0; i < n; i++) {
        if (!str_eq(nests[i]->target, kind)) continue;
        if (o->dump) put_text(o, r, "nest", kind, pipeline_text(c->arena, r, 1, &nests[i]));
        else if (!put_nest(c, o, nests[i])) return -1;
        printed++;
    }
    return printed;
}

// The regions of a C file. Returns how many texts were printed, -1 for an error.
static int put_file(Compile *c, const Order *o) {
    // Only what is printed is planned.
    o->f->one_shape = true;
    o->f->no_shapes = o->host || (o->target && str_eq(o->target, "c"));
    Unit *u = pipeline_read(c, o->file, o->f);
    int total = 0;
    for (int i = 0; u && i < u->nparts; i++) {
        const Part *p = &u->parts[i];
        if (!p->front->region) continue;
        Nest *nests[2];
        int n = 0;
        // The kernel for large sizes; a whole program takes the one for all.
        if (p->nshaped && !o->host) nests[n++] = p->shaped[0];
        else if (p->gpu) nests[n++] = p->gpu;
        if (p->cpu) nests[n++] = p->cpu;
        if (o->host && total) break; // one program holds one region
        int printed = put_region(c, o, p->front->region, n, nests);
        if (printed < 0) return -1;
        total += printed;
    }
    return u ? total : -1;
}

static int put_from(Compile *c, const Order *o) {
    char *text = file_read(c->arena, o->from, NULL);
    if (!text) {
        diag(c, DIAG_ERROR, SC_FILE_IO, (Loc){0}, "cannot read '%s'", o->from);
        return -1;
    }
    flags_grant(o->f, c);
    IrFile *f = ir_parse(c, o->from, text);
    if (!f) return -1;
    if (f->nnests || str_eq(o->dump, "region")) return put_region(c, o, f->region, f->nnests, f->nests);
    const DepInfo *d = dep_analyze(c, f->region); // a region alone is planned here
    const char *kind = kind_of(o) ? kind_of(o) : "gpu";
    Nest *n = o->f->recipe ? pipeline_follow(c, f->region, d, kind, o->f)
                           : plan_default(c, f->region, d, &(PlanOptions){kind, true});
    if (!n && o->f->recipe) return -1;
    return n ? put_region(c, o, f->region, 1, &n) : 0;
}

int emit_main(int argc, char **argv) {
    Compile *c = compile_new();
    Order o = {0};
    const char *why = read_order(c->arena, argc, argv, &o);
    if (!why) why = check_order(c->arena, &o);
    if (why) {
        int status = o.stray ? usage_stray("emit", o.stray) : usage_error("emit", "%s", why);
        compile_free(c);
        return status;
    }
    if (!advice_machines("emit")) return compile_free(c), 2;
    if (!o.list) o.ahead = NEW(c->arena, EmitTexts);
    int printed = o.from ? put_from(c, &o) : put_file(c, &o);
    if (o.list) {
        json_dumpf(o.list, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(o.list);
    }
    diags_show(c, 0, o.f, true);
    int status = printed > 0 ? 0 : c->errors ? diags_status(c) : printed < 0 ? 1 : 2;
    if (printed == 0)
        say_error(SC_NO_REGION, "%s has no region for %s", o.from ? o.from : o.file,
                  o.target ? o.target : o.dump);
    compile_free(c);
    return status;
}
