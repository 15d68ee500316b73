// SPDX-License-Identifier: MIT
// macro.c -- what macros make of the words of marks.
//
//   #define PARALLEL _Pragma("omp parallel for")        PARALLEL          an expansion that holds a mark
//   #define THREADS 8                                   num_threads(THREADS)   a word that is a macro
//
// clang says where macros are expanded, not to what. So the file is parsed once more, without bodies of
// functions, with a string in front of each function in question:
//
//   static const char sculpt_words_0_[] = SCULPT_WORDS_(PARALLEL); void f(…) { … PARALLEL …
#include "parse/reader.h"
#include "parse/lex.h"
#include <string.h>

static size_t offset_in_main(Reader *r, CXSourceLocation at, bool *main) {
    CXFile f;
    unsigned offset;
    clang_getExpansionLocation(at, &f, NULL, NULL, &offset);
    *main = f && clang_File_isEqual(f, r->main);
    return offset;
}

// ---- which macros there are, and which hold a mark ---------------------------------------------------
typedef struct Macro {
    const char *name, *text; // text: its definition, from the name on; "" where it has no file
    bool marks;              // or a brace that it does not close, or did not open
} Macro;
typedef VEC(Macro) Macros;

static const char *definition(Reader *r, CXCursor x) {
    CXSourceRange range = clang_getCursorExtent(x);
    CXFile f;
    unsigned begin, end;
    clang_getExpansionLocation(clang_getRangeStart(range), &f, NULL, NULL, &begin);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    size_t size = 0;
    const char *text = f ? clang_getFileContents(r->tu, f, &size) : NULL;
    return text && begin < end && end <= size ? arena_strndup(r->a, text + begin, end - begin) : "";
}

static bool has_name(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if ((p == text || !lex_word_char(p[-1])) && !lex_word_char(p[n])) return true;
    return false;
}

bool ast_is_lopsided(const char *text) {
    size_t size = strlen(text);
    int depth = 0, least = 0;
    for (size_t at = lex_blank(text, size, 0); at < size;
         at = lex_blank(text, size, lex_token(text, size, at))) {
        depth += (text[at] == '{') - (text[at] == '}');
        if (depth < least) least = depth;
    }
    return depth || least;
}

// A macro holds a mark if its text does, or names one that does.
static void find_marking(Macros *m) {
    bool again = false, any = false;
    for (int i = 0; i < m->n; i++)
        any |= m->at[i].marks |= has_name(m->at[i].text, "_Pragma") || ast_is_lopsided(m->at[i].text);
    for (again = any; again;) {
        again = false;
        for (int i = 0; i < m->n; i++)
            for (int k = 0; k < m->n && !m->at[i].marks; k++)
                if (m->at[k].marks && k != i && has_name(m->at[i].text, m->at[k].name))
                    m->at[i].marks = again = true;
    }
}

// -D'PARALLEL=_Pragma("omp parallel for")'
static const char *command_line(const AstUnit *u, const char *name) {
    for (int i = 0; i < u->nflags; i++) {
        const char *flag = u->flags[i];
        const char *at = str_eq(flag, "-D") && i + 1 < u->nflags ? u->flags[i + 1]
                         : str_has_prefix(flag, "-D")            ? flag + 2
                                                                 : "";
        if (str_has_prefix(at, name) && !lex_word_char(at[strlen(name)])) return at;
    }
    return "";
}

static void note_macro(Reader *r, CXCursor x, Macros *out) {
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(x)) || clang_Cursor_isMacroBuiltin(x)) return;
    Macro m = {.name = read_string(r, clang_getCursorSpelling(x)), .text = definition(r, x)};
    if (!*m.text) m.text = command_line(r->u, m.name);
    if (*m.text) vec_push(r->a, out, m);
}

static void note_expansion(Reader *r, CXCursor x, const Macros *macros) {
    CXSourceRange range = clang_getCursorExtent(x);
    bool main;
    size_t begin = offset_in_main(r, clang_getRangeStart(range), &main);
    if (!main) return;
    char *name = read_string(r, clang_getCursorSpelling(x));
    bool marks = false;
    for (int i = 0; i < macros->n; i++) marks |= macros->at[i].marks && str_eq(macros->at[i].name, name);
    Expansion e = {.begin = begin, .end = offset_in_main(r, clang_getRangeEnd(range), &main)};
    AstUnit *u = r->u;
    if (marks && (!u->expansions.n || begin >= u->expansions.at[u->expansions.n - 1].end))
        vec_push(r->a, &u->expansions, e);
}

