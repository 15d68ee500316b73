// SPDX-License-Identifier: MIT
// check_answer.c -- what `sculpt check REF.c KERNEL.cu` says, as text and as JSON.
#include "driver/check_asked.h"
#include "parse/ast.h"
#include <jansson.h>
#include <stdio.h>

// Where it stands in the user's text.
static Loc true_loc(const Asked *q, Loc l) {
    if (!q->wrapped || !l.file || !str_eq(l.file, q->folder_file)) return l;
    l.file = q->ref;
    if (q->wrapped > 0 && l.line > q->wrapped) l.line -= 1;
    if (q->wrapped < 0 && l.line > -q->wrapped) l.line -= 2;
    return l;
}

static const char *const words[] = {"proved", "refuted", "not decided", "not understood"};

static const char *place_text(const Asked *q, Loc l) {
    l = true_loc(q, l);
    return arena_printf(q->a, "%s:%d:%d", l.file ? l.file : "?", l.line, l.col);
}

static void tell_line(const Asked *q, const char *what, Loc l) {
    if (l.line) printf("  %s %s\n", what, place_text(q, l));
}

static const char *step_text(const Asked *q, const EqualStep *s) {
    const char *times = s->times > 1 ? arena_printf(q->a, ", update %d there", s->times) : "";
    bool host = str_eq(s->loc.file, PRELUDE_PATH); // what stands for such a call
    const char *by = host ? "by a cudaMemset or cudaMemcpy of the host's code"
                          : arena_printf(q->a, "at %s", place_text(q, s->loc));
    return s->was ? s->was : arena_printf(q->a, "written %s%s", by, times);
}

static void tell_steps(const Asked *q, const char *whose, const EqualSteps *s) {
    if (s->n) printf("  %s\n", whose);
    for (int i = 0; i < s->n; i++)
        printf("    %*s%s, %s\n", 2 * s->at[i].depth, "", s->at[i].element, step_text(q, &s->at[i]));
}

static json_t *json_steps(const Asked *q, const EqualSteps *s) {
    json_t *all = json_array();
    for (int i = 0; i < s->n; i++)
        json_array_append_new(all, json_pack("{s:i, s:s, s:s}", "depth", s->at[i].depth, "element",
                                             s->at[i].element, "from", step_text(q, &s->at[i])));
    return all;
}

// What an answer "proved" takes for granted.
enum { MOST_TAKEN = 16 };
static int taken(const Asked *q, const EqualReport *r, const char *out[MOST_TAKEN]) {
    int n = 0;
    out[n++] = "arrays apart from each other";
    out[n++] = "subscripts and sizes 2^20 less than the greatest numbers of their types";
    out[n++] = "a * b + c rounded once or twice, zeros of either sign alike";
    if (r->finite) out[n++] = "data finite where they meet zeros and infinities that fill up a tile or a row";
    if (r->no_nan) out[n++] = "no NaN where a least or greatest is taken";
    if (r->begins) out[n++] = "data beyond the number with which a search for the greatest or least begins";
    if (q->approximate) out[n++] = "fast functions and reciprocals as good as exact ones";
    if (q->layouts.n) out[n++] = "elements apart in the layouts that were given";
    if (q->copies) out[n++] = "main's arrays as large as needed, and copied to and from the device";
    if (r->granted) out[n++] = r->granted;
    for (int i = 0; i < q->granted.n && n < MOST_TAKEN; i++) out[n++] = q->granted.at[i];
    return n;
}

static int tell_json(const Asked *q, const EqualReport *r) {
    const char *grants[MOST_TAKEN];
    int n = r->answer == EQUAL_PROVED ? taken(q, r, grants) : 0;
    json_t *o = json_pack("{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:i}", "verdict",
                          words[r->answer], "why", r->why, "where", q->where, "when", r->when, "sizes",
                          r->sizes, "element", r->element, "loops", r->theirs, "kernel", r->ours, "sums",
                          r->order, "runs", r->runs);
    json_t *all = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(all, json_string(grants[i]));
    json_object_set_new(o, "taken", all);
    if (r->loc.line) json_object_set_new(o, "kernel_at", json_string(place_text(q, r->loc)));
    if (r->from.line) json_object_set_new(o, "loops_at", json_string(place_text(q, r->from)));
    if (r->steps[0].n) json_object_set_new(o, "loops_from", json_steps(q, &r->steps[0]));
    if (r->steps[1].n) json_object_set_new(o, "kernel_from", json_steps(q, &r->steps[1]));
    if (r->certificate) json_object_set_new(o, "certificate", json_string(q->certificate));
    json_dumpf(o, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(o);
    return r->answer;
}

int check_tell(const Asked *q, const EqualReport *r) {
    if (q->json) return tell_json(q, r);
    printf("%s", words[r->answer]);
    if (r->answer == EQUAL_PROVED) {
        printf(": the kernel computes what the loops compute, for all sizes%s%s%s%s\n",
               q->any_block ? " and any " : "", q->any_block ? q->any_block : "", q->where ? " with " : "",
               q->where ? q->where : "");
        if (r->order) printf("  float sums: %s\n", r->order);
        const char *grants[MOST_TAKEN];
        int n = taken(q, r, grants);
        for (int i = 0; i < n; i++) printf("%s%s", i ? ", " : "  taken for granted: ", grants[i]);
        printf("\n");
        if (r->certificate) printf("  certificate: %s, for sculpt-certify\n", q->certificate);
        else if (q->certificate) printf("  %s\n", r->why);
        return 0;
    }
    if (r->answer == EQUAL_REFUTED) {
        printf(" at %s: ", r->sizes && *r->sizes ? r->sizes : "the only size");
        if (r->element)
            printf("%s is %s by the loops and %s by the kernel: ", r->element, r->theirs, r->ours);
        printf("%s\n", r->why);
        if (!r->element) tell_line(q, "in the kernel at", r->loc);
        if (!r->element) tell_line(q, "the other at", r->from);
        tell_steps(q, "the loops' value", &r->steps[0]);
        tell_steps(q, "the kernel's value", &r->steps[1]);
        if (r->when) printf("  it is right with %s\n", r->when);
        return 1;
    }
    printf(": %s\n", r->why ? r->why : "");
    if (r->when) printf("  proved with %s\n", r->when);
    if (r->runs) printf("  no difference beyond roundings was found at %d sizes\n", r->runs);
    return r->answer;
}
