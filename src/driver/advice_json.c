// SPDX-License-Identifier: MIT
// advice_json.c -- the advisor's figures and findings for programs: JSON, and SARIF for editors.
#include "driver/explain_model.h"
#include <jansson.h>

static json_t *text(const char *s) { return s ? json_string(s) : json_null(); }

static json_t *place(Loc loc) { return json_pack("{s:o, s:i, s:i}", "file", text(loc.file), "line", loc.line, "column", loc.col); }

static json_t *access(const KernelCost *k, const AccessCost *c) {
    json_t *o = json_pack("{s:s, s:s, s:i, s:o, s:b, s:b, s:b, s:b, s:b, s:i, s:f, s:o}", "access", c->text, "array", c->array->name, "statement", node_leaf_number(k->kernel, c->node), "place", place(c->loc), "write", c->write, "shared",
                          c->shared, "atomic", c->atomic, "async", c->async, "assumed", c->assumed, "bytes", c->width, "requests", c->requests, "lane_stride",
                          c->strided ? json_integer(c->stride) : json_null());
    if (c->shared) {
        json_object_set_new(o, "wavefronts_per_request", json_real(c->wavefronts / c->requests));
        json_object_set_new(o, "wavefronts_without_conflicts", json_real(c->wavefronts_ideal / c->requests));
        json_object_set_new(o, "ways", json_integer(c->ways));
    } else {
        json_object_set_new(o, "sectors_per_request", json_real(c->sectors / c->requests));
        json_object_set_new(o, "ideal_sectors_per_request", json_real(c->ideal / c->requests));
        json_object_set_new(o, "lines_per_request", json_real(c->lines / c->requests));
        json_object_set_new(o, "useful", json_real(c->moved > 0 ? c->useful / c->moved : 1));
        json_object_set_new(o, "misaligned", json_real(c->misaligned / c->requests));
    }
    return o;
}

static json_t *mix(const InstructionMix *m) {
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "fp32", m->fp32, "fp64", m->fp64, "special", m->special, "addresses", m->integer,
                     "global", m->global, "shared", m->shared, "control", m->control);
}

static json_t *times(const TimeCost *t) {
    json_t *by = json_object();
    for (int b = 0; b < BOUND_COUNT; b++) json_object_set_new(by, limit_name((Limit)b), json_real(t->by[b]));
    return json_pack("{s:f, s:f, s:s, s:o, s:f, s:f, s:f, s:f, s:f}", "seconds", t->seconds, "launch_seconds", t->launch, "limit", limit_name(t->limit), "parts", by, "roofline_seconds",
                     t->roof, "compulsory_bytes", t->compulsory, "last_level_bytes", t->l2_bytes, "memory_bytes", t->dram_bytes, "intensity", t->intensity);
}

static json_t *occupancy(const Occupancy *o, int64_t registers) {
    return json_pack("{s:I, s:I, s:f, s:s, s:o}", "blocks", (json_int_t)o->blocks, "warps", (json_int_t)o->warps, "share", o->share, "limit",
                     occupancy_limit_name(o->limit), "registers", registers ? json_integer(registers) : json_null());
}

static json_t *machine_code(const SassMix *s) {
    json_t *o = json_pack("{s:o, s:o, s:b, s:f}", "text", mix(&s->all), "inner_loop", mix(&s->inner), "loop", s->loop, "floating_point", mix_share(&s->inner));
    json_object_set_new(o, "shared_loads", json_pack("{s:i, s:i, s:i}", "4", s->joined[0], "8", s->joined[1], "16", s->joined[2]));
    return o;
}

static json_t *kernel(const KernelCost *k, const TimeCost *t, const SassMix *code) {
    json_t *o = json_pack("{s:s, s:[I, I, I], s:I, s:I, s:f, s:o}", "name", k->name, "grid", (json_int_t)k->grid[0], (json_int_t)k->grid[1],
                          (json_int_t)k->grid[2], "threads", (json_int_t)k->threads, "shared_bytes", (json_int_t)k->shared, "launches", k->launches,
                          "refused", text(k->refused));
    if (k->refused) return o;
    json_t *list = json_array(), *branches = json_array();
    for (int i = 0; i < k->naccesses; i++) json_array_append_new(list, access(k, k->accesses[i]));
    for (int i = 0; i < k->nbranches; i++) {
        const BranchCost *b = k->branches[i];
        json_array_append_new(branches, json_pack("{s:o, s:b, s:b, s:f, s:f, s:f, s:f}", "place", place(b->loc), "loop", b->loop, "assumed", b->assumed,
                                                  "warps", b->warps, "split", b->split, "idle_lanes", b->idle, "busy_lanes", b->busy));
    }
    json_object_set_new(o, "predicted", times(t));
    json_object_set_new(o, "occupancy", occupancy(&t->occupancy, t->registers));
    json_object_set_new(o, "flops", json_real(k->flops));
    json_object_set_new(o, "lanes_at_work", json_real(k->efficiency));
    json_object_set_new(o, "instructions", mix(&k->mix));
    if (k->inner_loop) json_object_set_new(o, "inner_loop", mix(&k->inner));
    json_object_set_new(o, "floating_point", json_real(mix_share(k->inner_loop ? &k->inner : &k->mix)));
    json_object_set_new(o, "machine_code", code && code->known ? machine_code(code) : json_null());
    json_object_set_new(o, "accesses", list);
    json_object_set_new(o, "branches", branches);
    return o;
}