void clang_note_macros(Reader *r) {
    Macros macros = {0};
    Cursors tops = children(r, clang_getTranslationUnitCursor(r->tu));
    for (int i = 0; i < tops.n; i++)
        if (clang_getCursorKind(tops.at[i]) == CXCursor_MacroDefinition) note_macro(r, tops.at[i], &macros);
    find_marking(&macros);
    for (int i = 0; i < macros.n; i++) vec_push(r->a, &r->u->macros, macros.at[i].name);
    bool any = false;
    for (int i = 0; i < macros.n; i++) any |= macros.at[i].marks;
    for (int i = 0; any && i < tops.n; i++)
        if (clang_getCursorKind(tops.at[i]) == CXCursor_MacroExpansion)
            note_expansion(r, tops.at[i], &macros);
}

// ---- what they expand to -----------------------------------------------------------------------------
// What the function defines ahead of e stands ahead of the string, too.
static void put_definitions(Text *t, const AstUnit *u, const Expansion *e) {
    for (size_t at = e->before; (at = lex_next_directive(u->text, e->begin, at)) < e->begin;) {
        size_t end = lex_directive_end(u->text, u->size, at), word = lex_blank(u->text, end, at + 1);
        bool defines = lex_word_is(u->text, end, word, "define") || lex_word_is(u->text, end, word, "undef");
        if (defines && !ast_is_skipped(u, at)) {
            text_put(t, "\n");
            text_putn(t, u->text + at, end - at);
        }
        at = end;
    }
}

// __FILE__ and __LINE__ are those of the line where the call begins, as gcc has it.
static void put_line(Text *t, const AstUnit *u, const Expansion *e) {
    Loc at = flat_said(u->flat, e->begin);
    int line = at.line;
    for (const char *s = e->text; *s; s++) line -= *s == '\n';
    text_printf(t, "\n#line %d \"", line > 0 ? line : 1);
    for (const char *s = at.file; *s; s++) {
        if (*s == '"' || *s == '\\') text_put(t, "\\");
        text_putn(t, s, 1);
    }
    text_put(t, "\"\n");
}

// The file with the strings put in; asked is in text order.
static const char *with_strings(Arena *a, const AstUnit *u, int n, const Expansion *asked) {
    Text t = text_new(a);
    text_put(
        &t,
        "#define SCULPT_WORDS_(...) SCULPT_WORDS__(__VA_ARGS__)\n#define SCULPT_WORDS__(...) #__VA_ARGS__\n");
    size_t from = 0;
    for (int i = 0; i < n; i++) {
        text_putn(&t, u->text + from, asked[i].before - from);
        put_definitions(&t, u, &asked[i]);
        put_line(&t, u, &asked[i]);
        text_printf(&t, "static const char sculpt_words_%d_[] = SCULPT_WORDS_(%s\n); ", i, asked[i].text);
        from = asked[i].before;
    }
    text_put(&t, u->text + from);
    return text_str(&t);
}

static void take_string(Arena *a, CXCursor x, int n, Expansion *asked) {
    CXString name = clang_getCursorSpelling(x);
    int i, found = sscanf(clang_getCString(name), "sculpt_words_%d_", &i);
    clang_disposeString(name);
    CXEvalResult e = found == 1 && i >= 0 && i < n ? clang_Cursor_Evaluate(x) : NULL;
    if (!e) return;
    if (clang_EvalResult_getKind(e) == CXEval_StrLiteral)
        asked[i].text = arena_strdup(a, clang_EvalResult_getAsStr(e));
    clang_EvalResult_dispose(e);
}

void ast_expand(Compile *c, const AstUnit *u, int n, Expansion *asked) {
    const char *text = with_strings(c->arena, u, n, asked);
    for (int i = 0; i < n; i++) asked[i].text = NULL;
    CXTranslationUnit tu = clang_parse_declarations(c, u, text);
    Reader r = {.c = c, .a = c->arena};
    Cursors tops = {0};
    if (tu) tops = children(&r, clang_getTranslationUnitCursor(tu));
    for (int i = 0; i < tops.n; i++)
        if (clang_getCursorKind(tops.at[i]) == CXCursor_VarDecl) take_string(c->arena, tops.at[i], n, asked);
}
