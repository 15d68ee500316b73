// SPDX-License-Identifier: MIT
// sass.c -- the disassembly of a kernel: which instructions, which of them in its innermost loop.
#include "model/sass.h"
#include <stdlib.h>
#include <string.h>

typedef struct Line {
    char op[24];            // "LDS.128", without the guard before it
    const char *to;         // BRA: the label's name
    int ntarget;            // …and its length
} Line;

typedef struct Label {
    const char *name;
    int n, at;              // length; the line that follows
} Label;

typedef struct Listing {
    Arena *a;
    VEC(Line) lines;
    VEC(Label) labels;
} Listing;

// ---- reading ---------------------------------------------------------------------------------------
// Where the kernel's code begins: behind ".text.NAME:".
static const char *begin_of(Arena *a, const char *text, const char *kernel) {
    const char *head = arena_printf(a, "\n.text.%s:", kernel), *at = strstr(text, head);
    return at ? at + strlen(head) : NULL;
}

static void read_instruction(Listing *l, const char *at, const char *end) {
    Line line = {0};
    while (at < end && *at == ' ') at++;
    if (at < end && *at == '@') // a guard: "@!P0 "
        while (at < end && *at++ != ' ') {}
    while (at < end && *at == ' ') at++;
    size_t n = strcspn(at, " ;\n");
    if (!n || n >= sizeof line.op) return;
    memcpy(line.op, at, n);
    const char *target = str_has_prefix(line.op, "BRA") ? strstr(at, "`(") : NULL;
    if (target && target < end) line.to = target + 2, line.ntarget = (int)strcspn(line.to, ")");
    vec_push(l->a, &l->lines, line);
}

static void read_code(Listing *l, const char *text) {
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, "\n"), *word = at + strspn(at, " \t"), *code;
        size_t n = strcspn(word, ":\n");
        if (str_has_prefix(word, ".text.") || str_has_prefix(word, ".section") ||
            str_has_prefix(word, "//-----"))
            break;
        if (word[0] == '.' && word[n] == ':') vec_push(l->a, &l->labels, ((Label){word, (int)n, l->lines.n}));
        else if (str_has_prefix(word, "/*") && (code = strstr(word, "*/")) && code < end)
            read_instruction(l, code + 2, end);
        at = end + (*end == '\n');
    }
}

// ---- what an instruction is --------------------------------------------------------------------------
static bool is_one_of(const char *op, const char *const *names) {
    for (; *names; names++) {
        size_t n = strlen(*names);
        if (!strncmp(op, *names, n) && (!op[n] || op[n] == '.')) return true;
    }
    return false;
}

static void count(InstructionMix *m, const Line *l) {
    static const char *const fp32[] = {"FFMA", "FADD", "FMUL", "FMNMX", "FMNMX3", "FFMA2", "FADD2", "FMUL2",
                                       "FADD32I", "FMUL32I", "FFMA32I", "FSEL", "HFMA2", "HADD2", "HMUL2",
                                       NULL};
    static const char *const fp64[] = {"DFMA", "DADD", "DMUL", "DMNMX", NULL};
    static const char *const matrix[] = {"DMMA", "HMMA", "IMMA", NULL};
    static const char *const special[] = {"MUFU", "FCHK", "F2F", "RRO", NULL};
    static const char *const shared[] = {"LDS", "STS", "ATOMS", "LDSM", "STSM", NULL};
    static const char *const global[] = {"LDG", "STG", "LD", "ST", "LDGSTS", "ATOM", "ATOMG", "RED", "REDG",
        "LDL", "STL", "LDC", NULL};
    static const char *const control[] = {"BRA", "BRX", "EXIT", "BAR", "BSSY", "BSYNC", "BREAK", "WARPSYNC",
                                          "CALL", "RET", "NOP", "YIELD", "DEPBAR", "LDGDEPBAR", "ISETP",
                                          "FSETP", "DSETP", "PLOP3", "UISETP", "UPLOP3", "MEMBAR", "ERRBAR",
                                          "NANOSLEEP", "VOTE",
                                          NULL};
    if (is_one_of(l->op, fp32)) m->fp32++;
    else if (is_one_of(l->op, fp64)) m->fp64++;
    else if (is_one_of(l->op, matrix)) m->matrix++;
    else if (is_one_of(l->op, special)) m->special++;
    else if (is_one_of(l->op, shared)) m->shared++;
    else if (is_one_of(l->op, global)) m->global++;
    else if (is_one_of(l->op, control)) m->control++;
    else m->integer++;
}

static int target_of(const Listing *l, const Line *line) {
    for (int k = 0; line->to && k < l->labels.n; k++)
        if (l->labels.at[k].n == line->ntarget &&
            !strncmp(l->labels.at[k].name, line->to, (size_t)line->ntarget))
            return l->labels.at[k].at;
    return -1;
}

// Does the stretch hold a whole loop besides itself?
static bool holds_loop(const Listing *l, int from, int to) {
    for (int k = from; k < to; k++) {
        int target = target_of(l, &l->lines.at[k]);
        if (target >= from && target <= k) return true;
    }
    return false;
}

double mix_share(const InstructionMix *m) {
    double all = mix_total(m);
    return all > 0 ? mix_work(m) / all : 0;
}

static double arithmetic(const InstructionMix *m) { return mix_work(m); }

static InstructionMix stretch(const Listing *l, int from, int to) {
    InstructionMix m = {0};
    for (int k = from; k < to; k++) count(&m, &l->lines.at[k]);
    return m;
}

static void note_widths(SassMix *out, const Listing *l, int from, int to) {
    for (int k = from; k < to; k++) {
        const char *op = l->lines.at[k].op;
        if (!str_has_prefix(op, "LDS") || str_has_prefix(op, "LDSM")) continue;
        out->joined[strstr(op, ".128") ? 2 : strstr(op, ".64") ? 1 : 0]++;
    }
}

SassMix sass_mix(Arena *a, const char *text, const char *kernel) {
    SassMix out = {0};
    Listing l = {.a = a};
    const char *at = begin_of(a, text, kernel);
    if (!at) return out;
    read_code(&l, at);
    out.known = l.lines.n > 0;
    out.all = out.inner = stretch(&l, 0, l.lines.n);
    int from = 0, to = l.lines.n;
    for (int k = 0; k < l.lines.n; k++) {
        int target = target_of(&l, &l.lines.at[k]);
        // a jump to itself ends every text
        if (target < 0 || target >= k || holds_loop(&l, target, k)) continue;
        InstructionMix m = stretch(&l, target, k + 1);
        if (out.loop && arithmetic(&m) <= arithmetic(&out.inner)) continue;
        out.inner = m, out.loop = true, from = target, to = k + 1;
    }
    note_widths(&out, &l, from, to);
    return out;
}
