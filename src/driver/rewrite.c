// SPDX-License-Identifier: MIT
// rewrite.c -- the host's text: the user's file with each taken region behind a call.
//
//   #pragma omp parallel for          #line 7 "f.c"
//   for (i = 0; i < n; i++)           { static struct sculpt_region_ sculpt_r0_ = {1, 0, "…"};
//       a[i] = x * b[i];       →        union sculpt_arg_ sculpt_a_[4]; int sculpt_s_ = 0;
//                                       if (!(2.0 * n < *sculpt_little_)) {
//                                           sculpt_a_[0].p = (a); …
//                                           sculpt_s_ = 1 + sculpt_enter_(&sculpt_r0_, sculpt_a_, 4); }
//                                       if (sculpt_s_ > 1) { i = n; } else {
//                                     #line 7 "f.c"
//                                     #pragma omp parallel for
//                                     for (i = 0; i < n; i++)
//                                         a[i] = x * b[i];
//                                     #line 9 "f.c"
//                                       } if (sculpt_s_) sculpt_leave_(…); }
//
// A mark that shares iterations among threads that run already (omp for inside omp parallel)
// is met by all of them. One makes the call, if all have the same arguments (an array or
// variable of each thread's own is not one region's business); else all run the loops:
//
//   #pragma omp barrier               what they computed so far is there for all
//   arguments                         each thread its own: sculpt_a_
//   #pragma omp single copyprivate    sculpt_b_: those of one; sculpt_g_: its note for all
//   differ? *sculpt_g_ = 1            #pragma omp barrier
//   #pragma omp single                *sculpt_g_ = sculpt_enter(…)
//   if (!*sculpt_g_) the loops        #pragma omp barrier; sculpt_leave; #pragma omp barrier
//
// The result is one statement; the original text occurs in it exactly once, so labels and
// static objects stay unique. What is added compiles as C89 to C23 with -pedantic -Werror,
// includes nothing, and clashes with nothing, sculpt/sculpt.h included: the functions have
// names of our own that stand for libsculpt's symbols.
#include "driver/driver.h"
#include "parse/lex.h"
#include "sculpt/sculpt.h"
#include <string.h>

// ---- may it be replaced? --------------------------------------------------------------------
// Brackets of a span close in order; and it ends as a statement does, or the call of a macro that is one.
static bool is_statement(Arena *a, const FrontUnit *u, size_t begin, size_t end) {
    const char *text = scan_first_branches(a, u->text, begin, end);
    char stack[256], last = 0;
    int depth = 0;
    size_t b, e;
    for (size_t at = 0; scan_token(text, end - begin, at, &b, &e); at = e) {
        last = text[b];
        if (strchr("([{", last)) {
            if (depth == sizeof stack) return false;
            stack[depth++] = last == '(' ? ')' : last == '[' ? ']' : '}';
        } else if (strchr(")]}", last) && (depth == 0 || stack[--depth] != last)) {
            return false;
        }
    }
    return depth == 0 && last && strchr("});", last);
}

// Does the mark share the iterations among threads, or teams of threads, that run already?
// *is_for: it is an omp for, which one team meets.
static bool shares_work(const FrontRegion *r, bool *is_for) {
    *is_for = false;
    if (r->marked != MARK_OMP || !r->mark) return false;
    size_t n = strlen(r->mark);
    bool teams = scan_has(r->mark, 0, n, "teams"), distribute = scan_has(r->mark, 0, n, "distribute");
    // simd alone shares nothing
    bool loop = scan_has(r->mark, 0, n, "for") || scan_has(r->mark, 0, n, "loop");
    *is_for = scan_has(r->mark, 0, n, "for") && !distribute;
    return distribute ? !teams : loop && !scan_has(r->mark, 0, n, "parallel") && !teams;
}

bool rewrite_shares(const FrontRegion *r, const Flags *f) {
    bool is_for;
    return f->openmp && shares_work(r, &is_for);
}