static json_t *findings(const Findings *f) {
    json_t *list = json_array();
    for (int i = 0; i < f->n; i++) {
        const Finding *x = &f->at[i];
        json_array_append_new(list, json_pack("{s:i, s:s, s:o, s:o, s:s, s:f, s:o, s:b, s:b}", "number", i + 1, "kind", finding_name(x->kind), "place",
                                              place(x->loc), "kernel", text(x->kernel), "text", x->text, "share", x->share, "cure", text(x->cure),
                                              "step", x->step, "assumed", x->assumed));
    }
    return list;
}

static json_t *advised(const Advice *d, const Advised *v) {
    if (!v) return json_null();
    if (v->why) return json_pack("{s:s, s:s}", "machine", d->m->name, "why", v->why);
    json_t *kernels = json_array(), *sizes = json_object();
    for (int k = 0; k < v->nvals; k++) json_object_set_new(sizes, v->vals[k].sym->name, json_integer(v->vals[k].i));
    for (int k = 0; k < v->cost->nkernels; k++) json_array_append_new(kernels, kernel(v->cost->kernels[k], &v->cost->times[k], v->code ? &v->code[k] : NULL));
    return json_pack("{s:s, s:o, s:b, s:f, s:f, s:f, s:f, s:o, s:o}", "machine", d->m->name, "sizes", sizes, "sizes_guessed", v->guessed, "seconds",
                     v->cost->seconds, "launches", v->cost->launches, "dependent", v->cost->dependent, "read_backs", v->cost->read_backs, "kernels",
                     kernels, "findings", findings(&v->findings));
}

json_t *advice_json(Compile *c, const Advice *d, const Part *p) { return advised(d, advice_of(c, d, p)); }

void advice_put_nests(Compile *c, const Advice *d, int n, Nest *const *nests) {
    json_t *regions = json_array(), *remarks = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(regions, json_pack("{s:s, s:o}", "name", nests[i]->region->name, "advice", advised(d, advice_nest(c, d, nests[i]))));
    for (int i = 0; i < c->diags.n; i++)
        json_array_append_new(remarks, json_pack("{s:s, s:o, s:s}", "level", diag_level_name(c->diags.at[i].level), "place", place(c->diags.at[i].loc), "text",
                                                 c->diags.at[i].text));
    json_t *all = json_pack("{s:i, s:o, s:o}", "version", 1, "regions", regions, "diagnostics", remarks);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

// ---- SARIF --------------------------------------------------------------------------------------------
static json_t *result(const Finding *f) {
    json_t *region = json_pack("{s:i, s:i}", "startLine", f->loc.line > 0 ? f->loc.line : 1, "startColumn", f->loc.col > 0 ? f->loc.col : 1);
    json_t *at = json_pack("{s:{s:{s:s}, s:o}}", "physicalLocation", "artifactLocation", "uri", f->loc.file ? f->loc.file : "", "region", region);
    Arena *a = arena_new();
    const char *words = f->cure ? arena_printf(a, "%s. Cure: %s", f->text, f->cure) : f->text;
    json_t *o = json_pack("{s:s, s:s, s:{s:s}, s:[o], s:f}", "ruleId", finding_name(f->kind), "level", f->share >= 0.1 ? "warning" : "note", "message",
                          "text", words, "locations", at, "rank", 100 * f->share);
    arena_free(a);
    return o;
}

void advice_sarif(Compile *c, const Advice *d, int nunits, Unit *const *units) {
    json_t *results = json_array(), *rules = json_array();
    for (int k = 0; k < FIND_KINDS; k++) json_array_append_new(rules, json_pack("{s:s}", "id", finding_name((FindingKind)k)));
    for (int i = 0; i < nunits; i++)
        for (int k = 0; k < units[i]->nparts; k++) {
            Advised *v = units[i]->parts[k].dep ? advice_of(c, d, &units[i]->parts[k]) : NULL;
            for (int j = 0; v && j < v->findings.n; j++) json_array_append_new(results, result(&v->findings.at[j]));
        }
    json_t *all = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o}}, s:o}]}", "version", "2.1.0", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                            "runs", "tool", "driver", "name", "sculpt", "rules", rules, "results", results);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}
