// SPDX-License-Identifier: MIT
// mutants.c -- C files and nests, changed at random, through the whole compiler
//
//   mutants --sculpt PROGRAM --work FOLDER [--seed N] [--first K] [--count N] [--limit SECONDS] [--memory MB]
//   FILE…
//
// Mutant K of a seed is always the same text and the same command while the files are the same. The compiler
// may refuse a text, but it must not crash, take more processor time (--limit and a second for each of its
// loops) or memory than the limits, have the sanitizers complain, or tell the author of a C file of a mistake
// of its own. What does is kept in the folder, with what was said; its number and its command are printed.
#include "base/base.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum Kind { WORD, NUMBER, TEXT, LINE, MARK } Kind; // LINE: a directive, MARK: punctuation
typedef struct Token {
    const char *gap, *s; // the blanks before it, and itself
    int ngap, n;
    Kind kind;
} Token;
typedef VEC(Token) Tokens;

typedef struct Options {
    const char *sculpt, *work;
    uint64_t seed;
    int first, count, limit, memory, nfiles;
    char **files;
} Options;

typedef struct Mutant {
    Arena *a;
    const Options *o;
    uint64_t random;
    bool nest;           // a nest's text, not C
    Tokens t;
} Mutant;

static int below(Mutant *m, int n) {
    m->random ^= m->random << 13, m->random ^= m->random >> 7, m->random ^= m->random << 17;
    return n > 0 ? (int)((m->random >> 11) % (uint64_t)n) : 0;
}

#define ONE_OF(m, list) (list)[below((m), (int)(sizeof(list) / sizeof *(list)))]

// ---- tokens ------------------------------------------------------------------------------------
static const char *skip_gap(const char *s) {
    for (;;) {
        s += strspn(s, " \t\r\n\f");
        if (strncmp(s, "//", 2) == 0) s += strcspn(s, "\n");
        else if (strncmp(s, "/*", 2) == 0 && strstr(s + 2, "*/")) s = strstr(s + 2, "*/") + 2;
        else return s;
    }
}

static const char *skip_line(const char *s) {
    while (*s && *s != '\n') s += 1 + (s[0] == '\\' && s[1] == '\n');
    return s;
}

static const char *skip_text(const char *s) {
    char end = *s++;
    while (*s && *s != end && *s != '\n') s += 1 + (s[0] == '\\' && s[1]);
    return s + (*s == end);
}

static const char *skip_punctuation(const char *s) {
    static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                                         "!=", "&&", "||",
                                         "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".."};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (str_has_prefix(s, longer[i])) return s + strlen(longer[i]);
    return s + 1;
}

static const char *skip_token(const char *s, bool nest, Kind *kind) {
    if (isalpha((unsigned char)*s) || *s == '_') {
        *kind = WORD;
        while (isalnum((unsigned char)*s) || *s == '_') s++;
    } else if (isdigit((unsigned char)*s)) {
        *kind = NUMBER;
        while (isalnum((unsigned char)*s) || (*s == '.' && s[1] != '.')) s++;
    } else if (*s == '"' || *s == '\'') {
        *kind = TEXT;
        s = skip_text(s);
    } else if (*s == '#' && !nest) {
        *kind = LINE;
        s = skip_line(s);
    } else {
        *kind = MARK;
        s = skip_punctuation(s);
    }
    return s;
}

static Tokens tokens_of(Arena *a, const char *s, bool nest) {
    Tokens t = {0};
    for (;;) {
        Token x = {.gap = s};
        x.s = skip_gap(s);
        x.ngap = (int)(x.s - s);
        if (!*x.s) return t;
        s = skip_token(x.s, nest, &x.kind);
        x.n = (int)(s - x.s);
        vec_push(a, &t, x);
    }
}

static bool is(const Token *t, const char *s) { return (int)strlen(s) == t->n &&
                                               strncmp(t->s, s, strlen(s)) == 0; }

static bool same(const Token *x, const Token *y) { return x->n == y->n &&
                                                  strncmp(x->s, y->s, (size_t)x->n) == 0; }

static int depth_change(const Token *t) {
    if (is(t, "{") || is(t, "(") || is(t, "[")) return 1;
    return is(t, "}") || is(t, ")") || is(t, "]") ? -1 : 0;
}

