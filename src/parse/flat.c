// SPDX-License-Identifier: MIT
// flat.c -- a C file with those of the program's own files put in that hold marked loops.
//
//   #include "scale.h"      ─►      #line 1 "scale.h"
//   int main(void) { …              static void scale(int n, double *a) { #pragma sculpt … }
//                                   #line 2 "main.c"
//                                   int main(void) { …
//
// So loops of included files are loops like others, each time a file is included, under the macros of that
// time. Only files in the folders of -I, -iquote and beside the including one are looked at, and of these put
// in whose text, or a file that it includes, has a mark (with --auto: a loop), and those included inside of a
// function.
#include "parse/flat.h"
#include "parse/lex.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, MOST = 1 << 25 };

// A file of the program's own.
typedef struct File {
    const char *path, *real;
    char *text;
    size_t size;
    bool mark, loop, operator; // it has a mark, a loop, a _Pragma
    bool odd;                  // an include that is no plain name: it can't be told what that means elsewhere
    bool once;
    int holds;                 // must it be put in? -1: not known yet; 2: being asked
    int number;
    VEC(struct File *) includes;
} File;

typedef struct Flattening {
    Compile *c;
    Arena *a;
    int nflags;
    const char *const *flags;
    bool auto_mark, operators;
    VEC(File *) files;
    VEC(const File *) open; // around the place that is being written
    Flat *out;
    Text text;
    int line;               // of what was written
} Flattening;

// A directive of the preprocessor.
typedef struct Directive {
    size_t hash, word, past; // past: behind its newline
    const char *text;
} Directive;

// ---- finding files ------------------------------------------------------------------------
static const char *folder_of(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : "";
}

// The folder that an option names; *i moves past its value.
static const char *folder_option(const Flattening *s, int *i, bool quoted) {
    static const char *const names[] = {"-I", "-iquote"};
    for (int k = 0; k < 1 + quoted; k++) {
        const char *w = s->flags[*i];
        if (!str_has_prefix(w, names[k])) continue;
        if (w[strlen(names[k])]) return w + strlen(names[k]);
        return *i + 1 < s->nflags ? s->flags[++*i] : NULL;
    }
    return NULL;
}

static File *load(Flattening *s, const char *path);

static File *in_folder(Flattening *s, const char *folder, const char *name) {
    return load(s, *folder && *name != '/' ? arena_printf(s->a, "%s/%s", folder, name) : name);
}

// The file that an include names. NULL: none of the program's own. *beside: it stands where the including one
// does.
static File *find(Flattening *s, const char *from, const char *name, bool quoted, bool *beside) {
    File *f = quoted ? in_folder(s, folder_of(s->a, from), name) : NULL;
    *beside = f && *name != '/';
    for (int i = 0; i < s->nflags && !f; i++) {
        const char *folder = folder_option(s, &i, quoted);
        f = folder ? in_folder(s, folder, name) : NULL;
    }
    return f;
}

// ---- reading them --------------------------------------------------------------------------
static bool next_directive(const File *f, size_t from, Directive *d) {
    for (const char *hash = f->text + from; (hash = memchr(hash, '#', f->size - (size_t)(hash - f->text)));
         hash++) {
        size_t at = (size_t)(hash - f->text);
        if (!lex_is_directive(f->text, f->size, at)) continue;
        size_t word = at + 1 + strspn(f->text + at + 1, " \t");
        *d = (Directive){at, word, lex_directive_end(f->text, f->size, at), f->text};
        return true;
    }
    return false;
}

static bool is_word(const Directive *d, const char *word) {
    return lex_word_is(d->text, d->past, d->word, word);
}

// The word behind `word` in the same line.
static size_t second_word(const Directive *d, const char *word) {
    size_t at = d->word + strlen(word);
    return at + strspn(d->text + at, " \t");
}

// The name in #include "name" or <name>; NULL: not of that form.
static const char *included_name(Arena *a, const Directive *d, bool *quoted) {
    size_t at = second_word(d, "include");
    *quoted = d->text[at] == '"';
    const char *open = d->text + at, *close = memchr(open + 1, *quoted ? '"' : '>', d->past - at - 1);
    return (*quoted || *open == '<') && close ? arena_strndup(a, open + 1, (size_t)(close - open) - 1) : NULL;
}

static bool is_mark(const Directive *d) {
    static const char *const words[] = {"scop", "sculpt", "omp", "acc"};
    for (size_t i = 0; is_word(d, "pragma") && i < sizeof words / sizeof *words; i++)
        if (lex_word_is(d->text, d->past, second_word(d, "pragma"), words[i])) return true;
    return false;
}