static bool jumps_away(const char *text, size_t begin, size_t end) {
    size_t b, e;
    for (size_t at = begin; scan_token(text, end, at, &b, &e); at = e)
        if (scan_is(text, b, e, "return") || scan_is(text, b, e, "goto")) return true;
    return false;
}

static int returns_in(const char *text, size_t begin, size_t end) {
    int n = 0;
    size_t b, e;
    for (size_t at = begin; scan_token(text, end, at, &b, &e); at = e) n += scan_is(text, b, e, "return");
    return n;
}

// #if lines that open or close outside the span cut through it.
static bool is_cut(const FrontUnit *u, size_t begin, size_t end) {
    int least, final;
    scan_conditionals(u->text, begin, end, &least, &final);
    return least < 0 || final != 0;
}

// Where the text to be replaced begins: at the mark, or at pragmas before it that bind to
// the loop.
static size_t opening(const FrontUnit *u, const FrontRegion *r) {
    return scan_bound_pragma(u->text, r->pragma_begin < r->begin ? r->pragma_begin : r->begin);
}

// Behind the macros that begin the loops, of which nothing can be told: LOOP x[i] = 1; declares no x.
static size_t past_macros(const FrontUnit *u, size_t begin, size_t end) {
    size_t b, e, open, past;
    for (bool macro = true; macro && scan_token(u->text, end, begin, &b, &e);) {
        macro = false;
        for (int i = 0; i < u->nmacros && !macro; i++) macro = scan_is(u->text, b, e, u->macros[i]);
        if (!macro) break;
        begin = e;
        if (!scan_token(u->text, end, e, &open, &past) || u->text[open] != '(') continue;
        int depth = 1;
        for (begin = past; depth && scan_token(u->text, end, begin, &b, &e); begin = e)
            depth += (u->text[b] == '(') - (u->text[b] == ')');
    }
    return begin;
}

const char *rewrite_refuses(Arena *a, const FrontUnit *u, const FrontRegion *r, const Flags *f) {
    bool is_for;
    size_t open = opening(u, r);
    if (r->begin >= r->end || r->end > u->size || !is_statement(a, u, r->begin, r->end))
        return "they are part of a macro's expansion; write the loop outside of the macro";
    if (scan_open_inline(u->text, open))
        return "an inline function that is not static can't have static objects; make it static";
    if (!scan_stands_free(u->text, open))
        return "directly before them stands a macro without a semicolon, which they may be a part of; "
               "end it with a semicolon or write it out";
    bool cut = is_cut(u, open, r->end);
    if (cut && (is_cut(u, r->begin, r->end) || open < r->pragma_begin))
        return "#if lines cut through the loops; put whole loops into the branches";
    if (f->openmp && shares_work(r, &is_for) && !is_for)
        return "the mark shares iterations among teams or tasks that run already; "
               "write 'parallel for' at the loop";
    if (f->openmp && r->waits)
        return "the mark has them wait for tasks of the host ('depend'); a taskwait before them, and no such "
               "clause, would free them";
    if (!r->region && jumps_away(u->text, r->begin, r->end)) return "they can be left by a jump";
    if (r->returns.n && (returns_in(u->text, r->begin, r->end) != r->returns.n || shares_work(r, &is_for)))
        return "they return in a macro's expansion, or from a team of threads";
    Strings names = {0};
    scan_declared(a, u->text, past_macros(u, r->begin, r->end), r->end, &names);
    for (int i = 0; i < names.n; i++)
        if (scan_used_after(u->text, u->size, r->end, names.at[i]))
            return arena_printf(a, "'%s' is declared among them and its name is used behind them; "
                                   "declare it in front of the region", names.at[i]);
    return NULL;
}

// ---- pieces of text -----------------------------------------------------------------------------
static void put_string(Text *t, const char *s) {
    text_put(t, "\"");
    for (; *s; s++) {
        unsigned char ch = (unsigned char)*s;
        if (ch == '\n') text_put(t, s[1] ? "\\n\" \"" : "\\n");
        else if (ch == '"' || ch == '\\' || ch == '?') text_printf(t, "\\%c", ch);
        else if (ch < 32 || ch > 126) text_printf(t, "\\%03o", ch);
        else text_putn(t, s, 1);
    }
    text_put(t, "\"");
}