static const char *text_of(Mutant *m) {
    Text t = text_new(m->a);
    for (int i = 0; i < m->t.n; i++) {
        const Token *x = &m->t.at[i];
        text_putn(&t, x->gap, (size_t)x->ngap);
        if (x->kind == LINE && t.n && t.s[t.n - 1] != '\n') text_put(&t, "\n");
        text_putn(&t, x->s, (size_t)x->n);
        if (x->kind == LINE) text_put(&t, "\n");
        else if (i + 1 < m->t.n && !m->t.at[i + 1].ngap && x->kind != MARK &&
                 m->t.at[i + 1].kind != MARK) text_put(&t, " ");
    }
    return text_str(&t);
}

// ---- one function of a file -------------------------------------------------------------------------
// The end of what begins at `at` on the file's own level: a directive, a declaration, a function.
static int item_end(const Tokens *t, int at, bool *function) {
    int depth = 0;
    *function = false;
    for (bool called = false; at < t->n; at++) {
        const Token *x = &t->at[at];
        if (x->kind == LINE && depth == 0) return at + 1;
        depth += depth_change(x);
        called = called || is(x, "(");
        if (is(x, "{") && depth == 1 && called) *function = true;
        if (depth == 0 && (is(x, ";") || (is(x, "}") && *function))) return at + 1;
    }
    return at;
}

typedef struct Item {
    int begin, end;
    bool function, kept, whole; // a function that is not whole is declared
} Item;
typedef VEC(Item) Items;

static bool names(const Tokens *t, const Item *in, const Token *name) {
    for (int i = in->begin; i < in->end; i++)
        if (same(&t->at[i], name)) return true;
    return false;
}

// The name of a function is the word before its first bracket.
static const Token *name_of(const Tokens *t, const Item *f) {
    int at = f->begin;
    while (!is(&t->at[at + 1], "(")) at++;
    return &t->at[at];
}

// Keeps a function that another kept item names; true: it is new.
static bool keep_named(const Tokens *t, const Items *all, Item *f) {
    for (int i = 0; i < all->n && !f->kept; i++)
        f->kept = all->at[i].kept && names(t, &all->at[i], name_of(t, f));
    return f->kept;
}

static int loops(const Tokens *t, int begin, int end) {
    int n = 0;
    for (int i = begin; i < end; i++) n += is(&t->at[i], "for");
    return n;
}

static void put_item(Mutant *m, Tokens *out, const Item *x) {
    int end = x->begin;
    while (end < x->end && (x->whole || !is(&m->t.at[end], "{"))) vec_push(m->a, out, m->t.at[end++]);
    if (end < x->end) vec_push(m->a, out, tokens_of(m->a, ";", m->nest).at[0]);
}

// The file's declarations, one of its functions and those that it needs: declared only, where they are many.
enum { LOOPS_MOST = 6 };

static void cut(Mutant *m) {
    Items all = {0};
    Tokens out = {0};
    int nfunctions = 0;
    for (int at = 0; at < m->t.n; at = all.at[all.n - 1].end) {
        Item x = {.begin = at};
        x.end = item_end(&m->t, at, &x.function);
        x.kept = x.whole = !x.function;
        nfunctions += x.function;
        vec_push(m->a, &all, x);
    }
    int wanted = below(m, nfunctions), n = 0;
    for (int i = 0; i < all.n; i++)
        if (all.at[i].function && wanted-- == 0) all.at[i].kept = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < all.n; i++) more |= !all.at[i].kept && keep_named(&m->t, &all, &all.at[i]);
    }
    for (int i = all.n - 1; i >= 0; i--) { // what calls stands behind what it calls
        Item *f = &all.at[i];
        if (!f->kept || !f->function) continue;
        f->whole = n == 0 || n + loops(&m->t, f->begin, f->end) <= LOOPS_MOST;
        if (f->whole) n += loops(&m->t, f->begin, f->end);
    }
    for (int i = 0; i < all.n; i++)
        if (all.at[i].kept) put_item(m, &out, &all.at[i]);
    m->t = out;
}

// ---- changes -------------------------------------------------------------------------------------------
// Tokens begin to end give way to those of a text.
static void splice(Mutant *m, int begin, int end, const char *text) {
    Tokens in = tokens_of(m->a, text, m->nest), out = {0};
    for (int i = 0; i < begin; i++) vec_push(m->a, &out, m->t.at[i]);
    for (int i = 0; i < in.n; i++) {
        Token x = in.at[i];
        if (!x.ngap) x.gap = " ", x.ngap = 1;
        vec_push(m->a, &out, x);
    }
    for (int i = end; i < m->t.n; i++) vec_push(m->a, &out, m->t.at[i]);
    m->t = out;
}

