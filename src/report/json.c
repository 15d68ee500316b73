// SPDX-License-Identifier: MIT
// json.c -- a report for programs: nests with their kernels, accesses and findings, the ladder, the
// occupancy curves and the bank maps.
#include "report/report.h"
#include "model/embedded.h"
#include "model/maps.h"
#include <jansson.h>

json_t *report_json_text(const char *s) {
    json_t *o = s ? json_string(s) : json_null();
    Arena *a = o ? NULL : arena_new();
    if (!o) o = json_string(text_clean(a, s));
    arena_free(a);
    return o;
}

static json_t *text(const char *s) { return report_json_text(s); }

static json_t *place(Loc loc) {
    return json_pack("{s:o, s:i, s:i}", "file", text(loc.file), "line", loc.line, "column", loc.col);
}

// One request as [row, bank, first lane, lanes, pass] a word; rows are 32 words or as many as there are
// banks.
static json_t *banks(Arena *a, const Machine *m, const AccessCost *c, int64_t pad) {
    BankMap *b = model_banks(a, m, c, pad);
    if (!b) return json_null();
    json_t *words = json_array();
    for (int k = 0; k < b->ncells; k++) {
        const BankCell *x = &b->cells[k];
        json_array_append_new(words, json_pack("[I, i, i, i, i]", (json_int_t)b->rows[x->row], x->bank,
                                               x->lane, x->lanes, x->pass));
    }
    return json_pack("{s:I, s:i, s:i, s:i, s:I, s:o}", "thread", (json_int_t)c->worst_thread, "ways", b->ways,
                     "wavefronts", b->passes, "without_conflicts", b->ideal, "pad", (json_int_t)pad, "words",
                     words);
}

static json_t *access(Arena *a, const Machine *m, const KernelCost *k, const AccessCost *c) {
    json_t *o = json_pack("{s:s, s:s, s:i, s:o, s:b, s:b, s:b, s:b, s:b, s:i, s:f, s:f, s:o}", "access",
                          c->text, "array", c->array->name, "statement", node_leaf_number(k->kernel, c->node),
                          "place", place(c->loc), "write", c->write, "shared", c->shared && !c->constant,
                          "atomic", c->atomic, "async", c->async, "assumed", c->assumed, "bytes", c->width,
                          "requests", c->requests, "lanes_per_request", c->lanes / c->requests, "lane_stride",
                          c->strided ? json_integer(c->stride) : json_null());
    json_object_set_new(o, "constant", json_boolean(c->constant));
    if (c->shared) {
        json_object_set_new(o, "wavefronts_per_request", json_real(c->wavefronts / c->requests));
        json_object_set_new(o, "wavefronts_without_conflicts", json_real(c->wavefronts_ideal / c->requests));
        json_object_set_new(o, "ways", json_integer(c->ways));
        int64_t pad = model_padding(m, c);
        json_object_set_new(o, "banks", banks(a, m, c, 0));
        if (pad && c->wavefronts > 1.02 * c->wavefronts_ideal)
            json_object_set_new(o, "banks_padded", banks(a, m, c, pad));
    } else {
        json_object_set_new(o, "sectors_per_request", json_real(c->sectors / c->requests));
        json_object_set_new(o, "ideal_sectors_per_request", json_real(c->ideal / c->requests));
        json_object_set_new(o, "lines_per_request", json_real(c->lines / c->requests));
        json_object_set_new(o, "useful", json_real(c->moved > 0 ? c->useful / c->moved : 1));
        json_object_set_new(o, "local_memory", json_boolean(c->local));
        json_object_set_new(o, "misaligned", json_real(c->misaligned / c->requests));
    }
    return o;
}

static json_t *mix(const InstructionMix *m) {
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "fp32", m->fp32, "fp64", m->fp64,
                     "matrix", m->matrix, "special", m->special, "of_functions", m->others, "addresses",
                     m->integer, "global", m->global, "shared", m->shared, "control", m->control);
}

static json_t *times(const TimeCost *t) {
    json_t *by = json_object();
    for (int b = 0; b < BOUND_COUNT; b++) json_object_set_new(by, limit_name((Limit)b), json_real(t->by[b]));
    return json_pack("{s:f, s:f, s:s, s:o, s:f, s:f, s:f, s:f, s:f}", "seconds", t->seconds, "launch_seconds",
                     t->launch, "limit", limit_name(t->limit), "parts", by, "roofline_seconds", t->roof,
                     "compulsory_bytes", t->compulsory, "last_level_bytes", t->l2_bytes, "memory_bytes",
                     t->dram_bytes, "intensity", t->intensity);
}