static void put_line(Text *t, Loc at) {
    if (t->n && t->s[t->n - 1] != '\n') text_put(t, "\n");
    text_printf(t, "#line %d ", at.line);
    Text name = text_new(t->arena);
    for (const char *s = at.file; *s; s++) {
        if (*s == '"' || *s == '\\') text_put(&name, "\\");
        text_putn(&name, s, 1);
    }
    text_printf(t, "\"%s\"\n", text_str(&name));
}

// Is what begins at `at` a mark that only sculpt reads? The host's compiler reads omp and acc if it was asked
// to.
static bool is_own_mark(const char *text, size_t at, size_t past, const Flags *f) {
    size_t b, e;
    if (!scan_token(text, past, at, &b, &e)) return false;
    return scan_is(text, b, e, "scop") || scan_is(text, b, e, "endscop") || scan_is(text, b, e, "sculpt") ||
           (scan_is(text, b, e, "omp") && !f->openmp && !f->openmp_simd) ||
           (scan_is(text, b, e, "acc") && !f->openacc);
}

static void blank(char *text, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n') text[i] = ' ';
}

// The text without marks that only sculpt reads: they become empty lines, so that -Werror=unknown-pragmas has
// nothing to say.
static char *without_own_marks(Text *t, const Flags *f) {
    char *text = (char *)text_str(t);
    size_t word[2], past, end = t->n;
    for (size_t at = 0; (at = lex_next_directive(text, end, at)) < end; at = past) {
        bool pragma = scan_directive(text, end, at, word, &past) && scan_is(text, word[0], word[1], "pragma");
        if (pragma && is_own_mark(text, word[1], past, f)) blank(text, at, past);
    }
    size_t b, e, open, quote, close; // _Pragma("sculpt")
    for (size_t at = 0; scan_token(text, end, at, &b, &e); at = e) {
        if (!scan_is(text, b, e, "_Pragma") || !scan_token(text, end, e, &open, &at) ||
            !scan_token(text, end, at, &quote, &past) || text[quote] != '"' ||
            !scan_token(text, end, past, &close, &at) || text[close] != ')')
            continue;
        if (is_own_mark(text, quote + 1, past - 1, f)) blank(text, b, at);
        e = at;
    }
    return text;
}

static void put_calls(Text *t) {
    // no macro: in preprocessed text it would stay one
    text_put(t, "__extension__ typedef long long sculpt_int_; "
                "typedef __typeof__(sizeof 0) sculpt_size_; union sculpt_arg_ { void *sculpt_p_; "
                "sculpt_int_ sculpt_i_; double sculpt_f_; }; struct sculpt_region_ { "
                "int sculpt_0_, sculpt_1_; const char *sculpt_2_, *sculpt_3_; int sculpt_4_, sculpt_5_; "
                "void *sculpt_6_; }; "
                "extern int sculpt_enter_(struct sculpt_region_ *, const union sculpt_arg_ *, int) "
                "__asm__(\"sculpt_enter\"); "
                "extern void sculpt_leave_(struct sculpt_region_ *, const union sculpt_arg_ *, int)"
                " __asm__(\"sculpt_leave\"); "
                "extern int sculpt_recall_(struct sculpt_region_ *, union sculpt_arg_ *, int)"
                " __asm__(\"sculpt_recall\"); "
                "struct sculpt_table_ { const void *sculpt_0_; sculpt_int_ sculpt_1_; "
                "int sculpt_2_, sculpt_3_; sculpt_int_ sculpt_4_[2], sculpt_5_[2], sculpt_6_, sculpt_7_; }; "
                "extern void *sculpt_rows_(const struct sculpt_table_ *, sculpt_int_ *) "
                "__asm__(\"sculpt_rows\"); "
                "extern void sculpt_home_(void *, sculpt_size_) __asm__(\"sculpt_update_host\"); "
                "extern __thread const int *sculpt_little_ __asm__(\"sculpt_little\");");
}

