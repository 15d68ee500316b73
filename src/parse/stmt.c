// SPDX-License-Identifier: MIT
// stmt.c -- statements: clang's cursors to Ast, and where they stand in the text.
#include "parse/reader.h"
#include "parse/lex.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What clang_getCursorExtent leaves out: the rest of a macro's arguments, and the ';'.
static void finish_place(Reader *r, Ast *n, bool semicolon) {
    if (n->end <= n->begin) return; // no place of its own
    const char *text = r->u->text;
    size_t size = r->u->size;
    n->end = lex_balance(text, size, n->begin, n->end);
    size_t at = lex_skip(text, size, n->end);
    if (semicolon && text[n->end - 1] != ';' && at < size && text[at] == ';') n->end = at + 1;
}

static bool ends_in_semicolon(const Ast *x) {
    switch (x->kind) {
    case A_EXPR: case A_DECLS: case A_DO: case A_BREAK: case A_CONTINUE: case A_RETURN:
    case A_GOTO: case A_EMPTY:
        return true;
    case A_FOR: return ends_in_semicolon(x->kids[3]);
    case A_LABEL: return ends_in_semicolon(x->kids[0]);
    case A_IF: return ends_in_semicolon(x->kids[2] ? x->kids[2] : x->kids[1]);
    case A_WHILE: return ends_in_semicolon(x->kids[x->nkids - 1]);
    default: return false;
    }
}

// A statement ends where its last part does. A part that a macro made has no place, but the
// ';' behind the macro is its end.
static void end_with(Reader *r, Ast *n, const Ast *last) {
    if (!last || n->end <= n->begin) return;
    if (last->end > n->end) n->end = last->end;
    else if (last->end <= last->begin && ends_in_semicolon(last)) finish_place(r, n, true);
}

Ast *read_other(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_OTHER, x);
    n->name = read_string(r, clang_getCursorKindSpelling(clang_getCursorKind(x)));
    if (is_expression(x)) n->type = read_type(r, clang_getCursorType(x), NULL);
    Ast **kids = NEW_N(r->a, Ast *, cs.n + 1);
    int nkids = 0;
    for (int i = 0; i < cs.n; i++)
        if (is_statement(cs.at[i]))
            kids[nkids++] = is_expression(x) && is_expression(cs.at[i]) ? read_expr(r, cs.at[i])
                                                                        : read_stmt(r, cs.at[i]);
    ast_kids(r, n, nkids, kids);
    if (!is_expression(x)) finish_place(r, n, clang_getCursorKind(x) == CXCursor_GCCAsmStmt);
    for (int i = 0; i < nkids && !is_expression(x); i++) end_with(r, n, kids[i]);
    return n;
}

static Ast *read_decls(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_DECLS, x);
    n->decls = NEW_N(r->a, Decl *, cs.n + 1);
    for (int i = 0; i < cs.n; i++)
        if (clang_getCursorKind(cs.at[i]) == CXCursor_VarDecl) n->decls[n->ndecls++] = read_decl(r, cs.at[i]);
    finish_place(r, n, true);
    return n;
}

// Is child k of a statement an expression, or a statement that may be one?
static bool is_value(AstKind kind, int k) {
    switch (kind) {
    case A_WHILE: case A_SWITCH: return k == 0;
    case A_DO: return k == 1;
    case A_RETURN: return true;
    default: return false;
    }
}

static Ast *read_simple(Reader *r, CXCursor x, AstKind kind, bool semicolon) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, kind, x);
    Ast **kids = NEW_N(r->a, Ast *, cs.n + 1);
    int nkids = 0;
    for (int i = 0; i < cs.n; i++)
        if (is_statement(cs.at[i]))
            kids[nkids] = is_value(kind, nkids) ? read_expr(r, cs.at[i]) : read_stmt(r, cs.at[i]),
            nkids++;
    ast_kids(r, n, nkids, kids);
    finish_place(r, n, semicolon);
    if (!semicolon && nkids) end_with(r, n, kids[nkids - 1]);
    return n;
}

// Which of init, cond and inc are written, told by the text between '(' ';' ';' ')'.
static bool for_parts(Reader *r, const Ast *n, bool has[3]) {
    const char *text = r->u->text;
    size_t size = r->u->size;
    if (n->end <= n->begin || !lex_word_is(text, size, n->begin, "for")) return false;
    size_t at = lex_skip(text, size, n->begin + 3);
    if (at >= size || text[at] != '(') return false;
    at++;
    for (int k = 0; k < 3; k++) {
        char mark = k < 2 ? ';' : ')';
        size_t end = lex_find(text, size, at, mark);
        if (end >= size) return false;
        has[k] = lex_skip(text, size, at) < end;
        at = end + 1;
    }
    return true;
}

static Ast *read_for(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_FOR, x), *kids[4] = {0};
    bool has[3] = {true, true, true};
    if (cs.n != 4 && !for_parts(r, n, has)) return read_other(r, x);
    if (cs.n != has[0] + has[1] + has[2] + 1) return read_other(r, x);
    int next = 0;
    if (has[0]) kids[0] = read_stmt(r, cs.at[next++]);
    if (has[1]) kids[1] = read_expr(r, cs.at[next++]);
    if (has[2]) kids[2] = read_expr(r, cs.at[next++]);
    kids[3] = read_stmt(r, cs.at[next]);
    ast_kids(r, n, 4, kids);
    finish_place(r, n, false);
    end_with(r, n, kids[3]);
    return n;
}