static json_t *occupancy(const Occupancy *o, int64_t registers) {
    return json_pack("{s:I, s:I, s:f, s:s, s:o}", "blocks", (json_int_t)o->blocks, "warps",
                     (json_int_t)o->warps, "share", o->share, "limit", occupancy_limit_name(o->limit),
                     "registers", registers ? json_integer(registers) : json_null());
}

static json_t *curves(const KernelCost *k, const TimeCost *t, const Machine *m) {
    static const char *const names[] = {"threads", "registers", "shared_bytes"};
    json_t *all = json_object();
    for (int knob = KNOB_THREADS; knob <= KNOB_SHARED; knob++) {
        OccupancyPoint p[MODEL_CURVE];
        int n = model_curve(m, k->threads, t->registers, k->shared, (OccupancyKnob)knob, p, MODEL_CURVE);
        json_t *list = json_array();
        for (int i = 0; i < n; i++) // one for each step of the curve
            if (!i || i == n - 1 || p[i].warps != p[i - 1].warps || p[i].limit != p[i - 1].limit ||
                p[i].warps != p[i + 1].warps)
                json_array_append_new(list, json_pack("[I, I, I, s]", (json_int_t)p[i].value,
                                                      (json_int_t)p[i].blocks, (json_int_t)p[i].warps,
                                                      occupancy_limit_name(p[i].limit)));
        json_object_set_new(all, names[knob], list);
    }
    return all;
}

static json_t *machine_code(const SassMix *s) {
    json_t *o = json_pack("{s:o, s:o, s:b, s:f}", "text", mix(&s->all), "inner_loop", mix(&s->inner), "loop",
                          s->loop, "floating_point", mix_share(&s->inner));
    json_object_set_new(o, "shared_loads",
                        json_pack("{s:i, s:i, s:i}", "4", s->joined[0], "8", s->joined[1], "16",
                                  s->joined[2]));
    return o;
}

static json_t *kernel(Arena *a, const Machine *m, const KernelCost *k, const TimeCost *t,
                      const SassMix *code) {
    json_t *o = json_pack("{s:s, s:[I, I, I], s:I, s:I, s:f, s:o}", "name", k->name, "grid",
                          (json_int_t)k->grid[0], (json_int_t)k->grid[1], (json_int_t)k->grid[2], "threads",
                          (json_int_t)k->threads, "shared_bytes", (json_int_t)k->shared, "launches",
                          model_launches(k), "refused", text(k->refused));
    if (k->refused) return o;
    json_t *list = json_array(), *branches = json_array();
    for (int i = 0; i < k->naccesses; i++) json_array_append_new(list, access(a, m, k, k->accesses[i]));
    for (int i = 0; i < k->nbranches; i++) {
        const BranchCost *b = k->branches[i];
        json_array_append_new(branches,
                              json_pack("{s:o, s:b, s:b, s:f, s:f, s:f, s:f}", "place", place(b->loc), "loop",
                                        b->loop, "assumed", b->assumed, "warps", b->warps, "split", b->split,
                                        "idle_lanes", b->idle, "busy_lanes", b->busy));
    }
    json_object_set_new(o, "predicted", times(t));
    json_object_set_new(o, "occupancy", occupancy(&t->occupancy, t->registers));
    json_object_set_new(o, "occupancy_curves", curves(k, t, m));
    json_object_set_new(o, "assumed", text(figure_guesses(a, k)));
    json_object_set_new(o, "followed", text(figure_seen(a, k)));
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
        json_array_append_new(list, json_pack("{s:i, s:s, s:o, s:o, s:s, s:f, s:o, s:b, s:b, s:s, s:o}",
                                              "number", i + 1, "kind", finding_name(x->kind), "place",
                                              place(x->loc), "kernel", text(x->kernel), "text", x->text,
                                              "share", x->share, "cure", text(x->cure), "step", x->step,
                                              "assumed", x->assumed, "level", report_level(x), "code",
                                              x->code ? json_sprintf("SC%04d", x->code) : json_null()));
    }
    return list;
}


