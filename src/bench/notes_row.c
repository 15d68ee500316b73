// SPDX-License-Identifier: MIT
// notes_row.c -- one row of the notes: what the model says of it, beside its time.
#include "device/cubin.h"
#include "device/cuda_nvrtc.h"
#include "bench/notes.h"
#include "emit/emit.h"
#include "model/embedded.h"
#include <stdio.h>
#include <string.h>

// ---- predicting ------------------------------------------------------------------------------------
// Of the instructions in the inner loop that costs most; < 0: there is no loop.
static double work_of(const NestCost *n) {
    const KernelCost *most = NULL;
    for (int i = 0; i < n->nkernels; i++)
        if (n->kernels[i]->inner_loop &&
            (!most || mix_total(&n->kernels[i]->inner) > mix_total(&most->inner)))
            most = n->kernels[i];
    double all = most ? mix_total(&most->inner) : 0;
    return all > 0 ? mix_work(&most->inner) / all : -1;
}

static const IrFile *parse(Bench *b, Compile *c, const Note *n, const NoteRow *r) {
    arena_own(b->a, c, (void (*)(void *))compile_free);
    const IrFile *f = ir_parse(c, n->file, arena_printf(c->arena, "%s%s", n->region, n->nests.at[r->nest]));
    return f && f->nnests ? f : NULL;
}

static bool values(Arena *a, const Region *r, const SettingVec *s, InterpVal *out) {
    for (int i = 0; i < r->nparams; i++) {
        out[i] = (InterpVal){.sym = r->params[i]};
        int k = s->n - 1;
        while (k >= 0 && !str_eq(s->at[k].name, r->params[i]->name)) k--;
        if (type_is_int(r->params[i]->type) &&
            (k < 0 || !setting_value(a, k, s->at, s->at[k].value, &out[i].i)))
            return false;
    }
    return true;
}

static int registers_of(const NoteTime *t, const char *kernel) {
    for (int i = 0; i < t->kernels.n; i++)
        if (str_eq(t->kernels.at[i].name, kernel)) return t->kernels.at[i].registers;
    return 0;
}

NoteCost note_predict(Bench *b, const Note *n, const NoteRow *r, const SettingVec *s, const NoteTime *t,
                      const Machine *m) {
    NoteCost out = {.work = -1};
    Compile *c = compile_new();
    const IrFile *f = parse(b, c, n, r);
    InterpVal *vals = f ? NEW_N(c->arena, InterpVal, f->region->nparams + 1) : NULL;
    if (!f || !values(c->arena, f->region, s, vals)) return out;
    NestCost *cost = model_nest(c->arena, f->nests[0], f->region->nparams, vals, m);
    if (r->calls > 0) model_calls(cost, r->calls, r->looks, m);
    cost->seconds = cost->read_backs * model_wait(m);
    for (int i = 0; i < cost->nkernels; i++) {
        cost->times[i] = model_time(cost->kernels[i], m, registers_of(t, cost->kernels[i]->name), NULL);
        cost->seconds += cost->times[i].all;
    }
    out = (NoteCost){.cost = cost,
                     .findings = model_findings(c->arena, f->nests[0], cost, m),
                     .seconds = cost->seconds,
                     .assumed = cost->assumed,
                     .work = work_of(cost)};
    return out;
}

void note_compile(Bench *b, const Note *n, const NoteRow *r, const Machine *m, NoteTime *t) {
    Compile *c = compile_new();
    const IrFile *f = parse(b, c, n, r);
    Nvrtc *rtc = f && m->compute ? nvrtc_find(b->a, 0) : NULL;
    EmitOptions o = {.dialect = DIALECT_CUDA};
    char *source = rtc ? emit_kernels(c, f->nests[0], &o) : NULL, *log = NULL;
    void *image = NULL;
    size_t size = 0;
    if (!source || !nvrtc_compile(c->arena, rtc, m->compute, source, &image, &size, &log)) return;
    NestCost *cost = model_nest_roughly(c->arena, f->nests[0], 0, NULL, m);
    for (int i = 0; i < cost->nkernels; i++) {
        KernelUsage u = {0};
        const char *name = cost->kernels[i]->name, *symbol = cubin_symbol(image, size, name);
        if (symbol && cubin_usage(image, size, symbol, &u))
            vec_push(b->a, &t->kernels, ((NoteKernel){arena_strdup(b->a, name), (int)u.registers}));
    }
}

// ---- printing --------------------------------------------------------------------------------------
static void put_registers(Text *j, const NoteTime *t) {
    if (!t->kernels.n) return;
    text_put(j, ", \"registers\": {");
    for (int i = 0; i < t->kernels.n; i++)
        text_printf(j, "%s\"%s\": %d", i ? ", " : "", t->kernels.at[i].name, t->kernels.at[i].registers);
    text_put(j, "}");
}

static void put_json(Bench *b, const Note *n, const NoteRow *r, const NoteTime *t, const NoteCost *x) {
    Text j = json_open(b->a);
    json_text(&j, "kind", "note");
    json_text(&j, "topic", n->topic);
    json_text(&j, "row", r->name);
    json_text(&j, "text", t->text);
    json_text(&j, "device", t->device);
    json_text(&j, "date", t->date);
    json_number(&j, "measured_s", t->seconds > 0 ? t->seconds : -1);
    json_text(&j, "why", t->why);
    put_registers(&j, t);
    json_text(&j, "model", model_digest);
    json_number(&j, "predicted_s", x->cost ? x->seconds : -1);
    json_bool(&j, "assumed", x->assumed);
    if (x->work >= 0) json_number(&j, "work", x->work);
    json_text(&j, "finding", x->findings.n ? x->findings.at[0].text : NULL);
    json_close(b, &j);
}

void note_put(Bench *b, const Note *n, const NoteRow *r, const NoteTime *t, const NoteCost *x,
              const char *remark) {
    put_json(b, n, r, t, x);
    if (str_eq(b->out, "-")) return;
    if (t->seconds <= 0) return (void)printf("  %-48s %s\n", r->name, t->why ? t->why : "no time");
    const char *work = x->work >= 0 ? arena_printf(b->a, "%3.0f %%", 100 * x->work) : "";
    const char *ratio =
        x->cost ? arena_printf(b->a, "%.2f%s", x->seconds / t->seconds, x->assumed ? "?" : "") : "";
    printf("  %-48s %10.2f %10.2f %6s %5s%s%s%s\n", r->name, 1e6 * x->seconds, 1e6 * t->seconds, ratio, work,
           remark, x->findings.n ? "  " : "", x->findings.n ? finding_name(x->findings.at[0].kind) : "");
    fflush(stdout);
}