static const char *span(Mutant *m, int begin, int end) {
    Mutant part = *m;
    part.t.at += begin;
    part.t.n = end - begin;
    return arena_strdup(m->a, text_of(&part));
}

static const char *word(Mutant *m, int at) { return arena_strndup(m->a, m->t.at[at].s, (size_t)m->t.at[at].n);
    }

static bool any_token(const Token *t) { return t->kind != LINE; }
static bool is_number(const Token *t) { return t->kind == NUMBER; }
static bool is_word(const Token *t) { return t->kind == WORD; }
static bool is_value(const Token *t) { return t->kind == NUMBER || t->kind == WORD; }
static bool is_loop(const Token *t) { return is(t, "for"); }
static bool is_directive(const Token *t) { return t->kind == LINE && strstr(t->s, "pragma"); }
static bool is_operator(const Token *t) { return t->kind == MARK && !strchr(",;(){}[]", *t->s); }
static bool ends_statement(const Token *t) { return is(t, ";") || is(t, "{") || is(t, "}"); }

// A token of that kind; -1: there is none near the one that chance has chosen.
static int pick(Mutant *m, bool (*wanted)(const Token *t)) {
    int at = below(m, m->t.n);
    for (int i = 0; i < m->t.n; i++)
        if (wanted(&m->t.at[(at + i) % m->t.n])) return (at + i) % m->t.n;
    return -1;
}

// A statement: [*begin, the result). Compound ones are one statement.
static int pick_statement(Mutant *m, int *begin) {
    int at = pick(m, ends_statement), depth = 0;
    *begin = ++at;
    for (; at > 0 && at < m->t.n; at++) {
        const Token *x = &m->t.at[at];
        depth += depth_change(x);
        if (depth < 0) return -1;
        if (depth == 0 && (is(x, ";") || is(x, "}"))) return at + 1;
    }
    return -1;
}

static void delete_tokens(Mutant *m) {
    int at = pick(m, any_token), n = 1 + below(m, 3);
    splice(m, at, at + n < m->t.n ? at + n : m->t.n, "");
}

static void double_token(Mutant *m) {
    int at = pick(m, any_token);
    splice(m, at, at, word(m, at));
}

static void swap_tokens(Mutant *m) {
    int x = pick(m, any_token), y = below(m, 2) ? pick(m, any_token) : (x + 1) % m->t.n;
    Token t = m->t.at[x];
    m->t.at[x] = m->t.at[y];
    m->t.at[y] = t;
}

static void change_number(Mutant *m) {
    static const char *const with[] = {"0", "1", "2", "-1", "3", "7", "255", "256", "32767", "65536",
                                       "2147483647", "2147483648", "-2147483648",
                                       "4294967295u", "4294967296", "9223372036854775807",
                                       "18446744073709551615u", "1.5", "1e308", "0x7fffffff",
                                       "1e-45f", "99999999999999999999", "'a'", "0.0"};
    int at = pick(m, is_number);
    if (at >= 0) splice(m, at, at + 1, ONE_OF(m, with));
}

static bool is_type(const Token *t) {
    static const char *const types[] = {"int", "float", "double", "long", "unsigned", "char", "short", "i8",
                                        "u8", "i32", "u32", "i64", "u64", "f32", "f64", "size_t"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is(t, types[i])) return true;
    return false;
}

static void change_type(Mutant *m) {
    static const char *const c[] = {"char", "short", "int", "long", "unsigned", "unsigned char",
                                    "unsigned long", "float", "double", "long double", "_Bool",
                                    "double _Complex", "int *", "struct nothing", "__int128", "void",
                                    "const int", "volatile double", "_Atomic int"};
    static const char *const nest[] = {"bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32",
                                       "f64"};
    int at = pick(m, is_type);
    if (at >= 0) splice(m, at, at + 1, m->nest ? ONE_OF(m, nest) : ONE_OF(m, c));
}