// ---- nests ---------------------------------------------------------------------------------------------
static json_t *nest(const Report *r, const Advised *v) {
    if (v->why)
        return json_pack("{s:s?, s:s, s:o}", "name", v->name, "machine", r->m->name, "why", text(v->why));
    json_t *kernels = json_array(), *sizes = json_object();
    for (int k = 0; k < v->nvals; k++)
        json_object_set_new(sizes, v->vals[k].sym->name, json_integer(v->vals[k].i));
    for (int k = 0; k < v->cost->nkernels; k++)
        json_array_append_new(kernels, kernel(r->a, r->m, v->cost->kernels[k], &v->cost->times[k],
                                              v->code ? &v->code[k] : NULL));
    return json_pack(
        "{s:s?, s:s, s:s, s:o, s:b, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s?, s:o, s:o, s:o}", "name",
        v->name, "machine", r->m->name, "model", model_digest, "sizes", sizes, "sizes_guessed", v->guessed,
        "assumed", text(v->assumed), "seconds", v->cost->seconds, "launches", v->cost->launches,
        "launches_in_graphs", v->cost->noted, "dependent", v->cost->dependent, "read_backs",
        v->cost->read_backs, "flops", nest_flops(v->cost), "memory_bytes", nest_bytes(v->cost), "proof",
        v->proof, "tree", text(v->tree), "kernels", kernels, "findings", findings(&v->findings));
}

static json_t *rungs(const Subject *s) {
    json_t *list = json_array();
    for (int i = 0; i < s->rungs.n; i++) {
        const Rung *x = &s->rungs.at[i];
        json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:f, s:f, s:f, s:o, s:o}", "number", x->number,
                                              "step", text(x->step), "verdict", text(x->verdict), "seconds",
                                              x->seconds, "flops", x->flops, "memory_bytes", x->bytes, "why",
                                              text(x->why), "tree", text(x->tree)));
    }
    return json_pack("{s:s?, s:o, s:o}", "of", s->ladder, "why", text(s->no_rungs), "rungs", list);
}

static json_t *table(const FactTable *t) {
    json_t *rows = json_array();
    for (int i = 0; t && i < t->rows.n; i++) {
        json_t *row = json_array();
        for (int k = 0; k < t->ncols; k++) json_array_append_new(row, text(t->rows.at[i].cell[k]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *fix(const Suggestion *f) {
    return json_pack("{s:o, s:f, s:f, s:b, s:o, s:o}", "recipe", text(f->recipe), "before", f->before,
                     "after", f->after, "helps", f->helps, "why", text(f->why), "tried", table(f->tried));
}

json_t *report_json(const Report *r, const Subject *s) {
    if (!s->now) return json_null();
    json_t *o = nest(r, s->now);
    if (s->now->why) return o;
    const Machine *m = r->m;
    json_object_set_new(o, "roofline",
                        json_pack("{s:f, s:f, s:f}", "flops_single", 1e9 * machine_flops(m, false),
                                  "flops_double", 1e9 * machine_flops(m, true), "bytes",
                                  1e9 * machine_bandwidth(m)));
    json_object_set_new(o, "ladder", rungs(s));
    json_object_set_new(o, "before", s->before ? nest(r, s->before) : json_null());
    if (s->fix) json_object_set_new(o, "fix", fix(s->fix));
    return o;
}

static json_t *facts(const Subject *s) {
    json_t *all = json_object();
    for (int i = 0; i < s->facts.n; i++)
        json_object_set_new(all, s->facts.at[i]->title, table(s->facts.at[i]));
    return all;
}

json_t *report_json_all(const Report *r) {
    json_t *list = json_array();
    for (int i = 0; i < r->subjects.n; i++) {
        const Subject *s = r->subjects.at[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", s->name, "kind", s->kind,
                                              "place", place(s->loc), "facts", facts(s), "advice",
                                              report_json(r, s)));
    }
    return json_pack("{s:i, s:o, s:o}", "version", 1, "regions", list, "diagnostics", report_json_diags(r));
}

json_t *report_json_diags(const Report *r) {
    json_t *list = json_array();
    for (int i = 0; i < r->ndiags; i++) {
        const Diag *d = &r->diags[i];
        char code[16];
        snprintf(code, sizeof code, "SC%04d", d->code);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "level", diag_level_name(d->level),
                                              "code", code, "place", place(d->loc), "text", text(d->text)));
    }
    return list;
}