static bool has_word(const File *f, const char *word) {
    for (const char *p = f->text; (p = strstr(p, word)); p++)
        if ((p == f->text || !lex_word_char(p[-1])) && !lex_word_char(p[strlen(word)])) return true;
    return false;
}

// A _Pragma of a mark, or of words that a macro is given.
static bool has_operator(const File *f) {
    static const char *const words[] = {"omp", "acc", "sculpt", "scop"};
    for (const char *p = f->text; (p = strstr(p, "_Pragma")); p++) {
        const char *word = p + strlen("_Pragma") + strspn(p + strlen("_Pragma"), " \t(");
        bool mark = *word != '"';
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            mark |= str_has_prefix(word + 1 + strspn(word + 1, " \t"), words[i]);
        if (mark) return true;
    }
    return false;
}

static void read_directive(Flattening *s, File *f, const Directive *d) {
    bool quoted, beside;
    if (is_word(d, "include_next")) f->odd = true;
    if (is_word(d, "pragma") && lex_word_is(f->text, d->past, second_word(d, "pragma"), "GCC"))
        f->odd |= strstr(arena_strndup(s->a, f->text + d->word, d->past - d->word), "system_header") != NULL;
    if (is_word(d, "pragma") && lex_word_is(f->text, d->past, second_word(d, "pragma"), "once"))
        f->once = true;
    f->mark |= is_mark(d);
    if (!is_word(d, "include")) return;
    const char *name = included_name(s->a, d, &quoted);
    File *in = name ? find(s, f->path, name, quoted, &beside) : NULL;
    f->odd |= !name;
    if (in) vec_push(s->a, &f->includes, in);
}

// The file of that path, read once. NULL: there is none.
static File *load(Flattening *s, const char *path) {
    char real[PATH_MAX];
    if (!realpath(path, real)) return NULL;
    for (int i = 0; i < s->files.n; i++)
        if (str_eq(s->files.at[i]->real, real)) return s->files.at[i];
    File *f = NEW_AS(s->a, File, (File){.path = arena_strdup(s->a, path),
                                        .real = arena_strdup(s->a, real),
                                        .holds = -1,
                                        .number = s->files.n});
    if (!(f->text = file_read(s->a, path, &f->size))) return NULL;
    vec_push(s->a, &s->files, f);
    f->loop = has_word(f, "for") || has_word(f, "while");
    f->operator = has_operator(f);
    s->operators |= f->operator;
    Directive d;
    for (size_t at = 0; next_directive(f, at, &d); at = d.past) read_directive(s, f, &d);
    return f;
}

// ---- which are put in ------------------------------------------------------------------------
static bool holds(const Flattening *s, File *f) {
    if (f->holds >= 0) return f->holds == 1;
    f->holds = 2;
    bool is = f->mark || (f->loop && (s->auto_mark || s->operators));
    for (int i = 0; i < f->includes.n && !is; i++) is = holds(s, f->includes.at[i]);
    f->holds = is;
    return is;
}

// May it? If not, what clang finds included is told by flat_leaves().
static bool may_put(const Flattening *s, const File *f) {
    bool around = has_pointer(s->open.n, s->open.at, f);
    return !around && !f->odd && s->open.n < DEPTH && s->text.n < MOST;
}

// ---- writing ----------------------------------------------------------------------------------
static void write(Flattening *s, const char *text, size_t n) {
    text_putn(&s->text, text, n);
    for (size_t i = 0; i < n; i++) s->line += text[i] == '\n';
}

static void write_str(Flattening *s, const char *text) { write(s, text, strlen(text)); }

// What follows is line `line` of a file, and goes on as `said` says.
static void begin_piece(Flattening *s, const char *file, int line, const Piece *said) {
    if (s->text.n && s->text.s[s->text.n - 1] != '\n') write_str(s, "\n");
    Piece piece = {0, file, line, file, line};
    if (said) piece.said_file = said->said_file, piece.said_line = said->said_line + line - said->line;
    Text name = text_new(s->a);
    for (const char *p = piece.said_file; *p; p++) {
        if (*p == '"' || *p == '\\') text_put(&name, "\\");
        text_putn(&name, p, 1);
    }
    write_str(s, arena_printf(s->a, "#line %d \"%s\"\n", piece.said_line, text_str(&name)));
    piece.at = s->line;
    vec_push(s->a, &s->out->pieces, piece);
}

// #line 100 "gram.y", also without the word or the name, before the line next_line; *said held so far.
static bool is_line(Flattening *s, const Directive *d, int next_line, Piece *said) {
    size_t at = is_word(d, "line") ? second_word(d, "line") : d->word;
    char *end;
    long line = strtol(d->text + at, &end, 10);
    if (!isdigit((unsigned char)d->text[at]) || line > INT_MAX / 2) return false;
    said->line = next_line;
    said->said_line = (int)line;
    end += strspn(end, " \t");
    if (*end != '"') return true;
    Text name = text_new(s->a);
    for (end++; *end && *end != '"' && *end != '\n'; end++) {
        if (*end == '\\' && end[1]) end++;
        text_putn(&name, end, 1);
    }
    said->said_file = text_str(&name);
    return true;
}