// Most often by one that can stand in its place.
static void change_operator(Mutant *m) {
    static const char *const alike[][12] = {
        {"<", "<=", ">", ">=", "==", "!="}, {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&&", "||"},
        {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}, {"++", "--"}, {"!", "~", "-"}};
    int at = pick(m, is_operator), row = below(m, 5);
    if (at < 0) return;
    for (int r = 0; r < 5 && below(m, 9); r++)
        for (int k = 0; k < 12 && alike[r][k]; k++) row = is(&m->t.at[at], alike[r][k]) ? r : row;
    const char *with = alike[row][below(m, 12)];
    if (with) splice(m, at, at + 1, with);
}

static bool is_name(const Token *t) {
    static const char *const words[] = {"for", "if", "else", "while", "do", "return", "void", "static",
                                        "const", "restrict", "struct", "break", "continue"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(t, words[i])) return false;
    return t->kind == WORD && !is_type(t);
}

static void change_name(Mutant *m) {
    int at = pick(m, is_name), with = pick(m, below(m, 9) ? is_name : is_word);
    if (at >= 0) splice(m, at, at + 1, word(m, with));
}

// A few tokens of some file.
static void take_foreign(Mutant *m) {
    const char *file = m->o->files[below(m, m->o->nfiles)], *text = file_read(m->a, file, NULL);
    Mutant other = {.a = m->a, .t = tokens_of(m->a, text ? text : "", m->nest)};
    int n = 1 + below(m, 9), from = below(m, other.t.n - n), at = pick(m, any_token);
    if (from + n <= other.t.n) splice(m, at, at + below(m, 2), span(&other, from, from + n));
}

static void repeat_statement(Mutant *m) {
    static const int times[] = {1, 2, 7, 16, 33, 65, 257};
    int begin, end = pick_statement(m, &begin), n = ONE_OF(m, times);
    if (end < 0 || end - begin > 200) return;
    const char *s = span(m, begin, end);
    Text t = text_new(m->a);
    for (int i = 0; i < n && t.n < 60000; i++) text_printf(&t, "%s ", s);
    splice(m, end, end, text_str(&t));
}

// A statement inside many others.
static void nest_statement(Mutant *m) {
    static const char *const head[] = {"{ ", "if (%d < 9) ", "for (int q%d = 0; q%d < 3; q%d++) ",
                                       "for (int q%d = 5; q%d >= 1; q%d -= 2) { ", "do ", "while (%d) ",
                                       "if (%d) ; else "};
    static const char *const of_nest[] = {"{ ", "if (%d < 9) { ", "for q%d: i32 = 0 .. 3 { ",
                                          "for q%d: i32 = 5 .. 0 step -2 { "};
    static const int levels[] = {1, 2, 3, 9, 17, 33, 70};
    int begin, end = pick_statement(m, &begin), n = ONE_OF(m, levels);
    if (end < 0) return;
    const char *s = span(m, begin, end), *h = m->nest ? ONE_OF(m, of_nest) : ONE_OF(m, head);
    Text t = text_new(m->a);
    for (int i = 0; i < n; i++) {
        char level[128];
        snprintf(level, sizeof level, h, i, i, i);
        text_put(&t, level);
    }
    text_put(&t, s);
    for (int i = 0; i < n; i++) text_put(&t, strchr(h, '{') ? " }" : str_eq(h, "do ") ? " while (0);" : "");
    splice(m, begin, end, text_str(&t));
}

// A value as a large expression.
static void deepen(Mutant *m) {
    static const char *const open[] = {"(", "-", "(1 + ", "(int)", "!", ""}, *const close[] = {")", "", ")",
                                       "", "", " + 1"};
    static const int levels[] = {1, 4, 20, 100, 300, 2000};
    int at = pick(m, is_value), k = below(m, 6), n = ONE_OF(m, levels);
    if (at < 0) return;
    Text t = text_new(m->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s ", open[k]);
    text_put(&t, word(m, at));
    for (int i = 0; i < n; i++) text_put(&t, close[k]);
    splice(m, at, at + 1, text_str(&t));
}

static void change_mark(Mutant *m) {
    static const char *const marks[] = {
        "#pragma sculpt\n", "#pragma sculpt reassociate\n", "#pragma sculpt private(\n", "#pragma scop\n",
        "#pragma endscop\n", "#pragma omp parallel for\n", "#pragma omp parallel for collapse(2)\n",
        "#pragma omp parallel for reduction(+:s)\n", "#pragma omp for schedule(static, 0)\n",
        "#pragma omp simd\n",
        "#pragma omp target teams distribute parallel for map(tofrom: a)\n", "#pragma omp atomic\n",
        "#pragma acc parallel loop\n", "#pragma acc kernels\n", "#pragma acc data copy(a[0:n])\n"};
    int mark = pick(m, is_directive), loop = pick(m, is_loop);
    if (mark >= 0 && below(m, 2)) splice(m, mark, mark + 1, below(m, 2) ? "" : ONE_OF(m, marks));
    else if (loop >= 0) splice(m, loop, loop, ONE_OF(m, marks));
}

static void insert_words(Mutant *m) {
    static const char *const words[] = {"break;", "continue;", "return;", "goto out;", "out:", "if (1)",
                                        "else", "while (1)", "const", "restrict", "volatile", "*", "&",
                                        "[0]", "(char)", "(double)", "sizeof", "1 ?", ": 2", ", 3", "f(",
                                        ")", "{", "}", ";", "int v[4];", "int w[n];", "static int z;",
                                        "asm(\"\");", "(void)0;", "switch (1) { case 1: ; }", "for (;;)",
                                        "({ 1; })", "x = 1;", "int i;", "++"};
    int at = pick(m, any_token);
    splice(m, at, at, ONE_OF(m, words));
}

static void empty_statement(Mutant *m) {
    int begin, end = pick_statement(m, &begin);
    if (end >= 0) splice(m, begin, end, below(m, 2) ? ";" : m->nest ? "" : "{}");
}

static void change(Mutant *m) {
    static void (*const breaks[])(Mutant *) = {delete_tokens, double_token, swap_tokens, take_foreign,
                                               insert_words};
    void (*const ways[])(Mutant *) = {
        change_number, change_number, change_number, change_operator, change_operator, change_operator,
        change_operator, change_type, change_type, change_name, change_name, repeat_statement,
        repeat_statement,
        nest_statement, nest_statement, deepen, deepen, change_mark, empty_statement, ONE_OF(m, breaks)};
    if (m->t.n > 2) ONE_OF(m, ways)(m);
}

// ---- one mutant -----------------------------------------------------------------------------------------
enum { WORDS_MOST = 12 };

// from: the file that it was, whose folder has what it includes.
static void command_of(Mutant *m, const char *from, const char *file, const char **argv) {
    static const char *const c[][3] = {{"explain"}, {"explain", "--auto"}, {"explain",
                                       "--permit=reassociate"}, {"emit", "--target=opencl"},
                                       {"emit", "--target=cuda"}, {"emit", "--target=c"}, {"cc", "-c"},
                                       {"cc", "-c", "--auto"}};
    static const char *const nest[][3] = {{"emit", "--target=cuda", "--from"}, {"emit", "--target=opencl",
                                          "--from"}, {"emit", "--target=c", "--from"},
                                          {"emit", "--dump=nest", "--from"}, {"explain"}};
    const char *const *words = m->nest ? ONE_OF(m, nest) : ONE_OF(m, c);
    int n = 0;
    argv[n++] = m->o->sculpt;
    for (int i = 0; i < 3 && words[i]; i++) argv[n++] = words[i];
    const char *slash = strrchr(from, '/');
    if (!m->nest && slash) argv[n++] = arena_printf(m->a, "-I%.*s", (int)(slash - from), from);
    argv[n++] = file;
    argv[n] = NULL;
}

static void run_child(const Mutant *m, const char **argv, const char *told) {
    rlim_t most = (rlim_t)(m->o->limit + loops(&m->t, 0, m->t.n)); // a text may take its time for each
    struct rlimit limit = {most, most + 1}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_CORE, &none);
    setenv("SCULPT_CC", "true", 1);
    if (!freopen(told, "w", stdout) || dup2(1, 2) < 0) _exit(126);
    execv(argv[0], (char **)argv);
    _exit(127);
}

// What is wrong with how it went; NULL: nothing.
static const char *fault(Mutant *m, int status, const struct rusage *used, const char *told) {
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                WTERMSIG(status) == SIGKILL)) return "too long";
    if (WIFSIGNALED(status)) return arena_printf(m->a, "signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) >= 126) return "it could not be run";
    long megabytes = used->ru_maxrss / 1024;
    if (m->o->memory && megabytes > m->o->memory) return arena_printf(m->a, "%ld MB of memory", megabytes);
    char *text = file_read(m->a, told, NULL);
    if (!text) return "no output";
    if (strstr(text, "runtime error:") || strstr(text, "Sanitizer")) return "a sanitizer's complaint";
    if (strstr(text, "isl_ctx not freed")) return "sets that nobody has freed"; // isl's words
    if (!m->nest && (strstr(text, "[SC0402]") || strstr(text, "[SC0901]")))
        return "a mistake of the compiler's own";
    return NULL;
}