static void put_prelude(Text *t, bool inserts) {
    put_calls(t);
    if (inserts)
        text_put(t, " extern void sculpt_data_begin(void); extern void sculpt_data_end(void); "
                    "extern void sculpt_data_enter(void *, sculpt_size_, int); "
                    "extern void sculpt_data_exit(void *, sculpt_size_, int); "
                    "extern void sculpt_update_host(void *, sculpt_size_); "
                    "extern void sculpt_update_device(void *, sculpt_size_); "
                    "extern void sculpt_flush(void);");
    // The call reads variables that the loops read only if they run, and an inspection asks what the program
    // asks in a macro of the system's.
    text_put(t, "\n#if defined __clang__\n"
                "#define sculpt_quiet_ _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                "\\\"-Wuninitialized\\\"\")\n"
                "#else\n"
                "#define sculpt_quiet_ _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic ignored "
                "\\\"-Wuninitialized\\\"\") "
                "_Pragma(\"GCC diagnostic ignored \\\"-Wmaybe-uninitialized\\\"\") "
                "_Pragma(\"GCC diagnostic ignored \\\"-Wtype-limits\\\"\")\n"
                "#endif\n#define sculpt_loud_ _Pragma(\"GCC diagnostic pop\")\n");
}

// ---- a region's call ------------------------------------------------------------------------------
// A number that no pointer leads to is handed over as a copy: compilers keep it in a register where the
// original loops run, and know that these store to it nowhere else. Threads that share a region compare where
// its variables are.
static bool is_copied(const Part *p, const Array *x) { return x->lone && !p->shared; }

// For each such number, or only those that are written: the format's words are its name, and the number of
// its argument.
static void put_copies(Text *t, const Part *p, const Region *r, const char *fmt, bool written) {
    int n = 0;
    for (int i = 0; r && i < r->narrays; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) seen |= str_eq(r->arrays[j]->object, r->arrays[i]->object);
        if (seen) continue;
        if (is_copied(p, r->arrays[i]) && (!written || region_writes(r, r->arrays[i])))
            text_printf(t, fmt, r->arrays[i]->source + 1, n);
        n++;
    }
}

// Assigns the arguments in the order that sculpt.h states: those that are found by loops, or all others.
// Returns how many there are.
static int put_args(Text *t, const Part *p, const Region *r, bool found) {
    int n = 0;
    for (int i = 0; i < r->narrays; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) seen |= str_eq(r->arrays[j]->object, r->arrays[i]->object);
        if (seen) continue;
        if (!found && is_copied(p, r->arrays[i]))
            text_printf(t, "sculpt_v%d_ = %s; sculpt_a_[%d].sculpt_p_ = &sculpt_v%d_; ", n,
                        r->arrays[i]->source + 1, n, n);
        else if (!found)
            text_printf(t, "sculpt_a_[%d].sculpt_p_ = (void *)(__UINTPTR_TYPE__)(%s); ", n,
                        r->arrays[i]->source);
        n++;
    }
    for (int i = 0; i < r->nparams; i++, n++) {
        const Sym *s = r->params[i];
        bool f = type_is_float(s->type);
        if (found != !s->source) continue;
        if (s->held)
            text_printf(t, "sculpt_home_((void *)(__UINTPTR_TYPE__)&(%s), sizeof(%s)); ", s->source,
                        s->source);
        text_printf(t, "sculpt_a_[%d].%s = (%s)(%s); ", n,
                    f ? "sculpt_f_" : "sculpt_i_",
                    f ? "double" : "sculpt_int_",
                    s->source ? s->source : arena_printf(t->arena, "sculpt_%s", s->name));
    }
    return n;
}

