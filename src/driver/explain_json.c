// SPDX-License-Identifier: MIT
// explain_json.c -- `sculpt explain --json`: the same facts for programs.
#include "driver/explain.h"
#include <jansson.h>

static json_t *text(const char *s) { return report_json_text(s); }
static json_t *expr(Arena *a, const Expr *x) { return text(x ? show_expr(a, x) : NULL); }

static json_t *place(Loc loc) {
    return json_pack("{s:o, s:i, s:i}", "file", text(loc.file), "line", loc.line, "column", loc.col);
}

static json_t *params(const Region *r) {
    json_t *list = json_array();
    for (int i = 0; i < r->nparams; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", r->params[i]->name, "type",
                                              type_name(r->params[i]->type), "source",
                                              text(r->params[i]->source)));
    return list;
}

static json_t *foot(Arena *a, const Foot *f) {
    json_t *box = json_array();
    for (int i = 0; i < f->array->rank; i++)
        json_array_append_new(box, json_pack("[o, o]", expr(a, f->lo[i]), expr(a, f->hi[i])));
    json_t *o = json_pack("{s:o, s:b, s:b, s:b, s:b, s:b}", "box", box, "in", f->in, "out", f->out, "exact",
                          f->exact, "loose", f->loose, "sparse", f->sparse);
    json_t *ends[2] = {json_array(), json_array()};
    for (int i = 0; f->first && i < f->array->rank; i++) {
        json_array_append_new(ends[0], expr(a, f->first[i]));
        json_array_append_new(ends[1], expr(a, f->last[i]));
    }
    if (f->first) json_object_set_new(o, "within", json_pack("[O, O]", ends[0], ends[1]));
    json_decref(ends[0]);
    json_decref(ends[1]);
    return o;
}

static json_t *arrays(Arena *a, const Part *p) {
    json_t *list = json_array();
    const Region *r = p->front->region;
    for (int i = 0; i < r->narrays; i++) {
        const Array *x = r->arrays[i];
        json_t *extent = json_array(), *o;
        for (int k = 0; k < x->rank; k++) json_array_append_new(extent, expr(a, x->extent[k]));
        o = json_pack("{s:s, s:s, s:o, s:s, s:o, s:I, s:I, s:b}", "name", x->name, "type",
                      type_name(x->elem), "extent", extent, "object", x->object, "source",
                      text(x->source), "stride", (json_int_t)x->stride, "offset",
                      (json_int_t)x->offset, "live_out", x->live_out);
        for (int k = 0; k < p->dep->nfeet; k++)
            if (p->dep->feet[k].array == x) json_object_set_new(o, "footprint", foot(a, &p->dep->feet[k]));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *accesses(Arena *a, const Stmt *s) {
    json_t *list = json_array();
    AccessVec v = stmt_accesses(a, s);
    for (int i = 0; i < v.n; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b}", "array", v.at[i].array->name,
                                              "text", show_access(a, v.at[i].array, v.at[i].sub),
                                              "read", v.at[i].read || !v.at[i].write, "write",
                                              v.at[i].write));
    return list;
}

static json_t *statements(Arena *a, const Region *r) {
    json_t *list = json_array();
    node_each(n, r->root) {
        if (n->kind != N_STMT) continue;
        const Stmt *t = n->stmt;
        json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:s, s:o}", "label", t->label, "place",
                                              place(t->loc), "text", show_stmt(a, t), "domain",
                                              show_domain(a, r->root, n), "accesses", accesses(a, t)));
    }
    return list;
}

static json_t *dep_end(const DepEnd *e) {
    return json_pack("{s:o, s:o, s:o, s:b}", "statement", text(e->label), "access",
                     text(e->access), "place", place(e->loc), "write", e->write);
}

static json_t *dependence(const Dep *d) {
    static const char *const kinds[] = {"flow", "anti", "output", "update"};
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", kinds[d->kind], "array",
                     text(d->array ? d->array->name : NULL), "source", dep_end(&d->src), "sink",
                     dep_end(&d->dst), "distance", text(d->distance), "carrier",
                     text(d->carrier ? d->carrier->iter->name : NULL));
}