// One of the files of the mutant's kind, if there is any.
static const char *pick_file(Mutant *m) {
    VEC(const char *) of = {0};
    for (int i = 0; i < m->o->nfiles; i++)
        if (str_has_suffix(m->o->files[i], ".nest") == m->nest) vec_push(m->a, &of, m->o->files[i]);
    if (of.n) return of.at[below(m, of.n)];
    m->nest = !m->nest;
    return m->o->files[below(m, m->o->nfiles)];
}

static bool mutant_is_bad(const Options *o, int k) {
    Arena *a = arena_new();
    Mutant *m = &(Mutant){.a = a, .o = o, .random = hash_bytes(&k, sizeof k,
        o->seed * 0x9e3779b97f4a7c15u + 1) | 1};
    m->nest = below(m, 2); // a nest costs a tenth of a C file
    const char *from = pick_file(m), *text = file_read(a, from, NULL), *argv[WORDS_MOST];
    m->t = tokens_of(a, text ? text : "", m->nest);
    if (!m->nest) cut(m);
    for (int n = 1 + below(m, 4); n > 0; n--) change(m);
    const char *ending = m->nest ? "nest" : "c", *told = arena_printf(a, "%s/told", o->work);
    const char *file = arena_printf(a, "%s/mutant.%s", o->work, ending);
    command_of(m, from, file, argv);
    text = text_of(m);
    if (!file_write(file, text, strlen(text))) exit(2);
    pid_t child = fork();
    if (child == 0) run_child(m, argv, told);
    int status = 0;
    struct rusage used = {0};
    wait4(child, &status, 0, &used);
    const char *why = fault(m, status, &used, told);
    if (why) {
        const char *kept = arena_printf(a, "%s/mutant-%llu-%d", o->work, (unsigned long long)o->seed, k);
        printf("mutant %d of seed %llu, of %s: %s\n    %s.%s by", k, (unsigned long long)o->seed, from, why,
               kept, ending);
        for (int i = 1; argv[i + 1]; i++) printf(" %s", argv[i]);
        printf("\n");
        rename(file, arena_printf(a, "%s.%s", kept, ending));
        rename(told, arena_printf(a, "%s.told", kept));
    }
    arena_free(a);
    return why != NULL;
}