// The arguments; what must be found by loops is, where it is not known from a call before. Returns how many
// they are.
static int put_values(Compile *c, Text *t, const Part *p, const Region *r, int number) {
    if (!r) return 0;
    text_put(t, "sculpt_quiet_ { ");
    int n = put_args(t, p, r, false);
    if (r->ninspects) {
        text_printf(t, "__extension__ ({ const int sculpt_known = "
                    "sculpt_recall_(&sculpt_r%d_, sculpt_a_, %d); if (sculpt_known != 1) { %s ", number, n,
                    emit_inspect(c, r));
        put_args(t, p, r, true);
        text_put(t, "} }); ");
    }
    text_put(t, "} sculpt_loud_ ");
    return n;
}

// All threads of a team come here; see above.
static int put_team_call(Compile *c, Text *t, const Part *p, const Region *r, int number) {
    text_put(t, "union sculpt_arg_ *sculpt_b_ = 0; int sculpt_f_ = 0, *sculpt_g_ = 0; "
                "_Pragma(\"omp barrier\") ");
    int n = put_values(c, t, p, r, number);
    text_put(t, "_Pragma(\"omp single copyprivate(sculpt_b_, sculpt_g_)\") "
                "{ sculpt_b_ = sculpt_a_; sculpt_g_ = &sculpt_f_; } ");
    if (n)
        text_printf(t, "if (__builtin_memcmp(sculpt_a_, sculpt_b_, %d * sizeof *sculpt_a_)) "
                       "{ _Pragma(\"omp atomic write\") *sculpt_g_ = 1; } ", n);
    else text_put(t, "(void)sculpt_b_; ");
    text_printf(t, "_Pragma(\"omp barrier\") _Pragma(\"omp single\") "
                   "*sculpt_g_ = sculpt_enter_(&sculpt_r%d_, sculpt_a_, *sculpt_g_ ? -1 : %d); "
                   "if (*sculpt_g_)", number, n);
    return n;
}

// The call, unless its work is little (sculpt.h); of loops that no device takes it always is.
static int put_call(Compile *c, Text *t, const Part *p, const Region *r, int number) {
    const char *work = !p->taken ? "(double)0" : p->dep->work ? emit_work(c->arena, p->dep->work) : NULL;
    text_put(t, "int sculpt_s_ = 0; ");
    if (work) text_printf(t, "if (__builtin_expect(!(%s < *sculpt_little_), 0)) ", work);
    text_put(t, "{ ");
    int n = put_values(c, t, p, r, number);
    const char *threads = p->front->threads; // one thread keeps an order on which the loops may rest
    const char *alone = threads ? arena_printf(c->arena, "(%s) == 1 ? -2 : ", threads) : "";
    text_printf(t, "sculpt_s_ = 1 + sculpt_enter_(&sculpt_r%d_, sculpt_a_, %s%d); } if (sculpt_s_ > 1)",
                number, alone, n);
    return n;
}

// Final values of counters, some under conditions that the original loops had, too. Of a
// variable that only loops set nobody warns, so they stand in one.
static void put_epilogue(Text *t, const Part *p, const Region *r) {
    // Loops that no device takes always run, so what they set is set.
    const char *text = !p->taken ? "__builtin_unreachable();" : p->front->epilogue ? p->front->epilogue : "";
    const char *loop = strstr(text, "if (") ? "int sculpt_k_; for (sculpt_k_ = 0; sculpt_k_ < 1; "
                                              "sculpt_k_++) " : "";
    text_put(t, " { sculpt_quiet_ ");
    if (p->taken) put_copies(t, p, r, "%s = sculpt_v%d_; ", true);
    text_printf(t, "%s{ %s } sculpt_loud_ } else {", loop, text);
}