static json_t *dependences(const DepInfo *d) {
    json_t *list = json_array();
    const Dep *deps;
    int n = dep_list(d, &deps);
    for (int i = 0; i < n; i++) json_array_append_new(list, dependence(&deps[i]));
    return list;
}

static const char *answer_name(Answer x) {
    static const char *const names[] = {"always", "when", "never", "unknown"};
    return names[x];
}

static json_t *loop(Arena *a, const LoopFact *f) {
    json_t *red = json_array();
    for (int i = 0; i < f->nred; i++)
        json_array_append_new(red, json_pack("{s:s, s:s}", "array", f->red[i]->name, "operator",
                                             op_text(f->redop[i])));
    const Mark *m = f->loop->mark;
    return json_pack("{s:s, s:o, s:s, s:s, s:o, s:s, s:o, s:o, s:b, s:b, s:o}", "counter",
                     f->loop->iter->name, "place", place(f->loop->loc), "text",
                     show_loop(a, f->loop), "parallel", answer_name(f->parallel), "when",
                     expr(a, f->when), "reduction", answer_name(f->reduction), "reduction_when",
                     expr(a, f->reduction_when), "reductions", red, "needs_permission",
                     f->needs_permission, "asserted", m && m->assert == ASSERT_PARALLEL, "witness",
                     f->witness ? dependence(f->witness) : json_null());
}

static json_t *loops(Arena *a, const DepInfo *d) {
    json_t *list = json_array();
    for (int i = 0; i < d->nloops; i++) json_array_append_new(list, loop(a, &d->loops[i]));
    return list;
}

static json_t *extents(Arena *a, int n, Node *const *at) {
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, expr(a, expr_sub(a, at[i]->hi, at[i]->lo)));
    return list;
}

static json_t *kernels(Arena *a, const Nest *nest) {
    json_t *list = json_array();
    node_each(n, nest->root) {
        if (n->kind != N_KERNEL) continue;
        KernelGrid g;
        ir_kernel_grid(n, &g);
        json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "name", n->name, "blocks",
                                              extents(a, g.nblock, (Node *const *)g.block), "threads",
                                              extents(a, g.nthread, (Node *const *)g.thread)));
    }
    return list;
}

static json_t *nest(Arena *a, const Nest *n) {
    if (!n) return json_null();
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:s}", "proved", n->proof == PROOF_PROVED, "guard",
                     expr(a, n->when), "kernels", kernels(a, n), "flops", expr(a, n->flops), "bytes",
                     expr(a, n->bytes), "recipe", n->recipe ? n->recipe : "");
}

static json_t *part(Arena *a, const Part *p, const Report *report, const Subject *s) {
    static const char *const marks[] = {"auto", "scop", "sculpt", "acc", "omp"};
    const Region *r = p->front->region;
    json_t *o = json_pack("{s:o, s:o, s:s, s:b, s:o}", "name", text(r ? r->name : NULL), "place",
                          place(p->front->loc), "mark", marks[p->front->marked], "on_device", p->taken,
                          "host_reason", text(p->host_why));
    if (!p->dep) return o;
    json_object_set_new(o, "parameters", params(r));
    json_object_set_new(o, "arrays", arrays(a, p));
    json_object_set_new(o, "statements", statements(a, r));
    json_object_set_new(o, "dependences", dependences(p->dep));
    json_object_set_new(o, "loops", loops(a, p->dep));
    json_object_set_new(o, "bounds", expr(a, p->dep->bounds));
    json_object_set_new(o, "gpu", nest(a, p->gpu));
    json_object_set_new(o, "cpu", nest(a, p->cpu));
    json_object_set_new(o, "advice", report_json(report, s));
    return o;
}

json_t *explain_json(Compile *c, int nunits, Unit *const *units, const Report *r) {
    json_t *regions = json_array();
    for (int i = 0, at = 0; i < nunits; i++)
        for (int k = 0; k < units[i]->nparts; k++, at++)
            json_array_append_new(regions, part(c->arena, &units[i]->parts[k], r, r->subjects.at[at]));
    return json_pack("{s:i, s:o, s:o}", "version", 1, "regions", regions, "diagnostics",
                     report_json_diags(r));
}