static int usage(void) {
    fputs(
        "usage: mutants --sculpt PROGRAM --work FOLDER [--seed N] [--first K] [--count N] [--limit SECONDS] "
        "[--memory MB] FILE...\n",
        stderr);
    return 2;
}

int main(int argc, char **argv) {
    Options o = {.seed = 1, .count = 100, .limit = 20};
    int i = 1;
    for (; i + 1 < argc && str_has_prefix(argv[i], "--"); i += 2) {
        if (str_eq(argv[i], "--sculpt")) o.sculpt = argv[i + 1];
        else if (str_eq(argv[i], "--work")) o.work = argv[i + 1];
        else if (str_eq(argv[i], "--seed")) o.seed = strtoull(argv[i + 1], NULL, 10);
        else if (str_eq(argv[i], "--first")) o.first = atoi(argv[i + 1]);
        else if (str_eq(argv[i], "--count")) o.count = atoi(argv[i + 1]);
        else if (str_eq(argv[i], "--limit")) o.limit = atoi(argv[i + 1]);
        else if (str_eq(argv[i], "--memory")) o.memory = atoi(argv[i + 1]);
        else return usage();
    }
    o.files = argv + i;
    o.nfiles = argc - i;
    if (!o.sculpt || !o.work || o.nfiles < 1) return usage();
    int bad = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); // a child must not print it again
    for (int k = o.first; k < o.first + o.count; k++) bad += mutant_is_bad(&o, k);
    printf("%d mutants, %d bad\n", o.count, bad);
    return bad > 0;
}