// The text between a region's opening and its original loops. Returns the number of arguments.
static int put_open(Compile *c, Text *t, const Part *p, Loc begin, int number) {
    const Region *r = p->dep ? p->front->region : NULL;
    text_printf(t, "{ static struct sculpt_region_ sculpt_r%d_ = {%d, %d, __extension__ ", number,
                SCULPT_ABI, (p->shared ? SCULPT_TEAM : 0) | (r && r->fast_math ? SCULPT_FAST : 0) |
                    (p->front->of_host ? SCULPT_HOST : 0));
    put_string(t, p->text);
    text_put(t, ", __extension__ ");
    put_string(t, p->front->loc.file);
    int n = r ? r->narrays + r->nparams : 0;
    put_line(t, begin); // what stands far to the right has no place for a compiler
    text_printf(t, ", %d, 0, 0}; union sculpt_arg_ sculpt_a_[%d]%s; ", p->front->loc.line, n ? n : 1,
                n ? "" : " = {{0}}");
    if (p->front->returns.n) text_put(t, "int " FRONT_GONE " = 0; ");
    if (p->front->returns.type) text_printf(t, "%s " FRONT_RESULT " = 0; ", p->front->returns.type);
    put_copies(t, p, r, "__typeof__(%s) sculpt_v%d_; ", false);
    n = p->shared ? put_team_call(c, t, p, r, number) : put_call(c, t, p, r, number);
    put_epilogue(t, p, r);
    return n;
}

// Spaces up to a byte's column, so that messages point where the user wrote.
static void put_column(Text *t, const char *text, size_t at) {
    size_t start = at;
    while (start > 0 && text[start - 1] != '\n') start--;
    for (size_t i = start; i < at; i++) text_put(t, text[i] == '\t' ? "\t" : " ");
}

// The original loops. What they return is noted: behind them the call is left, and then the function.
static void put_loops(Text *t, const FrontUnit *u, const FrontRegion *r, size_t open, int number) {
    size_t from = open, b, e;
    for (size_t at = open; r->returns.n && scan_token(u->text, r->end, at, &b, &e); at = e) {
        if (!scan_is(u->text, b, e, "return")) continue;
        size_t past = e, semicolon = e;
        while (scan_token(u->text, r->end, past, &semicolon, &past) && u->text[semicolon] != ';') continue;
        text_putn(t, u->text + from, b - from);
        if (r->returns.type) text_put(t, "{ " FRONT_RESULT " = (");
        else text_put(t, "{ ");
        text_putn(t, u->text + e, semicolon - e);
        text_printf(t, "%s" FRONT_GONE " = 1; goto sculpt_out%d_; }", r->returns.type ? "); " : "", number);
        from = past;
    }
    text_putn(t, u->text + from, r->end - from);
}

static void put_region(Compile *c, Text *t, const FrontUnit *u, const Part *p, size_t open,
                       int number) {
    const FrontRegion *r = p->front;
    put_line(t, flat_said(u->flat, r->begin));
    int nargs = put_open(c, t, p, flat_said(u->flat, r->begin), number);
    put_line(t, flat_said(u->flat, open));
    put_column(t, u->text, open);
    put_loops(t, u, r, open, number);
    put_line(t, flat_said(u->flat, r->end));
    if (r->returns.n) text_printf(t, "} sculpt_out%d_: {", number);
    const char *barrier = p->shared ? "_Pragma(\"omp barrier\") " : "";
    text_printf(t, "} %s{ ", p->shared ? barrier : "if (sculpt_s_) ");
    if (p->deferred) text_put(t, "if (sculpt_s_ < 2) { _Pragma(\"omp taskwait\") } ");
    Text copies = text_new(c->arena); // for the checker, which looks at what the original loops left
    put_copies(&copies, p, p->dep ? r->region : NULL, "sculpt_v%2$d_ = %1$s; ", true);
    if (copies.n) text_printf(t, "sculpt_quiet_ if (sculpt_s_ < 2) { %s} sculpt_loud_ ", text_str(&copies));
    text_printf(t, "sculpt_leave_(&sculpt_r%d_, sculpt_a_, %d); } %s", number, nargs, barrier);
    if (r->returns.n)
        text_printf(t, "if (" FRONT_GONE ") return%s; ", r->returns.type ? " " FRONT_RESULT : "");
    text_put(t, "}");
    put_line(t, flat_said(u->flat, r->end));
    put_column(t, u->text, r->end);
}