static Ast *read_if(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    if (cs.n < 2 || cs.n > 3) return read_other(r, x);
    Ast *n = ast_new(r, A_IF, x), *kids[3] = {0};
    kids[0] = read_expr(r, cs.at[0]);
    for (int i = 1; i < cs.n; i++) kids[i] = read_stmt(r, cs.at[i]);
    ast_kids(r, n, 3, kids);
    finish_place(r, n, false);
    end_with(r, n, kids[cs.n - 1]);
    return n;
}

// What the line before a loop says: #pragma unroll, unroll 4, unroll(4), nounroll. A name in the place of the
// number is not looked up.
static int unroll_before(const Reader *r, size_t at) {
    const char *text = r->u->text, *line = text + at;
    while (line > text && isspace((unsigned char)line[-1])) line--;
    const char *end = line;
    while (line > text && line[-1] != '\n') line--;
    line += strspn(line, " \t");
    if (*line != '#') return 0;
    line += 1 + strspn(line + 1, " \t");
    if (!str_has_prefix(line, "pragma")) return 0;
    line += 6 + strspn(line + 6, " \t");
    if (str_has_prefix(line, "nounroll")) return 1;
    if (!str_has_prefix(line, "unroll")) return 0;
    line += 6 + strspn(line + 6, " \t(");
    if (line >= end) return -1;
    long factor = strtol(line, NULL, 10);
    return factor > 0 && factor <= INT32_MAX ? (int)factor : 0;
}

// i < 16: is the end known to the compiler?
static bool ends_at_number(const Ast *loop) {
    const Ast *cond = loop->kids[1];
    while (cond && cond->kind == A_CAST) cond = cond->kids[0];
    for (int k = 0; cond && cond->kind == A_BINARY && k < 2; k++) {
        const Ast *side = cond->kids[k];
        while (side->kind == A_CAST) side = side->kids[0];
        if (side->kind == A_INT) return true;
    }
    return false;
}

// An attribute or a pragma that clang reads in front of a statement.
static Ast *read_attributed(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    int stmt = -1, found = 0;
    for (int i = 0; i < cs.n; i++)
        if (is_statement(cs.at[i]) && !is_expression(cs.at[i])) stmt = i, found++;
    Ast *n = found == 1 ? read_stmt(r, cs.at[stmt]) : read_other(r, x);
    bool has_text =
        n->kind == A_FOR && r->language != LANGUAGE_C && lex_word_is(r->u->text, r->u->size, n->begin, "for");
    if (has_text) n->unroll = unroll_before(r, n->begin);
    if (n->unroll < 0 && !ends_at_number(n)) n->unroll = 0; // the compiler does as it likes
    return n;
}

static Ast *read_goto(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    Ast *n = ast_new(r, A_GOTO, x);
    if (cs.n) n->name = read_string(r, clang_getCursorSpelling(cs.at[0]));
    finish_place(r, n, true);
    return n;
}

static Ast *read_label(Reader *r, CXCursor x) {
    Cursors cs = children(r, x);
    if (cs.n != 1) return read_other(r, x);
    Ast *n = ast_new(r, A_LABEL, x), *kid = read_stmt(r, cs.at[0]);
    n->name = read_string(r, clang_getCursorSpelling(x));
    ast_kids(r, n, 1, &kid);
    end_with(r, n, kid);
    return n;
}

static Ast *read_expr_stmt(Reader *r, CXCursor x) {
    Ast *n = ast_new(r, A_EXPR, x), *kid = read_expr(r, x);
    ast_kids(r, n, 1, &kid);
    finish_place(r, n, true);
    return n;
}

Ast *read_stmt(Reader *r, CXCursor x) {
    if (is_expression(x)) return read_expr_stmt(r, x);
    switch ((int)clang_getCursorKind(x)) {
    case CXCursor_CompoundStmt: return read_simple(r, x, A_BLOCK, false);
    case CXCursor_DeclStmt: return read_decls(r, x);
    case CXCursor_ForStmt: return read_for(r, x);
    case CXCursor_IfStmt: return read_if(r, x);
    case CXCursor_WhileStmt: return read_simple(r, x, A_WHILE, false);
    case CXCursor_DoStmt: return read_simple(r, x, A_DO, true);
    case CXCursor_SwitchStmt: return read_simple(r, x, A_SWITCH, false);
    case CXCursor_BreakStmt: return read_simple(r, x, A_BREAK, true);
    case CXCursor_ContinueStmt: return read_simple(r, x, A_CONTINUE, true);
    case CXCursor_ReturnStmt: return read_simple(r, x, A_RETURN, true);
    case CXCursor_GotoStmt: return read_goto(r, x);
    case CXCursor_LabelStmt: return read_label(r, x);
    case CXCursor_NullStmt: return read_simple(r, x, A_EMPTY, true);
    case CXCursor_UnexposedStmt: return read_attributed(r, x);
    default: return read_other(r, x);
    }
}