static void write_file(Flattening *s, const File *f);

static void put_in(Flattening *s, const File *f, const File *around, int next_line, const Piece *said) {
    const char *guard = arena_printf(s->a, "SCULPT_ONCE_%d_", f->number);
    if (f->once) write_str(s, arena_printf(s->a, "\n#ifndef %s\n#define %s\n", guard, guard));
    begin_piece(s, f->path, 1, NULL);
    vec_push(s->a, &s->out->files, f->path);
    write_file(s, f);
    if (f->once) write_str(s, "\n#endif\n");
    begin_piece(s, around->path, next_line, said);
}

// An include that stays, but whose name means something else in the file that it now stands in.
static bool keep_beside(Flattening *s, const File *f, const char *name, bool beside) {
    const char *folder = folder_of(s->a, f->path), *main = folder_of(s->a, s->open.at[0]->path);
    if (!beside || str_eq(folder, main)) return false;
    char real[PATH_MAX];
    if (!realpath(*folder ? folder : ".", real)) return false;
    write_str(s, arena_printf(s->a, "#include \"%s/%s\"\n", real, name));
    return true;
}

// Writes another thing in the place of a directive, if it must; depth: of braces around it.
static bool replace(Flattening *s, const File *f, const Directive *d, int depth, int next_line,
                    const Piece *said) {
    bool quoted, beside;
    if (f->once && is_word(d, "pragma") && lex_word_is(f->text, d->past, second_word(d, "pragma"), "once") &&
        s->open.n > 1)
        return write_str(s, "\n"), true;
    const char *name = is_word(d, "include") ? included_name(s->a, d, &quoted) : NULL;
    File *in = name ? find(s, f->path, name, quoted, &beside) : NULL;
    if (!in) return false;
    bool wanted = holds(s, in) || (depth > 0 && strchr(in->text, ';'));
    if (!wanted || !may_put(s, in)) return keep_beside(s, f, name, beside);
    put_in(s, in, f, next_line, said);
    return true;
}

static void write_file(Flattening *s, const File *f) {
    size_t from = f->size >= 3 && memcmp(f->text, "\xEF\xBB\xBF", 3) == 0 && s->open.n ? 3 : 0;
    int depth = 0, line = 1;
    size_t counted = 0;
    Piece said = {0, f->path, 1, f->path, 1};
    vec_push(s->a, &s->open, f);
    for (size_t at = from; (at = lex_blank(f->text, f->size, at)) < f->size;) {
        if (!lex_is_directive(f->text, f->size, at)) {
            depth += (f->text[at] == '{') - (f->text[at] == '}');
            at = lex_token(f->text, f->size, at);
            continue;
        }
        Directive d = {at, at + 1 + strspn(f->text + at + 1, " \t"), lex_directive_end(f->text, f->size, at),
                       f->text};
        for (; counted < d.past; counted++) line += f->text[counted] == '\n';
        write(s, f->text + from, at - from);
        bool other = is_line(s, &d, line, &said);
        from = other || replace(s, f, &d, depth, line, &said) ? d.past : at;
        if (other) {
            write(s, f->text + at, d.past - at);
            said.at = s->line;
            vec_push(s->a, &s->out->pieces, said);
        }
        at = d.past;
    }
    write(s, f->text + from, f->size - from);
    s->open.n--;
}

Flat *front_flatten(Compile *c, const char *file, int nflags, const char *const *flags, bool auto_mark) {
    Flattening s = {
        .c = c, .a = c->arena, .nflags = nflags, .flags = flags, .auto_mark = auto_mark, .line = 1};
    s.out = NEW(c->arena, Flat);
    s.text = text_new(c->arena);
    File *main = load(&s, file);
    if (!main) return NULL;
    s.out->file = main->path;
    Piece first = {1, main->path, 1, main->path, 1};
    vec_push(s.a, &s.out->pieces, first);
    write_file(&s, main);
    s.out->text = arena_strdup(s.a, text_str(&s.text));
    s.out->size = s.text.n;
    for (int i = 0; i < nflags; i++) s.operators |= strstr(flags[i], "_Pragma") != NULL;
    s.out->may_mark = holds(&s, main) || s.operators;
    for (int i = 0; i < s.files.n; i++) s.out->may_mark |= s.files.at[i]->odd;
    for (int i = 0; i < nflags; i++)
        s.out->may_mark |= str_has_prefix(flags[i], "-include") || str_eq(flags[i], "--include");
    return s.out;
}