// Copies the text up to `end`, with what must be inserted on the way.
static void put_between(Text *t, const FrontUnit *u, size_t at, size_t end, int *insert) {
    for (; *insert < u->ninserts; (*insert)++) {
        const FrontInsert *in = &u->inserts[*insert];
        size_t to = in->text[0] == '{' ? scan_bound_pragma(u->text, in->at) : in->at;
        if (to > end) break;
        if (to < at) continue;
        text_putn(t, u->text + at, to - at);
        put_line(t, flat_said(u->flat, to));
        text_printf(t, "%s ", in->text);
        put_line(t, flat_said(u->flat, to));
        put_column(t, u->text, to);
        at = to;
    }
    if (at < end) text_putn(t, u->text + at, end - at);
}

// A mark in front of #if lines: it goes, and its region is replaced behind them. Returns
// where the text goes on.
static size_t drop_mark(Text *t, const FrontUnit *u, size_t at, size_t mark, int *insert) {
    size_t word[2], past;
    put_between(t, u, at, mark, insert);
    if (!scan_directive(u->text, u->size, mark, word, &past)) return mark;
    put_line(t, flat_said(u->flat, past));
    return past;
}

// A declaration's words up to a place.
typedef struct Specifiers {
    bool typed;         // one of them is a type
    int depth;
    bool around[64];    // the same behind each open bracket
    size_t last[2];     // the token before
} Specifiers;

static bool is_any(const char *text, const size_t w[2], const char *const *words) {
    for (; *words; words++)
        if (scan_is(text, w[0], w[1], *words)) return true;
    return false;
}

static void follow_specifiers(Specifiers *s, const char *text, size_t b, size_t e) {
    static const char *const typing[] = {"typeof", "__typeof__", "__typeof", "_Atomic", NULL};
    static const char *const other[] = {"const", "volatile", "__const", "__const__", "__volatile__", "auto",
        "restrict", "__restrict", "__restrict__", "static", "extern", "__extension__", "__attribute__",
        "__attribute", "_Alignas", "register", "else", "do", "return", NULL};
    const size_t w[2] = {b, e};
    bool inside = s->depth < 64;
    if (text[b] == '(') {
        bool kept = is_any(text, s->last, typing) || (is_any(text, s->last, other) && s->typed);
        if (inside) s->around[s->depth] = kept;
        s->depth++;
        s->typed = false;
    } else if (text[b] == ')') {
        s->depth -= s->depth > 0;
        s->typed = s->depth < 64 && s->around[s->depth];
    } else if (lex_word_char(text[b])) {
        s->typed |= !is_any(text, w, other);
    } else {
        s->typed = false;
    }
    s->last[0] = b, s->last[1] = e;
}

// Regions take addresses of variables, which `register` forbids and does nothing else; a
// variable that is bound to a machine's register keeps it. Without a type it stands for int.
static char *drop_register(Arena *a, const FrontUnit *u) {
    char *text = arena_strndup(a, u->text, u->size);
    Specifiers before = {0};
    size_t b, e, b2, e2;
    for (size_t at = 0; scan_token(text, u->size, at, &b, &e); at = e) {
        bool typed = before.typed;
        follow_specifiers(&before, u->text, b, e);
        if (!scan_is(text, b, e, "register")) continue;
        bool bound = false;
        for (size_t i = e; scan_token(text, u->size, i, &b2, &e2) && !strchr(";{", text[b2]); i = e2)
            bound |= scan_is(text, b2, e2, "asm") || scan_is(text, b2, e2, "__asm__") ||
                     scan_is(text, b2, e2, "__asm");
        if (bound) continue;
        bool implicit = !typed && scan_token(text, u->size, e, &b2, &e2) && e2 > b2 &&
                        scan_token(text, u->size, e2, &b2, &e2) && strchr(",;=[", text[b2]);
        memcpy(text + b, implicit ? "int     " : "        ", e - b);
    }
    return text;
}

// ---- marked loops that stay as they are ------------------------------------------------------------
static bool is_silent(const Part *p) {
    return !p->text && p->front->marked != MARK_AUTO && !part_is_idle(p);
}

bool rewrite_tells(const Unit *u) {
    bool any = u->noutside > 0;
    for (int i = 0; i < u->nparts; i++) any |= is_silent(&u->parts[i]);
    return any;
}

static void put_told(Compile *c, Text *t, Loc loc, MarkKind marked) {
    text_printf(t, "{ static struct sculpt_region_ sculpt_r_ = {%d, 0, ", SCULPT_ABI);
    put_string(t, pipeline_blank(c, loc, marked));
    text_put(t, ", ");
    put_string(t, loc.file);
    text_printf(
        t,
        ", %d, 0, 0}; static union sculpt_arg_ sculpt_a_[1]; sculpt_enter_(&sculpt_r_, sculpt_a_, 0); "
        "sculpt_leave_(&sculpt_r_, sculpt_a_, 0); } ",
        loc.line);
}

// Who requires a device hears of them at the program's start: whether they run can't be seen.
static void put_tell_begin(Text *t) {
    text_put(t, "extern char *sculpt_env_(const char *) __asm__(\"getenv\"); "
                "static void __attribute__((__constructor__)) sculpt_tell_(void) { "
                "if (!sculpt_env_(\"SCULPT_REQUIRE\")) return; ");
}

static void put_silent(Compile *c, Text *t, const Unit *unit) {
    Loc end = flat_said(unit->front->flat, unit->front->size);
    put_line(t, end);
    put_tell_begin(t);
    for (int i = 0; i < unit->nparts; i++)
        if (is_silent(&unit->parts[i]))
            put_told(c, t, unit->parts[i].front->loc, unit->parts[i].front->marked);
    if (unit->noutside) put_told(c, t, (Loc){unit->front->file, 1, 1}, MARK_SCULPT);
    text_put(t, "}\n");
}

static void put_whole(Compile *c, Text *t, const char *file) {
    put_tell_begin(t);
    put_told(c, t, (Loc){file, 1, 1}, MARK_SCULPT);
    text_put(t, "}\n");
}

char *rewrite_unread(Compile *c, const Flat *flat, const Flags *f) {
    Text t = text_new(c->arena);
    put_prelude(&t, false);
    put_line(&t, flat_said(flat, 0));
    text_putn(&t, flat->text, flat->size);
    put_line(&t, flat_said(flat, flat->size));
    put_whole(c, &t, flat->file);
    return without_own_marks(&t, f);
}

char *rewrite_told(Compile *c, const char *text, const char *file) {
    Text t = text_new(c->arena);
    text_put(&t, text);
    text_put(&t, "\n");
    put_calls(&t);
    text_put(&t, "\n");
    put_whole(c, &t, file);
    return (char *)text_str(&t);
}

char *rewrite_unit(Compile *c, const Unit *unit, const Flags *f) {
    FrontUnit copy = *unit->front, *u = &copy;
    copy.text = drop_register(c->arena, u);
    Text t = text_new(c->arena);
    size_t at = u->size >= 3 && memcmp(u->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    int insert = 0;
    put_prelude(&t, u->ninserts > 0);
    put_line(&t, flat_said(u->flat, 0));
    for (int i = 0; i < unit->nparts; i++) {
        const Part *p = &unit->parts[i];
        const FrontRegion *r = p->front;
        if (!p->text || r->begin < at) continue;
        size_t mark = r->pragma_begin < at ? r->begin : r->pragma_begin;
        size_t open = scan_bound_pragma(u->text, mark);
        if (open < at) open = mark;
        if (is_cut(u, open, r->end)) {
            at = drop_mark(&t, u, at, mark, &insert);
            open = r->begin;
        }
        put_between(&t, u, at, open, &insert);
        put_region(c, &t, u, p, open, i);
        at = r->end;
    }
    put_between(&t, u, at, u->size, &insert);
    if (rewrite_tells(unit)) put_silent(c, &t, unit);
    return without_own_marks(&t, f);
}