static const Piece *piece_of(const Flat *f, int line) {
    int k = f->pieces.n - 1;
    while (k > 0 && f->pieces.at[k].at > line) k--;
    return &f->pieces.at[k];
}

// ---- calls of macros ----------------------------------------------------------------------------
// Text of the old one up to `end`, with the pieces that begin there; *old is its line.
static void copy_to(Flattening *s, const Flat *f, size_t *from, size_t end, int *old) {
    int at = *old, ahead = s->line - at;
    for (size_t i = *from; i < end; i++) *old += f->text[i] == '\n';
    for (int i = 0; i < f->pieces.n; i++) {
        Piece p = f->pieces.at[i];
        if (p.at <= at || p.at > *old) continue;
        p.at += ahead;
        vec_push(s->a, &s->out->pieces, p);
    }
    write(s, f->text + *from, end - *from);
    *from = end;
}

static void write_out(Flattening *s, const Piece *at, const char *text) {
    size_t size = strlen(text), from = 0;
    int parens = 0;
    for (size_t k = 0; (k = lex_blank(text, size, k)) < size;) {
        size_t past = lex_token(text, size, k);
        parens += (text[k] == '(') - (text[k] == ')');
        if (parens == 0 && strchr(";{}", text[k])) {
            begin_piece(s, at->file, at->line, at);
            write(s, text + from, past - from);
            from = past;
        }
        k = past;
    }
    begin_piece(s, at->file, at->line, at);
    write(s, text + from, size - from);
}

Flat *flat_write_out(Compile *c, const Flat *f, int n, const Replaced *calls) {
    Flattening s = {.c = c, .a = c->arena, .line = 1};
    size_t from = 0;
    int old = 1;
    s.out = NEW(c->arena, Flat);
    *s.out = *f;
    s.out->pieces.n = s.out->pieces.cap = 0, s.out->pieces.at = NULL;
    s.text = text_new(c->arena);
    vec_push(s.a, &s.out->pieces, f->pieces.at[0]);
    for (int i = 0; i < n; i++) {
        for (int behind = 0; behind < 2; behind++) {
            if (!behind) copy_to(&s, f, &from, calls[i].begin, &old);
            for (; behind && from < calls[i].end; from++) old += f->text[from] == '\n';
            const Piece *p = piece_of(f, old);
            Piece at = {0, p->file, p->line + old - p->at, p->said_file, p->said_line + old - p->at};
            if (behind) begin_piece(&s, at.file, at.line, &at);
            else write_out(&s, &at, calls[i].text);
        }
    }
    copy_to(&s, f, &from, f->size, &old);
    s.out->text = arena_strdup(s.a, text_str(&s.text));
    s.out->size = s.text.n;
    return s.out;
}

bool flat_leaves(Compile *c, const char *path, const char *text, size_t size) {
    File f = {.text = arena_strndup(c->arena, text, size), .size = size};
    Directive d = {0};
    size_t at = 0;
    while (next_directive(&f, at, &d) && !is_mark(&d)) at = d.past;
    if (!d.text || !is_mark(&d)) return false;
    int line = 1;
    for (size_t i = 0; i < d.hash; i++) line += text[i] == '\n';
    diag(c, DIAG_REMARK, SC_SPLICE, (Loc){arena_strdup(c->arena, path), line, 1},
         "marks of this file are not taken, its loops stay on the host: it includes itself, or is not "
         "included by its plain "
         "name; write the functions into a C file");
    return true;
}

Loc flat_loc(const Flat *f, Loc at) {
    if (!f || f->pieces.n < 2) return at;
    const Piece *p = piece_of(f, at.line);
    return (Loc){p->file, p->line + at.line - p->at, at.col};
}

static Loc place(const Flat *f, size_t at) {
    int line = 1, start = 0;
    for (size_t i = 0; i < at && i < f->size; i++)
        if (f->text[i] == '\n') line++, start = (int)i + 1;
    return (Loc){f->file, line, (int)at - start + 1};
}

Loc flat_place(const Flat *f, size_t at) { return flat_loc(f, place(f, at)); }

Loc flat_said(const Flat *f, size_t at) {
    Loc l = place(f, at);
    const Piece *p = piece_of(f, l.line);
    return (Loc){p->said_file, p->said_line + l.line - p->at, l.col};
}

int flat_line(const Flat *f, int line) {
    int at = line;
    for (int i = 0; i < f->pieces.n; i++) {
        const Piece *p = &f->pieces.at[i];
        if (str_eq(p->file, f->file) && p->line <= line) at = p->at + line - p->line;
    }
    return at;
}
